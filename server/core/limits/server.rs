//! Limits of the HTTP server and the database: connections, requests, waits, commits.

use super::{Allowed, KYC_BODY_BYTES_MAX};

/// Rows in JSON that one statement puts into a Postgres that takes over from SQLite (bytes).
pub const MOVED_TOGETHER_BYTES: usize = 1024 * 1024;

/// A JSON or form body (bytes).
pub const BODY_BYTES_MAX: usize = 64 * 1024;

/// Unread rest of a request body that is drained after an early response (bytes).
pub const BODY_UNREAD_BYTES_MAX: u64 = KYC_BODY_BYTES_MAX as u64;

/// Timeout for draining the unread rest of a request body (milliseconds).
pub const BODY_UNREAD_MS_MAX: u64 = 5 * 60 * 1_000;

/// A request's path and query (bytes).
pub const URL_BYTES_MAX: usize = 8 * 1024;

/// A path on this site that a visitor is redirected to (bytes).
pub const LOCAL_PATH_BYTES_MAX: usize = 500;

/// A request's head (bytes).
pub const HEAD_BYTES_MAX: usize = 32 * 1024;

/// Time from the connection to the end of its first request's head (milliseconds).
pub const HEAD_MS_MAX: u64 = 10_000;

/// Time from a request's head to its response's head (milliseconds).
pub const REQUEST_MS_MAX: u64 = 30_000;

/// Open connections (count).
pub const CONNECTIONS_MAX: usize = 4_096;

/// Time the server still accepts connections after a stop signal, so that connected clients get a
/// response that closes the connection (milliseconds).
pub const STOP_LISTEN_MS_MAX: u64 = 1_000;

/// Time for the first byte of a request on a connection accepted at the last moment (milliseconds).
pub const STOP_HEAD_MS: u64 = 50;

/// Time after a stop signal in which requests are still served, for a server that others can
/// replace (seconds): two checks of a balancer that asks every five seconds.
pub const DRAIN_S: u64 = 10;

/// The longest such time (seconds).
pub const DRAIN_S_MAX: u64 = 600;

/// Time that a connection may stay without a request after its first one (seconds). Balancers keep
/// theirs for 60 seconds: if we closed first, one could send a request to a closing connection.
pub const KEEP_ALIVE_S: u64 = 75;

/// The shortest such time (seconds).
pub const KEEP_ALIVE_S_MIN: u64 = 5;

/// The longest such time (seconds).
pub const KEEP_ALIVE_S_MAX: u64 = 3_600;

/// Time for open requests to finish after the port was closed (seconds): the longest that a request
/// without an upload may take, and some more to send its response.
pub const FINISH_S: u64 = REQUEST_MS_MAX / 1_000 + 5;

/// The longest such time (seconds).
pub const FINISH_S_MAX: u64 = 600;

/// Time for the rest of a stop: the last new connections, emails on their way, last writes, and the
/// closing of the database (seconds).
pub const STOP_REST_S: u64 = 20;

/// Niceness of background threads.
pub const BACKGROUND_NICE: i32 = 10;

/// Interval at which metrics' samples are aggregated (milliseconds).
pub const METRICS_EVERY_MS: u64 = 5_000;

/// Open connections of one client: an office or a mobile network behind one address (count).
pub const CLIENT_CONNECTIONS_MAX: usize = 256;

/// Bytes of a request's body that must arrive within `BODY_STEP_MS_MAX`: 2 kB/s (bytes).
pub const BODY_STEP_BYTES_MIN: usize = 32 * 1024;

/// Time for each `BODY_STEP_BYTES_MIN` of a request's body (milliseconds).
pub const BODY_STEP_MS_MAX: u64 = 15_000;

/// Bytes of a response that a slow client must accept within `WRITTEN_MS_MAX` (bytes).
pub const WRITTEN_BYTES_MIN: usize = 32 * 1024;

/// Time for each `WRITTEN_BYTES_MIN` of a response (milliseconds).
pub const WRITTEN_MS_MAX: u64 = 15_000;

/// Unsent bytes of a response that the kernel buffers (bytes).
pub const UNSENT_BYTES_MAX: u32 = 128 * 1024;

/// Time for sent data to be acknowledged before the kernel closes the connection (milliseconds).
pub const UNTAKEN_MS_MAX: u64 = 30_000;

/// Clients whose attempts are remembered (count).
pub const CLIENTS_MAX: usize = 100_000;

/// Callback requests of one client: an operator makes each call.
pub const CLIENT_CALLS: Allowed = Allowed { at_once: 10, pause_ms: 10 * 60 * 1_000 };

/// Reading connections to SQLite (count). Each caches some MB, and a statement takes microseconds.
pub const DATABASE_READERS: usize = 4;

/// Prepared statements cached per connection to SQLite (count): all of ours.
pub const DATABASE_STATEMENTS_KEPT: usize = 1_000;

