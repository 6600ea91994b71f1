//! Payment gateways: where a customer pays and what the gateway says of an order.
//!
//! These types are the gateway's news in Dakiya's words. They prove nothing by themselves: money
//! is credited by the caller after it matched order, amount and owner (reliability.md M5).

pub mod phonepe;

use std::time::Duration;

use crate::limits::MERCHANT_ORDER_ID_BYTES_MAX;
use crate::model::money::paise::Paise;

/// A payment to be made, known to us before the gateway hears of it.
#[derive(Clone, Debug)]
pub struct NewOrder {
    /// Our id, new for every attempt (see [`is_merchant_order_id`]).
    pub merchant_order_id: String,
    /// At least one rupee (payments.md 1.3).
    pub amount: Paise,
    /// Where the gateway sends the browser afterwards: absolute, carrying our order id.
    pub redirect_url: String,
    /// How long the customer may take: 5 to 60 minutes (payments.md 1.3).
    pub expire_after: Duration,
}

/// An order the gateway took.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CreatedOrder {
    /// The gateway's own id.
    pub provider_order_id: String,
    /// Where to send the browser: the gateway's page, or the path of our launch page.
    pub redirect_url: String,
    /// The gateway's page. Keep it with the order: the launch page needs it, and so does a
    /// customer who comes back to a pending payment.
    pub page_url: String,
    /// The gateway fails an unpaid order after this moment (UTC milliseconds).
    pub expires_ms: i64,
}

/// What the gateway says of an order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrderStatus {
    pub provider_order_id: String,
    /// The amount the order was made for; the caller compares it with its own.
    pub amount: Paise,
    pub state: OrderState,
}

/// Where an order stands. A `Failed` order can still become `Completed` (late authorisation,
/// payments.md 1.9).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OrderState {
    Pending,
    Completed {
        /// The attempt that paid; the gateway's order id when it names none.
        transaction_id: String,
        /// The gateway's word, such as `UPI_INTENT` (see [`method_name`]).
        method: String,
        /// What was really paid; the caller compares it with its own amount.
        paid: Paise,
    },
    Failed {
        /// The gateway's error code, such as `INVALID_MPIN`.
        code: String,
        /// A sentence fit for the customer, when the gateway has one.
        description: Option<String>,
    },
}

/// Money to be sent back to the payer.
#[derive(Clone, Debug)]
pub struct NewRefund {
    /// Our id of the refund, with the rules of an order id; one id is one refund.
    pub merchant_refund_id: String,
    /// The completed order it is taken from.
    pub merchant_order_id: String,
    /// At least one rupee, at most what is left of the payment (payments.md 1.8).
    pub amount: Paise,
}

/// What the gateway says of a refund.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefundStatus {
    pub provider_refund_id: String,
    pub amount: Paise,
    pub state: RefundState,
}

/// Where a refund stands (payments.md 1.8).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RefundState {
    Pending,
    /// Accepted by the bank, not yet with the customer.
    Confirmed,
    Completed,
    Failed {
        code: String,
    },
}

/// Why the gateway gave no good answer. The variants differ in what has happened to the order
/// or refund, because that decides what may be done next. The texts are for logs.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GatewayError {
    /// A clear no: nothing was done, and the id must not be used again.
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
    /// No answer, and nothing was done: a question that may be asked again, or an order that
    /// was never sent.
    #[error("unavailable: {0}")]
    Unavailable(String),
    /// The order or refund was sent and its fate is not known. Never send the same id again;
    /// ask for the status until it is known.
    #[error("outcome unknown (stored: {stored:?}): {reason}")]
    Unknown {
        reason: String,
        /// What the status said when asked at once: the gateway has it (an order's page is
        /// lost all the same), did not have it yet, or `None`: gave no answer either.
        stored: Option<bool>,
    },
}

/// Whether the gateway would take this id: 1 to 63 of `A-Z a-z 0-9 _ -` (payments.md 1.3).
pub fn is_merchant_order_id(id: &str) -> bool {
    (1..=MERCHANT_ORDER_ID_BYTES_MAX).contains(&id.len())
        && id
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-')
}

/// The gateway's word for a payment method in the customer's words (payments.md 1.5).
pub fn method_name(method: &str) -> &'static str {
    match method {
        "UPI_INTENT" | "PPE_INTENT" | "UPI_COLLECT" | "UPI_QR" => "UPI",
        "CARD" | "TOKEN" => "Card",
        "NET_BANKING" => "Net banking",
        _ => "PhonePe",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_order_id_is_short_and_plain() {
        for id in ["A", "TOPUP-01J0_abc", &"x".repeat(63)] {
            assert!(is_merchant_order_id(id), "{id}");
        }
        for id in ["", "a b", "a/b", "a?b", "é", "a.b", &"x".repeat(64)] {
            assert!(!is_merchant_order_id(id), "{id}");
        }
    }
}
