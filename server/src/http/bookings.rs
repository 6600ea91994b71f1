//! /api/v1/shipping: bookings and their history.

use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::response::Response;
use serde::Serialize;

use super::answer;
use super::extract::{IdempotencyKey, JsonText, MaybeUser, RawPaging};
use super::web::Web;
use crate::error::{Error, Result};
use crate::model::account::session::CurrentUser;
use crate::model::booking::cancellation;
use crate::model::booking::confirmation::{self, BookedShipment, Confirmation};
use crate::model::money::paise::Paise;
use crate::services::bookings::Bookings;
use crate::services::bookings::cancel::Cancellation;

#[derive(Serialize)]
struct Booked {
    message: &'static str,
    data: [BookedShipment; 1],
}

#[derive(Serialize)]
struct Cancelled {
    message: &'static str,
    balance: Paise,
}

pub async fn create(
    State(bookings): State<Bookings>,
    user: CurrentUser,
    IdempotencyKey(key): IdempotencyKey,
    JsonText(body): JsonText,
) -> Result<Response> {
    match bookings.confirm(&user, &key, &body).await? {
        Confirmation::Booked(shipment) => Ok(answer::ok(&Booked {
            message: confirmation::BOOKED,
            data: [shipment],
        })),
        Confirmation::Refused => Err(Error::Conflict {
            code: "courier_refused",
            message: confirmation::REFUSED.into(),
        }),
    }
}

/// Cancels, and answers what the wallet holds now: 202 while the courier has not answered.
pub async fn cancel(
    State(web): State<Web>,
    user: CurrentUser,
    Path(id): Path<String>,
) -> Result<Response> {
    let (status, message) = match web.bookings.cancel(user.id(), &id).await? {
        Cancellation::Cancelled => (StatusCode::OK, cancellation::CANCELLED),
        Cancellation::Asked => (StatusCode::ACCEPTED, cancellation::ASKED),
    };
    let balance = web.wallet.balance(user.id()).await?;
    Ok(answer::json(status, &Cancelled { message, balance }))
}

/// The same from a plain form, answered with the list of bookings and what became of it.
pub async fn cancel_form(
    State(web): State<Web>,
    MaybeUser(user): MaybeUser,
    Path(id): Path<String>,
) -> Result<Response> {
    let Some(user) = user else {
        return Ok(answer::see_other(
            "/login?next=/dashboard%3Ftab%3Dbookings&expired=1",
        ));
    };
    let said = match web.bookings.cancel(user.id(), &id).await {
        Ok(Cancellation::Cancelled) => "cancelled=1",
        Ok(Cancellation::Asked) => "cancelled=asked",
        Err(Error::Conflict { .. } | Error::NotFound(_)) => "cancelled=late",
        Err(error) => return Err(error),
    };
    Ok(answer::see_other(&format!(
        "/dashboard?tab=bookings&{said}"
    )))
}

pub async fn history(
    State(web): State<Web>,
    user: CurrentUser,
    Query(paging): Query<RawPaging>,
) -> Result<Response> {
    Ok(answer::ok(
        &web.bookings.history(user.id(), paging.parse()?).await?,
    ))
}

pub async fn find(
    State(web): State<Web>,
    user: CurrentUser,
    Path(id): Path<String>,
) -> Result<Response> {
    Ok(answer::ok(&web.bookings.history_row(user.id(), &id).await?))
}
