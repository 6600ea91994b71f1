//! Shiprocket's statuses, and the status of an order.

use super::super::super::table::table;
use super::super::records::PartnerShipment;

/// The status of a cancelled order.
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
    (CANCELLED, 8, "CANC")
};

/// Finds the line of a label.
pub(super) fn known(label: &str) -> Option<&'static OrderStatus> {
    let mut statuses = STATUSES.iter();
    statuses.find(|status| status.label.eq_ignore_ascii_case(label))
}

/// Returns the status of an order: Shiprocket's word and number.
pub(super) fn status(order: &PartnerShipment) -> (String, u64) {
    let (word, code) = match order.last_status() {
        _ if order.cancelled => (CANCELLED, 8),
        _ if order.cancel_asked_ms.is_some() => ("CANCELLATION REQUESTED", 16),
        Some(status) => (status, known(status).map_or(0, |entry| entry.code)),
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
