//! One-time passwords, sealed. Every function but the sweep takes the owner's id.

use sqlx::Row;
use sqlx::any::AnyRow;

use super::{Conn, RunStatement as _, old_rows};
use crate::error::Result;
use crate::model::booking::otp::{Otp, PHONE};
use crate::{failpoints, limits};

pub(crate) async fn add(conn: &mut Conn, user_id: &str, otp: &Otp) -> Result<()> {
    sqlx::query(
        "insert into otps (otp_id, user_id, subject, receiver, seal, tries, created_ms, expires_ms)
         values ($1, $2, $3, $4, $5, 0, $6, $7)",
    )
    .bind(&otp.otp_id)
    .bind(user_id)
    .bind(&otp.subject)
    .bind(&otp.receiver)
    .bind(&otp.seal)
    .bind(otp.created_ms)
    .bind(otp.expires_ms)
    .run(conn)
    .await
}

/// Returns the times of the user's codes made since a time, the newest first: for the phone number
/// of the account, or for bookings.
pub(crate) async fn made_since(
    conn: &mut Conn,
    user_id: &str,
    for_phone: bool,
    since_ms: i64,
) -> Result<Vec<i64>> {
    let find = "select created_ms from otps where user_id = $1 and created_ms > $2
                  and case when subject = $3 then 1 else 0 end = $4
                order by created_ms desc";
    Ok(sqlx::query_scalar(find)
        .bind(user_id)
        .bind(since_ms)
        .bind(PHONE)
        .bind(i64::from(for_phone))
        .fetch_all(conn)
        .await?)
}

/// Returns the subjects of booking codes made since a time, the newest first.
pub(crate) async fn subjects_since(
    conn: &mut Conn,
    user_id: &str,
    since_ms: i64,
) -> Result<Vec<String>> {
    let select = "select subject from otps where user_id = $1 and created_ms > $2 and subject <> $3
                  order by created_ms desc";
    Ok(sqlx::query_scalar(select).bind(user_id).bind(since_ms).bind(PHONE).fetch_all(conn).await?)
}

/// Returns the newest code about this subject.
pub(crate) async fn newest(conn: &mut Conn, user_id: &str, subject: &str) -> Result<Option<Otp>> {
    let select = "select otp_id, subject, receiver, seal, created_ms, expires_ms from otps
                  where user_id = $1 and subject = $2 order by created_ms desc limit 1";
    let read = |row: &AnyRow| {
        Ok(Otp {
            otp_id: row.try_get("otp_id")?,
            subject: row.try_get("subject")?,
            receiver: row.try_get("receiver")?,
            seal: row.try_get("seal")?,
            created_ms: row.try_get("created_ms")?,
            expires_ms: row.try_get("expires_ms")?,
        })
    };
    sqlx::query(select).bind(user_id).bind(subject).read_first(conn, read).await
}

/// Counts a try before the code is compared. Returns the number of tries, or `None` if none is
/// left. Locks the row until the transaction ends, so concurrent tries run one after another.
pub(crate) async fn count_try(conn: &mut Conn, user_id: &str, otp_id: &str) -> Result<Option<i64>> {
    let count = failpoints::sql(
        "update otps set tries = tries + 1
         where otp_id = $1 and user_id = $2 and tries < $3 returning tries",
    );
    Ok(sqlx::query_scalar(count)
        .bind(otp_id)
        .bind(user_id)
        .bind(limits::OTP_TRIES_MAX)
        .fetch_optional(conn)
        .await?)
}

/// Takes back the try that was counted in this transaction, because the code was right.
pub(crate) async fn uncount_try(conn: &mut Conn, user_id: &str, otp_id: &str) -> Result<()> {
    let update = "update otps set tries = tries - 1 where otp_id = $1 and user_id = $2";
    sqlx::query(update).bind(otp_id).bind(user_id).run(conn).await
}

/// Uses a code up. `false` if it was used before.
pub(crate) async fn consume(
    conn: &mut Conn,
    user_id: &str,
    otp_id: &str,
    now_ms: i64,
) -> Result<bool> {
    let consume = failpoints::sql(
        "update otps set used_ms = $3
         where otp_id = $1 and user_id = $2 and used_ms is null",
    );
    sqlx::query(consume).bind(otp_id).bind(user_id).bind(now_ms).changes_one(conn).await
}

pub(crate) async fn sweep(conn: &mut Conn, before_ms: i64) -> Result<u64> {
    old_rows::delete(conn, "otps", "otp_id", "created_ms < $1", before_ms).await
}
