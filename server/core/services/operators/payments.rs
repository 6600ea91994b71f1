//! Payments for operators, including the settlement of disputed ones.

use serde::Serialize;
use serde_json::json;

use super::{ActOutcome, Operators, nothing_to_do, reason};
use crate::error::{Error, Result};
use crate::limits;
use crate::model::money::ledger_transaction::LedgerTransaction;
use crate::model::money::paise::Paise;
use crate::model::operator::ActResult;
use crate::model::payment::gateway_refund::{GatewayRefund, GatewayRefundState};
use crate::model::payment::{Dispute, PaymentOrder, PaymentState};
use crate::model::task::TaskKind;
use crate::random::random_id;
use crate::services::payments::refunds;
use crate::store::{self, Conn, Store};

/// A payment, for operators.
#[derive(Debug, Serialize)]
pub struct PaymentShown {
    pub order: String,
    pub user: String,
    pub state: &'static str,
    pub amount: Paise,
    /// The gateway's order number.
    pub provider_order: Option<String>,
    pub transaction: Option<String>,
    pub method: Option<String>,
    pub error: Option<String>,
    /// The mismatch, and the paid amount.
    pub dispute: Option<String>,
    pub disputed_paid: Option<Paise>,
    pub created_at: i64,
    pub expires_at: i64,
    pub completed_at: Option<i64>,
    pub refunds: Vec<RefundShown>,
}

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

/// A payment that does not match its order.
#[derive(Debug, Serialize)]
pub struct DisputeListed {
    pub order: String,
    pub dispute: String,
}

#[derive(Debug, Serialize)]
pub struct PaymentSettled {
    pub order: String,
    pub user: String,
    pub amount: Paise,
    /// Our number of the pending refund.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refund: Option<String>,
}

/// Returns one payment with its history.
///
/// # Errors
/// `NotFound` when there is none.
pub async fn show(store: &Store, order: &str) -> Result<PaymentShown> {
    let mut conn = store.read().await?;
    let payment = find(&mut conn, order).await?;
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
        order: payment.merchant_order_id,
        user: payment.user_id,
        state: payment.state.word(),
        amount: payment.amount,
        provider_order: payment.provider_order_id,
        transaction: payment.transaction_id,
        method: payment.method,
        error: payment.error_description,
        disputed_paid: dispute.as_ref().and_then(|dispute| dispute.paid),
        dispute: dispute.map(|dispute| dispute.reason),
        created_at: payment.created_ms,
        expires_at: payment.expires_ms,
        completed_at: payment.completed_ms,
        refunds: refund.collect(),
    })
}

/// Returns payments that wait for an operator, oldest first.
pub async fn disputes(store: &Store) -> Result<Vec<DisputeListed>> {
    let disputes = store::disputes::list(&mut *store.read().await?).await?;
    let listed = disputes.into_iter();
    let listed = listed.map(|(order, dispute)| DisputeListed { order, dispute });
    Ok(listed.collect())
}

impl Operators {
    /// Refunds a credited payment, or a part of it, through the gateway. The money leaves the
    /// wallet at once.
    ///
    /// # Errors
    /// `NotFound` when there is no such payment, `Conflict` when it was never credited or less of
    /// it is left, `ShortOfMoney` when the wallet does not cover it.
    pub async fn refund(
        &self,
        order: &str,
        amount: Option<Paise>,
        why: &str,
    ) -> Result<ActResult<PaymentSettled>> {
        let (order, why, now_ms) = (order.to_owned(), reason(why)?, self.core.clock.now_ms());
        let arguments = json!({"order": order, "amount": amount, "reason": why});
        let actor = self.actor.as_str().to_owned();
        let action = self.act("payments refund", arguments, move |conn| {
            Box::pin(async move {
                let payment = find(conn, &order).await?;
                store::ledger::lock(conn, &payment.user_id).await?;
                if payment.state != PaymentState::Completed {
                    return Err(nothing_to_do(
                        "This payment was never credited. See payments settle-dispute.",
                    ));
                }
                let returned = store::movements::gone_back(conn, &order).await?;
                let rest = payment.amount.minus(returned);
                let amount = amount.unwrap_or(rest);
                if amount > rest || amount < Paise::new(limits::GATEWAY_REFUND_MIN_PAISE) {
                    let message =
                        format!("Of this payment {rest} is left, and a refund is of ₹1 or more.");
                    let code = "not_refundable";
                    return Err(Error::Conflict { code, message: message.into() });
                }
                let refund = new_refund(&payment, amount, true, now_ms);
                refunds::request(conn, &refund, &actor, &why).await?;
                Ok(settled_outcome(
                    payment,
                    amount,
                    format!("{amount} leaves the wallet and is sent back."),
                    Some(refund),
                ))
            })
        });
        action.await
    }

