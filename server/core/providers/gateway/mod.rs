//! Payment gateways: orders, their states, and refunds.
//!
//! A state that the gateway reports does not credit a wallet by itself: the caller credits after it
//! has compared the order, the amount and the owner with its own record.

pub mod phonepe;

use std::time::Duration;

use crate::model::money::paise::Paise;

/// A payment to be made. The caller has stored it before the gateway is called.
#[derive(Clone, Debug)]
pub struct NewOrder {
    /// Our id, new for every attempt (see `model::payment`).
    pub merchant_order_id: String,
    /// At least one rupee.
    pub amount: Paise,
    /// The gateway redirects the browser here afterwards: absolute, with our order id.
    pub redirect_url: String,
    /// The time in which the customer must pay: 5 to 60 minutes.
    pub expire_after: Duration,
}

/// The gateway's report about an order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrderStatus {
    pub provider_order_id: String,
    /// The amount of the order. The caller compares it with its own.
    pub amount: Paise,
    pub state: OrderState,
}

/// The state of an order. A `Failed` order can still become `Completed`: PhonePe calls this late
/// authorisation (developer.phonepe.com, "Late authorization").
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OrderState {
    Pending,
    Completed {
        /// The id of the attempt that paid; the gateway's order id if there is none.
        transaction_id: String,
        /// The gateway's code, such as `UPI_INTENT` (see
        /// [`method_name`](crate::model::payment::method_name)).
        method: String,
        /// The amount paid. The caller compares it with its own.
        paid: Paise,
    },
    Failed {
        /// The gateway's error code, such as `INVALID_MPIN`.
        code: String,
        /// A sentence that may be shown to the customer, if the gateway has one.
        description: Option<String>,
    },
}

/// A refund to the payer.
#[derive(Clone, Debug)]
pub struct NewRefund {
    /// Our id of the refund, in the format of an order id. One id is one refund.
    pub merchant_refund_id: String,
    /// The completed order to refund.
    pub merchant_order_id: String,
    /// At least one rupee, at most the remaining amount of the payment.
    pub amount: Paise,
}

/// The gateway's report about a refund.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefundStatus {
    pub provider_refund_id: String,
    pub amount: Paise,
    pub state: RefundState,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RefundState {
    Pending,
    /// Accepted by the bank, not yet paid to the customer.
    Confirmed,
    Completed,
    Failed {
        code: String,
    },
}

/// The reason why a gateway request failed. The variants say whether the gateway may have executed
/// it all the same, because that decides what may be done next. The texts are for logs.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GatewayError {
    /// The gateway refused: nothing was done, and the id must not be reused.
    #[error("refused ({http} {code}): {message}")]
    Refused {
        /// The HTTP status; 0 if the adapter refused before sending.
        http: u16,
        code: String,
        message: String,
    },
    /// The gateway does not know this id.
    #[error("the gateway does not know this id")]
    NotFound,
    /// No answer, and nothing was done: a read request that may be repeated, or an order that was
    /// never sent.
    #[error("unavailable: {0}")]
    Unavailable(String),
    /// The order or refund was sent and its outcome is unknown. Never send the same id again;
    /// request the status until it is known.
    #[error("outcome unknown (stored: {stored:?}): {reason}")]
    Unknown {
        reason: String,
        /// The result of an immediate status request: the gateway has the id (the address of the
        /// order's page is lost all the same), it does not have the id (yet), or `None` for no
        /// answer.
        stored: Option<bool>,
    },
}
