//! The protocol that the merchant's server speaks: token, pay, status, refund. Its rules are those
//! of developer.phonepe.com, "Standard Checkout".

use axum::extract::rejection::{FormRejection, JsonRejection};
use axum::extract::{Path, Query, Request, State};
use axum::http::{HeaderMap, Method, StatusCode, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::{Form, Json, Router};
use serde_json::{Value, json};

use super::super::interceptor::{Protocol, ProtocolError};
use super::orders::{OrderRequest, PhonePeOrder};
use super::records::RefundRefusal;
use super::{Gateway, answers, tokens};
use crate::methods::{get, post};
use crate::model::gateway::is_merchant_order_id;
use crate::model::settings::web_url::is_web_url;

/// The minimum amount of an order or refund (paise).
const AMOUNT_MIN: i64 = 100;
/// The lifetime of an order: default, minimum and maximum (seconds).
const EXPIRE_AFTER_S: i64 = 600;
const EXPIRE_AFTER_S_MIN: i64 = 300;
const EXPIRE_AFTER_S_MAX: i64 = 3_600;
/// The longest text in `metaInfo` (characters).
const META_CHARS_MAX: usize = 256;

pub(super) static PROTOCOL: Protocol = Protocol {
    operations: &["token", "pay", "status", "refund", "refund_status", "page"],
    operation,
    error_reply,
};

fn operation(method: &Method, path: &str) -> &'static str {
    match path {
        "/v1/oauth/token" => "token",
        "/checkout/v2/pay" | "/checkout/v2/sdk/order" => "pay",
        _ if path.starts_with("/checkout/v2/") => "status",
        _ if path.starts_with("/payments/v2/") && method == Method::POST => "refund",
        _ if path.starts_with("/payments/v2/") => "refund_status",
        // The pay page and its script.
        _ => "page",
    }
}

fn error_reply(error: ProtocolError) -> Response {
    let (status, code, message) = match error {
        ProtocolError::Rejected => (
            StatusCode::BAD_REQUEST,
            "BAD_REQUEST",
            "The request is not taken.",
        ),
        ProtocolError::Unauthorized => (
            StatusCode::UNAUTHORIZED,
            "AUTHORIZATION_FAILED",
            "The token is not valid.",
        ),
        ProtocolError::Forbidden => (StatusCode::FORBIDDEN, "FORBIDDEN", "This merchant may not."),
        ProtocolError::NotFound => (StatusCode::NOT_FOUND, "NOT_FOUND", "There is no such call."),
        ProtocolError::TooLarge => (
            StatusCode::PAYLOAD_TOO_LARGE,
            "BAD_REQUEST",
            "The body is too large.",
        ),
        ProtocolError::TooMany => (
            StatusCode::TOO_MANY_REQUESTS,
            "TOO_MANY_REQUESTS",
            "Ask less often.",
        ),
        ProtocolError::Broken => (
            StatusCode::INTERNAL_SERVER_ERROR,
            "INTERNAL_SERVER_ERROR",
            "There is an error on our side.",
        ),
    };
    refuse(status, code, message)
}

pub(super) fn routes(gateway: &Gateway) -> Router<Gateway> {
    Router::new()
        .route("/checkout/v2/pay", post(pay))
        .route("/checkout/v2/sdk/order", post(sdk_order))
        .route("/checkout/v2/order/{id}/status", get(status))
        .route(
            "/checkout/v2/transaction/{id}/status",
            get(transaction_status),
        )
        .route("/payments/v2/refund", post(refund))
        .route("/payments/v2/refund/{id}/status", get(refund_status))
        .layer(from_fn_with_state(gateway.clone(), authorised))
        .route("/v1/oauth/token", post(token))
}

/// Returns an error in PhonePe's format.
fn refuse(status: StatusCode, code: &str, message: &str) -> Response {
    (
        status,
        Json(json!({"code": code, "message": message, "data": {}})),
    )
        .into_response()
}

fn bad_request(message: &str) -> Response {
    refuse(StatusCode::BAD_REQUEST, "BAD_REQUEST", message)
}

async fn token(
    State(gateway): State<Gateway>,
    form: Result<Form<tokens::TokenRequest>, FormRejection>,
) -> Response {
    let (now_ms, life_s) = {
        let records = gateway.records();
        (records.now_ms(), records.settings.token_life_s)
    };
    let given = form
        .ok()
        .and_then(|Form(request)| gateway.tokens.give(&request, now_ms, life_s));
    match given {
        Some(token) => Json(token).into_response(),
        None => {
            let body = json!({
                "code": "INVALID_CLIENT",
                "errorCode": "OIM000",
                "message": "Bad_Request",
                "context": {"errorDescription": "Client Authentication Failure"},
            });
            (StatusCode::BAD_REQUEST, Json(body)).into_response()
        }
    }
}

