//! Shiprocket's tracking of a shipment.

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
struct Track {
    tracking_data: TrackingData,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct TrackingData {
    shipment_track_activities: Option<Vec<Activity>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Activity {
    date: Text,
    status: Text,
    activity: Text,
    location: Text,
    #[serde(rename = "sr-status-label")]
    label: Text,
}

pub(super) fn scans(reply: &Reply) -> CourierResult<Vec<Scan>> {
    let track: Track = read(reply)?;
    let activities = track.tracking_data.shipment_track_activities;
    Ok(activities.unwrap_or_default().iter().filter_map(scan).collect())
}

fn scan(activity: &Activity) -> Option<Scan> {
    let label = activity.label.or(activity.status.as_str());
    Some(Scan {
        stage: stage(label),
        location: plain(activity.location.as_str()),
        remarks: plain(activity.activity.as_str()),
        comments: String::new(),
        happened_ms: moment_of(activity.date.as_str(), IST_MINUTES)?,
    })
}

/// Maps the first words of a label to a stage. Shiprocket publishes no full list of its status
/// numbers, so the labels are read.
fn stage(label: &str) -> Option<ShipmentStatus> {
    let label = label.to_uppercase();
    const WORDS: &[(&str, ShipmentStatus)] = &[
        ("RTO DELIVERED", ShipmentStatus::Returned),
        ("RTO", ShipmentStatus::Returning),
        ("UNDELIVERED", ShipmentStatus::OnHold),
        ("OUT FOR DELIVERY", ShipmentStatus::OutForDelivery),
        ("OUT FOR PICKUP", ShipmentStatus::Booked),
        ("PICKUP", ShipmentStatus::Booked),
        ("DELIVERED", ShipmentStatus::Delivered),
        ("PICKED UP", ShipmentStatus::PickedUp),
        ("SHIPPED", ShipmentStatus::PickedUp),
        ("IN TRANSIT", ShipmentStatus::InTransit),
        ("REACHED", ShipmentStatus::InTransit),
        // Excludes "CANCELLATION REQUESTED": the customer is refunded once the order is cancelled.
        ("CANCELED", ShipmentStatus::Cancelled),
        ("CANCELLED", ShipmentStatus::Cancelled),
        ("NEW", ShipmentStatus::Booked),
        ("AWB ASSIGNED", ShipmentStatus::Booked),
        ("MANIFEST", ShipmentStatus::Booked),
    ];
    let entry = WORDS.iter().find(|(word, _)| label.starts_with(word));
    entry.map(|(_, stage)| *stage)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_have_their_stages() {
        for (label, stands) in [
            ("PICKED UP", Some(ShipmentStatus::PickedUp)),
            ("Pickup Scheduled", Some(ShipmentStatus::Booked)),
            ("OUT FOR DELIVERY", Some(ShipmentStatus::OutForDelivery)),
            ("DELIVERED", Some(ShipmentStatus::Delivered)),
            ("UNDELIVERED-1st Attempt", Some(ShipmentStatus::OnHold)),
            ("RTO INITIATED", Some(ShipmentStatus::Returning)),
            ("RTO DELIVERED", Some(ShipmentStatus::Returned)),
            ("CANCELED", Some(ShipmentStatus::Cancelled)),
            ("Cancelled", Some(ShipmentStatus::Cancelled)),
            ("CANCELLED_BEFORE_DISPATCHED", Some(ShipmentStatus::Cancelled)),
            ("CANCELLATION REQUESTED", None),
            ("MISROUTED", None),
            ("", None),
        ] {
            assert_eq!(stage(label), stands, "{label}");
        }
    }
}
