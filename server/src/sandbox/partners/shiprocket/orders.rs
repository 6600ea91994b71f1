//! Creates, finds, shows and cancels orders.

use axum::extract::{Path, Query, State};
use axum::response::Response;
use serde::Deserialize;
use serde_json::{Value, json};

use super::super::json::{JsonBody, fields_of, id, text};
use super::super::records::{PartnerRecords, PartnerScan, PartnerShipment};
use super::couriers::{self, SandboxLane};
use super::tracking::CANCELLED;
use super::{Shiprocket, answers, fields, invalid, places, refuse};

/// The default page size (orders).
const PAGE: usize = 15;

/// Creates an order. Its id must be new: not even that of a cancelled order may be used again.
pub(super) async fn create(State(shiprocket): State<Shiprocket>, body: JsonBody) -> Response {
    let asked = fields_of(body);
    let mut problems = fields::order(&asked);
    let now_ms = shiprocket.server.now_ms();
    let order = {
        let mut records = shiprocket.server.records();
        let reference = reference(&asked);
        if records.shipments().any(|it| it.reference == reference) {
            let problem = "The order id has already been taken.".to_owned();
            problems.push(("order_id", problem));
        }
        if !problems.is_empty() {
            return invalid("Oops! Invalid Data.", &problems);
        }
        if places::find(&records, &asked).is_none() {
            return wrong_place(places::all(&records));
        }
        records.create(reference, asked, Vec::new(), Vec::new(), now_ms)
    };
    shiprocket.reply(answers::created(&order))
}

/// Returns the reply for an unknown pickup location: 200 with the list of the known ones.
fn wrong_place(places: Vec<Value>) -> Response {
    let message = "Wrong Pickup location entered. Please choose one location from the data given";
    super::written(200, &json!({"message": message, "data": {"data": places}}))
}

/// Returns the client's id of the order, sent as a text or as a number.
fn reference(asked: &Value) -> String {
    match &asked["order_id"] {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        other => other.to_string(),
    }
}

/// Returns the lane of an order's parcel.
pub(super) fn lane(places: &[Value], order: &Value) -> Option<SandboxLane> {
    let place = places::named(places, order)?;
    let to = match fields::is_elsewhere(order) {
        true => "shipping_pincode",
        false => "billing_pincode",
    };
    Some(SandboxLane {
        from: pin(&place["pin_code"]),
        to: pin(&order[to]),
        grams: couriers::parcel_grams(order)?,
    })
}

fn pin(value: &Value) -> String {
    value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_owned)
}

#[derive(Deserialize)]
pub(super) struct Search {
    #[serde(default)]
    search: String,
    #[serde(default = "first")]
    page: usize,
    per_page: Option<usize>,
}

fn first() -> usize {
    1
}

/// Finds all orders whose id contains the text, newest first: a client that looks for one order
/// must compare the ids itself.
pub(super) async fn find(
    State(shiprocket): State<Shiprocket>,
    Query(search): Query<Search>,
) -> Response {
    let per_page = search.per_page.unwrap_or(PAGE).max(1);
    let before = search.page.saturating_sub(1) * per_page;
    let (found, total) = {
        let records = shiprocket.server.records();
        let now_ms = shiprocket.server.now_ms();
        let takes = |it: &&PartnerShipment| {
            it.reference.contains(&search.search) && records.lists(it, now_ms)
        };
        let total = records.shipments().filter(takes).count();
        let page = records.shipments().rev().filter(takes);
        let page = page.skip(before).take(per_page).map(answers::listed);
        (page.collect::<Vec<Value>>(), total)
    };
    let pagination = json!({
        "total": total,
        "count": found.len(),
        "per_page": per_page,
        "current_page": search.page,
        "total_pages": total.div_ceil(per_page),
        "links": {},
    });
    shiprocket.reply(json!({"data": found, "meta": {"pagination": pagination}}))
}

