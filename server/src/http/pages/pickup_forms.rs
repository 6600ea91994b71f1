//! Plain forms for pickups: on a booking's page, and for several bookings of the list.

use axum::Router;
use axum::response::Response;

use crate::error::{Error, Result};
use crate::http::answer::{encode, see_other, to_login};
use crate::http::extract::{Form, MaybeUser, Path};
use crate::http::pages::page::Params;
use crate::http::state::AppState;
use crate::methods::post;
use crate::model::account::session::CurrentUser;
use crate::model::booking::pickup::{ChosenPickups, RawPickupTime};
use crate::services::bookings::Bookings;

/// The prefix of the field of a group's time; the group's key follows.
const WHEN: &str = "when-";

pub fn routes() -> Router<AppState> {
    Router::new()
        .route("/bookings/{id}/pickup", post(plan))
        .route("/bookings/{id}/pickup/cancel", post(call_off))
}

/// Requests the pickup of a booking at a time and redirects to the booking's page.
async fn plan(
    bookings: Bookings,
    MaybeUser(user): MaybeUser,
    Path(id): Path,
    Form(fields): Form<Params>,
) -> Result<Response> {
    let page = format!("/bookings/{}", encode(&id));
    let Some(user) = user else {
        return Ok(to_login(&page));
    };
    let pickup_time = time(fields.get("when"));
    let planned = bookings.plan_pickup(&user, &id, &pickup_time).await;
    back(&page, planned.map(drop))
}

/// Cancels a booking's pickup and redirects to the booking's page.
async fn call_off(
    bookings: Bookings,
    MaybeUser(user): MaybeUser,
    Path(id): Path,
) -> Result<Response> {
    let page = format!("/bookings/{}", encode(&id));
    match user {
        Some(user) => back(&page, bookings.call_off_pickup(&user, &id).await),
        None => Ok(to_login(&page)),
    }
}

/// Redirects to the page, which shows the pickup's state and the reason for a refusal.
fn back(page: &str, result: Result<()>) -> Result<Response> {
    let why = match result {
        Ok(()) => return Ok(see_other(page)),
        Err(Error::Fields { .. }) => "over",
        Err(Error::Conflict { .. } | Error::NeedsOperator { .. } | Error::NotFound(_)) => "late",
        Err(Error::TooMany { .. }) => "often",
        Err(error) => return Err(error),
    };
    Ok(see_other(&format!("{page}?pickup={why}")))
}

fn time(field: Option<&String>) -> RawPickupTime {
    RawPickupTime { when: field.map_or("", String::as_str).into() }
}

/// Requests a pickup for each group of the chosen bookings; one group's failure does not stop the
/// others.
pub(crate) async fn ask_all(
    web: &AppState,
    user: &CurrentUser,
    ids: &[&str],
    fields: &Params,
) -> Result<ChosenPickups> {
    let mut pickups = web.bookings.chosen_pickups(user.id(), ids).await?;
    for group in &mut pickups.groups {
        let ids: Vec<&str> = group.bookings.iter().map(|it| it.id.as_str()).collect();
        let pickup_time = time(fields.get(&format!("{WHEN}{}", group.key)));
        match web.bookings.ask_for_pickup(user, &ids, &pickup_time).await {
            Ok(planned) => group.planned = Some(planned),
            Err(error) if error.is_ours() => return Err(error),
            Err(error) => group.error = reason(&error),
        }
    }
    Ok(pickups)
}

/// Returns the message of the first wrong field, or else of the whole error.
fn reason(error: &Error) -> String {
    let field = error.fields().first();
    field.map_or_else(|| error.message().to_owned(), |it| it.message.to_string())
}
