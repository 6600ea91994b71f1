use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;
use crate::model::money::paise::Paise;
use crate::model::openapi_schema::decimal;
use crate::model::shipping::place;

/// Every reader that the file of values names.
const READERS: [&str; 13] = [
    "unmarked",
    "code",
    "pin",
    "rupees",
    "amount",
    "grams",
    "length",
    "count",
    "day",
    "indian",
    "indian_mobile",
    "abroad:US",
    "postal_code:GB",
];

fn read(reader: &str, text: &str) -> Value {
    let (reader, country_code) = reader.split_once(':').unwrap_or((reader, ""));
    match reader {
        "unmarked" => json!(characters::unmarked(text)),
        "code" => json!(characters::code(text)),
        "pin" => json!(postal_code::pin(text)),
        "rupees" => json!(amount::rupees(text).map(Paise::get)),
        "amount" => json!(amount::amount(text).map(Paise::get)),
        "grams" => json!(measure::grams(text)),
        "length" => json!(measure::length(text)),
        "count" => json!(measure::count(text)),
        "day" => json!(day::day(text).map(|day| day.to_string())),
        "indian" => json!(phone::indian(text)),
        "indian_mobile" => json!(phone::indian_mobile(text)),
        "abroad" => json!(phone::abroad(text, country_code)),
        "postal_code" => {
            let country_id = place::country_of_code(country_code).expect(country_code).country_id;
            let code = place::normalise(country_id, text);
            json!(place::find(country_id, text).map(|_| code))
        }
        other => panic!("no reader {other}"),
    }
}

#[test]
fn values_are_read_however_they_are_typed_or_pasted() {
    let values = include_str!("../../../tests/typed_values.json");
    let values: Vec<Vec<Value>> = serde_json::from_str(values).unwrap();
    assert!(values.len() >= 200);
    for line in values {
        let [reader, text, value, ..] = line.as_slice() else { panic!("{line:?}") };
        let (reader, text) = (reader.as_str().unwrap(), text.as_str().unwrap());
        assert_eq!(read(reader, text), *value, "{reader} {text:?}");
    }
}

#[test]
fn mobile_numbers_have_two_groups_and_others_stay() {
    for (number, read) in [
        ("9876543210", "98765\u{a0}43210"),
        ("09845012345", "98450\u{a0}12345"),
        ("+919876543210", "+91\u{a0}98765\u{a0}43210"),
        ("919876543210", "98765\u{a0}43210"),
        ("01123456789", "01123456789"),
        ("+12125550100", "+12125550100"),
        ("+91", "+91"),
        ("call me", "call me"),
        ("", ""),
    ] {
        assert_eq!(phone::grouped(number), read);
    }
}

#[test]
fn long_texts_are_read_once_and_refused() {
    let texts = ["9", "0", "1,", "1 ", " -", "a-", "+", ".", "1.", "(0", "rs", "kg", "0,0"];
    for text in texts {
        let text = text.repeat(100_000 / text.len());
        for reader in READERS {
            let value = read(reader, &text);
            assert!(value.is_null() || value.is_string() || value == json!(0), "{reader}");
        }
    }
    for mark in ["\u{202a}", "९", "\u{1d7ff}", "\u{a0}", "–"] {
        let text = mark.repeat(100_000 / mark.len());
        assert!(characters::unmarked(&text).chars().count() <= text.chars().count());
    }
}

/// Texts like numbers, with marks of all kinds in them.
fn near_numbers() -> impl Strategy<Value = String> {
    let marks =
        "[0-9०-९０-９ ,./+()-]|[\u{a0}\u{202a}\u{202c}\u{2011}\u{feff}₹]|kg|g|Rs|cm|Nov|PIN";
    proptest::string::string_regex(&format!("({marks}){{0,16}}")).expect("a pattern")
}

proptest! {
    #[test]
    fn no_text_makes_a_reader_panic(text in "\\PC{0,60}") {
        for reader in READERS {
            let _ = read(reader, &text);
        }
    }

    #[test]
    fn what_was_read_is_read_again_as_the_same(text in near_numbers()) {
        for reader in READERS {
            let Value::String(value) = read(reader, &text) else { continue };
            prop_assert_eq!(read(reader, &value), json!(value), "{} {:?}", reader, text);
        }
        if let Some(value) = amount::rupees(&text) {
            prop_assert_eq!(amount::rupees(&value.decimal()), Some(value));
            prop_assert_eq!(amount::rupees(&value.to_string()), Some(value));
        }
        if let Some(grams) = measure::grams(&text) {
            prop_assert_eq!(measure::grams(decimal(grams, 3).get()), Some(grams));
        }
    }
}
