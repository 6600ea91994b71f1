//! The control API of a partner; the documentation of the module `partners` lists its calls.

use std::collections::HashMap;

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::{Json, Router};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::super::control::{ControlJson, bad_request, changed, not_found};
use super::records::{PartnerScan, PartnerShipment};
use super::server::PartnerServer;
use crate::methods::{get, patch, post};

/// Returns the routes that every partner has, below this path.
pub(super) fn routes(server: &PartnerServer, path: &str) -> Router {
    Router::new()
        .route(
            &format!("{path}/settings"),
            get(settings).merge(patch(change_settings)),
        )
        .route(&format!("{path}/shipments"), get(shipments))
        .route(&format!("{path}/pickups"), get(pickups))
        .route(&format!("{path}/book"), get(book))
        .route(&format!("{path}/callbacks"), get(callbacks))
        .route(&format!("{path}/shipments/{{number}}/scan"), post(scan))
        .with_state(server.clone())
        .merge(server.interceptor.control(path))
}

async fn settings(State(server): State<PartnerServer>) -> Response {
    Json(server.records().settings.clone()).into_response()
}

async fn change_settings(
    State(server): State<PartnerServer>,
    ControlJson(changes): ControlJson<Map<String, Value>>,
) -> Response {
    let mut records = server.records();
    match changed(&records.settings, changes) {
        Ok(settings) => {
            records.set_settings(settings);
            Json(records.settings.clone()).into_response()
        }
        Err(problem) => bad_request(&problem),
    }
}

async fn shipments(State(server): State<PartnerServer>) -> Response {
    let records = server.records();
    let mut counts: HashMap<&str, [u32; 2]> = HashMap::new();
    for shipment in records.shipments() {
        let [created, bought] = counts.entry(&shipment.reference).or_default();
        *created += 1;
        *bought += u32::from(shipment.bought.is_some());
    }
    let rows = records
        .shipments()
        .map(|shipment| shown(shipment, counts[shipment.reference.as_str()]));
    Json(rows.collect::<Vec<Value>>()).into_response()
}

/// Returns the partner's own book: the shipments that it will carry, and their prices.
async fn book(State(server): State<PartnerServer>) -> Response {
    let records = server.records();
    let carried = records.shipments().filter(|it| it.is_carried());
    let rows = carried.map(|it| {
        let paise = it.bought.as_ref().map(|bought| bought.offer.paise);
        json!({"reference": it.reference, "number": it.awb(), "charge_paise": paise})
    });
    Json(rows.collect::<Vec<Value>>()).into_response()
}

async fn pickups(State(server): State<PartnerServer>) -> Response {
    let records = server.records();
    let rows = records.pickups().map(|pickup| json!(pickup));
    Json(rows.collect::<Vec<Value>>()).into_response()
}

/// Returns a shipment, with the number of times that its reference was created and bought.
fn shown(shipment: &PartnerShipment, [created, bought]: [u32; 2]) -> Value {
    let offer = shipment.bought.as_ref().map(|bought| &bought.offer);
    json!({
        "reference": shipment.reference,
        "created": created,
        "bought": bought,
        "number": shipment.awb(),
        "status": status_word(shipment),
        "service": offer.map(|offer| &offer.service),
        "charge_paise": offer.map(|offer| offer.paise),
        "pickup_ordered": shipment.pickup_ordered,
        "pickup_day": shipment.pickup_day,
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
}

async fn scan(
    State(server): State<PartnerServer>,
    Path(number): Path<String>,
    ControlJson(scan): ControlJson<NewScan>,
) -> Response {
    let at_ms = server.now_ms() - i64::from(scan.minutes_ago) * 60_000;
    let shipment = {
        let mut records = server.records();
        let Some(mut shipment) = records.by_awb(&number).cloned() else {
            return not_found("No shipment with this number.");
        };
        shipment.scans.push(PartnerScan {
            status: scan.status,
            location: scan.location,
            remarks: scan.remarks,
            at_ms,
        });
        records.save(shipment.clone());
        shipment
    };
    server.call_back(shipment);
    StatusCode::NO_CONTENT.into_response()
}

async fn callbacks(State(server): State<PartnerServer>) -> Response {
    Json(server.sender.log()).into_response()
}
