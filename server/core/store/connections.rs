//! A pool of connections that stay open from one use to the next.
//!
//! sqlx's own pool pings a connection when it is returned, on a task of its own: on SQLite, where
//! no connection can be lost, that costs as much as a statement.

use std::ops::{Deref, DerefMut};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use deadpool::Runtime;
use deadpool::managed::{
    Manager, Metrics, Object, Pool, PoolError, QueueMode, RecycleError, RecycleResult, Timeouts,
};
use sqlx::Error;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, timeout};
use tokio_util::task::TaskTracker;
use tokio_util::task::task_tracker::TaskTrackerToken;

use super::Conn;
use super::moment::FAILURE;
use super::postgres::Times;
use super::servers::Servers;
use super::sqlite::Sqlite;
use crate::{failpoints, limits};

/// Use and target of a pool's connections. It decides how they are opened, and which are reused.
#[derive(Debug)]
pub(super) enum Purpose {
    SqliteReading(PathBuf),
    SqliteWriting(PathBuf),
    Postgres(Servers),
}

const TRUSTED: Duration = Duration::from_millis(limits::DATABASE_TRUSTED_MS_MAX);

/// Settings of every connection to SQLite.
const BOTH: [&str; 3] =
    ["pragma synchronous = full", "pragma foreign_keys = on", "pragma busy_timeout = 5000"];

/// Settings of the writing connection. Changes of a group of writes stay in memory until its commit
/// (32 MB), and so does the rollback data of savepoints; otherwise pages are written and read again
/// several times each. The log is checkpointed at 64 MB: a page that many bookings change is
/// written into the file once for all of them.
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
            Purpose::Postgres(servers) => {
                let mut conn = Conn::open_postgres(servers).await?;
                match servers.is_pooled {
                    true => Times::USUAL.require(&mut conn).await?,
                    false => Times::USUAL.set(&mut conn, false).await?,
                }
                return Ok(conn);
            }
        };
        let mut conn = Conn::Sqlite(Sqlite::open(file)?);
        for pragma in BOTH.iter().chain(own) {
            sqlx::query(*pragma).execute(&mut conn).await?;
        }
        Ok(conn)
    }

    async fn recycle(&self, conn: &mut Conn, metrics: &Metrics) -> RecycleResult<Error> {
        match self {
            Purpose::SqliteReading(_) if !FAILURE.is_before(metrics.age()) => {
                Err(RecycleError::message("it is older than the last failure"))
            }
            Purpose::SqliteReading(_) | Purpose::SqliteWriting(_) => Ok(()),
            // Its server has vanished, or takes no more writes.
            Purpose::Postgres(servers) if servers.losses.is_after(metrics.age()) => {
                Err(RecycleError::message("its server was lost"))
            }
            // A server process of Postgres grows with the statements it has run.
            Purpose::Postgres(_)
                if metrics.age().as_secs() >= limits::DATABASE_CONNECTION_AGE_S_MAX =>
            {
                Err(RecycleError::message("it is old"))
            }
            // This connection answered just now, and none failed since: a ping would take as long
            // as most statements.
            Purpose::Postgres(_)
                if conn.is_done()
                    && metrics.last_used() < TRUSTED
                    && FAILURE.is_before(metrics.last_used()) =>
            {
                Ok(())
            }
            // Checks that the connection is alive. This also reads the rest of a statement whose
            // caller has gone.
            Purpose::Postgres(_) => Ok(conn.ping().await?),
        }
    }
}

/// The connections of a pool at one moment.
#[derive(Clone, Copy, Debug)]
pub struct PoolFigures {
    pub pool: &'static str,
    pub used: usize,
    /// Callers that wait for a connection.
    pub waiting: usize,
}

/// A pool of connections to one database. A clone is another handle to the same pool.
#[derive(Clone, Debug)]
pub(super) struct ConnectionPool {
    all: Pool<Purpose>,
    /// Limits the connections that this handle and its clones have in use.
    places: Option<Arc<Semaphore>>,
    /// The callers of all handles that wait for a place.
    waiting: Arc<AtomicUsize>,
    /// The connections in use. The pool's own count ends before a connection is closed.
    in_use: TaskTracker,
}

/// Timeout for getting a connection.
const PATIENCE: Duration = Duration::from_millis(limits::DATABASE_WAIT_MS_MAX);

