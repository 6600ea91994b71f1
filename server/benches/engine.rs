//! The cost of a statement: the store's connections beside sqlx's own pool, on the same SQLite file
//! in one run.

use std::path::Path;
use std::time::Instant;

use dakiya_core::store::Store;
use sqlx::any::AnyPoolOptions;
use sqlx::{AnyPool, Executor as _};

use crate::peers::median;

const ROWS: i64 = 10_000;
const OWNERS: i64 = 1_000;

/// The rows of one page.
const LIST: &str = "select id, owner, note, paise from measured where owner = $1 order by id desc";
const ONE: &str = "select note from measured where id = $1";
const CHANGE: &str = "update measured set paise = paise + 1 where id = $1";

const STATEMENTS: i64 = 2_000;
const ROUNDS: usize = 9;

/// Prints the table: microseconds for each statement, by callers at once.
pub fn run() {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(measure());
}

async fn measure() {
    let folder = tempfile::TempDir::new().expect("a folder");
    let file = folder.path().join("dakiya.sqlite");
    let store = Store::connect(&format!("sqlite://{}", file.display())).await.expect("a store");
    let (readers, writer) = (pool(&file, 4).await, pool(&file, 1).await);
    fill(&writer).await;
    println!("\na statement: the store ÷ sqlx's pool, µs each, medians of {ROUNDS} rounds");
    for callers in [1, 4, 16] {
        for (name, sql) in [("a row", ONE), ("a list of 10 rows", LIST)] {
            let (store, readers) = (store.clone(), readers.clone());
            let ours = move |id| read_ours(store.clone(), sql, id);
            let theirs = move |id| read_theirs(readers.clone(), sql, id);
            compare(name, callers, ours, theirs).await;
        }
        let (store, writer) = (store.clone(), writer.clone());
        let ours = move |id| write_ours(store.clone(), id);
        let theirs = move |id| write_theirs(writer.clone(), id);
        compare("a durable change", callers, ours, theirs).await;
    }
    store.close().await;
}

/// Opens sqlx's pool as the store opens its own connections.
async fn pool(file: &Path, most: u32) -> AnyPool {
    let options = AnyPoolOptions::new().max_connections(most).after_connect(|conn, _| {
        Box::pin(async move {
            let settings = "pragma synchronous = full; pragma busy_timeout = 5000; \
                            pragma cache_size = -32768; pragma temp_store = memory; \
                            pragma wal_autocheckpoint = 16384";
            conn.execute(settings).await.map(|_| ())
        })
    });
    let url = format!("sqlite://{}", file.display());
    options.connect(&url).await.expect("sqlx's pool")
}

async fn fill(pool: &AnyPool) {
    let table = "create table measured (id integer primary key, owner integer not null, \
                 note text not null, paise integer not null)";
    pool.execute(table).await.expect("a table");
    pool.execute("create index measured_owner on measured (owner, id)").await.expect("an index");
    let rows = "with recursive numbers (n) as \
                (select 1 union all select n + 1 from numbers where n < $1) \
                insert into measured select n, n % $2, 'Courier booking ' || n, n from numbers";
    let rows = sqlx::query(rows).bind(ROWS).bind(OWNERS);
    rows.execute(pool).await.expect("rows");
}

async fn read_ours(store: Store, sql: &'static str, id: i64) {
    let mut conn = store.read().await.expect("a connection");
    let rows = sqlx::query(sql).bind(id % OWNERS).fetch_all(&mut *conn).await;
    assert!(!rows.expect("rows").is_empty() || id % OWNERS == 0);
}

async fn read_theirs(pool: AnyPool, sql: &'static str, id: i64) {
    let rows = sqlx::query(sql).bind(id % OWNERS).fetch_all(&pool).await;
    assert!(!rows.expect("rows").is_empty() || id % OWNERS == 0);
}

async fn write_ours(store: Store, id: i64) {
    let work = store.write(move |conn| {
        Box::pin(async move {
            sqlx::query(CHANGE).bind(id).execute(conn).await?;
            Ok(())
        })
    });
    work.await.expect("a change");
}

async fn write_theirs(pool: AnyPool, id: i64) {
    sqlx::query(CHANGE).bind(id).execute(&pool).await.expect("a change");
}

async fn compare<O, T>(
    name: &str,
    callers: i64,
    ours: impl Fn(i64) -> O + Clone + Send + 'static,
    theirs: impl Fn(i64) -> T + Clone + Send + 'static,
) where
    O: Future<Output = ()> + Send + 'static,
    T: Future<Output = ()> + Send + 'static,
{
    let (mut of_ours, mut of_theirs) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        of_ours.push(micros(callers, ours.clone()).await);
        of_theirs.push(micros(callers, theirs.clone()).await);
    }
    let (ours, theirs) = (median(of_ours.into_iter()), median(of_theirs.into_iter()));
    println!(
        "{name:>18}, {callers:2} at once {ours:8.1} {theirs:8.1}  {:.2} of sqlx's",
        ours / theirs
    );
}

/// Runs the statements from this many callers at once; returns microseconds for each.
async fn micros<F>(callers: i64, statement: impl Fn(i64) -> F + Clone + Send + 'static) -> f64
where
    F: Future<Output = ()> + Send + 'static,
{
    let began = Instant::now();
    let all = (0..callers).map(|caller| {
        let statement = statement.clone();
        tokio::spawn(async move {
            for number in 0..STATEMENTS / callers {
                statement(1 + (caller * 7919 + number * 31) % ROWS).await;
            }
        })
    });
    for caller in all.collect::<Vec<_>>() {
        caller.await.expect("a caller");
    }
    began.elapsed().as_secs_f64() * 1e6 / STATEMENTS as f64
}
