//! The cost of a long history: the pages of a customer with a million bookings beside those of one
//! with ten, in one data file.

use std::time::Instant;

use sqlx::{AssertSqlSafe, Connection as _, SqliteConnection};

use crate::customers::{Connection, Running, customers, free_address};
use crate::peers::median;

/// The bookings of the customer with the long history, each with two ledger transactions.
const BOOKINGS: i64 = 1_000_000;

/// The bookings of all other customers together.
const OTHERS: i64 = 1_500_000;

const SHORT: usize = 10;

const ROUNDS: usize = 41;

/// Prints the table. `DAKIYA_BENCH_BOOKINGS` sets another length.
pub fn run() {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(measure());
}

async fn measure() {
    let asked = std::env::var("DAKIYA_BENCH_BOOKINGS");
    let long = asked.map_or(BOOKINGS, |count| count.parse().expect("a count"));
    let folder = tempfile::TempDir::new().expect("a folder");
    let address = free_address();
    let cookies = customers(folder.path(), &address, 3).await;
    {
        let product = Running::product(folder.path(), &address);
        let _server = Running::start(product, None, &address).await;
        for (cookie, count) in cookies.iter().zip([SHORT, 1, 1]) {
            let mut customer = Connection::open(&address, cookie).await;
            for _ in 0..count {
                customer.book(false).await;
            }
        }
    }
    let began = Instant::now();
    let file = folder.path().join("dakiya.sqlite");
    let url = format!("sqlite://{}", file.display());
    let mut conn = SqliteConnection::connect(&url).await.expect("the data file");
    for (name, count) in [("bench1", long), ("bench2", OTHERS * long / BOOKINGS)] {
        for statement in more_of(name, count) {
            let done = sqlx::raw_sql(AssertSqlSafe(statement)).execute(&mut conn).await;
            done.expect("a longer history");
        }
    }
    conn.close().await.expect("a closed file");
    println!(
        "\na long history: {long} bookings of {} in the file, written in {:.0} s, {:.1} GB",
        long + OTHERS * long / BOOKINGS,
        began.elapsed().as_secs_f64(),
        file.metadata().map_or(0.0, |file| file.len() as f64) / 1e9,
    );
    let product = Running::product(folder.path(), &address);
    let _server = Running::start(product, None, &address).await;
    let mut short = Connection::open(&address, &cookies[0]).await;
    let mut customer = Connection::open(&address, &cookies[1]).await;
    let of_ten = time(&mut short, "/dashboard?").await;
    println!("{of_ten:9.2} ms  dashboard of the customer with {SHORT} bookings");
    let api = "/api/v1";
    let (middle, last) = (long / 40, long / 20);
    for (name, path) in [
        ("dashboard", "/dashboard?".to_owned()),
        ("bookings, the first 20", format!("{api}/shipping/history/?")),
        ("bookings in the middle", format!("{api}/shipping/history/?page={middle}&")),
        ("bookings, the last", format!("{api}/shipping/history/?page={last}&")),
        ("statement, the first 20", format!("{api}/wallet/transactions/?")),
        ("statement in the middle", format!("{api}/wallet/transactions/?page={middle}&")),
        ("statement, the last", format!("{api}/wallet/transactions/?page={last}&")),
        ("debits in the middle", format!("{api}/wallet/transactions/?type=debit&page={middle}&")),
        ("a month of the statement", format!("{api}/wallet/transactions/?{MONTH}&")),
        ("a day of it as a file", format!("/wallet/statement.csv?{DAY}&")),
    ] {
        let took = time(&mut customer, &path).await;
        println!("{took:9.2} ms  {name}: {:.2} of that dashboard", took / of_ten);
    }
}

const MONTH: &str = "from=2026-03-01&to=2026-03-31";
const DAY: &str = "from=2026-03-14&to=2026-03-14";

/// Returns the median time of a page that is new each time (milliseconds).
async fn time(customer: &mut Connection, path: &str) -> f64 {
    let mut took = Vec::new();
    for round in 0..ROUNDS {
        let began = Instant::now();
        customer.get(&format!("{path}seen={round}")).await;
        took.push(began.elapsed().as_secs_f64() * 1_000.0);
    }
    median(took.into_iter())
}

