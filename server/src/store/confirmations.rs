//! Answers already given to confirmations of bookings, under their idempotency keys.

use serde::{Deserialize, Serialize};
use sqlx::Row;
use sqlx::any::AnyRow;

use super::together::{Statement, together};
use super::{Conn, invoices};
use crate::error::{Error, Result};
use crate::model::booking::confirmation::{BookedShipment, Confirmation, KnownConfirmation};
use crate::model::booking::invoice::{DocumentFiling, Invoice};
use crate::{fault, limits};

/// What is known under a confirmation's key, if it was claimed.
pub async fn find(conn: &mut Conn, user_id: &str, key: &str) -> Result<Option<KnownConfirmation>> {
    let found = sqlx::query(
        "select request_hash, status, answer, created_ms from idempotency_keys
         where user_id = $1 and idempotency_key = $2",
    )
    .bind(user_id)
    .bind(key)
    .fetch_optional(conn)
    .await?;
    let known = |row: AnyRow| -> Result<KnownConfirmation> {
        let answer: String = row.try_get("answer")?;
        let outcome = match row.try_get("status")? {
            OPEN => None,
            BOOKED => Some(Confirmation::Booked(booked_shipment(&answer)?)),
            _ => Some(Confirmation::Refused),
        };
        Ok(KnownConfirmation {
            claimed_ms: row.try_get("created_ms")?,
            request_hash: row.try_get("request_hash")?,
            outcome,
        })
    };
    found.map(known).transpose()
}

/// How a claimed key stands, in its column `status`.
const OPEN: i64 = 0;
const BOOKED: i64 = 200;
const REFUSED: i64 = 409;

/// A booked shipment as its row keeps it: inside a list, as the API answers it.
#[derive(Serialize, Deserialize)]
struct KeptAnswer {
    data: [BookedShipment; 1],
}

fn booked_shipment(answer: &str) -> Result<BookedShipment> {
    let KeptAnswer { data: [shipment] } = serde_json::from_str(answer).map_err(Error::internal)?;
    Ok(shipment)
}

/// Claims a key for a request; `false` when somebody claimed it before. While that somebody's
/// transaction is open this waits for its end.
pub async fn claim_key(
    conn: &mut Conn,
    user_id: &str,
    key: &str,
    request_hash: &str,
    now_ms: i64,
) -> Result<bool> {
    let claim =
        "insert into idempotency_keys (user_id, idempotency_key, request_hash, status, answer,
                   created_ms)
                 values ($1, $2, $3, 0, '', $4) on conflict do nothing";
    let claim = claiming(claim, (user_id, key, request_hash), now_ms);
    Ok(claim.execute(conn).await?.rows_affected() == 1)
}

/// The same for a body that stands for a key: until its outcome is known, and for a while once
/// it is booked. While somebody's transaction with it is open this waits for its end.
pub async fn claim_body(
    conn: &mut Conn,
    user_id: &str,
    key: &str,
    request_hash: &str,
    now_ms: i64,
) -> Result<bool> {
    let claim = fault::sql(
        "insert into idempotency_keys as k (user_id, idempotency_key, request_hash, status, answer,
           created_ms)
         values ($1, $2, $3, 0, '', $4)
         on conflict (user_id, idempotency_key) do update
           set status = 0, answer = '', created_ms = $4
           where k.status = 409 or (k.status = 200 and k.created_ms <= $5)",
    );
    let claim = claiming(claim, (user_id, key, request_hash), now_ms);
    let claim = claim.bind(now_ms - limits::BODY_KEY_MS);
    Ok(claim.execute(conn).await?.rows_affected() == 1)
}

fn claiming<'q>(
    claim: &'static str,
    (user_id, key, request_hash): (&'q str, &'q str, &'q str),
    now_ms: i64,
) -> Statement<'q> {
    let claim = sqlx::query(claim).bind(user_id).bind(key);
    claim.bind(request_hash).bind(now_ms)
}

/// Forgets keys whose outcome is known. No booking can be made again without them: its quote is
/// used up.
pub async fn sweep(conn: &mut Conn, before_ms: i64) -> Result<u64> {
    let gone = sqlx::query("delete from idempotency_keys where created_ms < $1 and status <> $2")
        .bind(before_ms)
        .bind(OPEN)
        .execute(conn)
        .await?;
    Ok(gone.rows_affected())
}

/// Keeps what became of a confirmation under its claimed key.
pub async fn keep(conn: &mut Conn, user_id: &str, key: &str, outcome: &Confirmation) -> Result<()> {
    keeping(user_id, key, outcome)?.execute(conn).await?;
    Ok(())
}

/// Keeps the invoice of a booking, and that its confirmation came to it.
pub async fn keep_booked(
    conn: &mut Conn,
    invoice: &(DocumentFiling, Invoice),
    key: &str,
    outcome: &Confirmation,
) -> Result<()> {
    together(conn, keeping_booked(invoice, key, outcome)?.into()).await?;
    Ok(())
}

pub(super) fn keeping_booked<'q>(
    (filed, document): &'q (DocumentFiling, Invoice),
    key: &'q str,
    outcome: &Confirmation,
) -> Result<[Statement<'q>; 2]> {
    Ok([
        invoices::adding(filed, document)?,
        keeping(&filed.user_id, key, outcome)?,
    ])
}

fn keeping<'q>(user_id: &'q str, key: &'q str, outcome: &Confirmation) -> Result<Statement<'q>> {
    let (status, answer) = match outcome {
        Confirmation::Booked(shipment) => {
            let data = [shipment.clone()];
            let answer = serde_json::to_string(&KeptAnswer { data }).map_err(Error::internal)?;
            (BOOKED, answer)
        }
        Confirmation::Refused => (REFUSED, String::new()),
    };
    let keep = "update idempotency_keys set status = $3, answer = $4
                where user_id = $1 and idempotency_key = $2";
    Ok(sqlx::query(keep)
        .bind(user_id)
        .bind(key)
        .bind(status)
        .bind(answer))
}
