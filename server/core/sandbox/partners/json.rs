//! Reads and writes the values in the JSON of every partner.

use serde_json::{Number, Value};

/// Returns paise as a JSON number of rupees, exact to the paisa.
pub(super) fn rupees(paise: i64) -> Value {
    decimal(paise, 100)
}

/// Returns grams as a JSON number of kilograms.
pub(super) fn kilograms(grams: i64) -> Value {
    decimal(grams, 1_000)
}

/// Divides exactly: the divisor is a power of ten, so the shortest decimal that reads back as the
/// number is exact.
fn decimal(whole: i64, divisor: i64) -> Value {
    Number::from_f64(whole as f64 / divisor as f64).map_or(Value::Null, Value::Number)
}

/// Reads a number, sent as a number or as a text.
pub(super) fn number(value: &Value) -> Option<f64> {
    let number = match value {
        Value::String(text) => text.trim().parse().ok(),
        _ => value.as_f64(),
    };
    number.filter(|number: &f64| number.is_finite())
}

/// Reads an id, sent as a number or as a text.
pub(super) fn id(value: &Value) -> Option<u64> {
    match value {
        Value::String(text) => text.parse().ok(),
        _ => value.as_u64(),
    }
}

/// Returns a text that is not blank.
pub(super) fn text<'a>(value: &'a Value, field: &str) -> Option<&'a str> {
    value[field].as_str().filter(|text| !text.trim().is_empty())
}
