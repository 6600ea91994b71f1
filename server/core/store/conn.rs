//! A connection to either database, for the same queries.

use futures_util::future::{BoxFuture, FutureExt as _, ready};
use futures_util::stream::{self, BoxStream, StreamExt as _};
use sqlx::any::{AnyQueryResult, AnyRow};
use sqlx::{Any, Connection as _, Either, Error, Execute, Executor, SqlStr};

use super::postgres::{Postgres, Times};
use super::servers::Servers;
use super::sqlite::{Outcome, Sqlite};
use super::wakes::DueKinds;
use crate::model::task::TaskKind;

/// The connection that the functions of this layer take.
#[derive(Debug)]
pub enum Conn {
    Sqlite(Sqlite),
    Postgres(Postgres),
}

impl Conn {
    pub(super) async fn open_postgres(servers: &Servers) -> Result<Conn, Error> {
        Ok(Conn::Postgres(Postgres::new(servers.connect().await?, servers.losses.clone())))
    }

    /// True if the last statement completed without an error.
    pub(super) fn is_done(&self) -> bool {
        match self {
            Conn::Sqlite(_) => true,
            Conn::Postgres(postgres) => postgres.is_done(),
        }
    }

    /// Checks that the database still answers. A SQLite connection cannot be lost.
    pub(super) async fn ping(&mut self) -> Result<(), Error> {
        match self {
            Conn::Sqlite(_) => Ok(()),
            Conn::Postgres(postgres) => postgres.ping().await,
        }
    }

    /// Gives the statements of this transaction the time to read or change very many rows.
    pub async fn allow_long_statements(&mut self) -> Result<(), Error> {
        if matches!(self, Conn::Postgres(_)) {
            Times::LONG.set(self, true).await?;
        }
        self.wait_as_for(Times::LONG);
        Ok(())
    }

    /// The transaction has ended, and Postgres has its usual limits again.
    pub(super) fn forget_long_statements(&mut self) {
        self.wait_as_for(Times::USUAL);
    }

    fn wait_as_for(&mut self, times: Times) {
        if let Conn::Postgres(postgres) = self {
            postgres.set_statement_ms(times.statement_ms);
        }
    }

    /// Notes that this transaction makes a task of this kind due: its workers are woken after the
    /// commit.
    pub(super) fn note_due(&mut self, kind: TaskKind) {
        self.due().add(kind);
    }

    /// Returns the kinds noted since the last call.
    pub(super) fn take_due(&mut self) -> DueKinds {
        std::mem::take(self.due())
    }

    fn due(&mut self) -> &mut DueKinds {
        match self {
            Conn::Sqlite(sqlite) => &mut sqlite.due,
            Conn::Postgres(postgres) => &mut postgres.due,
        }
    }

    pub(super) async fn close(self) -> Result<(), Error> {
        match self {
            Conn::Sqlite(_) => Ok(()),
            Conn::Postgres(postgres) => postgres.conn.close().await,
        }
    }
}

impl Sqlite {
    fn outcome<'q>(
        &mut self,
        mut query: impl Execute<'q, Any>,
        most: usize,
    ) -> Result<Outcome, Error> {
        let arguments = query.take_arguments().map_err(Error::Encode)?;
        let arguments = arguments.unwrap_or_default();
        match query.persistent() {
            true => self.run(query.sql().as_str(), &arguments, most),
            false => self.run_all(query.sql().as_str(), &arguments),
        }
    }
}

impl<'c> Executor<'c> for &'c mut Conn {
    type Database = Any;

    fn fetch_many<'e, 'q: 'e, E>(
        self,
        query: E,
    ) -> BoxStream<'e, Result<Either<AnyQueryResult, AnyRow>, Error>>
    where
        'c: 'e,
        E: 'q + Execute<'q, Any>,
    {
        match self {
            Conn::Sqlite(conn) => match conn.outcome(query, usize::MAX) {
                Ok(all) => stream::iter(all.into_iter().map(Ok)).boxed(),
                Err(error) => stream::once(ready(Err(error))).boxed(),
            },
            Conn::Postgres(postgres) => postgres.fetch_many(query),
        }
    }

    fn fetch_optional<'e, 'q: 'e, E>(self, query: E) -> BoxFuture<'e, Result<Option<AnyRow>, Error>>
    where
        'c: 'e,
        E: 'q + Execute<'q, Any>,
    {
        match self {
            Conn::Sqlite(conn) => {
                let first = conn.outcome(query, 1).map(|outcome| {
                    let first = outcome.into_iter().next();
                    first.and_then(Either::right)
                });
                ready(first).boxed()
            }
            Conn::Postgres(postgres) => postgres.fetch_optional(query),
        }
    }

    fn prepare_with<'e>(
        self,
        sql: SqlStr,
        parameters: &'e [sqlx::any::AnyTypeInfo],
    ) -> BoxFuture<'e, Result<sqlx::any::AnyStatement, Error>>
    where
        'c: 'e,
    {
        match self {
            Conn::Sqlite(_) => {
                let none = "statements are kept by what they say, not by hand";
                ready(Err(Error::Configuration(none.into()))).boxed()
            }
            Conn::Postgres(postgres) => postgres.conn.prepare_with(sql, parameters),
        }
    }
}

/// One statement in the dialect of each database.
pub(crate) struct PerBackend {
    pub sqlite: &'static str,
    pub postgres: &'static str,
}

impl PerBackend {
    pub fn of(&self, conn: &Conn) -> &'static str {
        match conn {
            Conn::Sqlite(_) => self.sqlite,
            Conn::Postgres(_) => self.postgres,
        }
    }
}

/// The database behind the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Backend {
    Sqlite,
    Postgres,
}
