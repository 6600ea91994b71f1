//! Charges: held, then captured or released, and refunded up to the captured amount. Each step and
//! its ledger transaction belong together: the caller commits both or neither.

use sqlx::Row;
use sqlx::any::AnyRow;

use super::ledger::{
    Balances, IfBusy, Opening, Posted, Posting, account_missing, is_posted, open, post, post_all,
};
use super::pipeline::Statement;
use super::{Conn, RunStatement as _, confirmations, invoices};
use crate::error::{Error, Result};
use crate::failpoints;
use crate::model::booking::documents::invoice::{DocumentFiling, Invoice};
use crate::model::booking::order::confirmation::Confirmation;
use crate::model::money::charge::{Charge, ChargeParts};
use crate::model::money::ledger_account::LedgerAccount;
use crate::model::money::ledger_transaction::LedgerTransaction;
use crate::model::money::paise::Paise;

/// The result of taking money from a wallet.
#[derive(Clone, Copy, Debug)]
#[must_use = "money may not have moved"]
pub struct Withdrawal {
    pub posted: Posted,
    /// The available balance after it.
    pub balance: Paise,
}

/// The columns that `charge` reads.
macro_rules! charge_columns {
    () => {
        "charge_id, user_id, description, taxable_paise, gst_paise, courier_paise, created_ms"
    };
}

/// Holds the money for a charge. `Refused` if the wallet does not cover it.
pub async fn hold(conn: &mut Conn, charge: &Charge) -> Result<Withdrawal> {
    let hold = LedgerTransaction::hold(charge);
    post_withdrawal(conn, charge, &[&hold], add_statement(charge, "held", None)).await
}

/// Holds and captures the money for a charge at once. `Refused` if the wallet does not cover it.
pub async fn spend(conn: &mut Conn, charge: &Charge) -> Result<Withdrawal> {
    let [hold, capture] = held_and_captured(charge);
    let insert = add_statement(charge, "captured", Some(charge.created_ms));
    post_withdrawal(conn, charge, &[&hold, &capture], insert).await
}

fn held_and_captured(charge: &Charge) -> [LedgerTransaction; 2] {
    [LedgerTransaction::hold(charge), LedgerTransaction::capture(charge, charge.created_ms)]
}

/// Charges that can be captured, but are not yet. Their wallets are locked.
pub struct Spending<'c> {
    charges: &'c [Charge],
    posting: Box<Posting>,
    /// The available balance of each user afterwards.
    pub balances: Vec<Paise>,
}

/// Checks if the charges of different users can be held and captured at once. The inner error is
/// the reason if they cannot: `Refused` if a wallet does not cover its charge.
pub(crate) async fn begin_spend<'c>(
    conn: &mut Conn,
    charges: &'c [Charge],
    if_busy: IfBusy,
) -> Result<std::result::Result<Spending<'c>, Posted>> {
    let transactions: Vec<_> = charges.iter().map(held_and_captured).collect();
    let owned = charges.iter().zip(&transactions);
    let owned: Vec<_> =
        owned.flat_map(|(charge, both)| both.iter().map(|one| (&*charge.user_id, one))).collect();
    let posting = match open(conn, &owned, if_busy).await? {
        Opening::Closed(posted, _) => return Ok(Err(posted)),
        Opening::Open(posting) => posting,
    };
    let balances = charges.iter();
    let balances = balances.map(|charge| available(&posting.balances, &charge.user_id));
    Ok(Ok(Spending { charges, balances: balances.collect::<Result<_>>()?, posting }))
}

impl Spending<'_> {
    /// Captures the money. Stores for each charge the invoice of its booking, all of one series,
    /// and the result of its confirmation under the idempotency key.
    pub async fn capture(
        self,
        conn: &mut Conn,
        invoices: &[(DocumentFiling, Invoice)],
        outcomes: &[(&str, Confirmation)],
    ) -> Result<()> {
        let mut statements: Vec<_> =
            invoices.last().map(invoices::end_statement).into_iter().collect();
        for (charge, (invoice, (key, outcome))) in
            self.charges.iter().zip(invoices.iter().zip(outcomes))
        {
            statements.push(add_statement(charge, "captured", Some(charge.created_ms)));
            statements.extend(confirmations::keep_booked_statements(invoice, key, outcome)?);
        }
        self.posting.write(conn, statements).await?;
        Ok(())
    }
}

async fn post_withdrawal(
    conn: &mut Conn,
    charge: &Charge,
    transactions: &[&LedgerTransaction],
    insert: Statement<'_>,
) -> Result<Withdrawal> {
    let user_id = &*charge.user_id;
    let transactions: Vec<_> = transactions.iter().map(|&one| (user_id, one)).collect();
    let (posted, balances) = post_all(conn, &transactions, Some(insert)).await?;
    let balance = available(&balances, user_id)?;
    Ok(Withdrawal { posted, balance })
}

