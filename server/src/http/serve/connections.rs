//! Open connections: the caps in total and per client, and the choice of connections to close when
//! a cap is reached.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::future::pending;
use std::net::IpAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use dakiya_core::config::{Config, Proxies};
use dakiya_core::limits;
use dakiya_core::services::accounts::rate_limits::ClientIp;

/// The caps and the times of one listener.
#[derive(Clone, Debug)]
pub struct Caps {
    /// The cap in total (count).
    pub all: usize,
    /// The cap per client (count).
    pub each: usize,
    /// The proxies that are exempt from the cap per client, as a proxy connects for many clients.
    pub proxies: Proxies,
    /// Time that a connection may stay without a request after its first one.
    pub keep_alive: Duration,
    /// Time after a stop signal in which connections are still accepted as before.
    pub drain: Duration,
    /// Time after that in which open requests may finish.
    pub finish: Duration,
}

impl Caps {
    pub fn of(config: &Config) -> Caps {
        Caps {
            each: match config.limit_clients {
                true => limits::CLIENT_CONNECTIONS_MAX,
                false => limits::CONNECTIONS_MAX,
            },
            proxies: config.proxies.clone(),
            keep_alive: config.keep_alive,
            drain: config.drain,
            finish: config.finish,
            ..Caps::default()
        }
    }
}

impl Default for Caps {
    /// Sets no cap per client: one client may use the total. A stop takes effect at once.
    fn default() -> Caps {
        Caps {
            all: limits::CONNECTIONS_MAX,
            each: limits::CONNECTIONS_MAX,
            proxies: Proxies::default(),
            keep_alive: Duration::from_secs(limits::KEEP_ALIVE_S),
            drain: Duration::ZERO,
            finish: Duration::from_secs(limits::FINISH_S),
        }
    }
}

/// The open connections of one listener.
#[derive(Debug)]
pub struct Connections {
    caps: Caps,
    open: Mutex<Open>,
    /// Notified when a connection closes or becomes idle.
    changed: Notify,
}

#[derive(Debug, Default)]
struct Open {
    count: usize,
    clients: HashMap<ClientIp, Counted>,
    /// Idle connections, the longest idle first, with the token that closes each.
    idle: BTreeMap<u64, (ClientIp, CancellationToken)>,
    /// The next key of `idle`.
    next: u64,
}

#[derive(Debug, Default)]
struct Counted {
    open: usize,
    /// The client's keys in `idle`.
    idle: BTreeSet<u64>,
}

impl Open {
    /// Closes the connection that is idle the longest, of this client or of any; false if there is
    /// none.
    fn give_up_idle(&mut self, client: Option<ClientIp>) -> bool {
        let longest = match client {
            Some(client) => self.clients.get(&client).and_then(|it| it.idle.first().copied()),
            None => self.idle.keys().next().copied(),
        };
        let Some(number) = longest else { return false };
        if let Some((client, close_token)) = self.idle.remove(&number) {
            if let Some(of_client) = self.clients.get_mut(&client) {
                of_client.idle.remove(&number);
            }
            close_token.cancel();
        }
        true
    }
}

impl Connections {
    pub fn new(caps: Caps) -> Arc<Connections> {
        Arc::new(Connections { caps, open: Mutex::default(), changed: Notify::new() })
    }

    /// Returns once another connection can be accepted.
    pub async fn wait_for_room(&self) {
        loop {
            let changed = self.changed.notified();
            let has_room = {
                let open = self.open();
                open.count < self.caps.all || !open.idle.is_empty()
            };
            if has_room {
                return;
            }
            changed.await;
        }
    }

    pub fn give_up_idle(&self) {
        if self.open().give_up_idle(None) {
            count_cut("idle");
        }
    }

    /// Registers a connection from this address; `None` if its client has too many.
    pub fn enter(self: &Arc<Self>, from: IpAddr) -> Option<Arc<OpenConnection>> {
        // A proxy keeps idle connections for reuse and would report an error to its client if one
        // closed during reuse.
        let client = (!self.caps.proxies.trusts(from)).then(|| ClientIp::from(from));
        let mut open = self.open();
        if let Some(client) = client {
            let of_client = open.clients.entry(client).or_default();
            if of_client.open >= self.caps.each && !open.give_up_idle(Some(client)) {
                count_refused("client");
                return None;
            }
        }
        if open.count >= self.caps.all && open.give_up_idle(None) {
            count_cut("idle");
        }
        open.count += 1;
        if let Some(client) = client {
            open.clients.entry(client).or_default().open += 1;
        }
        drop(open);
        let place = Arc::new(OpenConnection {
            connections: self.clone(),
            client,
            close_token: CancellationToken::new(),
            idle: Mutex::default(),
            had_request: AtomicBool::new(false),
        });
        place.set_idle();
        Some(place)
    }

    pub fn count(&self) -> usize {
        self.open().count
    }

    fn open(&self) -> MutexGuard<'_, Open> {
        self.open.lock().expect("no holder panics")
    }
}

/// One registered connection, until it is dropped.
#[derive(Debug)]
pub struct OpenConnection {
    connections: Arc<Connections>,
    client: Option<ClientIp>,
    close_token: CancellationToken,
    /// The key in `idle` while it has no request.
    idle: Mutex<Option<u64>>,
    /// Set when its first request begins.
    had_request: AtomicBool,
}

