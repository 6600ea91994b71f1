//! Filling an empty database from the copy in a backup. It is marked as restored before any server
//! can see what is in it.

mod from_sqlite;

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use sqlx::Connection as _;

use super::postgres::Times;
use super::servers::Servers;
use super::{Backend, Store, database_clock, migrations, postgres_programs, restored, sqlite_file};
use crate::clock::Clock;
use crate::error::{Error, Result, removed};
use crate::model::backup::BackupEngine;

/// A database that was filled. SQLite's file has another name until `finish`.
#[derive(Debug)]
pub struct Refill {
    url: String,
    /// The file now, and its own name.
    file: Option<(PathBuf, PathBuf)>,
}

/// Returns the number of our last migration: the copy of a newer program is of no use.
pub fn newest_schema() -> i64 {
    migrations::newest()
}

/// Fails unless the database is empty.
pub async fn require_empty(url: &str) -> Result<()> {
    let is_empty = match sqlite_file(url) {
        Some(file) => is_free(&file),
        None => {
            let store = Store::unopened(url)?;
            let tables = "select count(*) from pg_class c
                          join pg_namespace n on n.oid = c.relnamespace
                          where c.relkind in ('r', 'p') and n.nspname <> 'information_schema'
                            and left(cast(n.nspname as text), 3) <> 'pg_'";
            let tables: i64 =
                sqlx::query_scalar(tables).fetch_one(&mut *store.read().await?).await?;
            store.close().await;
            tables == 0
        }
    };
    match is_empty {
        true => Ok(()),
        false => Err(not_empty()),
    }
}

/// True if there is no SQLite database of this name.
fn is_free(file: &Path) -> bool {
    ["", "-wal"].iter().all(|end| {
        let found = fs::metadata(beside(file, end));
        found.is_err_and(|error| error.kind() == ErrorKind::NotFound)
    })
}

fn not_empty() -> Error {
    Error::Conflict {
        code: "not_empty",
        message: "The database has content already. A backup is restored into an empty one: look \
                  at DATABASE_URL and DAKIYA_DATA_DIR."
            .into(),
    }
}

/// Notes in a filled database that nothing of the backup is missing.
pub async fn set_whole(store: &Store) -> Result<()> {
    store.write(|conn| Box::pin(async move { restored::finish(conn).await })).await
}

/// Fills the empty database with a copy, which may be of SQLite for a Postgres.
pub async fn fill(url: &str, engine: BackupEngine, copy: &Path) -> Result<Refill> {
    match sqlite_file(url) {
        Some(file) => fill_sqlite(file, copy).await,
        None => fill_postgres(url, engine, copy).await,
    }
}

async fn fill_sqlite(file: PathBuf, copy: &Path) -> Result<Refill> {
    let part = beside(&file, ".restored");
    remove(&part).map_err(Error::not_stored)?;
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder).map_err(Error::not_stored)?;
    }
    fs::copy(copy, &part).map_err(Error::not_stored)?;
    let url = format!("sqlite://{}", part.display());
    let store = Store::unopened(&url)?;
    mark(&store).await?;
    store.close().await;
    Ok(Refill { url, file: Some((part, file)) })
}

async fn fill_postgres(url: &str, engine: BackupEngine, copy: &Path) -> Result<Refill> {
    let store = Store::unopened(url)?;
    let Some(servers) = &store.servers else {
        return Err(Error::internal(anyhow::anyhow!("this is no Postgres")));
    };
    postgres_programs::require_direct(servers)?;
    // Of several servers, the one that takes writes.
    drop(store.read().await?);
    match engine {
        BackupEngine::Postgres => run_pg_restore(&store, servers, copy).await?,
        BackupEngine::Sqlite => copy_sqlite(&store, servers, copy).await?,
    }
    // The first audit is planned with statistics.
    let mut target = servers.connect().await?;
    sqlx::raw_sql("analyze").execute(&mut target).await?;
    target.close().await?;
    store.close().await;
    Ok(Refill { url: url.to_owned(), file: None })
}