fn available(balances: &Balances, user_id: &str) -> Result<Paise> {
    let account = LedgerAccount::Available(user_id.to_owned()).id();
    let paise = balances.get(&account).copied();
    paise.map(Paise::new).ok_or_else(account_missing)
}

fn add_statement<'q>(
    charge: &'q Charge,
    state: &'static str,
    ended_ms: Option<i64>,
) -> Statement<'q> {
    sqlx::query(
        "insert into charges (charge_id, user_id, description, taxable_paise, gst_paise,
           courier_paise, state, refunded_paise, created_ms, ended_ms)
         values ($1, $2, $3, $4, $5, $6, $7, 0, $8, $9)",
    )
    .bind(&charge.charge_id)
    .bind(&charge.user_id)
    .bind(&charge.description)
    .bind(charge.parts.taxable.get())
    .bind(charge.parts.gst.get())
    .bind(charge.parts.courier.get())
    .bind(state)
    .bind(charge.created_ms)
    .bind(ended_ms)
}

/// Captures a hold. `Refused` if nothing is held under this id.
pub async fn capture(conn: &mut Conn, user_id: &str, id: &str, now_ms: i64) -> Result<Posted> {
    end(conn, user_id, id, ("captured", LedgerTransaction::capture), now_ms).await
}

/// Releases a hold. `Refused` if nothing is held under this id.
pub async fn release(conn: &mut Conn, user_id: &str, id: &str, now_ms: i64) -> Result<Posted> {
    end(conn, user_id, id, ("released", LedgerTransaction::release), now_ms).await
}

/// Ends a held charge in this state with its transaction. `Already` if it is in this state.
async fn end(
    conn: &mut Conn,
    user_id: &str,
    id: &str,
    (state, transaction): (&str, fn(&Charge, i64) -> LedgerTransaction),
    now_ms: i64,
) -> Result<Posted> {
    let end = failpoints::sql(concat!(
        "update charges set state = $3, ended_ms = $4
         where charge_id = $1 and user_id = $2 and state = 'held' returning ",
        charge_columns!()
    ));
    let end = sqlx::query(end).bind(id).bind(user_id).bind(state).bind(now_ms);
    if let Some(charge) = end.read_first(conn, charge).await? {
        return must_post(conn, &transaction(&charge, now_ms), &charge).await;
    }
    let count = "select count(*) from charges
                 where charge_id = $1 and user_id = $2 and state = $3";
    let has_ended = sqlx::query(count).bind(id).bind(user_id).bind(state).counts_any(conn).await?;
    Ok(if has_ended { Posted::Already } else { Posted::Refused })
}

/// Refunds a part of a captured charge, once for each refund id, although the courier bills us all
/// the same. `Refused` if that would exceed the rest of the charge, or if it was not captured.
///
/// # Errors
/// `Internal` for an amount that is not positive.
pub async fn refund(
    conn: &mut Conn,
    user_id: &str,
    id: &str,
    refund_id: &str,
    amount: Paise,
    now_ms: i64,
) -> Result<Posted> {
    if amount <= Paise::ZERO {
        return Err(Error::internal(anyhow::anyhow!("a refund of nothing")));
    }
    let Some((charge, refunded)) = take_refund(conn, user_id, id, amount).await? else {
        let is_repeat = is_posted(conn, &format!("refund:{id}:{refund_id}")).await?;
        return Ok(if is_repeat { Posted::Already } else { Posted::Refused });
    };
    let before = refunded.minus(amount);
    let billed = Paise::ZERO;
    let transaction = LedgerTransaction::refund(&charge, refund_id, before, amount, billed, now_ms);
    let posted = post(conn, user_id, &transaction).await?;
    if posted != Posted::Done {
        let update = "update charges set refunded_paise = $2 where charge_id = $1";
        sqlx::query(update).bind(id).bind(before.get()).run(conn).await?;
    }
    Ok(posted)
}

/// Refunds the whole rest of a captured charge under this refund id, because the service is
/// cancelled and its courier bills us nothing. Returns the amount refunded now; zero if that
/// happened before.
///
/// # Errors
/// `Internal` if the charge was never captured.
pub async fn call_off(
    conn: &mut Conn,
    user_id: &str,
    id: &str,
    refund_id: &str,
    now_ms: i64,
) -> Result<Paise> {
    let (charge, before, returned) = take_rest(conn, user_id, id).await?;
    let amount = charge.parts.total().minus(before);
    let courier = charge.parts.courier.minus(returned);
    if amount == Paise::ZERO && courier == Paise::ZERO {
        return Ok(Paise::ZERO);
    }
    let transaction =
        LedgerTransaction::refund(&charge, refund_id, before, amount, courier, now_ms);
    must_post(conn, &transaction, &charge).await?.or_fail(id)?;
    Ok(amount)
}

