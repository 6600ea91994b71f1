//! Weights, lengths and counts, and the decimal numbers in them.

use super::characters::{is_digits, unmarked};
use super::words::{WORDS, Words};

/// The sentence for a weight that cannot be sent.
pub const WRONG_WEIGHT: &str =
    "Please enter a weight in kg from 0.1 to 1000, with at most three decimals.";

/// Digits before the point, so that the number in thousandths fits 64 bits (count).
const WHOLE_DIGITS_MAX: usize = 13;

/// Returns the grams of a weight. Without a unit it is in kilograms.
pub fn grams(text: &str) -> Option<i64> {
    let text = unmarked(text).to_ascii_lowercase();
    match (without_unit(&text, &WORDS.kilograms), without_unit(&text, &WORDS.grams)) {
        (Some(kilograms), _) => measure(kilograms, 3),
        (None, Some(grams)) => measure(grams, 0),
        (None, None) => measure(&text, 3),
    }
}

/// Returns a length in thousandths of a centimetre. Without a unit it is in centimetres.
pub fn length(text: &str) -> Option<i64> {
    let text = unmarked(text).to_ascii_lowercase();
    let Words { centimetres, millimetres, .. } = &*WORDS;
    match (without_unit(&text, centimetres), without_unit(&text, millimetres)) {
        (Some(centimetres), _) => measure(centimetres, 3),
        (None, Some(millimetres)) => measure(millimetres, 2),
        (None, None) => measure(&text, 3),
    }
}

/// Returns a whole number without separators.
pub fn count(text: &str) -> Option<i64> {
    let text = unmarked(text);
    let is_number = !text.is_empty() && is_digits(&text);
    is_number.then(|| scaled(&text, "", 0))?
}

fn without_unit<'a>(text: &'a str, names: &[String]) -> Option<&'a str> {
    let mut numbers = names.iter().filter_map(|name| text.strip_suffix(name.as_str()));
    numbers.next().map(str::trim_end)
}

/// Reads a decimal number in units of `10^-places`. One comma is a decimal comma where it cannot
/// separate thousands: before one or two digits, or after a single zero.
fn measure(text: &str, places: usize) -> Option<i64> {
    if let Some((whole, fraction)) = text.split_once(',')
        && is_digits(whole)
        && is_digits(fraction)
    {
        if (1..=2).contains(&fraction.len()) || whole == "0" && !fraction.is_empty() {
            return scaled(whole, fraction, places);
        }
        if places > 0 {
            return None;
        }
    }
    let (whole, fraction) = parts(text)?;
    scaled(&whole, fraction, places)
}

/// Splits a decimal number at its point, and removes the separators of thousands.
pub(super) fn parts(text: &str) -> Option<(String, &str)> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let whole = without_separators(whole)?;
    let is_number = is_digits(fraction) && !(whole.is_empty() && fraction.is_empty());
    is_number.then_some((whole, fraction))
}

/// Returns digits that may be grouped: the last three alone, those before in pairs or in threes.
fn without_separators(whole: &str) -> Option<String> {
    let groups: Vec<&str> = whole.split([',', ' ']).collect();
    let is_grouped = match groups.as_slice() {
        [] | [_] => true,
        [first, middle @ .., last] => {
            let are = |size: usize| middle.iter().all(|group| group.len() == size);
            let in_pairs = first.len() <= 2 && are(2);
            let in_threes = first.len() <= 3 && are(3);
            let begins = !first.is_empty() && !first.starts_with('0');
            begins && last.len() == 3 && (in_pairs || in_threes)
        }
    };
    let digits = groups.concat();
    (is_grouped && is_digits(&digits)).then_some(digits)
}

/// Returns a number in units of `10^-places`; `None` if it has more decimals or is too large.
fn scaled(whole: &str, fraction: &str, places: usize) -> Option<i64> {
    let whole = whole.trim_start_matches('0');
    let fraction = fraction.trim_end_matches('0');
    if whole.len() > WHOLE_DIGITS_MAX || fraction.len() > places {
        return None;
    }
    format!("0{whole}{fraction:0<places$}").parse().ok()
}
