//! Payouts of the payment gateway to our bank, its chargebacks, and its reports of each day: they
//! are reconciled with payments and books, and the differences are exceptions.

use serde::Serialize;
use serde_json::json;
use time::Date;

use super::{ActOutcome, Operators, check_posted_once, nothing_to_do, number, payments, reason};
use crate::error::{Error, Result};
use crate::model::money::ledger_account::LedgerAccount;
use crate::model::money::movement::{Movement, MovementKind};
use crate::model::money::paise::Paise;
use crate::model::operator::{ActResult, format_count};
use crate::model::payment::report::parse_report;
use crate::services::books::movements;
use crate::services::books::reconciliation::reconcile_day;
use crate::store::reconciliation::OpenException;
use crate::store::{self, Conn, Store};

#[derive(Debug, Serialize)]
pub struct PaidOut {
    /// The bank's number.
    pub reference: String,
    pub amount: Paise,
    pub fee: Paise,
    /// The amount received in our bank account.
    pub received: Paise,
    /// The customers' payments that the gateway still holds.
    pub at_gateway: Paise,
}

/// A payment that the gateway charged back, or returned after a decision.
#[derive(Debug, Serialize)]
pub struct ChargedBack {
    /// The gateway's number of the chargeback.
    pub chargeback: String,
    pub order: String,
    pub user: String,
    pub amount: Paise,
    /// The amount in the wallet now.
    pub available: Paise,
    /// The amount that the customer owes us now.
    pub owed: Paise,
    pub frozen: bool,
}

/// A day whose report was read.
#[derive(Debug, Serialize)]
pub struct DayReconciled {
    pub day: String,
    pub rows: usize,
    /// Customers' payments at the gateway on that day.
    pub paid: Paise,
    /// Credits in the books on that day.
    pub credited: Paise,
    /// All open exceptions, including other days.
    pub open: Vec<ExceptionListed>,
}

/// A difference between gateway, orders and books.
#[derive(Debug, Serialize)]
pub struct ExceptionListed {
    pub exception: String,
    pub day: String,
    pub kind: String,
    pub order: String,
    pub gateway: Option<Paise>,
    pub ordered: Option<Paise>,
    pub books: Option<Paise>,
    pub found_at: i64,
}

#[derive(Debug, Serialize)]
pub struct ExceptionClosed {
    pub exception: String,
}

impl From<OpenException> for ExceptionListed {
    fn from(open: OpenException) -> ExceptionListed {
        ExceptionListed {
            exception: open.exception_id,
            day: open.day,
            kind: open.difference.kind,
            order: open.difference.merchant_order_id,
            gateway: open.difference.gateway,
            ordered: open.difference.order,
            books: open.difference.ledger,
            found_at: open.found_ms,
        }
    }
}

/// Returns all open exceptions, oldest day first.
pub async fn exceptions(store: &Store) -> Result<Vec<ExceptionListed>> {
    let open = store::reconciliation::open(&mut *store.read().await?).await?;
    Ok(open.into_iter().map(ExceptionListed::from).collect())
}

impl Operators {
    /// Records a payout of the gateway to our bank account, after its fee; the bank's number is the
    /// idempotency key.
    ///
    /// # Errors
    /// `Fields` for amount, fee and number, `Conflict` when the number is already in the books.
    pub async fn record_payout(
        &self,
        amount: Paise,
        fee: Paise,
        reference: &str,
        why: &str,
    ) -> Result<ActResult<PaidOut>> {
        let reference = number("reference", reference)?;
        let by =
            self.numbered_instruction(MovementKind::GatewaySettlement.id_of(&reference), why)?;
        let arguments = json!({
            "amount": amount, "fee": fee, "reference": reference, "reason": by.note,
        });
        let action = self.act("payments settled", arguments, move |conn| {
            Box::pin(async move {
                check_posted_once(
                    movements::settle_gateway(conn, &by, &reference, amount, fee).await,
                )?;
                let clearing = LedgerAccount::GatewayClearing;
                let at_gateway = store::ledger::balance(conn, &clearing).await?.negated();
                let received = amount.minus(fee);
                Ok(ActOutcome {
                    reference: reference.clone(),
                    outcome: format!(
                        "Received {received}, fee {fee}; the gateway still has {at_gateway}."
                    ),
                    result: PaidOut { reference, amount, fee, received, at_gateway },
                })
            })
        });
        action.await
    }