/// Returns SQL for `count` copies of this customer's only booking, spread over the two years before
/// it, each held and captured.
fn more_of(name: &str, count: i64) -> Vec<String> {
    let step_ms = 2 * 365 * 86_400_000 / count.max(1);
    let numbers = format!(
        "with recursive numbers(i) as (
             select 1 union all select i + 1 from numbers where i < {count}),
           one as (select b.* from bookings b join users u on u.user_id = b.user_id
             where u.username = '{name}' limit 1)"
    );
    let like = |table: &str, columns: &str, changed: &[(&str, String)]| {
        let values = columns.split(", ").map(|column| {
            let change = changed.iter().find(|(name, _)| *name == column);
            change.map_or(format!("t.{column}"), |(_, value)| value.clone())
        });
        let values: Vec<String> = values.collect();
        format!(
            "{numbers} insert into {table} ({columns}) select {} from numbers
             cross join {table} t join one on one.booking_id = t.{}",
            values.join(", "),
            if table == "ledger_transactions" { "reference" } else { "booking_id" },
        )
    };
    let at = format!("one.created_ms - i * {step_ms}");
    let id = format!("'{name}x' || i");
    let bookings = "booking_id, user_id, awb, status, quote_id, product_id, product_name, \
        courier_code, consignee_name, origin_pincode, origin_city, destination_pincode, \
        destination_city, weight_grams, amount_paise, details, created_ms, sealed_numbers";
    let orders = "booking_id, user_id, courier, service, reference, idempotency_key, request_hash, \
        state, reason, looked_up, called_ms, created_ms, awb, courier_id";
    let top = "(select max(wallet_seq) from ledger_transactions)";
    let entries = format!(
        "with one as (select b.user_id, b.booking_id from bookings b
             join users u on u.user_id = b.user_id
             where u.username = '{name}' and b.booking_id not like '{name}x%'),
           first as materialized (select t.kind, e.* from one
             join ledger_transactions t on t.reference = one.booking_id
             join ledger_entries e on e.transaction_id = t.transaction_id)
         insert into ledger_entries (transaction_id, line, account_id, amount_paise,
           balance_after_paise)
         select t.transaction_id, e.line, e.account_id, e.amount_paise, e.balance_after_paise
         from ledger_transactions t
         join one on one.user_id = t.user_id
         join first e on e.kind = t.kind
         where t.transaction_id like '{name}x%'"
    );
    // The month in India.
    let month = "strftime('%Y-%m', (created_ms + 19800000) / 1000, 'unixepoch')";
    let transactions = "transaction_id, wallet_seq, kind, idempotency_key, user_id, reference, \
        description, created_ms, hash";
    let text = String::from;
    vec![
        text("pragma foreign_keys = off; pragma synchronous = off; pragma cache_size = -1000000"),
        text("begin"),
        // The first rows of the books must be the oldest.
        format!(
            "drop trigger if exists ledger_transactions_no_update;
             update ledger_transactions set created_ms = created_ms - 3 * 31536000000
             where user_id = (select user_id from users where username = '{name}')"
        ),
        like(
            "bookings",
            bookings,
            &[
                ("booking_id", id.clone()),
                ("awb", format!("'DK{name}x' || i")),
                ("quote_id", id.clone()),
                ("created_ms", at.clone()),
            ],
        ),
        like(
            "courier_orders",
            orders,
            &[
                ("booking_id", id.clone()),
                ("reference", format!("'DK{name}x' || i")),
                ("created_ms", at.clone()),
            ],
        ),
        like(
            "ledger_transactions",
            transactions,
            &[
                ("transaction_id", format!("'{name}x' || t.kind || i")),
                (
                    "wallet_seq",
                    format!(
                        "{top} + ({count} - i) * 2 + case t.kind when 'hold' then 1 else 2 end"
                    ),
                ),
                ("idempotency_key", format!("'{name}x' || t.kind || i")),
                ("reference", id),
                ("created_ms", at),
            ],
        ),
        entries,
        text("delete from booking_counts; delete from statement_counts"),
        format!(
            "insert into booking_counts (user_id, month, status, bookings, amount_paise)
             select user_id, {month}, status, count(*), sum(amount_paise)
             from bookings group by 1, 2, 3"
        ),
        format!(
            "insert into statement_counts
               (user_id, month, kind, sign, lines, amount_paise, first_seq, last_seq)
             select t.user_id, {month}, t.kind, sign(e.amount_paise), count(*),
               sum(e.amount_paise), min(t.wallet_seq), max(t.wallet_seq)
             from ledger_transactions t
             join ledger_entries e on e.transaction_id = t.transaction_id
               and e.account_id = 'available:' || t.user_id
             group by 1, 2, 3, 4"
        ),
        text("commit"),
    ]
}
