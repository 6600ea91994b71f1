//! The protocol that the merchant's server speaks: token, pay, status, refund. Its rules are those
//! of developer.phonepe.com, "Standard Checkout".

use axum::extract::rejection::{FormRejection, JsonRejection};
use axum::extract::{Path, Query, Request, State};
use axum::http::HeaderMap;
use axum::middleware::{Next, from_fn_with_state};
use axum::{Form, Json, Router};
use serde::Deserialize;
use serde_json::{Value, json};

use super::super::interceptor::Protocol;
use super::super::wire::{Answer, JsonAnswer, ProtocolError, Refusal, host};
use super::answers;
use super::orders::{PhonePeAttempt, PhonePeOrder};
use super::records::{RefundRefusal, random_hex};
use super::state::Gateway;
use crate::methods::{get, post};
use crate::model::payment::is_merchant_order_id;
use crate::model::settings::secret::Secret;
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
    operations: &[
        ["token", "*", "v1/oauth/token"],
        ["pay", "*", "checkout/v2/pay"],
        ["pay", "*", "checkout/v2/sdk/order"],
        ["status", "*", "checkout/v2/**"],
        ["refund", "POST", "payments/v2/**"],
        ["refund_status", "*", "payments/v2/**"],
        // The pay page and its script.
        ["page", "*", "**"],
    ],
    error_reply,
};

fn error_reply(error: ProtocolError) -> Refusal {
    match error {
        ProtocolError::Rejected => bad_request("The request is not taken."),
        ProtocolError::Unauthorized => {
            refuse(401, "AUTHORIZATION_FAILED", "The token is not valid.")
        }
        ProtocolError::Forbidden => refuse(403, "FORBIDDEN", "This merchant may not."),
        ProtocolError::NotFound => refuse(404, "NOT_FOUND", "There is no such call."),
        ProtocolError::TooLarge => refuse(413, "BAD_REQUEST", "The body is too large."),
        ProtocolError::TooMany => refuse(429, "TOO_MANY_REQUESTS", "Ask less often."),
        ProtocolError::Broken => {
            refuse(500, "INTERNAL_SERVER_ERROR", "There is an error on our side.")
        }
    }
}

pub(super) fn routes(gateway: &Gateway) -> Router<Gateway> {
    Router::new()
        .route("/checkout/v2/pay", post(pay))
        .route("/checkout/v2/sdk/order", post(sdk_order))
        .route("/checkout/v2/order/{id}/status", get(status))
        .route("/checkout/v2/transaction/{id}/status", get(transaction_status))
        .route("/payments/v2/refund", post(refund))
        .route("/payments/v2/refund/{id}/status", get(refund_status))
        .layer(from_fn_with_state(gateway.clone(), authorised))
        .route("/v1/oauth/token", post(token))
}

/// Returns an error in PhonePe's format.
fn refuse(status: u16, code: &str, message: &str) -> Refusal {
    Refusal(status, json!({"code": code, "message": message, "data": {}}))
}

fn bad_request(message: &str) -> Refusal {
    refuse(400, "BAD_REQUEST", message)
}

fn no_such_order() -> Refusal {
    refuse(400, "MERCHANT_ORDER_MAPPING_NOT_FOUND", "No order with this id.")
}

#[derive(Deserialize)]
struct TokenRequest {
    client_id: String,
    client_secret: Secret,
    client_version: String,
    grant_type: String,
}

