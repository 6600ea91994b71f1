//! A connection to a Postgres server. Every answer has a time limit on our side too: a server that
//! has vanished sends none, and TCP alone would wait for a quarter of an hour or for ever.

use std::io;
use std::sync::Arc;
use std::task::Poll;
use std::time::{Duration, Instant};

use futures_util::future::{BoxFuture, FutureExt as _, ready};
use futures_util::stream::{self, BoxStream, StreamExt as _};
use sqlx::any::{AnyQueryResult, AnyRow};
use sqlx::{
    Any, AnyConnection, AnyExecutor, AssertSqlSafe, Connection as _, Either, Error, Execute,
    Executor as _,
};
use tokio::time::{sleep, timeout};

use super::losses::Losses;
use super::wakes::DueKinds;
use crate::limits;

/// SQLSTATE of a write on a server that only reads.
pub(super) const READ_ONLY: &str = "25006";

#[derive(Debug)]
pub struct Postgres {
    pub(super) conn: AnyConnection,
    pub(super) due: DueKinds,
    /// Set while a statement is not completed, and after one failed.
    is_asked: bool,
    /// Set once an answer did not come in time. It may still come, so the connection is of no use.
    is_silent: bool,
    /// Time for one statement with all its rows.
    answer_time: Duration,
    opened: Instant,
    losses: Arc<Losses>,
}

impl Postgres {
    pub(super) fn new(conn: AnyConnection, losses: Arc<Losses>) -> Postgres {
        let answer_time = answer_time(limits::DATABASE_STATEMENT_MS_MAX);
        let (due, opened) = (DueKinds::default(), Instant::now());
        Postgres { conn, due, is_asked: false, is_silent: false, answer_time, opened, losses }
    }

    /// True if the last statement completed without an error.
    pub(super) fn is_done(&self) -> bool {
        !self.is_asked
    }

    /// Waits for answers as long as statements with this timeout need.
    pub(super) fn set_statement_ms(&mut self, longest_ms: u64) {
        self.answer_time = answer_time(longest_ms);
    }

    /// Checks that the server still answers.
    pub(super) async fn ping(&mut self) -> Result<(), Error> {
        if self.is_silent {
            return Err(no_answer());
        }
        let (limit, asked) = (Duration::from_millis(limits::DATABASE_PING_MS_MAX), Instant::now());
        let answered = timeout(limit, self.conn.ping()).await;
        answered.unwrap_or_else(|_| {
            self.is_silent = true;
            // It may also be busy with a statement whose caller has gone.
            if !self.is_asked {
                self.losses.note(asked);
            }
            Err(no_answer())
        })
    }

    pub(super) fn fetch_many<'e, 'q: 'e, E>(
        &'e mut self,
        query: E,
    ) -> BoxStream<'e, Result<Either<AnyQueryResult, AnyRow>, Error>>
    where
        E: 'q + Execute<'q, Any>,
    {
        let Postgres { conn, is_asked, is_silent, answer_time, opened, losses, .. } = self;
        if *is_silent {
            return stream::once(ready(Err(no_answer()))).boxed();
        }
        *is_asked = true;
        let mut all = conn.fetch_many(query);
        let losses: &Losses = losses;
        let mut given_up = Box::pin(given_up(losses, *opened, *answer_time));
        let until_done = stream::poll_fn(move |context| {
            if *is_silent {
                return Poll::Ready(None);
            }
            let next = all.poll_next_unpin(context);
            match &next {
                Poll::Ready(None) => *is_asked = false,
                Poll::Ready(Some(Err(error))) => note_read_only(error, losses),
                Poll::Ready(Some(Ok(_))) => {}
                Poll::Pending => {
                    if let Poll::Ready(error) = given_up.as_mut().poll(context) {
                        *is_silent = true;
                        return Poll::Ready(Some(Err(error)));
                    }
                }
            }
            next
        });
        until_done.boxed()
    }

    pub(super) fn fetch_optional<'e, 'q: 'e, E>(
        &'e mut self,
        query: E,
    ) -> BoxFuture<'e, Result<Option<AnyRow>, Error>>
    where
        E: 'q + Execute<'q, Any>,
    {
        let Postgres { conn, is_asked, is_silent, answer_time, opened, losses, .. } = self;
        if *is_silent {
            return ready(Err(no_answer())).boxed();
        }
        *is_asked = true;
        let first = async move {
            let first = tokio::select! {
                biased;
                first = conn.fetch_optional(query) => first,
                error = given_up(losses, *opened, *answer_time) => {
                    *is_silent = true;
                    return Err(error);
                }
            };
            let first = first.inspect_err(|error| note_read_only(error, losses))?;
            *is_asked = false;
            Ok(first)
        };
        first.boxed()
    }
}

