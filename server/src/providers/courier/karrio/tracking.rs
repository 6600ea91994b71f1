//! Karrio's trackers: tracking reports of a shipment.

use serde::Deserialize;

use super::super::error::CourierResult;
use super::super::read;
use super::super::text::plain;
use crate::model::calendar::{IST_MINUTES, moment_of};
use crate::model::courier::order::Scan;
use crate::model::openapi_schema::Text;
use crate::model::shipping::status::ShipmentStatus;
use crate::providers::http::Reply;

#[derive(Debug, Deserialize)]
struct Tracker {
    #[serde(default)]
    status: Text,
    #[serde(default)]
    events: Vec<Event>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Event {
    date: Text,
    time: Text,
    timestamp: Text,
    status: Text,
    description: Text,
    location: Text,
}

pub(super) fn scans(reply: &Reply) -> CourierResult<Vec<Scan>> {
    let tracker: Tracker = read(reply)?;
    let scan = |event: &Event| {
        Some(Scan {
            stage: stage(event.status.as_str()),
            location: plain(event.location.as_str()),
            remarks: plain(event.description.as_str()),
            comments: String::new(),
            happened_ms: happened_ms(event)?,
        })
    };
    let mut scans: Vec<Scan> = tracker.events.iter().filter_map(scan).collect();
    // An event may have no status of its own. The tracker's status belongs to the newest event.
    if let Some(newest) = scans.iter_mut().max_by_key(|scan| scan.happened_ms) {
        newest.stage = newest.stage.or(stage(tracker.status.as_str()));
    }
    Ok(scans)
}

fn happened_ms(event: &Event) -> Option<i64> {
    let whole = event.timestamp.as_str();
    let parts = format!("{} {}", event.date.as_str(), event.time.as_str());
    moment_of(whole, 0).or_else(|| moment_of(&parts, IST_MINUTES))
}

/// Maps Karrio's own status words. Event codes differ by carrier and are not read.
fn stage(status: &str) -> Option<ShipmentStatus> {
    Some(match status {
        "pending" => ShipmentStatus::Booked,
        "picked_up" => ShipmentStatus::PickedUp,
        "in_transit" => ShipmentStatus::InTransit,
        "out_for_delivery" => ShipmentStatus::OutForDelivery,
        "delivered" => ShipmentStatus::Delivered,
        "on_hold" | "delivery_failed" | "delivery_delayed" | "ready_for_pickup" => {
            ShipmentStatus::OnHold
        }
        "return_to_sender" => ShipmentStatus::Returning,
        "cancelled" => ShipmentStatus::Cancelled,
        _ => return None,
    })
}
