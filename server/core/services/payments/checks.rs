//! Checking an order at the gateway, and acting on the response.
//!
//! Browsers, callbacks and tasks all use this code: one request at a time per order, at most one in
//! three seconds, and only the gateway's response moves money.

use tracing::Instrument as _;

use super::{OrderLock, Payments};
use crate::error::{Error, Result};
use crate::model::money::ledger_transaction::LedgerTransaction;
use crate::model::payment::{Dispute, PaymentOrder, PaymentState};
use crate::model::task::{TaskEnd, TaskKind};
use crate::providers::gateway::phonepe::callback::parse_callback;
use crate::providers::gateway::{GatewayError, OrderState, OrderStatus};
use crate::random::random_id;
use crate::store::ledger::Posted;
use crate::{failpoints, limits, store};

impl Payments {
    /// Updates an order from the gateway, unless it was checked a moment ago. A caller that arrives
    /// during a check waits for its result instead of starting another.
    pub(super) async fn check(&self, id: &str) -> Result<()> {
        let lock = self.order_locks.lock(id);
        let Ok(mine) = lock.clone().try_lock_owned() else {
            drop(lock.lock().await);
            return Ok(());
        };
        if let Some((order, true)) = self.claim(id).await? {
            // A task of its own, so that the response is kept if the client disconnects.
            let task = tokio::spawn(self.clone().ask(order, mine).in_current_span());
            if let Err(error) = task.await.map_err(Error::internal)? {
                tracing::error!(order = %id, "the gateway's answer was not stored: {error}");
            }
        }
        Ok(())
    }

    /// Checks an order that is due, and returns the time of the next check.
    pub async fn check_task(&self, id: &str) -> Result<TaskEnd> {
        let now_ms = self.core.clock.now_ms();
        let soon = Ok(TaskEnd::Again(now_ms + limits::PAYMENT_CHECK_MS_MIN));
        let Ok(lock) = self.order_locks.lock(id).try_lock_owned() else {
            return soon;
        };
        let order = match self.claim(id).await? {
            Some((order, true)) => order,
            Some((order, false)) if order.state != PaymentState::Completed => return soon,
            Some(_) | None => return Ok(TaskEnd::Done),
        };
        let answered = self.clone().ask(order.clone(), lock).await?;
        match answered && self.is_over(&order) {
            true => Ok(TaskEnd::Done),
            false => Ok(TaskEnd::Again(now_ms + wait_ms(now_ms - order.created_ms))),
        }
    }

    /// Handles a gateway callback about an order, which is checked at once. A task is stored first,
    /// so that an accepted callback survives a crash. Unknown orders are ignored.
    ///
    /// # Errors
    /// `LoggedOut` when it is not from the gateway.
    pub async fn on_callback(&self, authorization: Option<&str>, body: &[u8]) -> Result<()> {
        let genuine = authorization.is_some_and(|value| self.gateway.callback_is_genuine(value));
        if !genuine && !failpoints::on("callback-hash-unchecked") {
            return Err(Error::LoggedOut("This callback is not from the payment gateway.".into()));
        }
        let Some(merchant_order_id) = parse_callback(body) else {
            return Ok(());
        };
        let mut conn = self.core.store.read().await?;
        let order = store::payments::find_any(&mut conn, &merchant_order_id).await?;
        drop(conn);
        let Some(order) = order.filter(|order| order.state != PaymentState::Completed) else {
            return Ok(());
        };
        if failpoints::on("credit-unverified-callback") {
            return self.credit(&order, "T".to_owned(), "UPI_INTENT".to_owned()).await;
        }
        let (kind, id) = (TaskKind::Payment, order.merchant_order_id);
        let now_ms = self.core.clock.now_ms();
        let write = self.core.store.write(move |conn| {
            Box::pin(async move { store::tasks::add(conn, kind, &id, now_ms, now_ms).await })
        });
        write.await
    }

    /// Returns the order, and true if the gateway may be called about it now.
    async fn claim(&self, id: &str) -> Result<Option<(PaymentOrder, bool)>> {
        let now_ms = self.core.clock.now_ms();
        let id = id.to_owned();
        let write = self.core.store.write(move |conn| {
            Box::pin(async move {
                let Some(order) = store::payments::find_any(conn, &id).await? else {
                    return Ok(None);
                };
                if order.state == PaymentState::Failed && failpoints::on("failed-is-final") {
                    return Ok(Some((order, false)));
                }
                let pause_ms = limits::PAYMENT_CHECK_MS_MIN;
                let claimed = store::payments::claim_check(conn, &id, now_ms, pause_ms).await?;
                Ok(Some((order, claimed || failpoints::on("check-unclaimed"))))
            })
        });
        write.await
    }

    /// Calls the gateway and acts on the response; `false` when there was none.
    async fn ask(self, order: PaymentOrder, _lock: OrderLock) -> Result<bool> {
        let id = &order.merchant_order_id;
        match self.gateway.status(id).await {
            Ok(status) => self.settle(&order, status).await?,
            Err(GatewayError::NotFound) if self.core.clock.now_ms() < order.expires_ms => {}
            Err(GatewayError::NotFound) => {
                // After its expiry it cannot be paid any more.
                let description = "The payment was not started.".to_owned();
                self.fail(&order, "NOT_FOUND".to_owned(), description).await?;
            }
            Err(error) => {
                tracing::warn!(order = %id, %error, "the gateway's status is unknown");
                return Ok(false);
            }
        }
        Ok(true)
    }

