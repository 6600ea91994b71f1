//! Couriers' claims that a parcel was heavier than booked.

use sqlx::Row;
use sqlx::any::AnyRow;

use super::{Conn, RunStatement as _, charges};
use crate::error::Result;
use crate::model::booking::weight_claim::{WeightClaim, WeightClaimState};

/// Selects claims with the numbers of their shipment and debit note.
macro_rules! select_claims {
    ($which:literal) => {
        concat!(
            "select w.claim_id, w.booking_id, w.user_id, w.courier, w.courier_reference,
               w.booked_grams, w.claimed_grams, w.taxable_paise, w.gst_paise, w.courier_paise,
               w.proof, w.state, w.dispute, w.decided_by, w.created_ms, b.awb,
               i.number as debit_note
             from weight_claims w
             join bookings b on b.booking_id = w.booking_id
             left join invoices i on i.charge_id = w.claim_id and i.kind = 'debit_note' ",
            $which
        )
    };
}

/// Adds a claim. `false` if the courier made it before.
pub(crate) async fn add(conn: &mut Conn, claim: &WeightClaim) -> Result<bool> {
    sqlx::query(
        "insert into weight_claims (claim_id, booking_id, user_id, courier, courier_reference,
           booked_grams, claimed_grams, taxable_paise, gst_paise, courier_paise, proof, state,
           dispute, decided_by, created_ms)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, 'open', '', '', $12)
         on conflict (courier, courier_reference) do nothing",
    )
    .bind(&claim.claim_id)
    .bind(&claim.booking_id)
    .bind(&claim.user_id)
    .bind(&claim.courier)
    .bind(&claim.courier_reference)
    .bind(claim.booked_grams)
    .bind(claim.claimed_grams)
    .bind(claim.parts.taxable.get())
    .bind(claim.parts.gst.get())
    .bind(claim.parts.courier.get())
    .bind(&claim.proof)
    .bind(claim.created_ms)
    .changes_one(conn)
    .await
}

pub(crate) async fn find(conn: &mut Conn, user_id: &str, id: &str) -> Result<Option<WeightClaim>> {
    let select = select_claims!("where w.user_id = $1 and w.claim_id = $2");
    sqlx::query(select).bind(user_id).bind(id).read_first(conn, claim).await
}

/// Returns a claim of any user, for operators.
pub(crate) async fn find_any(conn: &mut Conn, id: &str) -> Result<Option<WeightClaim>> {
    sqlx::query(select_claims!("where w.claim_id = $1")).bind(id).read_first(conn, claim).await
}

/// Returns the user's claims: those that wait for an answer, then the newest.
pub(crate) async fn list(conn: &mut Conn, user_id: &str, limit: i64) -> Result<Vec<WeightClaim>> {
    let select = select_claims!(
        "where w.user_id = $1
         order by case w.state when 'open' then 0 else 1 end, w.created_ms desc, w.claim_id
         limit $2"
    );
    sqlx::query(select).bind(user_id).bind(limit).read_all(conn, claim).await
}

/// Returns undecided claims of all users: the disputed ones, then the oldest.
pub(crate) async fn list_undecided(conn: &mut Conn, limit: i64) -> Result<Vec<WeightClaim>> {
    let select = select_claims!(
        "where w.state in ('open', 'disputed')
         order by w.state, w.created_ms, w.claim_id limit $1"
    );
    sqlx::query(select).bind(limit).read_all(conn, claim).await
}

/// Records the customer's dispute. `false` if the claim is not open any more.
pub(crate) async fn dispute(conn: &mut Conn, user_id: &str, id: &str, words: &str) -> Result<bool> {
    let update = "update weight_claims set state = 'disputed', dispute = $3
                  where user_id = $1 and claim_id = $2 and state = 'open'";
    sqlx::query(update).bind(user_id).bind(id).bind(words).changes_one(conn).await
}

/// Ends a claim. `false` if it has ended before. Its charge belongs in the same transaction.
pub(crate) async fn end(
    conn: &mut Conn,
    id: &str,
    state: WeightClaimState,
    decided_by: &str,
    now_ms: i64,
) -> Result<bool> {
    sqlx::query(
        "update weight_claims set state = $2, decided_by = $3, decided_ms = $4
         where claim_id = $1 and state in ('open', 'disputed')",
    )
    .bind(id)
    .bind(state.word())
    .bind(decided_by)
    .bind(now_ms)
    .changes_one(conn)
    .await
}

fn claim(row: &AnyRow) -> Result<WeightClaim> {
    Ok(WeightClaim {
        claim_id: row.try_get("claim_id")?,
        booking_id: row.try_get("booking_id")?,
        user_id: row.try_get("user_id")?,
        awb: row.try_get("awb")?,
        courier: row.try_get("courier")?,
        courier_reference: row.try_get("courier_reference")?,
        booked_grams: row.try_get("booked_grams")?,
        claimed_grams: row.try_get("claimed_grams")?,
        parts: charges::parts(row)?,
        proof: row.try_get("proof")?,
        state: WeightClaimState::stored(&row.try_get::<String, _>("state")?),
        dispute: row.try_get("dispute")?,
        decided_by: row.try_get("decided_by")?,
        created_ms: row.try_get("created_ms")?,
        debit_note: row.try_get("debit_note")?,
    })
}
