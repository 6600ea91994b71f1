//! Pickups of the pretend Karrio: of bought shipments of one carrier; a shipment has at most one.

use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::response::Response;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::super::json::{JsonBody, fields_of, reply, text};
use super::super::records::{PartnerPickup, PartnerRecords, PartnerShipment};
use super::{ErrorReply, Karrio, failure, invalid, not_found, refusal, tariff, written};
use crate::model::booking::pickup::day;

/// The default page size (pickups).
const PAGE: usize = 20;

/// The required fields of a pickup, which are also the ones that can be changed.
const WHEN: [&str; 3] = ["pickup_date", "ready_time", "closing_time"];

fn pickup_id(number: u64) -> String {
    format!("pck_{number:032x}")
}

fn number(id: &str) -> Option<u64> {
    let hex = id.strip_prefix("pck_").filter(|hex| hex.len() == 32)?;
    u64::from_str_radix(hex, 16).ok()
}

fn confirmation(pickup: &PartnerPickup) -> String {
    format!("PRG{:09}", 410_000_000 + pickup.number)
}

fn status(pickup: &PartnerPickup) -> &'static str {
    match pickup.cancelled {
        true => "cancelled",
        false => "scheduled",
    }
}

fn shown(karrio: &Karrio, code: StatusCode, pickup: &PartnerPickup) -> Response {
    reply(&karrio.server, code, answer(pickup))
}

fn answer(pickup: &PartnerPickup) -> Value {
    let asked = &pickup.asked;
    json!({
        "id": pickup_id(pickup.number),
        "object_type": "pickup",
        "carrier_name": pickup.carrier_name,
        "carrier_id": asked["carrier_id"],
        "confirmation_number": confirmation(pickup),
        "status": status(pickup),
        "pickup_date": asked["pickup_date"],
        "ready_time": asked["ready_time"],
        "closing_time": asked["closing_time"],
        "pickup_charge": null,
        "address": asked["address"],
        "tracking_numbers": asked["tracking_numbers"],
        "metadata": asked["metadata"],
        "meta": {},
        "test_mode": true,
    })
}

/// Schedules a pickup of shipments of the carrier that have none yet.
pub(super) async fn schedule(
    State(karrio): State<Karrio>,
    Path(carrier): Path<String>,
    body: JsonBody,
) -> Response {
    let asked = fields_of(body);
    if let Some(problems) = missing(&asked) {
        return invalid(&problems);
    }
    let now_ms = karrio.server.now_ms();
    let pickup = {
        let mut records = karrio.server.records();
        match taken(&karrio, &records, &carrier, &asked) {
            Ok(()) => records.schedule(&carrier, asked, now_ms),
            Err(refusal) => return written(refusal),
        }
    };
    shown(&karrio, StatusCode::CREATED, &pickup)
}

fn missing(asked: &Value) -> Option<Value> {
    let required = |field: &&&str| text(asked, field).is_none();
    let mut problems: Map<String, Value> = WHEN
        .iter()
        .filter(required)
        .map(|field| ((*field).to_owned(), json!(["This field is required."])))
        .collect();
    let numbers = asked["tracking_numbers"].as_array();
    if numbers.is_none_or(Vec::is_empty) {
        let required = json!(["This field is required."]);
        problems.insert("tracking_numbers".to_owned(), required);
    }
    (!problems.is_empty()).then_some(Value::Object(problems))
}

/// Fails if the carrier cannot pick up these shipments.
fn taken(
    karrio: &Karrio,
    records: &PartnerRecords,
    carrier: &str,
    asked: &Value,
) -> Result<(), ErrorReply> {
    let numbers = asked["tracking_numbers"].as_array();
    for number in numbers.into_iter().flatten() {
        let number = number.as_str().unwrap_or_default();
        let Some(shipment) = records.by_awb(number).filter(|it| it.is_carried()) else {
            let message = format!("Shipment with the tracking number: {number} not found");
            return Err(refusal(400, "validation", &message));
        };
        if carrier_of(shipment) != Some(carrier) {
            return Err(refusal(
                404,
                "not_found",
                "No active carrier connection found",
            ));
        }
        if shipment.last_status().is_some_and(|it| it != "pending") {
            let message = json!({"carrier_name": carrier, "message": "The shipment is picked up"});
            return Err(failure(&[message]));
        }
        let is_of = |it: &&PartnerPickup| {
            let numbers = it.asked["tracking_numbers"].as_array();
            !it.cancelled
                && !is_over(karrio, &it.asked)
                && numbers.is_some_and(|all| all.iter().any(|it| it == number))
        };
        if records.pickups().any(|it| is_of(&it)) {
            let message = format!("Shipment {number} is already scheduled for pickup");
            return Err(refusal(400, "validation", &message));
        }
    }
    on_time(karrio, carrier, asked)
}

