//! All SQL. One text serves SQLite and Postgres; functions take a connection, then the owner's id.

pub mod audit;
pub mod bookings;
pub mod charges;
pub mod courier_orders;
pub mod drafts;
pub mod invoices;
pub mod kyc;
pub mod ledger;
pub mod notices;
pub mod otp;
pub mod password_resets;
pub mod payments;
pub mod presets;
pub mod quotes;
pub mod rates;
pub mod sessions;
pub mod statement;
pub mod tasks;
pub mod tracking_events;
pub mod users;

mod append_only;

use std::path::Path;
use std::time::Duration;

use futures_util::future::BoxFuture;
use sqlx::AnyPool;
use sqlx::any::{AnyConnectOptions, AnyPoolOptions};
use sqlx::pool::PoolConnection;

use crate::error::{Error, Result};
use crate::model::money::hash_chain::Head;
use crate::{fault, limits};

/// A connection as the functions of this layer take it.
pub type Conn = sqlx::AnyConnection;

/// Which database is behind the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Backend {
    Sqlite,
    Postgres,
}

/// The database. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Store {
    backend: Backend,
    write: AnyPool,
    read: AnyPool,
}

impl Store {
    /// Connects and brings the schema up to date.
    ///
    /// SQLite gets one writing connection (WAL, `synchronous=FULL`) and readers that cannot write;
    /// Postgres one pool for both.
    pub async fn connect(url: &str) -> Result<Store> {
        sqlx::any::install_default_drivers();
        let store = match url.starts_with("sqlite:") {
            true => Store::connect_sqlite(url).await?,
            false => Store::connect_postgres(url).await?,
        };
        let mut conn = store.write.acquire().await?;
        sqlx::migrate!("./migrations")
            .run(&mut *conn)
            .await
            .map_err(Error::internal)?;
        append_only::enforce(&mut conn, store.backend).await?;
        drop(conn);
        Ok(store)
    }

    async fn connect_sqlite(url: &str) -> Result<Store> {
        let file = url.trim_start_matches("sqlite:").trim_start_matches("//");
        let file = file.split('?').next().unwrap_or(file);
        if let Some(folder) = Path::new(file).parent() {
            std::fs::create_dir_all(folder).map_err(Error::internal)?;
        }
        let options: AnyConnectOptions = format!("sqlite://{file}?mode=rwc")
            .parse()
            .map_err(Error::from)?;
        let write = sqlite_pool(1, "pragma query_only = off")
            .connect_with(options.clone())
            .await?;
        let read = sqlite_pool(limits::DATABASE_READERS, "pragma query_only = on")
            .connect_lazy_with(options);
        Ok(Store {
            backend: Backend::Sqlite,
            write,
            read,
        })
    }

    async fn connect_postgres(url: &str) -> Result<Store> {
        let options: AnyConnectOptions = url.parse().map_err(Error::from)?;
        let pool = AnyPoolOptions::new()
            .max_connections(limits::DATABASE_POSTGRES_CONNECTIONS)
            .acquire_timeout(Duration::from_millis(limits::DATABASE_WAIT_MS_MAX))
            .connect_with(options)
            .await?;
        Ok(Store {
            backend: Backend::Postgres,
            write: pool.clone(),
            read: pool,
        })
    }

    pub fn backend(&self) -> Backend {
        self.backend
    }

    /// A connection for reading.
    pub async fn read(&self) -> Result<PoolConnection<sqlx::Any>> {
        Ok(self.read.acquire().await?)
    }

    /// Runs `work` in one write transaction: all of it is durable when this returns `Ok`,
    /// none of it otherwise.
    ///
    /// The transaction runs on a task of its own, so a client that hangs up cannot leave it half
    /// done. Never call a provider inside.
    pub async fn write<T, W>(&self, work: W) -> Result<T>
    where
        T: Send + 'static,
        W: for<'c> FnOnce(&'c mut Conn) -> BoxFuture<'c, Result<T>> + Send + 'static,
    {
        let pool = self.write.clone();
        let begin = match self.backend {
            // A deferred transaction that turns to writing later may fail half way.
            Backend::Sqlite => "begin immediate",
            Backend::Postgres => "begin",
        };
        if fault::on("transaction-in-request") {
            let mut conn = pool.acquire().await?;
            sqlx::query(begin).execute(&mut *conn).await?;
            let value = work(&mut conn).await?;
            fault::point("commit", "").await;
            sqlx::query("commit").execute(&mut *conn).await?;
            return Ok(value);
        }
        let task = tokio::spawn(async move {
            let mut transaction = pool.begin_with(begin).await?;
            match work(&mut transaction).await {
                Ok(value) => {
                    fault::point("commit", "").await;
                    transaction.commit().await?;
                    Ok(value)
                }
                Err(error) => {
                    transaction.rollback().await?;
                    Err(error)
                }
            }
        });
        task.await.map_err(Error::internal)?
    }

    /// Recomputes the books as they stand at one instant, while others go on writing; `known` is a
    /// head that somebody kept outside of the database.
    pub async fn audit(&self, known: Option<&Head>) -> Result<audit::Audit> {
        let begin = match self.backend {
            Backend::Sqlite => "begin",
            Backend::Postgres => "begin isolation level repeatable read, read only",
        };
        let mut snapshot = self.read.begin_with(begin).await?;
        let audited = audit::audit(&mut snapshot, known).await?;
        snapshot.rollback().await?;
        Ok(audited)
    }

    /// Ends all connections; SQLite's log is folded into the file.
    pub async fn close(&self) {
        self.read.close().await;
        self.write.close().await;
    }
}

fn sqlite_pool(connections: u32, mode: &'static str) -> AnyPoolOptions {
    AnyPoolOptions::new()
        .max_connections(connections)
        .acquire_timeout(Duration::from_millis(limits::DATABASE_WAIT_MS_MAX))
        .after_connect(move |conn, _| {
            Box::pin(async move {
                for pragma in [
                    "pragma journal_mode = wal",
                    "pragma synchronous = full",
                    "pragma foreign_keys = on",
                    "pragma busy_timeout = 5000",
                    mode,
                ] {
                    sqlx::query(pragma).execute(&mut *conn).await?;
                }
                Ok(())
            })
        })
}

impl From<sqlx::Error> for Error {
    fn from(error: sqlx::Error) -> Error {
        match error {
            sqlx::Error::PoolTimedOut => Error::Busy("We are very busy. Please try again.".into()),
            error => Error::internal(error),
        }
    }
}

/// The next value of a counter. Holds the counter's row until the transaction ends, so the
/// numbers have no gaps and follow the order of commits.
async fn next(conn: &mut Conn, counter: &str) -> Result<i64> {
    let next = "update counters set value = value + 1 where counter = $1 returning value";
    Ok(sqlx::query_scalar(next)
        .bind(counter)
        .fetch_one(conn)
        .await?)
}
