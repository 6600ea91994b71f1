//! Handling of failures of the disk or a connection: a connection that failed is not reused,
//! customers get an error, and `/healthz` reports it until a write succeeds.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::Conn;
use super::moment::FAILURE;
use super::postgres::READ_ONLY;
use crate::error::{Error, Result};
use crate::limits;

/// The error for a customer whose change may have been stored: the disk failed in the commit.
const UNSURE: &str = "Our storage failed. \
                      Please look whether this was done before you try again.";

impl From<sqlx::Error> for Error {
    fn from(error: sqlx::Error) -> Error {
        match cause(&error) {
            Cause::Statement => Error::internal(error),
            Cause::Busy => {
                note_busy(&error);
                Error::busy()
            }
            Cause::Storage => {
                FAILURE.note();
                Error::not_stored(error)
            }
        }
    }
}

/// The error of a failed commit: its changes may have been stored or not.
pub(super) fn commit_error(error: sqlx::Error) -> Error {
    FAILURE.note();
    Error::Storage { message: UNSURE.into(), cause: error.into() }
}

/// Counts what Postgres gave up. The code says why, and contains no data.
fn note_busy(error: &sqlx::Error) {
    let code = error.as_database_error().and_then(|error| error.code());
    if let Some(code) = code.filter(|code| POSTGRES_BUSY.contains(&code.as_ref())) {
        tracing::warn!("Postgres gave up a statement: {code}");
        let code = code.into_owned();
        metrics::counter!("dakiya_database_given_up_total", "code" => code).increment(1);
    }
}

/// The reason why a call to the database failed.
#[derive(Debug, PartialEq, Eq)]
enum Cause {
    /// The statement itself.
    Statement,
    /// Other transactions hold a lock, or ran at the same time.
    Busy,
    /// The disk, or the connection to the database.
    Storage,
}

/// SQLSTATEs of statements that Postgres gave up, after which the transaction can only be rolled
/// back: no serial order, a deadlock, a lock that took too long, a statement that took too long.
const POSTGRES_BUSY: [&str; 4] = ["40001", "40P01", "55P03", "57014"];

/// True if others hold a lock, or ran at the same time: it may succeed later.
pub(super) fn is_busy(error: &sqlx::Error) -> bool {
    cause(error) == Cause::Busy
}

fn cause(error: &sqlx::Error) -> Cause {
    match error {
        sqlx::Error::PoolTimedOut => Cause::Busy,
        sqlx::Error::Io(_)
        | sqlx::Error::Tls(_)
        | sqlx::Error::Protocol(_)
        | sqlx::Error::WorkerCrashed => Cause::Storage,
        sqlx::Error::Database(error) => error.code().map_or(Cause::Statement, |it| of_code(&it)),
        _ => Cause::Statement,
    }
}

/// Maps an error code. SQLSTATE has five characters; SQLite's extended codes are numbers below
/// 10,000, and their last byte is the kind.
fn of_code(code: &str) -> Cause {
    if code.len() == 5 {
        // Connections, resources (including a full disk), operator intervention, system errors,
        // corrupted data, a transaction that was idle or open for too long, and a read-only server.
        let classes = ["08", "53", "57P", "58", "XX", "25P03", "25P04", READ_ONLY];
        return match classes.iter().any(|class| code.starts_with(class)) {
            true => Cause::Storage,
            false if POSTGRES_BUSY.contains(&code) => Cause::Busy,
            false => Cause::Statement,
        };
    }
    match code.parse::<u32>().map(|code| code & 0xff) {
        Ok(5 | 6) => Cause::Busy,
        // NOMEM, READONLY, IOERR, CORRUPT, FULL, CANTOPEN, PROTOCOL, NOTADB
        Ok(7 | 8 | 10 | 11 | 13..=15 | 26) => Cause::Storage,
        _ => Cause::Statement,
    }
}

/// Writes a small change to test the disk.
pub(super) async fn write_something(conn: &mut Conn) -> Result<()> {
    let tried = "insert into counters (counter, value) values ('writer tried', 1)
                 on conflict (counter) do update set value = counters.value + 1";
    sqlx::query(tried).execute(conn).await?;
    Ok(())
}

/// The result of recent writes.
#[derive(Debug, Default)]
pub(super) struct Health(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    is_failing: bool,
    tried: Option<Instant>,
}

impl Health {
    /// Records the result of a write. A write that was refused for its content proves nothing, nor
    /// does one that may have changed nothing.
    pub fn note<T>(&self, result: &Result<T>, has_tried: bool) {
        match result {
            Ok(_) if !has_tried => {}
            Ok(_) => self.set(None),
            Err(error @ Error::Storage { .. }) => self.set(Some(&error.to_string())),
            Err(_) => {}
        }
    }

    /// Records that the writer was not returned within the time limit for waiting.
    pub fn note_stuck(&self) {
        self.set(Some("it is stuck"));
    }

    fn set(&self, failure: Option<&str>) {
        let is_failing = failure.is_some();
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if state.is_failing != is_failing {
            state.is_failing = is_failing;
            metrics::gauge!("dakiya_writer_failing").set(u8::from(is_failing));
            match failure {
                Some(failure) => tracing::error!("the database writer failed: {failure}"),
                None => tracing::warn!("the database writer works again"),
            }
        }
    }

    pub fn is_failing(&self) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).is_failing
    }

    /// True if the writer should be tested now. A caller that gets `true` must do it.
    pub fn wants_a_try(&self) -> bool {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let pause = Duration::from_millis(limits::WRITER_TRY_MS_MIN);
        let is_due = state.is_failing && state.tried.is_none_or(|tried| tried.elapsed() >= pause);
        if is_due {
            state.tried = Some(Instant::now());
        }
        is_due
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_disk_or_a_connection_that_failed_is_told_from_a_wrong_statement() {
        // Full, an I/O error in a sync and in a read, read-only by the file system.
        for code in ["13", "1034", "266", "1544"] {
            assert_eq!(of_code(code), Cause::Storage, "{code}");
        }
        // No space, read-only, shutting down, a broken connection, an I/O error.
        for code in ["53100", "25006", "57P01", "08006", "58030", "25P03"] {
            assert_eq!(of_code(code), Cause::Storage, "{code}");
        }
        // A unique key, a check; the same for Postgres.
        for code in ["2067", "275", "23505", "23514"] {
            assert_eq!(of_code(code), Cause::Statement, "{code}");
        }
        for code in ["5", "517", "40001", "40P01", "55P03", "57014"] {
            assert_eq!(of_code(code), Cause::Busy, "{code}");
        }
    }

    #[test]
    fn an_ill_writer_is_tried_once_a_second_and_a_well_one_never() {
        let health = Health::default();
        assert!(!health.wants_a_try());
        health.note::<()>(&Err(commit_error(sqlx::Error::WorkerCrashed)), false);
        assert!(health.is_failing() && health.wants_a_try() && !health.wants_a_try());
        health.note::<()>(&Err(Error::WrongMethod), true);
        health.note(&Ok(()), false);
        assert!(health.is_failing());
        health.note(&Ok(()), true);
        assert!(!health.is_failing() && !health.wants_a_try());
    }
}