    /// Records a chargeback of a payment, or of a part of it: from the wallet as far as that covers
    /// it; the customer owes the rest. `freeze` freezes the account with it. The gateway's number
    /// is the idempotency key.
    ///
    /// # Errors
    /// `NotFound` for a payment that was never credited, `Fields` for amount and number, `Conflict`
    /// for more than is left of it and when the number is already in the books.
    pub async fn charge_back(
        &self,
        order: &str,
        amount: Option<Paise>,
        reference: &str,
        freeze: bool,
        why: &str,
    ) -> Result<ActResult<ChargedBack>> {
        let (order, reference) = (order.to_owned(), number("reference", reference)?);
        let by = self.numbered_instruction(MovementKind::Chargeback.id_of(&reference), why)?;
        let arguments = json!({
            "order": order, "amount": amount, "reference": reference, "freeze": freeze,
            "reason": by.note,
        });
        let action = self.act("payments chargeback", arguments, move |conn| {
            Box::pin(async move {
                let payment = payments::find(conn, &order).await?;
                store::ledger::lock(conn, &payment.user_id).await?;
                let before = store::movements::find(conn, &by.id).await?;
                let amount = match (amount, before) {
                    (Some(amount), _) => amount,
                    (None, Some(before)) => before.amount,
                    (None, None) => {
                        let returned = store::movements::gone_back(conn, &order).await?;
                        payment.amount.minus(returned)
                    }
                };
                if amount == Paise::ZERO {
                    return Err(nothing_to_do("All of this payment went back before."));
                }
                check_posted_once(movements::chargeback(conn, &by, &order, amount).await)?;
                if freeze {
                    let user = &payment.user_id;
                    if store::users::freeze(conn, user, by.now_ms).await? {
                        store::sessions::end_all(conn, user).await?;
                    }
                }
                chargeback_outcome(conn, &by.id, reference, "Taken back").await
            })
        });
        action.await
    }

    /// Records that a chargeback was decided for us: the wallet gets the amount back, after what is
    /// still owed. A frozen account stays frozen.
    ///
    /// # Errors
    /// `NotFound` when there is no such chargeback, `Conflict` when it was decided before.
    pub async fn chargeback_won(
        &self,
        reference: &str,
        why: &str,
    ) -> Result<ActResult<ChargedBack>> {
        let reference = number("chargeback", reference)?;
        let by =
            self.numbered_instruction(MovementKind::ChargebackReversal.id_of(&reference), why)?;
        let arguments = json!({"chargeback": reference, "reason": by.note});
        let action = self.act("payments chargeback-won", arguments, move |conn| {
            Box::pin(async move {
                let chargeback_id = MovementKind::Chargeback.id_of(&reference);
                check_posted_once(movements::chargeback_won(conn, &by, &chargeback_id).await)?;
                chargeback_outcome(conn, &by.id, reference, "Given again").await
            })
        });
        action.await
    }

    /// Compares the gateway's report of a day in India with payments and books.
    ///
    /// # Errors
    /// `Malformed` for a report with any error: then nothing of it is stored.
    pub async fn reconcile(
        &self,
        day: Date,
        report: &[u8],
        why: &str,
    ) -> Result<ActResult<DayReconciled>> {
        let (rows, why, now_ms) = (parse_report(report)?, reason(why)?, self.core.clock.now_ms());
        let arguments = json!({"day": day.to_string(), "rows": rows.len(), "reason": why});
        let action = self.act("reconciliation day", arguments, move |conn| {
            Box::pin(async move {
                let read = reconcile_day(conn, day, &rows, now_ms).await?;
                let (rows, paid, credited) = (read.rows, read.paid, read.credited);
                let open: Vec<_> = read.open.into_iter().map(ExceptionListed::from).collect();
                Ok(ActOutcome {
                    reference: day.to_string(),
                    outcome: format!(
                        "{}, {paid} paid, {credited} credited, {} open.",
                        format_count(rows, "row"),
                        open.len()
                    ),
                    result: DayReconciled { day: day.to_string(), rows, paid, credited, open },
                })
            })
        });
        action.await
    }

    /// Closes an exception, and stores the reason with it.
    ///
    /// # Errors
    /// `NotFound` when it is not open.
    pub async fn close_exception(&self, id: &str, why: &str) -> Result<ActResult<ExceptionClosed>> {
        let (id, by) = (id.to_owned(), self.instruction(why)?);
        let action = self.act("reconciliation close", json!({"reason": by.note}), move |conn| {
            Box::pin(async move {
                let (actor, note) = (&by.actor, &by.note);
                if !store::reconciliation::close(conn, &id, actor, note, by.now_ms).await? {
                    return Err(Error::NotFound("No such exception is open.".into()));
                }
                Ok(ActOutcome {
                    reference: id.clone(),
                    outcome: "Closed.".to_owned(),
                    result: ExceptionClosed { exception: id },
                })
            })
        });
        action.await
    }
}

async fn chargeback_outcome(
    conn: &mut Conn,
    movement_id: &str,
    chargeback: String,
    what: &str,
) -> Result<ActOutcome<ChargedBack>> {
    let lost = || Error::internal(anyhow::anyhow!("a movement that was made is gone"));
    let movement = store::movements::find(conn, movement_id).await?;
    let Movement { user_id, reference, amount, .. } = movement.ok_or_else(lost)?;
    let available = store::ledger::available(conn, &user_id).await?;
    let owed = store::debts::owed(conn, &user_id).await?;
    let frozen = store::users::frozen_ms(conn, &user_id).await?.is_some();
    let state = if frozen { "frozen" } else { "not frozen" };
    Ok(ActOutcome {
        reference: reference.clone(),
        outcome: format!(
            "{what} {amount}: the wallet has {available}, the customer owes {owed}; the account \
             is {state}."
        ),
        result: ChargedBack {
            chargeback,
            order: reference,
            user: user_id,
            amount,
            available,
            owed,
            frozen,
        },
    })
}
