//! /api/v1/shipping: bookings, their history and pickups, and public tracking by shipment number.

use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::http::answer::{self, Answer};
use crate::http::extract::{IdempotencyKey, Json, JsonText, MaybeUser, Path, Query, RawPaging};
use crate::http::state::AppState;
use dakiya_core::error::Error;
use dakiya_core::model::account::session::CurrentUser;
use dakiya_core::model::booking::form::wire_form::WireForm;
use dakiya_core::model::booking::order::cancellation;
use dakiya_core::model::booking::order::confirmation::{
    self, BookedShipment, Confirmation, Confirmed,
};
use dakiya_core::model::booking::order::history::{History, HistoryRow};
use dakiya_core::model::booking::order::tracking::Tracked;
use dakiya_core::model::booking::order::view::BookingView;
use dakiya_core::model::booking::pickup::{PlannedPickup, RawPickupTime};
use dakiya_core::model::booking::search::query::{BookingMatches, BookingSearch, RawBookingSearch};
use dakiya_core::model::money::paise::Paise;
use dakiya_core::model::openapi_schema::Text;
use dakiya_core::services::accounts::rate_limits::ClientIp;
use dakiya_core::services::bookings::Bookings;
use dakiya_core::services::bookings::cancel::Cancellation;

#[derive(Serialize, ToSchema)]
struct Booked {
    message: &'static str,
    data: [BookedShipment; 1],
    /// Set when the same body came a moment ago: this is its booking.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    repeated: bool,
}

#[derive(Serialize, ToSchema)]
pub struct Cancelled {
    message: &'static str,
    balance: Paise,
    /// The part of the returned money that paid a debt; absent if none did.
    #[serde(skip_serializing_if = "Option::is_none")]
    debt_paid: Option<Paise>,
}

#[utoipa::path(
    post,
    path = "/shipping/create-booking",
    params((
        "Idempotency-Key" = Option<String>,
        Header,
        description = "8 to 64 letters, digits, - or _. The same key and body get the same answer. \
                       Without a key the same body counts as the same booking for two minutes."
    )),
    request_body = WireForm,
    responses((status = 200, body = Booked))
)]
pub(crate) async fn create(
    bookings: Bookings,
    user: CurrentUser,
    IdempotencyKey(key): IdempotencyKey,
    JsonText(body): JsonText,
) -> Answer {
    let Confirmed { outcome, repeated } = bookings.confirm(&user, key.as_deref(), &body).await?;
    match outcome {
        Confirmation::Booked(shipment) => Ok(answer::ok(&Booked {
            message: match repeated {
                true => confirmation::REPEATED,
                false => confirmation::BOOKED,
            },
            data: [shipment],
            repeated,
        })),
        Confirmation::Refused => {
            Err(Error::Conflict { code: "courier_refused", message: confirmation::REFUSED.into() })
        }
    }
}

/// Cancels, and answers what the wallet holds now: 202 while the courier has not answered.
#[utoipa::path(
    post,
    path = "/shipping/booking/{id}/cancel",
    responses((status = 200, body = Cancelled), (status = 202, body = Cancelled))
)]
pub(crate) async fn cancel(web: AppState, user: CurrentUser, Path(id): Path) -> Answer {
    let come = web.bookings.cancel(&user, &id).await?;
    let debt_paid = match come {
        Cancellation::Cancelled => web.bookings.debt_paid(user.id(), &id).await?,
        Cancellation::Asked | Cancellation::Requested => None,
    };
    let (status, message) = match come {
        Cancellation::Cancelled if debt_paid.is_some() => (StatusCode::OK, cancellation::PAID_DEBT),
        Cancellation::Cancelled => (StatusCode::OK, cancellation::CANCELLED),
        Cancellation::Asked => (StatusCode::ACCEPTED, cancellation::ASKED),
        Cancellation::Requested => (StatusCode::ACCEPTED, cancellation::REQUESTED),
    };
    let balance = web.wallet.balance(user.id()).await?;
    Ok(answer::json(status, &Cancelled { message, balance, debt_paid }))
}

#[utoipa::path(
    get,
    path = "/shipping/history",
    params(RawPaging),
    responses((status = 200, body = History))
)]
pub(crate) async fn history(
    bookings: Bookings,
    user: CurrentUser,
    Query(paging): Query<RawPaging>,
) -> Answer {
    Ok(answer::ok(&bookings.history(user.id(), paging.parse()?).await?))
}