/// Connections to Postgres that reads and writes share (count).
pub const DATABASE_CONNECTIONS: usize = 16;

/// The fewest such connections (count).
pub const DATABASE_CONNECTIONS_MIN: usize = 4;

/// The most such connections (count).
pub const DATABASE_CONNECTIONS_MAX: usize = 400;

/// One in so many of them is left to reads by writes, and to writes by reads (count).
pub const DATABASE_LEFT_TO_OTHERS: usize = 4;

/// Connections for checks (count).
pub const DATABASE_CHECKS: usize = 1;

/// Connections to Postgres that listen (count).
pub const DATABASE_LISTENERS: usize = 1;

/// Time in which a connection to Postgres just used is trusted without a check (milliseconds).
pub const DATABASE_TRUSTED_MS_MAX: u64 = 1_000;

/// Lifetime of a connection to Postgres (seconds).
pub const DATABASE_CONNECTION_AGE_S_MAX: u64 = 1_800;

/// Timeout of a statement on Postgres (milliseconds).
pub const DATABASE_STATEMENT_MS_MAX: u64 = 15_000;

/// Timeout of a statement of the audit, of upkeep or of a GST return (milliseconds).
pub const DATABASE_LONG_STATEMENT_MS_MAX: u64 = 1_800_000;

/// Timeout for a lock on Postgres: all the time of its statement (milliseconds).
pub const DATABASE_LOCK_MS_MAX: u64 = DATABASE_STATEMENT_MS_MAX;

/// Timeout for a lock of a migration on Postgres, behind which customers wait (milliseconds).
pub const MIGRATION_LOCK_MS_MAX: u64 = 3_000;

/// Pause before a migration that did not get its lock is tried again (milliseconds).
pub const MIGRATION_PAUSE_MS: u64 = 2_000;

/// Tries of a migration that does not get its lock (count).
pub const MIGRATION_TRIES_MAX: usize = 60;

/// Time to wait for another process that changes the schema (seconds).
pub const SCHEMA_LOCK_S_MAX: u64 = 600;

/// Pause between two tries to get the lock on the schema (milliseconds).
pub const SCHEMA_LOCK_PAUSE_MS: u64 = 50;

/// Time in which a transaction on Postgres must send its next statement (milliseconds).
pub const DATABASE_IDLE_MS_MAX: u64 = 30_000;

/// Time for Postgres to report that a statement timed out, or that it has committed, after which it
/// counts as lost: together with `DATABASE_STATEMENT_MS_MAX` less than 20 s (milliseconds).
pub const DATABASE_LATE_MS_MAX: u64 = 3_000;

/// Time for an answer of a server that was lost, once another connection could be opened
/// (milliseconds).
pub const DATABASE_LOST_MS_MAX: u64 = 1_000;

/// Interval at which a process checks that its Postgres server still answers (milliseconds).
pub const DATABASE_CHECKED_EVERY_MS: u64 = 1_000;

/// Pauses before a transaction whose begin failed is begun with another connection (milliseconds).
pub const DATABASE_BEGIN_PAUSES_MS: &[u64] = &[0, 200, 800];

/// Servers of one Postgres database (count).
pub const DATABASE_SERVERS_MAX: usize = 5;

/// Time for all servers of the database together to accept a connection, a little less than the
/// caller waits for it (milliseconds).
pub const DATABASE_CONNECT_MS_MAX: u64 = DATABASE_WAIT_MS_MAX - 1_000;

/// Timeout of a check whether Postgres answers (milliseconds).
pub const DATABASE_PING_MS_MAX: u64 = 3_000;

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

/// Time for a check that requests can be served (milliseconds).
pub const READY_MS_MAX: u64 = 1_000;

/// Time in which the result of such a check is given to all who ask (milliseconds).
pub const READY_KEPT_MS: u64 = 1_000;

/// Interval at which a server on a restored database asks if it may work (milliseconds).
pub const GO_AHEAD_EVERY_MS: u64 = 1_000;

/// Time that `dakiya healthcheck` waits for an answer (milliseconds).
pub const HEALTHCHECK_MS_MAX: u64 = 2_000;

/// The answer that it reads (bytes).
pub const HEALTHCHECK_BYTES_MAX: u64 = 8 * 1024;

/// `Retry-After` when the disk or the connection to the database failed (seconds).
pub const STORAGE_RETRY_S: u64 = 10;

/// `Retry-After` while a restored database waits for an operator (seconds).
pub const RESTORING_RETRY_S: u64 = 60;

/// Pause between two test writes while the writer fails (milliseconds).
pub const WRITER_TRY_MS_MIN: u64 = 1_000;

/// Time a health check waits for a test write (milliseconds).
pub const WRITER_TRY_MS_MAX: u64 = 2_000;
