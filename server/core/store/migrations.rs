//! Migrations of the database: the files of `migrations`, in the order of their numbers.

use std::collections::HashSet;
use std::fs::{File, TryLockError};
use std::path::Path;
use std::time::{Duration, Instant};

use serde::Serialize;
use sqlx::migrate::{MigrateError, Migration, MigrationType, Migrator};
use sqlx::{AnyConnection, AssertSqlSafe, SqlSafeStr as _, SqlStr};
use tokio::time::sleep;

use super::conn::{Backend, Conn, PerBackend};
use super::health;
use super::postgres::Times;
use crate::error::{Error, Result};
use crate::limits;

/// The number of a file, the words of its name, its text, and the database that it is for alone.
type SqlFile = (i64, &'static str, &'static str, Option<Backend>);

include!(concat!(env!("OUT_DIR"), "/migrations.rs"));

/// Work that was done on a schema.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct SchemaChanges {
    /// The number and the words of each migration that was applied.
    pub migrations: Vec<String>,
    /// Triggers, and functions of triggers, that were restored (count).
    pub triggers: usize,
    /// A newer version has migrated the schema, and nothing was changed.
    pub is_newer: bool,
}

/// Waits until no other process changes the schema of this Postgres database. The lock ends with
/// the connection.
pub(super) async fn lock(conn: &mut AnyConnection) -> Result<()> {
    // A statement that waits would keep a concurrent creation of an index waiting.
    let lock = "select case when pg_try_advisory_lock(20202) then 1 else 0 end";
    let patience = Patience::new();
    loop {
        let locked: i32 = sqlx::query_scalar(lock).fetch_one(&mut *conn).await?;
        if locked == 1 {
            return Ok(());
        }
        patience.wait().await?;
    }
}

/// Waits until no other process changes the schema of a SQLite database in this folder. The lock
/// ends when the file is dropped.
pub(super) async fn lock_folder(folder: &Path) -> Result<File> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let folder = File::open(folder).map_err(Error::internal)?;
    let patience = Patience::new();
    loop {
        match folder.try_lock() {
            Ok(()) => return Ok(folder),
            Err(TryLockError::WouldBlock) => patience.wait().await?,
            Err(TryLockError::Error(error)) => return Err(Error::internal(error)),
        }
    }
}

/// The time left to wait for another process.
struct Patience(Instant);

impl Patience {
    fn new() -> Patience {
        Patience(Instant::now() + Duration::from_secs(limits::SCHEMA_LOCK_S_MAX))
    }

    async fn wait(&self) -> Result<()> {
        if Instant::now() > self.0 {
            let busy = "another process has been changing the database's schema for too long";
            return Err(Error::internal(anyhow::anyhow!(busy)));
        }
        sleep(Duration::from_millis(limits::SCHEMA_LOCK_PAUSE_MS)).await;
        Ok(())
    }
}

/// Applies migrations, while its caller holds the lock. One that waits too long for a lock on a
/// table, behind which all other statements on that table wait, is tried again later.
///
/// # Errors
/// `Internal` if a migration fails, or if the database has one that is missing here or differs.
pub(super) async fn run(
    conn: &mut AnyConnection,
    backend: Backend,
    missing: &[Migration],
) -> Result<Vec<String>> {
    let all = migrator(backend);
    let mut done = Vec::new();
    for migration in missing {
        if backend == Backend::Postgres {
            // The creation of an index outside of a transaction keeps nobody waiting.
            let lock_ms = if migration.no_tx { 0 } else { Times::MIGRATION.lock_ms };
            Times { lock_ms, ..Times::MIGRATION }.set(conn, false).await?;
        }
        let name = format!("{:04} {}", migration.version, migration.description);
        let mut tries = 1;
        while let Err(error) = all.run_direct(Some(migration.version), conn, false).await {
            if !is_busy(&error) || tries == limits::MIGRATION_TRIES_MAX {
                return Err(Error::internal(error));
            }
            tries += 1;
            tracing::warn!("migration {name} waited too long for a lock, and is tried again");
            sleep(Duration::from_millis(limits::MIGRATION_PAUSE_MS)).await;
        }
        tracing::info!("migration {name} was applied");
        done.push(name);
    }
    Ok(done)
}