/// Grants an `O-Bearer` token for a form with the client's credentials. Times are epoch seconds.
async fn token(
    State(gateway): State<Gateway>,
    form: Result<Form<TokenRequest>, FormRejection>,
) -> JsonAnswer {
    let client = &gateway.client;
    let is_client = form.is_ok_and(|Form(form)| {
        form.client_id == client.name
            && client.secret.is(form.client_secret.expose().as_bytes())
            && form.client_version.parse::<u32>().is_ok()
            && form.grant_type == "client_credentials"
    });
    if !is_client {
        return Err(Refusal(
            400,
            json!({
                "code": "INVALID_CLIENT", "errorCode": "OIM000", "message": "Bad_Request",
                "context": {"errorDescription": "Client Authentication Failure"},
            }),
        ));
    }
    let (now_ms, life_s) = {
        let records = gateway.records();
        (records.now_ms(), records.settings.token_life_s)
    };
    let token = random_hex();
    let (issued, expires) = (now_ms / 1_000, now_ms / 1_000 + life_s);
    gateway.tokens.grant(&token, now_ms, expires);
    Ok(Json(json!({
        "access_token": token, "encrypted_access_token": token, "token_type": "O-Bearer",
        "expires_in": null, "issued_at": issued,
        "expires_at": expires, "session_expires_at": expires,
    })))
}

async fn authorised(State(gateway): State<Gateway>, request: Request, next: Next) -> Answer {
    let now_ms = gateway.records().now_ms();
    if !gateway.tokens.admit(request.headers(), "O-Bearer ", now_ms) {
        return Err(error_reply(ProtocolError::Unauthorized));
    }
    Ok(next.run(request).await)
}

type JsonBody = Result<Json<Value>, JsonRejection>;

fn fields(body: JsonBody) -> Result<Value, Refusal> {
    body.map(|Json(fields)| fields).map_err(|_| bad_request("The body is not JSON."))
}

async fn pay(State(gateway): State<Gateway>, headers: HeaderMap, body: JsonBody) -> JsonAnswer {
    let order = create_order(&gateway, &fields(body)?)?;
    let page = format!("http://{}/transact?token={}", host(&headers), order.page_token);
    Ok(Json(json!({
        "orderId": order.order_id, "state": order.state, "expireAt": order.expire_ms,
        "redirectUrl": page,
    })))
}

/// Creates an order for PhonePe's screens inside an app: with a token instead of a page.
async fn sdk_order(State(gateway): State<Gateway>, body: JsonBody) -> JsonAnswer {
    let order = create_order(&gateway, &fields(body)?)?;
    Ok(Json(json!({
        "orderId": order.order_id, "state": order.state, "expireAt": order.expire_ms,
        "token": order.page_token,
    })))
}

/// Creates the order in the request's body.
fn create_order(gateway: &Gateway, body: &Value) -> Result<PhonePeOrder, Refusal> {
    let mut records = gateway.records();
    let order = requested(body, records.now_ms()).map_err(bad_request)?;
    let status = records.settings.duplicate_status;
    records.create(order).ok_or_else(|| duplicate(status))
}

fn duplicate(status: u16) -> Refusal {
    let code = match status {
        400 => "ORDER_ALREADY_EXISTS",
        _ => "INVALID_TRANSACTION_ID",
    };
    refuse(status, code, "The merchant order id was used before.")
}

/// Reads and checks the body of `pay`: an order without ids.
fn requested(body: &Value, created_ms: i64) -> Result<PhonePeOrder, &'static str> {
    let id = body["merchantOrderId"].as_str().filter(|id| is_merchant_order_id(id));
    let id = id.ok_or("merchantOrderId must be 1 to 63 of A-Z a-z 0-9 _ -")?;
    let amount = amount(body)?;
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
    let redirect_url = flow["merchantUrls"]["redirectUrl"].as_str().filter(|url| is_web_url(url));
    let redirect_url = redirect_url.ok_or("redirectUrl must be an absolute URL")?;
    let meta_info = body.get("metaInfo").filter(|meta| !meta.is_null()).cloned();
    if !meta_info.as_ref().is_none_or(is_meta_info) {
        return Err("metaInfo must hold texts of at most 256 characters");
    }
    Ok(PhonePeOrder {
        merchant_order_id: id.to_owned(),
        amount,
        redirect_url: redirect_url.to_owned(),
        meta_info,
        created_ms,
        expire_ms: created_ms + expire_after_s * 1_000,
        ..PhonePeOrder::default()
    })
}

