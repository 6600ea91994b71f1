//! Pickup addresses, each with a name by which orders refer to it.

use axum::extract::State;
use axum::response::Response;
use serde_json::{Value, json};

use super::super::super::wire::{Answer, Fields};
use super::super::json::text;
use super::super::partner::Partner;
use super::super::records::PartnerRecords;
use super::errors::{NO_PHONE, invalid, is_phone, missing};

/// The maximum length of a place's name (characters).
const NAME_CHARS_MAX: usize = 36;

/// The maximum length of a place's first address line (characters).
const ADDRESS_CHARS_MAX: usize = 80;

const FIELDS: &str = "pickup_location name email phone address city state country pin_code";

/// Returns the pickup address that every account has.
fn primary() -> Value {
    json!({
        "pickup_location": "Primary",
        "name": "Sandbox Shipper", "email": "shipper@sandbox.test", "phone": "9000000000",
        "address": "1 Connaught Place", "address_2": "",
        "city": "New Delhi", "state": "Delhi", "country": "India", "pin_code": "110001",
    })
}

/// Returns every place, with the fields that Shiprocket adds.
pub(super) fn all(records: &PartnerRecords) -> Vec<Value> {
    let places = [primary()].into_iter().chain(records.places.iter().cloned());
    let numbered = places.zip(1_u64..).map(|(mut place, number)| {
        place["id"] = json!(8_400_000 + number);
        place["company_id"] = json!(25);
        place["status"] = json!(1);
        place["phone_verified"] = json!(1);
        place
    });
    numbered.collect()
}

/// Returns the place that an order, or a new place, names as `pickup_location`; the name must match
/// exactly.
pub(super) fn find_by_name<'a>(places: &'a [Value], order: &Value) -> Option<&'a Value> {
    let name = &order["pickup_location"];
    places.iter().find(|place| &place["pickup_location"] == name)
}

pub(super) async fn list(State(partner): State<Partner>) -> Response {
    let places = all(&partner.records());
    partner.ok(json!({"data": {
        "shipping_address": places, "recent_addresses": [],
        "allow_more": "1", "is_blackbox_seller": false, "company_name": "Sandbox",
    }}))
}

/// Returns the problem of the first address line.
fn address_problem(body: &Value) -> Option<(&'static str, String)> {
    let address = text(body, "address")?;
    if address.chars().count() > ADDRESS_CHARS_MAX {
        let problem =
            format!("The address may not be greater than {ADDRESS_CHARS_MAX} characters.");
        return Some(("address", problem));
    }
    let has_number = address.chars().any(char::is_numeric);
    let problem = "Address line 1 should have House no / Flat no / Road no.";
    (!has_number).then(|| ("address", problem.to_owned()))
}

pub(super) async fn add(State(partner): State<Partner>, Fields(body): Fields) -> Answer {
    let mut problems = missing(&body, FIELDS);
    let place = {
        let mut records = partner.records();
        if find_by_name(&all(&records), &body).is_some() {
            problems.push(("pickup_location", "Address nick name already in use".to_owned()));
        }
        let name = text(&body, "pickup_location").unwrap_or_default();
        if name.chars().count() > NAME_CHARS_MAX {
            let problem = format!("It may not be greater than {NAME_CHARS_MAX} characters.");
            problems.push(("pickup_location", problem));
        }
        problems.extend(address_problem(&body));
        if text(&body, "phone").is_some_and(|phone| !is_phone(phone)) {
            problems.push(("phone", NO_PHONE.to_owned()));
        }
        if !problems.is_empty() {
            return Err(invalid("The given data was invalid.", &problems));
        }
        records.add_place(body);
        all(&records).pop().unwrap_or_default()
    };
    Ok(partner.ok(json!({
        "success": true, "pickup_id": place["id"],
        "company_name": "Sandbox", "full_name": place["name"], "address": place,
    })))
}
