//! Bookings per second with a partner's courier, by more and more customers at once, on the
//! Postgres of `DATABASE_URL`, which is a millisecond away. Each booking is two transactions of its
//! own, as the partner answers in between.

use std::io::{self, Read as _, Write as _};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;
use std::time::{Duration, Instant};

use futures_util::future::join_all;

use crate::customers::{Connection, Running, customers, free_address};
use crate::peers::median;

const CUSTOMERS: [usize; 4] = [1, 4, 16, 32];
const ROUNDS: usize = 5;
const SECONDS: u64 = 4;

/// The time that a request to the database takes longer.
const AWAY: Duration = Duration::from_millis(1);

/// Prints the table.
pub fn run() {
    let Ok(url) = std::env::var("DATABASE_URL") else {
        println!("\nbookings with a partner: needs the Postgres of DATABASE_URL");
        return;
    };
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(measure(&url));
}

async fn measure(url: &str) {
    let folder = tempfile::TempDir::new().expect("a folder");
    let address = free_address();
    let most = CUSTOMERS.into_iter().max().unwrap_or_default();
    let cookies = customers(folder.path(), &address, most).await;
    let mut product = Running::product(folder.path(), &address);
    product.env("DAKIYA_COURIERS", "house,shiprocket");
    product.env("DATABASE_URL", far(url).expect("a way to the database"));
    let ours = Running::start(product, None, &address).await;
    println!(
        "\nbookings with a partner, a Postgres a millisecond away: medians of {ROUNDS} rounds of \
         {SECONDS} s"
    );
    for count in CUSTOMERS {
        let opening = cookies[..count].iter().map(|it| Connection::open(&ours.address, it));
        let mut all = join_all(opening).await;
        let mut rounds = Vec::new();
        for number in 0..=ROUNDS {
            let figures = round(&mut all).await;
            // Round 0 is the warm-up.
            if number > 0 {
                rounds.push(figures);
            }
        }
        let per_second = median(rounds.iter().map(|it| it.0));
        let middle_ms = median(rounds.iter().map(|it| it.1));
        println!("  {count:>3} customers: {per_second:>5.0} bookings/s, {middle_ms:>4.0} ms each");
    }
}

/// Lets all customers book until the time is over. Returns the bookings of a second and the median
/// time of one (milliseconds).
async fn round(all: &mut [Connection]) -> (f64, f64) {
    let begun = Instant::now();
    let until = begun + Duration::from_secs(SECONDS);
    let booking = all.iter_mut().map(|customer| async move {
        let mut took = Vec::new();
        while Instant::now() < until {
            let begun = Instant::now();
            customer.book(true).await;
            took.push(begun.elapsed().as_secs_f64() * 1e3);
        }
        took
    });
    let took: Vec<f64> = join_all(booking).await.into_iter().flatten().collect();
    let seconds = begun.elapsed().as_secs_f64();
    (took.len() as f64 / seconds, median(took.into_iter()))
}

/// Returns the address of a place on this machine from which requests to the database take longer.
/// Threads carry the bytes, as the runtime's clock counts in milliseconds.
fn far(url: &str) -> io::Result<String> {
    let (before, rest) = url.split_once('@').ok_or(io::ErrorKind::InvalidInput)?;
    let (host, path) = rest.split_once('/').ok_or(io::ErrorKind::InvalidInput)?;
    let host = host.to_owned();
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let address = listener.local_addr()?;
    thread::spawn(move || {
        for near in listener.incoming().flatten() {
            connect(near, &host).expect("a connection to the database");
        }
    });
    Ok(format!("{before}@{address}/{path}"))
}

fn connect(near: TcpStream, host: &str) -> io::Result<()> {
    let far = TcpStream::connect(host)?;
    near.set_nodelay(true)?;
    far.set_nodelay(true)?;
    let (mut from_far, mut to_near) = (far.try_clone()?, near.try_clone()?);
    thread::spawn(move || {
        let _ = io::copy(&mut from_far, &mut to_near);
        let _ = to_near.shutdown(Shutdown::Both);
    });
    let (send, sent) = mpsc::channel();
    thread::spawn(move || take(near, &send));
    thread::spawn(move || give(far, &sent));
    Ok(())
}

/// Reads bytes, each with the moment at which it arrives.
fn take(mut near: TcpStream, send: &Sender<(Instant, Vec<u8>)>) {
    let mut bytes = vec![0; 64 * 1_024];
    while let Ok(count) = near.read(&mut bytes) {
        if count == 0 || send.send((Instant::now() + AWAY, bytes[..count].to_vec())).is_err() {
            return;
        }
    }
}

fn give(mut far: TcpStream, sent: &Receiver<(Instant, Vec<u8>)>) {
    for (arrives, bytes) in sent {
        thread::sleep(arrives.saturating_duration_since(Instant::now()));
        if far.write_all(&bytes).is_err() {
            break;
        }
    }
    let _ = far.shutdown(Shutdown::Both);
}
