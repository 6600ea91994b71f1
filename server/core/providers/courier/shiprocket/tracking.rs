//! Shiprocket's tracking of a shipment.

use std::collections::HashMap;
use std::sync::LazyLock;

use serde::Deserialize;

use super::super::error::CourierResult;
use super::super::read;
use super::super::report::{TimedScan, add_status, put_oldest_first, with_times};
use super::super::text::{plain, status_word};
use super::super::words::{Meaning, plain_word, rows};
use crate::model::courier::order::Scan;
use crate::model::courier::time_told::{ToldTime, read_time};
use crate::model::openapi_schema::Text;
use crate::model::shipping::status::ShipmentStatus;
use crate::providers::http::Reply;

/// The states with their numbers and labels.
const WORDS: &str = include_str!("words.tsv");

static BY_LABEL: LazyLock<HashMap<String, Meaning>> = LazyLock::new(|| {
    let row =
        |(cells, meaning): (Vec<&'static str>, Meaning)| Some((plain_word(cells.get(1)?), meaning));
    rows(WORDS).filter_map(row).collect()
});

static BY_NUMBER: LazyLock<HashMap<&str, Meaning>> = LazyLock::new(|| {
    let numbered = |(cells, meaning): (Vec<&'static str>, Meaning)| {
        Some((*cells.first()?, meaning)).filter(|(number, _)| *number != "0")
    };
    rows(WORDS).filter_map(numbered).collect()
});

/// Beginnings of labels that have a number of variants. No other label is read by its beginning:
/// a delivery or a cancellation is believed only in its whole word.
const BEGINNINGS: [(&str, ShipmentStatus); 4] = [
    ("UNDELIVERED", ShipmentStatus::OnHold),
    ("RTO ", ShipmentStatus::Returning),
    ("PICKUP ", ShipmentStatus::Booked),
    ("MANIFEST", ShipmentStatus::Booked),
];

#[derive(Debug, Deserialize)]
struct Track {
    tracking_data: TrackingData,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct TrackingData {
    shipment_status: Text,
    shipment_track: Option<Vec<TrackedParcel>>,
    shipment_track_activities: Option<Vec<Activity>>,
    etd: Text,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct TrackedParcel {
    current_status: Text,
    updated_time_stamp: Text,
    delivered_date: Text,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Activity {
    date: Text,
    status: Text,
    activity: Text,
    location: Text,
    #[serde(rename = "sr-status")]
    number: Text,
    #[serde(rename = "sr-status-label")]
    label: Text,
}

pub(super) fn scans(reply: &Reply) -> CourierResult<Vec<Scan>> {
    let track: Track = read(reply)?;
    let TrackingData { shipment_status, shipment_track, shipment_track_activities, etd } =
        track.tracking_data;
    let mut activities = shipment_track_activities.unwrap_or_default();
    put_oldest_first(&mut activities, told, 0);
    let parcel = shipment_track.unwrap_or_default().into_iter().next().unwrap_or_default();
    let day = [&parcel.updated_time_stamp, &parcel.delivered_date, &etd];
    let day = day.into_iter().find_map(|text| read_time(text.as_str()));
    let mut scans = with_times(activities.iter().map(report).collect(), day);
    let status = meaning(parcel.current_status.as_str());
    let status = status.or_else(|| BY_NUMBER.get(shipment_status.as_str()).copied());
    add_status(&mut scans, status, day);
    Ok(scans)
}

fn report(activity: &Activity) -> TimedScan {
    // Where Shiprocket has no state of its own, the courier's word is left.
    let words = [&activity.label, &activity.status].map(Text::as_str);
    let mut words = words.into_iter().filter(|word| !matches!(*word, "" | "NA"));
    let word = words.next().unwrap_or_default();
    let meaning = meaning(word).or_else(|| BY_NUMBER.get(activity.number.as_str()).copied());
    let scan = Scan {
        stage: meaning.and_then(Meaning::stage),
        loss: meaning.and_then(Meaning::loss),
        unknown_word: if meaning.is_none() { status_word(word) } else { String::new() },
        location: plain(activity.location.as_str()),
        remarks: plain(activity.activity.as_str()),
        ..Scan::default()
    };
    (scan, told(activity))
}

fn told(activity: &Activity) -> Option<ToldTime> {
    read_time(activity.date.as_str())
}

fn meaning(label: &str) -> Option<Meaning> {
    let label = plain_word(label);
    let beginning = BEGINNINGS.iter().find(|(begin, _)| label.starts_with(begin));
    let varied = beginning.map(|(_, stage)| Meaning::Stage(*stage));
    BY_LABEL.get(&label).copied().or(varied)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::super::super::words::check;
    use super::*;
    use crate::model::courier::time_told::TimeTold;
    use crate::model::shipping::loss::Loss;

    fn read_scans(data: &Value) -> Vec<Scan> {
        let body = json!({"tracking_data": data}).to_string().into_bytes();
        scans(&Reply { status: 200, body }).expect("reports")
    }

    #[test]
    fn every_published_word_has_one_stage_and_every_stage_has_a_word() {
        let table = check(WORDS, 2);
        for (cells, meaning) in &table {
            let read = super::meaning(cells[1]);
            assert_eq!(read, Some(*meaning), "{cells:?}");
            let by_number = BY_NUMBER.get(cells[0]);
            assert!(cells[0] == "0" || by_number == Some(meaning), "{cells:?}");
        }
        let told: BTreeSet<&str> =
            table.iter().filter_map(|(_, it)| it.stage()).map(ShipmentStatus::word).collect();
        let words = ShipmentStatus::words();
        assert_eq!(told, words.split(", ").collect());
        let losses: BTreeSet<&str> =
            table.iter().filter_map(|(_, it)| it.loss()).map(Loss::word).collect();
        assert_eq!(losses, Loss::ALL.map(Loss::word).into());
    }

    #[test]
    fn labels_have_their_stages() {
        for (label, stands) in [
            ("PICKED UP", Some(ShipmentStatus::PickedUp)),
            ("Pickup Scheduled", Some(ShipmentStatus::Booked)),
            ("OUT FOR DELIVERY", Some(ShipmentStatus::OutForDelivery)),
            ("DELIVERED", Some(ShipmentStatus::Delivered)),
            ("DELIVERED TO NOBODY", None),
            ("UNDELIVERED-1st Attempt", Some(ShipmentStatus::OnHold)),
            ("RTO INITIATED", Some(ShipmentStatus::Returning)),
            ("RTO DELIVERED", Some(ShipmentStatus::Returned)),
            ("RTO AT HUB", Some(ShipmentStatus::Returning)),
            ("CANCELED", Some(ShipmentStatus::Cancelled)),
            ("Cancelled", Some(ShipmentStatus::Cancelled)),
            ("CANCELLED_BEFORE_DISPATCHED", Some(ShipmentStatus::Cancelled)),
            ("CANCELLATION REQUESTED", None),
            ("MISROUTED", Some(ShipmentStatus::InTransit)),
            ("LOST", Some(ShipmentStatus::Exception)),
            ("", None),
        ] {
            assert_eq!(meaning(label).and_then(Meaning::stage), stands, "{label}");
        }
    }

    #[test]
    fn the_couriers_order_is_kept_where_times_are_not_told() {
        let activities = json!([
            {"date": null, "sr-status-label": "DELIVERED"},
            {"date": "2026-11-21", "sr-status-label": "IN TRANSIT"},
            {"date": "2026-11-20 10:00:00", "sr-status-label": "NA", "status": "X-PPOM",
             "sr-status": "42"},
            {"date": "2026-11-20 09:00:00", "sr-status-label": "NA", "status": "BEAMED UP"},
        ]);
        let read = read_scans(&json!({"shipment_track_activities": activities}));
        let stages: Vec<_> = read.iter().map(|scan| scan.stage).collect();
        let expected = [
            None,
            Some(ShipmentStatus::PickedUp),
            Some(ShipmentStatus::InTransit),
            Some(ShipmentStatus::Delivered),
        ];
        assert_eq!(stages, expected);
        assert_eq!(read[0].unknown_word, "BEAMED UP");
        assert_eq!(read[3].told, TimeTold::Nothing);
        assert_eq!(read[3].happened_ms, read[2].happened_ms);
    }

    #[test]
    fn the_shipments_own_status_counts_when_no_activity_says_more() {
        let track = |status: &str| {
            let parcel = json!({"current_status": status, "delivered_date": "2026-11-21 10:00:00"});
            read_scans(&json!({"shipment_track": [parcel], "shipment_track_activities": null}))
        };
        let read = track("Lost");
        assert_eq!((read.len(), read[0].label()), (1, Some("Lost")));
        // The order tells of those.
        assert!(track("Pickup Scheduled").is_empty() && track("Canceled").is_empty());
    }

    proptest! {
        #[test]
        fn any_activities_are_read(
            activities in proptest::collection::vec(
                ("\\PC{0,20}", "[0-9A-Z]{0,3}", "[0-9: -]{0,20}"), 0..12),
        ) {
            let activities: Vec<Value> = activities.iter().map(|(label, number, date)| {
                json!({"sr-status-label": label, "sr-status": number, "date": date})
            }).collect();
            let read = read_scans(&json!({"shipment_track_activities": activities}));
            prop_assert_eq!(read.len(), activities.len());
        }
    }
}
