//! Orders, attempts and refunds of the sandbox. Amounts are paise, times are UTC milliseconds.

use serde::{Deserialize, Serialize};
use serde_json::Value;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub(super) enum PaymentState {
    #[default]
    Pending,
    /// Refunds only.
    Confirmed,
    Completed,
    Failed,
}

/// An order, with the fields of PhonePe's status reply.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct PhonePeOrder {
    pub merchant_order_id: String,
    pub order_id: String,
    /// The secret in the address of its pay page.
    pub page_token: String,
    pub amount: i64,
    pub redirect_url: String,
    pub meta_info: Option<Value>,
    pub created_ms: i64,
    pub expire_ms: i64,
    pub state: PaymentState,
    /// The `detailedErrorCode` of a failure: see the module `declines`.
    pub decline: Option<String>,
    pub attempts: Vec<PhonePeAttempt>,
    /// The act that will happen to a pending payment by itself.
    pub later: Option<LaterAct>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct PhonePeAttempt {
    pub transaction_id: String,
    pub method: String,
    pub at_ms: i64,
    pub state: PaymentState,
    pub decline: Option<String>,
    /// The amount paid, where it differs from the order's.
    #[serde(default)]
    pub amount: Option<i64>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct LaterAct {
    pub at_ms: i64,
    pub act: Box<Act>,
}

/// A refund, with the fields of PhonePe's status reply.
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

/// An act of the customer, the bank or a test on an order.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "action", rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum Act {
    /// The payment succeeds; after a failure this is a late authorisation. With `amount` the payer
    /// paid another amount than the order's.
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
    /// One attempt fails; the customer may try again.
    FailAttempt {
        #[serde(default = "upi")]
        method: String,
        code: String,
    },
    /// The bank does not decide yet; `then`, if given, happens after `after_ms`.
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