async fn authorised(State(gateway): State<Gateway>, request: Request, next: Next) -> Response {
    let shown = request
        .headers()
        .get(header::AUTHORIZATION)
        .and_then(|value| value.to_str().ok());
    let now_ms = gateway.records().now_ms();
    if gateway.tokens.are_shown(shown, now_ms) {
        next.run(request).await
    } else {
        error_reply(ProtocolError::Unauthorized)
    }
}

async fn pay(
    State(gateway): State<Gateway>,
    headers: HeaderMap,
    body: Result<Json<Value>, JsonRejection>,
) -> Response {
    let order = match ordered(&gateway, body) {
        Ok(order) => order,
        Err(refusal) => return *refusal,
    };
    // The page's address has the host name by which this sandbox was called.
    let host = headers
        .get(header::HOST)
        .and_then(|host| host.to_str().ok())
        .unwrap_or("localhost");
    Json(json!({
        "orderId": order.order_id,
        "state": order.state,
        "expireAt": order.expire_ms,
        "redirectUrl": format!("http://{host}/transact?token={}", order.page_token),
    }))
    .into_response()
}

/// Creates an order for PhonePe's screens inside an app: with a token instead of a page.
async fn sdk_order(
    State(gateway): State<Gateway>,
    body: Result<Json<Value>, JsonRejection>,
) -> Response {
    match ordered(&gateway, body) {
        Ok(order) => Json(json!({
            "orderId": order.order_id,
            "state": order.state,
            "expireAt": order.expire_ms,
            "token": order.page_token,
        }))
        .into_response(),
        Err(refusal) => *refusal,
    }
}

/// Creates the order in the request's body.
fn ordered(
    gateway: &Gateway,
    body: Result<Json<Value>, JsonRejection>,
) -> Result<PhonePeOrder, Box<Response>> {
    let Ok(Json(body)) = body else {
        return Err(Box::new(bad_request("The body is not JSON.")));
    };
    let request = order_request(&body).map_err(|message| Box::new(bad_request(message)))?;
    let mut records = gateway.records();
    let duplicate_status = u16::from(records.settings.duplicate_status);
    let order = records.create(request);
    order.ok_or_else(|| Box::new(duplicate(duplicate_status)))
}

fn duplicate(status: u16) -> Response {
    let status = StatusCode::from_u16(status).unwrap_or(StatusCode::BAD_REQUEST);
    let code = match status {
        StatusCode::EXPECTATION_FAILED => "INVALID_TRANSACTION_ID",
        _ => "ORDER_ALREADY_EXISTS",
    };
    refuse(status, code, "The merchant order id was used before.")
}

/// Reads and checks the body of `pay`.
fn order_request(body: &Value) -> Result<OrderRequest, &'static str> {
    let id = body["merchantOrderId"]
        .as_str()
        .filter(|id| is_merchant_order_id(id));
    let id = id.ok_or("merchantOrderId must be 1 to 63 of A-Z a-z 0-9 _ -")?;
    let amount = body["amount"]
        .as_i64()
        .filter(|&amount| amount >= AMOUNT_MIN);
    let amount = amount.ok_or("amount must be a whole number of paise, at least 100")?;
    let expire_after_s = match &body["expireAfter"] {
        Value::Null => EXPIRE_AFTER_S,
        seconds => seconds
            .as_i64()
            .filter(|seconds| (EXPIRE_AFTER_S_MIN..=EXPIRE_AFTER_S_MAX).contains(seconds))
            .ok_or("expireAfter must be 300 to 3600")?,
    };
    let flow = &body["paymentFlow"];
    if flow["type"] != "PG_CHECKOUT" {
        return Err("paymentFlow.type must be PG_CHECKOUT");
    }
    let redirect_url = flow["merchantUrls"]["redirectUrl"]
        .as_str()
        .filter(|url| is_web_url(url));
    let redirect_url = redirect_url.ok_or("redirectUrl must be an absolute URL")?;
    let meta_info = body.get("metaInfo").filter(|meta| !meta.is_null()).cloned();
    if !meta_info.as_ref().is_none_or(is_meta_info) {
        return Err("metaInfo must hold texts of at most 256 characters");
    }
    Ok(OrderRequest {
        merchant_order_id: id.to_owned(),
        amount,
        expire_after_s,
        redirect_url: redirect_url.to_owned(),
        meta_info,
    })
}

fn is_meta_info(meta: &Value) -> bool {
    let short = |text: &Value| {
        text.as_str()
            .is_some_and(|t| t.chars().count() <= META_CHARS_MAX)
    };
    meta.as_object()
        .is_some_and(|fields| fields.values().all(short))
}

