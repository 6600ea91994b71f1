//! The carriers' checks of a customs declaration.

use serde_json::{Value, json};

use super::super::super::wire::Refusal;
use super::super::json::number;
use super::errors::invalid;

/// Refuses a declaration with a line of no value, or whose lines do not add up to its value.
pub(super) fn check(body: &Value) -> Result<(), Refusal> {
    let customs = &body["customs"];
    if customs.is_null() {
        return Ok(());
    }
    let lines = customs["commodities"].as_array().map(Vec::as_slice).unwrap_or_default();
    let values: Option<Vec<[i64; 2]>> = lines
        .iter()
        .map(|line| Some([line["quantity"].as_i64()?, hundredths(&line["value_amount"])?]))
        .collect();
    let values = values.unwrap_or_default();
    let sum: i64 = values.iter().map(|[quantity, each]| quantity * each).sum();
    let is_whole = hundredths(&customs["duty"]["declared_value"]) == Some(sum);
    match is_whole && values.iter().all(|[_, each]| *each > 0) {
        true => Ok(()),
        false => {
            let problem = "The commodities do not add up to the declared value.";
            Err(invalid(&json!({"customs": {"commodities": [problem]}})))
        }
    }
}

fn hundredths(value: &Value) -> Option<i64> {
    // Amounts of this size are exact.
    number(value).map(|number| (number * 100.0).round() as i64)
}
