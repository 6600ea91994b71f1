//! Results of booking confirmations, by idempotency key.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};
use sqlx::Row;
use sqlx::any::AnyRow;

use super::pipeline::{Statement, run_pipeline};
use super::{Conn, RunStatement as _, invoices, old_rows};
use crate::error::{Error, Result};
use crate::model::booking::documents::invoice::{DocumentFiling, Invoice};
use crate::model::booking::order::confirmation::{
    BookedShipment, Claim, Confirmation, KnownConfirmation,
};
use crate::{failpoints, limits};

/// Returns the state of a confirmation's key, if it was claimed.
pub(crate) async fn find(
    conn: &mut Conn,
    user_id: &str,
    key: &str,
) -> Result<Option<KnownConfirmation>> {
    let select = "select request_hash, status, answer, created_ms from idempotency_keys
                  where user_id = $1 and idempotency_key = $2";
    let confirmation = |row: &AnyRow| -> Result<KnownConfirmation> {
        let answer: String = row.try_get("answer")?;
        let outcome = match row.try_get("status")? {
            OPEN => None,
            BOOKED => Some(Confirmation::Booked(booked_shipment(&answer)?)),
            REFUSED => Some(Confirmation::Refused),
            // It may have been charged.
            _ => return Err(Error::newer()),
        };
        Ok(KnownConfirmation {
            claimed_ms: row.try_get("created_ms")?,
            request_hash: row.try_get("request_hash")?,
            outcome,
        })
    };
    sqlx::query(select).bind(user_id).bind(key).read_first(conn, confirmation).await
}

/// States of a claimed key in the column `status`.
const OPEN: i64 = 0;
const BOOKED: i64 = 200;
const REFUSED: i64 = 409;

/// A booked shipment as its row stores it: inside a list, as the API returns it.
#[derive(Serialize, Deserialize)]
struct KeptAnswer {
    data: [BookedShipment; 1],
}

fn booked_shipment(answer: &str) -> Result<BookedShipment> {
    let KeptAnswer { data: [shipment] } = serde_json::from_str(answer).map_err(Error::internal)?;
    Ok(shipment)
}

/// Claims the keys of requests of different users, each at its time. `false` if one was claimed
/// before. Waits while the transaction of another claim of a key is open.
pub(crate) async fn claim(conn: &mut Conn, claims: &[(&Claim, i64)]) -> Result<bool> {
    let all = claims.iter().map(|(claim, now_ms)| claim_statement(claim, *now_ms));
    let claimed: u64 = run_pipeline(conn, all.collect()).await?.iter().sum();
    Ok(usize::try_from(claimed) == Ok(claims.len()))
}

const CLAIM_KEY: &str = "insert into idempotency_keys
  (user_id, idempotency_key, request_hash, status, answer, created_ms)
  values ($1, $2, $3, 0, '', $4) on conflict do nothing";

/// A request body used as a key is claimed until its outcome is known, and for some time after it
/// is booked.
static CLAIM_BODY: LazyLock<String> = LazyLock::new(|| {
    let free_ms = limits::BODY_KEY_MS;
    format!(
        "insert into idempotency_keys as k
           (user_id, idempotency_key, request_hash, status, answer, created_ms)
         values ($1, $2, $3, 0, '', $4)
         on conflict (user_id, idempotency_key) do update
           set status = 0, answer = '', created_ms = excluded.created_ms
           where k.status = 409
             or (k.status = 200 and k.created_ms <= excluded.created_ms - {free_ms})"
    )
});

fn claim_statement(claim: &Claim, now_ms: i64) -> Statement<'_> {
    let words = match claim.is_body {
        true => failpoints::sql(&CLAIM_BODY),
        false => CLAIM_KEY,
    };
    let claiming = sqlx::query(words).bind(&claim.user_id);
    let claiming = claiming.bind(&claim.idempotency_key);
    claiming.bind(&claim.request_hash).bind(now_ms)
}

/// Deletes keys whose outcome is known. No second booking can follow: the quote is used up.
pub(crate) async fn sweep(conn: &mut Conn, before_ms: i64) -> Result<u64> {
    let ended = format!("created_ms < $1 and status <> {OPEN}");
    let key = "user_id, idempotency_key";
    old_rows::delete(conn, "idempotency_keys", key, &ended, before_ms).await
}

pub(crate) async fn set_outcome(
    conn: &mut Conn,
    user_id: &str,
    key: &str,
    outcome: &Confirmation,
) -> Result<()> {
    outcome_statement(user_id, key, outcome)?.run(conn).await
}

/// Stores the invoice of a booking, takes its number, and stores the result of its confirmation.
pub(crate) async fn keep_booked(
    conn: &mut Conn,
    invoice: &(DocumentFiling, Invoice),
    key: &str,
    outcome: &Confirmation,
) -> Result<()> {
    let mut statements = Vec::from(keep_booked_statements(invoice, key, outcome)?);
    statements.push(invoices::end_statement(invoice));
    run_pipeline(conn, statements).await?;
    Ok(())
}

pub(super) fn keep_booked_statements<'q>(
    (filed, document): &'q (DocumentFiling, Invoice),
    key: &'q str,
    outcome: &Confirmation,
) -> Result<[Statement<'q>; 2]> {
    Ok([
        invoices::add_statement(filed, document)?,
        outcome_statement(&filed.user_id, key, outcome)?,
    ])
}

fn outcome_statement<'q>(
    user_id: &'q str,
    key: &'q str,
    outcome: &Confirmation,
) -> Result<Statement<'q>> {
    let (status, answer) = match outcome {
        Confirmation::Booked(shipment) => {
            let data = [shipment.clone()];
            let answer = serde_json::to_string(&KeptAnswer { data }).map_err(Error::internal)?;
            (BOOKED, answer)
        }
        Confirmation::Refused => (REFUSED, String::new()),
    };
    let keep = "update idempotency_keys set status = it.column3, answer = it.column4
                from (values (cast($1 as text), cast($2 as text), cast($3 as bigint),
                  cast($4 as text))) as it
                where user_id = it.column1 and idempotency_key = it.column2";
    Ok(sqlx::query(keep).bind(user_id).bind(key).bind(status).bind(answer))
}
