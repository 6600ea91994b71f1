//! Fetches files at addresses that a provider returned. Such an address may lead anywhere, so it is
//! checked where the connection is made: by the address itself, or by all addresses of its name.
//! Names are resolved once, for the check and the connection together.

use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use tokio::net::lookup_host;
use tokio::time::Instant;
use url::{Host, Url};

use super::api_client::TransportError;
use super::calls::CallKind;
use super::http::{Body, Client, ClientError, Reply, Request};
use crate::model::settings::public_address::is_public;
use crate::model::settings::web_url::{is_loopback, is_web_url};

/// The client of the files that one provider returns the addresses of.
#[derive(Clone, Debug)]
pub struct ReturnedFiles {
    http: Client,
    reach: Reach,
}

/// Where a returned address may lead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reach {
    /// To the public internet, by https.
    Public,
    /// To this machine only, where the provider is too: the sandbox, for example.
    SameMachine,
}

impl ReturnedFiles {
    /// Creates the client for the provider with this name and base URL.
    pub fn new(
        partner: &'static str,
        base: &str,
        connect: Duration,
    ) -> Result<ReturnedFiles, ClientError> {
        let reach = Reach::of(base);
        let plain_only = reach == Reach::SameMachine;
        let http = Client::resolving_by(partner, reach, plain_only, connect)?;
        Ok(ReturnedFiles { http, reach })
    }

    /// Fetches a label, without our credential. A redirect is not followed: it is a reply.
    ///
    /// # Errors
    /// Fails with `NotDone`, also for an address that may not be fetched.
    pub async fn fetch(
        &self,
        url: &str,
        deadline: Instant,
        try_max: Duration,
    ) -> Result<Reply, TransportError> {
        if !self.reach.allows_url(url) {
            return Err(TransportError::NotDone("the file's address is refused".to_owned()));
        }
        let request = Request {
            call: CallKind::Label,
            url,
            authorization: None,
            body: Body::None,
            timeout: try_max.min(deadline.saturating_duration_since(Instant::now())),
        };
        let fetched = self.http.send(request).await;
        fetched.map_err(|error| TransportError::NotDone(error.to_string()))
    }
}

impl Reach {
    /// A provider on this machine returns addresses of this machine, and any other none of them.
    fn of(provider: &str) -> Reach {
        match is_loopback(provider) && provider.starts_with("http://") {
            true => Reach::SameMachine,
            false => Reach::Public,
        }
    }

    fn allows(self, address: IpAddr) -> bool {
        match self {
            Reach::Public => is_public(address),
            Reach::SameMachine => address.is_loopback(),
        }
    }

    /// True if this URL may be requested. The client resolves no name that is an address, so
    /// addresses are checked here, and names by `resolve`.
    fn allows_url(self, text: &str) -> bool {
        let Ok(url) = Url::parse(text) else { return false };
        let scheme = match self {
            Reach::Public => "https",
            Reach::SameMachine => "http",
        };
        let allows_host = match url.host() {
            Some(Host::Ipv4(address)) => self.allows(address.into()),
            Some(Host::Ipv6(address)) => self.allows(address.into()),
            Some(Host::Domain(_)) => true,
            None => false,
        };
        is_web_url(text)
            && url.scheme() == scheme
            && url.username().is_empty()
            && url.password().is_none()
            && allows_host
    }

    /// Returns the addresses of a name, unless one of them is not allowed.
    fn checked(self, found: Vec<SocketAddr>) -> Result<Addrs, &'static str> {
        match found.iter().all(|address| self.allows(address.ip())) {
            true => Ok(Box::new(found.into_iter())),
            false => Err("the name leads to an address that is refused"),
        }
    }
}

