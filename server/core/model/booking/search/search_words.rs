//! Index terms of a booking. The prefixes of each word are stored, so that a search is one index
//! look-up; search texts are split into words by the same rules.

use std::collections::BTreeSet;

use crate::limits::{SEARCH_WORDS_MAX, TERM_CHARS_MAX, TERM_DIGITS_MIN, TERM_WORDS_MAX};
use crate::model::booking::Booking;
use crate::model::input::characters::unmarked;

/// Prefix of a courier's term. No word has a colon.
const COURIER: &str = "courier:";

/// The longest word that is stored whole (characters).
const WHOLE_CHARS_MAX: usize = 40;

/// Lengths of the suffixes of an AWB or a phone number that are stored (characters).
const ENDINGS: [usize; 3] = [4, 5, 6];

/// Fewest digits of a number that is treated as a phone number.
const PHONE_DIGITS_MIN: usize = 7;

/// Returns all terms of a booking. The AWB's are included once the courier has accepted it.
pub fn terms_of(booking: &Booking) -> BTreeSet<String> {
    let form = booking.form.read();
    let mut terms = BTreeSet::from([courier(&booking.courier_code)]);
    let to = &form.consignee;
    let texts = [&to.name, &to.city, &booking.destination_city, &to.reference];
    for text in texts.into_iter().chain([&form.invoice.reference]) {
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

/// Returns the terms of an AWB: its beginnings and its endings.
pub fn terms_of_number(awb: &str) -> BTreeSet<String> {
    let mut terms = BTreeSet::new();
    let number = awb.to_lowercase();
    add_beginnings(&mut terms, &number);
    add_endings(&mut terms, &number);
    terms
}

pub fn has_all(booking: &Booking, search_terms: &[String]) -> bool {
    let courier = courier(&booking.courier_code);
    let (couriers, words): (Vec<_>, Vec<_>) =
        search_terms.iter().partition(|term| term.starts_with(COURIER));
    let has_words = || {
        let terms = terms_of(booking);
        words.iter().all(|term| terms.contains(*term))
    };
    couriers.into_iter().all(|term| *term == courier)
        && (words.is_empty() || may_have(booking, &words) && has_words())
}

/// Quick check in the booking's texts, as parsing the form is expensive. `false` only if one of the
/// words is certainly missing.
fn may_have(booking: &Booking, words: &[&String]) -> bool {
    let text = booking.form.as_json().to_lowercase();
    let awb = booking.awb.to_lowercase();
    let city = booking.destination_city.to_lowercase();
    // Phone numbers match without the characters between their digits.
    let digits: String = text.chars().filter(char::is_ascii_digit).collect();
    let places = [&text, &awb, &city, &digits].into_iter();
    words.iter().all(|word| places.clone().any(|place| place.contains(word.as_str())))
}

/// Returns the term of a courier, by the `courier_code` of a booking.
pub fn courier(code: &str) -> String {
    format!("{COURIER}{}", code.to_lowercase())
}

/// Returns the terms to search for; a booking must have all. The longest comes first, as the fewest
/// bookings have it. Above the limit of one search the shortest are dropped.
pub fn search_terms(text: &str) -> Vec<String> {
    let mut terms = match as_phone(text) {
        Some(phone) => vec![phone],
        None => words(text),
    };
    terms.sort_by_key(|word| std::cmp::Reverse(word.chars().count()));
    terms.dedup();
    terms.truncate(SEARCH_WORDS_MAX);
    for word in &mut terms {
        *word = word.chars().take(WHOLE_CHARS_MAX).collect();
    }
    terms
}

/// Splits a text into words of letters and digits, in lower case. Marks of scripts such as
/// Devanagari belong to their letters.
fn words(text: &str) -> Vec<String> {
    let belongs = |c: char| c.is_alphanumeric() || !(c.is_ascii() || c.is_whitespace());
    text.to_lowercase()
        .split(|c| !belongs(c))
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect()
}

/// Returns the digits of a text that has only digits and phone number punctuation.
fn as_phone(text: &str) -> Option<String> {
    let is_between = |c: char| c.is_whitespace() || "+-().".contains(c);
    let text = unmarked(text);
    let is_number = text.chars().all(|c| c.is_ascii_digit() || is_between(c));
    let digits = text.chars().filter(char::is_ascii_digit).count();
    (is_number && digits >= PHONE_DIGITS_MIN).then(|| phone(&text))
}

/// Returns the digits of a phone number, without the prefix before an Indian one's ten digits.
fn phone(text: &str) -> String {
    let digits: String = text.chars().filter(char::is_ascii_digit).collect();
    let national = match digits.len() {
        11 => digits.strip_prefix('0'),
        12 => digits.strip_prefix("91"),
        _ => None,
    };
    national.unwrap_or(&digits).to_owned()
}

fn add_beginnings(terms: &mut BTreeSet<String>, word: &str) {
    // The text up to its first letter, up to its second, and so on.
    let ends = word.char_indices().map(|(at, letter)| at + letter.len_utf8());
    let beginnings: Vec<&str> = ends.take(WHOLE_CHARS_MAX).map(|end| &word[..end]).collect();
    let Some(whole) = beginnings.last() else {
        return;
    };
    let is_number = whole.bytes().all(|byte| byte.is_ascii_digit());
    let shortest = if is_number { TERM_DIGITS_MIN } else { 2 };
    let stored = beginnings.iter().take(TERM_CHARS_MAX).skip(shortest - 1);
    terms.extend(stored.chain([whole]).map(|&text| text.to_owned()));
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
    use proptest::prelude::*;

    use super::*;
    use crate::model::booking::order::status::BookingStatus;
    use crate::model::money::paise::Paise;
    use crate::model::shipping::grams::Grams;

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
        assert_eq!(search_terms(" Ravi  KUMAR "), ["kumar", "ravi"]);
        assert_eq!(search_terms("INV-2026/17"), ["2026", "inv", "17"]);
        assert_eq!(search_terms("कुमार"), ["कुमार"]);
        let pasted = "\u{202a}+91 98765\u{a0}00000\u{202c}";
        for text in ["+91 98765-00000", "098765 00000", "9876500000", "९८७६५ ०००००", pasted]
        {
            assert_eq!(search_terms(text), ["9876500000"], "{text}");
        }
        assert_eq!(search_terms("a b c d e f").len(), SEARCH_WORDS_MAX);
        assert_eq!(search_terms("%_'\" ;--"), Vec::<String>::new());
    }

    #[test]
    fn a_number_is_found_by_how_it_begins_and_ends() {
        let terms = terms_of_number("DK1719216000123");
        for part in ["dk", "dk1", "dk171", "dk1719216000", "000123", "00123", "0123"] {
            assert!(terms.contains(part), "{part}");
        }
        for part in ["d", "123", "719216", "dk1719216001"] {
            assert!(!terms.contains(part), "{part}");
        }
        assert!(terms_of_number("1490812345678").contains("14908"));
        assert!(!terms_of_number("1490812345678").contains("149"));
        assert_eq!(Vec::from_iter(terms_of_number("A1")), ["a1"]);
        assert_eq!(Vec::from_iter(terms_of_number("é12")), ["é1", "é12"]);
    }

    #[test]
    fn a_receivers_city_is_found_in_india_and_abroad() {
        let abroad = serde_json::json!({"consignee_city": "New York"});
        let terms = terms_of(&booking(&abroad, "DK1"));
        for part in ["benga", "bengaluru", "new", "york"] {
            assert!(terms.contains(part), "{part}");
        }
    }

    fn booking(fields: &serde_json::Value, awb: &str) -> Booking {
        Booking {
            booking_id: "b".to_owned(),
            awb: awb.to_owned(),
            status: BookingStatus::BOOKED,
            quote_id: "q".to_owned(),
            product_id: 1,
            product_name: "Dakiya Surface".to_owned(),
            courier_code: "dakiya".to_owned(),
            consignee_name: String::new(),
            origin_pincode: "110001".to_owned(),
            origin_city: "Delhi".to_owned(),
            destination_pincode: "560001".to_owned(),
            destination_city: "Bengaluru".to_owned(),
            weight: Grams(500),
            amount: Paise::rupees(100),
            form: fields.to_string().into(),
            created_ms: 1,
        }
    }

    proptest! {
        #[test]
        fn a_booking_has_each_of_its_terms_and_no_other(
            name in "\\PC{0,40}", phone in "[+]?[0-9]{6,13}|[0-9]{5}[ -][0-9]{5}",
            reference in "[A-Za-z0-9/ -]{0,20}", awb in "[A-Z]{2}[0-9]{6,12}",
        ) {
            let form = serde_json::json!({
                "consignee_name": name, "consignee_mobile": phone,
                "customer_reference": reference, "consignee_reference_no": reference,
            });
            let booking = booking(&form, &awb);
            let terms: Vec<String> = terms_of(&booking).into_iter().collect();
            for term in &terms {
                prop_assert!(has_all(&booking, std::slice::from_ref(term)), "{term}");
            }
            prop_assert!(has_all(&booking, &terms));
            let other = [terms[0].clone(), "no-such-word".to_owned()];
            prop_assert!(!has_all(&booking, &other));
            prop_assert!(!has_all(&booking, &[courier("other")]));
        }
    }
}
