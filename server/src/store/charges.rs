//! Charges: held, then captured or released, and refunded up to what was captured. Each step
//! and its transaction in the books are one: the caller commits both or neither.

use sqlx::Row;
use sqlx::any::AnyRow;

use super::ledger::{
    Balances, Opening, Posted, Posting, account_missing, is_posted, open, post, post_all,
};
use super::pipeline::Statement;
use super::{Conn, confirmations, invoices};
use crate::error::{Error, Result};
use crate::model::booking::confirmation::Confirmation;
use crate::model::booking::invoice::{DocumentFiling, DocumentNumber, DocumentSeries, Invoice};
use crate::model::money::charge::{Charge, ChargeParts};
use crate::model::money::ledger_transaction::{LedgerAccount, LedgerTransaction};
use crate::model::money::paise::Paise;
use crate::{failpoints, limits};

/// What became of money that was to be taken from a wallet.
#[derive(Clone, Copy, Debug)]
#[must_use = "money may not have moved"]
pub struct Withdrawal {
    pub posted: Posted,
    /// What can be spent after that.
    pub left: Paise,
}

/// Sets the money for a charge aside. `Refused` when the wallet does not cover it.
pub async fn hold(conn: &mut Conn, charge: &Charge) -> Result<Withdrawal> {
    let hold = LedgerTransaction::hold(charge);
    draw(conn, charge, &[&hold], adding(charge, "held", None)).await
}

/// Sets the money for a charge aside and spends it at once. `Refused` when the wallet does not
/// cover it.
pub async fn spend(conn: &mut Conn, charge: &Charge) -> Result<Withdrawal> {
    let [hold, capture] = held_and_captured(charge);
    let added = adding(charge, "captured", Some(charge.created_ms));
    draw(conn, charge, &[&hold, &capture], added).await
}

fn held_and_captured(charge: &Charge) -> [LedgerTransaction; 2] {
    [
        LedgerTransaction::hold(charge),
        LedgerTransaction::capture(charge, charge.created_ms),
    ]
}

/// Charges that can be spent, and are not yet. The books are ours.
pub struct Spending<'c> {
    charges: &'c [Charge],
    posting: Box<Posting>,
    /// What each user can spend after that.
    pub left: Vec<Paise>,
    /// The number of the first one's document.
    pub number: DocumentNumber,
}

/// Looks whether the money for charges of different users can be spent at once, and which number
/// the first one's document gets. When it cannot, the answer is why: `Refused` when a wallet does
/// not cover it.
pub(crate) async fn begin_spend<'c>(
    conn: &mut Conn,
    charges: &'c [Charge],
    series: &DocumentSeries,
) -> Result<std::result::Result<Spending<'c>, Posted>> {
    let transactions: Vec<_> = charges.iter().map(held_and_captured).collect();
    let owned = charges.iter().zip(&transactions);
    let owned: Vec<_> = owned
        .flat_map(|(charge, both)| both.iter().map(|one| (&*charge.user_id, one)))
        .collect();
    let posting = match open(conn, &owned, Some(series)).await? {
        Opening::Closed(posted, _) => return Ok(Err(posted)),
        Opening::Open(posting) => posting,
    };
    let left = charges.iter();
    let left = left.map(|charge| available(&posting.balances, &charge.user_id));
    Ok(Ok(Spending {
        charges,
        left: left.collect::<Result<_>>()?,
        number: posting.number(),
        posting,
    }))
}

impl Spending<'_> {
    /// Spends the money, and keeps for each charge the invoice of the booking that it is for, and
    /// under which key its confirmation came to what.
    pub async fn invoiced(
        self,
        conn: &mut Conn,
        series: &DocumentSeries,
        invoices: &[(DocumentFiling, Invoice)],
        outcomes: &[(&str, Confirmation)],
    ) -> Result<()> {
        let count = i64::try_from(invoices.len()).map_err(Error::internal)?;
        let mut about = vec![invoices::counting(series, count)];
        for (charge, (invoice, (key, outcome))) in
            self.charges.iter().zip(invoices.iter().zip(outcomes))
        {
            about.push(adding(charge, "captured", Some(charge.created_ms)));
            about.extend(confirmations::keeping_booked(invoice, key, outcome)?);
        }
        self.posting.write(conn, about).await?;
        Ok(())
    }
}

async fn draw(
    conn: &mut Conn,
    charge: &Charge,
    transactions: &[&LedgerTransaction],
    added: Statement<'_>,
) -> Result<Withdrawal> {
    let user_id = &*charge.user_id;
    let transactions: Vec<_> = transactions.iter().map(|&one| (user_id, one)).collect();
    let (posted, balances) = post_all(conn, &transactions, Some(added)).await?;
    let left = available(&balances, user_id)?;
    Ok(Withdrawal { posted, left })
}

