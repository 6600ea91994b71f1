//! Counts of the last run of a regular task. One server runs it, and all servers show them: what a
//! server remembers itself is out of date as soon as another one has run the task.

use super::{Conn, RunStatement as _};
use crate::error::Result;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LastCount {
    BooksFaults,
    /// The end of the last audit, with faults or without (milliseconds).
    BooksAuditedMs,
    GatewayReportsMissing,
}

impl LastCount {
    const fn word(self) -> &'static str {
        match self {
            LastCount::BooksFaults => "books faults",
            LastCount::BooksAuditedMs => "books audited",
            LastCount::GatewayReportsMissing => "gateway reports missing",
        }
    }
}

pub(crate) async fn keep(conn: &mut Conn, count: LastCount, value: i64) -> Result<()> {
    let keep = "insert into counters (counter, value) values ($1, $2)
                on conflict (counter) do update set value = excluded.value";
    sqlx::query(keep).bind(count.word()).bind(value).run(conn).await
}

/// Returns a count; `None` if its task has never run to the end.
pub(crate) async fn find(conn: &mut Conn, count: LastCount) -> Result<Option<i64>> {
    let select = "select value from counters where counter = $1";
    Ok(sqlx::query_scalar(select).bind(count.word()).fetch_optional(conn).await?)
}
