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
    /// Our id, new for every attempt (see `model::gateway`).
    pub merchant_order_id: String,
    /// At least one rupee.
    pub amount: Paise,
    /// Where the gateway sends the browser afterwards: absolute, carrying our order id.
    pub redirect_url: String,
    /// How long the customer may take: 5 to 60 minutes.
    pub expire_after: Duration,
}

/// An order the gateway took.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CreatedOrder {
    /// The gateway's own id.
    pub provider_order_id: String,
    /// Where to send the browser: the gateway's page, or the path of our launch page.
    pub redirect_url: String,
    /// The gateway's page. It is stored with the order: the launch page needs it, and so does a
    /// customer who returns to a pending payment.
    pub page_url: String,
    /// The gateway fails an unpaid order after this moment (UTC milliseconds).
    pub expires_ms: i64,
}

/// The gateway's report about an order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrderStatus {
    pub provider_order_id: String,
    /// The amount the order was made for; the caller compares it with its own.
    pub amount: Paise,
    pub state: OrderState,
}

/// The state of an order. A `Failed` order can still become `Completed`: PhonePe calls this late
/// authorisation (developer.phonepe.com, "Late authorization").
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OrderState {
    Pending,
    Completed {
        /// The attempt that paid; the gateway's order id when it names none.
        transaction_id: String,
        /// The gateway's word, such as `UPI_INTENT`
        /// (see [`method_name`](crate::model::gateway::method_name)).
        method: String,
        /// The amount that was paid; the caller compares it with its own.
        paid: Paise,
    },
    Failed {
        /// The gateway's error code, such as `INVALID_MPIN`.
        code: String,
        /// A sentence fit for the customer, when the gateway has one.
        description: Option<String>,
    },
}

/// A refund to the payer.
#[derive(Clone, Debug)]
pub struct NewRefund {
    /// Our id of the refund, in the form of an order id; one id is one refund.
    pub merchant_refund_id: String,
    /// The completed order that is refunded.
    pub merchant_order_id: String,
    /// At least one rupee, at most what is left of the payment.
    pub amount: Paise,
}

/// The gateway's report about a refund.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefundStatus {
    pub provider_refund_id: String,
    pub amount: Paise,
    pub state: RefundState,
}

/// The state of a refund.
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

/// Why the gateway did not do as asked. The variants say whether it may have done it all the same,
/// because that decides what may be done next. The texts are for logs.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GatewayError {
    /// The gateway refused: nothing was done, and the id must not be used again.
    #[error("refused ({http} {code}): {message}")]
    Refused {
        /// The HTTP status; 0 when the adapter refused before asking.
        http: u16,
        code: String,
        message: String,
    },
    /// The gateway does not know this id.
    #[error("the gateway does not know this id")]
    NotFound,
    /// No answer, and nothing was done: a question that may be asked again, or an order that was
    /// never sent.
    #[error("unavailable: {0}")]
    Unavailable(String),
    /// The order or refund was sent and its outcome is not known. Never send the same id again;
    /// ask for the status until it is known.
    #[error("outcome unknown (stored: {stored:?}): {reason}")]
    Unknown {
        reason: String,
        /// What the gateway answered when it was asked for the status at once: that it has the id
        /// (the address of an order's page is lost all the same), that it does not have it (yet),
        /// or `None` for no answer again.
        stored: Option<bool>,
    },
}
