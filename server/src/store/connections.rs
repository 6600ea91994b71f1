//! Connections that stay open from one use to the next.
//!
//! sqlx's own pool asks a connection whether it is alive when it is given back, on a task of its
//! own: on SQLite, where nothing can hang up, that costs as much as a statement.

use std::ops::{Deref, DerefMut};
use std::path::PathBuf;
use std::time::Duration;

use deadpool::Runtime;
use deadpool::managed::{
    Manager, Metrics, Object, Pool, PoolError, QueueMode, RecycleError, RecycleResult, Timeouts,
};
use sqlx::Error;
use sqlx::any::AnyConnectOptions;
use tokio::time::{sleep, timeout};

use super::{Conn, health, set_statement_time};
use crate::{failpoints, limits};

/// What connections are for, and to where. It says how they are opened, and which of them serve
/// again.
#[derive(Debug)]
pub(super) enum Purpose {
    SqliteReading(PathBuf),
    SqliteWriting(PathBuf),
    Postgres(AnyConnectOptions),
}

const TRUSTED: Duration = Duration::from_millis(limits::DATABASE_TRUSTED_MS_MAX);

/// Of every connection to SQLite.
const BOTH: [&str; 3] = [
    "pragma synchronous = full",
    "pragma foreign_keys = on",
    "pragma busy_timeout = 5000",
];

/// Of the one that writes. What a group of writes changes stays in memory until its commit (32 MB),
/// and so does what savepoints would take back; otherwise pages are written and read again several
/// times each. The log is folded into the file when it has 64 MB: a page that many bookings change
/// is written into the file once for all of them.
const WRITING: [&str; 4] = [
    "pragma query_only = off",
    "pragma cache_size = -32768",
    "pragma temp_store = memory",
    "pragma wal_autocheckpoint = 16384",
];

impl Manager for Purpose {
    type Type = Conn;
    type Error = Error;

    async fn create(&self) -> Result<Conn, Error> {
        let (file, own): (_, &[&str]) = match self {
            Purpose::SqliteReading(file) => (file, &["pragma query_only = on"]),
            Purpose::SqliteWriting(file) => (file, &WRITING),
            Purpose::Postgres(options) => {
                let mut conn = Conn::open_postgres(options).await?;
                set_statement_time(&mut conn, limits::DATABASE_STATEMENT_MS_MAX).await?;
                return Ok(conn);
            }
        };
        let mut conn = Conn::open_sqlite(file)?;
        for pragma in BOTH.iter().chain(own) {
            sqlx::query(*pragma).execute(&mut conn).await?;
        }
        Ok(conn)
    }

    async fn recycle(&self, conn: &mut Conn, seen: &Metrics) -> RecycleResult<Error> {
        match self {
            Purpose::SqliteReading(_) if !health::is_younger_than_failure(seen.age()) => {
                Err(RecycleError::message("it is older than the last failure"))
            }
            Purpose::SqliteReading(_) | Purpose::SqliteWriting(_) => Ok(()),
            // A server's process grows with what it was asked.
            Purpose::Postgres(_)
                if seen.age().as_secs() >= limits::DATABASE_CONNECTION_AGE_S_MAX =>
            {
                Err(RecycleError::message("it is old"))
            }
            // It answered just now, and so did all others since: to ask again would take as long as
            // most statements.
            Purpose::Postgres(_)
                if conn.is_done()
                    && seen.last_used() < TRUSTED
                    && health::is_younger_than_failure(seen.last_used()) =>
            {
                Ok(())
            }
            // Whether it hung up. This also reads what was left of a statement that nobody waited
            // for.
            Purpose::Postgres(_) => Ok(conn.ping().await?),
        }
    }
}

/// Connections to one database. A clone is another handle to the same ones.
#[derive(Clone, Debug)]
pub(super) struct Connections(Pool<Purpose>);

