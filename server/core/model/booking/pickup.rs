//! Pickups of parcels by the courier: the days and hours to choose from, and the state.

use std::iter::successors;

use serde::{Deserialize, Serialize};
use time::{Date, Month, Weekday};
use utoipa::ToSchema;

use crate::limits;
use crate::model::calendar::{date_in_india, midnight_in_india, parse_day};
use crate::model::openapi_schema::Text;

const MINUTE_MS: i64 = 60_000;

/// Pickup hours of a courier, in minutes since midnight in India.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PickupSlot {
    pub from: i64,
    pub until: i64,
    /// Minute before which a pickup on the same day must be requested.
    pub cut_off: i64,
}

impl PickupSlot {
    /// Makes a slot from whole hours of the day.
    pub const fn hours(from: i64, until: i64, cut_off: i64) -> PickupSlot {
        PickupSlot { from: from * 60, until: until * 60, cut_off: cut_off * 60 }
    }
}

/// Returns the hours of a courier's slots, such as `10-13 13-16`.
pub fn hours_name(slots: &[PickupSlot]) -> String {
    let hours = slots.iter().map(|slot| format!("{}-{}", slot.from / 60, slot.until / 60));
    hours.collect::<Vec<_>>().join(" ")
}

/// The time of a pickup: a day in India, and minutes since its midnight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PickupTime {
    pub day: Date,
    pub from: i64,
    pub until: i64,
}

impl PickupTime {
    /// Returns the day, such as `2026-11-26`.
    pub fn day_text(&self) -> String {
        self.day.to_string()
    }

    /// Returns the start (UTC milliseconds).
    pub fn from_ms(&self) -> i64 {
        midnight_in_india(self.day) + self.from * MINUTE_MS
    }

    /// Returns the end (UTC milliseconds).
    pub fn until_ms(&self) -> i64 {
        midnight_in_india(self.day) + self.until * MINUTE_MS
    }

    /// Returns the time from which a parcel not collected counts as missed (UTC milliseconds).
    pub fn late_ms(&self) -> i64 {
        self.until_ms() + limits::PICKUP_LATE_MS
    }

    /// Returns the day and start, such as `2026-11-26 10:00`.
    fn name(&self) -> String {
        format!("{} {}", self.day_text(), clock(self.from))
    }

    /// Returns the stored text: `2026-11-26 600 780`.
    pub fn stored_text(&self) -> String {
        format!("{} {} {}", self.day_text(), self.from, self.until)
    }

    /// Parses the stored text; `None` for an empty text.
    pub fn from_stored(text: &str) -> Option<PickupTime> {
        let mut parts = text.split(' ');
        Some(PickupTime {
            day: parse_day(parts.next()?)?,
            from: parts.next()?.parse().ok()?,
            until: parts.next()?.parse().ok()?,
        })
    }

    /// Returns start and end in the couriers' format: `10:00`, `13:00`.
    pub fn hours(&self) -> (String, String) {
        (clock(self.from), clock(self.until))
    }
}

fn clock(minutes: i64) -> String {
    format!("{:02}:{:02}", minutes / 60, minutes % 60)
}

/// Returns the pickup times to choose from: the next working days, and today until a slot's cut-off
/// has passed.
pub fn times(slots: &[PickupSlot], now_ms: i64) -> Vec<PickupTime> {
    let today = date_in_india(now_ms);
    let minute = (now_ms - midnight_in_india(today)) / MINUTE_MS;
    if slots.is_empty() {
        return Vec::new();
    }
    let offered = |day: Date| -> Vec<PickupTime> {
        let open = slots.iter().filter(|slot| day > today || minute < slot.cut_off);
        open.map(|slot| PickupTime { day, from: slot.from, until: slot.until }).collect()
    };
    let days = successors(Some(today), |day| day.next_day()).filter(|day| is_working(*day));
    let days = days.map(offered).filter(|times| !times.is_empty());
    days.take(limits::PICKUP_DAYS).flatten().collect()
}

/// Couriers do not work on Sundays and on the three national holidays.
fn is_working(day: Date) -> bool {
    let holidays = [(Month::January, 26), (Month::August, 15), (Month::October, 2)];
    day.weekday() != Weekday::Sunday && !holidays.contains(&(day.month(), day.day()))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PickupState {
    /// The pickup, or another time for it, is being requested from the courier.
    Requested,
    Confirmed,
    /// The courier refused to come.
    Refused,
    /// Cancellation is being requested from the courier.
    CallingOff,
    CalledOff,
    /// A state of a newer version, which alone may call the courier.
    Unknown,
}

impl PickupState {
    const ALL: [(PickupState, &str); 5] = [
        (PickupState::Requested, "requested"),
        (PickupState::Confirmed, "confirmed"),
        (PickupState::Refused, "refused"),
        (PickupState::CallingOff, "calling_off"),
        (PickupState::CalledOff, "called_off"),
    ];

    /// The state's name in the database.
    pub fn word(self) -> &'static str {
        let mut all = PickupState::ALL.iter();
        all.find(|(state, _)| *state == self).map_or("", |it| it.1)
    }

    /// Reads a stored word.
    pub fn stored(word: &str) -> PickupState {
        let mut all = PickupState::ALL.iter();
        all.find(|(_, it)| *it == word).map_or(PickupState::Unknown, |it| it.0)
    }
}

