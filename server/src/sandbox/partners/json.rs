//! Reads the requests and writes the replies of every partner.

use axum::Json;
use axum::extract::rejection::JsonRejection;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde_json::{Number, Value, json};

use super::server::PartnerServer;

/// The body of a request.
pub(super) type JsonBody = Result<Json<Value>, JsonRejection>;

/// Returns the fields of a body. A body that is not JSON has none, and is refused for the missing
/// ones.
pub(super) fn fields_of(body: JsonBody) -> Value {
    body.map_or(Value::Null, |Json(fields)| fields)
}

/// Returns a reply; some get undocumented fields.
pub(super) fn reply(server: &PartnerServer, status: StatusCode, mut answer: Value) -> Response {
    if server.is_odd() {
        add_unknown(&mut answer);
        if let Value::Object(fields) = &mut answer {
            let lists = fields.values_mut().filter_map(Value::as_array_mut);
            lists.flatten().for_each(add_unknown);
        }
    }
    (status, Json(answer)).into_response()
}

fn add_unknown(value: &mut Value) {
    if let Value::Object(fields) = value {
        let unknown = json!({"kind": "none", "nested": {"deep": [1, null, "x"]}});
        fields.insert("introduced_yesterday".to_owned(), unknown);
    }
}

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
