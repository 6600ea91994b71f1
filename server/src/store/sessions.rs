//! Where people are logged in. Only hashes of tokens are kept.

use sqlx::Row;

use super::Conn;
use super::users::User;
use crate::error::Result;

/// A live session with its owner.
#[derive(Clone, Debug)]
pub struct Session {
    pub user: User,
    pub last_seen_ms: i64,
}

/// The limits of one session.
#[derive(Clone, Copy, Debug)]
pub struct Lifetime {
    pub created_ms: i64,
    pub expires_ms: i64,
}

pub async fn add(conn: &mut Conn, user_id: &str, token_hash: &str, life: Lifetime) -> Result<()> {
    sqlx::query(
        "insert into sessions (token_hash, user_id, created_ms, last_seen_ms, expires_ms)
         values ($1, $2, $3, $3, $4)",
    )
    .bind(token_hash)
    .bind(user_id)
    .bind(life.created_ms)
    .bind(life.expires_ms)
    .execute(conn)
    .await?;
    Ok(())
}

/// The session of a token, unless it has expired or was idle since before `idle_since_ms`.
pub async fn find(
    conn: &mut Conn,
    token_hash: &str,
    now_ms: i64,
    idle_since_ms: i64,
) -> Result<Option<Session>> {
    let found = sqlx::query(
        "select u.user_id, u.username, u.email, u.phone, u.first_name, u.last_name,
           u.company_name, u.gstin, s.last_seen_ms
         from sessions s join users u on u.user_id = s.user_id
         where s.token_hash = $1 and s.expires_ms > $2 and s.last_seen_ms > $3",
    )
    .bind(token_hash)
    .bind(now_ms)
    .bind(idle_since_ms)
    .fetch_optional(conn)
    .await?;
    found
        .map(|row| {
            let last_seen_ms = row.try_get("last_seen_ms")?;
            Ok(Session {
                user: User::from_row(&row)?,
                last_seen_ms,
            })
        })
        .transpose()
}

pub async fn touch(conn: &mut Conn, token_hash: &str, now_ms: i64) -> Result<()> {
    sqlx::query("update sessions set last_seen_ms = $2 where token_hash = $1")
        .bind(token_hash)
        .bind(now_ms)
        .execute(conn)
        .await?;
    Ok(())
}

pub async fn end(conn: &mut Conn, token_hash: &str) -> Result<()> {
    sqlx::query("delete from sessions where token_hash = $1")
        .bind(token_hash)
        .execute(conn)
        .await?;
    Ok(())
}

/// Forgets sessions that nobody can use any more.
pub async fn sweep(conn: &mut Conn, now_ms: i64, idle_since_ms: i64) -> Result<u64> {
    let gone = sqlx::query("delete from sessions where expires_ms <= $1 or last_seen_ms <= $2")
        .bind(now_ms)
        .bind(idle_since_ms)
        .execute(conn)
        .await?;
    Ok(gone.rows_affected())
}