    /// Credits the amount paid according to the gateway, whatever was ordered.
    ///
    /// # Errors
    /// `NotFound` when there is no such payment, `Conflict` when it is not disputed.
    pub async fn credit_dispute(
        &self,
        order: &str,
        why: &str,
    ) -> Result<ActResult<PaymentSettled>> {
        let (order, why, now_ms) = (order.to_owned(), reason(why)?, self.core.clock.now_ms());
        let arguments = json!({"order": order, "credit": true, "reason": why});
        let action = self.act("payments settle-dispute", arguments, move |conn| {
            Box::pin(async move {
                let (payment, paid) = find_disputed(conn, &order).await?;
                if !store::disputes::credit(conn, &order, now_ms).await? {
                    return Err(not_disputed());
                }
                let user = &payment.user_id;
                let recharge = LedgerTransaction::recharge(user, &order, paid, now_ms);
                store::ledger::post(conn, user, &recharge).await?.or_fail(&order)?;
                store::tasks::remove(conn, TaskKind::Payment, &order).await?;
                store::tasks::add(conn, TaskKind::PaymentLetter, &order, now_ms, now_ms).await?;
                let outcome = format!("Credited {paid}; ordered was {}.", payment.amount);
                Ok(settled_outcome(payment, paid, outcome, None))
            })
        });
        action.await
    }

    /// Refunds the payment through the gateway without crediting it.
    ///
    /// # Errors
    /// `NotFound` when there is no such payment, `Conflict` when it is not disputed.
    pub async fn send_dispute_back(
        &self,
        order: &str,
        why: &str,
    ) -> Result<ActResult<PaymentSettled>> {
        let (order, why, now_ms) = (order.to_owned(), reason(why)?, self.core.clock.now_ms());
        let arguments = json!({"order": order, "refund": true, "reason": why});
        let actor = self.actor.as_str().to_owned();
        let action = self.act("payments settle-dispute", arguments, move |conn| {
            Box::pin(async move {
                let (payment, paid) = find_disputed(conn, &order).await?;
                let message = "Your payment was sent back to you.";
                if !store::disputes::send_back(conn, &order, message).await? {
                    return Err(not_disputed());
                }
                let refund = new_refund(&payment, paid, false, now_ms);
                refunds::request(conn, &refund, &actor, &why).await?;
                store::tasks::remove(conn, TaskKind::Payment, &order).await?;
                Ok(settled_outcome(payment, paid, format!("{paid} is sent back."), Some(refund)))
            })
        });
        action.await
    }
}

fn new_refund(
    order: &PaymentOrder,
    amount: Paise,
    from_wallet: bool,
    now_ms: i64,
) -> GatewayRefund {
    GatewayRefund {
        merchant_refund_id: format!("DKF{}", random_id()),
        merchant_order_id: order.merchant_order_id.clone(),
        user_id: order.user_id.clone(),
        amount,
        from_wallet,
        state: GatewayRefundState::Wanted,
        sent_ms: 0,
        provider_refund_id: String::new(),
        error_code: String::new(),
        created_ms: now_ms,
        ended_ms: None,
    }
}

fn settled_outcome(
    order: PaymentOrder,
    amount: Paise,
    outcome: String,
    refund: Option<GatewayRefund>,
) -> ActOutcome<PaymentSettled> {
    ActOutcome {
        reference: order.merchant_order_id.clone(),
        outcome,
        result: PaymentSettled {
            order: order.merchant_order_id,
            user: order.user_id,
            amount,
            refund: refund.map(|refund| refund.merchant_refund_id),
        },
    }
}

pub(super) async fn find(conn: &mut Conn, order: &str) -> Result<PaymentOrder> {
    let payment = store::payments::find_any(conn, order).await?;
    payment.ok_or_else(|| Error::NotFound("There is no such payment.".into()))
}

/// Returns a disputed payment, and the amount paid according to the gateway.
async fn find_disputed(conn: &mut Conn, order: &str) -> Result<(PaymentOrder, Paise)> {
    let payment = find(conn, order).await?;
    match store::disputes::find(conn, order).await? {
        None => Err(not_disputed()),
        Some(Dispute { paid: Some(paid), .. }) => Ok((payment, paid)),
        Some(_) => Err(nothing_to_do(
            "What was paid is not known here. Have the gateway asked again, then settle it.",
        )),
    }
}

fn not_disputed() -> Error {
    nothing_to_do("This payment is not disputed.")
}
