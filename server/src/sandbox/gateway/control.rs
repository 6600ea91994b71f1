//! The control API below `/__sim/`; the documentation of the module `gateway` lists its calls.

use axum::extract::{Path, Query, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::{Json, Router};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::super::control::{ControlJson, bad_request, changed, not_found};
use super::Gateway;
use super::answers::{self, CallbackNotice};
use super::declines::decline;
use super::orders::{Act, PaymentState, PhonePeOrder};
use super::settings::CallbackMode;
use crate::methods::{delete, get, patch, post};

pub(super) fn routes() -> Router<Gateway> {
    Router::new()
        .route(
            "/__sim/settings",
            get(settings).merge(patch(change_settings)),
        )
        .route("/__sim/clock", get(clock).merge(post(advance_clock)))
        .route("/__sim/orders", get(orders))
        .route("/__sim/report", get(report))
        .route("/__sim/orders/{id}", get(order))
        .route("/__sim/orders/{id}/act", post(act))
        .route("/__sim/orders/{id}/callback", post(callback))
        .route("/__sim/tokens/revoke", post(revoke))
        .route(
            "/__sim/callbacks",
            get(callbacks).merge(delete(clear_callbacks)),
        )
}

fn no_such_order() -> Response {
    not_found("No order with this id.")
}

async fn settings(State(gateway): State<Gateway>) -> Response {
    Json(gateway.records().settings.clone()).into_response()
}

async fn change_settings(
    State(gateway): State<Gateway>,
    ControlJson(changes): ControlJson<Map<String, Value>>,
) -> Response {
    let mut records = gateway.records();
    match changed(&records.settings, changes) {
        Ok(settings) => {
            records.set_settings(settings);
            Json(records.settings.clone()).into_response()
        }
        Err(problem) => bad_request(&problem),
    }
}

async fn clock(State(gateway): State<Gateway>) -> Response {
    Json(json!({"now_ms": gateway.records().now_ms()})).into_response()
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Advance {
    advance_ms: i64,
}

async fn advance_clock(
    State(gateway): State<Gateway>,
    ControlJson(Advance { advance_ms }): ControlJson<Advance>,
) -> Response {
    if !(0..=YEAR_MS).contains(&advance_ms) {
        return bad_request("advance_ms is 0 to a year");
    }
    let (notices, settings, now_ms) = {
        let mut records = gateway.records();
        records.advance_clock(advance_ms);
        (
            records.catch_up(),
            records.settings.clone(),
            records.now_ms(),
        )
    };
    gateway.sender.send_soon(settings, notices);
    Json(json!({"now_ms": now_ms})).into_response()
}

/// The maximum that the clock is advanced at once (milliseconds).
const YEAR_MS: i64 = 366 * 86_400_000;

async fn orders(State(gateway): State<Gateway>) -> Response {
    let orders: Vec<Value> = gateway.records().orders().map(shown).collect();
    Json(orders).into_response()
}

async fn order(State(gateway): State<Gateway>, Path(id): Path<String>) -> Response {
    gateway
        .records()
        .order(&id)
        .map_or_else(no_such_order, |order| Json(shown(order)).into_response())
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
fn shown(order: &PhonePeOrder) -> Value {
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
) -> Response {
    if !has_known_codes(&act) {
        return bad_request("no such decline code, or after_ms below zero");
    }
    let (notices, settings, order) = {
        let mut records = gateway.records();
        let Some(notices) = records.act(&id, act) else {
            return no_such_order();
        };
        (
            notices,
            records.settings.clone(),
            records.order(&id).map(shown),
        )
    };
    gateway.sender.send_soon(settings, notices);
    Json(order).into_response()
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
) -> Response {
    let (notice, mut settings) = {
        let records = gateway.records();
        let Some(order) = records.order(&id) else {
            return no_such_order();
        };
        (current_notice(order), records.settings.clone())
    };
    settings.callbacks = mode.unwrap_or(CallbackMode::AfterRedirect);
    match gateway.sender.send(&settings, &notice).await {
        Some(sent) => Json(sent).into_response(),
        None => bad_request("callback_url is not set"),
    }
}

/// Returns the callback about the present state of an order.
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
    Json(gateway.sender.sent().clone()).into_response()
}

async fn clear_callbacks(State(gateway): State<Gateway>) -> StatusCode {
    gateway.sender.sent().clear();
    StatusCode::NO_CONTENT
}