impl Resolve for Reach {
    fn resolve(&self, name: Name) -> Resolving {
        let reach = *self;
        Box::pin(async move {
            let found = lookup_host((name.as_str(), 0)).await?.collect();
            Ok(reach.checked(found)?)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::providers::http::CONNECT;

    const PARTNER: &str = "https://apiv2.shiprocket.in/v1/external";
    const SANDBOX: &str = "http://127.0.0.1:8079/shiprocket/v1/external";

    /// Hosts that lead to this machine, to closed networks or to nowhere, in many spellings.
    const REFUSED: &[&str] = &[
        "127.0.0.1",
        "127.0.0.1.",
        "127.1",
        "127.0.1",
        "127.255.255.254",
        "2130706433",
        "0x7f000001",
        "0x7f.1",
        "0177.0.0.1",
        "017700000001",
        "0",
        "0.0.0.0",
        "0.1.2.3",
        "10.0.0.1",
        "10.255.255.255",
        "0x0a000001",
        "012.0.0.1",
        "100.64.0.1",
        "100.100.100.200",
        "100.127.255.254",
        "169.254.0.1",
        "169.254.169.254",
        "0xa9fea9fe",
        "2852039166",
        "169.254.170.2",
        "172.16.0.1",
        "172.31.255.254",
        "192.0.0.8",
        "192.0.0.192",
        "192.0.2.1",
        "192.88.99.1",
        "192.168.0.1",
        "192.168.255.254",
        "3232235777",
        "198.18.0.1",
        "198.19.255.254",
        "198.51.100.7",
        "203.0.113.7",
        "224.0.0.1",
        "239.255.255.250",
        "240.0.0.1",
        "255.255.255.255",
        "[::]",
        "[::1]",
        "[0:0:0:0:0:0:0:1]",
        "[::127.0.0.1]",
        "[::ffff:127.0.0.1]",
        "[::ffff:7f00:1]",
        "[::ffff:10.0.0.1]",
        "[::ffff:169.254.169.254]",
        "[::ffff:8.8.8.8]",
        "[64:ff9b::127.0.0.1]",
        "[64:ff9b::a9fe:a9fe]",
        "[64:ff9b:1::1]",
        "[100::1]",
        "[2001::1]",
        "[2001:db8::1]",
        "[2002:7f00:1::]",
        "[2002:c0a8:101::1]",
        "[3fff::1]",
        "[5f00::1]",
        "[fc00::1]",
        "[fd00:ec2::254]",
        "[fe80::1]",
        "[fec0::1]",
        "[ff02::1]",
    ];

    const ALLOWED: &[&str] = &[
        "1.1.1.1",
        "8.8.8.8",
        "13.232.0.9",
        "49.36.0.1",
        "[2606:4700:4700::1111]",
        "[2400:cb00::1]",
        "[64:ff9b::8.8.8.8]",
        "shiprocket.co",
        "kr-shipmultichannel-mum.s3.ap-south-1.amazonaws.com",
    ];

    #[test]
    fn an_address_of_a_closed_network_is_refused_in_every_spelling() {
        assert!(REFUSED.len() >= 60, "{}", REFUSED.len());
        let reach = Reach::of(PARTNER);
        for host in REFUSED {
            for url in [format!("https://{host}/label.pdf"), format!("https://{host}:8443/")] {
                assert!(!reach.allows_url(&url), "{url}");
            }
        }
        for host in ALLOWED {
            assert!(reach.allows_url(&format!("https://{host}/label.pdf")), "{host}");
        }
    }

    #[test]
    fn a_partner_out_there_returns_https_addresses_without_a_login() {
        let reach = Reach::of(PARTNER);
        for url in [
            "http://shiprocket.co/label.pdf",
            "ftp://shiprocket.co/label.pdf",
            "file:///etc/passwd",
            "gopher://shiprocket.co/",
            "https://user@shiprocket.co/label.pdf",
            "https://user:password@shiprocket.co/label.pdf",
            "https://shiprocket.co@127.0.0.1/",
            "https://",
            "//shiprocket.co/label.pdf",
            "/label.pdf",
            "https://shiprocket.co/a b",
            "https://shiprocket.co/\n",
            "",
        ] {
            assert!(!reach.allows_url(url), "{url}");
        }
    }

    #[test]
    fn a_provider_on_this_machine_returns_addresses_of_this_machine() {
        let reach = Reach::of(SANDBOX);
        for url in ["http://127.0.0.1:8079/label.pdf", "http://localhost/", "http://[::1]/"] {
            assert!(reach.allows_url(url), "{url}");
        }
        for host in REFUSED.iter().chain(ALLOWED).filter(|it| it.parse::<IpAddr>().is_ok()) {
            let is_here = host.starts_with("127.");
            assert_eq!(reach.allows_url(&format!("http://{host}/label.pdf")), is_here, "{host}");
        }
    }

    #[test]
    fn a_name_is_refused_if_one_of_its_addresses_is() {
        let addresses = |texts: &[&str]| {
            let parsed = texts.iter().map(|text| SocketAddr::new(text.parse().unwrap(), 0));
            parsed.collect::<Vec<_>>()
        };
        let open = ["1.1.1.1", "2606:4700:4700::1111"];
        assert_eq!(Reach::Public.checked(addresses(&open)).map(Iterator::count), Ok(2));
        for closed in ["127.0.0.1", "10.0.0.1", "169.254.169.254", "::1", "::ffff:10.0.0.1"] {
            for mixed in [[closed, "1.1.1.1"], ["1.1.1.1", closed]] {
                assert!(Reach::Public.checked(addresses(&mixed)).is_err(), "{mixed:?}");
            }
        }
        assert!(Reach::SameMachine.checked(addresses(&["127.0.0.1", "1.1.1.1"])).is_err());
    }

    /// The client asks our resolver: `localhost` is a name that every machine resolves.
    #[tokio::test]
    async fn a_name_that_leads_to_this_machine_is_not_connected_to() {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let connected = tokio::spawn(async move { listener.accept().await.is_ok() });
        let files = ReturnedFiles {
            http: Client::resolving_by("test", Reach::Public, true, CONNECT).unwrap(),
            reach: Reach::SameMachine,
        };
        let deadline = Instant::now() + Duration::from_secs(30);
        let url = format!("http://localhost:{port}/label.pdf");
        let refused = files.fetch(&url, deadline, Duration::from_secs(30)).await.unwrap_err();
        assert!(refused.to_string().contains("leads to an address"), "{refused}");
        assert!(!connected.is_finished());
        connected.abort();
    }
}