/// Marks a captured charge as fully refunded. Returns the charge, the amount refunded before, and
/// the amount that its courier had waived before.
async fn take_rest(conn: &mut Conn, user_id: &str, id: &str) -> Result<(Charge, Paise, Paise)> {
    loop {
        let select = concat!(
            "select refunded_paise, courier_returned_paise, ",
            charge_columns!(),
            " from charges where charge_id = $1 and user_id = $2 and state = 'captured'"
        );
        let row = sqlx::query(select).bind(id).bind(user_id).fetch_optional(&mut *conn).await?;
        let row = row.ok_or_else(|| {
            Error::internal(anyhow::anyhow!("charge {id} was never captured: nothing to give back"))
        })?;
        let (refunded, returned): (i64, i64) =
            (row.try_get("refunded_paise")?, row.try_get("courier_returned_paise")?);
        // If another refund was written in between, the row is read again.
        let update = "update charges set refunded_paise = taxable_paise + gst_paise,
                        courier_returned_paise = courier_paise
                      where charge_id = $1 and user_id = $2 and state = 'captured'
                        and refunded_paise = $3 and courier_returned_paise = $4";
        let update = sqlx::query(update).bind(id).bind(user_id).bind(refunded).bind(returned);
        if update.changes_one(conn).await? {
            return Ok((charge(&row)?, Paise::new(refunded), Paise::new(returned)));
        }
    }
}

pub(crate) async fn owner(conn: &mut Conn, id: &str) -> Result<Option<String>> {
    let owner = "select user_id from charges where charge_id = $1";
    Ok(sqlx::query_scalar(owner).bind(id).fetch_optional(conn).await?)
}

/// Returns the parts of the user's charge.
pub(crate) async fn parts_of(
    conn: &mut Conn,
    user_id: &str,
    id: &str,
) -> Result<Option<ChargeParts>> {
    let select = "select taxable_paise, gst_paise, courier_paise from charges
                  where charge_id = $1 and user_id = $2";
    sqlx::query(select).bind(id).bind(user_id).read_first(conn, parts).await
}

pub(crate) async fn refunded_amount(conn: &mut Conn, user_id: &str, id: &str) -> Result<Paise> {
    let refunded = "select refunded_paise from charges where charge_id = $1 and user_id = $2";
    let refunded: Option<i64> =
        sqlx::query_scalar(refunded).bind(id).bind(user_id).fetch_optional(conn).await?;
    Ok(Paise::new(refunded.unwrap_or_default()))
}

/// Adds the refund to the charge. Returns the charge and its refunded total.
async fn take_refund(
    conn: &mut Conn,
    user_id: &str,
    id: &str,
    amount: Paise,
) -> Result<Option<(Charge, Paise)>> {
    let take = failpoints::sql(concat!(
        "update charges set refunded_paise = refunded_paise + $3
         where charge_id = $1 and user_id = $2 and state = 'captured'
           and refunded_paise + $3 <= taxable_paise + gst_paise
         returning refunded_paise, ",
        charge_columns!()
    ));
    let read = |row: &AnyRow| Ok((charge(row)?, Paise::new(row.try_get("refunded_paise")?)));
    sqlx::query(take).bind(id).bind(user_id).bind(amount.get()).read_first(conn, read).await
}

/// Posts a transaction that the charge's state allowed. A refusal of the books is an error.
async fn must_post(
    conn: &mut Conn,
    transaction: &LedgerTransaction,
    charge: &Charge,
) -> Result<Posted> {
    match post(conn, &charge.user_id, transaction).await? {
        Posted::Done => Ok(Posted::Done),
        Posted::Already | Posted::Refused => Err(Error::internal(anyhow::anyhow!(
            "the books contradict charge {}",
            charge.charge_id
        ))),
    }
}

fn charge(row: &AnyRow) -> Result<Charge> {
    Ok(Charge {
        charge_id: row.try_get("charge_id")?,
        user_id: row.try_get("user_id")?,
        description: row.try_get("description")?,
        parts: parts(row)?,
        created_ms: row.try_get("created_ms")?,
    })
}

/// Reads the parts of a charge from a row that has them.
pub(super) fn parts(row: &AnyRow) -> Result<ChargeParts> {
    let paise = |column: &str| row.try_get(column).map(Paise::new);
    Ok(ChargeParts {
        taxable: paise("taxable_paise")?,
        gst: paise("gst_paise")?,
        courier: paise("courier_paise")?,
    })
}
