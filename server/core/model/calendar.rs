//! Conversions of UTC milliseconds to dates and times in India, and back.

use time::format_description::well_known::Rfc3339;
use time::macros::{format_description, offset};
use time::{Date, Duration, OffsetDateTime, PrimitiveDateTime, Time, UtcOffset};

/// Indian Standard Time, which has no daylight saving.
pub const IST: UtcOffset = offset!(+5:30);

/// The Indian calendar date of an instant in UTC milliseconds.
pub fn date_in_india(ms: i64) -> Date {
    in_india(ms).date()
}

/// The start of a day in India, in UTC milliseconds.
pub fn midnight_in_india(date: Date) -> i64 {
    let midnight = OffsetDateTime::new_in_offset(date, Time::MIDNIGHT, IST);
    midnight.unix_timestamp() * 1_000
}

/// A day for people: `21 Nov 2026`.
pub fn day_in_words(date: Date) -> String {
    let format = format_description!("[day padding:none] [month repr:short] [year]");
    date.format(format).unwrap_or_default()
}

/// An instant for people, in Indian time: `21 Nov 2026, 3:31 pm`.
pub fn moment_in_words(ms: i64) -> String {
    let format = format_description!(
        "[day padding:none] [month repr:short] [year], \
         [hour repr:12 padding:none]:[minute] [period case:lower]"
    );
    in_india(ms).format(format).unwrap_or_default()
}

/// A day of the next weeks for people: `Mon 30 Nov`.
pub fn near_day_in_words(date: Date) -> String {
    let format = format_description!("[weekday repr:short] [day padding:none] [month repr:short]");
    date.format(format).unwrap_or_default()
}

/// The hour by a clock of twelve hours.
pub fn of_twelve(hour: u8) -> u8 {
    (hour + 11) % 12 + 1
}

/// The hour and the minute in Indian time.
pub fn clock_in_india(ms: i64) -> (u8, u8) {
    let moment = in_india(ms);
    (moment.hour(), moment.minute())
}

/// An instant for spreadsheets, in Indian time: `2026-11-21 15:31:05`.
pub fn moment_in_figures(ms: i64) -> String {
    let format = format_description!("[year]-[month]-[day] [hour]:[minute]:[second]");
    in_india(ms).format(format).unwrap_or_default()
}

/// An instant as ISO 8601, in Indian time: `2026-11-21T15:31:05+05:30`.
pub fn moment_as_iso(ms: i64) -> String {
    let format = format_description!(
        "[year]-[month]-[day]T[hour]:[minute]:[second][offset_hour sign:mandatory]:[offset_minute]"
    );
    in_india(ms).format(format).unwrap_or_default()
}

fn in_india(ms: i64) -> OffsetDateTime {
    let instant = OffsetDateTime::UNIX_EPOCH.saturating_add(Duration::milliseconds(ms));
    instant.to_offset(IST)
}

/// Offset of Indian Standard Time from UTC (minutes).
pub const IST_MINUTES: i32 = 330;

/// Parses an instant to UTC milliseconds: `2026-11-21T15:31:05Z`, `2026-11-21 15:31`,
/// `2026-11-21 03:31 pm`. A text without a time zone is `ahead_minutes` ahead of UTC.
pub fn moment_of(text: &str, ahead_minutes: i32) -> Option<i64> {
    let text = text.trim();
    if let Ok(moment) = OffsetDateTime::parse(text, &Rfc3339) {
        return Some(moment.unix_timestamp() * 1_000);
    }
    let plain = text.replace('T', " ");
    let seconds = format_description!("[year]-[month]-[day] [hour]:[minute]:[second]");
    let minutes = format_description!("[year]-[month]-[day] [hour]:[minute]");
    let half_day =
        format_description!("[year]-[month]-[day] [hour repr:12]:[minute] [period case:lower]");
    let short = plain.split('.').next().unwrap_or(&plain);
    let moment = PrimitiveDateTime::parse(short, seconds)
        .or_else(|_| PrimitiveDateTime::parse(short, minutes))
        .or_else(|_| PrimitiveDateTime::parse(&short.to_lowercase(), half_day))
        .ok()?;
    let utc = moment.assume_utc().unix_timestamp() - i64::from(ahead_minutes) * 60;
    Some(utc * 1_000)
}

/// The month of a day: `2026-11`.
pub fn month(day: Date) -> String {
    format!("{:04}-{:02}", day.year(), u8::from(day.month()))
}

/// Parses a day such as `2026-11-26`.
pub fn parse_day(text: &str) -> Option<Date> {
    let format = format_description!("[year]-[month]-[day]");
    // Exactly ten characters, so that days compare correctly as text.
    (text.len() == 10).then(|| Date::parse(text, format).ok())?
}

/// True for a day on which an account can have existed: other years could overflow date arithmetic.
pub fn is_account_day(day: &Date) -> bool {
    (1900..=2999).contains(&day.year())
}

/// Parses a month such as `2026-11` to its first day.
pub fn first_of_month(month: &str) -> Option<Date> {
    parse_day(&format!("{month}-01"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_month_turns_at_midnight_in_india_and_not_in_greenwich() {
        // 2026-11-30 18:29:59.999 UTC is 23:59:59.999 in India.
        assert_eq!(month(date_in_india(1_796_063_399_999)), "2026-11");
        assert_eq!(month(date_in_india(1_796_063_400_000)), "2026-12");
    }

    #[test]
    fn a_moment_is_read_with_and_without_its_zone() {
        let half_past_three = 1_795_255_265_000; // 2026-11-21 15:31:05 in India
        for text in [
            "2026-11-21T10:01:05Z",
            "2026-11-21T15:31:05+05:30",
            "2026-11-21 15:31:05",
            "2026-11-21 15:31:05.123",
        ] {
            assert_eq!(moment_of(text, IST_MINUTES), Some(half_past_three), "{text}");
        }
        for text in ["2026-11-21 15:31", "2026-11-21 03:31 PM"] {
            assert_eq!(moment_of(text, IST_MINUTES), Some(half_past_three - 5_000), "{text}");
        }
        for text in ["", "yesterday", "21/11/2026 15:31", "2026-13-01 00:00:00"] {
            assert_eq!(moment_of(text, IST_MINUTES), None, "{text}");
        }
    }

    #[test]
    fn a_day_begins_and_is_written_as_in_india() {
        let first = date_in_india(1_796_063_400_000);
        assert_eq!(midnight_in_india(first), 1_796_063_400_000);
        assert_eq!(day_in_words(first), "1 Dec 2026");
        assert_eq!(moment_in_words(1_796_063_399_999), "30 Nov 2026, 11:59 pm");
        assert_eq!(moment_in_figures(1_796_063_399_999), "2026-11-30 23:59:59");
    }
}
