//! Errors in Shiprocket's JSON, and the checks of a request's fields that end in one.

use serde_json::{Value, json};

use super::super::super::wire::{ProtocolError, Refusal};
use super::super::json::{number, text};

pub(super) fn error_reply(error: ProtocolError) -> Refusal {
    match error {
        ProtocolError::Rejected => {
            let problem = "The request is not valid.".to_owned();
            invalid("Oops! Invalid Data.", &[("order_id", problem)])
        }
        ProtocolError::Unauthorized => refuse(401, "Unauthenticated."),
        ProtocolError::Forbidden => refuse(403, "Unauthorized. You do not have permission."),
        ProtocolError::NotFound => not_found(),
        ProtocolError::TooLarge => refuse(413, "The body is too large."),
        ProtocolError::TooMany => refuse(429, "Too Many Attempts."),
        ProtocolError::Broken => refuse(500, "Server Error"),
    }
}

pub(super) fn refuse(status: u16, message: &str) -> Refusal {
    Refusal(status, json!({"message": message, "status_code": status}))
}

pub(super) fn not_found() -> Refusal {
    refuse(404, "404 Not Found")
}

pub(super) fn invalid(message: &str, problems: &[(&str, String)]) -> Refusal {
    let problems = problems.iter().map(|(field, problem)| ((*field).to_owned(), json!([problem])));
    let errors = Value::Object(problems.collect());
    Refusal(422, json!({"message": message, "errors": errors, "status_code": 422}))
}

/// Invalid fields, each with its error message.
pub(super) type Problems = Vec<(&'static str, String)>;

/// Returns which of these fields, with spaces between their names, are missing.
pub(super) fn missing(body: &Value, names: &'static str) -> Problems {
    let is_given = |name: &str| match &body[name] {
        Value::Null => false,
        Value::String(text) => !text.trim().is_empty(),
        Value::Array(list) => !list.is_empty(),
        _ => true,
    };
    let missing = names.split_whitespace().filter(|name| !is_given(name));
    missing.map(|name| (name, format!("The {} field is required.", in_words(name)))).collect()
}

pub(super) fn require(body: &Value, names: &'static str) -> Result<(), Refusal> {
    let problems = missing(body, names);
    match problems.is_empty() {
        true => Ok(()),
        false => Err(invalid("Required field missing", &problems)),
    }
}

/// Returns the values of a list; fails if it is missing, empty or no list.
pub(super) fn list<'a>(body: &'a Value, name: &'static str) -> Result<&'a [Value], Refusal> {
    require(body, name)?;
    let list = body[name].as_array().map(Vec::as_slice);
    list.ok_or_else(|| invalid("Required field missing", &[]))
}

/// Returns the ids of shipments; fails if they are no list.
pub(super) fn shipment_ids(body: &Value) -> Result<&[Value], Refusal> {
    let ids = body["shipment_id"].as_array().map(Vec::as_slice);
    ids.ok_or_else(|| {
        let problem = "The shipment id must be an array.".to_owned();
        invalid("Oops! Invalid Data.", &[("shipment_id", problem)])
    })
}

fn in_words(name: &str) -> String {
    name.replace('_', " ")
}

const ORDER: &str = "order_id order_date pickup_location billing_customer_name billing_address \
    billing_city billing_pincode billing_state billing_country billing_email billing_phone \
    shipping_is_billing order_items payment_method sub_total length breadth height weight";

/// The fields that are required if the parcel does not go to the billing address.
const SHIPPING: &str = "shipping_customer_name shipping_address shipping_city shipping_pincode \
    shipping_state shipping_country shipping_phone";

const ITEM: &str = "name sku units selling_price";

/// The maximum number of characters of a text.
const LONGEST: [(&str, usize); 3] = [("order_id", 50), ("billing_city", 30), ("shipping_city", 30)];

/// The maximum number of characters of an address, in both of its lines.
const ADDRESS_CHARS_MAX: usize = 190;

/// The numbers that a number must exceed: sides in centimetres, the weight in kilograms.
const LEAST: [(&str, f64); 4] =
    [("length", 0.5), ("breadth", 0.5), ("height", 0.5), ("weight", 0.0)];

pub(super) fn order_problems(body: &Value) -> Problems {
    let mut problems = missing(body, ORDER);
    if is_elsewhere(body) {
        problems.extend(missing(body, SHIPPING));
    }
    let mut items = body["order_items"].as_array().into_iter().flatten();
    if items.any(|item| !missing(item, ITEM).is_empty()) {
        let needed = ITEM.replace(' ', ", ");
        problems.push(("order_items", format!("Every item needs {needed}.")));
    }
    for (name, most) in LONGEST {
        if text(body, name).is_some_and(|text| text.chars().count() > most) {
            let name_spoken = in_words(name);
            let problem = format!("The {name_spoken} may not be greater than {most} characters.");
            problems.push((name, problem));
        }
    }
    for (party, name) in [("billing", "billing_address"), ("shipping", "shipping_address")] {
        let lines = [name.to_owned(), format!("{party}_address_2")];
        let lines = lines.iter().filter_map(|line| text(body, line));
        if lines.map(|line| line.chars().count()).sum::<usize>() > ADDRESS_CHARS_MAX {
            let problem = format!("Address 1 and 2 have more than {ADDRESS_CHARS_MAX} characters.");
            problems.push((name, problem));
        }
    }
    for (name, least) in LEAST {
        if number(&body[name]).is_some_and(|number| number <= least) {
            let problem = format!("The {} must be greater than {least}.", in_words(name));
            problems.push((name, problem));
        }
    }
    for name in ["billing_phone", "shipping_phone"] {
        if text(body, name).is_some_and(|phone| !is_phone(phone)) {
            problems.push((name, NO_PHONE.to_owned()));
        }
    }
    let method = body["payment_method"].as_str();
    if !matches!(method, None | Some("Prepaid" | "COD")) {
        problems.push(("payment_method", "The selected payment method is invalid.".to_owned()));
    }
    problems
}

fn is_elsewhere(order: &Value) -> bool {
    matches!(&order["shipping_is_billing"], Value::Bool(false)) || order["shipping_is_billing"] == 0
}

/// Returns the beginning of the names of an order's fields about the parcel's recipient.
pub(super) fn recipient(order: &Value) -> &'static str {
    if is_elsewhere(order) { "shipping" } else { "billing" }
}

pub(super) const NO_PHONE: &str = "Phone number is in invalid format";

/// Returns true if this is an Indian number: its ten digits, without a code before them.
pub(super) fn is_phone(phone: &str) -> bool {
    phone.len() == 10 && !phone.starts_with('0') && phone.bytes().all(|it| it.is_ascii_digit())
}
