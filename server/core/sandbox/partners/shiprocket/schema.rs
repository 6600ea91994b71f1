//! The types and forms of an order's fields that Shiprocket documents.

use std::ops::RangeInclusive;

use serde_json::Value;

use super::super::json::{number, text};
use super::errors::Problems;
use crate::model::calendar::parse_day;

const TEXTS: &str = "order_date pickup_location billing_customer_name billing_last_name \
    billing_address billing_address_2 billing_city billing_state billing_country billing_email";

const NUMBERS: &str = "sub_total length breadth height weight";

/// The longest HSN code (digits).
const HSN_DIGITS_MAX: usize = 15;

/// Returns the fields that have another type or form. A missing field is none of them.
pub(super) fn problems(order: &Value) -> Problems {
    let mut problems = Problems::new();
    for name in TEXTS.split_whitespace() {
        if !order[name].is_null() && !order[name].is_string() {
            problems.push((name, format!("The {name} must be a string.")));
        }
    }
    for name in NUMBERS.split_whitespace() {
        if !order[name].is_null() && number(&order[name]).is_none() {
            problems.push((name, format!("The {name} must be a number.")));
        }
    }
    let mut check = |name: &'static str, is_right: bool| {
        if !is_right {
            problems.push((name, format!("The {name} format is invalid.")));
        }
    };
    let fits = |name: &str, rule: fn(&str) -> bool| text(order, name).is_none_or(rule);
    check("order_date", fits("order_date", is_date));
    check("billing_email", fits("billing_email", |email| email.contains('@')));
    let code = order["billing_pincode"].to_string();
    let code = code.trim_matches('"');
    check("billing_pincode", order["billing_pincode"].is_null() || is_number(code, 6..=6));
    let items = order["order_items"].as_array().map(Vec::as_slice).unwrap_or_default();
    check("order_items", items.iter().all(is_item));
    problems
}

/// A day, with or without a time.
fn is_date(date: &str) -> bool {
    let (day, time) = date.split_once(' ').unwrap_or((date, "00:00"));
    let time = time.split_once(':').map(|parts| (parts.0.parse::<u8>(), parts.1.parse::<u8>()));
    let is_time = matches!(time, Some((Ok(0..=23), Ok(0..=59))));
    parse_day(day).is_some() && is_time
}

fn is_item(item: &Value) -> bool {
    let is_count = |value: &Value| number(value).is_some_and(|it| it >= 1.0 && it.fract() == 0.0);
    let is_price = |value: &Value| number(value).is_some_and(|it| it >= 0.0);
    let hsn = item["hsn"].to_string();
    let hsn = hsn.trim_matches('"');
    let has_hsn = item["hsn"].is_null() || is_number(hsn, 1..=HSN_DIGITS_MAX);
    is_count(&item["units"]) && is_price(&item["selling_price"]) && has_hsn
}

fn is_number(text: &str, digits: RangeInclusive<usize>) -> bool {
    digits.contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
}
