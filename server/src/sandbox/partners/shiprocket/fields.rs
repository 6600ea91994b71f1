//! Checks the fields of a request, with Shiprocket's error messages.

use serde_json::Value;

use super::super::json::{number, text};

/// Invalid fields, each with its error message.
pub(super) type Problems = Vec<(&'static str, String)>;

/// Returns which of these fields are missing.
pub(super) fn missing(asked: &Value, names: &[&'static str]) -> Problems {
    let is_given = |name: &str| match &asked[name] {
        Value::Null => false,
        Value::String(text) => !text.trim().is_empty(),
        Value::Array(list) => !list.is_empty(),
        _ => true,
    };
    let missing = names.iter().filter(|name| !is_given(name));
    missing
        .map(|name| (*name, format!("The {} field is required.", spoken(name))))
        .collect()
}

fn spoken(name: &str) -> String {
    name.replace('_', " ")
}

const ORDER: &[&str] = &[
    "order_id",
    "order_date",
    "pickup_location",
    "billing_customer_name",
    "billing_address",
    "billing_city",
    "billing_pincode",
    "billing_state",
    "billing_country",
    "billing_email",
    "billing_phone",
    "shipping_is_billing",
    "order_items",
    "payment_method",
    "sub_total",
    "length",
    "breadth",
    "height",
    "weight",
];

/// The fields that are required if the parcel does not go to the billing address.
const SHIPPING: &[&str] = &[
    "shipping_customer_name",
    "shipping_address",
    "shipping_city",
    "shipping_pincode",
    "shipping_state",
    "shipping_country",
    "shipping_phone",
];

const ITEM: &[&str] = &["name", "sku", "units", "selling_price"];

/// The maximum number of characters of a text.
const LONGEST: &[(&str, usize)] = &[
    ("order_id", 50),
    ("billing_city", 30),
    ("shipping_city", 30),
];

/// Returns the invalid fields of an order.
pub(super) fn order(asked: &Value) -> Problems {
    let mut problems = missing(asked, ORDER);
    if is_elsewhere(asked) {
        problems.extend(missing(asked, SHIPPING));
    }
    let items = asked["order_items"].as_array().into_iter().flatten();
    if items
        .into_iter()
        .any(|item| !missing(item, ITEM).is_empty())
    {
        let needed = ITEM.join(", ");
        problems.push(("order_items", format!("Every item needs {needed}.")));
    }
    for (name, most) in LONGEST {
        if text(asked, name).is_some_and(|text| text.chars().count() > *most) {
            let name_spoken = spoken(name);
            let problem = format!("The {name_spoken} may not be greater than {most} characters.");
            problems.push((*name, problem));
        }
    }
    for (name, least) in [
        ("length", 0.5),
        ("breadth", 0.5),
        ("height", 0.5),
        ("weight", 0.0),
    ] {
        if number(&asked[name]).is_some_and(|number| number <= least) {
            let name_spoken = spoken(name);
            problems.push((
                name,
                format!("The {name_spoken} must be greater than {least}."),
            ));
        }
    }
    for name in ["billing_phone", "shipping_phone"] {
        let given = text(asked, name);
        if given.is_some_and(|phone| !is_phone(phone)) {
            problems.push((name, "Phone number is in invalid format".to_owned()));
        }
    }
    if !matches!(
        asked["payment_method"].as_str(),
        None | Some("Prepaid" | "COD")
    ) {
        let problem = "The selected payment method is invalid.".to_owned();
        problems.push(("payment_method", problem));
    }
    problems
}

/// Returns true if the parcel does not go to the billing address.
pub(super) fn is_elsewhere(order: &Value) -> bool {
    matches!(&order["shipping_is_billing"], Value::Bool(false)) || order["shipping_is_billing"] == 0
}

/// Returns true if this is an Indian number: ten digits, with or without 91.
fn is_phone(phone: &str) -> bool {
    (10..=12).contains(&phone.len()) && phone.bytes().all(|byte| byte.is_ascii_digit())
}
