//! The events of a shipment: couriers' reports in the order in which the courier told them.

use std::collections::HashSet;

use crate::error::Result;
use crate::limits;
use crate::model::booking::Booking;
use crate::model::booking::order::tracking::TrackingEvent;
use crate::model::courier::finding::{FindingKind, NewFinding};
use crate::model::courier::order::Scan;
use crate::model::courier::time_told::TimeTold;
use crate::model::shipping::status::ShipmentStatus;
use crate::store::{self, Conn};

/// An event of a shipment.
pub(super) struct Reported {
    pub event: TrackingEvent,
    pub is_new: bool,
}

/// Returns the statuses of the events.
pub(super) fn words(events: &[Reported]) -> Vec<ShipmentStatus> {
    let stages = events.iter().map(|it| ShipmentStatus::of_label(&it.event.status));
    stages.flatten().collect()
}

/// Adds the new reports, and returns all, the oldest first. One of the future is placed near now,
/// so that later ones follow it. Beyond the limit of a shipment the oldest are dropped, except the
/// first of each status.
pub(super) async fn add_scans(
    conn: &mut Conn,
    booking: &Booking,
    scans: &[Scan],
    now_ms: i64,
) -> Result<Vec<Reported>> {
    let id = &booking.booking_id;
    let stored = store::tracking_events::all(conn, id).await?;
    let stored = stored.into_iter().rev().map(|event| Reported { event, is_new: false });
    let mut events: Vec<Reported> = stored.collect();
    let mut unknown_words = Vec::new();
    let mut after_ms = i64::MIN;
    for scan in scans {
        if let Some(same) = events.iter().find(|it| is_same(&it.event, scan)) {
            after_ms = after_ms.max(same.event.sort_ms);
            continue;
        }
        let since_ms = match scan.told {
            TimeTold::Moment => after_ms,
            TimeTold::Day | TimeTold::Nothing => after_ms.max(booking.created_ms),
        };
        let sort_ms = scan.happened_ms.min(now_ms + limits::SCAN_AHEAD_MS).max(since_ms);
        let event = event(scan, &booking.courier_code, &events, sort_ms);
        after_ms = sort_ms;
        unknown_words.push((events.len(), scan.unknown_word.as_str()));
        events.push(Reported { event, is_new: true });
    }
    let lasting = events_to_keep(&events);
    for (at, word) in unknown_words.into_iter().filter(|(_, word)| !word.is_empty()) {
        if lasting[at] {
            note_unknown_word(conn, booking, word, now_ms).await?;
        }
    }
    for (Reported { event, is_new }, lasts) in events.iter().zip(lasting) {
        match (is_new, lasts) {
            (true, true) => store::tracking_events::add(conn, id, event).await?,
            (false, false) => store::tracking_events::drop_one(conn, id, event).await?,
            _ => {}
        }
    }
    events.sort_by_key(|it| it.event.sort_ms);
    Ok(events)
}

/// Stores for operators that a courier uses a word that our table does not have.
async fn note_unknown_word(
    conn: &mut Conn,
    booking: &Booking,
    word: &str,
    now_ms: i64,
) -> Result<()> {
    let order = store::courier_orders::find(conn, &booking.booking_id).await?;
    let courier = order.map_or_else(|| booking.courier_code.clone(), |order| order.courier);
    let found = NewFinding {
        kind: FindingKind::UnknownWord,
        subject: &format!("{courier} {word}"),
        awb: &booking.awb,
        courier: &courier,
        detail: word,
    };
    store::tracking_findings::count_word(conn, &found, now_ms).await
}

/// Returns true if a report is stored already. One without a stage was stored with a derived stage,
/// which may differ by now; one without a time was stored with the time of another.
fn is_same(event: &TrackingEvent, scan: &Scan) -> bool {
    let is_at_the_time = scan.told == TimeTold::Nothing || event.happened_ms == scan.happened_ms;
    event.told == scan.told
        && is_at_the_time
        && event.location == scan.location
        && event.remarks == scan.remarks
        && scan.label().is_none_or(|label| event.status == label)
}

/// Tells for each event if it is kept: the first of each status, and the newest up to the limit.
fn events_to_keep(events: &[Reported]) -> Vec<bool> {
    let mut order: Vec<usize> = (0..events.len()).collect();
    order.sort_by_key(|&at| events[at].event.sort_ms);
    let mut statuses = HashSet::new();
    let (first, rest): (Vec<usize>, Vec<usize>) =
        order.into_iter().partition(|&at| statuses.insert(events[at].event.status.as_str()));
    let room = limits::TRACK_EVENTS_MAX.saturating_sub(first.len());
    let newest = &rest[rest.len().saturating_sub(room)..];
    let mut keeps = vec![false; events.len()];
    for &at in first.iter().chain(newest) {
        keeps[at] = true;
    }
    keeps
}

/// Converts a report to an event. One without a known stage keeps the stage of the event before it,
/// and is on its way after the pickup.
fn event(scan: &Scan, courier_code: &str, before: &[Reported], sort_ms: i64) -> TrackingEvent {
    let earlier = before.iter().map(|it| &it.event).filter(|it| it.sort_ms <= sort_ms);
    let stands = earlier.max_by_key(|it| it.sort_ms).map_or("", |it| it.status.as_str());
    let label = scan.label().unwrap_or_else(|| match ShipmentStatus::of_label(stands) {
        None | Some(ShipmentStatus::Booked) => ShipmentStatus::Booked.label(),
        Some(ShipmentStatus::PickedUp | ShipmentStatus::OutForDelivery) => {
            ShipmentStatus::InTransit.label()
        }
        Some(_) => stands,
    });
    TrackingEvent {
        status: label.to_owned(),
        courier_code: courier_code.to_owned(),
        location: scan.location.clone(),
        remarks: scan.remarks.clone(),
        comments: scan.comments.clone(),
        happened_ms: scan.happened_ms,
        told: scan.told,
        sort_ms,
    }
}
