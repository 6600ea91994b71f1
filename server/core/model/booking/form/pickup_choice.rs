//! The pickup that a booking's form asks for: at a chosen time, or at the next possible one.

use super::choices::{PickupLocation, YesNo};
use super::details::PickupDetails;
use super::rules::RULES;
use crate::error::{Error, Result};
use crate::model::booking::pickup::{PickupTime, RawPickupTime};

const OTHER_HOURS: &str = "The courier does not come in these hours. Please choose others.";

const DAY_MINUTES: i64 = 24 * 60;

/// Returns the sentence beside a time that is not offered (any more).
pub fn time_is_over() -> &'static str {
    RULES.sentence("pickup_when")
}

impl PickupDetails {
    pub fn is_wanted(&self) -> bool {
        self.required == Some(YesNo::Yes)
    }

    /// True if the courier comes to another place than the sender's.
    pub fn is_elsewhere(&self) -> bool {
        self.is_wanted() && self.location == Some(PickupLocation::Different)
    }

    /// Returns the form's field for the first line of the address where the parcel is collected.
    pub fn address_field(&self) -> &'static str {
        match self.is_elsewhere() {
            true => "pickup_address_1",
            false => "consigner_address_1",
        }
    }

    /// Chooses the time of the pickup among those on offer. Without a chosen one it is the next
    /// within the hours in which the parcel is ready, or else the next that meets them.
    ///
    /// # Errors
    /// `Fields` for a time that is not on offer, and for hours in which the courier does not come.
    pub fn choose_time(&self, times: &[PickupTime]) -> Result<PickupTime> {
        let minutes = |text: &str| -> Option<i64> {
            let (hour, minute) = text.split_once(':')?;
            Some(hour.parse::<i64>().ok()? * 60 + minute.parse::<i64>().ok()?)
        };
        let ready_from = minutes(&self.ready_from).unwrap_or(0);
        let ready_until = minutes(&self.ready_until).unwrap_or(DAY_MINUTES);
        let meets = |time: &&PickupTime| time.from < ready_until && ready_from < time.until;
        let other_hours = || Error::field("pickup_ready_start_time", OTHER_HOURS);
        if !self.when.is_empty() {
            let chosen = RawPickupTime { when: self.when.as_str().into() }.find_in(times);
            let chosen = chosen.ok_or_else(|| Error::field("pickup_when", time_is_over()))?;
            return Some(chosen).filter(|time| meets(&time)).ok_or_else(other_hours);
        }
        let is_within = |time: &&PickupTime| ready_from <= time.from && time.until <= ready_until;
        let next = times.iter().find(is_within).or_else(|| times.iter().find(meets));
        next.copied().ok_or_else(other_hours)
    }
}

#[cfg(test)]
mod tests {
    use time::macros::date;

    use super::*;

    /// Three rounds on each of two days.
    fn times() -> Vec<PickupTime> {
        let days = [date!(2026 - 11 - 30), date!(2026 - 12 - 01)];
        let rounds = [(600, 780), (780, 960), (960, 1140)];
        let of_day = |day| rounds.map(|(from, until)| PickupTime { day, from, until });
        days.into_iter().flat_map(of_day).collect()
    }

    fn chosen(when: &str, ready_from: &str, ready_until: &str) -> Result<String> {
        let pickup = PickupDetails {
            when: when.to_owned(),
            ready_from: ready_from.to_owned(),
            ready_until: ready_until.to_owned(),
            ..PickupDetails::default()
        };
        pickup.choose_time(&times()).map(|time| time.stored_text())
    }

    #[test]
    fn the_next_time_within_the_ready_hours_is_taken_unless_one_was_chosen() {
        for (when, from, until, time) in [
            ("", "", "", "2026-11-30 600 780"),
            ("", "10:00", "13:00", "2026-11-30 600 780"),
            ("", "11:00", "18:00", "2026-11-30 780 960"),
            ("", "15:00", "", "2026-11-30 960 1140"),
            // No round is within one hour: a driver who comes meets it.
            ("", "11:00", "12:00", "2026-11-30 600 780"),
            ("2026-12-01 16:00", "", "", "2026-12-01 960 1140"),
        ] {
            assert_eq!(chosen(when, from, until).ok().as_deref(), Some(time), "{from} {until}");
        }
        for (when, from, until, field) in [
            ("2026-11-29 10:00", "", "", "pickup_when"),
            ("2026-11-30 11:00", "", "", "pickup_when"),
            ("2026-11-30 10:00", "14:00", "18:00", "pickup_ready_start_time"),
            ("", "20:00", "22:00", "pickup_ready_start_time"),
        ] {
            let wrong = chosen(when, from, until).unwrap_err();
            assert_eq!(wrong.fields()[0].path, field, "{when} {from}");
        }
    }
}
