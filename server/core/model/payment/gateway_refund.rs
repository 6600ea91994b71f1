//! Refunds to the payer through the gateway.

use serde::Serialize;

use crate::model::money::paise::Paise;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum GatewayRefundState {
    /// Stored; certainly not sent to the gateway yet.
    Wanted,
    /// The gateway may have received it.
    Sent,
    Completed,
    Failed,
}

impl GatewayRefundState {
    const ALL: [GatewayRefundState; 4] = [
        GatewayRefundState::Wanted,
        GatewayRefundState::Sent,
        GatewayRefundState::Completed,
        GatewayRefundState::Failed,
    ];

    /// The word in the database.
    pub fn word(self) -> &'static str {
        match self {
            GatewayRefundState::Wanted => "wanted",
            GatewayRefundState::Sent => "sent",
            GatewayRefundState::Completed => "completed",
            GatewayRefundState::Failed => "failed",
        }
    }

    pub fn parse(word: &str) -> Option<GatewayRefundState> {
        GatewayRefundState::ALL.into_iter().find(|it| it.word() == word)
    }

    pub fn is_over(self) -> bool {
        matches!(self, GatewayRefundState::Completed | GatewayRefundState::Failed)
    }
}

#[derive(Clone, Debug)]
pub struct GatewayRefund {
    /// Our refund id: the gateway accepts it only once.
    pub merchant_refund_id: String,
    pub merchant_order_id: String,
    pub user_id: String,
    pub amount: Paise,
    /// Set when the credited payment is deducted from the wallet; otherwise it was never credited.
    pub from_wallet: bool,
    pub state: GatewayRefundState,
    /// Time of the first request to the gateway; 0 if there was none.
    pub sent_ms: i64,
    /// The gateway's refund id, once known.
    pub provider_refund_id: String,
    pub error_code: String,
    pub created_ms: i64,
    pub ended_ms: Option<i64>,
}

impl GatewayRefund {
    /// Returns the id of the movement that credits the wallet again with a refund that failed.
    pub fn failed_id(merchant_refund_id: &str) -> String {
        format!("{merchant_refund_id}:failed")
    }
}
