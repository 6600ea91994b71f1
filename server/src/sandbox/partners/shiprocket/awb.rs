//! From an order to a parcel that is picked up: AWB, pickup, label.

use axum::extract::{Path, State};
use axum::http::{HeaderMap, header};
use axum::response::Response;
use serde_json::{Value, json};

use super::super::answer::{Asked, asked, id, kilograms};
use super::super::book::{Book, Bought, Shipment};
use super::super::label;
use super::{Shiprocket, answers, couriers, fields, invalid, orders, places, refuse};
use crate::clock::moment_in_figures;
use crate::limits::DAY_MS;
use crate::model::digest::sha256_hex;

/// Buys: gives the order's parcel to a courier and takes the price from the wallet.
pub(super) async fn assign(State(shiprocket): State<Shiprocket>, body: Asked) -> Response {
    let asked = asked(body);
    let problems = fields::missing(&asked, &["shipment_id"]);
    if !problems.is_empty() {
        return invalid("Required field missing", &problems);
    }
    let at_ms = shiprocket.desk.now_ms();
    let assigned = {
        let mut book = shiprocket.desk.book();
        let Some(order) = find(&book, &asked["shipment_id"]) else {
            return refuse(400, "Invalid shipment id");
        };
        if order.cancelled {
            return refuse(400, "Oops! The order is cancelled.");
        }
        if order.bought.is_some() {
            return refuse(400, "Oops! Cannot reassign courier for this shipment.");
        }
        buy(&mut book, order, &asked["courier_id"], at_ms)
    };
    match assigned {
        Ok(order) => shiprocket.reply(assigned_answer(&order, at_ms)),
        Err(problem) => shiprocket.reply(json!({
            "awb_assign_status": 0,
            "response": {"data": {"awb_assign_error": problem}},
        })),
    }
}

/// The bought order, or why no courier takes it.
fn buy(
    book: &mut Book,
    mut order: Shipment,
    courier_id: &Value,
    at_ms: i64,
) -> Result<Shipment, &'static str> {
    let places = places::all(book);
    let lane = orders::lane(&places, &order.asked).ok_or("The order has no pickup address.")?;
    let mut offers = lane.offers(&book.settings).into_iter();
    let found = match id(courier_id) {
        Some(id) => offers.find(|(courier, _)| courier.id == id),
        None => offers.next(),
    };
    let (courier, offer) = found.ok_or("Courier is not serviceable for this shipment.")?;
    if !book.pay(offer.paise) {
        return Err("Please recharge your ShipRocket wallet to ship this order.");
    }
    let suffix = &book.settings.awb_suffix;
    let awb = format!("{}{:011}{suffix}", courier.awb_start, order.number);
    order.bought = Some(Bought { awb, offer, at_ms });
    book.save(order.clone());
    Ok(order)
}

fn assigned_answer(order: &Shipment, at_ms: i64) -> Value {
    let [order_id, shipment_id] = answers::ids(order);
    let courier = order.bought.as_ref();
    let courier = courier.and_then(|bought| couriers::by_name(&bought.offer.service));
    let grams = couriers::parcel_grams(&order.asked).unwrap_or_default();
    json!({
        "awb_assign_status": 1,
        "response": {"data": {
            "courier_company_id": courier.map(|courier| courier.id),
            "awb_code": order.awb(),
            "cod": 0,
            "order_id": order_id,
            "shipment_id": shipment_id,
            "awb_code_status": 1,
            "assigned_date_time": zoned(at_ms),
            "applied_weight": kilograms(grams),
            "company_id": 25,
            "courier_name": courier.map(|courier| courier.name),
            "child_courier_name": null,
            "pickup_scheduled_date": moment_in_figures(at_ms + DAY_MS),
            "routing_code": "",
            "rto_routing_code": "",
            "invoice_no": format!("retail{order_id}"),
            "transporter_id": "",
            "transporter_name": "",
            "shipped_by": {"shipper_company_name": "Sandbox"},
        }},
    })
}

