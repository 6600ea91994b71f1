//! Reports of a shipment in a courier's answer: the oldest first, as the courier ordered them.

use super::words::Meaning;
use crate::limits::TRACK_SCANS_MAX;
use crate::model::courier::order::Scan;
use crate::model::courier::time_told::{ToldTime, fill_times, is_newest_first};
use crate::model::shipping::status::ShipmentStatus;

/// A report, and what was told about its time.
pub(super) type TimedScan = (Scan, Option<ToldTime>);

/// Puts the oldest of a courier's list first, and keeps the newest up to the limit. `doubt_ms` is
/// how far off the times may be, because their zones are not known.
pub(super) fn put_oldest_first<T>(
    list: &mut Vec<T>,
    told: impl Fn(&T) -> Option<ToldTime>,
    doubt_ms: i64,
) {
    let told: Vec<_> = list.iter().map(told).collect();
    if is_newest_first(&told, doubt_ms) {
        list.reverse();
    }
    list.drain(..list.len().saturating_sub(TRACK_SCANS_MAX));
}

/// Returns the reports, the oldest first, with their times. One without any stands on the day of
/// the one before it, or else on the `otherwise` told day; without that its time is 0.
pub(super) fn with_times(reports: Vec<TimedScan>, otherwise: Option<ToldTime>) -> Vec<Scan> {
    let told: Vec<_> = reports.iter().map(|(_, told)| *told).collect();
    let times = fill_times(&told, otherwise.map_or(0, |(ms, _)| ms));
    let scan = |((scan, _), (happened_ms, told)): (TimedScan, ToldTime)| Scan {
        happened_ms,
        told,
        ..scan
    };
    reports.into_iter().zip(times).map(scan).collect()
}

/// Gives the shipment's own status to the newest report, if that has none; without reports it is
/// the only one. A shipment that has not moved is told by its order.
pub(super) fn add_status(scans: &mut Vec<Scan>, status: Option<Meaning>, told: Option<ToldTime>) {
    let status = status.filter(|it| it.stage().is_some_and(ShipmentStatus::has_moved));
    let Some(status) = status else { return };
    if scans.is_empty() {
        scans.extend(with_times(vec![(Scan::default(), None)], told));
    }
    if let Some(newest) = scans.last_mut().filter(|newest| newest.stage.is_none()) {
        (newest.stage, newest.loss) = (status.stage(), status.loss());
    }
}
