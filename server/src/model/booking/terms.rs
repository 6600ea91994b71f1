//! The words that a booking is found by. Kept are the beginnings of each, so that a search is one
//! look into an index; what is searched for is cut into words by the same rules.

use std::collections::BTreeSet;

use crate::limits::{SEARCH_WORDS_MAX, TERM_CHARS_MAX, TERM_DIGITS_MIN, TERM_WORDS_MAX};
use crate::model::booking::Booking;

/// How a courier is named among the words. No word has a colon.
const COURIER: &str = "courier:";

/// The longest word that is kept whole (characters).
const WHOLE_CHARS_MAX: usize = 40;

/// The endings of an AWB or a phone number that it is found by (characters).
const ENDINGS: [usize; 3] = [4, 5, 6];

/// Below this many digits a number may be anything; from it on it may be a phone's.
const PHONE_DIGITS_MIN: usize = 7;

/// All that a booking is found by. Until its courier has taken it, its number is not known.
pub fn terms_of(booking: &Booking) -> BTreeSet<String> {
    let form = booking.form.read();
    let mut terms = BTreeSet::from([courier(&booking.courier_code)]);
    let texts = [
        &form.consignee.name,
        &form.consignee.reference,
        &form.invoice.reference,
    ];
    for text in texts {
        for word in words(text).iter().take(TERM_WORDS_MAX) {
            add_beginnings(&mut terms, word);
        }
    }
    let phone = phone(form.consignee.phone.as_str());
    add_beginnings(&mut terms, &phone);
    add_endings(&mut terms, &phone);
    if booking.status.shipment().is_some() {
        terms.extend(terms_of_number(&booking.awb));
    }
    terms
}

/// What an AWB is found by, beside itself.
pub fn terms_of_number(awb: &str) -> BTreeSet<String> {
    let mut terms = BTreeSet::new();
    add_endings(&mut terms, &awb.to_lowercase());
    terms
}

/// The term of a courier, by the code of a booking's `courier_code`.
pub fn courier(code: &str) -> String {
    format!("{COURIER}{}", code.to_lowercase())
}

/// What to look for: every word has to be there. The longest comes first, as the fewest bookings
/// have it. Words beyond the most of one search are left out, the shortest of them.
pub fn wanted(typed: &str) -> Vec<String> {
    let mut wanted = match as_phone(typed) {
        Some(phone) => vec![phone],
        None => words(typed),
    };
    wanted.sort_by_key(|word| std::cmp::Reverse(word.chars().count()));
    wanted.dedup();
    wanted.truncate(SEARCH_WORDS_MAX);
    for word in &mut wanted {
        *word = word.chars().take(WHOLE_CHARS_MAX).collect();
    }
    wanted
}

/// Letters and digits between all else, in small letters. Marks of scripts such as Devanagari
/// belong to their letters.
fn words(text: &str) -> Vec<String> {
    let belongs = |c: char| c.is_alphanumeric() || !(c.is_ascii() || c.is_whitespace());
    text.to_lowercase()
        .split(|c| !belongs(c))
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect()
}

/// Something typed that has only digits and what people write between them.
fn as_phone(typed: &str) -> Option<String> {
    let is_between = |c: char| c.is_whitespace() || "+-().".contains(c);
    let is_number = typed.chars().all(|c| c.is_ascii_digit() || is_between(c));
    let digits = typed.chars().filter(char::is_ascii_digit).count();
    (is_number && digits >= PHONE_DIGITS_MIN).then(|| phone(typed))
}

/// The digits of a phone number, without what stands before the ten of an Indian one.
fn phone(written: &str) -> String {
    let digits: String = written.chars().filter(char::is_ascii_digit).collect();
    let national = match digits.len() {
        11 => digits.strip_prefix('0'),
        12 => digits.strip_prefix("91"),
        _ => None,
    };
    national.unwrap_or(&digits).to_owned()
}

fn add_beginnings(terms: &mut BTreeSet<String>, word: &str) {
    let letters: Vec<char> = word.chars().take(WHOLE_CHARS_MAX).collect();
    if letters.is_empty() {
        return;
    }
    terms.insert(letters.iter().collect());
    let is_number = letters.iter().all(char::is_ascii_digit);
    let shortest = if is_number { TERM_DIGITS_MIN } else { 2 };
    for length in shortest..=letters.len().min(TERM_CHARS_MAX) {
        terms.insert(letters[..length].iter().collect());
    }
}

fn add_endings(terms: &mut BTreeSet<String>, number: &str) {
    for length in ENDINGS {
        if let Some(ending) = number.get(number.len().saturating_sub(length)..)
            && number.len() > length
        {
            terms.insert(ending.to_owned());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn beginnings(word: &str) -> Vec<String> {
        let mut terms = BTreeSet::new();
        add_beginnings(&mut terms, word);
        terms.into_iter().collect()
    }

    #[test]
    fn a_word_is_found_by_its_beginnings_and_a_number_by_four_digits() {
        assert_eq!(beginnings("ravi"), ["ra", "rav", "ravi"]);
        assert_eq!(beginnings("r"), ["r"]);
        assert_eq!(beginnings("12"), ["12"]);
        assert_eq!(beginnings("98765"), ["9876", "98765"]);
        let long = beginnings("venkataramanan");
        assert_eq!(long.len(), 12, "{long:?}");
        assert!(long.contains(&"venkataramanan".to_owned()));
        assert_eq!(beginnings("रवि").len(), 2);
    }

    #[test]
    fn what_is_typed_becomes_words_or_a_phone_number() {
        assert_eq!(wanted(" Ravi  KUMAR "), ["kumar", "ravi"]);
        assert_eq!(wanted("INV-2026/17"), ["2026", "inv", "17"]);
        assert_eq!(wanted("कुमार"), ["कुमार"]);
        for typed in ["+91 98765-00000", "098765 00000", "9876500000"] {
            assert_eq!(wanted(typed), ["9876500000"], "{typed}");
        }
        assert_eq!(wanted("a b c d e f").len(), SEARCH_WORDS_MAX);
        assert_eq!(wanted("%_'\" ;--"), Vec::<String>::new());
    }

    #[test]
    fn a_number_is_found_by_how_it_ends() {
        let terms = terms_of_number("DK1719216000123");
        let terms: Vec<&str> = terms.iter().map(String::as_str).collect();
        assert_eq!(terms, ["000123", "00123", "0123"]);
        assert!(terms_of_number("A1").is_empty());
        assert!(terms_of_number("é12").is_empty(), "cut between letters");
    }
}
