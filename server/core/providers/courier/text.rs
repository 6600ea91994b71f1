//! Our texts, cut to the limits of partners. Texts of partners, cut and cleaned, and their error
//! messages, redacted for logs and the database. A message may repeat the customer's input, so only
//! error codes, field names and the words of a fixed list are kept.

use std::fmt::Write as _;

use serde_json::Value;

use crate::{failpoints, limits};

/// The words that error messages are made of, in lower case. Any other word may be the customer's.
const WORDS: &str = "\
    a account active address allowed already amount an and another are assigned authentication \
    available awb balance be been billing blocked booked can cancelled cannot carrier city code \
    cod configured connection could country courier credentials credit customer customs data \
    declared delivery dimension dimensions does email empty error exceeds exist exists expired \
    failed field for format found has height hsn id in insufficient internal invalid invoice is \
    item items kyc label length limit location low matches maximum message minimum missing must \
    name no not number of offered order origin parcel payment permission phone pickup pin \
    pincode please postal postcode price provided purchased query rate reassign recharge \
    recipient rejected request required reused route selected server service serviceable \
    serviced shipment shipper shipping some something state status supported suspended \
    temporarily the this timeout to token too unauthenticated unauthorized unavailable unknown \
    updated valid value wallet was weight went with wrong you your zip";

/// Digits in one word of a partner's code (count).
const STATUS_DIGITS_MAX: usize = 5;

/// Returns a partner's text on one line, cut to the maximum length of a name.
pub(super) fn plain(text: &str) -> String {
    let visible = text.chars().map(|c| if c.is_control() { ' ' } else { c });
    let words: String = visible.take(limits::PARTNER_TEXT_CHARS_MAX).collect();
    words.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns a partner's word for a status, as operators read it: without long numbers and addresses,
/// which may be the customer's.
pub(super) fn status_word(text: &str) -> String {
    let text = plain(text);
    let is_personal = |word: &str| {
        word.contains('@') || word.chars().filter(|c| c.is_numeric()).count() > STATUS_DIGITS_MAX
    };
    let words = text.split(' ').map(|word| if is_personal(word) { "…" } else { word });
    words.collect::<Vec<_>>().join(" ")
}

/// Returns the beginning of a text for a partner that takes no more characters.
pub(super) fn beginning(text: &str, chars_max: usize) -> &str {
    let end = text.char_indices().nth(chars_max).map(|(at, _)| at);
    match end.filter(|_| !failpoints::on("long-texts-sent")) {
        Some(end) => &text[..end],
        None => text,
    }
}

pub(super) fn error_text(body: &[u8]) -> String {
    let body: Value = serde_json::from_slice(body).unwrap_or_default();
    let mut text = String::new();
    add_error(&mut text, &body);
    match &body["errors"] {
        Value::Array(errors) => errors.iter().for_each(|error| add_error(&mut text, error)),
        fields => add_fields(&mut text, fields),
    }
    let messages = body["messages"].as_array();
    for message in messages.into_iter().flatten() {
        add_error(&mut text, message);
    }
    plain(&text)
}

pub(super) fn has_error(body: &[u8]) -> bool {
    let body: Value = serde_json::from_slice(body).unwrap_or_default();
    ["message", "errors", "messages"].iter().any(|name| !body[name].is_null())
}

/// Adds one error: its code, its message, and the fields that it is about.
fn add_error(text: &mut String, error: &Value) {
    if let Some(code) = error["code"].as_str().filter(|code| is_code(code)) {
        let _ = write!(text, " {code}");
    }
    if let Some(message) = error["message"].as_str() {
        let _ = write!(text, " {}", redacted(message));
    }
    add_fields(text, &error["details"]);
}

fn add_fields(text: &mut String, fields: &Value) {
    let names = fields.as_object().into_iter().flat_map(|it| it.keys());
    for name in names.filter(|name| is_code(name)) {
        let _ = write!(text, " [{name}]");
    }
}

/// True for an identifier; false for a phone number or another number of the customer's.
fn is_code(code: &str) -> bool {
    let digits = code.bytes().filter(u8::is_ascii_digit).count();
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_-.".contains(&byte);
    (1..=40).contains(&code.len()) && digits <= STATUS_DIGITS_MAX && code.bytes().all(plain)
}

/// Returns the message with an ellipsis in place of every word that could be the customer's.
pub(super) fn redacted(sentence: &str) -> String {
    let mut words: Vec<&str> = Vec::new();
    for word in sentence.split_whitespace() {
        let bare = word.trim_matches(|letter: char| !letter.is_alphanumeric());
        let lower = bare.to_lowercase();
        let is_known = WORDS.split(' ').any(|known| known == lower);
        match is_known {
            true => words.push(bare),
            false if words.last() == Some(&"…") => {}
            false => words.push("…"),
        }
    }
    plain(&words.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_text_keeps_the_problem_and_drops_what_the_customer_typed() {
        for (body, text) in [
            (
                r#"{"message": "Oops! Invalid Data.", "errors": {"billing_phone":
                    ["Phone 9876543210 of Asha Rao is not valid."]}, "status_code": 422}"#,
                "… Invalid Data [billing_phone]",
            ),
            (
                r#"{"errors": [{"code": "validation", "level": "error",
                    "message": "Recipient Asha Rao, 12 Janpath is not valid",
                    "details": {"recipient": {"person_name": ["Asha"]}}}]}"#,
                "validation Recipient … is not valid [recipient]",
            ),
            (
                r#"{"messages": [{"carrier_name": "ups", "code": "1033",
                    "message": "asha@example.in: invalid email"}]}"#,
                "1033 … invalid email",
            ),
            (
                r#"{"message": "Insufficient wallet balance. Please recharge."}"#,
                "Insufficient wallet balance Please recharge",
            ),
            (r#"{"code": "9876543210", "errors": {"Asha Rao": 1}}"#, ""),
            (r#"{"errors": "Asha Rao, 9876543210"}"#, ""),
            ("Asha Rao", ""),
        ] {
            assert_eq!(error_text(body.as_bytes()), text, "{body}");
        }
    }

    #[test]
    fn a_word_for_a_status_has_no_number_of_the_customer() {
        for (text, word) in [
            ("HELD_AT_HUB", "HELD_AT_HUB"),
            ("usps 01234", "usps 01234"),
            ("Delivered to 9876543210", "Delivered to …"),
            ("sent to ९८७६५४३२१०, asha@example.in", "sent to … …"),
            ("", ""),
        ] {
            assert_eq!(status_word(text), word);
        }
    }

    #[test]
    fn the_known_words_are_in_lower_case() {
        assert_eq!(WORDS, WORDS.to_lowercase());
    }

    #[test]
    fn a_text_for_a_partner_ends_after_its_last_whole_character() {
        for (text, cut) in [("Müller", "Mül"), ("Rao", "Rao"), ("", "")] {
            assert_eq!(beginning(text, 3), cut);
        }
    }

    #[test]
    fn a_partners_text_becomes_one_short_line() {
        assert_eq!(plain(" Blue\r\nDart\u{0}  Air "), "Blue Dart Air");
        assert!(plain(&"x".repeat(10_000)).len() <= limits::PARTNER_TEXT_CHARS_MAX);
    }
}