impl ConnectionPool {
    /// Creates a pool of at most `most` connections. None is opened yet.
    pub fn new(purpose: Purpose, most: usize) -> ConnectionPool {
        let patience = Some(PATIENCE);
        let queue = match purpose {
            // The last used connection may still be busy with a statement whose caller has gone.
            Purpose::Postgres(_) => QueueMode::Fifo,
            // The last used connection has most of its pages in its cache.
            Purpose::SqliteReading(_) | Purpose::SqliteWriting(_) => QueueMode::Lifo,
        };
        let pool = Pool::builder(purpose)
            .max_size(most)
            .timeouts(Timeouts { wait: patience, create: patience, recycle: patience })
            .queue_mode(queue)
            .runtime(Runtime::Tokio1);
        let all = pool.build().expect("a runtime for its timeouts");
        ConnectionPool { all, places: None, waiting: Arc::default(), in_use: TaskTracker::new() }
    }

    /// Returns another handle to this pool, with at most so many connections in use at a time. The
    /// rest is left to the users of other handles.
    pub fn for_at_most(&self, most: usize) -> ConnectionPool {
        ConnectionPool { places: Some(Arc::new(Semaphore::new(most))), ..self.clone() }
    }

    /// Takes a connection for exclusive use, until it is dropped.
    ///
    /// # Errors
    /// `PoolTimedOut` if all are in use for too long; any error of opening one.
    pub async fn take(&self) -> Result<PooledConnection, Error> {
        let began = Instant::now();
        let place = match self.places.clone() {
            Some(places) => {
                let _counted = WaitingCaller::count(&self.waiting);
                let place = timeout(PATIENCE, places.acquire_owned()).await;
                let place = place.map_err(|_| Error::PoolTimedOut)?;
                Some(place.map_err(|_| Error::PoolClosed)?)
            }
            None => None,
        };
        let in_use = self.in_use.token();
        let wait = Some(PATIENCE.saturating_sub(began.elapsed()));
        let timeouts = Timeouts { wait, ..self.all.timeouts() };
        let object = self.all.timeout_get(&timeouts).await.map_err(|error| match error {
            PoolError::Timeout(_) => Error::PoolTimedOut,
            PoolError::Backend(error) => error,
            PoolError::Closed | PoolError::NoRuntimeSpecified | PoolError::PostCreateHook(_) => {
                Error::PoolClosed
            }
        })?;
        Ok(PooledConnection {
            object: Some(object),
            is_sound: true,
            _place: place,
            _in_use: in_use,
        })
    }

    /// Checks that a connection answers. If not, another one is opened.
    pub async fn check(&self) -> Result<(), Error> {
        loop {
            let mut conn = self.take().await?;
            conn.is_sound = conn.ping().await.is_ok();
            if conn.is_sound {
                return Ok(());
            }
        }
    }

    /// Returns the figures of the pool, with all its handles.
    pub fn figures(&self, pool: &'static str) -> PoolFigures {
        let status = self.all.status();
        let used = status.size.saturating_sub(status.available);
        let waiting = status.waiting + self.waiting.load(Ordering::Relaxed);
        PoolFigures { pool, used, waiting }
    }

    /// Hands out no more connections and closes all: those in use when they are returned, for which
    /// it waits a limited time.
    pub async fn close(&self) {
        let idle = self.all.retain(|_, _| false).removed;
        self.all.close();
        for conn in idle {
            // The connection may already be lost.
            let _ = conn.close().await;
        }
        let patience = Duration::from_millis(limits::DATABASE_CLOSE_MS_MAX);
        self.in_use.close();
        let _ = timeout(patience, self.in_use.wait()).await;
    }
}

/// A caller that waits for a place, counted until this is dropped.
struct WaitingCaller<'a>(&'a AtomicUsize);

impl WaitingCaller<'_> {
    fn count(waiting: &AtomicUsize) -> WaitingCaller<'_> {
        waiting.fetch_add(1, Ordering::Relaxed);
        WaitingCaller(waiting)
    }
}

