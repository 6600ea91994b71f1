//! Links to reset a password. A link names its owner; only its hash is stored.

use super::{Conn, RunStatement as _, old_rows};
use crate::error::Result;
use crate::failpoints;

/// A link as it is stored.
#[derive(Clone, Debug)]
pub struct PasswordReset {
    pub token_hash: String,
    pub created_ms: i64,
    pub expires_ms: i64,
    /// True if a browser asked for it in which the account was used before.
    pub from_known: bool,
}

pub(crate) async fn add(conn: &mut Conn, user_id: &str, reset: &PasswordReset) -> Result<()> {
    sqlx::query(
        "insert into password_resets (token_hash, user_id, created_ms, expires_ms, from_known)
         values ($1, $2, $3, $4, $5)",
    )
    .bind(&reset.token_hash)
    .bind(user_id)
    .bind(reset.created_ms)
    .bind(reset.expires_ms)
    .bind(i64::from(reset.from_known))
    .run(conn)
    .await
}

/// Counts the links that known browsers, or all others, asked for since the last one was used or
/// they were revoked: only the owner of the account can do that.
pub(crate) async fn made_since(
    conn: &mut Conn,
    user_id: &str,
    from_known: bool,
    since_ms: i64,
) -> Result<i64> {
    let count = "select count(*) from password_resets
                 where user_id = $1 and from_known = $2 and created_ms > $3
                   and ended_ms is null";
    let count = sqlx::query_scalar(count).bind(user_id).bind(i64::from(from_known));
    Ok(count.bind(since_ms).fetch_one(conn).await?)
}

/// Returns the owner of a link that can still be used.
pub(crate) async fn owner(
    conn: &mut Conn,
    token_hash: &str,
    now_ms: i64,
) -> Result<Option<String>> {
    let owner = "select user_id from password_resets
                 where token_hash = $1 and ended_ms is null and expires_ms > $2";
    Ok(sqlx::query_scalar(owner).bind(token_hash).bind(now_ms).fetch_optional(conn).await?)
}

/// Uses a link up. `false` if it was used before, ended, or is too old.
pub(crate) async fn consume(
    conn: &mut Conn,
    user_id: &str,
    token_hash: &str,
    now_ms: i64,
) -> Result<bool> {
    let consume = failpoints::sql(
        "update password_resets set ended_ms = $3
         where token_hash = $1 and user_id = $2 and ended_ms is null and expires_ms > $3",
    );
    sqlx::query(consume).bind(token_hash).bind(user_id).bind(now_ms).changes_one(conn).await
}

pub(crate) async fn end_all(conn: &mut Conn, user_id: &str, now_ms: i64) -> Result<()> {
    let end = "update password_resets set ended_ms = $2
               where user_id = $1 and ended_ms is null";
    sqlx::query(end).bind(user_id).bind(now_ms).run(conn).await
}

pub(crate) async fn sweep(conn: &mut Conn, before_ms: i64) -> Result<u64> {
    old_rows::delete(conn, "password_resets", "token_hash", "created_ms < $1", before_ms).await
}
