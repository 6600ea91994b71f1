//! Challenges for authenticators. Only hashes of the tokens that name a challenge are stored.

use super::{Conn, RunStatement as _, old_rows};
use crate::error::Result;
use crate::limits;
use crate::model::account::passkey::PasskeyPurpose;

/// A challenge as it is stored.
#[derive(Clone, Debug)]
pub struct PasskeyChallenge {
    pub token_hash: String,
    pub purpose: PasskeyPurpose,
    /// The hash of the session that requested it; empty for a login.
    pub session_hash: String,
    /// The name of the passkey that is being added.
    pub name: String,
    /// The state to check the answer.
    pub state: String,
    pub created_ms: i64,
}

/// Adds a challenge, and deletes the oldest ones of its session over the limit. `false` if too many
/// logins wait.
pub(crate) async fn add(conn: &mut Conn, fresh: &PasskeyChallenge) -> Result<bool> {
    if fresh.purpose == PasskeyPurpose::Login {
        let waiting = "select count(*) from passkey_challenges
                       where purpose = 'login' and created_ms > $1";
        let since_ms = fresh.created_ms - limits::PASSKEY_CHALLENGE_MS_MAX;
        let waiting: i64 = sqlx::query_scalar(waiting).bind(since_ms).fetch_one(&mut *conn).await?;
        if waiting >= limits::PASSKEY_LOGINS_WAITING_MAX {
            return Ok(false);
        }
    }
    sqlx::query(
        "insert into passkey_challenges
           (token_hash, purpose, session_hash, name, state, created_ms, expires_ms)
         values ($1, $2, $3, $4, $5, $6, $7)",
    )
    .bind(&fresh.token_hash)
    .bind(fresh.purpose.word())
    .bind(&fresh.session_hash)
    .bind(&fresh.name)
    .bind(&fresh.state)
    .bind(fresh.created_ms)
    .bind(fresh.created_ms + limits::PASSKEY_CHALLENGE_MS_MAX)
    .run(conn)
    .await?;
    if !fresh.session_hash.is_empty() {
        sqlx::query(
            "delete from passkey_challenges where session_hash = $1 and token_hash not in (
               select token_hash from passkey_challenges where session_hash = $1
               order by created_ms desc, token_hash limit $2)",
        )
        .bind(&fresh.session_hash)
        .bind(limits::SESSION_PASSKEY_CHALLENGES_MAX)
        .run(conn)
        .await?;
    }
    Ok(true)
}

/// Uses a challenge up. Returns the name of the passkey that is being added and the state to check
/// the answer; `None` if it was used before, is too old, or belongs to another session.
pub(crate) async fn consume(
    conn: &mut Conn,
    token_hash: &str,
    purpose: PasskeyPurpose,
    session_hash: &str,
    now_ms: i64,
) -> Result<Option<(String, String)>> {
    let taken = sqlx::query_as(
        "delete from passkey_challenges
         where token_hash = $1 and purpose = $2 and session_hash = $3 and expires_ms > $4
         returning name, state",
    )
    .bind(token_hash)
    .bind(purpose.word())
    .bind(session_hash)
    .bind(now_ms)
    .fetch_optional(conn)
    .await?;
    Ok(taken)
}

pub(crate) async fn sweep(conn: &mut Conn, now_ms: i64) -> Result<u64> {
    old_rows::delete(conn, "passkey_challenges", "token_hash", "expires_ms <= $1", now_ms).await
}
