//! Amounts of money.

use super::characters::unmarked;
use super::measure;
use super::words::WORDS;
use crate::model::money::paise::Paise;

/// Reads an amount of rupees, which may be marked as such: `₹1,000`, `Rs. 500/-`.
pub fn rupees(text: &str) -> Option<Paise> {
    let lower = unmarked(text).to_ascii_lowercase();
    let mut text = lower.as_str();
    text = without_end(text, &["only"]);
    text = without_end(text, &["/-", "/="]);
    text = match WORDS.rupees.iter().find_map(|name| text.strip_prefix(name.as_str())) {
        Some(amount) => amount.trim_start(),
        None => without_end(text, &WORDS.rupees),
    };
    number(text)
}

/// Reads an amount of any currency, in hundredths of it.
pub fn amount(text: &str) -> Option<Paise> {
    number(&unmarked(text))
}

fn without_end<'a>(text: &'a str, ends: &[impl AsRef<str>]) -> &'a str {
    ends.iter().find_map(|end| text.strip_suffix(end.as_ref())).unwrap_or(text).trim_end()
}

/// A third decimal is refused even if it is zero: `1.000` may mean a thousand.
fn number(text: &str) -> Option<Paise> {
    let (whole, fraction) = measure::parts(text)?;
    let point = if fraction.is_empty() { "" } else { "." };
    Paise::parse_rupees(&format!("0{whole}{point}{fraction}")).ok()
}
