//! Pickups of the pretend Karrio: of bought shipments of one carrier; a shipment has at most one.

use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::response::Response;
use serde::Deserialize;
use serde_json::{Value, json};

use super::super::super::wire::{Answer, Fields, Refusal};
use super::super::json::text;
use super::super::partner::Partner;
use super::super::records::{PartnerPickup, PartnerRecords};
use super::answers::{self, number_in, object_id};
use super::errors::{failure, invalid, not_found, refuse, required, state_error};
use super::schema;
use crate::model::calendar::parse_day;

/// The default page size (pickups).
const PAGE: usize = 20;

/// The required fields of a pickup, which are also the ones that can be changed.
const WHEN: [&str; 3] = ["pickup_date", "ready_time", "closing_time"];

fn answer(pickup: &PartnerPickup) -> Value {
    let body = &pickup.asked;
    json!({
        "id": object_id("pck", pickup.number),
        "object_type": "pickup",
        "carrier_name": pickup.carrier_name, "carrier_id": body["carrier_id"],
        "confirmation_number": format!("PRG{:09}", 410_000_000 + pickup.number),
        "status": if pickup.cancelled { "cancelled" } else { "scheduled" },
        "pickup_date": body["pickup_date"],
        "ready_time": body["ready_time"], "closing_time": body["closing_time"],
        "pickup_charge": null,
        "address": body["address"], "tracking_numbers": body["tracking_numbers"],
        "metadata": body["metadata"], "meta": {}, "test_mode": true,
    })
}

/// Schedules a pickup of shipments of the carrier that have none yet.
pub(super) async fn schedule(
    State(partner): State<Partner>,
    Path(carrier): Path<String>,
    Fields(body): Fields,
) -> Answer {
    check_fields(&body)?;
    let pickup = {
        let mut records = partner.records();
        check_shipments(&partner, &records, &carrier, &body)?;
        records.schedule(&carrier, body)
    };
    Ok(partner.reply(StatusCode::CREATED, answer(&pickup)))
}

fn numbers(body: &Value) -> &[Value] {
    body["tracking_numbers"].as_array().map_or(&[], Vec::as_slice)
}

fn check_fields(body: &Value) -> Result<(), Refusal> {
    let missing = WHEN.into_iter().filter(|field| text(body, field).is_none());
    let no_numbers = numbers(body).is_empty().then_some("tracking_numbers");
    let missing: Vec<&str> = missing.chain(no_numbers).collect();
    if !missing.is_empty() {
        return Err(required(&missing));
    }
    let wrong = schema::address_problems(&body["address"]);
    match wrong.is_empty() {
        true => Ok(()),
        false => Err(invalid(&json!({"address": wrong}))),
    }
}

/// Fails if the carrier cannot pick up these shipments.
fn check_shipments(
    partner: &Partner,
    records: &PartnerRecords,
    carrier: &str,
    body: &Value,
) -> Result<(), Refusal> {
    for number in numbers(body) {
        let awb = number.as_str().unwrap_or_default();
        let shipment = records.by_awb(awb).filter(|it| it.is_carried());
        let shipment = shipment.ok_or_else(|| {
            let message = format!("Shipment with the tracking number: {awb} not found");
            refuse(400, "validation", &message)
        })?;
        if answers::carrier(shipment) != Some(carrier) {
            return Err(refuse(404, "not_found", "No active carrier connection found"));
        }
        if shipment.last_status().is_some_and(|it| it != "pending") {
            let message = json!({"carrier_name": carrier, "message": "The shipment is picked up"});
            return Err(failure(&[message]));
        }
        let is_of = |pickup: &PartnerPickup| {
            let is_open = !pickup.cancelled && !is_over(partner, &pickup.asked);
            is_open && numbers(&pickup.asked).iter().any(|it| it == awb)
        };
        if records.pickups.values().any(is_of) {
            let message = format!("Shipment {awb} is already scheduled for pickup");
            return Err(refuse(400, "validation", &message));
        }
    }
    check_time(partner, carrier, body)
}

fn is_over(partner: &Partner, body: &Value) -> bool {
    let date = text(body, "pickup_date").and_then(parse_day);
    date.is_none_or(|date| date < partner.day_in(0))
}

fn check_time(partner: &Partner, carrier: &str, body: &Value) -> Result<(), Refusal> {
    let is_turned = text(body, "ready_time") >= text(body, "closing_time");
    if !is_over(partner, body) && !is_turned {
        return Ok(());
    }
    let problem = "The pickup date and time are invalid";
    Err(failure(&[json!({"carrier_name": carrier, "code": "9001", "message": problem})]))
}

#[derive(Deserialize)]
pub(super) struct PickupPage {
    #[serde(default)]
    offset: usize,
    limit: Option<usize>,
}

/// Returns a page of pickups, newest first.
pub(super) async fn list(
    State(partner): State<Partner>,
    Query(page): Query<PickupPage>,
) -> Response {
    let (count, results) = {
        let records = partner.records();
        let all = records.pickups.values().rev();
        let pickups = all.skip(page.offset).take(page.limit.unwrap_or(PAGE));
        (records.pickups.len(), pickups.map(answer).collect())
    };
    partner.ok(answers::page(count, [None, None], results))
}

fn find(partner: &Partner, id: &str) -> Result<PartnerPickup, Refusal> {
    let records = partner.records();
    let pickup = number_in("pck", id).and_then(|number| records.pickups.get(&number));
    pickup.cloned().ok_or_else(not_found)
}

pub(super) async fn read(State(partner): State<Partner>, Path(id): Path<String>) -> Answer {
    Ok(partner.ok(answer(&find(&partner, &id)?)))
}

/// Moves a pickup to another time.
pub(super) async fn change(
    State(partner): State<Partner>,
    Path(id): Path<String>,
    Fields(changes): Fields,
) -> Answer {
    let mut pickup = find(&partner, &id)?;
    if text(&changes, "confirmation_number").is_none() {
        return Err(required(&["confirmation_number"]));
    }
    check_open(&pickup)?;
    for field in WHEN {
        if let Some(value) = text(&changes, field) {
            pickup.asked[field] = json!(value);
        }
    }
    check_time(&partner, &pickup.carrier_name, &pickup.asked)?;
    partner.records().save_pickup(pickup.clone());
    Ok(partner.ok(answer(&pickup)))
}

fn check_open(pickup: &PartnerPickup) -> Result<(), Refusal> {
    if pickup.cancelled {
        return Err(state_error("The pickup is 'cancelled' and can not be updated anymore..."));
    }
    Ok(())
}

/// Cancels a pickup; a second cancellation fails.
pub(super) async fn cancel(State(partner): State<Partner>, Path(id): Path<String>) -> Answer {
    let mut pickup = find(&partner, &id)?;
    check_open(&pickup)?;
    pickup.cancelled = true;
    partner.records().save_pickup(pickup.clone());
    Ok(partner.ok(answer(&pickup)))
}
