//! Receipts and pending payments.

use serde::Serialize;
use utoipa::ToSchema;

use crate::model::money::paise::Paise;

pub const DISMISSED: &str = "The payment was removed from this list. If it is paid after all, its \
                             money comes to your wallet.";

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
