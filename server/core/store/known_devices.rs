//! Browsers that were used to log in. Only hashes of their tokens are stored.

use super::{Conn, RunStatement as _, old_rows};
use crate::error::Result;

/// Records a login in this browser. `true` if it is the first one.
pub(crate) async fn note(
    conn: &mut Conn,
    user_id: &str,
    device_hash: &str,
    now_ms: i64,
) -> Result<bool> {
    let update = "update known_devices set used_ms = $3 where user_id = $1 and device_hash = $2";
    let update = sqlx::query(update).bind(user_id).bind(device_hash).bind(now_ms);
    if update.changes_one(conn).await? {
        return Ok(false);
    }
    let insert = "insert into known_devices (user_id, device_hash, created_ms, used_ms)
                  values ($1, $2, $3, $3) on conflict do nothing";
    sqlx::query(insert).bind(user_id).bind(device_hash).bind(now_ms).run(conn).await?;
    Ok(true)
}

/// True if this browser was used before to log in to this account.
pub(crate) async fn is_known(conn: &mut Conn, user_id: &str, device_hash: &str) -> Result<bool> {
    let count = "select count(*) from known_devices where user_id = $1 and device_hash = $2";
    sqlx::query(count).bind(user_id).bind(device_hash).counts_any(conn).await
}

pub(crate) async fn sweep(conn: &mut Conn, before_ms: i64) -> Result<u64> {
    old_rows::delete(conn, "known_devices", "user_id, device_hash", "used_ms < $1", before_ms).await
}