    async fn settle(&self, order: &PaymentOrder, status: OrderStatus) -> Result<()> {
        if let Some(dispute) = mismatch(order, &status) {
            return self.dispute(order, dispute).await;
        }
        match status.state {
            OrderState::Pending => Ok(()),
            OrderState::Completed { transaction_id, method, .. } => {
                self.credit(order, transaction_id, method).await
            }
            OrderState::Failed { code, description } => {
                self.fail(order, code, description.unwrap_or_default()).await
            }
        }
    }

    /// Credits nothing, and notifies an operator once.
    async fn dispute(&self, order: &PaymentOrder, dispute: Dispute) -> Result<()> {
        let (id, reason) = (order.merchant_order_id.clone(), dispute.reason.clone());
        let write = self.core.store.write(move |conn| {
            Box::pin(async move { store::disputes::add(conn, &id, &dispute).await })
        });
        let is_new = write.await?;
        if is_new {
            metrics::counter!("dakiya_payments_disputed_total").increment(1);
            let message = "a payment does not fit its order; nothing credited";
            tracing::error!(order = %order.merchant_order_id, reason, message);
        }
        Ok(())
    }

    async fn fail(&self, order: &PaymentOrder, code: String, description: String) -> Result<()> {
        let id = order.merchant_order_id.clone();
        let write = self.core.store.write(move |conn| {
            Box::pin(async move { store::payments::fail(conn, &id, &code, &description).await })
        });
        write.await
    }

    /// Stores state and credit in one transaction; the credit is unique per order.
    async fn credit(
        &self,
        order: &PaymentOrder,
        transaction_id: String,
        method: String,
    ) -> Result<()> {
        let order = order.clone();
        let now_ms = self.core.clock.now_ms();
        let write = self.core.store.write(move |conn| {
            Box::pin(async move {
                let PaymentOrder { merchant_order_id: id, user_id, amount, .. } = &order;
                let news =
                    store::payments::complete(conn, id, &transaction_id, &method, now_ms).await?;
                let twice = !news && failpoints::on("credit-twice");
                store::tasks::remove(conn, TaskKind::Payment, id).await?;
                if !news && !twice {
                    return Ok(());
                }
                let once_id = if twice { &random_id() } else { id };
                let transaction = LedgerTransaction::recharge(user_id, once_id, *amount, now_ms);
                match store::ledger::post(conn, user_id, &transaction).await? {
                    Posted::Done => {
                        let kind = TaskKind::PaymentLetter;
                        store::tasks::add(conn, kind, id, now_ms, now_ms).await
                    }
                    Posted::Already | Posted::Refused => {
                        Err(Error::internal(anyhow::anyhow!("recharge {id} cannot be credited")))
                    }
                }
            })
        });
        write.await
    }

    /// Returns true if this was the last check: after 72 hours, unless paid. The minimum of checks
    /// guards against a clock that jumps ahead for a moment.
    fn is_over(&self, order: &PaymentOrder) -> bool {
        let age_ms = self.core.clock.now_ms() - order.created_ms;
        let enough = age_ms >= limits::SWEEP_MS_MAX && order.checks >= limits::SWEEP_CHECKS_MIN;
        let forgotten = order.state == PaymentState::Failed && failpoints::on("sweep-forgets");
        enough || forgotten
    }
}

/// Returns the pause before the next check of an order of this age.
fn wait_ms(age_ms: i64) -> i64 {
    let mut waits = limits::SWEEP_WAITS.iter();
    match waits.find(|(until_ms, _)| age_ms < *until_ms) {
        // The clock was set back since the order was made: its age is meaningless.
        Some(_) if age_ms < 0 => 60_000,
        Some((_, wait_ms)) => *wait_ms,
        None => limits::SWEEP_SELDOM_MS,
    }
}

/// Returns the gateway's confirmation as a dispute if it differs from the order.
fn mismatch(order: &PaymentOrder, status: &OrderStatus) -> Option<Dispute> {
    let OrderState::Completed { paid, transaction_id, method } = &status.state else {
        return None;
    };
    let dispute = |reason: String| Dispute {
        reason,
        paid: Some(*paid),
        transaction_id: transaction_id.clone(),
        method: method.clone(),
    };
    let (ours, theirs) = (&order.provider_order_id, &status.provider_order_id);
    if ours.as_ref().is_some_and(|ours| ours != theirs) {
        return Some(dispute(format!("confirmed as the gateway's order {theirs}")));
    }
    let amount = order.amount;
    let fits = (status.amount == amount && *paid == amount) || failpoints::on("amount-unchecked");
    (!fits).then(|| {
        let confirmed = status.amount;
        dispute(format!("ordered for {amount}, confirmed for {confirmed}, paid {paid}"))
    })
}
