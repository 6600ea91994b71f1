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
use crate::model::courier::{KARRIO, SHIPROCKET};
use crate::model::settings::callbacks;
use crate::mutant;
use crate::providers::courier::callback::awb_of;

pub async fn karrio(state: State<App>, headers: HeaderMap, body: Bytes) -> Result<Response> {
    hint(&state, KARRIO, headers.get(callbacks::KARRIO.header), &body).await
}

pub async fn shiprocket(state: State<App>, headers: HeaderMap, body: Bytes) -> Result<Response> {
    hint(
        &state,
        SHIPROCKET,
        headers.get(callbacks::SHIPROCKET.header),
        &body,
    )
    .await
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