fn available(balances: &Balances, user_id: &str) -> Result<Paise> {
    let account = LedgerAccount::Available(user_id.to_owned()).id();
    let paise = balances.get(&account).copied();
    paise.map(Paise::new).ok_or_else(account_missing)
}

fn adding<'q>(charge: &'q Charge, state: &'static str, ended_ms: Option<i64>) -> Statement<'q> {
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

/// Spends what was held. `Refused` when nothing is held under this id.
pub async fn capture(conn: &mut Conn, user_id: &str, id: &str, now_ms: i64) -> Result<Posted> {
    match end(conn, user_id, id, "captured", now_ms).await? {
        Some(charge) => {
            must_post(conn, &LedgerTransaction::capture(&charge, now_ms), &charge).await
        }
        None => ended_before(conn, user_id, id, "captured").await,
    }
}

/// Gives back what was held. `Refused` when nothing is held under this id.
pub async fn release(conn: &mut Conn, user_id: &str, id: &str, now_ms: i64) -> Result<Posted> {
    match end(conn, user_id, id, "released", now_ms).await? {
        Some(charge) => {
            must_post(conn, &LedgerTransaction::release(&charge, now_ms), &charge).await
        }
        None => ended_before(conn, user_id, id, "released").await,
    }
}

/// Gives back a part of what was captured, once for each refund id, while the courier bills us all
/// the same. `Refused` when that would be more than is left of the charge, or when it was not
/// captured.
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
        let known = is_posted(conn, &format!("refund:{id}:{refund_id}")).await?;
        return Ok(if known {
            Posted::Already
        } else {
            Posted::Refused
        });
    };
    let before = [refunded, amount.negated()].into_iter().sum();
    let billed = Paise::ZERO;
    let transaction = LedgerTransaction::refund(&charge, refund_id, before, amount, billed, now_ms);
    let posted = post(conn, user_id, &transaction).await?;
    if posted != Posted::Done {
        sqlx::query("update charges set refunded_paise = $2 where charge_id = $1")
            .bind(id)
            .bind(before.get())
            .execute(conn)
            .await?;
    }
    Ok(posted)
}

/// Gives back all that is left of what was captured, under this refund id: what was paid for is
/// not done, and its courier bills us nothing. Answers what was given back now; zero when that
/// happened before.
///
/// # Errors
/// `Internal` when it was never captured.
pub async fn call_off(
    conn: &mut Conn,
    user_id: &str,
    id: &str,
    refund_id: &str,
    now_ms: i64,
) -> Result<Paise> {
    let (charge, before, returned) = take_rest(conn, user_id, id).await?;
    let left = |whole: Paise, gone: Paise| [whole, gone.negated()].into_iter().sum::<Paise>();
    let amount = left(charge.parts.total(), before);
    let courier = left(charge.parts.courier, returned);
    if amount == Paise::ZERO && courier == Paise::ZERO {
        return Ok(Paise::ZERO);
    }
    let transaction =
        LedgerTransaction::refund(&charge, refund_id, before, amount, courier, now_ms);
    must_post(conn, &transaction, &charge).await?.surely(id)?;
    Ok(amount)
}

/// Marks a captured charge as given back whole: the charge, what was refunded before and what its
/// courier had let us off before.
async fn take_rest(conn: &mut Conn, user_id: &str, id: &str) -> Result<(Charge, Paise, Paise)> {
    loop {
        let row = sqlx::query(
            "select * from charges where charge_id = $1 and user_id = $2 and state = 'captured'",
        )
        .bind(id)
        .bind(user_id)
        .fetch_optional(&mut *conn)
        .await?;
        let row = row.ok_or_else(|| {
            Error::internal(anyhow::anyhow!(
                "charge {id} was never captured: nothing to give back"
            ))
        })?;
        let (refunded, returned): (i64, i64) = (
            row.try_get("refunded_paise")?,
            row.try_get("courier_returned_paise")?,
        );
        // Another refund may come between: then it is looked at again.
        let taken = sqlx::query(
            "update charges set refunded_paise = taxable_paise + gst_paise,
               courier_returned_paise = courier_paise
             where charge_id = $1 and user_id = $2 and state = 'captured'
               and refunded_paise = $3 and courier_returned_paise = $4",
        )
        .bind(id)
        .bind(user_id)
        .bind(refunded)
        .bind(returned)
        .execute(&mut *conn)
        .await?;
        if taken.rows_affected() == 1 {
            return Ok((charge(&row)?, Paise::new(refunded), Paise::new(returned)));
        }
    }
}

