//! Reads the body of a request for rates or for a shipment.

use serde_json::{Map, Value, json};

use super::super::super::wire::Refusal;
use super::super::json::{number, text};
use super::super::tariff::counted_grams;
use super::errors::{REQUIRED, invalid};

/// The fields that the price depends on.
#[derive(Debug)]
pub(super) struct RateRequest {
    pub origin: String,
    pub origin_country: String,
    pub country: String,
    pub grams: i64,
    /// The accounts and services to quote; all of them if empty.
    pub carrier_ids: Vec<String>,
    pub services: Vec<String>,
}

/// Reads the fields; fails with all that are invalid.
pub(super) fn read(body: &Value) -> Result<RateRequest, Refusal> {
    let mut wrong = Map::new();
    let mut country = |party: &str| {
        let code = text(&body[party], "country_code").unwrap_or_default();
        if code.len() != 2 {
            let problem = if code.is_empty() { REQUIRED } else { "is not a valid choice." };
            wrong.insert(party.to_owned(), json!({"country_code": [problem]}));
        }
        code.to_owned()
    };
    let (origin_country, country) = (country("shipper"), country("recipient"));
    let grams: Result<i64, Value> = match &body["parcels"] {
        Value::Array(parcels) if !parcels.is_empty() => parcels.iter().map(weight).sum(),
        _ => Err(json!([REQUIRED])),
    };
    let grams = grams.unwrap_or_else(|problem| {
        wrong.insert("parcels".to_owned(), problem);
        0
    });
    if !wrong.is_empty() {
        return Err(invalid(&Value::Object(wrong)));
    }
    let origin = text(&body["shipper"], "postal_code").unwrap_or_default();
    let service = body["service"].as_str().map(str::to_owned);
    Ok(RateRequest {
        origin: origin.to_owned(),
        origin_country,
        country,
        grams,
        carrier_ids: texts(&body["carrier_ids"]),
        services: service.map_or_else(|| texts(&body["services"]), |service| vec![service]),
    })
}

fn texts(list: &Value) -> Vec<String> {
    let texts = list.as_array().into_iter().flatten();
    texts.filter_map(Value::as_str).map(str::to_owned).collect()
}

/// Returns the chargeable weight of one parcel (grams).
fn weight(parcel: &Value) -> Result<i64, Value> {
    let kilograms = match parcel["weight_unit"].as_str() {
        Some("KG") => 1.0,
        Some("G") => 0.001,
        Some("LB") => 0.453_592_37,
        Some("OZ") => 0.028_349_523,
        Some(other) => {
            let problem = format!("\"{other}\" is not a valid choice.");
            return Err(json!([{"weight_unit": [problem]}]));
        }
        None => return Err(json!([{"weight_unit": [REQUIRED]}])),
    };
    let Some(weight) = number(&parcel["weight"]).filter(|weight| *weight > 0.0) else {
        return Err(json!([{"weight": ["A valid number is required."]}]));
    };
    let centimetres = match parcel["dimension_unit"].as_str() {
        Some("IN") => 2.54,
        _ => 1.0,
    };
    let sides = ["length", "width", "height"];
    let sides = sides.map(|side| number(&parcel[side]).unwrap_or(0.0) * centimetres);
    Ok(counted_grams(weight * kilograms, sides))
}
