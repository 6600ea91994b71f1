//! Phone numbers. The metadata of Google's libphonenumber decides which numbers exist.

use std::sync::LazyLock;

use phonenumber::{Mode, country, metadata};
use regex::Regex;

use super::characters::{is_digits, unmarked};

/// Digits of a number with everything that is dialled before it (count).
const DIGITS_MIN: usize = 7;
const DIGITS_MAX: usize = 17;

/// Digits of an Indian number without its country code (count).
const INDIAN_DIGITS: usize = 10;

/// The mobile numbers of India. The library would look up each of its patterns for all other kinds
/// first, in a locked cache.
static INDIAN_MOBILE: LazyLock<Regex> = LazyLock::new(|| {
    let india = metadata::DATABASE.by_id("IN").and_then(|it| it.descriptors().mobile());
    let pattern = india.expect("India has mobile numbers").national_number().as_str();
    Regex::new(&format!("^(?x:{pattern})$")).expect("a pattern of the metadata")
});

/// Loads the metadata now, so that the first customer does not wait.
pub fn load() {
    indian("9876543210");
}

/// Reads an Indian number, mobile or landline, as its ten digits.
pub fn indian(text: &str) -> Option<String> {
    let dialled = dialled(text)?;
    let national = match dialled.strip_prefix("+91") {
        Some(national) => national.strip_prefix('0').unwrap_or(national),
        None => match dialled.len() {
            INDIAN_DIGITS => dialled.as_str(),
            11 => dialled.strip_prefix('0')?,
            12 => dialled.strip_prefix("91")?,
            13 => dialled.strip_prefix("091")?,
            _ => return None,
        },
    };
    let fits = national.len() == INDIAN_DIGITS && !national.starts_with(['+', '0']);
    (fits && exists(national)).then(|| national.to_owned())
}

/// Reads an Indian mobile number as its ten digits. Mobile numbers begin with 6 to 9 (National
/// Numbering Plan of the DoT).
pub fn indian_mobile(text: &str) -> Option<String> {
    indian(text).filter(|national| national.starts_with(['6', '7', '8', '9']))
}

/// Returns the ten digits of an Indian number with its country code: `+919876543210`.
pub fn with_country_code(national: &str) -> String {
    format!("+91{national}")
}

/// Returns an Indian mobile number in two groups, as people read it: `98765 43210`. Its spaces do
/// not break. Other numbers stay as they are: their groups depend on the area.
pub fn grouped(phone: &str) -> String {
    let country_code = if phone.starts_with('+') { "+91\u{a0}" } else { "" };
    match indian_mobile(phone) {
        Some(national) => format!("{country_code}{}\u{a0}{}", &national[..5], &national[5..]),
        None => phone.to_owned(),
    }
}

/// Reads a number of any country with its country code: `+12125550100`. A text without one is a
/// number of this country, given by its ISO 3166-1 alpha-2 code.
pub fn abroad(text: &str, country_code: &str) -> Option<String> {
    let dialled = dialled(text)?;
    let country: Option<country::Id> = match dialled.starts_with('+') {
        true => None,
        false => Some(country_code.parse().ok()?),
    };
    let number = phonenumber::parse(country, &dialled).ok()?;
    phonenumber::is_valid(&number).then(|| number.format().mode(Mode::E164).to_string())
}

/// True for ten digits that are an Indian number of any kind.
fn exists(national: &str) -> bool {
    INDIAN_MOBILE.is_match(national) || is_valid(&with_country_code(national))
}

fn is_valid(number: &str) -> bool {
    phonenumber::parse(None, number).is_ok_and(|number| phonenumber::is_valid(&number))
}

/// Returns the digits, with `+` before a country code. `00` before it means the same.
fn dialled(text: &str) -> Option<String> {
    let mut dialled = unmarked(text).to_ascii_lowercase();
    dialled.retain(|c| !" -()./".contains(c));
    let number = dialled.strip_prefix("tel:").unwrap_or(&dialled);
    let abroad = number.strip_prefix('+').or_else(|| number.strip_prefix("00"));
    let digits = abroad.unwrap_or(number);
    let fits = (DIGITS_MIN..=DIGITS_MAX).contains(&digits.len());
    let is_number = fits && is_digits(digits);
    let plus = if abroad.is_some() { "+" } else { "" };
    is_number.then(|| format!("{plus}{digits}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mobile_numbers_of_india_are_those_of_the_library() {
        let (mut mobile, mut other) = (0, 0);
        for number in (1_000_000_000_u64..9_999_999_999).step_by(449_999) {
            let national = number.to_string();
            if INDIAN_MOBILE.is_match(&national) {
                assert!(is_valid(&with_country_code(&national)), "{national}");
                mobile += 1;
            } else if national.starts_with(['6', '7', '8', '9']) {
                other += 1;
            }
        }
        assert!(mobile > 3_000 && other > 100, "{mobile} {other}");
        assert!(!INDIAN_MOBILE.is_match("98765432101"));
    }
}
