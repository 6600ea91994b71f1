//! Phone numbers. The metadata of Google's libphonenumber decides which numbers exist.

use phonenumber::{Mode, country};

use super::characters::{is_digits, unmarked};

/// Digits of a number with everything that is dialled before it (count).
const DIGITS_MIN: usize = 7;
const DIGITS_MAX: usize = 17;

/// Digits of an Indian number without its country code (count).
const INDIAN_DIGITS: usize = 10;

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
    (fits && exists(&with_country_code(national))).then(|| national.to_owned())
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

fn exists(number: &str) -> bool {
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
