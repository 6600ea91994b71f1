//! /api/v1/shipping: bookings and their history.

use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::response::Response;
use serde::Serialize;

use super::answer;
use super::extract::{IdempotencyKey, JsonText, MaybeUser, RawPaging};
use crate::app::App;
use crate::domain::cancel::Outcome;
use crate::domain::money::Paise;
use crate::domain::session::CurrentUser;
use crate::domain::{booking, cancel, history, wallet};
use crate::error::{Error, Result};

#[derive(Serialize)]
struct Cancelled {
    message: &'static str,
    balance: Paise,
}

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

/// Cancels, and answers what the wallet holds now: 202 while the courier has not answered.
pub async fn cancel(
    State(app): State<App>,
    user: CurrentUser,
    Path(id): Path<String>,
) -> Result<Response> {
    let (status, message) = match cancel::cancel(&app, user.id(), &id).await? {
        Outcome::Cancelled => (StatusCode::OK, cancel::CANCELLED),
        Outcome::Asked => (StatusCode::ACCEPTED, cancel::ASKED),
    };
    let balance = wallet::balance(&app, user.id()).await?;
    Ok(answer::json(status, &Cancelled { message, balance }))
}

/// The same from a plain form, answered with the list of bookings and what became of it.
pub async fn cancel_form(
    State(app): State<App>,
    MaybeUser(user): MaybeUser,
    Path(id): Path<String>,
) -> Result<Response> {
    let Some(user) = user else {
        return Ok(answer::see_other(
            "/login?next=/dashboard%3Ftab%3Dbookings&expired=1",
        ));
    };
    let said = match cancel::cancel(&app, user.id(), &id).await {
        Ok(Outcome::Cancelled) => "cancelled=1",
        Ok(Outcome::Asked) => "cancelled=asked",
        Err(Error::Conflict { .. } | Error::NotFound(_)) => "cancelled=late",
        Err(error) => return Err(error),
    };
    Ok(answer::see_other(&format!(
        "/dashboard?tab=bookings&{said}"
    )))
}

pub async fn history(
    State(app): State<App>,
    user: CurrentUser,
    Query(paging): Query<RawPaging>,
) -> Result<Response> {
    Ok(answer::ok(
        &history::list(&app, user.id(), paging.parse()?).await?,
    ))
}

pub async fn find(
    State(app): State<App>,
    user: CurrentUser,
    Path(id): Path<String>,
) -> Result<Response> {
    Ok(answer::ok(&history::find(&app, user.id(), &id).await?))
}
