//! A connection to a Postgres server. Every answer has a time limit on our side too: a server that
//! has vanished sends none, and TCP alone would wait for a quarter of an hour or for ever.

use std::io;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use futures_util::future::{BoxFuture, FutureExt as _, ready};
use futures_util::stream::{self, BoxStream, StreamExt as _};
use sqlx::any::{AnyQueryResult, AnyRow};
use sqlx::{
    Any, AnyConnection, AnyExecutor, AssertSqlSafe, Connection as _, Either, Error, Execute,
    Executor as _,
};
use tokio::time::{sleep, timeout};

use super::moment::Moment;
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
    /// The last time at which a server of this database was lost.
    lost: Arc<Moment>,
}

impl Postgres {
    pub(super) fn new(conn: AnyConnection, lost: Arc<Moment>) -> Postgres {
        let answer_time = answer_time(limits::DATABASE_STATEMENT_MS_MAX);
        let due = DueKinds::default();
        Postgres { conn, due, is_asked: false, is_silent: false, answer_time, lost }
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
        let limit = Duration::from_millis(limits::DATABASE_PING_MS_MAX);
        let answered = timeout(limit, self.conn.ping()).await;
        answered.unwrap_or_else(|_| {
            self.is_silent = true;
            // It may also be busy with a statement whose caller has gone.
            match self.is_asked {
                true => Err(no_answer()),
                false => Err(lost_server(&self.lost)),
            }
        })
    }

    pub(super) fn fetch_many<'e, 'q: 'e, E>(
        &'e mut self,
        query: E,
    ) -> BoxStream<'e, Result<Either<AnyQueryResult, AnyRow>, Error>>
    where
        E: 'q + Execute<'q, Any>,
    {
        let Postgres { conn, is_asked, is_silent, answer_time, lost, .. } = self;
        if *is_silent {
            return stream::once(ready(Err(no_answer()))).boxed();
        }
        *is_asked = true;
        let mut all = conn.fetch_many(query);
        let mut limit = Box::pin(sleep(*answer_time));
        let until_done = stream::poll_fn(move |context| {
            if *is_silent {
                return Poll::Ready(None);
            }
            let next = all.poll_next_unpin(context);
            match &next {
                Poll::Ready(None) => *is_asked = false,
                Poll::Ready(Some(Err(error))) => note_read_only(error, lost),
                Poll::Pending if limit.as_mut().poll(context).is_ready() => {
                    *is_silent = true;
                    return Poll::Ready(Some(Err(lost_server(lost))));
                }
                Poll::Ready(Some(Ok(_))) | Poll::Pending => {}
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
        let Postgres { conn, is_asked, is_silent, answer_time, lost, .. } = self;
        if *is_silent {
            return ready(Err(no_answer())).boxed();
        }
        *is_asked = true;
        let first = async move {
            let Ok(first) = timeout(*answer_time, conn.fetch_optional(query)).await else {
                *is_silent = true;
                return Err(lost_server(lost));
            };
            let first = first.inspect_err(|error| note_read_only(error, lost))?;
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

/// The error for a missing answer, which the server should have sent by now.
fn lost_server(lost: &Moment) -> Error {
    lost.note();
    no_answer()
}

/// A server that takes no more writes has been replaced by another one.
fn note_read_only(error: &Error, lost: &Moment) {
    let code = error.as_database_error().and_then(|error| error.code());
    if code.is_some_and(|code| code == READ_ONLY) {
        lost.note();
    }
}

/// The error of a connection without an answer. The server may have done what it was asked, or not.
pub(super) fn no_answer() -> Error {
    Error::Io(io::Error::new(io::ErrorKind::TimedOut, "the database does not answer"))
}