#[utoipa::path(get, path = "/shipping/booking/{id}", responses((status = 200, body = HistoryRow)))]
pub(crate) async fn find(bookings: Bookings, user: CurrentUser, Path(id): Path) -> Answer {
    Ok(answer::ok(&bookings.history_row(user.id(), &id).await?))
}

/// One booking with its way, its price and what was paid.
#[utoipa::path(
    get,
    path = "/shipping/booking/{id}/details",
    responses((status = 200, body = BookingView))
)]
pub(crate) async fn details(bookings: Bookings, user: CurrentUser, Path(id): Path) -> Answer {
    Ok(answer::ok(&bookings.view(user.id(), &id).await?))
}

/// Looks for bookings, newest first; `next` of an answer is `before` of the next question.
#[utoipa::path(
    get,
    path = "/shipping/bookings",
    params(RawBookingSearch),
    responses((status = 200, body = BookingMatches))
)]
pub(crate) async fn search(
    bookings: Bookings,
    user: CurrentUser,
    Query(search): Query<RawBookingSearch>,
) -> Answer {
    let search = BookingSearch::parse(&search)?;
    Ok(answer::ok(&bookings.search(user.id(), &search).await?))
}

/// Where a shipment is. Only its sender, if logged in, gets the words of its courier.
#[utoipa::path(
    get,
    path = "/shipping/track/{awb}",
    responses((status = 200, body = Tracked)),
    security(())
)]
pub(crate) async fn track(
    bookings: Bookings,
    client: ClientIp,
    MaybeUser(user): MaybeUser,
    Path(awb): Path,
) -> Answer {
    Ok(answer::ok(&bookings.track(client, user.as_ref(), &awb).await?))
}

/// The bookings to fetch together, and when.
#[derive(Deserialize, ToSchema)]
pub struct NewPickup {
    /// Ids or AWB numbers, all of one courier and at one address.
    bookings: Vec<Text>,
    /// On India's clocks, as in `2026-11-26 10:00`.
    #[serde(default)]
    when: Text,
}

#[derive(Serialize, ToSchema)]
pub struct PickupCalledOff {
    /// The pickup's state; null once there is none.
    #[schema(required)]
    pickup: Option<PlannedPickup>,
}

/// Asks the courier to fetch bookings. A pickup costs nothing.
#[utoipa::path(
    post,
    path = "/shipping/pickups",
    request_body = NewPickup,
    responses((status = 200, body = PlannedPickup))
)]
pub(crate) async fn ask_for_pickup(
    bookings: Bookings,
    user: CurrentUser,
    Json(new): Json<NewPickup>,
) -> Answer {
    let ids: Vec<&str> = new.bookings.iter().map(Text::as_str).collect();
    if ids.is_empty() {
        return Err(Error::field("bookings", "Please choose a booking first."));
    }
    let time = RawPickupTime { when: new.when };
    let planned = bookings.ask_for_pickup(&user, &ids, &time).await?;
    Ok(answer::ok(&planned))
}

/// Asks for a booking's pickup, or moves it with all its parcels. The booking's details say which
/// times may be chosen.
#[utoipa::path(
    post,
    path = "/shipping/booking/{id}/pickup",
    request_body = RawPickupTime,
    responses((status = 200, body = PlannedPickup))
)]
pub(crate) async fn plan_pickup(
    bookings: Bookings,
    user: CurrentUser,
    Path(id): Path,
    Json(time): Json<RawPickupTime>,
) -> Answer {
    Ok(answer::ok(&bookings.plan_pickup(&user, &id, &time).await?))
}

/// Calls off a booking's pickup, with all its parcels.
#[utoipa::path(
    post,
    path = "/shipping/booking/{id}/pickup/cancel",
    responses((status = 200, body = PickupCalledOff))
)]
pub(crate) async fn call_off_pickup(
    bookings: Bookings,
    user: CurrentUser,
    Path(id): Path,
) -> Answer {
    bookings.call_off_pickup(&user, &id).await?;
    let pickup = bookings.view(user.id(), &id).await?.planned_pickup;
    Ok(answer::ok(&PickupCalledOff { pickup }))
}
