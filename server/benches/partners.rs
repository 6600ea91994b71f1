//! Bookings per second with a partner's courier, by more and more customers at once, on the
//! Postgres of `DATABASE_URL`, which is a millisecond away. Each booking is two transactions of its
//! own, as the partner answers in between.

use std::fs;
use std::io::{self, Read as _, Write as _};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::thread;
use std::time::{Duration, Instant};

use dakiya::app::{SANDBOX_SHIPROCKET_EMAIL, SANDBOX_SHIPROCKET_PASSWORD};
use futures_util::future::join_all;
use serde_json::json;

use crate::customers::{Bookings, Connection, Running, customers, free_address};
use crate::peers::median;

/// The numbers of servers and of customers who book at once.
const LOADS: [(usize, usize); 6] = [(1, 1), (1, 4), (1, 16), (1, 32), (2, 32), (4, 32)];

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
    let most = LOADS.iter().map(|load| load.1).max().unwrap_or_default();
    let cookies = customers(folder.path(), &free_address(), most).await;
    let far = far(url).expect("a way to the database");
    println!(
        "\nbookings with a partner, a Postgres a millisecond away: medians of {ROUNDS} rounds of \
         {SECONDS} s"
    );
    // The sandbox of the first server is the partner of all.
    let (partner, mut servers) = (free_address(), Vec::<Running>::new());
    for (count, at_once) in LOADS {
        while servers.len() < count {
            let address = free_address();
            let folder = folder.path().join(servers.len().to_string());
            let mut product = Running::product(&folder, &address);
            product.env("DAKIYA_COURIERS", "house,shiprocket").env("DATABASE_URL", &far);
            if servers.is_empty() {
                product.env("DAKIYA_SANDBOX_LISTEN", &partner);
            } else {
                product.env(
                    "DAKIYA_SHIPROCKET_URL",
                    format!("http://{partner}/shiprocket/v1/external"),
                );
                product.env("DAKIYA_SHIPROCKET_EMAIL", SANDBOX_SHIPROCKET_EMAIL);
                product.env("DAKIYA_SHIPROCKET_PASSWORD", SANDBOX_SHIPROCKET_PASSWORD);
            }
            servers.push(Running::start(product, None, &address).await);
            // It answers when the partner does.
            Connection::open(&address, "").await.get("/login").await;
            if servers.len() == 1 {
                fill_wallet(&partner).await;
            }
        }
        let servers = servers.iter().cycle();
        let opening = cookies[..at_once].iter().zip(servers);
        let opening = opening.map(|(it, server)| Connection::open(&server.address, it));
        let mut all = join_all(opening).await;
        let mut rounds = Vec::new();
        for number in 0..=ROUNDS {
            let (began, before) = (Instant::now(), PROGRAMS.map(seconds_of));
            let booked = Bookings::of(&mut all, SECONDS, true).await;
            let took = began.elapsed().as_secs_f64();
            let after = PROGRAMS.map(seconds_of);
            let busy = [(after[0] - before[0]) / took, (after[1] - before[1]) / took];
            // Round 0 is the warm-up.
            if number > 0 {
                rounds.push((booked, busy));
            }
        }
        let per_second = median(rounds.iter().map(|it| it.0.per_second));
        let middle_ms = median(rounds.iter().map(|it| it.0.within_ms(0.5)));
        let [postgres, ours] = [0, 1].map(|at| median(rounds.iter().map(|it| it.1[at])));
        println!(
            "  {count} servers, {at_once:>2} customers: {per_second:>5.0} bookings/s, \
             {middle_ms:>4.0} ms each; processors: Postgres {postgres:.2}, servers {ours:.2}"
        );
    }
}

/// Gives us more money at the partner than all bookings cost.
async fn fill_wallet(partner: &str) {
    let mut partner = Connection::open(partner, "").await;
    let settings = json!({"wallet_paise": 1_000_000_000_000_i64});
    let (status, answer) =
        partner.send("PATCH", "/__sim/shiprocket/settings", Some(&settings)).await;
    assert_eq!(status, 200, "{answer:?}");
}

/// The names of the processes that share this machine with the customers.
const PROGRAMS: [&str; 2] = ["(postgres)", "(dakiya)"];

/// The processor time of all processes of a program on this machine so far (seconds).
fn seconds_of(program: &str) -> f64 {
    let processes = fs::read_dir("/proc").expect("processes").flatten();
    let stats = processes.filter_map(|it| fs::read_to_string(it.path().join("stat")).ok());
    let ticks = stats.filter(|stat| stat.contains(program)).map(|stat| {
        let (_, rest) = stat.rsplit_once(')').expect("a name");
        let ticks = rest.split_whitespace().skip(11).take(2);
        ticks.map(|ticks| ticks.parse::<f64>().expect("ticks")).sum::<f64>()
    });
    ticks.sum::<f64>() / TICKS
}

/// The ticks of a second in what Linux tells.
const TICKS: f64 = 100.0;

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
    thread::spawn(move || delay(near, far));
    Ok(())
}

/// Passes requests on. A client sends nothing before it has its answer, so no bytes wait longer.
fn delay(mut near: TcpStream, mut far: TcpStream) {
    let mut bytes = vec![0; 64 * 1_024];
    while let Ok(count @ 1..) = near.read(&mut bytes) {
        thread::sleep(AWAY);
        if far.write_all(&bytes[..count]).is_err() {
            break;
        }
    }
    let _ = far.shutdown(Shutdown::Both);
}
