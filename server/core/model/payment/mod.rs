//! Recharges: their orders at the gateway, and the responses about them.

pub mod gateway_refund;
pub mod report;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::error::{Error, Result};
use crate::limits::{self, MERCHANT_ORDER_ID_BYTES_MAX};
use crate::model::input::amount::rupees;
use crate::model::local_path::LocalPath;
use crate::model::money::paise::Paise;
use crate::model::openapi_schema::Text;

pub const DISMISSED: &str = "The payment was removed from this list. If it goes through \
                             later, the amount is still added to your wallet.";

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PaymentState {
    /// Stored; the gateway may or may not have received it.
    #[default]
    Created,
    /// The customer can pay.
    Pending,
    /// Paid and credited.
    Completed,
    /// Not paid, as far as the gateway has reported.
    Failed,
}

impl PaymentOrder {
    /// True if the customer can still pay it at the gateway.
    pub fn is_payable(&self, now_ms: i64) -> bool {
        self.state == PaymentState::Pending && now_ms < self.expires_ms
    }

    /// The URL at which the customer can still pay; `None` after it has expired.
    pub fn continue_url(&self, now_ms: i64) -> Option<String> {
        let url = self.redirect_url.clone();
        url.filter(|_| self.is_payable(now_ms))
    }
}

impl PaymentState {
    const ALL: [PaymentState; 4] = [
        PaymentState::Created,
        PaymentState::Pending,
        PaymentState::Completed,
        PaymentState::Failed,
    ];

    /// The word in the database.
    pub fn word(self) -> &'static str {
        match self {
            PaymentState::Created => "created",
            PaymentState::Pending => "pending",
            PaymentState::Completed => "completed",
            PaymentState::Failed => "failed",
        }
    }

    pub fn parse(word: &str) -> Option<PaymentState> {
        PaymentState::ALL.into_iter().find(|it| it.word() == word)
    }
}

#[derive(Clone, Debug, Default)]
pub struct PaymentOrder {
    pub merchant_order_id: String,
    pub user_id: String,
    pub amount: Paise,
    pub state: PaymentState,
    /// The gateway's order id, once it has accepted the order.
    pub provider_order_id: Option<String>,
    pub transaction_id: Option<String>,
    pub method: Option<String>,
    pub error_description: Option<String>,
    /// The URL to which the browser was redirected; `None` before.
    pub redirect_url: Option<String>,
    /// The gateway's own page, which the launch page opens.
    pub page_url: Option<String>,
    /// The page to which the customer returns after paying.
    pub next: Option<LocalPath>,
    pub created_ms: i64,
    pub expires_ms: i64,
    pub checked_ms: i64,
    pub checks: i64,
    pub completed_ms: Option<i64>,
}

/// An order that the gateway accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenedOrder {
    /// The gateway's id of the order.
    pub provider_order_id: String,
    /// The redirect address for the browser: the gateway's page, or the path of our launch page.
    pub redirect_url: String,
    /// The gateway's page. It is stored with the order, because the launch page needs it, and so
    /// does a customer who returns to a pending payment.
    pub page_url: String,
    /// The gateway fails an unpaid order after this moment (UTC milliseconds).
    pub expires_ms: i64,
}

/// A create request.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(default)]
#[schema(as = Recharge)]
pub struct RawRecharge {
    /// In rupees, with at most two decimals.
    #[schema(required)]
    pub amount: Text,
    /// Where to go after paying; what is no address of ours is ignored.
    pub next: Text,
}

impl RawRecharge {
    /// Reads the amount, within the limits of one recharge. The browser's form has the same rule
    /// but for the maximum; tests on both sides read `server/tests/recharge_amounts.json`.
    pub fn read_amount(&self, maximum: Paise) -> Result<Paise> {
        let amount = rupees(self.amount.as_str());
        let amount = amount
            .filter(|amount| amount.get() % 100 == 0)
            .ok_or_else(|| Error::field("amount", "Please enter an amount in whole rupees."))?;
        if amount < Paise::new(limits::RECHARGE_MIN_PAISE) {
            let rupees = limits::RECHARGE_MIN_PAISE / 100;
            let message = format!("Minimum recharge amount is ₹{rupees}");
            return Err(Error::field("amount", message));
        }
        if amount > maximum {
            return Err(Error::field("amount", format!("Maximum recharge amount is {maximum}")));
        }
        Ok(amount)
    }
}

/// The answer to creating a recharge.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct PaymentData {
    pub order_id: String,
    pub redirect_url: String,
    pub merchant_order_id: String,
}

/// The answer to verifying a recharge.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = VerifyResult)]
pub struct Verified {
    pub success: bool,
    pub payment_status: PaymentOutcome,
    pub status: PaymentOutcome,
    pub amount: Paise,
    pub merchant_order_id: String,
    /// Where the customer goes on after paying; `None` is the recharge page.
    #[schema(required)]
    pub next: Option<LocalPath>,
    #[schema(required)]
    pub error: Option<String>,
    #[schema(required)]
    pub error_context: Option<ErrorContext>,
    pub message: &'static str,
    /// When the order was made; `None` for one that is not the user's.
    #[schema(required)]
    pub created_at: Option<i64>,
    /// Until when it can be paid.
    #[schema(required)]
    pub expires_at: Option<i64>,
    /// Where to go on paying, while that is possible.
    #[schema(required)]
    pub continue_url: Option<String>,
    /// When the payment was credited.
    #[schema(required)]
    pub completed_at: Option<i64>,
    /// The payment method, in the customer's words.
    #[schema(required)]
    pub method: Option<&'static str>,
}

