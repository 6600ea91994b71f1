//! Tracking by AWB.

use axum::extract::{Path, State};
use axum::response::Response;
use serde_json::{Value, json};

use super::super::json::text;
use super::super::records::{Bought, PartnerScan, PartnerShipment};
use super::{Shiprocket, answers, couriers};
use crate::limits::DAY_MS;
use crate::model::calendar::moment_in_figures;

/// The status of a cancelled order.
pub(super) const CANCELLED: &str = "CANCELLED";

/// Shiprocket's statuses: label, id, and the couriers' abbreviation.
const STATUSES: &[(&str, u64, &str)] = &[
    ("OUT FOR PICKUP", 19, "OFP"),
    ("PICKED UP", 42, "PUD"),
    ("SHIPPED", 6, "PKD"),
    ("IN TRANSIT", 18, "IT"),
    ("REACHED AT DESTINATION HUB", 38, "RAD"),
    ("OUT FOR DELIVERY", 17, "OFD"),
    ("UNDELIVERED", 21, "UD"),
    ("DELIVERED", 7, "DLVD"),
    ("RTO INITIATED", 9, "RTO"),
    ("RTO DELIVERED", 10, "RTOD"),
    (CANCELLED, 8, "CANC"),
];

fn known(status: &str) -> Option<&'static (&'static str, u64, &'static str)> {
    let mut statuses = STATUSES.iter();
    statuses.find(|(label, ..)| label.eq_ignore_ascii_case(status))
}

/// Returns the id of a status, if it is in the table.
pub(super) fn code(status: &str) -> Option<u64> {
    known(status).map(|(_, code, _)| *code)
}

/// Tracks an AWB. For an unknown one Shiprocket returns 200 with an error text.
pub(super) async fn read(
    State(shiprocket): State<Shiprocket>,
    Path(awb): Path<String>,
) -> Response {
    let found = {
        let records = shiprocket.server.records();
        let order = records.by_awb(&awb);
        order.and_then(|order| Some((order.clone(), order.bought.clone()?)))
    };
    let Some((order, bought)) = found else {
        return shiprocket.reply(json!({"tracking_data": {
            "track_status": 0,
            "error": "Aahh! There is no activities found in our DB. \
                      Please have some patience it will be updated soon.",
        }}));
    };
    let is_odd = shiprocket.server.is_odd();
    shiprocket.reply(json!({"tracking_data": tracking(&order, &bought, is_odd)}))
}

fn tracking(order: &PartnerShipment, bought: &Bought, is_odd: bool) -> Value {
    let (status, status_code) = answers::status(order);
    let [order_id, shipment_id] = answers::ids(order);
    let courier = couriers::by_name(&bought.offer.service);
    let moment = |status: &str| order.scanned_ms(status).map(moment_in_figures);
    let asked = |field: &str| text(&order.asked, field).unwrap_or_default();
    let activities: Vec<Value> = order.history().into_iter().map(activity).collect();
    // Ids are numbers in most replies and texts in some.
    let written = |id: u64| match is_odd {
        true => json!(id.to_string()),
        false => json!(id),
    };
    json!({
        "track_status": 1,
        "shipment_status": written(status_code),
        "shipment_track": [{
            "id": shipment_id,
            "awb_code": bought.awb,
            "courier_company_id": courier.map(|courier| written(courier.id)),
            "shipment_id": shipment_id,
            "order_id": order_id,
            "pickup_date": moment("PICKED UP"),
            "delivered_date": moment("DELIVERED"),
            "weight": order.asked["weight"].to_string(),
            "packages": 1,
            "current_status": capitalised(&status),
            "delivered_to": asked("billing_city"),
            "destination": asked("billing_city"),
            "consignee_name": "",
            "origin": asked("pickup_location"),
            "courier_agent_details": null,
            "courier_name": bought.offer.service,
            "edd": null,
            "pod": "Not Available",
            "pod_status": "",
        }],
        "shipment_track_activities": match activities.is_empty() {
            true => Value::Null,
            false => Value::Array(activities),
        },
        "track_url": format!("https://shiprocket.co/tracking/{}", bought.awb),
        "etd": moment_in_figures(bought.at_ms + 4 * DAY_MS),
        "qc_response": {"qc_image": "", "qc_failed_reason": ""},
    })
}

/// Returns the body of the tracking webhook.
pub(super) fn callback(order: &PartnerShipment) -> Value {
    let (status, status_code) = answers::status(order);
    let [order_id, _] = answers::ids(order);
    let bought = order.bought.as_ref();
    let newest = order.history().first().map(|scan| scan.at_ms);
    let scans: Vec<Value> = order.history().into_iter().map(activity).collect();
    json!({
        "awb": order.awb(),
        "courier_name": bought.map(|bought| &bought.offer.service),
        "current_status": status,
        "current_status_id": status_code,
        "shipment_status": status,
        "shipment_status_id": status_code,
        "current_timestamp": newest.map(moment_in_figures),
        "order_id": order.reference,
        "sr_order_id": order_id,
        "awb_assigned_date": bought.map(|bought| moment_in_figures(bought.at_ms)),
        "etd": null,
        "scans": scans,
        "is_return": 0,
        "channel_id": 1,
        "pod_status": "",
        "pod": "Not Available",
    })
}

fn activity(scan: &PartnerScan) -> Value {
    let (label, code, short) = match known(&scan.status) {
        Some((label, code, short)) => (*label, code.to_string(), *short),
        None => ("NA", "NA".to_owned(), scan.status.as_str()),
    };
    json!({
        "date": moment_in_figures(scan.at_ms),
        "status": short,
        "activity": scan.remarks,
        "location": scan.location,
        "sr-status": code,
        "sr-status-label": label,
    })
}

/// Capitalises a status: `OUT FOR DELIVERY` becomes `Out For Delivery`.
fn capitalised(status: &str) -> String {
    let words = status.split(' ').map(|word| {
        let mut letters = word.chars();
        let first = letters.next().map(String::from).unwrap_or_default();
        first + &letters.as_str().to_lowercase()
    });
    words.collect::<Vec<_>>().join(" ")
}
