//! Rate limits per client: a burst, then one request per pause.

use std::fmt;
use std::hash::Hash;
use std::net::{IpAddr, Ipv6Addr};

use crate::limits::{self, Allowed};
use crate::services::rate_limiter::Pace;

/// The key of a client: an IPv4 address, or the first 64 bits of an IPv6 address, which identify
/// one internet connection (RFC 6177).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ClientIp(IpAddr);

impl fmt::Display for ClientIp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            IpAddr::V4(address) => write!(f, "{address}"),
            IpAddr::V6(network) => write!(f, "{network}/64"),
        }
    }
}

impl From<IpAddr> for ClientIp {
    fn from(address: IpAddr) -> ClientIp {
        ClientIp(match address.to_canonical() {
            IpAddr::V6(address) => {
                let network = u128::from(address) >> 64 << 64;
                IpAddr::V6(Ipv6Addr::from(network))
            }
            address => address,
        })
    }
}

/// Limits of one client on passwords and emails.
#[derive(Debug)]
pub struct RateLimits {
    /// Wrong passwords, for any username.
    pub logins: Pace<ClientIp>,
    /// Logins started with a passkey.
    pub passkey_logins: Pace<ClientIp>,
    pub registrations: Pace<ClientIp>,
    /// Registrations with mistakes, which tell if a name is taken.
    pub name_lookups: Pace<ClientIp>,
    /// Requests for a password link.
    pub resets: Pace<ClientIp>,
}

impl RateLimits {
    /// With `limited` false there is no limit.
    pub fn new(limited: bool) -> RateLimits {
        let limit = |kind, allowed| per_client(kind, limited.then_some(allowed));
        RateLimits {
            logins: limit("client_logins", limits::CLIENT_LOGINS),
            passkey_logins: limit("client_passkey_logins", limits::CLIENT_PASSKEY_LOGINS),
            registrations: limit("client_registrations", limits::CLIENT_REGISTRATIONS),
            name_lookups: limit("client_name_lookups", limits::CLIENT_NAME_LOOKUPS),
            resets: limit("client_resets", limits::CLIENT_RESETS),
        }
    }
}

/// Returns a limit on one kind of request, counted per client; without `allowed` there is none.
pub fn per_client<K: Eq + Hash>(kind: &'static str, allowed: Option<Allowed>) -> Pace<K> {
    Pace::new(kind, "Too many tries from your network. Please try again in {wait}.", allowed)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(address: &str) -> ClientIp {
        ClientIp::from(address.parse::<IpAddr>().unwrap())
    }

    #[test]
    fn a_connection_is_counted_once_however_many_addresses_it_has() {
        assert_eq!(client("2001:db8:1:2:3:4:5:6"), client("2001:db8:1:2::1"));
        assert_ne!(client("2001:db8:1:2::1"), client("2001:db8:1:3::1"));
        assert_eq!(client("::ffff:203.0.113.7"), client("203.0.113.7"));
        assert_ne!(client("203.0.113.7"), client("203.0.113.8"));
    }

    #[test]
    fn without_limits_nothing_is_refused() {
        let limits = RateLimits::new(false);
        for _ in 0..1_000 {
            limits.registrations.take(client("127.0.0.1"), 0).unwrap();
        }
    }
}
