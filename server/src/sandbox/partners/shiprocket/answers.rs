//! Orders in Shiprocket's JSON, and their ids.

use serde_json::{Value, json};

use super::super::json::text;
use super::super::records::PartnerShipment;
use super::{couriers, tracking};
use crate::model::calendar::moment_in_figures;

const FIRST_ORDER: u64 = 700_000_000;
const FIRST_SHIPMENT: u64 = 690_000_000;

fn order_id(order: &PartnerShipment) -> u64 {
    FIRST_ORDER + order.number
}

pub(super) fn shipment_id(order: &PartnerShipment) -> u64 {
    FIRST_SHIPMENT + order.number
}

pub(super) fn number_of_order(id: u64) -> Option<u64> {
    id.checked_sub(FIRST_ORDER)
}

pub(super) fn number_of_shipment(id: u64) -> Option<u64> {
    id.checked_sub(FIRST_SHIPMENT)
}

/// Returns the status of an order: Shiprocket's word and number.
pub(super) fn status(order: &PartnerShipment) -> (String, u64) {
    let words = |word: &str, code| (word.to_owned(), code);
    match order.last_status() {
        _ if order.cancelled => words("CANCELLED", 8),
        _ if order.cancel_asked_ms.is_some() => words("CANCELLATION REQUESTED", 16),
        Some(status) => (status.to_uppercase(), tracking::code(status).unwrap_or(0)),
        None if order.pickup_ordered => words("PICKUP SCHEDULED", 4),
        None if order.bought.is_some() => words("AWB ASSIGNED", 1),
        None => words("NEW", 1),
    }
}

/// Returns true if a courier has the parcel, so that the order can no longer be cancelled.
pub(super) fn is_on_its_way(order: &PartnerShipment) -> bool {
    let is_before = |status: &str| status.eq_ignore_ascii_case("OUT FOR PICKUP");
    order.scans.iter().any(|scan| !is_before(&scan.status))
}

/// Returns the reply to a new order.
pub(super) fn created(order: &PartnerShipment) -> Value {
    json!({
        "order_id": order_id(order),
        "channel_order_id": order.reference,
        "shipment_id": shipment_id(order),
        "status": "NEW",
        "status_code": 1,
        "onboarding_completed_now": 0,
        "awb_code": "",
        "courier_company_id": "",
        "courier_name": "",
    })
}

/// Returns an order in a list: its shipments are a list as well.
pub(super) fn listed(order: &PartnerShipment) -> Value {
    let mut json = common(order);
    json["shipments"] = json!([parcel(order)]);
    json
}

/// Returns a single order: its one shipment is an object.
pub(super) fn shown(order: &PartnerShipment) -> Value {
    let mut json = common(order);
    json["shipments"] = parcel(order);
    json["awb_data"] = json!({"awb": order.awb().unwrap_or_default()});
    json
}

fn common(order: &PartnerShipment) -> Value {
    let (status, status_code) = status(order);
    let asked = |field: &str| text(&order.asked, field).unwrap_or_default();
    json!({
        "id": order_id(order),
        "channel_id": 2_720,
        "channel_name": "CUSTOM",
        "channel_order_id": order.reference,
        "customer_name": asked("billing_customer_name"),
        "pickup_location": asked("pickup_location"),
        "payment_method": asked("payment_method").to_lowercase(),
        "total": order.asked["sub_total"].to_string(),
        "status": status,
        "status_code": status_code,
        "is_international": 0,
        "created_at": moment_in_figures(order.created_ms),
    })
}

fn parcel(order: &PartnerShipment) -> Value {
    let bought = order.bought.as_ref();
    let courier = bought.and_then(|bought| couriers::by_name(&bought.offer.service));
    json!({
        "id": shipment_id(order),
        "awb": order.awb().unwrap_or_default(),
        "courier": courier.map_or("", |courier| courier.name),
        "courier_id": courier.map(|courier| courier.id),
        "status": status(order).0,
        "weight": order.asked["weight"],
        "pickup_scheduled_date": null,
        "delivered_date": "",
    })
}

/// Returns the ids of an order for other replies.
pub(super) fn ids(order: &PartnerShipment) -> [u64; 2] {
    [order_id(order), shipment_id(order)]
}
