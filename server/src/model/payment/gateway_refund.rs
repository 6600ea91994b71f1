//! Money that goes back to its payer through the gateway.

use serde::Serialize;

use crate::model::money::paise::Paise;

/// How far a refund came.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum GatewayRefundState {
    /// Written down; the gateway surely has not heard of it.
    Wanted,
    /// The gateway may have it.
    Sent,
    /// The payer has it.
    Completed,
    /// The gateway did not do it.
    Failed,
}

impl GatewayRefundState {
    pub const ALL: [GatewayRefundState; 4] = [
        GatewayRefundState::Wanted,
        GatewayRefundState::Sent,
        GatewayRefundState::Completed,
        GatewayRefundState::Failed,
    ];

    pub fn word(self) -> &'static str {
        match self {
            GatewayRefundState::Wanted => "wanted",
            GatewayRefundState::Sent => "sent",
            GatewayRefundState::Completed => "completed",
            GatewayRefundState::Failed => "failed",
        }
    }

    pub fn parse(word: &str) -> Option<GatewayRefundState> {
        GatewayRefundState::ALL
            .into_iter()
            .find(|state| state.word() == word)
    }

    /// Whether nothing becomes of it any more.
    pub fn is_over(self) -> bool {
        matches!(
            self,
            GatewayRefundState::Completed | GatewayRefundState::Failed
        )
    }
}

/// A refund of a payment, or of a part of it.
#[derive(Clone, Debug)]
pub struct GatewayRefund {
    /// Ours: the gateway takes it once.
    pub merchant_refund_id: String,
    pub merchant_order_id: String,
    pub user_id: String,
    pub amount: Paise,
    /// It was credited and is taken from the wallet; else it never was.
    pub from_wallet: bool,
    pub state: GatewayRefundState,
    /// When the gateway was first told; 0 for never.
    pub sent_ms: i64,
    /// The gateway's number, once it is known.
    pub provider_refund_id: String,
    pub error_code: String,
    pub created_ms: i64,
    pub ended_ms: Option<i64>,
}
