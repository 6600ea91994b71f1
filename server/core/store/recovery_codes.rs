//! Recovery codes for customers who lost their phone, as hashes. Each can be used once.

use super::{Conn, RunStatement as _};
use crate::error::Result;

/// Replaces all codes of the user: the place of each, and its hash.
pub(crate) async fn replace(
    conn: &mut Conn,
    user_id: &str,
    codes: &[(String, String)],
    now_ms: i64,
) -> Result<()> {
    sqlx::query("delete from recovery_codes where user_id = $1").bind(user_id).run(conn).await?;
    for (place, code_hash) in codes {
        let insert = "insert into recovery_codes (user_id, place, code_hash, created_ms)
                      values ($1, $2, $3, $4)";
        let insert = sqlx::query(insert).bind(user_id).bind(place).bind(code_hash);
        insert.bind(now_ms).run(conn).await?;
    }
    Ok(())
}

/// Returns the hash of the code at a place, if it was not used.
pub(crate) async fn unused_hash(
    conn: &mut Conn,
    user_id: &str,
    place: &str,
) -> Result<Option<String>> {
    let hash = "select code_hash from recovery_codes
                where user_id = $1 and place = $2 and used_ms is null";
    let hash = sqlx::query_scalar(hash).bind(user_id).bind(place);
    Ok(hash.fetch_optional(conn).await?)
}

/// Uses a code up. `false` if it was used before, or was replaced.
pub(crate) async fn use_up(
    conn: &mut Conn,
    user_id: &str,
    code_hash: &str,
    now_ms: i64,
) -> Result<bool> {
    let update = "update recovery_codes set used_ms = $3
                  where user_id = $1 and code_hash = $2 and used_ms is null";
    sqlx::query(update).bind(user_id).bind(code_hash).bind(now_ms).changes_one(conn).await
}

pub(crate) async fn count_unused(conn: &mut Conn, user_id: &str) -> Result<i64> {
    let count = "select count(*) from recovery_codes where user_id = $1 and used_ms is null";
    Ok(sqlx::query_scalar(count).bind(user_id).fetch_one(conn).await?)
}
