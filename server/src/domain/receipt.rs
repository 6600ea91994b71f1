//! What a customer keeps of a recharge: the receipt, and until then the payments still pending.

use serde::Serialize;

use super::money::Paise;
use super::payment::{self, Order, State};
use super::session::CurrentUser;
use crate::app::App;
use crate::error::{Error, Result};
use crate::limits;
use crate::model::gateway;
use crate::store;

/// A finished recharge.
#[derive(Clone, Debug, Serialize)]
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
    /// One for each recharge, as the order is.
    pub fn number(&self) -> String {
        let order = &self.merchant_order_id;
        format!("R-{}", order.strip_prefix("DKR").unwrap_or(order))
    }
}

/// A payment the gateway has not decided, as lists show it.
#[derive(Clone, Debug, Serialize)]
pub struct PendingOrder {
    pub merchant_order_id: String,
    pub amount: Paise,
    pub created_at: i64,
    pub expires_at: i64,
    /// Where to go on paying; `None` when the time for it is over.
    pub continue_url: Option<String>,
}

/// A completed recharge of the user.
///
/// # Errors
/// `NotFound` when it is not the user's or was not completed.
pub async fn receipt(app: &App, user: &CurrentUser, merchant_order_id: &str) -> Result<Receipt> {
    let order = payment::find(app, user, merchant_order_id).await?;
    let Order {
        state: State::Completed,
        completed_ms: Some(completed_at),
        ..
    } = order
    else {
        return Err(Error::NotFound("This payment is not completed.".into()));
    };
    Ok(Receipt {
        merchant_order_id: order.merchant_order_id,
        amount: order.amount,
        transaction_id: order.transaction_id.unwrap_or_default(),
        completed_at,
        method: gateway::method_name(order.method.as_deref().unwrap_or_default()),
    })
}

/// Payments of the user that the gateway has not decided, newest first.
pub async fn pending(app: &App, user_id: &str) -> Result<Vec<PendingOrder>> {
    let mut conn = app.store.read().await?;
    let orders = store::payments::pending(&mut conn, user_id, limits::PENDING_SHOWN).await?;
    let now_ms = app.clock.now_ms();
    let shown = |order: Order| PendingOrder {
        continue_url: order
            .redirect_url
            .clone()
            .filter(|_| order.is_payable(now_ms)),
        merchant_order_id: order.merchant_order_id,
        amount: order.amount,
        created_at: order.created_ms,
        expires_at: order.expires_ms,
    };
    Ok(orders.into_iter().map(shown).collect())
}
