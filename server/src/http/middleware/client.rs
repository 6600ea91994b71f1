//! The client of a request: its network and its browser.

use std::convert::Infallible;
use std::net::{IpAddr, Ipv4Addr};

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};

use crate::http::state::AppState;
use crate::model::account::device::Device;
use crate::model::account::security_event::Origin;
use crate::services::accounts::rate_limits::ClientIp;

/// The peer address of a connection, attached to each of its requests.
#[derive(Clone, Copy, Debug)]
pub struct Peer(pub IpAddr);

impl FromRequestParts<AppState> for ClientIp {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, web: &AppState) -> Result<ClientIp, Infallible> {
        let peer = parts.extensions.get::<Peer>();
        let peer = peer.map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |peer| peer.0);
        let forwarded_for = forwarded_for(&parts.headers);
        Ok(web.config.proxies.client(peer, &forwarded_for).into())
    }
}

impl FromRequestParts<AppState> for Origin {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, web: &AppState) -> Result<Origin, Infallible> {
        let client = ClientIp::from_request_parts(parts, web).await?;
        let user_agent = parts.headers.get(header::USER_AGENT);
        let user_agent = user_agent.and_then(|value| value.to_str().ok());
        Ok(Origin { address: client.to_string(), device: Device::of(user_agent.unwrap_or("")) })
    }
}

/// Joins all headers of this name into one list.
fn forwarded_for(headers: &HeaderMap) -> String {
    let lists = headers.get_all("x-forwarded-for").iter();
    let lists: Vec<&str> = lists.filter_map(|list| list.to_str().ok()).collect();
    lists.join(",")
}
