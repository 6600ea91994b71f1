//! A proxy before a server, which does to connections what a bad network does.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::time::sleep;

use crate::faults::Dice;

/// A request to commit, as a Postgres client sends it.
const COMMIT: &[u8] = b"commit\0";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trouble {
    None,
    /// Requests arrive up to this much later (milliseconds).
    Slow(usize),
    /// Bytes arrive no faster (bytes in a millisecond).
    Narrow(u64),
    /// One in so many requests loses its connection, before it arrives or before its answer does.
    RequestsLost(usize),
    /// One in so many requests to commit loses its connection in the same way.
    CommitsLost(usize),
    /// Connections that are open now stay open and carry nothing more, as to a server without
    /// power. Those that are opened later work.
    Silent,
}

/// The proxy. Its connections end with the runtime.
#[derive(Clone)]
pub struct Network {
    /// Host and port where it listens.
    pub address: String,
    trouble: watch::Sender<Trouble>,
    lost_requests: Arc<AtomicUsize>,
}

impl Network {
    /// Starts it before the server at this host and port.
    pub async fn start(server: String, mut dice: Dice) -> Network {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("an address");
        let address = listener.local_addr().expect("an address").to_string();
        let (trouble, seen) = watch::channel(Trouble::None);
        let lost_requests = Arc::new(AtomicUsize::new(0));
        let lost = Arc::clone(&lost_requests);
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let mut trouble = seen.clone();
                trouble.mark_unchanged();
                let (dice, lost) = (dice.fork(), Arc::clone(&lost));
                tokio::spawn(carry(client, server.clone(), trouble, dice, lost));
            }
        });
        Network { address, trouble, lost_requests }
    }

    pub fn set(&self, trouble: Trouble) {
        self.trouble.send_replace(trouble);
    }

    /// Number of requests that lost their connection so far.
    pub fn lost_requests(&self) -> usize {
        self.lost_requests.load(Ordering::Relaxed)
    }
}

/// Carries the bytes of one connection until either side ends it or the network does.
async fn carry(
    client: TcpStream,
    server: String,
    trouble: watch::Receiver<Trouble>,
    mut dice: Dice,
    lost_requests: Arc<AtomicUsize>,
) {
    let Ok(server) = TcpStream::connect(server).await else {
        return;
    };
    client.set_nodelay(true).expect("a client");
    server.set_nodelay(true).expect("a server");
    let (from_client, to_client) = client.into_split();
    let (from_server, to_server) = server.into_split();
    tokio::select! {
        () = ask(from_client, to_server, trouble.clone(), &mut dice, &lost_requests) => {}
        () = answer(from_server, to_client, trouble) => {}
    }
}

async fn ask(
    mut from: OwnedReadHalf,
    mut to: OwnedWriteHalf,
    trouble: watch::Receiver<Trouble>,
    dice: &mut Dice,
    lost_requests: &AtomicUsize,
) {
    let mut bytes = vec![0; 16_384];
    while let Ok(count @ 1..) = from.read(&mut bytes).await {
        let bytes = &bytes[..count];
        let now = *trouble.borrow();
        let is_lost = match now {
            Trouble::RequestsLost(one_in) => dice.below(one_in) == 0,
            Trouble::CommitsLost(one_in) => bytes.ends_with(COMMIT) && dice.below(one_in) == 0,
            _ => false,
        };
        if let Trouble::Slow(most) = now {
            sleep(milliseconds(dice.below(most))).await;
        }
        if is_lost {
            lost_requests.fetch_add(1, Ordering::Relaxed);
            if dice.below(2) == 0 {
                return;
            }
        }
        if !pass(bytes, &mut to, &trouble).await || is_lost {
            return;
        }
    }
}

async fn answer(
    mut from: OwnedReadHalf,
    mut to: OwnedWriteHalf,
    trouble: watch::Receiver<Trouble>,
) {
    let mut bytes = vec![0; 16_384];
    while let Ok(count @ 1..) = from.read(&mut bytes).await {
        if !pass(&bytes[..count], &mut to, &trouble).await {
            return;
        }
    }
}

/// Passes bytes on; false if the other side is gone.
async fn pass(bytes: &[u8], to: &mut OwnedWriteHalf, trouble: &watch::Receiver<Trouble>) -> bool {
    let now = *trouble.borrow();
    match now {
        Trouble::Silent if trouble.has_changed().is_ok_and(|changed| changed) => {
            std::future::pending().await
        }
        Trouble::Narrow(each_ms) => {
            let count = u64::try_from(bytes.len()).expect("64 bits");
            sleep(Duration::from_millis(count / each_ms)).await;
        }
        _ => {}
    }
    to.write_all(bytes).await.is_ok()
}

fn milliseconds(count: usize) -> Duration {
    Duration::from_millis(u64::try_from(count).expect("64 bits"))
}