impl Connections {
    /// Opens none yet, and never more than so many.
    pub fn new(purpose: Purpose, most: usize) -> Connections {
        let patience = Some(Duration::from_millis(limits::DATABASE_WAIT_MS_MAX));
        let queue = match purpose {
            // The one that was used last may still be busy with what nobody waits for.
            Purpose::Postgres(_) => QueueMode::Fifo,
            // The one that was used last remembers most of what it read.
            Purpose::SqliteReading(_) | Purpose::SqliteWriting(_) => QueueMode::Lifo,
        };
        let pool = Pool::builder(purpose)
            .max_size(most)
            .timeouts(Timeouts {
                wait: patience,
                create: patience,
                recycle: patience,
            })
            .queue_mode(queue)
            .runtime(Runtime::Tokio1);
        Connections(pool.build().expect("a runtime for its timeouts"))
    }

    /// One to use alone, until it is dropped.
    ///
    /// # Errors
    /// `PoolTimedOut` when all are in use for long; what opening one says.
    pub async fn take(&self) -> Result<PooledConnection, Error> {
        let taken = self.0.get().await.map_err(|error| match error {
            PoolError::Timeout(_) => Error::PoolTimedOut,
            PoolError::Backend(error) => error,
            PoolError::Closed | PoolError::NoRuntimeSpecified | PoolError::PostCreateHook(_) => {
                Error::PoolClosed
            }
        })?;
        Ok(PooledConnection {
            object: Some(taken),
            is_sound: true,
        })
    }

    /// Gives out none any more and ends all: those in use once they are given back, for which it
    /// waits a while.
    pub async fn close(&self) {
        let idle = self.0.retain(|_, _| false).removed;
        self.0.close();
        for conn in idle {
            // It may have hung up already.
            let _ = conn.close().await;
        }
        let patience = Duration::from_millis(limits::DATABASE_CLOSE_MS_MAX);
        let _ = timeout(patience, async {
            while self.0.status().size > 0 {
                sleep(Duration::from_millis(1)).await;
            }
        })
        .await;
    }
}

/// A connection in use, given back when dropped.
#[derive(Debug)]
pub(super) struct PooledConnection {
    /// `None` once it is dropped.
    object: Option<Object<Purpose>>,
    /// Whether it may serve again: one whose transaction was cut off would refuse every later one.
    pub is_sound: bool,
}

impl Deref for PooledConnection {
    type Target = Conn;

    fn deref(&self) -> &Conn {
        self.object.as_deref().expect("it is dropped last")
    }
}

impl DerefMut for PooledConnection {
    fn deref_mut(&mut self) -> &mut Conn {
        self.object.as_deref_mut().expect("it is dropped last")
    }
}

impl Drop for PooledConnection {
    fn drop(&mut self) {
        if !self.is_sound && !failpoints::on("ill-writer-kept") {
            // Out of the pool, and closed.
            drop(self.object.take().map(Object::take));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether the connection is one that noted so before.
    async fn was_noted(conn: &mut Conn) -> bool {
        let noted = sqlx::query("select 1 from temp.noted").fetch_all(conn);
        noted.await.is_ok()
    }

    #[tokio::test]
    async fn a_connection_serves_again_unless_it_was_cut_off() {
        let folder = tempfile::TempDir::new().expect("a folder");
        let file = folder.path().join("some.sqlite");
        let connections = Connections::new(Purpose::SqliteReading(file), 2);
        let mut taken = connections.take().await.expect("a connection");
        let note = "create temp table noted (at integer)";
        sqlx::query("pragma query_only = off")
            .execute(&mut *taken)
            .await
            .expect("a mode");
        sqlx::query(note).execute(&mut *taken).await.expect("noted");
        drop(taken);
        let mut taken = connections.take().await.expect("the same");
        assert!(was_noted(&mut taken).await);
        taken.is_sound = false;
        drop(taken);
        let mut taken = connections.take().await.expect("another");
        assert!(!was_noted(&mut taken).await);
        drop(taken);
        connections.close().await;
        assert!(connections.take().await.is_err());
    }
}
