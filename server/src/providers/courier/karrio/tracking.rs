//! What Karrio knows of a shipment's way (carriers.md sections 6 and 7).

use serde::Deserialize;
use tokio::time::Instant;

use super::super::order::Scan;
use super::super::{CourierError, deadline, plain, read, try_max};
use super::{Karrio, wire};
use crate::clock::{IST_MINUTES, moment_of};
use crate::model::shipping::status::ShipmentStatus;
use crate::model::wire::Text;

/// A tracker.
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

/// `POST /v1/trackers`.
#[derive(serde::Serialize)]
struct NewTracker<'a> {
    tracking_number: &'a str,
    carrier_name: &'a str,
}

impl Karrio {
    /// Reads the tracker that the purchase made; makes one where there is none.
    pub(super) async fn ask_track(
        &self,
        service: &str,
        awb: &str,
    ) -> Result<Vec<Scan>, CourierError> {
        let deadline: Instant = deadline();
        let path = format!("/v1/trackers/{awb}");
        let reply = self
            .link
            .call(&path, None::<&()>, deadline, try_max())
            .await?;
        if reply.status != 404 {
            return Ok(scans(&read::<Tracker>(&reply)?));
        }
        let carrier_name = wire::service_parts(service).map_or("", |parts| parts.0);
        let tracker = NewTracker {
            tracking_number: awb,
            carrier_name,
        };
        let reply = self
            .link
            .call("/v1/trackers", Some(&tracker), deadline, try_max())
            .await?;
        match reply.status {
            // The carrier knows nothing of it yet, or cannot be asked.
            404 | 424 => Ok(Vec::new()),
            _ => Ok(scans(&read::<Tracker>(&reply)?)),
        }
    }
}

fn scans(tracker: &Tracker) -> Vec<Scan> {
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
    // Events without a status of their own: the tracker's is that of the newest.
    if let Some(newest) = scans.iter_mut().max_by_key(|scan| scan.happened_ms) {
        newest.stage = newest.stage.or(stage(tracker.status.as_str()));
    }
    scans
}

fn happened_ms(event: &Event) -> Option<i64> {
    let whole = event.timestamp.as_str();
    let parts = format!("{} {}", event.date.as_str(), event.time.as_str());
    moment_of(whole, 0).or_else(|| moment_of(&parts, IST_MINUTES))
}

/// Karrio's own words; a carrier's code says nothing here.
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
