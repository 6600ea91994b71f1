//! All SQL. One text serves SQLite and Postgres. Functions take a connection, then the owner's id.

pub mod agreements;
pub mod audit;
pub mod audit_rounds;
pub mod authenticators;
pub mod bookings;
pub mod call_requests;
pub mod charges;
pub mod closures;
pub mod confirmations;
pub mod copies;
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
pub mod kept_assets;
pub mod kept_keys;
pub mod known_devices;
pub mod kyc;
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
pub mod refill;
pub mod restored;
pub mod sealing;
pub mod security_events;
pub mod sessions;
pub mod shared_facts;
pub mod statement;
pub mod sweeps;
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
mod losses;
mod migrations;
mod moment;
mod movement_rows;
mod old_rows;
mod pipeline;
mod postgres;
mod postgres_programs;
mod reading;
mod room;
mod run;
mod servers;
mod sqlite;
mod timing;
mod wake_channel;
mod wakes;

use std::path::Path;
use std::time::Duration;

use futures_util::future::BoxFuture;
use sqlx::{AnyConnection, Connection as _};

use crate::error::{Error, Result};
use crate::limits;
use crate::model::settings::database_url::DatabaseUrl;
use connections::{ConnectionPool, Purpose};
use group_commit::{WriteMode, Writer};
use postgres::{Postgres, Times};
use run::placeholders;
use servers::Servers;
use timing::Timed;

pub(crate) use conn::PerBackend;
pub use conn::{Backend, Conn};
pub use connections::PoolFigures;
pub use migrations::{SchemaChanges, SchemaState};
pub use reading::Reading;
pub(crate) use run::RunStatement;
pub use sqlite::sqlite_file;
pub use wakes::Wakes;

/// The facts that decide if a server can work on a database.
#[derive(Clone, Debug)]
pub struct DatabaseFacts {
    pub schema: SchemaState,
    /// The key of signatures, sealed; `None` if there is none yet.
    pub sealed_key: Option<String>,
}

fn require(schema: SchemaState) -> Result<()> {
    schema.require().map_err(|why| Error::internal(anyhow::anyhow!(why)))
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
    /// A connection that no request uses.
    checks: ConnectionPool,
    /// The servers of Postgres.
    servers: Option<Servers>,
    /// One idle connection that stays open: the first process that opens SQLite's file must create
    /// files beside it, which fails on a full disk.
    anchor: Option<ConnectionPool>,
}

impl Store {
    /// Connects and brings the schema up to date, one process at a time. A schema of another role
    /// must be up to date. A newer schema on which this program works stays as it is.
    ///
    /// SQLite gets one writing connection (WAL, `synchronous=FULL`) and readers that cannot write;
    /// Postgres gets one pool for both.
    pub async fn connect(url: &str) -> Result<Store> {
        Store::connect_with(url, limits::DATABASE_CONNECTIONS).await
    }

    /// Connects like `connect`, with so many connections to Postgres at most.
    pub async fn connect_with(url: &str, connections: usize) -> Result<Store> {
        Ok(Store::connect_and_migrate(url, connections).await?.0)
    }

    /// Connects to a database with a schema on which this program works. Nothing in it is changed.
    pub async fn open(url: &str) -> Result<Store> {
        Store::open_with(url, limits::DATABASE_CONNECTIONS).await
    }

    /// Connects like `open`, with so many connections to Postgres at most.
    pub async fn open_with(url: &str, connections: usize) -> Result<Store> {
        if let Some(file) = sqlite_file(url)
            && !file.exists()
        {
            let file = file.display();
            let gone = "is not there: the first start, or `dakiya migrate`, creates it";
            return Err(Error::internal(anyhow::anyhow!("{file} {gone}")));
        }
        let store = Store::unopened_with(url, connections)?;
        let mut conn = store.writer.pool.take().await?;
        store.hold_open().await?;
        require(migrations::state(&mut conn, store.backend()).await?)?;
        drop(conn);
        Ok(store)
    }

    /// Brings the schema up to date like `connect`, and returns what was done.
    pub async fn migrate(url: &str) -> Result<SchemaChanges> {
        let connecting = Store::connect_and_migrate(url, limits::DATABASE_CONNECTIONS);
        let (store, changes) = connecting.await?;
        store.close().await;
        Ok(changes)
    }

