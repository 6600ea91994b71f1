//! What the sandbox keeps about an order and a refund. Amounts are paise, times UTC milliseconds.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Where an order, an attempt or a refund stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub(super) enum PaymentState {
    Pending,
    /// Refunds only.
    Confirmed,
    Completed,
    Failed,
}

/// An order as PhonePe would keep it (payments.md 1.5). Amounts are paise, times are UTC
/// milliseconds.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct PhonePeOrder {
    pub merchant_order_id: String,
    pub order_id: String,
    /// Opens the pay page.
    pub page_token: String,
    pub amount: i64,
    pub redirect_url: String,
    pub meta_info: Option<Value>,
    pub created_ms: i64,
    pub expire_ms: i64,
    pub state: PaymentState,
    /// Why it failed: a key of the decline table.
    pub decline: Option<String>,
    pub attempts: Vec<PhonePeAttempt>,
    /// How a payment left pending will end.
    pub later: Option<LaterAct>,
}

/// One try of the customer to pay.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct PhonePeAttempt {
    pub transaction_id: String,
    pub method: String,
    pub at_ms: i64,
    pub state: PaymentState,
    pub decline: Option<String>,
    /// What was paid, where that is not what was asked for.
    #[serde(default)]
    pub amount: Option<i64>,
}

/// What a pending payment turns into by itself.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct LaterAct {
    pub at_ms: i64,
    pub act: Box<Act>,
}

/// A refund (payments.md 1.8).
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct PhonePeRefund {
    pub merchant_refund_id: String,
    pub refund_id: String,
    pub merchant_order_id: String,
    pub amount: i64,
    pub created_ms: i64,
    pub confirm_ms: i64,
    pub end_ms: i64,
    pub end: PaymentState,
    pub state: PaymentState,
}

/// What the customer, the bank or the developer does to an order.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "action", rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum Act {
    /// Succeeds; after a failure this is a late authorisation (payments.md 1.9). With an amount
    /// the payer paid something else than was asked for.
    Pay {
        #[serde(default = "upi")]
        method: String,
        #[serde(default)]
        amount: Option<i64>,
    },
    Decline {
        #[serde(default = "upi")]
        method: String,
        code: String,
    },
    /// One attempt fails, the customer may try again.
    FailAttempt {
        #[serde(default = "upi")]
        method: String,
        code: String,
    },
    /// The bank has not decided; `then` happens after `after_ms`, if given.
    LeavePending {
        #[serde(default = "upi")]
        method: String,
        then: Option<Box<Act>>,
        #[serde(default)]
        after_ms: i64,
    },
}

fn upi() -> String {
    "UPI_INTENT".to_owned()
}

/// A checked request for an order.
#[derive(Debug)]
pub(super) struct OrderRequest {
    pub merchant_order_id: String,
    pub amount: i64,
    pub expire_after_s: i64,
    pub redirect_url: String,
    pub meta_info: Option<Value>,
}
