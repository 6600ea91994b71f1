//! Payments as operators see them, and how those that do not fit their order are ended.

use serde::Serialize;
use serde_json::json;

use super::{Did, Operators, nothing_to_do, reason};
use crate::error::{Error, Result};
use crate::model::money::ledger_transaction::LedgerTransaction;
use crate::model::money::paise::Paise;
use crate::model::operator::Done;
use crate::model::payment::PaymentOrder;
use crate::model::payment::dispute::Dispute;
use crate::model::payment::gateway_refund::GatewayRefundState;
use crate::store::{self, Conn, Store};

/// A payment as an operator sees it.
#[derive(Debug, Serialize)]
pub struct PaymentShown {
    pub order: String,
    pub user: String,
    pub state: &'static str,
    pub amount: Paise,
    /// The gateway's numbers.
    pub provider_order: Option<String>,
    pub transaction: Option<String>,
    pub method: Option<String>,
    pub error: Option<String>,
    /// What does not fit, and what was paid.
    pub dispute: Option<String>,
    pub disputed_paid: Option<Paise>,
    pub created_at: i64,
    pub expires_at: i64,
    pub completed_at: Option<i64>,
    pub refunds: Vec<RefundShown>,
}

/// A refund through the gateway.
#[derive(Debug, Serialize)]
pub struct RefundShown {
    pub refund: String,
    pub amount: Paise,
    pub state: GatewayRefundState,
    pub from_wallet: bool,
    pub provider_refund: String,
    pub error: String,
    pub created_at: i64,
    pub ended_at: Option<i64>,
}

/// A payment that does not fit its order.
#[derive(Debug, Serialize)]
pub struct DisputeListed {
    pub order: String,
    pub dispute: String,
}

/// A payment after an act.
#[derive(Debug, Serialize)]
pub struct PaymentSettled {
    pub order: String,
    pub user: String,
    pub amount: Paise,
}

/// One payment, with what became of it.
///
/// # Errors
/// `NotFound` when there is none.
pub async fn show(store: &Store, order: &str) -> Result<PaymentShown> {
    let mut conn = store.read().await?;
    let found = find(&mut conn, order).await?;
    let dispute = store::disputes::find(&mut conn, order).await?;
    let refunds = store::gateway_refunds::of_order(&mut conn, order).await?;
    let refund = refunds.into_iter().map(|refund| RefundShown {
        refund: refund.merchant_refund_id,
        amount: refund.amount,
        state: refund.state,
        from_wallet: refund.from_wallet,
        provider_refund: refund.provider_refund_id,
        error: refund.error_code,
        created_at: refund.created_ms,
        ended_at: refund.ended_ms,
    });
    Ok(PaymentShown {
        order: found.merchant_order_id,
        user: found.user_id,
        state: found.state.word(),
        amount: found.amount,
        provider_order: found.provider_order_id,
        transaction: found.transaction_id,
        method: found.method,
        error: found.error_description,
        disputed_paid: dispute.as_ref().and_then(|dispute| dispute.paid),
        dispute: dispute.map(|dispute| dispute.reason),
        created_at: found.created_ms,
        expires_at: found.expires_ms,
        completed_at: found.completed_ms,
        refunds: refund.collect(),
    })
}

/// Payments that wait for an operator, the oldest first.
pub async fn disputes(store: &Store) -> Result<Vec<DisputeListed>> {
    let disputes = store::disputes::list(&mut *store.read().await?).await?;
    let listed = disputes.into_iter();
    let listed = listed.map(|(order, dispute)| DisputeListed { order, dispute });
    Ok(listed.collect())
}

impl Operators {
    /// Credits what the gateway says was paid, whatever was ordered.
    ///
    /// # Errors
    /// `NotFound` when there is no such payment, `Conflict` when it is not disputed.
    pub async fn credit_dispute(&self, order: &str, why: &str) -> Result<Done<PaymentSettled>> {
        let (order, why, now_ms) = (order.to_owned(), reason(why)?, self.core.clock.now_ms());
        let arguments = json!({"order": order, "credit": true, "reason": why});
        self.act("payments settle-dispute", arguments, move |conn| {
            Box::pin(async move {
                let (found, paid) = disputed(conn, &order).await?;
                if !store::disputes::credit(conn, &order, now_ms).await? {
                    return Err(not_disputed());
                }
                let user = found.user_id;
                let recharge = LedgerTransaction::recharge(&user, &order, paid, now_ms);
                store::ledger::post(conn, &user, &recharge)
                    .await?
                    .surely(&order)?;
                Ok(Did {
                    reference: order.clone(),
                    outcome: format!(
                        "Credited {paid}, which was paid instead of {}.",
                        found.amount
                    ),
                    result: PaymentSettled {
                        order,
                        user,
                        amount: paid,
                    },
                })
            })
        })
        .await
    }
}

async fn find(conn: &mut Conn, order: &str) -> Result<PaymentOrder> {
    let found = store::payments::find_any(conn, order).await?;
    found.ok_or_else(|| Error::NotFound("There is no such payment.".into()))
}

/// A disputed payment, and what the gateway says was paid.
async fn disputed(conn: &mut Conn, order: &str) -> Result<(PaymentOrder, Paise)> {
    let found = find(conn, order).await?;
    match store::disputes::find(conn, order).await? {
        None => Err(not_disputed()),
        Some(Dispute {
            paid: Some(paid), ..
        }) => Ok((found, paid)),
        Some(_) => Err(nothing_to_do(
            "What was paid is not known here. Have the gateway asked again, then settle it.",
        )),
    }
}

fn not_disputed() -> Error {
    nothing_to_do("This payment is not disputed.")
}
