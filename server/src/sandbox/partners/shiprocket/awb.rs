//! The AWB and the label of an order.

use axum::extract::{Path, State};
use axum::http::{HeaderMap, header};
use axum::response::Response;
use serde_json::{Value, json};

use super::super::json::{JsonBody, fields_of, id, kilograms};
use super::super::label;
use super::super::records::{Bought, PartnerRecords, PartnerShipment};
use super::{Shiprocket, answers, couriers, fields, invalid, orders, places, refuse};
use crate::limits::DAY_MS;
use crate::model::calendar::moment_in_figures;
use crate::model::digest::sha256_hex;

/// Assigns a courier's AWB and debits the price from the wallet.
pub(super) async fn assign(State(shiprocket): State<Shiprocket>, body: JsonBody) -> Response {
    let asked = fields_of(body);
    let problems = fields::missing(&asked, &["shipment_id"]);
    if !problems.is_empty() {
        return invalid("Required field missing", &problems);
    }
    let at_ms = shiprocket.server.now_ms();
    let assigned = {
        let mut records = shiprocket.server.records();
        let Some(order) = find(&records, &asked["shipment_id"]) else {
            return refuse(400, "Invalid shipment id");
        };
        if order.cancelled && !records.settings.buys_cancelled {
            return refuse(400, "Oops! The order is cancelled.");
        }
        if order.is_carried() {
            return refuse(400, "Oops! Cannot reassign courier for this shipment.");
        }
        buy(&mut records, order, &asked["courier_id"], at_ms)
    };
    match assigned {
        Ok(order) => shiprocket.reply(assigned_answer(&order, at_ms)),
        Err(problem) => shiprocket.reply(json!({
            "awb_assign_status": 0,
            "response": {"data": {"awb_assign_error": problem}},
        })),
    }
}

/// Returns the order with its AWB, or the reason why no courier takes it.
fn buy(
    records: &mut PartnerRecords,
    mut order: PartnerShipment,
    courier_id: &Value,
    at_ms: i64,
) -> Result<PartnerShipment, &'static str> {
    let places = places::all(records);
    let lane = orders::lane(&places, &order.asked).ok_or("The order has no pickup address.")?;
    let mut offers = lane.offers(&records.settings).into_iter();
    let found = match id(courier_id) {
        Some(id) => offers.find(|(courier, _)| courier.id == id),
        None => offers.next(),
    };
    let (courier, offer) = found.ok_or("Courier is not serviceable for this shipment.")?;
    if !records.pay(offer.paise) {
        return Err("Please recharge your ShipRocket wallet to ship this order.");
    }
    let suffix = &records.settings.awb_suffix;
    let awb = format!("{}{:011}{suffix}", courier.awb_start, order.number);
    order.bought = Some(Bought { awb, offer, at_ms });
    order.cancelled = false;
    records.save(order.clone());
    Ok(order)
}

fn assigned_answer(order: &PartnerShipment, at_ms: i64) -> Value {
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

pub(super) fn zoned(ms: i64) -> Value {
    let date = format!("{}.000000", moment_in_figures(ms));
    json!({"date": date, "timezone_type": 3, "timezone": "Asia/Kolkata"})
}

pub(super) fn find(records: &PartnerRecords, shipment_id: &Value) -> Option<PartnerShipment> {
    let number = id(shipment_id).and_then(answers::number_of_shipment)?;
    records.shipment(number).cloned()
}

pub(super) fn no_list() -> Response {
    let problem = "The shipment id must be an array.".to_owned();
    invalid("Oops! Invalid Data.", &[("shipment_id", problem)])
}

/// Returns the address of the label; a parcel without an AWB has none.
pub(super) async fn label(
    State(shiprocket): State<Shiprocket>,
    headers: HeaderMap,
    body: JsonBody,
) -> Response {
    let asked = fields_of(body);
    let Some(ids) = asked["shipment_id"].as_array() else {
        return no_list();
    };
    let (mut name, mut not_created) = (None, Vec::new());
    {
        let records = shiprocket.server.records();
        for shipment_id in ids {
            match find(&records, shipment_id).and_then(|order| label_name(&order)) {
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

/// Returns a file name that cannot be guessed: the label is served without credentials.
fn label_name(order: &PartnerShipment) -> Option<String> {
    let awb = order.awb()?;
    let mark = sha256_hex(format!("{awb} {}", order.created_ms).as_bytes());
    let id = answers::shipment_id(order);
    Some(format!("shipping-label-{id}-{}.pdf", &mark[..24]))
}

/// Serves the label itself.
pub(super) async fn label_file(
    State(shiprocket): State<Shiprocket>,
    Path(name): Path<String>,
) -> Response {
    let records = shiprocket.server.records();
    let is_named = |order: &&PartnerShipment| label_name(order).as_ref() == Some(&name);
    match records.shipments().find(is_named) {
        Some(order) => label::label(&orders::label_lines(order)),
        None => refuse(404, "404 Not Found"),
    }
}
