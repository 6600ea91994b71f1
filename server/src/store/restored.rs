//! The mark of a database that was restored from a backup: no server works on it before an operator
//! says so.

use super::{Conn, RunStatement as _};
use crate::error::Result;

/// The name of the counter whose value is the time of the restoring.
const RESTORED: &str = "restored";

pub(crate) async fn mark(conn: &mut Conn, now_ms: i64) -> Result<()> {
    // A table that is being filled may have no primary key yet.
    let insert = "insert into counters (counter, value) values ($1, $2)";
    sqlx::query(insert).bind(RESTORED).bind(now_ms).run(conn).await
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
