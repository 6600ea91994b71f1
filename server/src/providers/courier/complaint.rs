//! What a partner complains of, made fit for logs and for the data base. A complaint may echo what
//! the customer typed, so only codes, names of fields and words that say what is wrong are kept.

use std::fmt::Write as _;

use serde_json::Value;

use super::plain;

/// What complaints are made of, in small letters. Other words may be the customer's.
const WORDS: &[&str] = &[
    "a",
    "account",
    "active",
    "address",
    "allowed",
    "already",
    "amount",
    "an",
    "and",
    "another",
    "are",
    "assigned",
    "authentication",
    "available",
    "awb",
    "balance",
    "be",
    "been",
    "billing",
    "blocked",
    "booked",
    "can",
    "cancelled",
    "cannot",
    "carrier",
    "city",
    "code",
    "cod",
    "configured",
    "connection",
    "could",
    "country",
    "courier",
    "credentials",
    "credit",
    "customer",
    "customs",
    "data",
    "declared",
    "delivery",
    "dimension",
    "dimensions",
    "does",
    "email",
    "empty",
    "error",
    "exceeds",
    "exist",
    "exists",
    "expired",
    "failed",
    "field",
    "for",
    "format",
    "found",
    "has",
    "height",
    "hsn",
    "id",
    "in",
    "insufficient",
    "internal",
    "invalid",
    "invoice",
    "is",
    "item",
    "items",
    "kyc",
    "label",
    "length",
    "limit",
    "location",
    "low",
    "matches",
    "maximum",
    "message",
    "minimum",
    "missing",
    "must",
    "name",
    "no",
    "not",
    "number",
    "of",
    "offered",
    "order",
    "origin",
    "parcel",
    "payment",
    "permission",
    "phone",
    "pickup",
    "pin",
    "pincode",
    "please",
    "postal",
    "postcode",
    "price",
    "provided",
    "purchased",
    "query",
    "rate",
    "reassign",
    "recharge",
    "recipient",
    "rejected",
    "request",
    "required",
    "reused",
    "route",
    "selected",
    "server",
    "service",
    "serviceable",
    "serviced",
    "shipment",
    "shipper",
    "shipping",
    "some",
    "something",
    "state",
    "status",
    "supported",
    "suspended",
    "temporarily",
    "the",
    "this",
    "timeout",
    "to",
    "token",
    "too",
    "unauthenticated",
    "unauthorized",
    "unavailable",
    "unknown",
    "updated",
    "valid",
    "value",
    "wallet",
    "was",
    "weight",
    "went",
    "with",
    "wrong",
    "you",
    "your",
    "zip",
];

/// What a body complains of.
pub(super) fn complaint(body: &[u8]) -> String {
    let body: Value = serde_json::from_slice(body).unwrap_or_default();
    let mut told = String::new();
    add(&mut told, &body);
    match &body["errors"] {
        Value::Array(errors) => errors.iter().for_each(|error| add(&mut told, error)),
        fields => add_fields(&mut told, fields),
    }
    let messages = body["messages"].as_array();
    for message in messages.into_iter().flatten() {
        add(&mut told, message);
    }
    plain(&told)
}

/// One complaint: its code, its words, the fields it is about.
fn add(told: &mut String, complaint: &Value) {
    if let Some(code) = complaint["code"].as_str().filter(|code| is_code(code)) {
        let _ = write!(told, " {code}");
    }
    if let Some(message) = complaint["message"].as_str() {
        let _ = write!(told, " {}", shape(message));
    }
    add_fields(told, &complaint["details"]);
}

fn add_fields(told: &mut String, fields: &Value) {
    let names = fields.as_object().into_iter().flat_map(|it| it.keys());
    for name in names.filter(|name| is_code(name)) {
        let _ = write!(told, " [{name}]");
    }
}

/// A word for programs, and no number that could be somebody's.
fn is_code(text: &str) -> bool {
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_-.".contains(&byte);
    (1..=40).contains(&text.len()) && digits <= 5 && text.bytes().all(plain)
}

/// A sentence with everything left out that could be the customer's.
pub(super) fn shape(sentence: &str) -> String {
    let mut kept: Vec<&str> = Vec::new();
    for word in sentence.split_whitespace() {
        let bare = word.trim_matches(|letter: char| !letter.is_alphanumeric());
        let known = WORDS.contains(&bare.to_lowercase().as_str());
        match known {
            true => kept.push(bare),
            false if kept.last() == Some(&"…") => {}
            false => kept.push("…"),
        }
    }
    plain(&kept.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_complaint_keeps_what_is_wrong_and_not_whose_it_is() {
        for (body, told) in [
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
            assert_eq!(complaint(body.as_bytes()), told, "{body}");
        }
    }

    #[test]
    fn words_are_looked_for_as_they_are_written() {
        let small = |word: &&str| word.to_lowercase() == **word;
        assert!(WORDS.iter().all(small));
    }
}
