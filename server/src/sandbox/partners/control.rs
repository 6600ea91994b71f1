//! The control API of a partner; the module documentation of the partners lists it.

use std::collections::HashMap;

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::super::control::{Told, bad_request, changed, not_found};
use super::book::{Scan, Shipment};
use super::desk::Desk;

/// What every partner can be told, below this path.
pub(super) fn routes(desk: &Desk, path: &str) -> Router {
    Router::new()
        .route(
            &format!("{path}/settings"),
            get(settings).patch(change_settings),
        )
        .route(&format!("{path}/shipments"), get(shipments))
        .route(&format!("{path}/callbacks"), get(callbacks))
        .route(&format!("{path}/shipments/{{number}}/scan"), post(scan))
        .with_state(desk.clone())
        .merge(desk.watch.control(path))
}

async fn settings(State(desk): State<Desk>) -> Response {
    Json(desk.book().settings.clone()).into_response()
}

async fn change_settings(
    State(desk): State<Desk>,
    Told(changes): Told<Map<String, Value>>,
) -> Response {
    let mut book = desk.book();
    match changed(&book.settings, changes) {
        Ok(settings) => {
            book.set_settings(settings);
            Json(book.settings.clone()).into_response()
        }
        Err(problem) => bad_request(&problem),
    }
}

async fn shipments(State(desk): State<Desk>) -> Response {
    let book = desk.book();
    let mut counts: HashMap<&str, [u32; 2]> = HashMap::new();
    for shipment in book.shipments() {
        let [created, bought] = counts.entry(&shipment.reference).or_default();
        *created += 1;
        *bought += u32::from(shipment.bought.is_some());
    }
    let rows = book
        .shipments()
        .map(|shipment| shown(shipment, counts[shipment.reference.as_str()]));
    Json(rows.collect::<Vec<Value>>()).into_response()
}

/// A shipment, and how often its reference was created and bought in all.
fn shown(shipment: &Shipment, [created, bought]: [u32; 2]) -> Value {
    let offer = shipment.bought.as_ref().map(|bought| &bought.offer);
    json!({
        "reference": shipment.reference,
        "created": created,
        "bought": bought,
        "number": shipment.awb(),
        "status": standing(shipment),
        "service": offer.map(|offer| &offer.service),
        "charge_paise": offer.map(|offer| offer.paise),
        "pickup_ordered": shipment.pickup_ordered,
        "scans": shipment.history(),
        "asked": shipment.asked,
    })
}

fn standing(shipment: &Shipment) -> &str {
    match shipment.last_status() {
        _ if shipment.cancelled => "cancelled",
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
    State(desk): State<Desk>,
    Path(number): Path<String>,
    Told(scan): Told<NewScan>,
) -> Response {
    let at_ms = desk.now_ms() - i64::from(scan.minutes_ago) * 60_000;
    let shipment = {
        let mut book = desk.book();
        let Some(mut shipment) = book.by_awb(&number).cloned() else {
            return not_found("No shipment with this number.");
        };
        shipment.scans.push(Scan {
            status: scan.status,
            location: scan.location,
            remarks: scan.remarks,
            at_ms,
        });
        book.save(shipment.clone());
        shipment
    };
    desk.call_back(shipment);
    StatusCode::NO_CONTENT.into_response()
}

async fn callbacks(State(desk): State<Desk>) -> Response {
    Json(desk.sender.log()).into_response()
}
