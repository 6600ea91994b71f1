//! Orders in Shiprocket's JSON, with their ids and statuses.

use serde_json::{Value, json};

use super::super::super::table::table;
use super::super::json::{id, text};
use super::super::records::{PartnerRecords, PartnerShipment};
use super::couriers;
use crate::model::calendar::moment_in_figures;

const FIRST_ORDER: u64 = 700_000_000;
const FIRST_SHIPMENT: u64 = 690_000_000;

/// Returns the ids of an order and of its shipment.
pub(super) fn ids(order: &PartnerShipment) -> [u64; 2] {
    [FIRST_ORDER + order.number, FIRST_SHIPMENT + order.number]
}

pub(super) fn number_of_order(order_id: u64) -> Option<u64> {
    order_id.checked_sub(FIRST_ORDER)
}

/// Finds an order by the id of its shipment.
pub(super) fn find(records: &PartnerRecords, shipment_id: &Value) -> Option<PartnerShipment> {
    let number = id(shipment_id)?.checked_sub(FIRST_SHIPMENT)?;
    records.shipment(number).cloned()
}

/// Returns the reply to a new order.
pub(super) fn new_order(order: &PartnerShipment) -> Value {
    let [order_id, shipment_id] = ids(order);
    json!({
        "order_id": order_id, "channel_order_id": order.reference, "shipment_id": shipment_id,
        "status": "NEW", "status_code": 1, "onboarding_completed_now": 0,
        "awb_code": "", "courier_company_id": "", "courier_name": "",
    })
}

/// Returns an order in a list: its shipments are a list as well.
pub(super) fn listed_order(order: &PartnerShipment) -> Value {
    let mut json = common(order);
    json["shipments"] = json!([parcel(order)]);
    json
}

/// Returns a single order: its one shipment is an object.
pub(super) fn single_order(order: &PartnerShipment) -> Value {
    let mut json = common(order);
    json["shipments"] = parcel(order);
    json["awb_data"] = json!({"awb": order.awb().unwrap_or_default()});
    json
}

fn common(order: &PartnerShipment) -> Value {
    let (status, status_code) = status(order);
    let value = |field: &str| text(&order.asked, field).unwrap_or_default();
    json!({
        "id": ids(order)[0],
        "channel_id": 2_720, "channel_name": "CUSTOM", "channel_order_id": order.reference,
        "customer_name": value("billing_customer_name"),
        "pickup_location": value("pickup_location"),
        "payment_method": value("payment_method").to_lowercase(),
        "total": order.asked["sub_total"].to_string(),
        "status": status, "status_code": status_code,
        "is_international": 0, "created_at": moment_in_figures(order.created_ms),
    })
}

fn parcel(order: &PartnerShipment) -> Value {
    let bought = order.bought.as_ref();
    let courier = bought.and_then(|bought| couriers::by_name(&bought.offer.service));
    json!({
        "id": ids(order)[1],
        "awb": order.awb().unwrap_or_default(),
        "courier": courier.map_or("", |courier| courier.name),
        "courier_id": courier.map(|courier| courier.id),
        "status": status(order).0,
        "weight": order.asked["weight"],
        "pickup_scheduled_date": null, "delivered_date": "",
    })
}

/// Returns a time with the name of its zone.
pub(super) fn time_with_zone(ms: i64) -> Value {
    let date = format!("{}.000000", moment_in_figures(ms));
    json!({"date": date, "timezone_type": 3, "timezone": "Asia/Kolkata"})
}

pub(super) const CANCELLED: &str = "CANCELLED";

/// One line of the table of statuses.
#[derive(Debug)]
pub(super) struct OrderStatus {
    pub label: &'static str,
    pub code: u64,
    /// The couriers' abbreviation.
    pub short: &'static str,
}

const STATUSES: &[OrderStatus] = table! {
    OrderStatus (label, code, short):
    ("OUT FOR PICKUP", 19, "OFP")
    ("PICKED UP", 42, "PUD")
    ("SHIPPED", 6, "PKD")
    ("IN TRANSIT", 18, "IT")
    ("REACHED AT DESTINATION HUB", 38, "RAD")
    ("OUT FOR DELIVERY", 17, "OFD")
    ("UNDELIVERED", 21, "UD")
    ("DELIVERED", 7, "DLVD")
    ("RTO INITIATED", 9, "RTO")
    ("RTO DELIVERED", 10, "RTOD")
    ("RTO IN TRANSIT", 46, "RTOIT")
    ("LOST", 12, "LOST")
    ("DAMAGED", 25, "DMG")
    ("DESTROYED", 24, "DEST")
    ("DISPOSED OFF", 44, "DISP")
    ("UNTRACEABLE", 76, "UNTR")
    ("MISROUTED", 39, "MIS")
    (CANCELLED, 8, "CANC")
};

pub(super) fn status_by_label(label: &str) -> Option<&'static OrderStatus> {
    STATUSES.iter().find(|status| status.label.eq_ignore_ascii_case(label))
}

/// Returns the status of an order: Shiprocket's word and number.
pub(super) fn status(order: &PartnerShipment) -> (String, u64) {
    let (word, code) = match order.last_status() {
        _ if order.cancelled => (CANCELLED, 8),
        _ if order.cancel_asked_ms.is_some() => ("CANCELLATION REQUESTED", 16),
        Some(status) => (status, status_by_label(status).map_or(0, |entry| entry.code)),
        None if order.pickup_ordered => ("PICKUP SCHEDULED", 4),
        None if order.bought.is_some() => ("AWB ASSIGNED", 1),
        None => ("NEW", 1),
    };
    (word.to_uppercase(), code)
}

/// Returns true if a courier has the parcel, so that the order can no longer be cancelled.
pub(super) fn is_on_its_way(order: &PartnerShipment) -> bool {
    let is_before = |status: &str| status.eq_ignore_ascii_case("OUT FOR PICKUP");
    order.scans.iter().any(|scan| !is_before(&scan.status))
}
