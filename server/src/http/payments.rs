//! /api/v1/payment/phonepe: recharging the wallet.

use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, header};
use axum::response::Response;
use serde::{Deserialize, Serialize};

use super::answer;
use super::extract::Json;
use crate::app::App;
use crate::domain::payment::{self, PaymentData, RawRecharge};
use crate::domain::session::CurrentUser;
use crate::domain::text::Text;
use crate::error::{Error, Result};
use crate::mutant;
use crate::providers::gateway::phonepe::callback::parse_callback;

#[derive(Serialize)]
struct Created {
    success: bool,
    message: &'static str,
    payment_data: PaymentData,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct RawVerify {
    merchant_order_id: Text,
}

pub async fn create(
    State(app): State<App>,
    user: CurrentUser,
    Json(raw): Json<RawRecharge>,
) -> Result<Response> {
    let payment_data = payment::create(&app, &user, &raw).await?;
    let message = "Payment order created";
    Ok(answer::ok(&Created {
        success: true,
        message,
        payment_data,
    }))
}

pub async fn verify(
    State(app): State<App>,
    user: CurrentUser,
    Json(raw): Json<RawVerify>,
) -> Result<Response> {
    if raw.merchant_order_id.is_empty() {
        return Err(Error::field(
            "merchant_order_id",
            "Invalid payment response. Please try again.",
        ));
    }
    Ok(answer::ok(
        &payment::verify(&app, &user, raw.merchant_order_id.as_str()).await?,
    ))
}

pub async fn status(
    State(app): State<App>,
    user: CurrentUser,
    Path(id): Path<String>,
) -> Result<Response> {
    Ok(answer::ok(&payment::status(&app, &user, &id).await?))
}

/// The gateway's hint that something changed. It proves nothing: it only makes us ask.
/// Answered at once, as the gateway waits three to five seconds (server/docs/payments.md); the
/// sweep asks.
pub async fn callback(State(app): State<App>, headers: HeaderMap, body: Bytes) -> Result<Response> {
    let authorization = headers
        .get(header::AUTHORIZATION)
        .and_then(|value| value.to_str().ok());
    let genuine = authorization.is_some_and(|value| app.gateway.callback_is_genuine(value));
    if !genuine && !mutant::on("callback-hash-unchecked") {
        return Err(Error::LoggedOut(
            "This callback is not from the payment gateway.".into(),
        ));
    }
    if let Some(id) = parse_callback(&body) {
        payment::hint(&app, &id).await?;
    }
    Ok(answer::ok(&serde_json::json!({})))
}
