//! /api/v1/couriers: what partner couriers send of their own accord. It proves nothing: it only
//! makes us ask them where a shipment is.

use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue};
use axum::response::Response;

use crate::error::Result;
use crate::http::answer;
use crate::model::courier::{KARRIO, SHIPROCKET};
use crate::model::settings::callbacks;
use crate::services::bookings::Bookings;

#[utoipa::path(
    post,
    path = "/couriers/karrio/callback",
    request_body = Object,
    responses((status = 200, body = Object)),
    security(())
)]
pub async fn karrio(
    bookings: State<Bookings>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response> {
    take(
        &bookings,
        KARRIO,
        headers.get(callbacks::KARRIO.header),
        &body,
    )
    .await
}

#[utoipa::path(
    post,
    path = "/couriers/domestic/callback",
    request_body = Object,
    responses((status = 200, body = Object)),
    security(())
)]
pub async fn shiprocket(
    bookings: State<Bookings>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response> {
    take(
        &bookings,
        SHIPROCKET,
        headers.get(callbacks::SHIPROCKET.header),
        &body,
    )
    .await
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
