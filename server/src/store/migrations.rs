//! Migrations of the database: the files of `migrations`, in the order of their numbers.

use std::collections::HashSet;

use sqlx::migrate::{Migration, MigrationType, Migrator};
use sqlx::{AnyConnection, AssertSqlSafe, Connection as _, SqlSafeStr as _, SqlStr};

use super::conn::{Backend, Conn, PerBackend};
use crate::error::{Error, Result};

/// The number of a file, the words of its name, its text, and the database that it is for alone.
type SqlFile = (i64, &'static str, &'static str, Option<Backend>);

include!(concat!(env!("OUT_DIR"), "/migrations.rs"));

/// Brings the schema up to date, on a connection of its own.
///
/// # Errors
/// `Internal` if a migration fails, or if the database has one that is missing here or differs.
pub(crate) async fn run(mut conn: AnyConnection, backend: Backend) -> Result<()> {
    let migrated = migrator(backend).run(&mut conn).await;
    migrated.map_err(Error::internal)?;
    Ok(conn.close().await?)
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
    /// All of ours were applied, and then others.
    Newer,
    /// Ours differ from them.
    Other,
}

pub(crate) async fn state(conn: &mut Conn, backend: Backend) -> Result<SchemaState> {
    let applied = applied(conn).await?;
    let ours = migrator(backend);
    let ours: Vec<_> = ours.iter().map(|it| (it.version, it.checksum.to_vec())).collect();
    Ok(match (ours.starts_with(&applied), applied.starts_with(&ours)) {
        (true, true) => SchemaState::Same,
        (true, false) => SchemaState::Older,
        (false, true) => SchemaState::Newer,
        (false, false) => SchemaState::Other,
    })
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

/// Runs again each paragraph of the newest `append_only` migration whose triggers or functions are
/// missing, changed or disabled. Creating a trigger blocks writers of its table meanwhile, so a
/// server that starts beside others must not create what is there.
pub(crate) async fn restore_triggers(conn: &mut Conn, backend: Backend) -> Result<()> {
    let present = match backend {
        // SQLite's text says `if not exists`, and has no trigger that is changed or disabled.
        Backend::Sqlite => HashSet::new(),
        Backend::Postgres => triggers(conn).await?,
    };
    let append_only = of(backend).filter(|(_, words, ..)| *words == "append only");
    let (_, _, text, _) = append_only
        .max_by_key(|(number, ..)| number)
        .ok_or_else(|| Error::internal(anyhow::anyhow!("no migration creates the triggers")))?;
    for paragraph in text.split("\n\n").filter(|it| !it.starts_with("--")) {
        let mut statements = paragraph.split("create or replace ").skip(1).peekable();
        let is_present = statements.peek().is_some()
            && statements
                .all(|it| present.contains(&one_line(it.trim_end().trim_end_matches(';'))));
        if !is_present {
            sqlx::raw_sql(paragraph).execute(&mut *conn).await?;
        }
    }
    Ok(())
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
        Migration::new(number, words.into(), MigrationType::Simple, text, false)
    });
    Migrator::with_migrations(migrations.collect())
}
