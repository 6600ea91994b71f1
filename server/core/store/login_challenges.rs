//! Logins with a correct password that still wait for their code. Only hashes of their tokens are
//! stored.

use super::{Conn, RunStatement as _, old_rows};
use crate::error::Result;
use crate::limits;

/// Adds a challenge, and deletes the user's oldest ones over the limit.
pub(crate) async fn add(
    conn: &mut Conn,
    user_id: &str,
    token_hash: &str,
    created_ms: i64,
    expires_ms: i64,
) -> Result<()> {
    sqlx::query(
        "insert into login_challenges (token_hash, user_id, created_ms, expires_ms)
         values ($1, $2, $3, $4)",
    )
    .bind(token_hash)
    .bind(user_id)
    .bind(created_ms)
    .bind(expires_ms)
    .run(conn)
    .await?;
    let delete = "delete from login_challenges where user_id = $1 and token_hash not in (
                    select token_hash from login_challenges where user_id = $1
                    order by created_ms desc, token_hash limit $2)";
    sqlx::query(delete).bind(user_id).bind(limits::LOGIN_CHALLENGES_MAX).run(conn).await
}

/// Returns the owner of a login that still accepts its code.
pub(crate) async fn owner(
    conn: &mut Conn,
    token_hash: &str,
    now_ms: i64,
) -> Result<Option<String>> {
    let owner = "select user_id from login_challenges where token_hash = $1 and expires_ms > $2";
    let owner = sqlx::query_scalar(owner).bind(token_hash).bind(now_ms);
    Ok(owner.fetch_optional(conn).await?)
}

/// Uses a challenge up. `false` if it was used before, has ended or is too old.
pub(crate) async fn consume(
    conn: &mut Conn,
    user_id: &str,
    token_hash: &str,
    now_ms: i64,
) -> Result<bool> {
    let delete = "delete from login_challenges
                  where user_id = $1 and token_hash = $2 and expires_ms > $3";
    sqlx::query(delete).bind(user_id).bind(token_hash).bind(now_ms).changes_one(conn).await
}

pub(crate) async fn end_all(conn: &mut Conn, user_id: &str) -> Result<()> {
    sqlx::query("delete from login_challenges where user_id = $1").bind(user_id).run(conn).await
}

pub(crate) async fn sweep(conn: &mut Conn, now_ms: i64) -> Result<u64> {
    old_rows::delete(conn, "login_challenges", "token_hash", "expires_ms <= $1", now_ms).await
}
