//! Operators' movements of money, each executed once. A row and its transaction belong together.

use sqlx::Row;
use sqlx::any::AnyRow;

use super::ledger::{Posted, post_all};
use super::run::read_word;
use super::{Conn, RunStatement as _, debts, movement_rows};
use crate::error::{Error, Result};
use crate::model::money::ledger_account::LedgerAccount;
use crate::model::money::ledger_transaction::LedgerTransaction;
use crate::model::money::movement::{Movement, MovementKind};
use crate::model::money::paise::Paise;

/// Executes a movement and stores its reason. `Refused` if a wallet does not cover it.
///
/// # Errors
/// `KeyReused` if another movement has this id.
pub async fn add(conn: &mut Conn, movement: &Movement) -> Result<Posted> {
    if let Some(earlier) = find(conn, &movement.movement_id).await? {
        let same = Movement {
            actor: earlier.actor.clone(),
            note: earlier.note.clone(),
            created_ms: earlier.created_ms,
            part: earlier.part,
            ..movement.clone()
        };
        return match same == earlier {
            true => Ok(Posted::Already),
            false => Err(Error::KeyReused),
        };
    }
    let transaction = LedgerTransaction::movement(movement);
    let owed = LedgerAccount::Receivable(movement.user_id.clone());
    if transaction.entries().iter().any(|(account, _)| *account == owed) {
        debts::open_account(conn, &movement.user_id).await?;
    }
    let transactions = [(&*movement.user_id, &transaction)];
    let insert = movement_rows::add_statement(movement);
    match post_all(conn, &transactions, Some(insert)).await {
        Ok((posted, _)) => Ok(posted),
        // Of another wallet, and in the same moment.
        Err(Error::Internal(cause)) if is_taken(&cause) => Err(Error::KeyReused),
        Err(error) => Err(error),
    }
}

fn is_taken(cause: &anyhow::Error) -> bool {
    let error = cause.downcast_ref::<sqlx::Error>().and_then(sqlx::Error::as_database_error);
    error.is_some_and(|error| error.is_unique_violation())
}

pub(crate) async fn find(conn: &mut Conn, movement_id: &str) -> Result<Option<Movement>> {
    let select = "select movement_id, kind, user_id, reference, amount_paise, part_paise, actor,
                    note, created_ms
                  from movements where movement_id = $1";
    let read = |row: &AnyRow| {
        let user_id: Option<String> = row.try_get("user_id")?;
        Ok(Movement {
            movement_id: row.try_get("movement_id")?,
            kind: read_word(row, "kind", MovementKind::parse, "unknown movement")?,
            user_id: user_id.unwrap_or_default(),
            reference: row.try_get("reference")?,
            amount: Paise::new(row.try_get("amount_paise")?),
            part: Paise::new(row.try_get("part_paise")?),
            actor: row.try_get("actor")?,
            note: row.try_get("note")?,
            created_ms: row.try_get("created_ms")?,
        })
    };
    sqlx::query(select).bind(movement_id).read_first(conn, read).await
}

/// Returns the amount of a payment that the bank or we returned to the payer, minus failed returns.
pub(crate) async fn gone_back(conn: &mut Conn, merchant_order_id: &str) -> Result<Paise> {
    let sum = "select cast(coalesce(sum(case
                   when kind in ('chargeback', 'gateway_refund') then amount_paise
                   when kind in ('chargeback_reversal', 'gateway_refund_failed')
                     then -amount_paise
                   else 0 end), 0) as bigint)
               from movements where reference = $1";
    let sum: i64 = sqlx::query_scalar(sum).bind(merchant_order_id).fetch_one(conn).await?;
    Ok(Paise::new(sum))
}

/// Returns the amount of a payment that the bank charged back and did not reverse since.
pub(crate) async fn charged_back(conn: &mut Conn, merchant_order_id: &str) -> Result<Paise> {
    let open = "select cast(coalesce(sum(case kind when 'chargeback' then amount_paise
                  else -amount_paise end), 0) as bigint)
                from movements
                where reference = $1 and kind in ('chargeback', 'chargeback_reversal')";
    let open: i64 = sqlx::query_scalar(open).bind(merchant_order_id).fetch_one(conn).await?;
    Ok(Paise::new(open))
}
