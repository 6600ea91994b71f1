//! The control API below `/__sim/`; the documentation of the module `gateway` lists its calls.

use axum::extract::{Path, Query, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::{Json, Router};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::super::wire::{ControlJson, JsonAnswer, Refusal, bad_request, not_found, with_changes};
use super::answers::{self, CallbackNotice};
use super::declines::decline;
use super::orders::{Act, PaymentState, PhonePeOrder};
use super::sender::SentCallback;
use super::settings::{CallbackMode, GatewaySettings};
use super::state::Gateway;
use crate::methods::{delete, get, patch, post};

pub(super) fn routes() -> Router<Gateway> {
    Router::new()
        .route("/__sim/settings", get(settings).merge(patch(change_settings)))
        .route("/__sim/clock", get(clock).merge(post(advance_clock)))
        .route("/__sim/orders", get(orders))
        .route("/__sim/report", get(report))
        .route("/__sim/orders/{id}", get(order))
        .route("/__sim/orders/{id}/act", post(act))
        .route("/__sim/orders/{id}/callback", post(callback))
        .route("/__sim/tokens/revoke", post(revoke))
        .route("/__sim/callbacks", get(callbacks).merge(delete(clear_callbacks)))
}

fn no_such_order() -> Refusal {
    not_found("No order with this id.")
}

async fn settings(State(gateway): State<Gateway>) -> Json<GatewaySettings> {
    Json(gateway.records().settings.clone())
}

async fn change_settings(
    State(gateway): State<Gateway>,
    ControlJson(changes): ControlJson<Map<String, Value>>,
) -> Result<Json<GatewaySettings>, Refusal> {
    let mut records = gateway.records();
    let settings = with_changes(&records.settings, changes)?;
    records.set_settings(settings.clone());
    Ok(Json(settings))
}

async fn clock(State(gateway): State<Gateway>) -> Json<Value> {
    Json(json!({"now_ms": gateway.records().now_ms()}))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Advance {
    advance_ms: i64,
}

/// The maximum that the clock is advanced at once (milliseconds).
const YEAR_MS: i64 = 366 * 86_400_000;

async fn advance_clock(
    State(gateway): State<Gateway>,
    ControlJson(Advance { advance_ms }): ControlJson<Advance>,
) -> JsonAnswer {
    if !(0..=YEAR_MS).contains(&advance_ms) {
        return Err(bad_request("advance_ms is 0 to a year"));
    }
    let now_ms = gateway.change(|records| {
        records.advance_clock(advance_ms);
        records.catch_up();
        records.now_ms()
    });
    Ok(Json(json!({"now_ms": now_ms})))
}

async fn orders(State(gateway): State<Gateway>) -> Json<Vec<Value>> {
    Json(gateway.records().orders().map(order_json).collect())
}

async fn order(State(gateway): State<Gateway>, Path(id): Path<String>) -> JsonAnswer {
    let order = gateway.records().order(&id).map(order_json);
    Ok(Json(order.ok_or_else(no_such_order)?))
}

#[derive(Deserialize)]
struct ReportOf {
    day: String,
}

/// Returns the transactions of a day in India as CSV, as the dashboard does.
async fn report(State(gateway): State<Gateway>, Query(of): Query<ReportOf>) -> Response {
    let csv = answers::report(gateway.records().orders(), &of.day);
    ([(header::CONTENT_TYPE, "text/csv; charset=utf-8")], csv).into_response()
}

/// Returns an order with fields that the protocol does not have.
fn order_json(order: &PhonePeOrder) -> Value {
    let mut json = answers::order_status(order, true, true);
    json["merchantOrderId"] = json!(order.merchant_order_id);
    json["redirectUrl"] = json!(order.redirect_url);
    json["pagePath"] = json!(format!("/transact?token={}", order.page_token));
    json["createdAt"] = json!(order.created_ms);
    json
}

async fn act(
    State(gateway): State<Gateway>,
    Path(id): Path<String>,
    ControlJson(act): ControlJson<Act>,
) -> JsonAnswer {
    if !has_known_codes(&act) {
        return Err(bad_request("no such decline code, or after_ms below zero"));
    }
    let order = gateway.change(|records| records.act(&id, act).map(order_json));
    Ok(Json(order.ok_or_else(no_such_order)?))
}

fn has_known_codes(act: &Act) -> bool {
    match act {
        Act::Pay { .. } => true,
        Act::Decline { code, .. } | Act::FailAttempt { code, .. } => decline(code).is_some(),
        Act::LeavePending { then, after_ms, .. } => {
            *after_ms >= 0 && then.as_deref().is_none_or(has_known_codes)
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CallbackNow {
    mode: Option<CallbackMode>,
}

async fn callback(
    State(gateway): State<Gateway>,
    Path(id): Path<String>,
    ControlJson(CallbackNow { mode }): ControlJson<CallbackNow>,
) -> Result<Json<SentCallback>, Refusal> {
    let (notice, mut settings) = {
        let records = gateway.records();
        let order = records.order(&id).ok_or_else(no_such_order)?;
        (current_notice(order), records.settings.clone())
    };
    settings.callbacks = mode.unwrap_or(CallbackMode::AfterRedirect);
    let callback = gateway.sender.send(&settings, &notice).await;
    Ok(Json(callback.ok_or_else(|| bad_request("callback_url is not set"))?))
}

fn current_notice(order: &PhonePeOrder) -> CallbackNotice {
    let event = match order.state {
        PaymentState::Completed => "checkout.order.completed",
        _ => "checkout.order.failed",
    };
    answers::order_notice(order, event)
}

async fn revoke(State(gateway): State<Gateway>) -> StatusCode {
    gateway.tokens.revoke();
    StatusCode::NO_CONTENT
}

async fn callbacks(State(gateway): State<Gateway>) -> Response {
    Json(&*gateway.sender.sent.entries()).into_response()
}

async fn clear_callbacks(State(gateway): State<Gateway>) -> StatusCode {
    gateway.sender.sent.entries().clear();
    StatusCode::NO_CONTENT
}
