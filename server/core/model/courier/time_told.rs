//! The time of a courier's report: as exact as the courier told it.

use crate::limits::DAY_MS;
use crate::model::calendar::{IST_MINUTES, midnight_in_india, moment_of, parse_day};

/// The precision of an event's time, as a courier told it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TimeTold {
    #[default]
    Moment,
    /// The day without a time.
    Day,
    /// Nothing: the event stands on the day of the one before it.
    Nothing,
}

/// An event's time in UTC milliseconds, and how much of it was told.
pub type ToldTime = (i64, TimeTold);

const WORDS: [(TimeTold, &str); 3] =
    [(TimeTold::Moment, "moment"), (TimeTold::Day, "day"), (TimeTold::Nothing, "nothing")];

impl TimeTold {
    /// The word in the database.
    pub fn word(self) -> &'static str {
        let entry = WORDS.into_iter().find(|(told, _)| *told == self);
        entry.map_or("moment", |(_, word)| word)
    }

    pub fn parse(word: &str) -> Option<TimeTold> {
        WORDS.into_iter().find(|(_, name)| *name == word).map(|(told, _)| told)
    }
}

/// Reads a time in figures. A text without a zone is read as India's clocks; a day stays a day.
pub fn read_time(text: &str) -> Option<ToldTime> {
    let text = text.trim();
    if let Some(day) = parse_day(text) {
        return Some((midnight_in_india(day), TimeTold::Day));
    }
    moment_of(text, IST_MINUTES).map(|ms| (ms, TimeTold::Moment))
}

/// Reads a day and a time in two texts. `14:24 PM` is a time of a clock of 24 hours.
pub fn read_day_and_time(day: &str, time: &str) -> Option<ToldTime> {
    let (day, time) = (day.trim(), time.trim());
    if time.is_empty() {
        return read_time(day);
    }
    let bare = time.trim_end_matches(|c: char| c.is_ascii_alphabetic() || c == ' ');
    let told = read_time(&format!("{day} {time}"));
    let told = told.or_else(|| read_time(&format!("{day} {bare}")));
    // A time that cannot be read leaves the day.
    told.or_else(|| read_time(day))
}

/// Gives every event a time: one without any stands on the day of the event before it, else of the
/// one after it, else on `otherwise`. The events are in the courier's order, the oldest first.
pub fn fill_times(told: &[Option<ToldTime>], otherwise_ms: i64) -> Vec<ToldTime> {
    let first = told.iter().flatten().next().map_or(otherwise_ms, |(ms, _)| *ms);
    let mut before_ms = first;
    let fill = |told: &Option<ToldTime>| {
        let (ms, what) = told.unwrap_or((before_ms, TimeTold::Nothing));
        before_ms = ms;
        (ms, what)
    };
    told.iter().map(fill).collect()
}

/// True if a list of events begins with the newest. Couriers' lists do, unless their last time is
/// later than the first one by more than the doubt about their zones, or is of the same day where
/// only the day is known.
pub fn is_newest_first(told: &[Option<ToldTime>], doubt_ms: i64) -> bool {
    let mut known = told.iter().flatten();
    let (Some((first, what)), Some((last, as_well))) = (known.next(), known.next_back()) else {
        return true;
    };
    let is_by_day = [what, as_well].contains(&&TimeTold::Day);
    let doubt_ms = if is_by_day { doubt_ms.max(DAY_MS) } else { doubt_ms };
    last.saturating_sub(*first) <= doubt_ms
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const NOON: i64 = 1_795_242_600_000; // 2026-11-21 12:00 in India

    #[test]
    fn a_list_whose_first_event_has_only_a_day_may_begin_with_the_newest() {
        let (day, moment) = (NOON - 12 * 3_600_000, NOON - 3_600_000);
        assert!(is_newest_first(
            &[Some((day, TimeTold::Day)), Some((moment, TimeTold::Moment))],
            0
        ));
        let later = Some((NOON, TimeTold::Moment));
        assert!(!is_newest_first(&[Some((moment, TimeTold::Moment)), later], 0));
        let next_day = Some((NOON + DAY_MS, TimeTold::Moment));
        assert!(!is_newest_first(&[Some((day, TimeTold::Day)), next_day], 0));
    }

    #[test]
    fn a_time_is_as_exact_as_it_was_told() {
        let midnight = NOON - 12 * 3_600_000;
        for (day, time, read) in [
            ("2026-11-21", "12:00", Some((NOON, TimeTold::Moment))),
            ("2026-11-21", "12:00 PM", Some((NOON, TimeTold::Moment))),
            ("2026-11-21", "14:24 PM", Some((NOON + 144 * 60_000, TimeTold::Moment))),
            ("2026-11-21", "", Some((midnight, TimeTold::Day))),
            ("2026-11-21", "noon", Some((midnight, TimeTold::Day))),
            ("", "12:00", None),
            ("soon", "", None),
        ] {
            assert_eq!(read_day_and_time(day, time), read, "{day} {time}");
        }
        for told in [TimeTold::Moment, TimeTold::Day, TimeTold::Nothing] {
            assert_eq!(TimeTold::parse(told.word()), Some(told));
        }
        assert_eq!(TimeTold::parse("soon"), None);
    }

    #[test]
    fn an_event_without_a_time_stands_on_the_day_before_it() {
        let at = |ms| Some((ms, TimeTold::Moment));
        let filled = fill_times(&[None, at(5), None, at(9)], 1);
        let expected = [
            (5, TimeTold::Nothing),
            (5, TimeTold::Moment),
            (5, TimeTold::Nothing),
            (9, TimeTold::Moment),
        ];
        assert_eq!(filled, expected);
        assert_eq!(fill_times(&[None], 7), [(7, TimeTold::Nothing)]);
        assert!(is_newest_first(&[at(9), None, at(5), at(5)], 0));
        assert!(is_newest_first(&[], 0) && is_newest_first(&[at(5)], 0));
        assert!(!is_newest_first(&[at(5), None, at(9)], 0));
        assert!(is_newest_first(&[at(5), None, at(9)], 4), "the zones may differ");
    }

    proptest! {
        #[test]
        fn any_text_is_a_time_or_none(day in "\\PC{0,24}", time in "\\PC{0,12}") {
            let _ = read_day_and_time(&day, &time);
            let figures = format!("2026-11-21 {time}");
            let _ = read_time(&figures);
        }
    }
}
