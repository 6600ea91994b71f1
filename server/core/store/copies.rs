//! Copies of the database for backups: all of it as it was at one instant, while servers write.
//!
//! SQLite copies itself with `vacuum into`: one read transaction, which keeps no writer waiting.
//! The online backup begins again whenever another process writes between two of its steps, and in
//! one step it is a read transaction as well; a copy of `vacuum into` is also without free pages.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fs::OpenOptions;
use std::io;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use sqlx::any::AnyRow;
use sqlx::{AssertSqlSafe, Row};
use tokio::runtime::Handle;
use tokio::task::spawn_blocking;

use super::encrypted_columns::{self, EncryptedColumn};
use super::sqlite::Sqlite;
use super::{Conn, RunStatement as _, Store, postgres_programs, shared_facts};
use crate::error::{Error, Result};
use crate::model::money::hash_chain::ChainHead;
use crate::{failpoints, limits};

/// The facts about a database at the instant of its copy.
#[derive(Clone, Debug)]
pub struct CopyFacts {
    /// The number of the last migration.
    pub schema: i64,
    /// The last transaction of the books.
    pub head: Option<ChainHead>,
    /// The number of rows of the main tables.
    pub rows: BTreeMap<String, i64>,
    /// The ids of the keys that sealed something in it.
    pub keys: BTreeSet<String>,
    /// The facts that all servers share.
    pub shared: BTreeMap<String, String>,
    /// Identity documents that are not deleted.
    pub documents: Vec<String>,
}

/// Writes a copy into a new file, which is on the disk when this returns.
pub(crate) async fn copy(store: &Store, file: &Path) -> Result<CopyFacts> {
    create_private(file).map_err(Error::not_stored)?;
    let Some(servers) = &store.servers else {
        let source = sqlite_source(&mut *store.read().await?).await?;
        let (file, runtime) = (file.to_owned(), Handle::current());
        // SQLite reads the whole file without a pause, so this needs a thread of its own.
        let copying = spawn_blocking(move || runtime.block_on(copy_sqlite(&source, &file)));
        return copying.await.map_err(Error::internal)?;
    };
    postgres_programs::require_direct(servers)?;
    let mut reading = store.read().await?;
    reading.begin_snapshot().await?;
    reading.allow_long_statements().await?;
    let facts = facts(&mut reading).await?;
    let snapshot = "select pg_export_snapshot()";
    let snapshot: String = sqlx::query_scalar(snapshot).fetch_one(&mut *reading).await?;
    let arguments = ["--format=custom", "--no-owner", "--no-privileges"].map(OsString::from);
    let mut arguments = Vec::from(arguments);
    arguments.push(format!("--snapshot={snapshot}").into());
    arguments.extend(["--file".into(), file.as_os_str().to_owned()]);
    postgres_programs::run("pg_dump", servers, arguments).await?;
    // The snapshot was needed at the beginning only. Its transaction may have been given up since:
    // the connection is closed.
    drop(reading);
    sync(file)?;
    Ok(facts)
}

/// Creates an empty file that only this user can read, also in a folder that others see. SQLite and
/// `pg_dump` fill it.
fn create_private(file: &Path) -> io::Result<()> {
    OpenOptions::new().write(true).create_new(true).mode(0o600).open(file).map(drop)
}

/// Returns the file of a SQLite database.
async fn sqlite_source(conn: &mut Conn) -> Result<PathBuf> {
    let file = "select file from pragma_database_list where name = 'main'";
    let file: String = sqlx::query_scalar(file).fetch_one(conn).await?;
    Ok(PathBuf::from(file))
}

async fn copy_sqlite(source: &Path, file: &Path) -> Result<CopyFacts> {
    if failpoints::on("log-not-copied") {
        std::fs::copy(source, file).map_err(Error::not_stored)?;
    } else {
        let name = file.to_str().ok_or_else(|| {
            Error::Malformed("The path of the folder has letters that are no text.".into())
        })?;
        let mut conn = Conn::Sqlite(Sqlite::open(source)?);
        sqlx::query("vacuum into $1").bind(name).run(&mut conn).await?;
    }
    let facts = facts(&mut Conn::Sqlite(Sqlite::open(file)?)).await?;
    // SQLite does not.
    sync(file)?;
    Ok(facts)
}

fn sync(file: &Path) -> Result<()> {
    let opened = std::fs::File::open(file);
    opened.and_then(|file| file.sync_all()).map_err(Error::not_stored)
}

async fn facts(conn: &mut Conn) -> Result<CopyFacts> {
    let schema = "select max(version) from _sqlx_migrations where success";
    let schema: i64 = sqlx::query_scalar(schema).fetch_one(&mut *conn).await?;
    let head = "select seq, hash from ledger_seals order by seq desc limit 1";
    let head = sqlx::query(head).read_first(conn, read_head).await?;
    let rows = count_rows(conn).await?;
    let mut keys = BTreeSet::new();
    for column in EncryptedColumn::ALL {
        keys.extend(encrypted_columns::keys(conn, column).await?);
    }
    let shared = shared_facts::all(conn).await?;
    let mut documents: Vec<String> = Vec::new();
    loop {
        let after = documents.last().cloned().unwrap_or_default();
        let most = limits::RESEALED_AT_ONCE;
        let page = encrypted_columns::documents(conn, &after, most).await?;
        if page.is_empty() {
            break;
        }
        documents.extend(page);
    }
    Ok(CopyFacts { schema, head, rows, keys, shared, documents })
}

fn read_head(row: &AnyRow) -> Result<ChainHead> {
    Ok(ChainHead { seq: row.try_get("seq")?, hash: row.try_get("hash")? })
}

/// The tables whose rows a backup counts.
const COUNTED: [&str; 8] = [
    "users",
    "bookings",
    "payment_orders",
    "ledger_transactions",
    "ledger_entries",
    "invoices",
    "kyc_documents",
    "operator_actions",
];

/// Returns the number of rows of the main tables.
pub(crate) async fn count_rows(conn: &mut Conn) -> Result<BTreeMap<String, i64>> {
    let mut rows = BTreeMap::new();
    for table in COUNTED {
        // Built from constants, never from input.
        let count = AssertSqlSafe(format!("select count(*) from {table}"));
        let count: i64 = sqlx::query_scalar(count).fetch_one(&mut *conn).await?;
        rows.insert(table.to_owned(), count);
    }
    Ok(rows)
}
