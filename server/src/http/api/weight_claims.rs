//! /api/v1/wallet/weight-differences: couriers' claims that parcels were heavier than booked.

use axum::response::Response;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::error::Result;
use crate::http::answer;
use crate::http::extract::{Json, Path};
use crate::model::account::session::CurrentUser;
use crate::model::booking::weight_claim::{self, WeightClaimShown};
use crate::model::openapi_schema::Text;
use crate::services::books::Books;

#[derive(Serialize, ToSchema)]
struct WeightClaims {
    results: Vec<WeightClaimShown>,
}

#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(default)]
pub struct RawWeightDispute {
    reason: Text,
}

/// The result of the answer.
#[derive(Serialize, ToSchema)]
struct WeightClaimAnswered {
    success: bool,
    message: &'static str,
}

fn answered(message: &'static str) -> Result<Response> {
    let success = true;
    Ok(answer::ok(&WeightClaimAnswered { success, message }))
}

#[utoipa::path(
    get,
    path = "/wallet/weight-differences",
    responses((status = 200, body = WeightClaims))
)]
pub(crate) async fn list(books: Books, user: CurrentUser) -> Result<Response> {
    let claims = books.weight_claims(user.id()).await?;
    let results = claims.into_iter().map(WeightClaimShown::from).collect();
    Ok(answer::ok(&WeightClaims { results }))
}

#[utoipa::path(
    post,
    path = "/wallet/weight-differences/{id}/accept",
    responses((status = 200, body = WeightClaimAnswered))
)]
pub(crate) async fn accept(books: Books, user: CurrentUser, Path(id): Path) -> Result<Response> {
    books.accept_weight(user.id(), &id).await?;
    answered(weight_claim::ACCEPTED)
}

#[utoipa::path(
    post,
    path = "/wallet/weight-differences/{id}/dispute",
    request_body = RawWeightDispute,
    responses((status = 200, body = WeightClaimAnswered))
)]
pub(crate) async fn dispute(
    books: Books,
    user: CurrentUser,
    Path(id): Path,
    Json(raw): Json<RawWeightDispute>,
) -> Result<Response> {
    let reason = raw.reason.as_str();
    books.dispute_weight(user.id(), &id, reason).await?;
    answered(weight_claim::DISPUTED)
}
