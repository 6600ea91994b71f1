//! Creates, finds, shows and cancels orders.

use axum::extract::{Path, Query, State};
use axum::response::Response;
use serde::Deserialize;
use serde_json::{Value, json};

use super::super::super::wire::{Answer, Fields, Refusal};
use super::super::json::id;
use super::super::partner::Partner;
use super::super::records::{PartnerRecords, PartnerShipment};
use super::answers::is_on_its_way;
use super::couriers::{self, SandboxLane};
use super::errors::{invalid, list, order_problems, recipient, refuse};
use super::{answers, places, schema};
use crate::model::calendar::{date_in_india, parse_day};

/// The default page size (orders).
const PAGE: usize = 15;

/// Creates an order. Its id must be new: not even that of a cancelled order may be used again.
pub(super) async fn create(State(partner): State<Partner>, Fields(body): Fields) -> Answer {
    let mut problems = order_problems(&body);
    problems.extend(schema::problems(&body));
    let order = {
        let mut records = partner.records();
        let reference = reference(&body);
        if records.has_reference(&reference) {
            problems.push(("order_id", "The order id has already been taken.".to_owned()));
        }
        if !problems.is_empty() {
            return Err(invalid("Oops! Invalid Data.", &problems));
        }
        let places = places::all(&records);
        if places::find_by_name(&places, &body).is_none() {
            return Err(wrong_place(&places));
        }
        records.create(PartnerShipment {
            reference,
            asked: body,
            created_ms: partner.now_ms(),
            ..PartnerShipment::default()
        })
    };
    Ok(partner.ok(answers::new_order(&order)))
}

/// Returns the reply for an unknown pickup location: 200 with the list of the known ones.
fn wrong_place(places: &[Value]) -> Refusal {
    let message = "Wrong Pickup location entered. Please choose one location from the data given";
    Refusal(200, json!({"message": message, "data": {"data": places}}))
}

/// Returns the client's id of the order, sent as a text or as a number.
fn reference(body: &Value) -> String {
    match &body["order_id"] {
        Value::Null => String::new(),
        other => value_text(other),
    }
}

pub(super) fn lane(places: &[Value], order: &Value) -> Option<SandboxLane> {
    let place = places::find_by_name(places, order)?;
    let to = format!("{}_pincode", recipient(order));
    Some(SandboxLane {
        from: value_text(&place["pin_code"]),
        to: value_text(&order[to]),
        grams: couriers::parcel_grams(order)?,
    })
}

fn value_text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

#[derive(Deserialize)]
pub(super) struct Search {
    #[serde(default)]
    search: String,
    /// The first day, in India.
    from: Option<String>,
    page: Option<usize>,
    per_page: Option<usize>,
}

/// Finds all orders whose id contains the text, newest first: a client that looks for one order
/// must compare the ids itself.
pub(super) async fn find(State(partner): State<Partner>, Query(search): Query<Search>) -> Response {
    let (page, per_page) = (search.page.unwrap_or(1), search.per_page.unwrap_or(PAGE).max(1));
    let before = page.saturating_sub(1) * per_page;
    let (orders, total) = {
        let records = partner.records();
        let from = search.from.as_deref().and_then(parse_day);
        let takes = |it: &PartnerShipment| {
            let is_later = from.is_none_or(|from| date_in_india(it.created_ms) >= from);
            is_later && it.reference.contains(&search.search)
        };
        let all: Vec<&PartnerShipment> = records.search(partner.now_ms(), takes).collect();
        let listed = all.iter().skip(before).take(per_page);
        let listed = listed.map(|order| answers::listed_order(order));
        (listed.collect::<Vec<Value>>(), all.len())
    };
    let pagination = json!({
        "total": total, "count": orders.len(),
        "per_page": per_page, "current_page": page,
        "total_pages": total.div_ceil(per_page), "links": {},
    });
    partner.ok(json!({"data": orders, "meta": {"pagination": pagination}}))
}

pub(super) async fn read(State(partner): State<Partner>, Path(id): Path<String>) -> Answer {
    let number = id.parse().ok().and_then(answers::number_of_order);
    let order = number.and_then(|number| partner.records().shipment(number).cloned());
    let order = order.ok_or_else(|| refuse(400, "Order ID not found"))?;
    Ok(partner.ok(json!({"data": answers::single_order(&order)})))
}

/// Cancels all of these orders or, when one cannot be cancelled, none.
pub(super) async fn cancel(State(partner): State<Partner>, Fields(body): Fields) -> Answer {
    let ids = list(&body, "ids")?;
    cancel_all(&partner, ids, |_, it| answers::number_of_order(id(it)?))?;
    Ok(partner.ok(json!({"status_code": 200, "message": "Order cancelled successfully."})))
}

pub(super) async fn cancel_awbs(State(partner): State<Partner>, Fields(body): Fields) -> Answer {
    let awbs = list(&body, "awbs")?;
    cancel_all(&partner, awbs, |records, awb| Some(records.by_awb(awb.as_str()?)?.number))?;
    let message = "Bulk Shipment cancellation is in progress. Please wait for 24 hours.";
    Ok(partner.ok(json!({"message": message})))
}

fn cancel_all(
    partner: &Partner,
    names: &[Value],
    number: fn(&PartnerRecords, &Value) -> Option<u64>,
) -> Result<(), Refusal> {
    let mut records = partner.records();
    let mut orders = Vec::new();
    for name in names {
        let order = number(&records, name).and_then(|number| records.shipment(number));
        let order = order.ok_or_else(|| refuse(400, "Order ID not found"))?;
        if order.cancelled {
            return Err(refuse(400, "Order is already cancelled."));
        }
        if is_on_its_way(order) {
            return Err(refuse(400, "Cannot cancel the order: it has been shipped."));
        }
        orders.push(order.clone());
    }
    for order in &mut orders {
        partner.cancel(&mut records, order);
    }
    drop(records);
    orders.retain(|it| it.cancelled && it.bought.is_some());
    orders.into_iter().for_each(|order| partner.call_back(order));
    Ok(())
}
