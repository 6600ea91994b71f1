//! Sessions of logged-in users. Only hashes of tokens are stored.

use sqlx::Row;
use sqlx::any::AnyRow;

use super::users::{self, select_users};
use super::{Conn, RunStatement as _, login_challenges, old_rows, placeholders};
use crate::error::Result;
use crate::limits;
use crate::model::account::device::Device;
use crate::model::account::session::{Session, SessionLifetime, SessionPlace};
use crate::model::money::paise::Paise;

pub(crate) async fn add(
    conn: &mut Conn,
    user_id: &str,
    token_hash: &str,
    device: &Device,
    life: SessionLifetime,
) -> Result<()> {
    sqlx::query(
        "insert into sessions (token_hash, user_id, created_ms, last_seen_ms, expires_ms, device)
         values ($1, $2, $3, $3, $4, $5)",
    )
    .bind(token_hash)
    .bind(user_id)
    .bind(life.created_ms)
    .bind(life.expires_ms)
    .bind(device.as_str())
    .run(conn)
    .await
}

/// Returns the session of a token, unless it has expired or was idle since before `idle_since_ms`.
pub(crate) async fn find(
    conn: &mut Conn,
    token_hash: &str,
    now_ms: i64,
    idle_since_ms: i64,
) -> Result<Option<Session>> {
    let find = select_users!(
        "sessions s join users u on u.user_id = s.user_id
         left join ledger_accounts a on a.account_id = 'available:' || u.user_id
         where s.token_hash = $1 and s.expires_ms > $2 and s.last_seen_ms > $3",
        "s.last_seen_ms, u.frozen_ms, coalesce(a.balance_paise, 0) as balance_paise"
    );
    let read = |row: &AnyRow| {
        let last_seen_ms = row.try_get("last_seen_ms")?;
        Ok(Session {
            user: users::user(row)?,
            balance: Paise::new(row.try_get("balance_paise")?),
            last_seen_ms,
            frozen_ms: row.try_get("frozen_ms")?,
        })
    };
    sqlx::query(find).bind(token_hash).bind(now_ms).bind(idle_since_ms).read_first(conn, read).await
}

/// Records when sessions were last used, in one statement.
pub(crate) async fn touch(conn: &mut Conn, visits: &[(String, i64)]) -> Result<()> {
    let rows = placeholders(visits.len(), &["text", "bigint"]);
    // Built from constants, never from input.
    let touch = format!(
        "with seen (token_hash, seen_ms) as (values {rows})
         update sessions set last_seen_ms = seen.seen_ms from seen
         where sessions.token_hash = seen.token_hash and sessions.last_seen_ms < seen.seen_ms"
    );
    let mut query = sqlx::query(sqlx::AssertSqlSafe(touch)).persistent(false);
    for (token_hash, seen_ms) in visits {
        query = query.bind(token_hash).bind(seen_ms);
    }
    query.run(conn).await
}

/// True if the user has this session.
pub(crate) async fn is_open(conn: &mut Conn, user_id: &str, token_hash: &str) -> Result<bool> {
    let count = "select count(*) from sessions where user_id = $1 and token_hash = $2";
    sqlx::query(count).bind(user_id).bind(token_hash).counts_any(conn).await
}

pub(crate) async fn end(conn: &mut Conn, token_hash: &str) -> Result<()> {
    sqlx::query("delete from sessions where token_hash = $1").bind(token_hash).run(conn).await
}

/// Returns the user's valid sessions, the last used first.
pub(crate) async fn list(
    conn: &mut Conn,
    user_id: &str,
    now_ms: i64,
    idle_since_ms: i64,
) -> Result<Vec<SessionPlace>> {
    let place = |row: &AnyRow| {
        Ok(SessionPlace {
            token_hash: row.try_get("token_hash")?,
            device: row.try_get("device")?,
            created_ms: row.try_get("created_ms")?,
            last_seen_ms: row.try_get("last_seen_ms")?,
        })
    };
    sqlx::query(
        "select token_hash, device, created_ms, last_seen_ms from sessions
         where user_id = $1 and expires_ms > $2 and last_seen_ms > $3
         order by last_seen_ms desc, created_ms desc, token_hash limit $4",
    )
    .bind(user_id)
    .bind(now_ms)
    .bind(idle_since_ms)
    .bind(limits::SESSIONS_MAX)
    .read_all(conn, place)
    .await
}

/// Ends the user's session whose token hash starts with `id`. `false` if there is none.
pub(crate) async fn end_one(conn: &mut Conn, user_id: &str, id: &str) -> Result<bool> {
    let delete = "delete from sessions where user_id = $1 and substr(token_hash, 1, 16) = $2";
    let result = sqlx::query(delete).bind(user_id).bind(id).execute(conn).await?;
    Ok(result.rows_affected() > 0)
}

/// Ends all sessions of the user but one, and the logins that wait for a code.
pub(crate) async fn end_others(conn: &mut Conn, user_id: &str, token_hash: &str) -> Result<()> {
    login_challenges::end_all(conn, user_id).await?;
    let delete = "delete from sessions where user_id = $1 and token_hash <> $2";
    sqlx::query(delete).bind(user_id).bind(token_hash).run(conn).await
}

/// Ends the user's sessions over the limit, the least recently used first.
pub(crate) async fn end_oldest(conn: &mut Conn, user_id: &str, count: i64) -> Result<()> {
    let delete = "delete from sessions where user_id = $1 and token_hash not in (
                    select token_hash from sessions where user_id = $1
                    order by last_seen_ms desc, created_ms desc, token_hash limit $2)";
    sqlx::query(delete).bind(user_id).bind(count).run(conn).await
}

/// Ends all sessions of the user, and the logins that wait for a code. Returns the number of
/// sessions.
pub(crate) async fn end_all(conn: &mut Conn, user_id: &str) -> Result<u64> {
    login_challenges::end_all(conn, user_id).await?;
    let result =
        sqlx::query("delete from sessions where user_id = $1").bind(user_id).execute(conn).await?;
    Ok(result.rows_affected())
}

pub(crate) async fn sweep(conn: &mut Conn, now_ms: i64) -> Result<u64> {
    let idle = limits::SESSION_IDLE_MS_MAX;
    let ended = format!("expires_ms <= $1 or last_seen_ms <= $1 - {idle}");
    old_rows::delete(conn, "sessions", "token_hash", &ended, now_ms).await
}