fn carrier_of(shipment: &PartnerShipment) -> Option<&'static str> {
    let service = &shipment.bought.as_ref()?.offer.service;
    Some(tariff::by_name(service)?.carrier_name)
}

fn is_over(karrio: &Karrio, asked: &Value) -> bool {
    let date = text(asked, "pickup_date").and_then(day);
    date.is_none_or(|date| date < karrio.server.day_in(0))
}

fn on_time(karrio: &Karrio, carrier: &str, asked: &Value) -> Result<(), ErrorReply> {
    let is_turned = text(asked, "ready_time") >= text(asked, "closing_time");
    if !is_over(karrio, asked) && !is_turned {
        return Ok(());
    }
    let message = "The pickup date and time are invalid";
    let message = json!({"carrier_name": carrier, "code": "9001", "message": message});
    Err(failure(&[message]))
}

#[derive(Deserialize)]
pub(super) struct PickupPage {
    #[serde(default)]
    offset: usize,
    limit: Option<usize>,
}

/// Returns a page of pickups, newest first.
pub(super) async fn list(State(karrio): State<Karrio>, Query(page): Query<PickupPage>) -> Response {
    let (count, results) = {
        let records = karrio.server.records();
        let all = records.pickups().rev();
        let shown = all.skip(page.offset).take(page.limit.unwrap_or(PAGE));
        let shown: Vec<Value> = shown.map(answer).collect();
        (records.pickups().count(), shown)
    };
    let answer = json!({"count": count, "next": null, "previous": null, "results": results});
    reply(&karrio.server, StatusCode::OK, answer)
}

fn find(karrio: &Karrio, id: &str) -> Option<PartnerPickup> {
    karrio.server.records().pickup(number(id)?).cloned()
}

pub(super) async fn read(State(karrio): State<Karrio>, Path(id): Path<String>) -> Response {
    match find(&karrio, &id) {
        Some(pickup) => shown(&karrio, StatusCode::OK, &pickup),
        None => not_found(),
    }
}

/// Moves a pickup to another time.
pub(super) async fn change(
    State(karrio): State<Karrio>,
    Path(id): Path<String>,
    body: JsonBody,
) -> Response {
    let changes = fields_of(body);
    let Some(mut pickup) = find(&karrio, &id) else {
        return not_found();
    };
    if text(&changes, "confirmation_number").is_none() {
        return invalid(&json!({"confirmation_number": ["This field is required."]}));
    }
    if pickup.cancelled {
        return written(cancelled());
    }
    for field in WHEN {
        if let Some(value) = text(&changes, field) {
            pickup.asked[field] = json!(value);
        }
    }
    if let Err(refusal) = on_time(&karrio, &pickup.carrier_name, &pickup.asked) {
        return written(refusal);
    }
    karrio.server.records().save_pickup(pickup.clone());
    shown(&karrio, StatusCode::OK, &pickup)
}

fn cancelled() -> ErrorReply {
    let message = "The pickup is 'cancelled' and can not be updated anymore...";
    refusal(409, "state_error", message)
}

/// Cancels a pickup; a second cancellation fails.
pub(super) async fn cancel(State(karrio): State<Karrio>, Path(id): Path<String>) -> Response {
    let Some(mut pickup) = find(&karrio, &id) else {
        return not_found();
    };
    if pickup.cancelled {
        return written(cancelled());
    }
    pickup.cancelled = true;
    karrio.server.records().save_pickup(pickup.clone());
    shown(&karrio, StatusCode::OK, &pickup)
}
