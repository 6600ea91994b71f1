//! /api/v1/couriers: what partner couriers send of their own accord. It proves nothing: it only
//! makes us ask them where a shipment is.

use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue};
use axum::response::Response;

use super::answer;
use crate::error::Result;
use crate::providers::courier::karrio::KARRIO;
use crate::providers::courier::shiprocket::SHIPROCKET;
use crate::services::bookings::Bookings;

/// Where Karrio sends its events.
pub const KARRIO_PATH: &str = "/couriers/karrio/callback";
/// Where Shiprocket does, which refuses addresses with its own name, "sr" or "kr" in them.
pub const SHIPROCKET_PATH: &str = "/couriers/domestic/callback";

pub async fn karrio(
    bookings: State<Bookings>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response> {
    take(&bookings, KARRIO, headers.get("x-event-id"), &body).await
}

pub async fn shiprocket(
    bookings: State<Bookings>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response> {
    take(&bookings, SHIPROCKET, headers.get("x-api-key"), &body).await
}

/// Answered at once; the round of tracking asks.
async fn take(
    bookings: &Bookings,
    courier: &str,
    secret: Option<&HeaderValue>,
    body: &[u8],
) -> Result<Response> {
    let secret = secret.map(HeaderValue::as_bytes);
    bookings.on_courier_callback(courier, secret, body).await?;
    Ok(answer::ok(&serde_json::json!({})))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shiprocket_takes_the_address_of_its_callbacks() {
        let address = format!("/api/v1{SHIPROCKET_PATH}");
        for word in ["shiprocket", "kartrocket", "sr", "kr"] {
            assert!(!address.contains(word), "{word}");
        }
    }
}
