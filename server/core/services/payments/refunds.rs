//! Refunds to the payer. A refund is stored before the gateway is called, its id is the idempotency
//! key at the gateway, and the gateway is called until it returns the final state.

use super::Payments;
use crate::error::{Error, Result};
use crate::model::money::movement::{Movement, MovementKind};
use crate::model::money::paise::Paise;
use crate::model::payment::gateway_refund::{GatewayRefund, GatewayRefundState};
use crate::model::task::{TaskEnd, TaskKind};
use crate::providers::gateway::{GatewayError, NewRefund, RefundState, RefundStatus};
use crate::store::ledger::Posted;
use crate::store::{self, Conn};
use crate::{failpoints, limits};

/// Stores a refund, takes its money from the wallet if it was credited there, and adds the task
/// that sends it. Belongs in the caller's transaction.
///
/// # Errors
/// `ShortOfMoney` when the wallet does not cover it.
pub(crate) async fn request(
    conn: &mut Conn,
    refund: &GatewayRefund,
    actor: &str,
    note: &str,
) -> Result<()> {
    let (id, now_ms) = (&refund.merchant_refund_id, refund.created_ms);
    if refund.from_wallet {
        let debit = movement(refund, MovementKind::GatewayRefund, id.clone(), now_ms);
        let debit = Movement { actor: actor.to_owned(), note: note.to_owned(), ..debit };
        if store::movements::add(conn, &debit).await? == Posted::Refused {
            return Err(Error::ShortOfMoney("The wallet does not cover this refund.".into()));
        }
    }
    store::gateway_refunds::add(conn, refund).await?;
    store::tasks::add(conn, TaskKind::GatewayRefund, id, now_ms, now_ms).await
}

fn movement(refund: &GatewayRefund, kind: MovementKind, id: String, now_ms: i64) -> Movement {
    Movement {
        movement_id: id,
        kind,
        user_id: refund.user_id.clone(),
        reference: refund.merchant_order_id.clone(),
        amount: refund.amount,
        part: Paise::ZERO,
        actor: "gateway".to_owned(),
        note: String::new(),
        created_ms: now_ms,
    }
}

impl Payments {
    /// Resumes a refund: sends it, or reads its state.
    ///
    /// # Errors
    /// `Provider` when the gateway did not answer, `Conflict` for a case that an operator must
    /// decide.
    pub async fn refund_task(&self, id: &str) -> Result<TaskEnd> {
        let refund = store::gateway_refunds::find(&mut *self.core.store.read().await?, id).await?;
        let Some(refund) = refund else {
            return Ok(TaskEnd::Done);
        };
        match refund.state {
            GatewayRefundState::Wanted => self.send_refund(&refund).await,
            GatewayRefundState::Sent => self.ask_refund(&refund).await,
            GatewayRefundState::Completed | GatewayRefundState::Failed => Ok(TaskEnd::Done),
        }
    }

    async fn send_refund(&self, refund: &GatewayRefund) -> Result<TaskEnd> {
        let (id, now_ms) = (refund.merchant_refund_id.clone(), self.core.clock.now_ms());
        let begin = self.core.store.write(move |conn| {
            Box::pin(async move { store::gateway_refunds::set_sent(conn, &id, now_ms).await })
        });
        if !begin.await? {
            return Ok(TaskEnd::Again(now_ms + limits::REFUND_ASK_MS));
        }
        let request = NewRefund {
            merchant_refund_id: refund.merchant_refund_id.clone(),
            merchant_order_id: refund.merchant_order_id.clone(),
            amount: refund.amount,
        };
        match self.gateway.refund(&request).await {
            Ok(status) => self.settle_refund(refund, status).await,
            Err(GatewayError::Refused { http, code, .. }) => {
                self.handle_refusal(refund, http, code).await
            }
            Err(GatewayError::Unavailable(_)) => {
                self.put_refund_back(refund).await?;
                Err(unreachable())
            }
            Err(_) if failpoints::on("refund-lost-is-failed") => {
                self.end_refund(refund, GatewayRefundState::Failed, "", "LOST").await
            }
            Err(GatewayError::Unknown { .. } | GatewayError::NotFound) => {
                Ok(TaskEnd::Again(now_ms + limits::REFUND_ASK_MS))
            }
        }
    }

