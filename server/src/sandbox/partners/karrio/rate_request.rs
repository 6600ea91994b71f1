//! Reads the body of a request for rates or for a shipment.

use serde_json::{Map, Value, json};

use super::super::json::{number, text};
use super::super::tariff::counted_grams;

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

/// Reads the fields, or returns which of them are invalid.
pub(super) fn read(asked: &Value) -> Result<RateRequest, Value> {
    let mut wrong = Map::new();
    let mut country = |party: &str| match text(&asked[party], "country_code") {
        Some(code) if code.len() == 2 => code.to_owned(),
        given => {
            let problem = match given {
                Some(_) => "is not a valid choice.",
                None => "This field is required.",
            };
            wrong.insert(party.to_owned(), json!({"country_code": [problem]}));
            String::new()
        }
    };
    let (origin_country, country) = (country("shipper"), country("recipient"));
    let grams: Result<i64, Value> = match &asked["parcels"] {
        Value::Array(parcels) if !parcels.is_empty() => parcels.iter().map(weight).sum(),
        _ => Err(json!(["This field is required."])),
    };
    let grams = grams.unwrap_or_else(|problem| {
        wrong.insert("parcels".to_owned(), problem);
        0
    });
    if !wrong.is_empty() {
        return Err(Value::Object(wrong));
    }
    let service = asked["service"].as_str().map(str::to_owned);
    Ok(RateRequest {
        origin: text(&asked["shipper"], "postal_code")
            .unwrap_or_default()
            .to_owned(),
        origin_country,
        country,
        grams,
        carrier_ids: texts(&asked["carrier_ids"]),
        services: service.map_or_else(|| texts(&asked["services"]), |service| vec![service]),
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
        None => return Err(json!([{"weight_unit": ["This field is required."]}])),
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
