//! Bookings per second, each with its quotes: many concurrent customers and one server with all
//! processors, on SQLite or on the Postgres of `DATABASE_URL`.

use std::collections::HashMap;

use futures_util::future::join_all;

use crate::customers::{Bookings, Connection, Running, customers, free_address};
use crate::peers::{by_thread, median};

const CUSTOMERS: usize = 64;
const ROUNDS: usize = 5;
const SECONDS: u64 = 4;

/// The results of one round.
struct Figures {
    per_second: f64,
    /// The longest and the median time of a booking (milliseconds).
    longest_ms: f64,
    middle_ms: f64,
    /// Processor time per booking, by thread name (microseconds).
    micros: HashMap<String, f64>,
}

/// Prints the table.
pub fn run() {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(measure());
}

async fn measure() {
    let folder = tempfile::TempDir::new().expect("a folder");
    let address = free_address();
    let cookies = customers(folder.path(), &address, CUSTOMERS).await;
    let product = Running::product(folder.path(), &address);
    let ours = Running::start(product, None, &address).await;
    let opening = cookies.iter().map(|it| Connection::open(&address, it));
    let mut all = join_all(opening).await;
    println!(
        "\nbookings with their quotes: {CUSTOMERS} customers at once beside the server, \
         medians of {ROUNDS} rounds of {SECONDS} s"
    );
    let mut rounds = Vec::new();
    for number in 0..=ROUNDS {
        let figures = round(&ours, &mut all).await;
        // Round 0 is the warm-up.
        if number > 0 {
            rounds.push(figures);
        }
    }
    let of = |figure: fn(&Figures) -> f64| median(rounds.iter().map(figure));
    println!(
        "  {:.0} bookings/s, {:.0} ms each, at most {:.0}; {:.0} µs of processor a booking",
        of(|it| it.per_second),
        of(|it| it.middle_ms),
        of(|it| it.longest_ms),
        of(|it| it.micros.values().sum()),
    );
    for (thread, micros) in by_thread(rounds.iter().map(|it| &it.micros)) {
        println!("  {micros:>8.0} µs {thread}");
    }
    println!("  {:.0} MiB of memory after that", ours.resident_kib() / 1_024.0);
}

/// Lets all customers book until the time is over.
async fn round(server: &Running, all: &mut [Connection]) -> Figures {
    let before = server.processor_micros();
    let booked = Bookings::of(all, SECONDS, false).await;
    Figures {
        per_second: booked.per_second,
        longest_ms: booked.within_ms(1.0),
        middle_ms: booked.within_ms(0.5),
        micros: server.micros_each(&before, booked.took_ms.len() as f64),
    }
}
