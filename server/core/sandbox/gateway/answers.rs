//! Orders and refunds in PhonePe's JSON, for replies and for callbacks.

use serde_json::{Value, json};

use super::declines::decline;
use super::orders::{PaymentState, PhonePeAttempt, PhonePeOrder, PhonePeRefund};
use crate::model::calendar::{date_in_india, moment_in_figures};
use crate::model::money::paise::Paise;

/// The merchant named in callbacks.
const MERCHANT_ID: &str = "SANDBOXMERCHANT";

/// A callback to be sent: the event, and its payload at the time of the event.
#[derive(Clone, Debug)]
pub(super) struct CallbackNotice {
    pub event: &'static str,
    pub merchant_order_id: String,
    pub payload: Value,
}

/// Returns the status of an order. `details` lists all attempts instead of the latest;
/// `error_context` adds the reason of a failure.
pub(super) fn order_status(order: &PhonePeOrder, details: bool, error_context: bool) -> Value {
    let latest = order.attempts.len().saturating_sub(1);
    let attempts = &order.attempts[if details { 0 } else { latest }..];
    let attempts: Vec<Value> = attempts.iter().map(|a| attempt(a, order.amount)).collect();
    let mut status = json!({
        "orderId": order.order_id, "state": order.state, "amount": order.amount,
        "expireAt": order.expire_ms, "paymentDetails": attempts,
    });
    if let Some(meta_info) = &order.meta_info {
        status["metaInfo"] = meta_info.clone();
    }
    add_error(&mut status, order.decline.as_deref());
    let reason = order.decline.as_deref().and_then(decline);
    if let Some(reason) = reason.filter(|_| error_context) {
        status["errorContext"] = json!({
            "errorCode": reason.error_code, "detailedErrorCode": reason.detailed_code,
            "source": reason.source, "stage": reason.stage, "description": reason.description,
        });
    }
    status
}

fn attempt(attempt: &PhonePeAttempt, amount: i64) -> Value {
    let amount = attempt.amount.unwrap_or(amount);
    let mut json = json!({
        "transactionId": attempt.transaction_id, "paymentMode": attempt.method,
        "timestamp": attempt.at_ms, "amount": amount, "state": attempt.state,
    });
    add_error(&mut json, attempt.decline.as_deref());
    if attempt.state == PaymentState::Completed {
        let (rail, instrument) = rail_and_instrument(attempt);
        json["splitInstruments"] =
            json!([{"amount": amount, "rail": rail, "instrument": instrument}]);
        json["rail"] = rail;
        json["instrument"] = instrument;
    }
    json
}

fn rail_and_instrument(attempt: &PhonePeAttempt) -> (Value, Value) {
    let id = &attempt.transaction_id;
    let pg = json!({"type": "PG", "transactionId": id, "authorizationCode": "SANDBOX"});
    match attempt.method.as_str() {
        "CARD" | "TOKEN" => (pg, json!({"type": "DEBIT_CARD", "bankId": "SNDB"})),
        "NET_BANKING" => (pg, json!({"type": "NET_BANKING", "bankId": "SNDB"})),
        _ => (
            json!({"type": "UPI", "utr": id, "upiTransactionId": id, "vpa": "payer@sandbox"}),
            json!({"type": "ACCOUNT", "maskedAccountNumber": "XXXXXX0000", "ifsc": "SNDB0000000",
                   "accountType": "SAVINGS"}),
        ),
    }
}

fn add_error(json: &mut Value, code: Option<&str>) {
    if let Some(reason) = code.and_then(decline) {
        json["errorCode"] = json!(reason.error_code);
        json["detailedErrorCode"] = json!(reason.detailed_code);
    }
}

pub(super) fn order_notice(order: &PhonePeOrder, event: &'static str) -> CallbackNotice {
    let mut payload = order_status(order, true, false);
    payload["merchantId"] = json!(MERCHANT_ID);
    payload["merchantOrderId"] = json!(order.merchant_order_id);
    CallbackNotice { event, merchant_order_id: order.merchant_order_id.clone(), payload }
}

pub(super) fn refund_status(refund: &PhonePeRefund) -> Value {
    let mut status = json!({
        "merchantRefundId": refund.merchant_refund_id, "refundId": refund.refund_id,
        "originalMerchantOrderId": refund.merchant_order_id,
        "amount": refund.amount, "state": refund.state, "timestamp": refund.created_ms,
        "paymentDetails": [],
    });
    if refund.state == PaymentState::Failed {
        status["errorCode"] = json!("BANK_TECHNICAL_ISSUE");
        status["detailedErrorCode"] = json!("U90");
    }
    status
}

/// Returns every attempt of a day in India, with the columns of the dashboard's transaction report.
pub(super) fn report<'a>(orders: impl Iterator<Item = &'a PhonePeOrder>, day: &str) -> String {
    let mut csv = "Merchant Id,Transaction Type,Merchant Order Id,Merchant Reference Id,\
        PhonePe Reference Id,PhonePe Transaction Reference Id,Total Transaction Amount,\
        Transaction Date,Transaction Status\n"
        .to_owned();
    for order in orders {
        let of_day = |it: &&PhonePeAttempt| date_in_india(it.at_ms).to_string() == day;
        for attempt in order.attempts.iter().filter(of_day) {
            let amount = Paise::new(attempt.amount.unwrap_or(order.amount)).decimal();
            let state = json!(attempt.state);
            let (ours, theirs) = (&order.merchant_order_id, &order.order_id);
            csv.push_str(&format!(
                "{MERCHANT_ID},PAYMENT,{ours},{ours},{theirs},{},{amount},{},{}\n",
                attempt.transaction_id,
                moment_in_figures(attempt.at_ms),
                state.as_str().unwrap_or_default()
            ));
        }
    }
    csv
}

pub(super) fn refund_notice(refund: &PhonePeRefund) -> CallbackNotice {
    let event = match refund.state {
        PaymentState::Failed => "pg.refund.failed",
        PaymentState::Completed => "pg.refund.completed",
        PaymentState::Pending | PaymentState::Confirmed => "pg.refund.accepted",
    };
    let mut payload = refund_status(refund);
    payload["merchantId"] = json!(MERCHANT_ID);
    CallbackNotice { event, merchant_order_id: refund.merchant_order_id.clone(), payload }
}
