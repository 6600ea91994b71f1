//! /api/v1/couriers: callbacks of courier partners. They are not trusted as facts: a callback only
//! makes us request the shipment's tracking.

use axum::body::Bytes;
use axum::http::{HeaderMap, HeaderValue};

use crate::http::answer::{self, Answer};
use dakiya_core::model::settings::callbacks::{self, CourierCallback};
use dakiya_core::services::bookings::Bookings;

#[utoipa::path(
    post,
    path = "/couriers/karrio/callback",
    request_body = Object,
    responses((status = 200, body = Object)),
    security(())
)]
pub(crate) async fn karrio(bookings: Bookings, headers: HeaderMap, body: Bytes) -> Answer {
    take(&callbacks::KARRIO, &bookings, &headers, &body).await
}

#[utoipa::path(
    post,
    path = "/couriers/domestic/callback",
    request_body = Object,
    responses((status = 200, body = Object)),
    security(())
)]
pub(crate) async fn shiprocket(bookings: Bookings, headers: HeaderMap, body: Bytes) -> Answer {
    take(&callbacks::SHIPROCKET, &bookings, &headers, &body).await
}

/// Accepts a callback and responds at once; the tracking task requests the status later.
async fn take(
    callback: &CourierCallback,
    bookings: &Bookings,
    headers: &HeaderMap,
    body: &[u8],
) -> Answer {
    let secret = headers.get(callback.header).map(HeaderValue::as_bytes);
    bookings.on_courier_callback(callback.courier, secret, body).await?;
    Ok(answer::ok(&serde_json::json!({})))
}
