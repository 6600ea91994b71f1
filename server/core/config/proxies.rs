//! The reverse proxies trusted to name the client of a request.

use std::net::IpAddr;
use std::str::FromStr;

use ipnet::IpNet;

/// Addresses and networks of the operator's reverse proxies: `127.0.0.1, 10.0.0.0/8,
/// 2001:db8::/32`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Proxies(Vec<IpNet>);

/// The text is not a list of addresses and networks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not addresses or networks with commas between")]
pub struct NotProxies;

impl FromStr for Proxies {
    type Err = NotProxies;

    fn from_str(text: &str) -> Result<Proxies, NotProxies> {
        let names = text.split(',').map(str::trim);
        let networks = names.filter(|name| !name.is_empty()).map(network);
        networks.collect::<Option<_>>().map(Proxies).ok_or(NotProxies)
    }
}

/// Parses an address, or an address and the count of its leading bits. The address is parsed by the
/// standard library, which refuses leading zeros: some programs read them as octal.
fn network(text: &str) -> Option<IpNet> {
    match text.split_once('/') {
        Some((address, bits)) => IpNet::new(address.parse().ok()?, bits.parse().ok()?).ok(),
        None => text.parse().map(IpAddr::into).ok(),
    }
}

impl Proxies {
    /// True if this is the address of a trusted proxy.
    pub fn trusts(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        self.0.iter().any(|network| network.contains(&address))
    }

    /// The client of a request: `peer` itself, unless it is a trusted proxy. A proxy appends the
    /// address it received the request from to `forwarded_for`, so the list is read from its end,
    /// until the first address that is not a trusted proxy. Entries before that one may be forged.
    pub fn client(&self, peer: IpAddr, forwarded_for: &str) -> IpAddr {
        let mut client = peer;
        for name in forwarded_for.rsplit(',').map(str::trim) {
            match name.parse() {
                Ok(before) if self.trusts(client) => client = before,
                _ => break,
            }
        }
        client
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(proxies: &str, peer: &str, forwarded_for: &str) -> String {
        let proxies: Proxies = proxies.parse().unwrap();
        let peer = peer.parse().unwrap();
        proxies.client(peer, forwarded_for).to_string()
    }

    #[test]
    fn only_proxies_of_ours_are_believed() {
        let claimed = "198.51.100.1, 203.0.113.7";
        assert_eq!(client("", "192.0.2.1", claimed), "192.0.2.1");
        assert_eq!(client("127.0.0.1", "192.0.2.1", claimed), "192.0.2.1");
        assert_eq!(client("127.0.0.1", "127.0.0.1", claimed), "203.0.113.7");
        assert_eq!(client("127.0.0.1", "::ffff:127.0.0.1", claimed), "203.0.113.7");
        assert_eq!(client("127.0.0.1", "127.0.0.1", ""), "127.0.0.1");
        assert_eq!(client("127.0.0.1", "127.0.0.1", "x, unknown"), "127.0.0.1");
    }

    #[test]
    fn a_chain_of_proxies_ends_at_the_first_address_that_is_not_ours() {
        let ours = "127.0.0.1,10.0.0.0/8, 2001:db8::/32";
        let claimed = "198.51.100.1, 203.0.113.7, 10.1.2.3";
        assert_eq!(client(ours, "127.0.0.1", claimed), "203.0.113.7");
        assert_eq!(client(ours, "2001:db8::1", "2001:db9::1"), "2001:db9::1");
        assert_eq!(client(ours, "127.0.0.1", "10.9.9.9, 10.1.2.3"), "10.9.9.9");
        assert_eq!(client("0.0.0.0/0", "192.0.2.1", "198.51.100.1"), "198.51.100.1");
    }

    #[test]
    fn a_text_that_is_no_network_is_refused() {
        for text in
            ["proxy", "10.0.0.0/33", "10.0.0.0/x", "::/129", "010.0.0.0/8", "1.2.3.4 5.6.7.8"]
        {
            assert_eq!(text.parse::<Proxies>(), Err(NotProxies), "{text}");
        }
        assert_eq!("".parse(), Ok(Proxies::default()));
    }
}