/// A pickup as stored.
#[derive(Clone, Debug)]
pub struct Pickup {
    pub pickup_id: String,
    pub user_id: String,
    pub courier: String,
    /// The carrier that a partner sends, when it has several; else empty.
    pub carrier: String,
    pub state: PickupState,
    /// The time that the customer requested.
    pub time: PickupTime,
    /// The time that the courier agreed to.
    pub agreed_time: Option<PickupTime>,
    pub revision: i64,
    /// Time of the last request to the courier; 0: never.
    pub asked_ms: i64,
    pub courier_id: String,
    pub confirmation: String,
    pub reason: String,
    pub created_ms: i64,
}

impl Pickup {
    /// Makes a pickup that its customer wants, with this id, owner, courier and carrier.
    pub fn wanted(
        [pickup_id, user_id, courier, carrier]: [String; 4],
        time: PickupTime,
        now_ms: i64,
    ) -> Pickup {
        Pickup {
            pickup_id,
            user_id,
            courier,
            carrier,
            state: PickupState::Requested,
            time,
            agreed_time: None,
            revision: 1,
            asked_ms: 0,
            courier_id: String::new(),
            confirmation: String::new(),
            reason: String::new(),
            created_ms: now_ms,
        }
    }

    /// Marks it as agreed with our own couriers, who are not asked.
    pub fn agreed(self) -> Pickup {
        Pickup {
            state: PickupState::Confirmed,
            agreed_time: Some(self.time),
            courier_id: self.pickup_id.clone(),
            ..self
        }
    }

    /// True once the hours that its courier agreed to have begun: it may have fetched the parcels.
    pub fn has_begun(&self, now_ms: i64) -> bool {
        self.agreed_time.is_some_and(|time| time.from_ms() <= now_ms)
    }

    /// True while the courier is expected: its parcels must not be requested a second time.
    pub fn is_open(&self, now_ms: i64) -> bool {
        let comes = [PickupState::Requested, PickupState::Confirmed].contains(&self.state);
        comes && !self.is_missed(now_ms)
    }

    /// True once its time has passed, unless refused. For parcels not collected yet.
    pub fn is_missed(&self, now_ms: i64) -> bool {
        self.state != PickupState::Refused && self.time.late_ms() <= now_ms
    }

    /// Returns the line for lists and the tracking page.
    pub fn line(&self, now_ms: i64) -> PickupLine {
        PickupLine::of(self.state, &self.time, now_ms)
    }
}

/// The state of a pickup, as its customer sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PickupStanding {
    /// The courier has not agreed yet.
    Requested,
    Confirmed,
    /// The courier does not come.
    Refused,
    /// The courier is told not to come.
    CallingOff,
    /// Its time is over, and the courier reports nothing of the parcel.
    Missed,
}

/// When a parcel is fetched.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct PickupLine {
    pub from_at: i64,
    pub until_at: i64,
    pub state: PickupStanding,
}

impl PickupLine {
    pub fn of(state: PickupState, time: &PickupTime, now_ms: i64) -> PickupLine {
        PickupLine {
            from_at: time.from_ms(),
            until_at: time.until_ms(),
            state: match state {
                PickupState::Refused => PickupStanding::Refused,
                _ if time.late_ms() <= now_ms => PickupStanding::Missed,
                PickupState::Confirmed => PickupStanding::Confirmed,
                PickupState::Requested | PickupState::Unknown => PickupStanding::Requested,
                PickupState::CallingOff | PickupState::CalledOff => PickupStanding::CallingOff,
            },
        }
    }
}

/// A parcel's pickup, for its customer.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct PlannedPickup {
    pub id: String,
    pub time: PickupLine,
    /// Its state in a sentence, as every page and letter says it.
    pub sentence: String,
    /// The courier's number of it; empty while there is none.
    pub confirmation: String,
    /// The courier comes, and did not agree to the last change.
    pub is_change_refused: bool,
    /// Number of parcels that are fetched with it.
    pub parcels: i64,
    /// True if its courier can be told not to come.
    pub may_call_off: bool,
}

/// A time to choose.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct PickupChoice {
    /// The value sent when it is chosen: `2026-11-26 10:00`.
    pub when: String,
    pub from_at: i64,
    pub until_at: i64,
    /// Time until which it can be chosen; left out for later days.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub closes_at: Option<i64>,
}

/// Returns the pickup times to choose from, as they are shown.
pub fn choices(slots: &[PickupSlot], now_ms: i64) -> Vec<PickupChoice> {
    let today = date_in_india(now_ms);
    let closes_at = |time: &PickupTime| {
        let slot = slots.iter().find(|slot| time.day == today && slot.from == time.from)?;
        Some(midnight_in_india(today) + slot.cut_off * MINUTE_MS)
    };
    let choice = |time: PickupTime| PickupChoice {
        when: time.name(),
        from_at: time.from_ms(),
        until_at: time.until_ms(),
        closes_at: closes_at(&time),
    };
    times(slots, now_ms).into_iter().map(choice).collect()
}

