//! Limits of the database: connections, waits, writes committed together.

use super::CONNECTIONS_MAX;

/// Reading connections to SQLite (count). Each caches some MB, and a statement takes microseconds.
pub const DATABASE_READERS: usize = 4;

/// Prepared statements cached per connection to SQLite (count): all of ours.
pub const DATABASE_STATEMENTS_KEPT: usize = 1_000;

/// Connections to Postgres (count).
pub const DATABASE_POSTGRES_CONNECTIONS: usize = 16;

/// Time in which a connection to Postgres just used is trusted without a check (milliseconds).
pub const DATABASE_TRUSTED_MS_MAX: u64 = 1_000;

/// Lifetime of a connection to Postgres (seconds).
pub const DATABASE_CONNECTION_AGE_S_MAX: u64 = 1_800;

/// Timeout of a statement or an idle transaction on Postgres, above any request's (milliseconds).
pub const DATABASE_STATEMENT_MS_MAX: u64 = 60_000;

/// Timeout for getting a connection (milliseconds).
pub const DATABASE_WAIT_MS_MAX: u64 = 10_000;

/// Time at shutdown to wait for connections in use (milliseconds).
pub const DATABASE_CLOSE_MS_MAX: u64 = 2_000;

/// Writes that wait for SQLite's one writing connection (count).
pub const WRITES_WAITING_MAX: usize = CONNECTIONS_MAX;

/// Writes that share one commit (count).
pub const WRITES_TOGETHER_MAX: usize = 128;

/// Age of a commit batch, after which no more writes join it (milliseconds).
pub const WRITES_TOGETHER_MS_MAX: u64 = 50;

/// `Retry-After` when the disk or the connection to the database failed (seconds).
pub const STORAGE_RETRY_S: u64 = 10;

/// Pause between two test writes while the writer is unhealthy (milliseconds).
pub const WRITER_TRY_MS_MIN: u64 = 1_000;

/// Time a health check waits for a test write (milliseconds).
pub const WRITER_TRY_MS_MAX: u64 = 2_000;
