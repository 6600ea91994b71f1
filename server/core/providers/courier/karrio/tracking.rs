//! Karrio's trackers: tracking reports of a shipment.

use std::collections::HashMap;
use std::sync::LazyLock;

use serde::Deserialize;

use super::super::error::CourierResult;
use super::super::read;
use super::super::report::{TimedScan, add_status, put_oldest_first, with_times};
use super::super::text::{plain, status_word};
use super::super::words::{Meaning, rows};
use crate::limits::HOUR_MS;
use crate::model::calendar::moment_of;
use crate::model::courier::local_time::{Clocks, as_utc, clocks_at, moment_there};
use crate::model::courier::order::Scan;
use crate::model::courier::time_told::{TimeTold, ToldTime, read_day_and_time, read_time};
use crate::model::openapi_schema::Text;
use crate::model::shipping::status::ShipmentStatus;
use crate::providers::http::Reply;

/// The greatest difference between the clocks of two places.
const ZONES_APART_MS: i64 = 26 * HOUR_MS;

/// Karrio's own statuses, and its reasons of exceptions.
const STATUSES: &str = include_str!("statuses.tsv");

/// The carriers' codes of events.
const CODES: &str = include_str!("codes.tsv");

static STATUS_MEANINGS: LazyLock<HashMap<&str, Meaning>> = LazyLock::new(|| {
    rows(STATUSES).filter_map(|(cells, meaning)| Some((*cells.first()?, meaning))).collect()
});

static CODE_MEANINGS: LazyLock<HashMap<(&str, &str), Meaning>> = LazyLock::new(|| {
    let row = |(cells, meaning): (Vec<&'static str>, Meaning)| {
        Some(((*cells.first()?, *cells.get(1)?), meaning))
    };
    rows(CODES).filter_map(row).collect()
});

