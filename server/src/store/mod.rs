//! All SQL. One text serves SQLite and Postgres. Functions take a connection, then the owner's id.

pub mod agreements;
pub mod audit;
pub mod authenticators;
pub mod bookings;
pub mod call_requests;
pub mod charges;
pub mod closures;
pub mod confirmations;
pub mod courier_orders;
pub mod database_clock;
pub mod debts;
pub mod disputes;
pub mod drafts;
pub mod e_invoices;
pub mod email_links;
pub mod encrypted_columns;
pub mod exports;
pub mod gateway_refunds;
pub mod guesses;
pub mod invoices;
pub mod kept_keys;
pub mod known_devices;
pub mod kyc;
pub mod last_counts;
pub mod ledger;
pub mod letter_choices;
pub mod login_challenges;
pub mod message_counts;
pub mod movements;
pub mod notices;
pub mod operator_actions;
pub mod otp;
pub mod overview;
pub mod passkey_challenges;
pub mod passkeys;
pub mod password_resets;
pub mod payments;
pub mod pickups;
pub mod presets;
pub mod quotes;
pub mod rates;
pub mod reconciliation;
pub mod recovery_codes;
pub mod security_events;
pub mod sessions;
pub mod shared_facts;
pub mod statement;
pub mod tasks;
pub mod tracking_events;
pub mod tracking_findings;
pub mod users;
pub mod ways_in;
pub mod weight_claims;

mod conn;
mod connections;
mod durability;
mod group_commit;
mod health;
mod migrations;
mod moment;
mod movement_rows;
mod pipeline;
mod postgres;
mod room;
mod run;
mod servers;
mod sqlite;
mod timing;
mod wake_channel;
mod wakes;

use std::ops::{Deref, DerefMut};
use std::path::{Path, PathBuf};
use std::time::Duration;

use futures_util::future::BoxFuture;
use sqlx::{AnyConnection, Connection as _};
use tokio::runtime::Handle;
use tokio::task::spawn_blocking;

use crate::connection_guard::ConnectionGuard;
use crate::error::{Error, Result};
use crate::limits;
use crate::model::money::hash_chain::ChainHead;
use crate::model::settings::database_url::DatabaseUrl;
use connections::{ConnectionPool, PooledConnection, Purpose};
use group_commit::Writer;
use postgres::Times;
use servers::Servers;
use timing::Timed;

pub(crate) use conn::PerBackend;
pub use conn::{Backend, Conn};
pub use connections::PoolFigures;
pub use migrations::SchemaState;
pub(crate) use run::RunStatement;
pub use wakes::Wakes;

/// A connection for reading, returned to the pool when dropped.
#[derive(Debug)]
pub struct Reading {
    conn: PooledConnection,
    _held: ConnectionGuard,
    _timed: Timed,
}

impl Reading {
    /// Begins a snapshot: all reads see the same instant, while others go on writing. Unless it is
    /// ended, the connection is closed.
    pub async fn begin_snapshot(&mut self) -> Result<()> {
        const BEGIN: PerBackend = PerBackend {
            sqlite: "begin",
            postgres: "begin isolation level repeatable read, read only",
        };
        self.conn.is_sound = false;
        sqlx::query(BEGIN.of(&self.conn)).run(&mut self.conn).await
    }

    /// Ends the snapshot, so that the connection can be reused.
    pub async fn end_snapshot(&mut self) -> Result<()> {
        sqlx::query("rollback").run(&mut self.conn).await?;
        self.conn.forget_long_statements();
        self.conn.is_sound = true;
        Ok(())
    }
}

impl Deref for Reading {
    type Target = Conn;

    fn deref(&self) -> &Conn {
        &self.conn
    }
}

impl DerefMut for Reading {
    fn deref_mut(&mut self) -> &mut Conn {
        &mut self.conn
    }
}

/// The facts that decide if a server can work on a database.
#[derive(Clone, Debug)]
pub struct DatabaseFacts {
    pub schema: SchemaState,
    /// The key of signatures, sealed; `None` if there is none yet.
    pub sealed_key: Option<String>,
}

fn servers_of(url: &str) -> Result<Servers> {
    let url = DatabaseUrl::parse(url).map_err(|expected| {
        Error::internal(anyhow::anyhow!("the address of the database must be {expected}"))
    })?;
    Ok(Servers::new(&url)?)
}

/// The database. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Store {
    writer: Writer,
    read: ConnectionPool,
    /// A connection that only `facts` uses.
    checks: ConnectionPool,
    /// The servers of Postgres.
    servers: Option<Servers>,
    /// One idle connection that stays open: the first process that opens SQLite's file must create
    /// files beside it, which fails on a full disk.
    anchor: Option<ConnectionPool>,
}

impl Store {
    /// Connects and brings the schema up to date. A schema of another role must be up to date.
    ///
    /// SQLite gets one writing connection (WAL, `synchronous=FULL`) and readers that cannot write;
    /// Postgres gets one pool for both.
    pub async fn connect(url: &str) -> Result<Store> {
        Store::connect_with(url, limits::DATABASE_CONNECTIONS).await
    }