impl Drop for WaitingCaller<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// A connection in use, returned to the pool when dropped.
#[derive(Debug)]
pub(super) struct PooledConnection {
    /// `None` once the connection was dropped.
    object: Option<Object<Purpose>>,
    /// Set if it may be reused: one whose transaction was interrupted would refuse every later one.
    pub is_sound: bool,
    /// Given back after the connection.
    _place: Option<OwnedSemaphorePermit>,
    /// Dropped after the connection, which may be closed then.
    _in_use: TaskTrackerToken,
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
        if !self.is_sound && !failpoints::on("failed-writer-kept") {
            // Removes the connection from the pool and closes it.
            drop(self.object.take().map(Object::take));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::pin::pin;

    use futures_util::future::join;

    use super::*;

    /// True if this is the connection on which the test left its note.
    async fn was_noted(conn: &mut Conn) -> bool {
        let noted = sqlx::query("select 1 from temp.noted").fetch_all(conn);
        noted.await.is_ok()
    }

    #[tokio::test]
    async fn a_connection_serves_again_unless_it_was_cut_off() {
        let folder = tempfile::TempDir::new().expect("a folder");
        let file = folder.path().join("some.sqlite");
        let connections = ConnectionPool::new(Purpose::SqliteReading(file), 2);
        let mut connection = connections.take().await.expect("a connection");
        let note = "create temp table noted (at integer)";
        sqlx::query("pragma query_only = off").execute(&mut *connection).await.expect("a mode");
        sqlx::query(note).execute(&mut *connection).await.expect("noted");
        drop(connection);
        let mut connection = connections.take().await.expect("the same");
        assert!(was_noted(&mut connection).await);
        connection.is_sound = false;
        drop(connection);
        let mut connection = connections.take().await.expect("another");
        assert!(!was_noted(&mut connection).await);
        drop(connection);
        connections.close().await;
        assert!(connections.take().await.is_err());
    }

    /// The last connection writes SQLite's log into the file, and removes it.
    #[tokio::test]
    async fn a_close_lasts_until_the_last_connection_is_closed() {
        let folder = tempfile::TempDir::new().expect("a folder");
        let file = folder.path().join("some.sqlite");
        let connections = ConnectionPool::new(Purpose::SqliteWriting(file), 1);
        let mut connection = connections.take().await.expect("a connection");
        for statement in [
            "pragma journal_mode = wal",
            "create table filled (bytes blob)",
            "insert into filled values (zeroblob(30000000))",
        ] {
            sqlx::query(statement).execute(&mut *connection).await.expect(statement);
        }
        let log = folder.path().join("some.sqlite-wal");
        assert!(log.exists());
        let user = std::thread::spawn(|| {
            std::thread::sleep(Duration::from_millis(20));
            drop(connection);
        });
        connections.close().await;
        assert!(!log.exists(), "the log was not yet in the file");
        user.join().expect("no panic");
    }

    #[tokio::test]
    async fn whoever_has_all_their_places_leaves_connections_to_others() {
        let folder = tempfile::TempDir::new().expect("a folder");
        let file = folder.path().join("some.sqlite");
        let all = ConnectionPool::new(Purpose::SqliteReading(file), 3);
        let (some, others) = (all.for_at_most(2), all.for_at_most(2));
        let first = some.take().await.expect("a connection");
        let _second = some.take().await.expect("a connection");
        let soon = Duration::from_millis(20);
        assert!(timeout(soon, some.take()).await.is_err(), "it waits for a place");
        let third = others.take().await.expect("the one that is left");
        drop((first, third));
        let _again = some.take().await.expect("a place");
    }

    #[tokio::test]
    async fn callers_that_wait_for_a_place_are_counted_over_all_handles() {
        let folder = tempfile::TempDir::new().expect("a folder");
        let file = folder.path().join("some.sqlite");
        let all = ConnectionPool::new(Purpose::SqliteReading(file), 3);
        let (some, others) = (all.for_at_most(1), all.for_at_most(1));
        let held = (some.take().await.expect("a place"), others.take().await.expect("a place"));
        let figures = || {
            let PoolFigures { used, waiting, .. } = some.figures("some");
            (used, waiting)
        };
        assert_eq!(figures(), (2, 0));
        let mut both = pin!(join(some.take(), others.take()));
        assert!(timeout(Duration::ZERO, both.as_mut()).await.is_err(), "they wait");
        assert_eq!(figures(), (2, 2));
        drop(held);
        let got = both.await;
        assert!(got.0.is_ok() && got.1.is_ok());
        assert_eq!(figures(), (2, 0));
    }
}
