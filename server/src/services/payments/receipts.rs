//! Receipts of recharges, and the pending payments before them.

use super::Payments;
use crate::error::{Error, Result};
use crate::model::account::session::CurrentUser;
use crate::model::gateway;
use crate::model::payment::receipt::{PendingOrder, Receipt};
use crate::model::payment::{PaymentOrder, PaymentState};
use crate::{limits, store};

impl Payments {
    /// Returns the receipt of the user's completed recharge.
    ///
    /// # Errors
    /// `NotFound` when it is not the user's or was not completed.
    pub async fn receipt(&self, user: &CurrentUser, merchant_order_id: &str) -> Result<Receipt> {
        let order = self.find(user, merchant_order_id).await?;
        let PaymentOrder {
            state: PaymentState::Completed, completed_ms: Some(completed_at), ..
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

    /// Removes a pending payment from the user's list, in every browser. The payment itself is
    /// unaffected: if it is paid later, it is credited.
    ///
    /// # Errors
    /// `NotFound` when it is not the user's.
    pub async fn dismiss(&self, user: &CurrentUser, merchant_order_id: &str) -> Result<()> {
        let order = self.find(user, merchant_order_id).await?;
        let now_ms = self.core.clock.now_ms();
        let write = self.core.store.write(move |conn| {
            Box::pin(async move {
                store::payments::dismiss(conn, &order.merchant_order_id, now_ms).await
            })
        });
        write.await
    }

    /// Returns the user's payments that the gateway has not decided, newest first, without
    /// dismissed ones.
    pub async fn pending(&self, user_id: &str) -> Result<Vec<PendingOrder>> {
        let mut conn = self.core.store.read().await?;
        let orders = store::payments::pending(&mut conn, user_id, limits::PENDING_SHOWN).await?;
        let now_ms = self.core.clock.now_ms();
        let to_pending = |order: PaymentOrder| PendingOrder {
            continue_url: order.continue_url(now_ms),
            merchant_order_id: order.merchant_order_id,
            amount: order.amount,
            created_at: order.created_ms,
            expires_at: order.expires_ms,
        };
        Ok(orders.into_iter().map(to_pending).collect())
    }
}