impl OpenConnection {
    /// Returns when the connection must close to make room for another.
    pub async fn wait_for_close(&self) {
        self.close_token.cancelled().await;
    }

    /// Returns if no request has begun in the time for the first head.
    pub async fn wait_for_no_request(&self) {
        sleep(Duration::from_millis(limits::HEAD_MS_MAX)).await;
        if self.had_request.load(Ordering::Relaxed) {
            pending().await
        }
    }

    /// Marks the connection as busy with a request until the returned guard is dropped.
    pub fn begin_request(self: &Arc<Self>) -> Working {
        self.had_request.store(true, Ordering::Relaxed);
        self.forget_idle();
        Working(self.clone())
    }

    fn set_idle(&self) {
        let Some(client) = self.client else { return };
        let mut open = self.connections.open();
        let number = open.next;
        open.next += 1;
        open.idle.insert(number, (client, self.close_token.clone()));
        open.clients.entry(client).or_default().idle.insert(number);
        *self.idle.lock().expect("no holder panics") = Some(number);
        drop(open);
        self.connections.changed.notify_one();
    }

    fn forget_idle(&self) {
        let Some(client) = self.client else { return };
        let mut open = self.connections.open();
        let number = self.idle.lock().expect("no holder panics").take();
        if let Some(number) = number
            && open.idle.remove(&number).is_some()
            && let Some(of_client) = open.clients.get_mut(&client)
        {
            of_client.idle.remove(&number);
        }
    }
}

impl Drop for OpenConnection {
    fn drop(&mut self) {
        self.forget_idle();
        let mut open = self.connections.open();
        open.count -= 1;
        if let Some(client) = self.client
            && let Some(of_client) = open.clients.get_mut(&client)
        {
            of_client.open -= 1;
            if of_client.open == 0 {
                open.clients.remove(&client);
            }
        }
        drop(open);
        self.connections.changed.notify_one();
    }
}

/// A request in progress, from its head to the last byte of its response.
#[derive(Debug)]
pub struct Working(Arc<OpenConnection>);

impl Drop for Working {
    fn drop(&mut self) {
        self.0.set_idle();
    }
}

fn count_refused(cap: &'static str) {
    metrics::counter!("dakiya_connections_refused_total", "cap" => cap).increment(1);
}

/// Counts a connection closed for this cause.
pub(super) fn count_cut(cause: &'static str) {
    metrics::counter!("dakiya_connections_cut_total", "cause" => cause).increment(1);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    fn connections(all: usize, each: usize, proxies: &str) -> Arc<Connections> {
        let proxies = proxies.parse().unwrap();
        Connections::new(Caps { all, each, proxies, ..Caps::default() })
    }

    #[test]
    fn one_client_has_only_so_many_places() {
        let open = connections(9, 2, "192.0.2.1");
        let client = address("2001:db8::1");
        let places: Vec<_> = (0..2).map(|_| open.enter(client).unwrap()).collect();
        let busy: Vec<_> = places.iter().map(OpenConnection::begin_request).collect();
        assert!(open.enter(address("2001:db8::2")).is_none(), "the same /64");
        assert!(open.enter(address("2001:db8:0:1::1")).is_some());
        let proxied: Vec<_> = (0..5).map(|_| open.enter(address("192.0.2.1"))).collect();
        assert!(proxied.iter().all(Option::is_some));
        drop((busy, places));
        assert!(open.enter(client).is_some());
        drop(proxied);
        assert_eq!(open.count(), 0);
        assert!(open.open().clients.is_empty(), "nothing stays of who left");
    }

    #[test]
    fn who_has_waited_longest_without_a_request_makes_room() {
        let open = connections(3, 3, "");
        let places: Vec<_> =
            (1..=3).map(|n| open.enter(IpAddr::from([203, 0, 113, n])).unwrap()).collect();
        let busy = places[0].begin_request();
        let fourth = open.enter(address("203.0.113.4")).unwrap();
        let is_closed = |place: &Arc<OpenConnection>| place.close_token.is_cancelled();
        assert!(!is_closed(&places[0]) && is_closed(&places[1]) && !is_closed(&places[2]));
        drop(busy);
        let _fifth = open.enter(address("203.0.113.5")).unwrap();
        assert!(!is_closed(&places[0]) && is_closed(&places[2]) && !is_closed(&fourth));
    }

    #[test]
    fn a_client_at_its_cap_gives_up_what_it_does_not_use() {
        let open = connections(9, 2, "");
        let client = address("203.0.113.7");
        let first = open.enter(client).unwrap();
        let second = open.enter(client).unwrap();
        let _busy = second.begin_request();
        let _other = open.enter(address("203.0.113.8")).unwrap();
        let third = open.enter(client).unwrap();
        assert!(first.close_token.is_cancelled() && !second.close_token.is_cancelled());
        assert!(!third.close_token.is_cancelled());
    }

    #[tokio::test]
    async fn whoever_comes_next_waits_while_all_are_at_work() {
        let open = connections(1, 1, "");
        let place = open.enter(address("203.0.113.7")).unwrap();
        let busy = place.begin_request();
        let wait = tokio::time::Duration::from_millis(20);
        assert!(tokio::time::timeout(wait, open.wait_for_room()).await.is_err());
        drop(busy);
        open.wait_for_room().await;
    }
}
