//! Deletions and changes of old rows, some at a time: no statement takes long, and no lock is held
//! for long.

use futures_util::future::BoxFuture;
use sqlx::AssertSqlSafe;

use super::Conn;
use crate::error::Result;
use crate::limits;

/// Deletes or changes some rows that are older than a time, and returns their number.
type Sweep = for<'c> fn(&'c mut Conn, i64) -> BoxFuture<'c, Result<u64>>;

/// All that is no longer needed some day: its age (milliseconds), and the sweep.
pub(crate) const SWEEPS: [(i64, Sweep); 15] = [
    (0, |conn, before| Box::pin(super::sessions::sweep(conn, before))),
    (limits::IDEMPOTENCY_KEPT_MS, |conn, before| {
        Box::pin(super::confirmations::sweep(conn, before))
    }),
    (limits::DAY_MS, |conn, before| Box::pin(super::otp::sweep(conn, before))),
    (limits::DAY_MS, |conn, before| Box::pin(super::message_counts::sweep(conn, before))),
    (limits::DRAFT_MS_MAX, |conn, before| Box::pin(super::drafts::sweep(conn, before))),
    (limits::HOUR_MS, |conn, before| Box::pin(super::password_resets::sweep(conn, before))),
    (limits::SECURITY_EVENT_MS_MAX, |conn, before| {
        Box::pin(super::security_events::sweep(conn, before))
    }),
    (limits::HOUR_MS, |conn, before| Box::pin(super::email_links::sweep(conn, before))),
    (limits::EMAIL_CLAIM_MS_MAX, |conn, before| {
        Box::pin(super::users::release_old_claims(conn, before))
    }),
    (0, |conn, before| Box::pin(super::login_challenges::sweep(conn, before))),
    (limits::GUESSES_MS_MAX, |conn, before| Box::pin(super::guesses::sweep(conn, before))),
    (0, |conn, before| Box::pin(super::passkey_challenges::sweep(conn, before))),
    (limits::TWO_STEP_SETUP_MS_MAX, |conn, before| {
        Box::pin(super::authenticators::sweep(conn, before))
    }),
    (limits::KNOWN_DEVICE_MS_MAX, |conn, before| {
        Box::pin(super::known_devices::sweep(conn, before))
    }),
    (limits::ASSETS_KEPT_MS, |conn, before| Box::pin(super::kept_assets::sweep(conn, before))),
];

/// Deletes at most `limits::SWEPT_ROWS` of the rows for which a condition on `$1`, a time, holds.
/// `key` is their primary key. Returns their number.
pub(super) async fn delete(
    conn: &mut Conn,
    table: &str,
    key: &str,
    condition: &str,
    before_ms: i64,
) -> Result<u64> {
    run(conn, &format!("delete from {table}"), table, key, condition, before_ms).await
}

/// Changes such rows, as many at most.
pub(super) async fn update(
    conn: &mut Conn,
    table: &str,
    key: &str,
    condition: &str,
    changes: &str,
    before_ms: i64,
) -> Result<u64> {
    run(conn, &format!("update {table} set {changes}"), table, key, condition, before_ms).await
}

async fn run(
    conn: &mut Conn,
    act: &str,
    table: &str,
    key: &str,
    condition: &str,
    before_ms: i64,
) -> Result<u64> {
    // The condition stands twice: a row may change after it was found. The text is built from
    // constants, never from input.
    let statement = format!(
        "{act} where ({condition}) and ({key}) in (
           select {key} from {table} where {condition} limit {})",
        limits::SWEPT_ROWS
    );
    let result = sqlx::query(AssertSqlSafe(statement)).bind(before_ms).execute(conn).await?;
    Ok(result.rows_affected())
}
