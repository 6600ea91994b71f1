//! Postal codes of all countries.

use super::characters::{code, is_digits, unmarked};
use crate::limits;

/// Countries whose codes are also written after the letters of their cars' plates.
const PLATES: &[(&str, &str)] = &[
    ("AT", "A"),
    ("BE", "B"),
    ("DE", "D"),
    ("ES", "E"),
    ("FI", "FIN"),
    ("FR", "F"),
    ("IT", "I"),
    ("LU", "L"),
    ("NO", "N"),
    ("SE", "S"),
    ("SI", "SLO"),
];

/// The ISO 3166-1 codes of a country, and a postal code as its post writes it.
#[derive(Clone, Copy, Debug)]
pub struct Custom<'a> {
    pub country_code: &'a str,
    pub iso3: &'a str,
    pub example: &'a str,
}

/// Returns the digits of an Indian PIN code, which may be named as one.
pub fn pin(text: &str) -> String {
    let code = code(text);
    let names = ["PINCODE", "PIN", "IN"].into_iter();
    let mut rests = names.filter_map(|name| code.strip_prefix(name));
    let begins = |rest: &&str| rest.starts_with(|c: char| c.is_ascii_digit());
    rests.find(begins).unwrap_or(&code).to_owned()
}

/// True for six digits.
pub fn is_pin(code: &str) -> bool {
    code.len() == 6 && is_digits(code)
}

/// Returns a code in capitals, with single spaces.
pub fn plain(text: &str) -> String {
    let text = unmarked(text).to_uppercase();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns the possible spellings of a plain code with one hyphen, with one space and with neither,
/// as typed and without a country's prefix. The example's separator comes first.
pub fn spellings<'a>(typed: &'a str, custom: Custom<'a>) -> impl Iterator<Item = String> + 'a {
    // Japan's mark of a postal code.
    let typed = typed.trim_start_matches(['〒', ' ']);
    let is_code = typed.len() <= limits::POSTAL_CODE_BYTES_MAX && typed.is_ascii();
    let Custom { country_code, iso3, example } = custom;
    let separators = match example.chars().find(|c| " -".contains(*c)) {
        Some('-') => ["-", " ", ""],
        Some(_) => [" ", "-", ""],
        None => ["", "-", " "],
    };
    let plate = PLATES.iter().find(|(code, _)| *code == country_code).map(|(_, plate)| *plate);
    let prefixes = [Some(iso3), Some(country_code), plate].into_iter().flatten();
    let rests = prefixes.filter_map(move |prefix| without_prefix(typed, prefix));
    let codes = std::iter::once(typed).chain(rests).filter(move |_| is_code);
    let spelt = codes.flat_map(move |code| {
        separators.into_iter().flat_map(move |separator| separated(code, separator))
    });
    spelt.chain((!is_code).then(|| typed.to_owned()))
}

/// Returns what follows a country's prefix: a separator and the code, or the code's first digit.
fn without_prefix<'a>(typed: &'a str, prefix: &str) -> Option<&'a str> {
    let rest = typed.strip_prefix(prefix)?;
    let is_digit = |c: char| c.is_ascii_digit();
    rest.strip_prefix(['-', ' ']).or_else(|| rest.starts_with(is_digit).then_some(rest))
}

/// Returns the code with the separator at each place, or without any.
fn separated(code: &str, separator: &'static str) -> impl Iterator<Item = String> + use<> {
    let bare: String = code.chars().filter(|c| !" -.".contains(*c)).collect();
    let places = if separator.is_empty() { 0..1 } else { 1..bare.len().max(1) };
    places.map(move |at| [&bare[..at], separator, &bare[at..]].concat())
}
