//! How often one client may do something: so many times at once, then one after every pause.
//!
//! Kept in memory: a restart forgives, and each server of several counts for itself.

use std::collections::HashMap;
use std::fmt;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::Mutex;

use crate::error::{Error, Result};
use crate::limits::{self, Allowed};

/// A client as it is counted: an IPv4 address, or the 64 bits of an IPv6 address that tell one
/// connection to the internet from another (RFC 6177).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Client(IpAddr);

impl fmt::Display for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            IpAddr::V4(address) => write!(f, "{address}"),
            IpAddr::V6(network) => write!(f, "{network}/64"),
        }
    }
}

impl From<IpAddr> for Client {
    fn from(address: IpAddr) -> Client {
        Client(match address.to_canonical() {
            IpAddr::V6(address) => {
                let network = u128::from(address) >> 64 << 64;
                IpAddr::V6(Ipv6Addr::from(network))
            }
            address => address,
        })
    }
}

/// What one client may do against passwords and mailboxes.
#[derive(Debug)]
pub struct RateLimits {
    /// Wrong passwords, whatever the username.
    pub logins: RateLimit,
    pub registrations: RateLimit,
    /// Links for a new password.
    pub resets: RateLimit,
}

impl RateLimits {
    /// With `limited` false everything may be done at any pace.
    pub fn new(limited: bool) -> RateLimits {
        let pace = |allowed| RateLimit {
            allowed: limited.then_some(allowed),
            ..RateLimit::default()
        };
        RateLimits {
            logins: pace(limits::CLIENT_LOGINS),
            registrations: pace(limits::CLIENT_REGISTRATIONS),
            resets: pace(limits::CLIENT_RESETS),
        }
    }
}

/// Counts one thing for every client.
#[derive(Debug, Default)]
pub struct RateLimit {
    /// Without, nothing is counted.
    allowed: Option<Allowed>,
    /// When all that a client did will have been paid for by pauses (UTC milliseconds).
    paid_ms: Mutex<HashMap<Client, i64>>,
}

impl RateLimit {
    /// Counts one more; `TooMany` when it is one too many just now.
    pub fn take(&self, client: Client, now_ms: i64) -> Result<()> {
        let Some(Allowed { at_once, pause_ms }) = self.allowed else {
            return Ok(());
        };
        let mut paid = self.paid_ms.lock().expect("no holder panics");
        if paid.len() >= limits::CLIENTS_MAX {
            paid.retain(|_, paid_ms| *paid_ms > now_ms);
        }
        if paid.len() >= limits::CLIENTS_MAX {
            // So many at once are an attack from everywhere, which this cannot slow down.
            paid.clear();
        }
        // No later than what is allowed, whatever a wrong clock said before.
        let latest_ms = now_ms + at_once * pause_ms;
        let paid_ms = paid.entry(client).or_insert(now_ms);
        *paid_ms = (*paid_ms).clamp(now_ms, latest_ms);
        let over_ms = *paid_ms + pause_ms - latest_ms;
        if over_ms <= 0 {
            *paid_ms += pause_ms;
            return Ok(());
        }
        let retry_after_s = over_ms.unsigned_abs().div_ceil(1_000);
        let wait = match retry_after_s {
            ..=60 => format!("{retry_after_s} s"),
            _ => format!("{} min", retry_after_s.div_ceil(60)),
        };
        let message = format!("Too many tries from your network. Please try again in {wait}.");
        Err(Error::TooMany {
            message: message.into(),
            retry_after_s,
        })
    }

    /// Takes one back: it was none of those that are counted.
    pub fn give_back(&self, client: Client) {
        let Some(allowed) = self.allowed else { return };
        let mut paid = self.paid_ms.lock().expect("no holder panics");
        if let Some(paid_ms) = paid.get_mut(&client) {
            *paid_ms -= allowed.pause_ms;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(address: &str) -> Client {
        Client::from(address.parse::<IpAddr>().unwrap())
    }

    fn pace() -> RateLimit {
        RateLimit {
            allowed: Some(Allowed {
                at_once: 3,
                pause_ms: 10_000,
            }),
            ..RateLimit::default()
        }
    }

    #[test]
    fn three_at_once_then_one_after_every_pause() {
        let (pace, asha) = (pace(), client("203.0.113.7"));
        for _ in 0..3 {
            pace.take(asha, 0).unwrap();
        }
        match pace.take(asha, 4_000) {
            Err(Error::TooMany { retry_after_s, .. }) => assert_eq!(retry_after_s, 6),
            other => panic!("{other:?}"),
        }
        pace.take(client("203.0.113.8"), 4_000).unwrap();
        pace.take(asha, 10_000).unwrap();
        assert!(pace.take(asha, 10_000).is_err());
        pace.give_back(asha);
        pace.take(asha, 10_000).unwrap();
        for _ in 0..3 {
            pace.take(asha, 1_000_000).unwrap();
        }
        assert!(pace.take(asha, 1_000_000).is_err());
    }

    #[test]
    fn a_clock_that_was_a_year_ahead_keeps_nobody_out() {
        let (pace, asha) = (pace(), client("203.0.113.7"));
        pace.take(asha, 365 * limits::DAY_MS).unwrap();
        assert!(pace.take(asha, 0).is_err());
        pace.take(asha, 10_000).unwrap();
    }

    #[test]
    fn a_connection_is_counted_once_however_many_addresses_it_has() {
        assert_eq!(client("2001:db8:1:2:3:4:5:6"), client("2001:db8:1:2::1"));
        assert_ne!(client("2001:db8:1:2::1"), client("2001:db8:1:3::1"));
        assert_eq!(client("::ffff:203.0.113.7"), client("203.0.113.7"));
        assert_ne!(client("203.0.113.7"), client("203.0.113.8"));
    }

    #[test]
    fn what_is_remembered_is_bounded() {
        let pace = pace();
        for number in 0..=u32::try_from(limits::CLIENTS_MAX).unwrap() {
            let address = IpAddr::from(number.to_be_bytes());
            pace.take(Client::from(address), 0).unwrap();
        }
        assert_eq!(pace.paid_ms.lock().unwrap().len(), 1);
    }

    #[test]
    fn without_limits_nothing_is_counted() {
        let limits = RateLimits::new(false);
        for _ in 0..1_000 {
            limits.registrations.take(client("127.0.0.1"), 0).unwrap();
        }
        assert!(limits.registrations.paid_ms.lock().unwrap().is_empty());
    }
}
