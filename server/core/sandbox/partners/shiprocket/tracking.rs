//! Tracking by AWB.

use axum::extract::{Path, State};
use axum::response::Response;
use serde_json::{Value, json};

use super::super::json::text;
use super::super::partner::Partner;
use super::super::records::{Bought, PartnerScan, PartnerShipment, ScanTold};
use super::answers::{ids, status, status_by_label};
use super::couriers;
use crate::limits::DAY_MS;
use crate::model::calendar::moment_in_figures;

/// Tracks an AWB. For an unknown one Shiprocket returns 200 with an error text.
pub(super) async fn read(State(partner): State<Partner>, Path(awb): Path<String>) -> Response {
    let order = partner.records().by_awb(&awb).cloned();
    let bought = order.as_ref().and_then(|order| order.bought.as_ref());
    let tracked = match order.as_ref().zip(bought) {
        Some((order, bought)) => {
            let mut tracked = tracking(order, bought, partner.is_odd());
            if partner.records().settings.hides_events {
                tracked["shipment_track_activities"] = Value::Null;
            }
            tracked
        }
        None => json!({
            "track_status": 0,
            "error": "Aahh! There is no activities found in our DB. \
                      Please have some patience it will be updated soon.",
        }),
    };
    partner.ok(json!({"tracking_data": tracked}))
}

fn tracking(order: &PartnerShipment, bought: &Bought, is_odd: bool) -> Value {
    let (status, status_code) = status(order);
    let [order_id, shipment_id] = ids(order);
    let courier = couriers::by_name(&bought.offer.service);
    let moment = |status: &str| order.scanned_ms(status).map(moment_in_figures);
    let value = |field: &str| text(&order.asked, field).unwrap_or_default();
    let activities: Vec<Value> = order.history().into_iter().map(activity).collect();
    // Ids are numbers in most replies and texts in some.
    let id_json = |id: u64| match is_odd {
        true => json!(id.to_string()),
        false => json!(id),
    };
    json!({
        "track_status": 1,
        "shipment_status": id_json(status_code),
        "shipment_track": [{
            "id": shipment_id, "shipment_id": shipment_id, "order_id": order_id,
            "awb_code": bought.awb,
            "courier_company_id": courier.map(|courier| id_json(courier.id)),
            "courier_name": bought.offer.service, "courier_agent_details": null,
            "pickup_date": moment("PICKED UP"), "delivered_date": moment("DELIVERED"),
            "weight": order.asked["weight"].to_string(), "packages": 1,
            "current_status": capitalised(&status),
            "delivered_to": value("billing_city"), "destination": value("billing_city"),
            "consignee_name": "", "origin": value("pickup_location"),
            "edd": null, "pod": "Not Available", "pod_status": "",
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
    let (status, status_code) = status(order);
    let bought = order.bought.as_ref();
    let newest = order.history().first().map(|scan| scan.at_ms);
    let scans: Vec<Value> = order.history().into_iter().map(activity).collect();
    json!({
        "awb": order.awb(),
        "courier_name": bought.map(|bought| &bought.offer.service),
        "current_status": status, "current_status_id": status_code,
        "shipment_status": status, "shipment_status_id": status_code,
        "current_timestamp": newest.map(moment_in_figures),
        "order_id": order.reference, "sr_order_id": ids(order)[0],
        "awb_assigned_date": bought.map(|bought| moment_in_figures(bought.at_ms)),
        "etd": null, "scans": scans,
        "is_return": 0, "channel_id": 1, "pod_status": "", "pod": "Not Available",
    })
}

fn activity(scan: &PartnerScan) -> Value {
    let (label, code, short) = match status_by_label(&scan.status) {
        Some(entry) => (entry.label, entry.code.to_string(), entry.short),
        None => ("NA", "NA".to_owned(), scan.status.as_str()),
    };
    let moment = scan.local.clone().unwrap_or_else(|| moment_in_figures(scan.at_ms));
    let date = match scan.told {
        ScanTold::Moment => Some(moment.as_str()),
        ScanTold::Day => moment.get(..10),
        ScanTold::Nothing => None,
    };
    json!({
        "date": date, "status": short,
        "activity": scan.remarks, "location": scan.location,
        "sr-status": code, "sr-status-label": label,
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