pub(super) async fn read(State(shiprocket): State<Shiprocket>, Path(id): Path<String>) -> Response {
    let order = id.parse().ok().and_then(answers::number_of_order);
    let found = order.and_then(|number| shiprocket.server.records().shipment(number).cloned());
    match found {
        Some(order) => shiprocket.reply(json!({"data": answers::shown(&order)})),
        None => refuse(400, "Order ID not found"),
    }
}

/// Cancels all of these orders or, when one cannot be cancelled, none.
pub(super) async fn cancel(State(shiprocket): State<Shiprocket>, body: JsonBody) -> Response {
    let asked = fields_of(body);
    let problems = fields::missing(&asked, &["ids"]);
    let Some(ids) = asked["ids"].as_array().filter(|_| problems.is_empty()) else {
        return invalid("Required field missing", &problems);
    };
    let numbers = ids
        .iter()
        .map(|it| id(it).and_then(answers::number_of_order));
    match cancel_all(&shiprocket, numbers) {
        Ok(()) => shiprocket
            .reply(json!({"status_code": 200, "message": "Order cancelled successfully."})),
        Err(problem) => refuse(400, problem),
    }
}

/// Cancels orders by AWB.
pub(super) async fn cancel_awbs(State(shiprocket): State<Shiprocket>, body: JsonBody) -> Response {
    let asked = fields_of(body);
    let problems = fields::missing(&asked, &["awbs"]);
    let Some(awbs) = asked["awbs"].as_array().filter(|_| problems.is_empty()) else {
        return invalid("Required field missing", &problems);
    };
    let number = |awb: &Value| {
        let records = shiprocket.server.records();
        Some(records.by_awb(awb.as_str()?)?.number)
    };
    let numbers: Vec<Option<u64>> = awbs.iter().map(number).collect();
    match cancel_all(&shiprocket, numbers) {
        Ok(()) => {
            let message = "Bulk Shipment cancellation is in progress. Please wait for 24 hours.";
            shiprocket.reply(json!({"message": message}))
        }
        Err(problem) => refuse(400, problem),
    }
}

fn cancel_all(
    shiprocket: &Shiprocket,
    numbers: impl IntoIterator<Item = Option<u64>>,
) -> Result<(), &'static str> {
    let mut records = shiprocket.server.records();
    let mut orders = Vec::new();
    for number in numbers {
        let order = number.and_then(|number| records.shipment(number));
        let order = order.ok_or("Order ID not found")?;
        if order.cancelled {
            return Err("Order is already cancelled.");
        }
        if answers::is_on_its_way(order) {
            return Err("Cannot cancel the order: it has been shipped.");
        }
        orders.push(order.clone());
    }
    for order in &mut orders {
        shiprocket.server.cancel(&mut records, order);
    }
    drop(records);
    let told = orders
        .into_iter()
        .filter(|it| it.cancelled && it.bought.is_some());
    told.for_each(|order| shiprocket.server.call_back(order));
    Ok(())
}

/// Cancels an order and credits its price to the wallet.
pub(super) fn make_cancelled(
    records: &mut PartnerRecords,
    order: &mut PartnerShipment,
    at_ms: i64,
) {
    order.cancelled = true;
    order.cancel_asked_ms = None;
    if let Some(bought) = &order.bought {
        records.pay(-bought.offer.paise);
        order.scans.push(PartnerScan {
            status: CANCELLED.to_owned(),
            location: String::new(),
            remarks: "Order cancelled".to_owned(),
            at_ms,
        });
    }
}

/// Returns the lines of a label.
pub(super) fn label_lines(order: &PartnerShipment) -> Vec<String> {
    let bought = order.bought.as_ref();
    let to = match fields::is_elsewhere(&order.asked) {
        true => "shipping",
        false => "billing",
    };
    let line = |field: &str| {
        text(&order.asked, &format!("{to}_{field}"))
            .unwrap_or_default()
            .to_owned()
    };
    vec![
        bought.map_or_else(String::new, |it| it.offer.service.clone()),
        format!("AWB {}", order.awb().unwrap_or_default()),
        format!("Order {}", order.reference),
        line("customer_name"),
        line("address"),
        line("city"),
        format!("{} {}", line("state"), line("pincode")),
    ]
}
