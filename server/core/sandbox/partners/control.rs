//! The control API of a partner; the documentation of the module `partners` lists its calls.

use std::collections::HashMap;

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::{Json, Router};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::super::wire::{ControlJson, Refusal, not_found, with_changes};
use super::partner::Partner;
use super::records::{PartnerScan, PartnerSettings, PartnerShipment, ScanTold};
use crate::methods::{get, patch, post};

pub(super) fn routes(partner: &Partner) -> Router {
    let path = &format!("/__sim{}", partner.path());
    Router::new()
        .route(&format!("{path}/settings"), get(settings).merge(patch(change_settings)))
        .route(&format!("{path}/shipments"), get(shipments))
        .route(&format!("{path}/pickups"), get(pickups))
        .route(&format!("{path}/places"), get(places))
        .route(&format!("{path}/book"), get(book))
        .route(&format!("{path}/callbacks"), get(callbacks))
        .route(&format!("{path}/shipments/{{number}}/scan"), post(scan))
        .with_state(partner.clone())
        .merge(partner.interceptor.control(path))
}

async fn settings(State(partner): State<Partner>) -> Json<PartnerSettings> {
    Json(partner.records().settings.clone())
}

async fn change_settings(
    State(partner): State<Partner>,
    ControlJson(changes): ControlJson<Map<String, Value>>,
) -> Result<Json<PartnerSettings>, Refusal> {
    let mut records = partner.records();
    let settings = with_changes(&records.settings, changes)?;
    records.set_settings(settings.clone());
    Ok(Json(settings))
}

async fn shipments(State(partner): State<Partner>) -> Json<Vec<Value>> {
    let records = partner.records();
    let mut counts: HashMap<&str, [u32; 2]> = HashMap::new();
    for shipment in records.shipments() {
        let [created, bought] = counts.entry(&shipment.reference).or_default();
        *created += 1;
        *bought += u32::from(shipment.bought.is_some());
    }
    let rows = records
        .shipments()
        .map(|shipment| shipment_json(shipment, counts[shipment.reference.as_str()]));
    Json(rows.collect())
}

/// Returns the partner's own book: the shipments that it will carry, and their prices.
async fn book(State(partner): State<Partner>) -> Json<Vec<Value>> {
    let records = partner.records();
    let carried = records.shipments().filter(|it| it.is_carried());
    let rows = carried.map(|shipment| {
        let paise = shipment.bought.as_ref().map(|bought| bought.offer.paise);
        json!({"reference": shipment.reference, "number": shipment.awb(), "charge_paise": paise})
    });
    Json(rows.collect())
}

/// Returns the places that were added to pick up from.
async fn places(State(partner): State<Partner>) -> Json<Vec<Value>> {
    Json(partner.records().places.clone())
}

async fn pickups(State(partner): State<Partner>) -> Json<Vec<Value>> {
    Json(partner.records().pickups.values().map(|it| json!(it)).collect())
}

/// Returns a shipment, with the number of times that its reference was created and bought.
fn shipment_json(shipment: &PartnerShipment, [created, bought]: [u32; 2]) -> Value {
    let offer = shipment.bought.as_ref().map(|bought| &bought.offer);
    json!({
        "reference": shipment.reference,
        "created": created, "bought": bought,
        "number": shipment.awb(),
        "status": status_word(shipment),
        "service": offer.map(|offer| &offer.service),
        "charge_paise": offer.map(|offer| offer.paise),
        "pickup_ordered": shipment.pickup_ordered, "pickup_day": shipment.pickup_day,
        "pickup_requests": shipment.pickup_requests,
        "scans": shipment.history(),
        "asked": shipment.asked,
    })
}

fn status_word(shipment: &PartnerShipment) -> &str {
    match shipment.last_status() {
        _ if shipment.cancelled => "cancelled",
        _ if shipment.cancel_asked_ms.is_some() => "cancelling",
        Some(status) => status,
        None if shipment.bought.is_some() => "booked",
        None => "draft",
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NewScan {
    status: String,
    #[serde(default)]
    location: String,
    #[serde(default)]
    remarks: String,
    #[serde(default)]
    minutes_ago: u32,
    #[serde(default)]
    told: ScanTold,
    #[serde(default)]
    local: Option<String>,
    #[serde(default)]
    code: Option<String>,
    #[serde(default)]
    reason: Option<String>,
}

async fn scan(
    State(partner): State<Partner>,
    Path(number): Path<String>,
    ControlJson(scan): ControlJson<NewScan>,
) -> Result<StatusCode, Refusal> {
    let at_ms = partner.now_ms() - i64::from(scan.minutes_ago) * 60_000;
    let scan = PartnerScan {
        status: scan.status,
        location: scan.location,
        remarks: scan.remarks,
        at_ms,
        told: scan.told,
        local: scan.local,
        code: scan.code,
        reason: scan.reason,
    };
    if !partner.scan(&number, scan) {
        return Err(not_found("No shipment with this number."));
    }
    Ok(StatusCode::NO_CONTENT)
}

async fn callbacks(State(partner): State<Partner>) -> Response {
    Json(&*partner.callbacks.entries()).into_response()
}