    /// Connects like `connect`, with so many connections to Postgres at most.
    pub async fn connect_with(url: &str, connections: usize) -> Result<Store> {
        let store = Store::unopened_with(url, connections)?;
        match sqlite_file(url) {
            Some(file) => store.prepare_sqlite(&file).await?,
            None => store.prepare_postgres(url).await?,
        }
        Ok(store)
    }

    /// Names a database. It is not opened before it is used, and not changed.
    pub fn unopened(url: &str) -> Result<Store> {
        Store::unopened_with(url, limits::DATABASE_CONNECTIONS)
    }

    fn unopened_with(url: &str, connections: usize) -> Result<Store> {
        sqlx::any::install_default_drivers();
        if let Some(file) = sqlite_file(url) {
            let writing = || ConnectionPool::new(Purpose::SqliteWriting(file.clone()), 1);
            let reading = |most| ConnectionPool::new(Purpose::SqliteReading(file.clone()), most);
            return Ok(Store {
                writer: Writer::new(Backend::Sqlite, writing()),
                read: reading(limits::DATABASE_READERS),
                checks: reading(limits::DATABASE_CHECKS),
                servers: None,
                anchor: Some(writing()),
            });
        }
        let servers = servers_of(url)?;
        let pool = |most| ConnectionPool::new(Purpose::Postgres(servers.clone()), most);
        let shared = pool(connections);
        // Writes that wait for each other's locks keep no page waiting, nor pages a write.
        let most = connections - connections.div_ceil(limits::DATABASE_LEFT_TO_OTHERS);
        Ok(Store {
            writer: Writer::new(Backend::Postgres, shared.for_at_most(most)),
            read: shared.for_at_most(most),
            checks: pool(limits::DATABASE_CHECKS),
            servers: Some(servers),
            anchor: None,
        })
    }

    async fn prepare_sqlite(&self, file: &Path) -> Result<()> {
        if let Some(folder) = file.parent() {
            std::fs::create_dir_all(folder).map_err(Error::internal)?;
        }
        let mut conn = self.writer.pool.take().await?;
        // The mode is stored in the file: a connection opened on a full disk need not write.
        sqlx::query("pragma journal_mode = wal").run(&mut conn).await?;
        if let Some(anchor) = &self.anchor {
            drop(anchor.take().await?);
        }
        let backend = Backend::Sqlite;
        if migrations::state(&mut conn, backend).await? != SchemaState::Same {
            let url = format!("sqlite://{}", file.display());
            migrations::run(AnyConnection::connect(&url).await?, backend).await?;
        }
        migrations::restore_triggers(&mut conn, backend).await
    }

    async fn prepare_postgres(&self, url: &str) -> Result<()> {
        let mut conn = self.writer.pool.take().await?;
        let servers = servers_of(url)?;
        let backend = Backend::Postgres;
        let is_ours = !migrations::is_owned_by_another(&mut conn).await?;
        if migrations::state(&mut conn, backend).await? != SchemaState::Same {
            if !is_ours {
                return Err(Error::internal(anyhow::anyhow!(
                    "the database is not as this program wants it, and belongs to another role: \
                     run `dakiya migrate` of this version as that role first"
                )));
            }
            if servers.is_pooled {
                return Err(Error::internal(anyhow::anyhow!(
                    "the database is not as this program wants it: run `dakiya migrate` of this \
                     version with a DATABASE_URL that goes past PgBouncer first"
                )));
            }
            let mut migrating = servers.connect().await?;
            // A migration may take longer than a statement may.
            Times::MIGRATION.set(&mut migrating, false).await?;
            migrations::run(migrating, backend).await?;
        }
        match is_ours {
            true => migrations::restore_triggers(&mut conn, backend).await,
            false => Ok(()),
        }
    }

    /// Fails, with a sentence for the operator, if the database may lose what it has confirmed.
    pub async fn require_durability(&self) -> Result<()> {
        durability::require(&mut *self.read().await?).await
    }

    pub fn backend(&self) -> Backend {
        self.writer.backend
    }

    pub fn wakes(&self) -> &Wakes {
        &self.writer.wakes
    }

    /// Wakes the workers of other processes when a commit here makes their tasks due, and ours when
    /// others do. It ends at once on SQLite, and behind PgBouncer, where nobody can listen.
    pub async fn exchange_wakes(&self) {
        if let Some(servers) = self.servers.as_ref().filter(|it| !it.is_pooled) {
            wake_channel::exchange(servers, self.wakes()).await;
        }
    }

    /// Takes a connection for reading. Never hold it while a provider is called.
    pub async fn read(&self) -> Result<Reading> {
        self.read_for("read").await
    }

    async fn read_for(&self, op: &'static str) -> Result<Reading> {
        let timed = Timed::begin(op);
        let conn = self.read.take().await?;
        Ok(Reading { conn, _held: ConnectionGuard::hold(), _timed: timed })
    }

    /// Returns the pools of connections as they are now.
    pub fn pools(&self) -> Vec<PoolFigures> {
        let checks = self.checks.figures("checks");
        match self.backend() {
            Backend::Postgres => vec![self.read.figures("shared"), checks],
            Backend::Sqlite => vec![self.read.figures("reading"), self.writer.figures(), checks],
        }
    }

