//! Parses PhonePe's JSON. Only the fields that decide about money are required. Unknown fields,
//! missing optional fields and new states are accepted, because PhonePe adds them without notice.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use crate::model::money::paise::Paise;
use crate::providers::gateway::{OrderState, OrderStatus, RefundState, RefundStatus};
use crate::providers::http::Reply;

/// The length of PhonePe's text in the log (characters).
const MESSAGE_CHARS_MAX: usize = 200;

#[derive(Debug, PartialEq, Eq)]
pub(super) struct Malformed(pub &'static str);

/// The reply to `POST /checkout/v2/pay`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Pay {
    pub order_id: String,
    pub redirect_url: String,
    #[serde(default, deserialize_with = "lenient")]
    pub expire_at: Option<i64>,
}

pub(super) fn pay(body: &[u8]) -> Result<Pay, Malformed> {
    serde_json::from_slice(body).map_err(|_| Malformed("the pay reply cannot be read"))
}

/// The reply of the status endpoint (developer.phonepe.com, Standard Checkout, "Order status").
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Status {
    order_id: String,
    state: String,
    amount: i64,
    merchant_order_id: Option<String>,
    currency: Option<String>,
    payment_details: Option<Vec<Attempt>>,
    #[serde(default, deserialize_with = "lenient")]
    error_code: Option<String>,
    #[serde(default, deserialize_with = "lenient")]
    error_context: Option<ErrorContext>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Attempt {
    transaction_id: Option<String>,
    payment_mode: Option<String>,
    amount: Option<i64>,
    state: Option<String>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase")]
struct ErrorContext {
    #[serde(default, deserialize_with = "lenient")]
    error_code: Option<String>,
    #[serde(default, deserialize_with = "lenient")]
    description: Option<String>,
}

/// Reads a status and checks that it is about the requested order.
pub(super) fn status(body: &[u8], merchant_order_id: &str) -> Result<OrderStatus, Malformed> {
    let status: Status =
        serde_json::from_slice(body).map_err(|_| Malformed("the status cannot be read"))?;
    if status.merchant_order_id.as_deref().is_some_and(|id| id != merchant_order_id) {
        return Err(Malformed("the status is of another order"));
    }
    if status.currency.as_deref().is_some_and(|currency| currency != "INR") {
        return Err(Malformed("the status is in another currency"));
    }
    let amount = positive(status.amount)?;
    let state = match status.state.as_str() {
        "COMPLETED" => completed_state(&status)?,
        "FAILED" => failed_state(status.error_code, status.error_context.unwrap_or_default()),
        // A state that PhonePe added later is not final for us.
        _ => OrderState::Pending,
    };
    Ok(OrderStatus { provider_order_id: status.order_id, amount, state })
}

/// The amount paid is the sum of the attempts that succeeded. A completed order without any attempt
/// in its reply counts as paid in full, as its state says.
fn completed_state(status: &Status) -> Result<OrderState, Malformed> {
    let succeeded = |attempt: &&Attempt| attempt.state.as_deref().is_none_or(|s| s == "COMPLETED");
    let all = status.payment_details.as_deref().unwrap_or_default();
    let attempts: Vec<&Attempt> = all.iter().filter(succeeded).collect();
    if attempts.is_empty() && !all.is_empty() {
        return Err(Malformed("a completed order without a completed attempt"));
    }
    let mut sum = Paise::ZERO;
    for attempt in &attempts {
        let part = positive(attempt.amount.unwrap_or(status.amount))?;
        sum = sum.checked_add(part).ok_or(Malformed("an amount out of range"))?;
    }
    if attempts.is_empty() {
        sum = positive(status.amount)?;
    }
    let latest = attempts.last();
    let transaction_id = latest.and_then(|attempt| attempt.transaction_id.clone());
    let method = latest.and_then(|attempt| attempt.payment_mode.clone());
    Ok(OrderState::Completed {
        transaction_id: transaction_id.unwrap_or_else(|| status.order_id.clone()),
        method: method.unwrap_or_else(|| "UNKNOWN".to_owned()),
        paid: sum,
    })
}

fn failed_state(error_code: Option<String>, context: ErrorContext) -> OrderState {
    let code = context.error_code.or(error_code).unwrap_or_else(|| "UNKNOWN".to_owned());
    let described = context.description.map(|text| plain(&text));
    OrderState::Failed { code, description: described.filter(|text| !text.is_empty()) }
}

/// The replies of both refund endpoints (developer.phonepe.com, Standard Checkout, "Refund").
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Refund {
    refund_id: String,
    amount: i64,
    state: String,
    merchant_refund_id: Option<String>,
    #[serde(default, deserialize_with = "lenient")]
    error_code: Option<String>,
}

pub(super) fn refund(body: &[u8], merchant_refund_id: &str) -> Result<RefundStatus, Malformed> {
    let refund: Refund =
        serde_json::from_slice(body).map_err(|_| Malformed("the refund cannot be read"))?;
    if refund.merchant_refund_id.as_deref().is_some_and(|id| id != merchant_refund_id) {
        return Err(Malformed("the reply is of another refund"));
    }
    let state = match refund.state.as_str() {
        "CONFIRMED" => RefundState::Confirmed,
        "COMPLETED" => RefundState::Completed,
        "FAILED" => {
            let code = refund.error_code.unwrap_or_else(|| "UNKNOWN".to_owned());
            RefundState::Failed { code }
        }
        _ => RefundState::Pending,
    };
    Ok(RefundStatus {
        provider_refund_id: refund.refund_id,
        amount: positive(refund.amount)?,
        state,
    })
}

fn positive(paise: i64) -> Result<Paise, Malformed> {
    if paise > 0 { Ok(Paise::new(paise)) } else { Err(Malformed("an amount of nothing")) }
}

/// The fields of an error reply. PhonePe's error replies are JSON most of the time; some are plain
/// text, and those of a proxy are HTML.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct ErrorReply {
    pub code: String,
    pub message: String,
    /// Set if the body was PhonePe's JSON and not a proxy's page.
    pub genuine: bool,
}

pub(super) fn refusal(reply: &Reply) -> ErrorReply {
    let body: Value = serde_json::from_slice(&reply.body).unwrap_or_default();
    let text = |key: &str| body.get(key).and_then(Value::as_str).map(plain);
    match text("code").or_else(|| text("errorCode")) {
        Some(code) => {
            ErrorReply { code, message: text("message").unwrap_or_default(), genuine: true }
        }
        None => ErrorReply {
            code: format!("HTTP_{}", reply.status),
            message: plain(&String::from_utf8_lossy(&reply.body)),
            genuine: false,
        },
    }
}

/// True if this refusal means "no such order or refund". PhonePe's documents and the tests of its
/// SDKs use different codes, so each of them counts.
pub(super) fn is_not_found(status: u16, refusal: &ErrorReply) -> bool {
    let is_known_code = matches!(
        refusal.code.as_str(),
        "MERCHANT_ORDER_MAPPING_NOT_FOUND"
            | "INVALID_MERCHANT_ORDER_ID"
            | "ORDER_NOT_FOUND"
            | "TRANSACTION_NOT_FOUND"
            | "REFUND_NOT_FOUND"
            | "MERCHANT_REFUND_MAPPING_NOT_FOUND"
            | "INVALID_MERCHANT_REFUND_ID"
    );
    refusal.genuine && (is_known_code || status == 404)
}

/// Returns the start of PhonePe's text, without control characters.
fn plain(text: &str) -> String {
    let visible = text.chars().map(|c| if c.is_control() { ' ' } else { c });
    visible.take(MESSAGE_CHARS_MAX).collect::<String>().trim().to_owned()
}

/// Reads an optional field. A value of an unexpected type counts as absent.
fn lenient<'de, D: Deserializer<'de>, T: DeserializeOwned>(d: D) -> Result<Option<T>, D::Error> {
    Ok(serde_json::from_value(Value::deserialize(d)?).ok())
}