/// Takes back what couriers are still owed for bookings that were called off before refunds did
/// that, some at a time, each once. Answers how many.
pub(crate) async fn correct_called_off(conn: &mut Conn, now_ms: i64) -> Result<usize> {
    let rows = sqlx::query(
        "select c.* from charges c
         join ledger_transactions t on t.once_key = 'refund:' || c.charge_id || ':cancel'
         where c.state = 'captured' and c.refunded_paise = c.taxable_paise + c.gst_paise
           and c.courier_returned_paise = 0 and c.courier_paise > 0
         order by c.charge_id limit $1",
    )
    .bind(limits::CORRECTIONS_BATCH)
    .fetch_all(&mut *conn)
    .await?;
    for row in &rows {
        let charge = charge(row)?;
        let taken = sqlx::query(
            "update charges set courier_returned_paise = courier_paise
             where charge_id = $1 and courier_returned_paise = 0",
        )
        .bind(&charge.charge_id)
        .execute(&mut *conn)
        .await?;
        if taken.rows_affected() == 1 {
            let correction = LedgerTransaction::correction(&charge, charge.parts.courier, now_ms);
            let corrected = must_post(conn, &correction, &charge).await?;
            corrected.surely(&charge.charge_id)?;
        }
    }
    Ok(rows.len())
}

/// Whose charge it is, for operators.
pub(crate) async fn owner(conn: &mut Conn, id: &str) -> Result<Option<String>> {
    let owner = "select user_id from charges where charge_id = $1";
    Ok(sqlx::query_scalar(owner)
        .bind(id)
        .fetch_optional(conn)
        .await?)
}

/// How much of a charge was given back so far.
pub(crate) async fn refunded(conn: &mut Conn, user_id: &str, id: &str) -> Result<Paise> {
    let refunded = "select refunded_paise from charges where charge_id = $1 and user_id = $2";
    let refunded: Option<i64> = sqlx::query_scalar(refunded)
        .bind(id)
        .bind(user_id)
        .fetch_optional(conn)
        .await?;
    Ok(Paise::new(refunded.unwrap_or_default()))
}

/// Counts the refund against the charge: the charge and all that is refunded of it now.
async fn take_refund(
    conn: &mut Conn,
    user_id: &str,
    id: &str,
    amount: Paise,
) -> Result<Option<(Charge, Paise)>> {
    let take = failpoints::sql(
        "update charges set refunded_paise = refunded_paise + $3
         where charge_id = $1 and user_id = $2 and state = 'captured'
           and refunded_paise + $3 <= taxable_paise + gst_paise
         returning *",
    );
    let taken = sqlx::query(take)
        .bind(id)
        .bind(user_id)
        .bind(amount.get())
        .fetch_optional(conn)
        .await?;
    let Some(row) = taken else { return Ok(None) };
    let refunded = Paise::new(row.try_get("refunded_paise")?);
    Ok(Some((charge(&row)?, refunded)))
}

/// Turns a held charge into an ended one; `None` when it is not held.
async fn end(
    conn: &mut Conn,
    user_id: &str,
    id: &str,
    state: &str,
    now_ms: i64,
) -> Result<Option<Charge>> {
    let end = failpoints::sql(
        "update charges set state = $3, ended_ms = $4
         where charge_id = $1 and user_id = $2 and state = 'held' returning *",
    );
    let ended = sqlx::query(end)
        .bind(id)
        .bind(user_id)
        .bind(state)
        .bind(now_ms)
        .fetch_optional(conn)
        .await?;
    ended.as_ref().map(charge).transpose()
}

/// Why a charge is not held: it ended in this very way, or there is nothing to end.
async fn ended_before(conn: &mut Conn, user_id: &str, id: &str, state: &str) -> Result<Posted> {
    let count = "select count(*) from charges
                 where charge_id = $1 and user_id = $2 and state = $3";
    let found: i64 = sqlx::query_scalar(count)
        .bind(id)
        .bind(user_id)
        .bind(state)
        .fetch_one(conn)
        .await?;
    Ok(if found > 0 {
        Posted::Already
    } else {
        Posted::Refused
    })
}

/// The charge's state allowed this transaction, so the books must.
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
    let paise = |column: &str| row.try_get(column).map(Paise::new);
    Ok(Charge {
        charge_id: row.try_get("charge_id")?,
        user_id: row.try_get("user_id")?,
        description: row.try_get("description")?,
        parts: ChargeParts {
            taxable: paise("taxable_paise")?,
            gst: paise("gst_paise")?,
            courier: paise("courier_paise")?,
        },
        created_ms: row.try_get("created_ms")?,
    })
}
