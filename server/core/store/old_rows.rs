//! Deletions and changes of old rows, some at a time: no statement takes long, and no lock is held
//! for long.

use sqlx::AssertSqlSafe;

use super::Conn;
use crate::error::Result;
use crate::limits;

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
