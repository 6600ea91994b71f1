//! The mark of a database that was restored from a backup: no server works on it before an operator
//! says so.

use super::{Conn, RunStatement as _};
use crate::error::Result;

/// The name of the counter whose value is the time of the restoring.
const RESTORED: &str = "restored";

/// The name of the counter that is there until all of the backup is.
const UNFINISHED: &str = "restoring";

/// Marks a database that is being filled.
pub(crate) async fn mark(conn: &mut Conn, now_ms: i64) -> Result<()> {
    // The table may have no primary key yet.
    let insert = "insert into counters (counter, value) values ($1, $3), ($2, $3)";
    sqlx::query(insert).bind(RESTORED).bind(UNFINISHED).bind(now_ms).run(conn).await
}

/// Notes that all of the backup is there, and is as its list says.
pub(crate) async fn finish(conn: &mut Conn) -> Result<()> {
    sqlx::query("delete from counters where counter = $1").bind(UNFINISHED).run(conn).await
}

/// True if the restoring broke off or found faults: such a database may have no triggers.
pub(crate) async fn is_unfinished(conn: &mut Conn) -> Result<bool> {
    let count = "select count(*) from counters where counter = $1";
    sqlx::query(count).bind(UNFINISHED).counts_any(conn).await
}

/// Returns the time at which the database was restored; `None` if servers may work on it.
pub(crate) async fn find(conn: &mut Conn) -> Result<Option<i64>> {
    let select = "select value from counters where counter = $1";
    Ok(sqlx::query_scalar(select).bind(RESTORED).fetch_optional(conn).await?)
}

/// Removes the mark; returns it.
pub(crate) async fn clear(conn: &mut Conn) -> Result<Option<i64>> {
    let delete = "delete from counters where counter = $1 returning value";
    Ok(sqlx::query_scalar(delete).bind(RESTORED).fetch_optional(conn).await?)
}
