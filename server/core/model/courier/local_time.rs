//! Local times of scans: on the clocks of the place of the scan.

use std::collections::HashMap;
use std::sync::LazyLock;

use jiff::Timestamp;
use jiff::tz::{TimeZone, TimeZoneDatabase};

use crate::model::calendar::IST_MINUTES;
use crate::model::shipping::place;

/// The clocks of a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Clocks {
    /// The text names no country.
    Unknown,
    /// The country has several zones.
    Several,
    Zone(TimeZone),
}

/// The zone of each country with one clock.
static ZONES: LazyLock<HashMap<&str, TimeZone>> = LazyLock::new(|| {
    let database = TimeZoneDatabase::bundled();
    let rows = include_str!("../../../data/country_zones.csv").lines().skip(1);
    let zone = |row: &'static str| {
        let (country, name) = row.split_once(',')?;
        Some((country, database.get(name).ok()?))
    };
    rows.filter_map(zone).collect()
});

/// Returns the clocks of a place as couriers write it: `Leipzig, DE`, `LEIPZIG - GERMANY`.
pub fn clocks_at(location: &str) -> Clocks {
    let last = location.rsplit([',', '-', '(']).next().unwrap_or_default();
    let last = last.trim_matches(|c: char| c.is_whitespace() || c == ')' || c == '.');
    let is_name = last.len() >= 2 && !last.chars().any(|c| c.is_ascii_digit());
    let Some(country) = Some(last).filter(|_| is_name).and_then(place::country_named) else {
        return Clocks::Unknown;
    };
    match ZONES.get(country.country_code.as_str()) {
        Some(zone) => Clocks::Zone(zone.clone()),
        None => Clocks::Several,
    }
}

/// Returns the moment at which the clocks of a zone show the day and time that India's clocks show
/// at this one (UTC milliseconds).
pub fn moment_there(shown_in_india_ms: i64, zone: &TimeZone) -> Option<i64> {
    let as_utc_ms = as_utc(shown_in_india_ms);
    let shown = TimeZone::UTC.to_datetime(Timestamp::from_millisecond(as_utc_ms).ok()?);
    Some(zone.to_timestamp(shown).ok()?.as_millisecond())
}

/// Returns the moment at which UTC's clocks show what India's clocks show at this one.
pub fn as_utc(shown_in_india_ms: i64) -> i64 {
    shown_in_india_ms.saturating_add(i64::from(IST_MINUTES) * 60_000)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::model::calendar::moment_of;

    fn moment(place: &str, local: &str) -> Option<i64> {
        let shown_ms = moment_of(local, IST_MINUTES).expect("a time");
        match clocks_at(place) {
            Clocks::Zone(zone) => moment_there(shown_ms, &zone),
            Clocks::Several | Clocks::Unknown => None,
        }
    }

    #[test]
    fn a_local_time_is_of_its_place_in_summer_and_winter() {
        for (place, local, utc) in [
            ("Leipzig, DE", "2026-11-21 10:00", "2026-11-21T09:00:00Z"),
            ("LEIPZIG - GERMANY", "2026-07-21 10:00", "2026-07-21T08:00:00Z"),
            ("London, United Kingdom", "2026-07-21 10:00", "2026-07-21T09:00:00Z"),
            ("DUBAI, AE", "2026-11-21 10:00", "2026-11-21T06:00:00Z"),
            ("Mumbai, MH, 400001, IN", "2026-11-21 10:00", "2026-11-21T04:30:00Z"),
            ("Shanghai (China)", "2026-11-21 10:00", "2026-11-21T02:00:00Z"),
        ] {
            assert_eq!(moment(place, local), moment_of(utc, 0), "{place} {local}");
        }
    }

    #[test]
    fn a_country_with_several_clocks_or_none_converts_nothing() {
        for place in ["Memphis, TN, 38116, US", "Sydney - AUSTRALIA", "Toronto, Canada"] {
            assert_eq!(clocks_at(place), Clocks::Several, "{place}");
        }
        for place in ["", "Hub", "Delhi hub", "Memphis, TN, 38116", ",", "97", "-"] {
            assert_eq!(clocks_at(place), Clocks::Unknown, "{place}");
        }
    }

    #[test]
    fn every_zone_of_the_table_is_there() {
        let rows = include_str!("../../../data/country_zones.csv").lines().skip(1);
        assert_eq!(ZONES.len(), rows.count());
        assert!(ZONES.keys().all(|code| place::country_of_code(code).is_some()));
    }

    proptest! {
        #[test]
        fn any_place_and_time_are_taken(place in "\\PC{0,40}", ms in any::<i64>()) {
            if let Clocks::Zone(zone) = clocks_at(&place) {
                let _ = moment_there(ms, &zone);
            }
            let _ = moment_there(ms, &TimeZone::UTC);
        }
    }
}