#[derive(Debug, Deserialize)]
struct Tracker {
    #[serde(default)]
    status: Text,
    #[serde(default)]
    carrier_name: Text,
    #[serde(default)]
    updated_at: Text,
    #[serde(default)]
    estimated_delivery: Text,
    #[serde(default)]
    events: Option<Vec<Event>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Event {
    date: Text,
    time: Text,
    timestamp: Text,
    code: Text,
    status: Text,
    reason: Text,
    description: Text,
    location: Text,
}

pub(super) fn scans(reply: &Reply) -> CourierResult<Vec<Scan>> {
    let tracker: Tracker = read(reply)?;
    let carrier = tracker.carrier_name.as_str();
    let mut events = tracker.events.unwrap_or_default();
    put_oldest_first(&mut events, shown, ZONES_APART_MS);
    let reports = events.iter().map(|event| report(event, carrier)).collect();
    let day = [&tracker.updated_at, &tracker.estimated_delivery];
    let day = day.into_iter().find_map(|text| read_time(text.as_str()));
    let mut scans = with_times(reports, day);
    let status = status(tracker.status.as_str());
    add_status(&mut scans, status, day);
    lead_home(&mut scans, status);
    Ok(scans)
}

fn report(event: &Event, carrier: &str) -> TimedScan {
    let (code, word) = (event.code.as_str(), event.status.as_str());
    let of_code = CODE_MEANINGS.get(&(carrier, code)).copied();
    // Karrio has no word for a loss, and only one for the whole return.
    let precise = status(event.reason.as_str()).or(of_code).filter(|it| {
        let stage = it.stage();
        it.loss().is_some() || stage.is_some_and(|it| RETURN.contains(&it))
    });
    let meaning = precise.or_else(|| status(word)).or(of_code);
    let is_unknown = meaning.is_none() && !(word.is_empty() && code.is_empty());
    let unknown_word = match (is_unknown, word) {
        (false, _) => String::new(),
        (true, "") => status_word(&format!("{carrier} {code}")),
        (true, word) => status_word(word),
    };
    let scan = Scan {
        stage: meaning.and_then(Meaning::stage),
        loss: meaning.and_then(Meaning::loss),
        unknown_word,
        location: plain(event.location.as_str()),
        remarks: plain(event.description.as_str()),
        ..Scan::default()
    };
    (scan, told(event))
}

const RETURN: [ShipmentStatus; 2] = [ShipmentStatus::Returning, ShipmentStatus::Returned];

fn status(word: &str) -> Option<Meaning> {
    STATUS_MEANINGS.get(word).copied()
}

/// Reads the time of an event. Day and time are of the clocks at its place. Many carriers' times
/// get to Karrio without their zone: then the timestamp has the local time with a `Z`. A day
/// without a time has a timestamp, too: of its midnight.
fn told(event: &Event) -> Option<ToldTime> {
    let here = read_day_and_time(event.date.as_str(), event.time.as_str());
    let stamp = moment_of(event.timestamp.as_str(), 0);
    let is_day = event.time.is_empty() && event.timestamp.as_str().contains("T00:00:00");
    match (here, stamp) {
        (Some(day), Some(_)) if is_day => Some(day),
        (Some((shown_ms, TimeTold::Moment)), stamp) => {
            let clocks = clocks_at(event.location.as_str());
            let ms = match (clocks, stamp) {
                (Clocks::Unknown, stamp) => stamp.unwrap_or(shown_ms),
                (_, Some(stamp)) if (stamp - as_utc(shown_ms)).abs() >= 60_000 => stamp,
                (Clocks::Zone(zone), _) => moment_there(shown_ms, &zone).unwrap_or(shown_ms),
                (Clocks::Several, _) => shown_ms,
            };
            Some((ms, TimeTold::Moment))
        }
        (_, Some(ms)) => Some((ms, TimeTold::Moment)),
        (here, None) => here,
    }
}

/// Reads the time of an event as it is written, whatever its zone.
fn shown(event: &Event) -> Option<ToldTime> {
    let here = read_day_and_time(event.date.as_str(), event.time.as_str());
    here.or_else(|| read_time(event.timestamp.as_str()))
}

/// Reads the reports after the begin of a return as of the return: a delivery is the one to the
/// sender.
fn lead_home(scans: &mut [Scan], status: Option<Meaning>) {
    use ShipmentStatus::{Delivered, InTransit, OutForDelivery, PickedUp, Returned, Returning};
    let mut returns = false;
    for scan in scans.iter_mut() {
        returns |= scan.stage.is_some_and(|stage| RETURN.contains(&stage));
        scan.stage = match scan.stage {
            Some(Delivered) if returns => Some(Returned),
            Some(PickedUp | InTransit | OutForDelivery) if returns => Some(Returning),
            stage => stage,
        };
    }
    let is_delivered = status.and_then(Meaning::stage) == Some(Delivered);
    if let Some(newest) = scans.last_mut().filter(|it| is_delivered && it.stage == Some(Returning))
    {
        newest.stage = Some(Returned);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::super::super::words::check;
    use super::*;
    use crate::model::shipping::loss::Loss;

    fn read_scans(tracker: &Value) -> Vec<Scan> {
        scans(&Reply { status: 200, body: tracker.to_string().into_bytes() }).expect("reports")
    }

    fn stages(tracker: &Value) -> Vec<Option<ShipmentStatus>> {
        read_scans(tracker).iter().map(|scan| scan.stage).collect()
    }

    #[test]
    fn every_published_word_has_one_stage_and_every_stage_has_a_word() {
        let statuses = check(STATUSES, 1);
        let codes = check(CODES, 2);
        assert_eq!(STATUS_MEANINGS.len(), statuses.len(), "each status is there once");
        assert_eq!(CODE_MEANINGS.len(), codes.len(), "each code is there once");
        let all = statuses.iter().chain(&codes);
        let told: BTreeSet<&str> =
            all.filter_map(|(_, it)| it.stage()).map(ShipmentStatus::word).collect();
        let words = ShipmentStatus::words();
        assert_eq!(told, words.split(", ").collect());
    }

    #[test]
    fn a_return_ends_with_the_sender() {
        use ShipmentStatus::{Delivered, PickedUp, Returned, Returning};
        let event = |status: &str, day: u32| {
            let day = format!("2026-11-{day:02}");
            json!({"status": status, "date": day, "time": "10:00"})
        };
        let back = event("return_to_sender", 2);
        for (status, events, expected) in [
            ("return_to_sender", vec![back.clone(), event("picked_up", 1)], [PickedUp, Returning]),
            ("delivered", vec![back.clone(), event("picked_up", 1)], [PickedUp, Returned]),
            ("delivered", vec![event("delivered", 3), back.clone()], [Returning, Returned]),
            // Taken back: it was not delivered.
            ("return_to_sender", vec![back, event("delivered", 1)], [Delivered, Returning]),
        ] {
            let read = stages(&json!({"status": status, "events": events}));
            assert_eq!(read, expected.map(Some), "{status} {events:?}");
        }
    }

    #[test]
    fn a_loss_is_read_from_its_reason_or_its_code_and_unknown_words_are_named() {
        let scan = |event: Value| {
            let tracker = json!({"carrier_name": "dhl_express", "status": "", "events": [event]});
            read_scans(&tracker).remove(0)
        };
        let lost = scan(json!({"status": "on_hold", "reason": "carrier_parcel_lost"}));
        assert_eq!((lost.label(), lost.loss), (Some("Lost"), Some(Loss::Lost)));
        let damaged = scan(json!({"status": "delivery_failed", "code": "DM"}));
        assert_eq!(damaged.label(), Some("Damaged"));
        let by_code = scan(json!({"code": "WC"}));
        assert_eq!(by_code.stage, Some(ShipmentStatus::OutForDelivery));
        for (event, word) in [
            (json!({"status": "beamed_up", "code": "ZZ"}), "beamed_up"),
            (json!({"code": "ZZ"}), "dhl_express ZZ"),
            (json!({"status": "unknown"}), ""),
            (json!({}), ""),
        ] {
            let read = scan(event);
            assert_eq!((read.stage, read.unknown_word.as_str()), (None, word));
        }
    }

    #[test]
    fn a_tracker_without_events_tells_its_status_and_events_stand_as_exactly_as_told() {
        let tracker = json!({"status": "delivered", "events": [], "updated_at": "2026-11-21"});
        let read = read_scans(&tracker);
        assert_eq!(read.len(), 1);
        assert_eq!(
            (read[0].stage, read[0].told),
            (Some(ShipmentStatus::Delivered), TimeTold::Nothing)
        );
        assert!(stages(&json!({"status": "pending", "events": null})).is_empty());
        let events = json!([
            {"status": "delivered", "date": null, "time": null},
            {"status": "in_transit", "date": "2026-11-21", "time": null,
             "timestamp": "2026-11-21T00:00:00.000Z"},
            {"status": "picked_up", "date": "2026-11-20", "time": "14:24 PM"},
        ]);
        let read = read_scans(&json!({"status": "delivered", "events": events}));
        let told: Vec<_> = read.iter().map(|scan| scan.told).collect();
        assert_eq!(told, [TimeTold::Moment, TimeTold::Day, TimeTold::Nothing]);
        assert_eq!(read[2].happened_ms, read[1].happened_ms);
        assert_eq!(read[2].stage, Some(ShipmentStatus::Delivered));
    }

    #[test]
    fn a_local_time_is_of_the_clocks_at_its_place() {
        let at = |location: &str, timestamp: &str| {
            let event = json!({"date": "2026-11-21", "time": "10:00", "timestamp": timestamp,
                "location": location});
            read_scans(&json!({"status": "in_transit", "events": [event]})).remove(0).happened_ms
        };
        let utc = |text: &str| moment_of(text, 0).expect("a time");
        let (bare, zulu) = ("", "2026-11-21T10:00:00.000Z");
        for (location, timestamp, moment) in [
            ("LEIPZIG - GERMANY", bare, "2026-11-21T09:00:00Z"),
            // The local time with a letter that does not belong to it.
            ("Leipzig, DE", zulu, "2026-11-21T09:00:00Z"),
            ("Leipzig, DE", "2026-11-21T09:00:00Z", "2026-11-21T09:00:00Z"),
            // Shown as it was told: ten o'clock.
            ("Memphis, TN, 38116, US", zulu, "2026-11-21T04:30:00Z"),
            ("Hub", zulu, "2026-11-21T10:00:00Z"),
            ("Hub", bare, "2026-11-21T04:30:00Z"),
        ] {
            assert_eq!(at(location, timestamp), utc(moment), "{location} {timestamp}");
        }
    }

    proptest! {
        #[test]
        fn any_events_are_read(
            events in proptest::collection::vec(
                ("[a-z_]{0,16}", "[A-Z0-9]{0,3}", "[0-9T:Z. -]{0,24}", "\\PC{0,12}"), 0..12),
            status in "[a-z_]{0,16}",
        ) {
            let events: Vec<Value> = events.iter().map(|(status, code, date, time)| {
                json!({"status": status, "code": code, "date": date, "time": time})
            }).collect();
            let tracker = json!({"status": status, "carrier_name": "fedex", "events": events});
            prop_assert!(read_scans(&tracker).len() >= events.len());
        }
    }
}