/// Tables, then the mark, then rows, then keys and triggers: a reader of rows sees the mark.
async fn run_pg_restore(store: &Store, servers: &Servers, copy: &Path) -> Result<()> {
    for section in ["pre-data", "data", "post-data"] {
        let arguments =
            ["--exit-on-error", "--single-transaction", "--no-owner", "--no-privileges"];
        let mut arguments: Vec<OsString> = arguments.map(OsString::from).into();
        arguments.push(format!("--section={section}").into());
        arguments.push(copy.as_os_str().to_owned());
        postgres_programs::run("pg_restore", servers, arguments).await?;
        if section == "pre-data" {
            mark(store).await?;
        }
    }
    Ok(())
}

/// Tables, then the mark, then rows, then triggers, as they refuse some of the rows' order.
async fn copy_sqlite(store: &Store, servers: &Servers, copy: &Path) -> Result<()> {
    from_sqlite::require_same_schema(copy).await?;
    let mut target = servers.connect().await?;
    Times::MIGRATION.set(&mut target, false).await?;
    migrations::lock(&mut target).await?;
    let backend = Backend::Postgres;
    let missing = migrations::missing(&mut *store.read().await?, backend).await?;
    let (triggers, tables): (Vec<_>, Vec<_>) =
        missing.into_iter().partition(migrations::is_append_only);
    migrations::run(&mut target, backend, &tables).await?;
    mark(store).await?;
    from_sqlite::copy_rows(copy, &mut target).await?;
    migrations::run(&mut target, backend, &triggers).await?;
    target.close().await?;
    Ok(())
}

async fn mark(store: &Store) -> Result<()> {
    let mark = store.write(|conn| {
        Box::pin(async move {
            let clock = Clock::default();
            database_clock::follow(conn, &clock).await?;
            restored::mark(conn, clock.now_ms()).await
        })
    });
    mark.await
}

impl Refill {
    /// The address of the filled database.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Gives the database its own name. All connections must be closed.
    pub fn finish(self) -> Result<()> {
        let Some((part, file)) = self.file else {
            return Ok(());
        };
        if beside(&part, "-wal").exists() {
            let wrong = "the restored database is still in use";
            return Err(Error::internal(anyhow::anyhow!(wrong)));
        }
        // A server may have been started here meanwhile.
        if !is_free(&file) {
            return Err(not_empty());
        }
        let finish = || {
            File::open(&part)?.sync_all()?;
            fs::rename(&part, &file)?;
            match file.parent() {
                Some(folder) if !folder.as_os_str().is_empty() => File::open(folder)?.sync_all(),
                _ => Ok(()),
            }
        };
        finish().map_err(Error::not_stored)
    }

    /// Removes what is not used. `false` if it is in the database, where it stays.
    pub fn give_up(self) -> Result<bool> {
        match self.file {
            Some((part, _)) => remove(&part).map(|()| true).map_err(Error::not_stored),
            None => Ok(false),
        }
    }
}

/// Returns the path of a file whose name has this end besides.
fn beside(file: &Path, end: &str) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(end);
    PathBuf::from(name)
}

/// Removes a database with the files beside it.
fn remove(file: &Path) -> io::Result<()> {
    for end in ["", "-wal", "-shm", "-journal"] {
        removed(fs::remove_file(beside(file, end)))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use tempfile::TempDir;

    use super::*;

    #[test]
    fn a_database_that_was_made_meanwhile_is_not_replaced() {
        let folder = TempDir::new().unwrap();
        let file = folder.path().join("dakiya.sqlite");
        let part = beside(&file, ".restored");
        fs::write(&part, "restored").unwrap();
        let refill =
            || Refill { url: String::new(), file: Some((part.clone(), file.clone())) }.finish();
        for other in [file.clone(), beside(&file, "-wal")] {
            fs::write(&other, "written meanwhile").unwrap();
            assert!(matches!(refill(), Err(Error::Conflict { code: "not_empty", .. })));
            assert_eq!(fs::read(&other).unwrap(), b"written meanwhile");
            fs::remove_file(other).unwrap();
        }
        refill().unwrap();
        assert_eq!(fs::read(&file).unwrap(), b"restored");
    }
}