    async fn connect_and_migrate(url: &str, connections: usize) -> Result<(Store, SchemaChanges)> {
        let store = Store::unopened_with(url, connections)?;
        let changes = match sqlite_file(url) {
            Some(file) => store.migrate_sqlite(&file).await?,
            None => store.migrate_postgres(url).await?,
        };
        Ok((store, changes))
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

    async fn migrate_sqlite(&self, file: &Path) -> Result<SchemaChanges> {
        let folder = file.parent().unwrap_or(Path::new("."));
        std::fs::create_dir_all(folder).map_err(Error::internal)?;
        let _lock = migrations::lock_folder(folder).await?;
        let mut conn = self.writer.pool.take().await?;
        // The mode is stored in the file: a connection opened on a full disk need not write.
        sqlx::query("pragma journal_mode = wal").run(&mut conn).await?;
        self.hold_open().await?;
        let backend = Backend::Sqlite;
        let mut changes = SchemaChanges::default();
        match migrations::state(&mut conn, backend).await? {
            SchemaState::Older => {
                let missing = migrations::missing(&mut conn, backend).await?;
                let url = format!("sqlite://{}", file.display());
                let mut migrating = AnyConnection::connect(&url).await?;
                changes.migrations = migrations::run(&mut migrating, backend, &missing).await?;
                migrating.close().await?;
            }
            other => {
                require(other)?;
                changes.is_newer = other == SchemaState::Newer;
            }
        }
        if !changes.is_newer {
            let missing = migrations::missing_triggers(&mut conn, backend).await?;
            changes.triggers = migrations::create_triggers(&mut conn, missing).await?;
        }
        Ok(changes)
    }

    async fn migrate_postgres(&self, url: &str) -> Result<SchemaChanges> {
        let mut changes = SchemaChanges::default();
        let mut conn = self.writer.pool.take().await?;
        let servers = servers_of(url)?;
        let backend = Backend::Postgres;
        let state = migrations::state(&mut conn, backend).await?;
        // Behind PgBouncer no lock of a session lasts.
        if servers.is_pooled || migrations::is_owned_by_another(&mut conn).await? {
            require(state)?;
            return Ok(changes);
        }
        if state != SchemaState::Older {
            require(state)?;
            changes.is_newer = state == SchemaState::Newer;
            if changes.is_newer
                || migrations::missing_triggers(&mut conn, backend).await?.is_empty()
            {
                return Ok(changes);
            }
        }
        let mut migrating = servers.connect().await?;
        Times::MIGRATION.set(&mut migrating, false).await?;
        migrations::lock(&mut migrating).await?;
        // Another process may have been faster.
        if migrations::state(&mut conn, backend).await? == SchemaState::Older {
            let missing = migrations::missing(&mut conn, backend).await?;
            changes.migrations = migrations::run(&mut migrating, backend, &missing).await?;
        }
        let state = migrations::state(&mut conn, backend).await?;
        require(state)?;
        changes.is_newer = state == SchemaState::Newer;
        let missing = match changes.is_newer {
            true => Vec::new(),
            false => migrations::missing_triggers(&mut conn, backend).await?,
        };
        let mut migrating = Conn::Postgres(Postgres::new(migrating, servers.losses.clone()));
        changes.triggers = migrations::create_triggers(&mut migrating, missing).await?;
        migrating.close().await?;
        Ok(changes)
    }

    async fn hold_open(&self) -> Result<()> {
        if let Some(anchor) = &self.anchor {
            drop(anchor.take().await?);
        }
        Ok(())
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
        Reading::take(&self.read, op).await
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
        let mode = if rehearsal { WriteMode::Rehearsal } else { WriteMode::Transaction };
        group_commit::write(&self.writer, mode, work)
    }

    /// Runs `work`, which is one statement. Postgres commits it by itself, so `work` must allow for
    /// an error after which it was stored.
    ///
    /// # Errors
    /// Like `write`.
    pub fn write_statement<T, W>(&self, work: W) -> impl Future<Output = Result<T>>
    where
        T: Send + 'static,
        W: for<'c> FnOnce(&'c mut Conn) -> BoxFuture<'c, Result<T>> + Send + 'static,
    {
        group_commit::write(&self.writer, WriteMode::Statement, work)
    }

    /// Runs `work` like `write`. On Postgres it takes a connection that writes leave to reads: if
    /// it waited behind writes that wait for each other, other processes would take this one for
    /// dead.
    ///
    /// # Errors
    /// Like `write`.
    pub async fn write_heartbeat<T, W>(&self, work: W) -> Result<T>
    where
        T: Send + 'static,
        W: for<'c> FnOnce(&'c mut Conn) -> BoxFuture<'c, Result<T>> + Send + 'static,
    {
        let writer = match self.backend() {
            Backend::Postgres => self.writer.through(self.read.clone()),
            Backend::Sqlite => self.writer.clone(),
        };
        group_commit::write(&writer, WriteMode::Transaction, work).await
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
        let sealed_key = match schema.require() {
            Ok(()) => kept_keys::find(&mut conn, key).await?,
            Err(_) => None,
        };
        conn.is_sound = true;
        Ok(DatabaseFacts { schema, sealed_key })
    }

    /// Checks that Postgres answers, through the connection that no request uses. If its server has
    /// vanished, this finds it before the time limits of statements that were sent to it.
    pub async fn look_for_losses(&self) -> Result<()> {
        Ok(self.checks.check().await?)
    }

    /// Returns the number of connections that Postgres has for us; `None` for SQLite.
    pub async fn count_room(&self) -> Result<Option<i64>> {
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

/// Returns the next value of a counter. Locks the counter's row until the transaction ends, so the
/// numbers have no gaps and follow the order of commits.
async fn next(conn: &mut Conn, counter: &str) -> Result<i64> {
    let next = "update counters set value = value + 1 where counter = $1 returning value";
    Ok(sqlx::query_scalar(next).bind(counter).fetch_one(conn).await?)
}
