//! /api/v1/shipping: bookings and their history.

use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::response::Response;

use super::answer;
use super::extract::{IdempotencyKey, JsonText, RawPaging};
use crate::app::App;
use crate::domain::booking;
use crate::domain::session::CurrentUser;
use crate::error::Result;

pub async fn create(
    State(app): State<App>,
    user: CurrentUser,
    IdempotencyKey(key): IdempotencyKey,
    JsonText(body): JsonText,
) -> Result<Response> {
    let answer = booking::confirm(&app, &user, &key, &body).await?;
    let status = u16::try_from(answer.status)
        .ok()
        .and_then(|s| StatusCode::from_u16(s).ok());
    Ok(answer::json_text(
        status.unwrap_or(StatusCode::OK),
        answer.body,
    ))
}

pub async fn history(
    State(app): State<App>,
    user: CurrentUser,
    Query(paging): Query<RawPaging>,
) -> Result<Response> {
    Ok(answer::ok(
        &booking::history(&app, user.id(), paging.parse()?).await?,
    ))
}

pub async fn find(
    State(app): State<App>,
    user: CurrentUser,
    Path(id): Path<String>,
) -> Result<Response> {
    Ok(answer::ok(&booking::find(&app, user.id(), &id).await?))
}
