//! Refuses requests that name another host than this machine. A page of any website may have its
//! own name lead here (DNS rebinding), and would then read the inbox and the orders as its own.

use std::net::IpAddr;

use axum::extract::{Request, State};
use axum::http::header::HOST;
use axum::http::uri::Authority;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use serde_json::json;

use super::wire::Refusal;

/// A layer around everything: requests to names of this machine, or to the sandbox's own address,
/// pass. Browsers always send a name.
pub(super) async fn check(State(own): State<IpAddr>, request: Request, next: Next) -> Response {
    let named = request.headers().get(HOST).map(|host| host.to_str().unwrap_or_default());
    if named.is_none_or(|host| is_ours(host, own)) {
        return next.run(request).await;
    }
    let message = "The sandbox answers requests to this machine only.";
    Refusal(421, json!({"error": message})).into_response()
}

fn is_ours(host: &str, own: IpAddr) -> bool {
    let Ok(authority) = host.parse::<Authority>() else { return false };
    let name = authority.host().trim_matches(['[', ']']);
    match name.parse::<IpAddr>() {
        // A page that was loaded from an address is not from another site.
        Ok(address) => address.is_loopback() || address == own || own.is_unspecified(),
        Err(_) => name.eq_ignore_ascii_case("localhost"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_of_this_machine_and_the_own_address_are_ours() {
        let here = "127.0.0.1".parse().unwrap();
        let inside = "10.0.0.9".parse().unwrap();
        for host in ["localhost", "LocalHost:8079", "127.0.0.1:8079", "127.1.2.3", "[::1]:80"] {
            assert!(is_ours(host, here) && is_ours(host, inside), "{host}");
        }
        for host in [
            "",
            "evil.example",
            "evil.example:8079",
            "localhost.evil.example",
            "127.0.0.1.evil.example",
            "127.0.0.1.nip.io",
            "localhost.",
            "10.0.0.8",
            "[fd00::1]",
            "a b",
        ] {
            assert!(!is_ours(host, here) && !is_ours(host, inside), "{host}");
        }
        assert!(is_ours("10.0.0.9:8079", inside) && !is_ours("10.0.0.9:8079", here));
        let anywhere = "0.0.0.0".parse().unwrap();
        assert!(is_ours("10.0.0.8", anywhere) && !is_ours("evil.example", anywhere));
    }
}