/// Times in milliseconds after which Postgres gives up; 0 is no limit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Times {
    pub statement_ms: u64,
    pub lock_ms: u64,
    /// For a transaction that sends no statement, with its locks.
    pub idle_ms: u64,
}

impl Times {
    pub const USUAL: Times = Times {
        statement_ms: limits::DATABASE_STATEMENT_MS_MAX,
        lock_ms: limits::DATABASE_LOCK_MS_MAX,
        idle_ms: limits::DATABASE_IDLE_MS_MAX,
    };

    /// For the audit, which reads all books in one snapshot, and for similar work.
    pub const LONG: Times = Times {
        statement_ms: limits::DATABASE_LONG_STATEMENT_MS_MAX,
        idle_ms: limits::DATABASE_LONG_STATEMENT_MS_MAX,
        ..Times::USUAL
    };

    /// A migration may have to change all rows. While it waits for a lock, others wait behind it.
    pub const MIGRATION: Times =
        Times { statement_ms: 0, lock_ms: limits::MIGRATION_LOCK_MS_MAX, idle_ms: 0 };

    /// Sets them for this connection, or until its transaction ends. Statements outside of a
    /// transaction get the isolation that ours are written for.
    pub async fn set<C>(self, conn: &mut C, only_in_transaction: bool) -> Result<(), Error>
    where
        for<'c> &'c mut C: AnyExecutor<'c>,
    {
        let Times { statement_ms, lock_ms, idle_ms } = self;
        // Built from numbers and a flag.
        let set = AssertSqlSafe(format!(
            "select set_config('statement_timeout', '{statement_ms}', {only_in_transaction}),
               set_config('lock_timeout', '{lock_ms}', {only_in_transaction}),
               set_config('idle_in_transaction_session_timeout', '{idle_ms}',
                 {only_in_transaction}),
               set_config('default_transaction_isolation', 'read committed',
                 {only_in_transaction})"
        ));
        sqlx::query(set).execute(&mut *conn).await?;
        Ok(())
    }

    /// Fails unless the role has limits that are at most these, and our isolation.
    pub async fn require<C>(self, conn: &mut C) -> Result<(), Error>
    where
        for<'c> &'c mut C: AnyExecutor<'c>,
    {
        let Times { statement_ms, lock_ms, idle_ms } = self;
        // Built from numbers.
        let good = AssertSqlSafe(format!(
            "select count(*) from pg_settings where case name
               when 'statement_timeout' then cast(setting as bigint) between 1 and {statement_ms}
               when 'lock_timeout' then cast(setting as bigint) between 1 and {lock_ms}
               when 'idle_in_transaction_session_timeout'
                 then cast(setting as bigint) between 1 and {idle_ms}
               when 'default_transaction_isolation' then setting = 'read committed'
               else false end"
        ));
        let good = sqlx::query_scalar::<Any, i64>(good).fetch_one(&mut *conn).await?;
        match good {
            4 => Ok(()),
            _ => Err(Error::Configuration(
                format!(
                    "behind PgBouncer the database's role needs settings of its own: alter role … \
                     set statement_timeout = {statement_ms}; alter role … set lock_timeout = \
                     {lock_ms}; alter role … set idle_in_transaction_session_timeout = {idle_ms}; \
                     and the default_transaction_isolation read committed"
                )
                .into(),
            )),
        }
    }
}

/// The server ends a statement first, unless it has vanished.
fn answer_time(statement_ms: u64) -> Duration {
    Duration::from_millis(statement_ms + limits::DATABASE_LATE_MS_MAX)
}

/// Waits until no answer will come: the server should have sent it by now, or was lost before.
/// Returns the error of the statement.
async fn given_up(losses: &Losses, opened: Instant, answer_time: Duration) -> Error {
    let asked = Instant::now();
    let moment = Duration::from_millis(limits::DATABASE_LOST_MS_MAX);
    sleep(moment).await;
    let replaced = async {
        losses.replaced(opened).await;
        // A server that only stood still for a while answers now.
        sleep(moment).await;
    };
    if timeout(answer_time.saturating_sub(moment), replaced).await.is_err() {
        losses.note(asked);
    }
    no_answer()
}

/// A server that takes no more writes has been replaced by another one.
fn note_read_only(error: &Error, losses: &Losses) {
    let code = error.as_database_error().and_then(|error| error.code());
    if code.is_some_and(|code| code == READ_ONLY) {
        losses.note(Instant::now());
    }
}

/// The error of a connection without an answer. The server may have done what it was asked, or not.
pub(super) fn no_answer() -> Error {
    Error::Io(io::Error::new(io::ErrorKind::TimedOut, "the database does not answer"))
}
