//! Days of the calendar.

use time::{Date, Month};

use super::characters::{is_digits, unmarked};
use super::words::WORDS;

/// Reads a day with a year of four digits: `2026-11-21`, `21/11/2026`, `21 Nov 2026`,
/// `November 21, 2026`. Of two numbers before the year the day comes first, as in India.
pub fn day(text: &str) -> Option<Date> {
    let text = unmarked(text).to_ascii_lowercase();
    let parts: Vec<&str> =
        text.split([' ', '-', '/', '.', ',']).filter(|it| !it.is_empty()).collect();
    let &[one, two, three] = parts.as_slice() else {
        return None;
    };
    let is_year = |text: &str| text.len() == 4 && is_digits(text);
    let (year, month, day) = match named_month(one) {
        Some(month) => (three, Some(month), two),
        None if is_year(one) => (one, month(two), three),
        None => (three, month(two), one),
    };
    let year = year.parse().ok().filter(|_| is_year(year))?;
    Date::from_calendar_date(year, month?, day_number(day)?).ok()
}

fn month(text: &str) -> Option<Month> {
    named_month(text).or_else(|| number(text).and_then(|number| Month::try_from(number).ok()))
}

/// Reads a month's name, or at least its first three letters.
fn named_month(text: &str) -> Option<Month> {
    let place = WORDS.months.iter().position(|name| text.len() >= 3 && name.starts_with(text))?;
    Month::try_from(u8::try_from(place + 1).ok()?).ok()
}

fn day_number(text: &str) -> Option<u8> {
    let ends = ["st", "nd", "rd", "th"];
    number(ends.iter().find_map(|end| text.strip_suffix(end)).unwrap_or(text))
}

/// Reads a number of one or two digits.
fn number(text: &str) -> Option<u8> {
    let is_number = (1..=2).contains(&text.len()) && is_digits(text);
    is_number.then(|| text.parse().ok())?
}