fn amount(body: &Value) -> Result<i64, &'static str> {
    let amount = body["amount"].as_i64().filter(|it| *it >= AMOUNT_MIN);
    amount.ok_or("amount must be a whole number of paise, at least 100")
}

fn is_meta_info(meta: &Value) -> bool {
    let short = |text: &Value| text.as_str().is_some_and(|t| t.chars().count() <= META_CHARS_MAX);
    meta.as_object().is_some_and(|fields| fields.values().all(short))
}

/// Returns true if a flag of the query is set. PhonePe's own client sends `details` twice with the
/// same value.
fn flag(query: &[(String, String)], name: &str) -> bool {
    let mut values = query.iter().filter(|(key, _)| key == name);
    values.next_back().is_some_and(|(_, value)| value == "true")
}

/// Returns one attempt to pay, by PhonePe's id of it: the order with this attempt only.
async fn transaction_status(State(gateway): State<Gateway>, Path(id): Path<String>) -> JsonAnswer {
    let is_named = |it: &PhonePeAttempt| it.transaction_id == id;
    let has_it = |order: &&PhonePeOrder| order.attempts.iter().any(is_named);
    let order = gateway.records().orders().find(has_it).cloned();
    let unknown = || refuse(400, "TRANSACTION_NOT_FOUND", "No transaction with this id.");
    let mut order = order.ok_or_else(unknown)?;
    order.attempts.retain(is_named);
    Ok(Json(answers::order_status(&order, true, true)))
}

async fn status(
    State(gateway): State<Gateway>,
    Path(id): Path<String>,
    Query(query): Query<Vec<(String, String)>>,
) -> JsonAnswer {
    let (details, error_context) = (flag(&query, "details"), flag(&query, "errorContext"));
    let (status, unknown_fields) = gateway.change(|records| {
        records.catch_up_order(&id);
        let order = records.order(&id);
        let status = order.map(|it| answers::order_status(it, details, error_context));
        (status, records.settings.unknown_fields)
    });
    let mut status = status.ok_or_else(no_such_order)?;
    if unknown_fields && gateway.interceptor.is_odd() {
        status["currency"] = json!("INR");
        status["payableAmount"] = status["amount"].clone();
        status["feeAmount"] = json!(0);
        status["offers"] = json!([{"kind": "none", "nested": {"deep": [1, null, "x"]}}]);
    }
    Ok(Json(status))
}

async fn refund(State(gateway): State<Gateway>, body: JsonBody) -> JsonAnswer {
    let body = fields(body)?;
    let text = |key: &str| body[key].as_str().filter(|id| is_merchant_order_id(id));
    let (Some(id), Some(order_id)) = (text("merchantRefundId"), text("originalMerchantOrderId"))
    else {
        return Err(bad_request("merchantRefundId and originalMerchantOrderId are needed"));
    };
    let amount = amount(&body).map_err(bad_request)?;
    let mut records = gateway.records();
    let status = records.settings.duplicate_status;
    let refund = records.create_refund(id, order_id, amount);
    let refund = refund.map_err(|refusal| match refusal {
        RefundRefusal::Duplicate => duplicate(status),
        RefundRefusal::NoSuchOrder => no_such_order(),
        RefundRefusal::NotCompleted => bad_request("The order is not completed."),
        RefundRefusal::TooMuch => {
            let code = "REFUND_AMOUNT_EXCEEDS_ORIGINAL";
            refuse(400, code, "More than what is left of the payment.")
        }
    })?;
    Ok(Json(json!({
        "refundId": refund.refund_id, "amount": refund.amount, "state": refund.state,
    })))
}

async fn refund_status(State(gateway): State<Gateway>, Path(id): Path<String>) -> JsonAnswer {
    let status = gateway.change(|records| {
        records.catch_up_refund(&id);
        records.refund(&id).map(answers::refund_status)
    });
    let code = "MERCHANT_REFUND_MAPPING_NOT_FOUND";
    Ok(Json(status.ok_or_else(|| refuse(400, code, "No refund with this id."))?))
}