fn zoned(ms: i64) -> Value {
    let date = format!("{}.000000", moment_in_figures(ms));
    json!({"date": date, "timezone_type": 3, "timezone": "Asia/Kolkata"})
}

fn find(book: &Book, shipment_id: &Value) -> Option<Shipment> {
    let number = id(shipment_id).and_then(answers::number_of_shipment)?;
    book.shipment(number).cloned()
}

fn no_list() -> Response {
    let problem = "The shipment id must be an array.".to_owned();
    invalid("Oops! Invalid Data.", &[("shipment_id", problem)])
}

/// Asks the courier to come, once.
pub(super) async fn pickup(State(shiprocket): State<Shiprocket>, body: Asked) -> Response {
    let asked = asked(body);
    let Some(ids) = asked["shipment_id"].as_array() else {
        return no_list();
    };
    let at_ms = shiprocket.desk.now_ms();
    let mut token = 0;
    {
        let mut book = shiprocket.desk.book();
        for shipment_id in ids {
            let Some(mut order) = find(&book, shipment_id).filter(|it| !it.cancelled) else {
                return refuse(400, "Invalid shipment id");
            };
            if order.bought.is_none() {
                return refuse(400, "AWB is not assigned to this shipment.");
            }
            if order.pickup_ordered {
                return refuse(400, "Already in Pickup Queue.");
            }
            order.pickup_ordered = true;
            token = answers::shipment_id(&order);
            book.save(order);
        }
    }
    shiprocket.reply(json!({
        "pickup_status": 1,
        "response": {
            "pickup_scheduled_date": moment_in_figures(at_ms + DAY_MS),
            "pickup_token_number": format!("Reference No: {token}"),
            "status": 3,
            "others": "{\"message\":\"queued\"}",
            "pickup_generated_date": zoned(at_ms),
            "data": "Pickup is confirmed",
        },
    }))
}

/// Where the label is; parcels without an AWB have none.
pub(super) async fn label(
    State(shiprocket): State<Shiprocket>,
    headers: HeaderMap,
    body: Asked,
) -> Response {
    let asked = asked(body);
    let Some(ids) = asked["shipment_id"].as_array() else {
        return no_list();
    };
    let (mut name, mut not_created) = (None, Vec::new());
    {
        let book = shiprocket.desk.book();
        for shipment_id in ids {
            match find(&book, shipment_id).and_then(|order| label_name(&order)) {
                Some(label) => name = Some(label),
                None => not_created.push(shipment_id),
            }
        }
    }
    let Some(name) = name else {
        return shiprocket.reply(json!({
            "label_created": 0,
            "not_created": not_created,
            "response": "No valid shipment ids to print label",
        }));
    };
    let host = headers.get(header::HOST).and_then(|it| it.to_str().ok());
    let host = host.unwrap_or("localhost");
    shiprocket.reply(json!({
        "label_created": 1,
        "label_url": format!("http://{host}/shiprocket/labels/{name}"),
        "response": "Label has been created and uploaded successfully!",
        "not_created": not_created,
    }))
}

/// A name that only those know who were told: no other key opens the label.
fn label_name(order: &Shipment) -> Option<String> {
    let awb = order.awb()?;
    let mark = sha256_hex(format!("{awb} {}", order.created_ms).as_bytes());
    let id = answers::shipment_id(order);
    Some(format!("shipping-label-{id}-{}.pdf", &mark[..24]))
}

/// The label itself.
pub(super) async fn label_file(
    State(shiprocket): State<Shiprocket>,
    Path(name): Path<String>,
) -> Response {
    let book = shiprocket.desk.book();
    let is_named = |order: &&Shipment| label_name(order).as_ref() == Some(&name);
    match book.shipments().find(is_named) {
        Some(order) => label::label(&orders::label_lines(order)),
        None => refuse(404, "404 Not Found"),
    }
}
