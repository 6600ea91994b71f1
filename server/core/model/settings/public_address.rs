//! Addresses of the public internet, told from those of this machine and of closed networks.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::sync::LazyLock;

use ipnet::{Ipv4Net, Ipv6Net};

/// IPv4 networks that are not public: this machine, private and link-local networks, carriers'
/// shared addresses, documentation, benchmarks, multicast and reserved numbers. From the IANA
/// registry of special-purpose addresses.
const CLOSED_V4: &[&str] = &[
    "0.0.0.0/8",
    "10.0.0.0/8",
    "100.64.0.0/10",
    "127.0.0.0/8",
    "169.254.0.0/16",
    "172.16.0.0/12",
    "192.0.0.0/24",
    "192.0.2.0/24",
    "192.88.99.0/24",
    "192.168.0.0/16",
    "198.18.0.0/15",
    "198.51.100.0/24",
    "203.0.113.0/24",
    "224.0.0.0/4",
    "240.0.0.0/4",
];

/// All IPv6 addresses that are given out are in here.
const OPEN_V6: &str = "2000::/3";

/// Special networks within it: protocols (Teredo is one), documentation, and 6to4, which leads to
/// the IPv4 address in it.
const CLOSED_V6: &[&str] = &["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"];

/// A network with IPv6 alone reaches an IPv4 address under this prefix (RFC 6052).
const NAT64: &str = "64:ff9b::/96";

struct Networks {
    closed_v4: Vec<Ipv4Net>,
    open_v6: Ipv6Net,
    closed_v6: Vec<Ipv6Net>,
    nat64: Ipv6Net,
}

static NETWORKS: LazyLock<Networks> = LazyLock::new(|| {
    let v6 = |text: &str| text.parse::<Ipv6Net>().expect("a network of ours");
    let v4 = |text: &&str| text.parse::<Ipv4Net>().expect("a network of ours");
    Networks {
        closed_v4: CLOSED_V4.iter().map(v4).collect(),
        open_v6: v6(OPEN_V6),
        closed_v6: CLOSED_V6.iter().map(|text| v6(text)).collect(),
        nat64: v6(NAT64),
    }
});

/// True for an address that anybody on the internet may reach. An IPv4 address that is written as
/// an IPv6 address (`::ffff:…`) is not: no name server gives one.
pub fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    !NETWORKS.closed_v4.iter().any(|network| network.contains(&address))
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    let networks = &*NETWORKS;
    if networks.nat64.contains(&address) {
        let [.., a, b, c, d] = address.octets();
        return is_public_v4(Ipv4Addr::new(a, b, c, d));
    }
    networks.open_v6.contains(&address)
        && !networks.closed_v6.iter().any(|network| network.contains(&address))
}

/// True for an address that at most a closed network reaches: of this machine, or of a private
/// network. The address of all interfaces (`0.0.0.0`) is none. An IPv4 address that is written as
/// an IPv6 address counts as the IPv4 address.
pub fn is_closed(address: IpAddr) -> bool {
    let address = address.to_canonical();
    !is_public(address) && !address.is_unspecified()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_and_last_address_of_each_closed_network_are_not_public_and_their_neighbours_are() {
        for (first, last) in [
            ("0.0.0.0", "0.255.255.255"),
            ("10.0.0.0", "10.255.255.255"),
            ("100.64.0.0", "100.127.255.255"),
            ("127.0.0.0", "127.255.255.255"),
            ("169.254.0.0", "169.254.255.255"),
            ("172.16.0.0", "172.31.255.255"),
            ("192.0.0.0", "192.0.0.255"),
            ("192.0.2.0", "192.0.2.255"),
            ("192.88.99.0", "192.88.99.255"),
            ("192.168.0.0", "192.168.255.255"),
            ("198.18.0.0", "198.19.255.255"),
            ("198.51.100.0", "198.51.100.255"),
            ("203.0.113.0", "203.0.113.255"),
            ("224.0.0.0", "239.255.255.255"),
            ("240.0.0.0", "255.255.255.255"),
        ] {
            let [first, last]: [Ipv4Addr; 2] = [first, last].map(|it| it.parse().unwrap());
            assert!(!is_public_v4(first) && !is_public_v4(last), "{first} to {last}");
            let before = u32::from(first).checked_sub(1).map(Ipv4Addr::from);
            let after = u32::from(last).checked_add(1).map(Ipv4Addr::from);
            let outside = [before, after].into_iter().flatten();
            // Two networks touch at 240.0.0.0.
            let outside = outside.filter(|it| it.octets()[0] < 224);
            for address in outside {
                assert!(is_public_v4(address), "{address}");
            }
        }
        for address in ["1.1.1.1", "8.8.8.8", "49.36.0.1", "103.21.58.2", "223.255.255.255"] {
            assert!(is_public(address.parse().unwrap()), "{address}");
        }
    }

    #[test]
    fn an_ipv6_address_is_public_if_it_was_given_out_and_leads_to_no_closed_ipv4_address() {
        for address in [
            "::",
            "::1",
            "::7f00:1",
            "::ffff:127.0.0.1",
            "::ffff:10.0.0.1",
            "::ffff:8.8.8.8",
            "64:ff9b::7f00:1",
            "64:ff9b::10.1.2.3",
            "64:ff9b::169.254.169.254",
            "64:ff9b:1::1",
            "100::1",
            "1fff:ffff::1",
            "2001::1",
            "2001:0:7f00:1::",
            "2001:1ff::1",
            "2001:db8::1",
            "2002:7f00:1::",
            "2002:a00:1::1",
            "3fff::1",
            "3fff:fff::1",
            "4000::1",
            "5f00::1",
            "fc00::1",
            "fd12:3456:789a::1",
            "fe80::1",
            "fe80::a9fe:a9fe",
            "fec0::1",
            "ff02::1",
            "ff0e::1",
        ] {
            assert!(!is_public(address.parse().unwrap()), "{address}");
        }
        for address in [
            "2001:200::1",
            "2001:4860:4860::8888",
            "2400:cb00::1",
            "2606:4700:4700::1111",
            "2a00:1450::1",
            "64:ff9b::8.8.8.8",
        ] {
            assert!(is_public(address.parse().unwrap()), "{address}");
        }
    }

    #[test]
    fn all_interfaces_together_are_neither_public_nor_closed() {
        for address in ["127.0.0.1", "::1", "10.1.2.3", "100.64.0.1", "fd00::1", "::ffff:10.1.2.3"]
        {
            assert!(is_closed(address.parse().unwrap()), "{address}");
        }
        let mapped = ["::ffff:0.0.0.0", "::ffff:8.8.8.8"];
        for address in
            ["0.0.0.0", "::", "8.8.8.8", "2606:4700:4700::1111"].into_iter().chain(mapped)
        {
            assert!(!is_closed(address.parse().unwrap()), "{address}");
        }
    }
}
