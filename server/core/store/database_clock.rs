//! The database's clock. All servers follow it, because one compares the times that another wrote:
//! of leases, heartbeats and due tasks.

use std::time::Instant;

use super::{Conn, PerBackend};
use crate::clock::Clock;
use crate::error::Result;
use crate::limits;

const NOW_MS: PerBackend = PerBackend {
    sqlite: "select cast(unixepoch('now', 'subsec') * 1000 as integer)",
    postgres: "select cast(extract(epoch from clock_timestamp()) * 1000 as bigint)",
};

/// Compares the machine's clock with the database's, and corrects ours. An answer that came too
/// late tells nothing.
pub async fn follow(conn: &mut Conn, clock: &Clock) -> Result<()> {
    let asked = Instant::now();
    let database_ms: i64 = sqlx::query_scalar(NOW_MS.of(conn)).fetch_one(conn).await?;
    let machine_ms = clock.machine_ms();
    let took_ms = i64::try_from(asked.elapsed().as_millis()).unwrap_or(i64::MAX);
    if took_ms > limits::CLOCK_SKEW_MS_MAX {
        return Ok(());
    }
    let ahead_ms = machine_ms - took_ms / 2 - database_ms;
    clock.correct(ahead_ms);
    Ok(())
}
