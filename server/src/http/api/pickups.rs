//! /api/v1/shipping: pickups of booked parcels.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::error::Error;
use crate::http::answer::{self, Answer};
use crate::http::extract::{Json, Path};
use crate::model::account::session::CurrentUser;
use crate::model::booking::pickup::{PlannedPickup, RawPickupTime};
use crate::model::openapi_schema::Text;
use crate::services::bookings::Bookings;

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
pub(crate) async fn ask(
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
pub(crate) async fn plan(
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
pub(crate) async fn call_off(bookings: Bookings, user: CurrentUser, Path(id): Path) -> Answer {
    bookings.call_off_pickup(&user, &id).await?;
    let pickup = bookings.view(user.id(), &id).await?.planned_pickup;
    Ok(answer::ok(&PickupCalledOff { pickup }))
}