fn is_busy(error: &MigrateError) -> bool {
    match error {
        MigrateError::Execute(error) | MigrateError::ExecuteMigration(error, _) => {
            health::is_busy(error)
        }
        _ => false,
    }
}

/// True if another role owns the schema: then we only read and write its tables.
pub(crate) async fn is_owned_by_another(conn: &mut Conn) -> Result<bool> {
    let owned = "select case when pg_has_role(relowner, 'usage') then 0 else 1 end from pg_class
                 where oid = to_regclass('_sqlx_migrations')";
    let owned: Option<i32> = sqlx::query_scalar(owned).fetch_optional(conn).await?;
    Ok(owned == Some(1))
}

/// The migrations of a database, compared with those of this program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SchemaState {
    Same,
    /// Some or all of ours are missing.
    Older,
    /// All of ours were applied, and then others on which this program still works.
    Newer,
    /// All of ours were applied, and then others on which it does not work.
    TooNew,
    /// Ours differ from them.
    Other,
}

impl SchemaState {
    /// Fails, with a sentence for the operator, if this program does not work on such a schema.
    pub fn require(self) -> std::result::Result<(), &'static str> {
        match self {
            SchemaState::Same | SchemaState::Newer => Ok(()),
            SchemaState::Older => Err("migrations of this version are missing in the database: \
                run `dakiya migrate` of this version as the role that owns the tables, and not \
                through PgBouncer"),
            SchemaState::TooNew => {
                Err("a newer version has changed the database so that this one \
                does not work on it any more: use the newer version")
            }
            SchemaState::Other => Err("the database has other migrations than this version"),
        }
    }
}

pub(crate) async fn state(conn: &mut Conn, backend: Backend) -> Result<SchemaState> {
    let applied = applied(conn).await?;
    let ours = migrator(backend);
    let ours: Vec<_> = ours.iter().map(|it| (it.version, it.checksum.to_vec())).collect();
    Ok(match (ours.starts_with(&applied), applied.starts_with(&ours)) {
        (true, true) => SchemaState::Same,
        (true, false) => SchemaState::Older,
        (false, true) => newer(conn, ours.last().map_or(0, |(number, _)| *number)).await?,
        (false, false) => SchemaState::Other,
    })
}

/// Returns if a program that knows the migrations up to this number works on a newer schema.
async fn newer(conn: &mut Conn, known: i64) -> Result<SchemaState> {
    let oldest = "select migration from oldest_served_program";
    let oldest: Option<i64> = sqlx::query_scalar(oldest).fetch_optional(conn).await?;
    Ok(match oldest {
        Some(oldest) if oldest <= known => SchemaState::Newer,
        _ => SchemaState::TooNew,
    })
}

/// Returns the migrations that were not applied, in their order.
pub(super) async fn missing(conn: &mut Conn, backend: Backend) -> Result<Vec<Migration>> {
    let applied = applied(conn).await?;
    let applied: HashSet<i64> = applied.into_iter().map(|(number, _)| number).collect();
    let ours = migrator(backend);
    Ok(ours.iter().filter(|it| !applied.contains(&it.version)).cloned().collect())
}

/// Returns the number and the checksum of each migration that was applied, in their order.
async fn applied(conn: &mut Conn) -> Result<Vec<(i64, Vec<u8>)>> {
    const ANY: PerBackend = PerBackend {
        sqlite: "select count(*) from sqlite_schema where name = '_sqlx_migrations'",
        postgres: "select count(*) from pg_class where oid = to_regclass('_sqlx_migrations')",
    };
    let any: i64 = sqlx::query_scalar(ANY.of(conn)).fetch_one(&mut *conn).await?;
    if any == 0 {
        return Ok(Vec::new());
    }
    let applied = "select version, checksum from _sqlx_migrations where success order by version";
    Ok(sqlx::query_as(applied).fetch_all(conn).await?)
}

/// The words of the migrations that create triggers.
const APPEND_ONLY: &str = "append only";

