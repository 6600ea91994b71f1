//! /api/v1/payment/phonepe: wallet recharges.

use axum::body::Bytes;
use axum::http::{HeaderMap, header};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::http::answer::{self, Answer};
use crate::http::extract::{Json, Path};
use dakiya_core::error::{Error, Result};
use dakiya_core::model::account::session::CurrentUser;
use dakiya_core::model::openapi_schema::Text;
use dakiya_core::model::payment::{PaymentData, PendingOrder, RawRecharge, Verified};
use dakiya_core::services::payments::Payments;

/// Payments the gateway has not decided.
#[derive(Serialize, ToSchema)]
#[schema(as = PendingPayments)]
struct Pending {
    results: Vec<PendingOrder>,
}

#[utoipa::path(get, path = "/payment/phonepe/pending", responses((status = 200, body = Pending)))]
pub(crate) async fn pending(payments: Payments, user: CurrentUser) -> Answer {
    let results = payments.pending(user.id()).await?;
    Ok(answer::ok(&Pending { results }))
}

#[derive(Serialize, ToSchema)]
struct OrderCreated {
    success: bool,
    message: &'static str,
    payment_data: PaymentData,
}

/// The order's number.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(default)]
#[schema(as = PaymentMeant)]
pub struct RawOrder {
    #[schema(required)]
    merchant_order_id: Text,
}

impl RawOrder {
    /// Returns the order's id.
    ///
    /// # Errors
    /// `Fields` when it is empty.
    pub fn id(&self) -> Result<&str> {
        let message = "Invalid payment response. Please try again.";
        match self.merchant_order_id.as_str() {
            "" => Err(Error::field("merchant_order_id", message)),
            id => Ok(id),
        }
    }
}

#[utoipa::path(
    post,
    path = "/payment/phonepe/create",
    request_body = RawRecharge,
    responses((status = 200, body = OrderCreated))
)]
pub(crate) async fn create(
    payments: Payments,
    user: CurrentUser,
    Json(raw): Json<RawRecharge>,
) -> Answer {
    let payment_data = payments.create(&user, &raw).await?;
    let message = "Payment order created";
    Ok(answer::ok(&OrderCreated { success: true, message, payment_data }))
}

#[utoipa::path(
    post,
    path = "/payment/phonepe/verify",
    request_body = RawOrder,
    responses((status = 200, body = Verified))
)]
pub(crate) async fn verify(
    payments: Payments,
    user: CurrentUser,
    Json(raw): Json<RawOrder>,
) -> Answer {
    Ok(answer::ok(&payments.verify(&user, raw.id()?).await?))
}

/// Takes a pending payment off the list; answers with what is left of it.
#[utoipa::path(
    post,
    path = "/payment/phonepe/dismiss",
    request_body = RawOrder,
    responses((status = 200, body = Pending))
)]
pub(crate) async fn dismiss(
    payments: Payments,
    user: CurrentUser,
    Json(raw): Json<RawOrder>,
) -> Answer {
    payments.dismiss(&user, raw.id()?).await?;
    let results = payments.pending(user.id()).await?;
    Ok(answer::ok(&Pending { results }))
}

#[utoipa::path(
    get,
    path = "/payment/phonepe/status/{id}",
    responses((status = 200, body = Verified))
)]
pub(crate) async fn status(payments: Payments, user: CurrentUser, Path(id): Path) -> Answer {
    Ok(answer::ok(&payments.status(&user, &id).await?))
}

/// The gateway says that something changed. It proves nothing: it only makes us ask. Answered at
/// once, as the gateway waits three seconds at most; the sweep asks.
#[utoipa::path(
    post,
    path = "/payment/phonepe/callback",
    request_body = Object,
    responses((status = 200, body = Object)),
    security(())
)]
pub(crate) async fn callback(payments: Payments, headers: HeaderMap, body: Bytes) -> Answer {
    let authorization = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
    payments.on_callback(authorization, &body).await?;
    Ok(answer::ok(&serde_json::json!({})))
}