/// Returns true if a flag of the query is set. PhonePe's own client sends `details` twice with the
/// same value.
fn flag(query: &[(String, String)], name: &str) -> bool {
    let mut values = query.iter().filter(|(key, _)| key == name);
    values.next_back().is_some_and(|(_, value)| value == "true")
}

/// Returns one attempt to pay, by PhonePe's id of it: the order with this attempt only.
async fn transaction_status(State(gateway): State<Gateway>, Path(id): Path<String>) -> Response {
    let order = gateway.records().orders().find_map(|order| {
        let attempt = order.attempts.iter().find(|it| it.transaction_id == id)?;
        let attempts = vec![attempt.clone()];
        Some(PhonePeOrder {
            attempts,
            ..order.clone()
        })
    });
    match order {
        Some(order) => Json(answers::order_status(&order, true, true)).into_response(),
        None => {
            let code = "TRANSACTION_NOT_FOUND";
            refuse(
                StatusCode::BAD_REQUEST,
                code,
                "No transaction with this id.",
            )
        }
    }
}

async fn status(
    State(gateway): State<Gateway>,
    Path(id): Path<String>,
    Query(query): Query<Vec<(String, String)>>,
) -> Response {
    let (details, error_context) = (flag(&query, "details"), flag(&query, "errorContext"));
    let (notices, settings, status) = {
        let mut records = gateway.records();
        let notices = records.catch_up_order(&id);
        let order = records.order(&id);
        let status = order.map(|o| answers::order_status(o, details, error_context));
        (notices, records.settings.clone(), status)
    };
    let unknown_fields = settings.unknown_fields;
    gateway.sender.send_soon(settings, notices);
    let Some(mut status) = status else {
        let code = "MERCHANT_ORDER_MAPPING_NOT_FOUND";
        return refuse(StatusCode::BAD_REQUEST, code, "No order with this id.");
    };
    if unknown_fields && gateway.interceptor.is_odd() {
        status["currency"] = json!("INR");
        status["payableAmount"] = status["amount"].clone();
        status["feeAmount"] = json!(0);
        status["offers"] = json!([{"kind": "none", "nested": {"deep": [1, null, "x"]}}]);
    }
    Json(status).into_response()
}

async fn refund(
    State(gateway): State<Gateway>,
    body: Result<Json<Value>, JsonRejection>,
) -> Response {
    let Ok(Json(body)) = body else {
        return bad_request("The body is not JSON.");
    };
    let text = |key: &str| body[key].as_str().filter(|id| is_merchant_order_id(id));
    let (Some(id), Some(order_id)) = (text("merchantRefundId"), text("originalMerchantOrderId"))
    else {
        return bad_request("merchantRefundId and originalMerchantOrderId are needed");
    };
    let Some(amount) = body["amount"]
        .as_i64()
        .filter(|&amount| amount >= AMOUNT_MIN)
    else {
        return bad_request("amount must be a whole number of paise, at least 100");
    };
    let (refund, duplicate_status) = {
        let mut records = gateway.records();
        let refund = records.create_refund(id, order_id, amount);
        (refund, u16::from(records.settings.duplicate_status))
    };
    match refund {
        Ok(refund) => {
            let answer = json!({
                "refundId": refund.refund_id,
                "amount": refund.amount,
                "state": refund.state,
            });
            Json(answer).into_response()
        }
        Err(RefundRefusal::Duplicate) => duplicate(duplicate_status),
        Err(RefundRefusal::NoSuchOrder) => refuse(
            StatusCode::BAD_REQUEST,
            "MERCHANT_ORDER_MAPPING_NOT_FOUND",
            "No order with this id.",
        ),
        Err(RefundRefusal::NotCompleted) => bad_request("The order is not completed."),
        Err(RefundRefusal::TooMuch) => refuse(
            StatusCode::BAD_REQUEST,
            "REFUND_AMOUNT_EXCEEDS_ORIGINAL",
            "More than what is left of the payment.",
        ),
    }
}

async fn refund_status(State(gateway): State<Gateway>, Path(id): Path<String>) -> Response {
    let (notices, settings, status) = {
        let mut records = gateway.records();
        let notices = records.catch_up_refund(&id);
        let status = records.refund(&id).map(answers::refund_status);
        (notices, records.settings.clone(), status)
    };
    gateway.sender.send_soon(settings, notices);
    match status {
        Some(status) => Json(status).into_response(),
        None => {
            let code = "MERCHANT_REFUND_MAPPING_NOT_FOUND";
            refuse(StatusCode::BAD_REQUEST, code, "No refund with this id.")
        }
    }
}