/// The time that was chosen, as it was sent.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(default)]
pub struct RawPickupTime {
    /// On India's clocks, as in `2026-11-26 10:00`.
    pub when: Text,
}

impl RawPickupTime {
    /// Returns the named time, if it is one of these.
    pub fn find_in(&self, times: &[PickupTime]) -> Option<PickupTime> {
        let mut times = times.iter();
        times.find(|time| time.name() == self.when.as_str()).copied()
    }
}

/// Parcels of one courier at one address, which are fetched together.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct PickupGroup {
    /// The name of its choice in the form.
    pub key: String,
    /// The courier's name, as people write it.
    pub courier: String,
    /// Where they are fetched.
    pub place: Vec<String>,
    pub bookings: Vec<PickupParcel>,
    /// The times to choose from; null where no pickup can be requested any more.
    pub choices: Vec<PickupChoice>,
    /// The pickup's state once it was requested.
    #[schema(required)]
    pub planned: Option<PlannedPickup>,
    /// Why it was not asked for; else empty.
    pub error: String,
}

/// A parcel, by what its sender knows it by.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct PickupParcel {
    pub id: String,
    pub awb_number: String,
    pub consignee_name: String,
}

/// Why a parcel cannot be asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PickupBar {
    /// Its courier has not confirmed it yet.
    NotYet,
    /// It is with the courier, or cancelled.
    TooLate,
    /// Its pickup is asked for already.
    Planned,
}

/// A parcel that cannot be asked for, and why.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct BarredParcel {
    pub parcel: PickupParcel,
    pub bar: PickupBar,
    /// The state of its pickup; empty without one.
    pub sentence: String,
}

/// The chosen parcels, by who fetches them and where, and those that nobody can be asked to fetch.
#[derive(Clone, Debug, Default, Serialize, ToSchema)]
pub struct ChosenPickups {
    pub groups: Vec<PickupGroup>,
    pub barred: Vec<BarredParcel>,
}

#[cfg(test)]
mod tests {
    use time::macros::{date, time};

    use super::*;
    use crate::model::calendar::IST;

    const SLOTS: &[PickupSlot] = &[PickupSlot::hours(10, 13, 8), PickupSlot::hours(16, 19, 14)];

    fn at(day: Date, minute: time::Time) -> i64 {
        day.with_time(minute).assume_offset(IST).unix_timestamp() * 1_000
    }

    #[test]
    fn todays_slots_end_with_their_cut_off_and_sundays_and_holidays_have_none() {
        // Friday, 23 January 2026: the days leave out Sunday and Republic Day, a Monday.
        let friday = date!(2026 - 01 - 23);
        let days = |now_ms| {
            let mut days: Vec<String> =
                times(SLOTS, now_ms).iter().map(PickupTime::stored_text).collect();
            days.dedup();
            days
        };
        let all = days(at(friday, time!(7:59)));
        assert_eq!(all[0], "2026-01-23 600 780");
        assert_eq!(all.len(), 10);
        assert!(all.iter().all(|it| !it.starts_with("2026-01-25")));
        assert!(all.iter().all(|it| !it.starts_with("2026-01-26")));
        assert_eq!(days(at(friday, time!(8:00)))[0], "2026-01-23 960 1140");
        assert_eq!(days(at(friday, time!(14:00)))[0], "2026-01-24 600 780");
        assert_eq!(times(&[], at(friday, time!(8:00))), []);
    }

    #[test]
    fn a_choice_of_today_tells_until_when_it_can_be_made() {
        let friday = date!(2026 - 01 - 23);
        let closes = |now_ms| choices(SLOTS, now_ms).into_iter().map(|it| it.closes_at);
        let (first, second) = (at(friday, time!(8:00)), at(friday, time!(14:00)));
        let early: Vec<_> = closes(at(friday, time!(7:59))).take(3).collect();
        assert_eq!(early, [Some(first), Some(second), None]);
        let later: Vec<_> = closes(first).take(2).collect();
        assert_eq!(later, [Some(second), None]);
    }

    #[test]
    fn a_time_is_read_as_it_was_kept_and_only_those_offered_can_be_chosen() {
        let offered = times(SLOTS, at(date!(2026 - 11 - 25), time!(12:00)));
        assert_eq!(PickupTime::from_stored(&offered[0].stored_text()), Some(offered[0]));
        assert_eq!(PickupTime::from_stored(""), None);
        let choose = |when: &str| RawPickupTime { when: when.into() }.find_in(&offered);
        let until = choose("2026-11-26 10:00").map(|time| time.until);
        assert_eq!(until, Some(780));
        for wrong in ["", "2026-11-29 10:00", "2026-11-26 11:00", "2026-11-26", "x"] {
            assert_eq!(choose(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_word_is_of_one_state() {
        for (state, word) in PickupState::ALL {
            assert_eq!(PickupState::stored(word), state);
            assert_eq!(state.word(), word);
        }
        assert_eq!(PickupState::stored("dreamt_of"), PickupState::Unknown);
    }
}