    /// Runs `work` in one write transaction: all of it is durable when this returns `Ok`, none of
    /// it otherwise.
    ///
    /// It runs on its own task, so a client that disconnects cannot leave it half done. On SQLite,
    /// waiting writes share one commit, each rolled back alone. Never call a provider inside.
    ///
    /// # Errors
    /// `Storage` if the disk or the connection failed. If it failed in the commit, the work may
    /// have been stored, and the message says so. The next write gets a new connection.
    pub fn write<T, W>(&self, work: W) -> impl Future<Output = Result<T>>
    where
        T: Send + 'static,
        W: for<'c> FnOnce(&'c mut Conn) -> BoxFuture<'c, Result<T>> + Send + 'static,
    {
        self.rehearse_if(false, work)
    }

    /// Runs `work` like `write`. A rehearsal returns its result and rolls everything back.
    ///
    /// # Errors
    /// Like `write`: the data that a rehearsal has read may not have been stored.
    pub fn rehearse_if<T, W>(&self, rehearsal: bool, work: W) -> impl Future<Output = Result<T>>
    where
        T: Send + 'static,
        W: for<'c> FnOnce(&'c mut Conn) -> BoxFuture<'c, Result<T>> + Send + 'static,
    {
        group_commit::write(&self.writer, rehearsal, work)
    }

    /// Recomputes the books at one instant. `head` is a head that was stored outside of the
    /// database.
    pub async fn audit(&self, head: Option<&ChainHead>) -> Result<audit::Audit> {
        let (store, head) = (self.clone(), head.cloned());
        let audit = async move {
            let mut reading = store.read_for("audit").await?;
            reading.begin_snapshot().await?;
            reading.allow_long_statements().await?;
            let audited = audit::audit(&mut reading, head.as_ref()).await?;
            reading.end_snapshot().await?;
            Ok(audited)
        };
        // SQLite reads all books without a pause, so this needs a thread of its own.
        let runtime = Handle::current();
        let audited = spawn_blocking(move || runtime.block_on(audit)).await;
        audited.map_err(Error::internal)?
    }

    /// True if the last write succeeded. After a failure, a small test write is made, at most once
    /// a second.
    pub async fn is_writing(&self) -> bool {
        if self.writer.health.wants_a_try() {
            let tried = self.write(|_| Box::pin(async { Ok(()) }));
            // A disk may also hang. The write itself records its result, however late.
            let patience = Duration::from_millis(limits::WRITER_TRY_MS_MAX);
            let _ = tokio::time::timeout(patience, tried).await;
        }
        !self.writer.health.is_failing()
    }

    /// Reads the facts that decide if a server can work, and the kept key of this name. The
    /// connection is one that no request uses, so none has to be awaited.
    pub async fn facts(&self, key: &str) -> Result<DatabaseFacts> {
        let _timed = Timed::begin("check");
        let mut conn = self.checks.take().await?;
        // If the caller gives up, a statement was interrupted.
        conn.is_sound = false;
        let schema = migrations::state(&mut conn, self.backend()).await?;
        let sealed_key = match schema {
            SchemaState::Same | SchemaState::Newer => kept_keys::find(&mut conn, key).await?,
            SchemaState::Older | SchemaState::Other => None,
        };
        conn.is_sound = true;
        Ok(DatabaseFacts { schema, sealed_key })
    }

    /// Returns the number of connections that Postgres has for us; `None` for SQLite.
    pub(crate) async fn count_room(&self) -> Result<Option<i64>> {
        room::count(&mut *self.checks.take().await?).await
    }

    /// Closes all connections. SQLite's log is checkpointed.
    pub async fn close(&self) {
        self.checks.close().await;
        self.read.close().await;
        self.writer.pool.close().await;
        if let Some(anchor) = &self.anchor {
            anchor.close().await;
        }
    }
}

/// Returns the file of a SQLite database; `None` for another database.
pub fn sqlite_file(url: &str) -> Option<PathBuf> {
    let file = url.strip_prefix("sqlite:")?.trim_start_matches("//");
    Some(PathBuf::from(file.split('?').next().unwrap_or(file)))
}

/// Returns the next value of a counter. Locks the counter's row until the transaction ends, so the
/// numbers have no gaps and follow the order of commits.
async fn next(conn: &mut Conn, counter: &str) -> Result<i64> {
    let next = "update counters set value = value + 1 where counter = $1 returning value";
    Ok(sqlx::query_scalar(next).bind(counter).fetch_one(conn).await?)
}

/// Returns placeholders for this many rows of values of these types: `(cast($1 as text), …), …`.
fn placeholders(rows: usize, types: &[&str]) -> String {
    let row = |row: usize| {
        let numbered = (1 + row * types.len()..).zip(types);
        let casts = numbered.map(|(number, of)| format!("cast(${number} as {of})"));
        format!("({})", casts.collect::<Vec<_>>().join(", "))
    };
    (0..rows).map(row).collect::<Vec<_>>().join(", ")
}
