//! The AWB and the label of an order.

use axum::extract::{Path, State};
use axum::http::HeaderMap;
use serde_json::{Value, json};

use super::super::super::wire::{Answer, Fields, host};
use super::super::json::{id, kilograms, text};
use super::super::label;
use super::super::partner::Partner;
use super::super::records::{PartnerRecords, PartnerShipment};
use super::answers::{self, find, time_with_zone};
use super::errors::{not_found, recipient, refuse, require, shipment_ids};
use super::{couriers, orders, places};
use crate::limits::DAY_MS;
use crate::model::calendar::moment_in_figures;
use crate::model::digest::sha256_hex;

/// Assigns a courier's AWB and debits the price from the wallet.
pub(super) async fn assign(State(partner): State<Partner>, Fields(body): Fields) -> Answer {
    require(&body, "shipment_id")?;
    let at_ms = partner.now_ms();
    let assigned = {
        let mut records = partner.records();
        let order = find(&records, &body["shipment_id"]);
        let order = order.ok_or_else(|| refuse(400, "Invalid shipment id"))?;
        if order.cancelled && !records.settings.buys_cancelled {
            return Err(refuse(400, "Oops! The order is cancelled."));
        }
        if order.is_carried() {
            return Err(refuse(400, "Oops! Cannot reassign courier for this shipment."));
        }
        buy(&mut records, order, &body["courier_id"], at_ms)
    };
    let answer = match assigned {
        Ok(order) => assigned_answer(&order, at_ms),
        Err(problem) => json!({
            "awb_assign_status": 0,
            "response": {"data": {"awb_assign_error": problem}},
        }),
    };
    Ok(partner.ok(answer))
}

/// Returns the order with its AWB, or the reason why no courier takes it.
fn buy(
    records: &mut PartnerRecords,
    order: PartnerShipment,
    courier_id: &Value,
    at_ms: i64,
) -> Result<PartnerShipment, &'static str> {
    let places = places::all(records);
    let lane = orders::lane(&places, &order.asked).ok_or("The order has no pickup address.")?;
    let mut offers = lane.offers(&records.settings).into_iter();
    let choice = match id(courier_id) {
        Some(id) => offers.find(|(courier, _)| courier.id == id),
        None => offers.next(),
    };
    let (courier, offer) = choice.ok_or("Courier is not serviceable for this shipment.")?;
    if !records.pay(offer.paise) {
        return Err("Please recharge your ShipRocket wallet to ship this order.");
    }
    let awb = format!("{}{:011}", courier.awb_start, order.number);
    Ok(records.buy(order, awb, offer, at_ms))
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
            "courier_name": courier.map(|courier| courier.name), "child_courier_name": null,
            "awb_code": order.awb(), "awb_code_status": 1, "cod": 0,
            "order_id": order_id, "shipment_id": shipment_id,
            "assigned_date_time": time_with_zone(at_ms),
            "applied_weight": kilograms(grams),
            "company_id": 25, "shipped_by": {"shipper_company_name": "Sandbox"},
            "pickup_scheduled_date": moment_in_figures(at_ms + DAY_MS),
            "routing_code": "", "rto_routing_code": "",
            "invoice_no": format!("retail{order_id}"),
            "transporter_id": "", "transporter_name": "",
        }},
    })
}

/// Returns the URL of the label of the last of these shipments that has an AWB.
pub(super) async fn label(
    State(partner): State<Partner>,
    headers: HeaderMap,
    Fields(body): Fields,
) -> Answer {
    let (mut name, mut not_created) = (None, Vec::new());
    let mut address = None;
    {
        let records = partner.records();
        address.clone_from(&records.settings.label_address);
        for shipment_id in shipment_ids(&body)? {
            match find(&records, shipment_id).and_then(|order| label_name(&order)) {
                Some(label) => name = Some(label),
                None => not_created.push(shipment_id),
            }
        }
    }
    let answer = match name {
        Some(name) => json!({
            "label_created": 1,
            "label_url": address.unwrap_or_else(|| {
                format!("http://{}/shiprocket/labels/{name}", host(&headers))
            }),
            "response": "Label has been created and uploaded successfully!",
            "not_created": not_created,
        }),
        None => json!({
            "label_created": 0,
            "not_created": not_created,
            "response": "No valid shipment ids to print label",
        }),
    };
    Ok(partner.ok(answer))
}

/// Returns a file name that cannot be guessed: the label is served without credentials.
fn label_name(order: &PartnerShipment) -> Option<String> {
    let awb = order.awb()?;
    let mark = sha256_hex(format!("{awb} {}", order.created_ms).as_bytes());
    let [_, id] = answers::ids(order);
    Some(format!("shipping-label-{id}-{}.pdf", &mark[..24]))
}

pub(super) async fn label_file(State(partner): State<Partner>, Path(name): Path<String>) -> Answer {
    let records = partner.records();
    let is_named = |order: &&PartnerShipment| label_name(order).as_ref() == Some(&name);
    let order = records.shipments().find(is_named).ok_or_else(not_found)?;
    Ok(label::label(&records.settings.label_prefix, &label_lines(order)))
}

fn label_lines(order: &PartnerShipment) -> [String; 7] {
    let bought = order.bought.as_ref();
    let to = recipient(&order.asked);
    let line = |field: &str| text(&order.asked, &format!("{to}_{field}")).unwrap_or_default();
    [
        bought.map_or_else(String::new, |it| it.offer.service.clone()),
        format!("AWB {}", order.awb().unwrap_or_default()),
        format!("Order {}", order.reference),
        line("customer_name").to_owned(),
        line("address").to_owned(),
        line("city").to_owned(),
        format!("{} {}", line("state"), line("pincode")),
    ]
}