/// True if a migration creates triggers, which refuse some changes of rows.
pub(super) fn is_append_only(migration: &Migration) -> bool {
    migration.description == APPEND_ONLY
}

/// Returns the paragraphs of the newest `append_only` migration whose triggers or functions are
/// missing, changed or disabled.
pub(super) async fn missing_triggers(
    conn: &mut Conn,
    backend: Backend,
) -> Result<Vec<&'static str>> {
    let append_only = of(backend).filter(|(_, words, ..)| *words == APPEND_ONLY);
    let (_, _, text, _) = append_only
        .max_by_key(|(number, ..)| number)
        .ok_or_else(|| Error::internal(anyhow::anyhow!("no migration creates the triggers")))?;
    let create = match backend {
        // SQLite has no trigger that is changed or disabled.
        Backend::Sqlite => "create trigger if not exists ",
        Backend::Postgres => "create or replace ",
    };
    let present = match backend {
        Backend::Sqlite => names_of_triggers(conn).await?,
        Backend::Postgres => triggers(conn).await?,
    };
    let is_present = |statement: &str| match backend {
        Backend::Sqlite => statement.split(' ').next().is_some_and(|it| present.contains(it)),
        Backend::Postgres => {
            present.contains(&one_line(statement.trim_end().trim_end_matches(';')))
        }
    };
    let paragraphs = text.split("\n\n").filter(|it| it.contains(create));
    Ok(paragraphs.filter(|it| !it.split(create).skip(1).all(&is_present)).collect())
}

/// Creates triggers, while its caller holds the lock. Creating one blocks writers of its table
/// meanwhile, so nobody must create what is there.
pub(super) async fn create_triggers(conn: &mut Conn, missing: Vec<&'static str>) -> Result<usize> {
    for paragraph in &missing {
        sqlx::raw_sql(*paragraph).execute(&mut *conn).await?;
    }
    Ok(missing.len())
}

async fn names_of_triggers(conn: &mut Conn) -> Result<HashSet<String>> {
    let names = "select name from sqlite_schema where type = 'trigger'";
    let names: Vec<String> = sqlx::query_scalar(names).fetch_all(conn).await?;
    Ok(names.into_iter().collect())
}

/// Returns the enabled triggers of a Postgres database and their functions, each as the statement
/// that creates it, after `create or replace`.
async fn triggers(conn: &mut Conn) -> Result<HashSet<String>> {
    let present = "select substr(lower(pg_get_triggerdef(t.oid, true)), length('create ') + 1)
                   from pg_trigger t where not t.tgisinternal and t.tgenabled = 'O'
                   union
                   select concat('function ', p.proname,
                     '() returns trigger language plpgsql as $$', p.prosrc, '$$')
                   from pg_trigger t join pg_proc p on p.oid = t.tgfoid
                   join pg_language l on l.oid = p.prolang
                   where not t.tgisinternal and l.lanname = 'plpgsql' and p.proconfig is null";
    let present: Vec<String> = sqlx::query_scalar(present).fetch_all(conn).await?;
    Ok(present.iter().map(|it| one_line(it)).collect())
}

fn one_line(statement: &str) -> String {
    statement.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns the number of our last migration.
pub(super) fn newest() -> i64 {
    MIGRATIONS.iter().map(|(number, ..)| *number).max().unwrap_or_default()
}

/// The migrations of a database.
fn of(backend: Backend) -> impl Iterator<Item = &'static SqlFile> {
    let is_due = move |only: &Option<Backend>| only.is_none_or(|only| only == backend);
    MIGRATIONS.iter().filter(move |(.., only)| is_due(only))
}

fn migrator(backend: Backend) -> Migrator {
    let migrations = of(backend).map(|&(number, words, text, _)| {
        let text = match backend {
            Backend::Sqlite => SqlStr::from_static(text),
            // Only SQLite has tables that are stored in their primary key.
            Backend::Postgres => {
                AssertSqlSafe(text.replace(") without rowid;", ");")).into_sql_str()
            }
        };
        let is_alone = text.as_str().starts_with("-- no-transaction");
        Migration::new(number, words.into(), MigrationType::Simple, text, is_alone)
    });
    Migrator::with_migrations(migrations.collect())
}