/// A payment as its customer is told of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "UPPERCASE")]
pub enum PaymentOutcome {
    Completed,
    Pending,
    Failed,
}

#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ErrorContext {
    pub description: String,
}

impl Verified {
    /// The result for an order that is not the user's.
    pub fn unknown(merchant_order_id: &str) -> Verified {
        Verified {
            success: false,
            payment_status: PaymentOutcome::Failed,
            status: PaymentOutcome::Failed,
            amount: Paise::ZERO,
            merchant_order_id: merchant_order_id.to_owned(),
            next: None,
            error: Some("Invalid payment response. Please try again.".to_owned()),
            error_context: None,
            message: "Payment failed",
            created_at: None,
            expires_at: None,
            continue_url: None,
            completed_at: None,
            method: None,
        }
    }
}

pub fn verification(order: &PaymentOrder, now_ms: i64) -> Verified {
    let (status, message) = match order.state {
        PaymentState::Completed => {
            (PaymentOutcome::Completed, "Payment successful! Your wallet has been recharged.")
        }
        PaymentState::Failed => (PaymentOutcome::Failed, "Payment failed"),
        PaymentState::Created | PaymentState::Pending => {
            (PaymentOutcome::Pending, "Payment is being processed")
        }
    };
    let failed = order.state == PaymentState::Failed;
    let description = order.error_description.clone().filter(|_| failed);
    Verified {
        success: order.state == PaymentState::Completed,
        payment_status: status,
        status,
        amount: order.amount,
        merchant_order_id: order.merchant_order_id.clone(),
        next: order.next.clone(),
        error: description.clone(),
        error_context: description.map(|description| ErrorContext { description }),
        message,
        created_at: Some(order.created_ms),
        expires_at: Some(order.expires_ms),
        continue_url: order.continue_url(now_ms),
        completed_at: order.completed_ms,
        method: order.method.as_deref().map(method_name),
    }
}

/// The payment that the gateway confirmed, and the difference from the order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dispute {
    /// The reason, for operators.
    pub reason: String,
    /// `None` for a dispute older than this column.
    pub paid: Option<Paise>,
    pub transaction_id: String,
    pub method: String,
}

/// A finished recharge.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Receipt {
    pub merchant_order_id: String,
    pub amount: Paise,
    /// The gateway's number of the payment.
    pub transaction_id: String,
    pub completed_at: i64,
    /// In the customer's words.
    pub method: &'static str,
}

impl Receipt {
    /// The receipt's number, one per order.
    pub fn number(&self) -> String {
        let order = &self.merchant_order_id;
        format!("R-{}", order.strip_prefix("DKR").unwrap_or(order))
    }
}

/// A payment the gateway has not decided, as lists show it.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = PendingPayment)]
pub struct PendingOrder {
    pub merchant_order_id: String,
    pub amount: Paise,
    pub created_at: i64,
    pub expires_at: i64,
    /// Where to go on paying; `None` when the time for it is over.
    #[schema(required)]
    pub continue_url: Option<String>,
}

/// A payment that was credited a moment ago.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = ArrivedPayment)]
pub struct ArrivedOrder {
    pub merchant_order_id: String,
    pub amount: Paise,
}

/// True if PhonePe accepts this as `merchantOrderId` or `merchantRefundId`: 1 to 63 of
/// `A-Z a-z 0-9 _ -` (developer.phonepe.com, Standard Checkout, "Initiate payment").
pub fn is_merchant_order_id(id: &str) -> bool {
    (1..=MERCHANT_ORDER_ID_BYTES_MAX).contains(&id.len())
        && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-')
}

/// The name of PhonePe's `paymentMode`, such as `UPI_INTENT`, as customers know it.
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
    fn an_amount_is_whole_rupees_however_it_is_typed() {
        let amounts = include_str!("../../../tests/recharge_amounts.json");
        let amounts: Vec<(String, Option<i64>)> = serde_json::from_str(amounts).expect("amounts");
        for (text, whole) in amounts {
            let raw = RawRecharge { amount: text.as_str().into(), ..RawRecharge::default() };
            let read = raw.read_amount(Paise::rupees(200_000));
            let said = read.as_ref().err().map(|error| error.fields()[0].message.to_string());
            let said = said.as_deref().and_then(|said| said.split(' ').next());
            let expected = match whole {
                None => Some("Please"),
                Some(..10) => Some("Minimum"),
                Some(200_001..) => Some("Maximum"),
                Some(whole) => {
                    assert_eq!(read.as_ref().ok(), Some(&Paise::rupees(whole)), "{text}");
                    None
                }
            };
            assert_eq!(said, expected, "{text}");
        }
    }

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
