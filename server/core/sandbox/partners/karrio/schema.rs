//! The constraints of Karrio's published schema for addresses, parcels and customs, and its own
//! rules for postal codes.

use serde_json::{Map, Value, json};

use super::super::json::{number, text};
use super::errors::REQUIRED;
use crate::model::calendar::parse_day;

type Texts = &'static [(&'static str, usize)];

/// The longest texts (characters).
const ADDRESS: Texts = &[
    ("postal_code", 20),
    ("city", 50),
    ("state_code", 50),
    ("federal_tax_id", 50),
    ("person_name", 100),
    ("company_name", 100),
    ("phone_number", 50),
    ("address_line1", 100),
    ("address_line2", 100),
];
const CUSTOMS: Texts = &[("invoice", 50), ("signer", 50)];
const COMMODITY: Texts = &[("title", 200), ("description", 200), ("hs_code", 100)];

const SIDES: [&str; 3] = ["length", "width", "height"];

/// Returns the invalid parts of a request for rates or for a shipment, each with its problem.
pub(super) fn problems(body: &Value) -> Map<String, Value> {
    let mut wrong = Map::new();
    for party in ["shipper", "recipient"] {
        add(&mut wrong, party, address_problems(&body[party]));
    }
    let parcels = body["parcels"].as_array().into_iter().flatten();
    for problems in parcels.map(side_problems) {
        add(&mut wrong, "parcels", problems);
    }
    add(&mut wrong, "customs", customs_problems(&body["customs"]));
    wrong
}

fn add(wrong: &mut Map<String, Value>, part: &str, problems: Map<String, Value>) {
    if !problems.is_empty() {
        wrong.insert(part.to_owned(), Value::Object(problems));
    }
}

pub(super) fn address_problems(address: &Value) -> Map<String, Value> {
    let mut wrong = text_problems(address, ADDRESS);
    let code = address["postal_code"].as_str();
    let code = code.map(|code| code.split_whitespace().collect::<String>());
    let problem = match (address["country_code"].as_str(), code) {
        (Some("US"), Some(code)) if !is_american(&code) => {
            "The American postal code must match 12345 or 12345-6789"
        }
        (Some("CA"), Some(code)) if !is_canadian(&code) => {
            "The Canadian postal code must match Z9Z9Z9"
        }
        _ => return wrong,
    };
    wrong.insert("postal_code".to_owned(), json!([problem]));
    wrong
}

fn is_american(code: &str) -> bool {
    let (zip, area) = code.split_once('-').unwrap_or((code, "0000"));
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    zip.len() == 5 && area.len() == 4 && is_number(zip) && is_number(area)
}

fn is_canadian(code: &str) -> bool {
    let mut bytes = code.bytes().filter(|byte| *byte != b'-');
    (0..6).all(|at| match (at % 2, bytes.next()) {
        (0, Some(byte)) => byte.is_ascii_alphabetic(),
        (_, byte) => byte.is_some_and(|byte| byte.is_ascii_digit()),
    })
}

/// A parcel has all of its sides, with their unit, or none.
fn side_problems(parcel: &Value) -> Map<String, Value> {
    let given = SIDES.iter().filter(|side| !parcel[**side].is_null()).count();
    let field = match (given, parcel["dimension_unit"].as_str()) {
        (0, _) | (3, Some("CM" | "IN")) => return Map::new(),
        (3, _) => "dimension_unit",
        _ => "dimensions",
    };
    let problem = "When one dimension is specified, all must be specified with a dimension_unit";
    Map::from_iter([(field.to_owned(), json!([problem]))])
}

fn customs_problems(customs: &Value) -> Map<String, Value> {
    if customs.is_null() {
        return Map::new();
    }
    let mut wrong = text_problems(customs, CUSTOMS);
    let lines = customs["commodities"].as_array().map(Vec::as_slice).unwrap_or_default();
    let problems = lines.iter().map(line_problems).find(|problems| !problems.is_empty());
    match problems {
        _ if lines.is_empty() => wrong.insert("commodities".to_owned(), json!([REQUIRED])),
        Some(problems) => wrong.insert("commodities".to_owned(), json!([problems])),
        None => None,
    };
    if text(customs, "invoice_date").is_some_and(|date| parse_day(date).is_none()) {
        let problem = "The date format must match YYYY-MM-DD";
        wrong.insert("invoice_date".to_owned(), json!([problem]));
    }
    wrong
}

fn line_problems(line: &Value) -> Map<String, Value> {
    let mut wrong = text_problems(line, COMMODITY);
    let has_unit = matches!(line["weight_unit"].as_str(), Some("KG" | "LB" | "OZ" | "G"));
    for (field, is_right) in [
        ("weight", number(&line["weight"]).is_some()),
        ("weight_unit", has_unit),
        ("quantity", line["quantity"].is_null() || line["quantity"].is_i64()),
    ] {
        if !is_right {
            wrong.insert(field.to_owned(), json!([REQUIRED]));
        }
    }
    wrong
}

/// Returns the fields that are no texts, and the texts that are too long.
fn text_problems(fields: &Value, limits: Texts) -> Map<String, Value> {
    let wrong = limits.iter().filter_map(|&(name, most)| {
        let problem = match &fields[name] {
            Value::Null => return None,
            Value::String(text) if text.chars().count() <= most => return None,
            Value::String(_) => format!("Ensure this field has no more than {most} characters."),
            _ => "Not a valid string.".to_owned(),
        };
        Some((name.to_owned(), json!([problem])))
    });
    wrong.collect()
}
