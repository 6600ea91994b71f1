//! A database for every test: a copy of a template made once, as migrating the schema and reading
//! the sample cards takes longer than most tests.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard};

use dakiya_core::random::random_id;
use dakiya_core::services::pricing::import;
use dakiya_core::store::Store;
use sqlx::{AnyConnection, Connection as _};
use tempfile::TempDir;
use tokio::sync::OnceCell;

/// Migrated, empty but for the sample cards, and not open.
enum Template {
    Sqlite { folder: TempDir },
    Postgres { server: String, name: String },
}

async fn template() -> &'static Template {
    static TEMPLATE: OnceCell<Template> = OnceCell::const_new();
    TEMPLATE.get_or_init(Template::make).await
}

impl Template {
    async fn make() -> Template {
        let (template, url) = match std::env::var("DAKIYA_TEST_DATABASE_URL") {
            Ok(server) => {
                let name = create(&server, "template1", None).await;
                let url = at(&server, &name);
                (Template::Postgres { server, name }, url)
            }
            Err(_) => {
                let folder = TempDir::new().expect("a temporary folder");
                let url = file(folder.path());
                (Template::Sqlite { folder }, url)
            }
        };
        let store = Store::connect(&url).await.expect("a database");
        import::load_samples(&store).await.expect("the sample cards");
        store.close().await;
        template
    }
}

/// Makes a database with today's schema, in this folder or in the test's Postgres server.
pub async fn fresh_database(folder: &Path) -> String {
    match template().await {
        Template::Sqlite { folder: made } => {
            let from = made.path().join(FILE);
            std::fs::copy(from, folder.join(FILE)).expect("a copy");
            file(folder)
        }
        Template::Postgres { server, name } => {
            at(server, &create(server, name, Some(folder)).await)
        }
    }
}

/// Makes a database without a schema.
pub async fn empty_database(folder: &Path) -> String {
    match std::env::var("DAKIYA_TEST_DATABASE_URL") {
        Ok(server) => at(&server, &create(&server, "template1", Some(folder)).await),
        Err(_) => file(folder),
    }
}

const FILE: &str = "dakiya.sqlite";

fn file(folder: &Path) -> String {
    format!("sqlite://{}", folder.join(FILE).display())
}

/// The URL of another database in the same server.
fn at(server: &str, name: &str) -> String {
    let (start, _) = server.rsplit_once('/').expect("a URL with a database");
    format!("{start}/{name}")
}

/// Databases in the server, each with the folder of its test.
static MADE: Mutex<Vec<(PathBuf, String)>> = Mutex::new(Vec::new());

/// Copies the template. Databases of finished tests are dropped: the server may keep them in
/// memory.
async fn create(server: &str, template: &str, folder: Option<&Path>) -> String {
    let mut conn = connect(server).await.expect("a server");
    let is_over = |(folder, _): &mut (PathBuf, String)| !folder.exists();
    let over: Vec<_> = made().extract_if(.., is_over).collect();
    for (_, name) in over {
        let drop = format!("drop database {name} with (force)");
        run_on(&mut conn, &drop).await.expect("dropped");
    }
    let name = random_id().replace(['-', '_'], "").to_lowercase();
    let name = format!("dakiya_{name}");
    // Copies files, which every Postgres from 15 on can: a log of every page costs a test a fifth
    // of its processor time.
    let create = format!("create database {name} template {template} strategy file_copy");
    run_on(&mut conn, &create).await.expect("a database");
    conn.close().await.expect("closed");
    if let Some(folder) = folder {
        made().push((folder.to_owned(), name.clone()));
    }
    name
}

fn made() -> MutexGuard<'static, Vec<(PathBuf, String)>> {
    MADE.lock().expect("no holder panics")
}

async fn connect(url: &str) -> Result<AnyConnection, sqlx::Error> {
    sqlx::any::install_default_drivers();
    AnyConnection::connect(url).await
}

async fn run_on(conn: &mut AnyConnection, statement: &str) -> Result<(), sqlx::Error> {
    let statement = sqlx::raw_sql(sqlx::AssertSqlSafe(statement.to_owned()));
    statement.execute(conn).await.map(drop)
}

/// Runs one statement on a connection of its own, like an attacker with the database's password.
pub async fn run_sql(url: &str, statement: &str) -> Result<(), sqlx::Error> {
    let mut conn = connect(url).await?;
    run_on(&mut conn, statement).await?;
    conn.close().await
}

/// Removes the triggers that protect a table's rows from changes, as the owner of the tables can.
pub async fn disarm(url: &str, table: &str) {
    let is_postgres = url.starts_with("postgres");
    let names = match is_postgres {
        true => format!(
            "select cast(tgname as text) from pg_trigger
             where tgrelid = cast('{table}' as regclass) and not tgisinternal
               and (pg_get_triggerdef(oid) like '% BEFORE UPDATE %'
                 or pg_get_triggerdef(oid) like '% BEFORE DELETE %')"
        ),
        false => format!(
            "select name from sqlite_schema where type = 'trigger' and tbl_name = '{table}'
               and (sql like '% before update on %' or sql like '% before delete on %')"
        ),
    };
    let names = texts_in(url, &names).await;
    assert!(!names.is_empty(), "{table} has triggers");
    for name in names {
        let on = if is_postgres { format!(" on {table}") } else { String::new() };
        run_sql(url, &format!("drop trigger {name}{on}")).await.expect("a trigger");
    }
}

/// The number that a query returns.
pub async fn number_in(url: &str, query: &str) -> i64 {
    let mut conn = connect(url).await.expect("a connection");
    let found = sqlx::query_scalar(sqlx::AssertSqlSafe(query.to_owned()));
    let found: i64 = found.fetch_one(&mut conn).await.expect("a number");
    conn.close().await.expect("closed");
    found
}

/// The texts that a query returns.
pub async fn texts_in(url: &str, query: &str) -> Vec<String> {
    let mut conn = connect(url).await.expect("a connection");
    let found = sqlx::query_scalar(sqlx::AssertSqlSafe(query.to_owned()));
    let found: Vec<String> = found.fetch_all(&mut conn).await.expect("texts");
    conn.close().await.expect("closed");
    found
}
