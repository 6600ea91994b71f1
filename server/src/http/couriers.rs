//! /api/v1/couriers: what partner couriers send of their own accord. It proves nothing: it only
//! makes us ask them where a shipment is.

use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue};
use axum::response::Response;

use super::answer;
use crate::app::App;
use crate::domain::tracking;
use crate::error::{Error, Result};
use crate::mutant;
use crate::providers::courier::callback::awb_of;
use crate::providers::courier::karrio::KARRIO;
use crate::providers::courier::shiprocket::SHIPROCKET;

/// Where Karrio sends its events.
pub const KARRIO_PATH: &str = "/couriers/karrio/callback";
/// Where Shiprocket does, which refuses addresses with its own name, "sr" or "kr" in them.
pub const SHIPROCKET_PATH: &str = "/couriers/domestic/callback";

pub async fn karrio(state: State<App>, headers: HeaderMap, body: Bytes) -> Result<Response> {
    hint(&state, KARRIO, headers.get("x-event-id"), &body).await
}

pub async fn shiprocket(state: State<App>, headers: HeaderMap, body: Bytes) -> Result<Response> {
    hint(&state, SHIPROCKET, headers.get("x-api-key"), &body).await
}

/// Answered at once; the round of tracking asks. A shipment that is not ours is nobody's trouble:
/// a partner that is refused too often calls no more.
async fn hint(
    app: &App,
    courier: &str,
    given: Option<&HeaderValue>,
    body: &[u8],
) -> Result<Response> {
    let secret = app.couriers.callback_secret(courier);
    let secret = secret.ok_or_else(|| Error::NotFound("There is no such call.".into()))?;
    let genuine = given.is_some_and(|given| secret.is(given.as_bytes()));
    if !genuine && !mutant::on("courier-callback-unchecked") {
        return Err(Error::LoggedOut(
            "This callback is not from the courier.".into(),
        ));
    }
    let awb = awb_of(body).ok_or_else(|| {
        Error::Malformed("A callback is a JSON object, with the AWB it speaks of.".into())
    })?;
    tracking::hint(app, courier, &awb).await?;
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