    /// Handles a refusal of this request. It is final only if the gateway does not know the refund:
    /// a retry is refused too when the first request succeeded. Errors about our expired key or a
    /// rate limit mean nothing for the refund.
    async fn handle_refusal(
        &self,
        refund: &GatewayRefund,
        http: u16,
        code: String,
    ) -> Result<TaskEnd> {
        if matches!(http, 401 | 403 | 404 | 429) {
            self.put_refund_back(refund).await?;
            return Err(unreachable());
        }
        match self.gateway.refund_status(&refund.merchant_refund_id).await {
            Ok(status) => self.settle_refund(refund, status).await,
            Err(GatewayError::NotFound) => {
                self.end_refund(refund, GatewayRefundState::Failed, "", &code).await
            }
            Err(_) => Err(unreachable()),
        }
    }

    /// Reads the state after a crash or a lost response: the gateway has the refund, or will only
    /// have it if it is sent again, under the same id.
    async fn ask_refund(&self, refund: &GatewayRefund) -> Result<TaskEnd> {
        let now_ms = self.core.clock.now_ms();
        match self.gateway.refund_status(&refund.merchant_refund_id).await {
            Ok(status) => self.settle_refund(refund, status).await,
            Err(GatewayError::NotFound) if now_ms - refund.sent_ms >= limits::REFUND_LOST_MS => {
                self.put_refund_back(refund).await?;
                Ok(TaskEnd::Again(now_ms))
            }
            Err(GatewayError::NotFound) => Ok(TaskEnd::Again(now_ms + limits::REFUND_ASK_MS)),
            Err(_) => Err(unreachable()),
        }
    }

    async fn settle_refund(&self, refund: &GatewayRefund, status: RefundStatus) -> Result<TaskEnd> {
        if status.amount != refund.amount {
            return Err(Error::NeedsOperator {
                code: "refund_differs",
                message: "The gateway has a refund of another amount under this id.".into(),
            });
        }
        let provider_id = &status.provider_refund_id;
        match status.state {
            RefundState::Pending | RefundState::Confirmed => {
                let now_ms = self.core.clock.now_ms();
                let wait_ms = match now_ms - refund.created_ms < limits::REFUND_YOUNG_MS {
                    true => limits::REFUND_ASK_MS,
                    false => limits::REFUND_ASK_SELDOM_MS,
                };
                Ok(TaskEnd::Again(now_ms + wait_ms))
            }
            RefundState::Completed => {
                self.end_refund(refund, GatewayRefundState::Completed, provider_id, "").await
            }
            RefundState::Failed { code } => {
                self.end_refund(refund, GatewayRefundState::Failed, provider_id, &code).await
            }
        }
    }

    /// Stores the gateway's final state. Money that was not refunded returns to the wallet, or to
    /// the dispute.
    async fn end_refund(
        &self,
        refund: &GatewayRefund,
        state: GatewayRefundState,
        provider_id: &str,
        code: &str,
    ) -> Result<TaskEnd> {
        let (refund, provider_id) = (refund.clone(), provider_id.to_owned());
        let (code, now_ms) = (code.to_owned(), self.core.clock.now_ms());
        let end = self.core.store.write(move |conn| {
            Box::pin(async move {
                let id = &refund.merchant_refund_id;
                let is_news =
                    store::gateway_refunds::end(conn, id, state, &provider_id, &code, now_ms);
                if !is_news.await? {
                    return Ok(());
                }
                if state == GatewayRefundState::Failed && refund.from_wallet {
                    let kind = MovementKind::GatewayRefundFailed;
                    let again = movement(&refund, kind, GatewayRefund::failed_id(id), now_ms);
                    store::movements::add(conn, &again).await?.or_fail(id)?;
                } else if state == GatewayRefundState::Failed {
                    let reason = format!("sending {} back failed: {code}", refund.amount);
                    store::disputes::reopen(conn, &refund.merchant_order_id, &reason).await?;
                }
                store::tasks::add(conn, TaskKind::PaymentLetter, id, now_ms, now_ms).await
            })
        });
        end.await?;
        Ok(TaskEnd::Done)
    }

    async fn put_refund_back(&self, refund: &GatewayRefund) -> Result<()> {
        let id = refund.merchant_refund_id.clone();
        let back = self.core.store.write(move |conn| {
            Box::pin(async move { store::gateway_refunds::not_sent(conn, &id).await })
        });
        back.await
    }
}

fn unreachable() -> Error {
    Error::Provider("The gateway does not answer.".into())
}
