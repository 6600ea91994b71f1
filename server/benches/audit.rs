//! The cost of an audit of everything to the customers who book meanwhile, after a long history.

use std::time::{Duration, Instant};

use dakiya::app::App;
use dakiya_core::config::Config;
use dakiya_core::model::money::movement::{Movement, MovementKind};
use dakiya_core::model::money::paise::Paise;
use dakiya_core::store;
use futures_util::future::join_all;
use sqlx::{AnyConnection, AssertSqlSafe, Connection as _};

use crate::customers::{Bookings, Connection, Running, customers, free_address, settings};
use crate::peers::median;

/// The transactions in the books, if `DAKIYA_BENCH_TRANSACTIONS` names no other number.
const TRANSACTIONS: usize = 200_000;

/// Transactions of one write while the history is made.
const TOGETHER: usize = 5_000;

const CUSTOMERS: usize = 8;
const ROUNDS: usize = 5;
const SECONDS: u64 = 5;

/// Prints the table.
pub fn run() {
    let asked = std::env::var("DAKIYA_BENCH_TRANSACTIONS");
    let count = asked.map_or(TRANSACTIONS, |count| count.parse().expect("a count"));
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(measure(count));
}

async fn measure(count: usize) {
    let folder = tempfile::TempDir::new().expect("a folder");
    let address = free_address();
    let cookies = customers(folder.path(), &address, CUSTOMERS).await;
    let config = Config::from_map(&settings(folder.path(), &address)).expect("a configuration");
    let url = config.database_url.clone();
    let began = Instant::now();
    fill(config, count).await;
    println!(
        "\nan audit of {count} transactions, written in {:.0} s, while {CUSTOMERS} customers book: \
         medians of {ROUNDS} rounds of {SECONDS} s",
        began.elapsed().as_secs_f64()
    );
    let product = Running::product(folder.path(), &address);
    let ours = Running::start(product, None, &address).await;
    let opening = cookies.iter().map(|it| Connection::open(&ours.address, it));
    let mut all = join_all(opening).await;
    // The one that the start makes due.
    wait_for_audit(&url).await;
    Bookings::of(&mut all, SECONDS, false).await;
    let (mut without, mut beside) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        without.push(Bookings::of(&mut all, SECONDS, false).await);
        run_on(&url, "update audit_rounds set passed_whole_ms = 0, progress = ''").await;
        run_on(&url, "update tasks set due_ms = 0 where kind = 'audit'").await;
        wait_until(&url, "select count(*) from audit_rounds where progress = ''").await;
        let pieces = number(&url, PIECES).await;
        beside.push(Bookings::of(&mut all, SECONDS, false).await);
        let walked = number(&url, PIECES).await - pieces;
        assert!(walked > 0, "no piece was audited meanwhile");
        wait_for_audit(&url).await;
    }
    let [without, beside] = [without, beside].map(|rounds| {
        let of = |which: fn(&Bookings) -> f64| median(rounds.iter().map(which));
        [of(|it| it.per_second), of(|it| it.within_ms(0.5)), of(|it| it.within_ms(0.99))]
    });
    for (name, [per_second, middle_ms, slow_ms]) in [("without", without), ("beside", beside)] {
        println!(
            "  {name:>8}: {per_second:>5.0} bookings/s, {middle_ms:>4.1} ms each, \
             p99 {slow_ms:.1} ms"
        );
    }
    println!("  p99 beside the audit: {:.2} of that without", beside[2] / without[2]);
}

const PIECES: &str = "select pieces from audit_rounds";

/// Posts corrections of balances until there are so many transactions, and seals them.
async fn fill(config: Config, count: usize) {
    let app = App::start(config).await.expect("the app");
    let users = "select user_id from users order by user_id";
    let mut conn = app.core.store.read().await.expect("a connection");
    let users: Vec<String> = sqlx::query_scalar(users).fetch_all(&mut *conn).await.expect("users");
    drop(conn);
    let numbers: Vec<usize> = (0..count).collect();
    for numbers in numbers.chunks(TOGETHER) {
        let (numbers, users) = (numbers.to_vec(), users.clone());
        let now_ms = app.core.clock.now_ms();
        let write = app.core.store.write(move |conn| {
            Box::pin(async move {
                for number in numbers {
                    let user_id = &users[number / 2 % users.len()];
                    let sign = if number % 2 == 0 { 1 } else { -1 };
                    let correction = correction(number, user_id, Paise::rupees(sign), now_ms);
                    let _ = store::movements::add(conn, &correction).await?;
                }
                Ok(())
            })
        });
        write.await.expect("a longer history");
        app.web.books.seal().await.expect("seals");
    }
    while number(&app.web.config.database_url, "select count(*) from ledger_unsealed").await > 0 {
        app.web.books.seal().await.expect("seals");
    }
    app.core.store.close().await;
}

fn correction(number: usize, user_id: &str, amount: Paise, created_ms: i64) -> Movement {
    Movement {
        movement_id: format!("adjustment:bench{number}"),
        kind: MovementKind::Adjustment,
        user_id: user_id.to_owned(),
        reference: String::new(),
        amount,
        part: Paise::ZERO,
        actor: "bench".to_owned(),
        note: "for a measurement".to_owned(),
        created_ms,
    }
}

async fn wait_for_audit(url: &str) {
    let undone = "select count(*) from audit_rounds where progress <> '' or passed_whole_ms = 0";
    wait_until(url, undone).await;
    assert_eq!(number(url, "select faults from audit_rounds").await, 0);
}

/// Waits until a query counts none.
async fn wait_until(url: &str, undone: &str) {
    let until = Instant::now() + Duration::from_secs(3_600);
    while number(url, undone).await > 0 {
        assert!(Instant::now() < until, "it does not end: {undone}");
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
}

async fn run_on(url: &str, statement: &str) {
    let mut conn = AnyConnection::connect(url).await.expect("a connection");
    let done = sqlx::raw_sql(AssertSqlSafe(statement.to_owned())).execute(&mut conn).await;
    done.expect("a change");
    conn.close().await.expect("closed");
}

async fn number(url: &str, query: &str) -> i64 {
    let mut conn = AnyConnection::connect(url).await.expect("a connection");
    let number = sqlx::query_scalar(AssertSqlSafe(query.to_owned()));
    let number = number.fetch_one(&mut conn).await.expect("a number");
    conn.close().await.expect("closed");
    number
}
