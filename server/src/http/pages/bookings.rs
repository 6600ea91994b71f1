//! /bookings: the list of a customer's bookings (search, print, cancel), and one page per booking.

use axum::Router;
use axum::http::{Method, StatusCode};
use axum::response::Response;
use serde::Serialize;
use utoipa::ToSchema;

use crate::http::answer::{self, Answer, DrawingTime, encode, see_other, to_login};
use crate::http::documents;
use crate::http::extract::{Form, MaybeUser, Path};
use crate::http::pages::page::{
    Early, Page, Params, SentForm, Shown, Visit, read, serialize_data, text_of,
};
use crate::http::pages::{form_after_login, respond};
use crate::http::screens;
use crate::http::state::AppState;
use dakiya_core::error::{Error, FieldError, Result};
use dakiya_core::methods::post;
use dakiya_core::model::account::session::CurrentUser;
use dakiya_core::model::booking::order::bulk::ChosenBookings;
use dakiya_core::model::booking::order::view::BookingView;
use dakiya_core::model::booking::pickup::{ChosenPickups, RawPickupTime};
use dakiya_core::model::booking::search::query::{BookingMatches, BookingSearch};
use dakiya_core::pdf;
use dakiya_core::services::bookings::Bookings;

const PATH: &str = "/bookings";

/// The prefix of the field of a ticked booking; the booking's id follows.
const TICKED: &str = "booking-";

/// The prefix of the field of a group's time; the group's key follows.
const WHEN: &str = "when-";

pub struct BookingsPage;

impl Page for BookingsPage {
    /// Loads the booking that the address names; 404 if there is none.
    async fn early(&self, web: &AppState, visit: &Visit) -> Result<Early> {
        let Some(id) = visit.item() else {
            return Ok(Early::default());
        };
        match web.bookings.view(visit.member()?.id(), id).await {
            Ok(booking) => {
                let awb = &booking.booking.awb_number;
                let title = (!awb.is_empty()).then(|| format!("Booking {awb}"));
                Ok(Early { title, ..Early::of(&BookingsShown::booking(booking))? })
            }
            Err(Error::NotFound(_)) => Early::not_found(),
            Err(error) => Err(error),
        }
    }

    async fn data(&self, web: &AppState, visit: &Visit) -> Result<Shown> {
        serialize_data(&BookingsShown::list(list(web, visit.member()?.id(), &visit.query).await?))
    }

    /// Prints or cancels the ticked bookings or requests their pickup. A cancellation needs a
    /// second, confirming form.
    async fn submit(&self, form: SentForm<'_>) -> Answer {
        let ids = form.fields.keys().filter_map(|name| name.strip_prefix(TICKED));
        let ids: Vec<&str> = ids.collect();
        let (web, user) = (&form.web, form.user.id());
        let action = text_of(form.fields, "do");
        let bookings = &web.bookings;
        let outcome = match action {
            _ if ids.is_empty() => Err(Error::Malformed("Please tick a booking first.".into())),
            "labels" => match labels(web, user, &ids).await {
                Ok(Printed::File(file)) => return Ok(file),
                Ok(Printed::Told(selection)) => Ok(selection.into()),
                Err(error) => Err(error),
            },
            "cancel" => bookings.chosen_to_cancel(user, &ids).await.map(Into::into),
            "cancel-now" => bookings.cancel_chosen(&form.user, &ids).await.map(Into::into),
            "pickup" => bookings.chosen_pickups(user, &ids).await.map(Into::into),
            "pickup-now" => {
                let pickups = ask_all_pickups(web, &form.user, &ids, form.fields).await;
                pickups.map(Into::into)
            }
            _ => Err(Error::Malformed("The form could not be read.".into())),
        };
        answer_form(form, outcome).await
    }

    fn forms(&self) -> Router<AppState> {
        Router::new()
            .route(PATH, form_after_login::route(&BookingsPage, PATH))
            .route("/bookings/{id}/pickup", post(plan_pickup))
            .route("/bookings/{id}/pickup/cancel", post(call_off_pickup))
    }
}

/// Shows the result, or the list with the reason for the refusal.
async fn answer_form(form: SentForm<'_>, outcome: Result<BookingsShown>) -> Answer {
    let (status, data) = match outcome {
        Ok(bookings) => (StatusCode::OK, bookings),
        Err(error) if error.is_ours() => return Err(error),
        Err(error) => {
            let mut list = list(&form.web, form.user.id(), &Params::new()).await?;
            list.refused = Some(error.message().to_owned());
            let status = StatusCode::from_u16(error.status()).unwrap_or(StatusCode::BAD_REQUEST);
            (status, BookingsShown::list(list))
        }
    };
    let visit = Visit {
        user: Some(form.user),
        early: Early::of(&data)?,
        ..Visit::of(screens::by_name("bookings"), &BookingsPage)
    };
    respond::draw(form.web, visit, status, &Method::POST, form.headers).await
}

enum Printed {
    File(Response),
    /// Some labels cannot be in the file, so the customer is informed first.
    Told(ChosenBookings),
}

async fn labels(web: &AppState, user_id: &str, ids: &[&str]) -> Result<Printed> {
    documents::take_from_budget(web, user_id)?;
    let (labels, selection) = web.bookings.labels(user_id, ids).await?;
    if !selection.is_plain() || labels.is_empty() {
        return Ok(Printed::Told(selection));
    }
    let place = web.papers.enter(user_id).await?;
    let name = "dakiya-labels.pdf";
    let file = answer::pdf(name, place, DrawingTime::Long, move || pdf::labels(&labels)).await?;
    Ok(Printed::File(file))
}

/// Loads the list for the address's filters. An invalid filter finds nothing and shows an error.
async fn list(web: &AppState, user_id: &str, query: &Params) -> Result<BookingsList> {
    match BookingSearch::parse(&read(query)?) {
        Ok(search) => Ok(BookingsList {
            found: web.bookings.search(user_id, &search).await?,
            ..BookingsList::default()
        }),
        Err(error) => Ok(BookingsList {
            found: BookingMatches {
                couriers: web.bookings.courier_choices().await?,
                ..BookingMatches::default()
            },
            errors: error.fields().to_vec(),
            ..BookingsList::default()
        }),
    }
}

/// The list, and what was wrong with its filter or with what was to be done.
#[derive(Default, Serialize, ToSchema)]
pub struct BookingsList {
    found: BookingMatches,
    errors: Vec<FieldError>,
    #[schema(required)]
    refused: Option<String>,
}

/// The screen's content: one of these.
#[derive(Default, Serialize, ToSchema)]
#[schema(as = BookingsData)]
pub struct BookingsShown {
    #[schema(required)]
    list: Option<BookingsList>,
    #[schema(required)]
    booking: Option<Box<BookingView>>,
    #[schema(required)]
    chosen: Option<ChosenBookings>,
    #[schema(required)]
    pickups: Option<ChosenPickups>,
}

impl BookingsShown {
    fn list(list: BookingsList) -> BookingsShown {
        BookingsShown { list: Some(list), ..BookingsShown::default() }
    }

    fn booking(booking: BookingView) -> BookingsShown {
        BookingsShown { booking: Some(Box::new(booking)), ..BookingsShown::default() }
    }
}

impl From<ChosenBookings> for BookingsShown {
    fn from(selection: ChosenBookings) -> BookingsShown {
        BookingsShown { chosen: Some(selection), ..BookingsShown::default() }
    }
}

impl From<ChosenPickups> for BookingsShown {
    fn from(pickups: ChosenPickups) -> BookingsShown {
        BookingsShown { pickups: Some(pickups), ..BookingsShown::default() }
    }
}

/// Requests the pickup of a booking at a time and redirects to the booking's page.
async fn plan_pickup(
    bookings: Bookings,
    MaybeUser(user): MaybeUser,
    Path(id): Path,
    Form(fields): Form<Params>,
) -> Answer {
    let page = format!("/bookings/{}", encode(&id));
    let Some(user) = user else {
        return Ok(to_login(&page));
    };
    let pickup_time = RawPickupTime { when: text_of(&fields, "when").into() };
    let planned = bookings.plan_pickup(&user, &id, &pickup_time).await;
    back(&page, planned.map(drop))
}

/// Cancels a booking's pickup and redirects to the booking's page.
async fn call_off_pickup(bookings: Bookings, MaybeUser(user): MaybeUser, Path(id): Path) -> Answer {
    let page = format!("/bookings/{}", encode(&id));
    match user {
        Some(user) => back(&page, bookings.call_off_pickup(&user, &id).await),
        None => Ok(to_login(&page)),
    }
}

/// Redirects to the page, which shows the pickup's state and the reason for a refusal.
fn back(page: &str, result: Result<()>) -> Answer {
    let why = match result {
        Ok(()) => return Ok(see_other(page)),
        Err(Error::Fields { .. }) => "over",
        Err(Error::Conflict { .. } | Error::NeedsOperator { .. } | Error::NotFound(_)) => "late",
        Err(Error::TooMany { .. }) => "often",
        Err(error) => return Err(error),
    };
    Ok(see_other(&format!("{page}?pickup={why}")))
}

/// Requests a pickup for each group of the chosen bookings; one group's failure does not stop the
/// others.
async fn ask_all_pickups(
    web: &AppState,
    user: &CurrentUser,
    ids: &[&str],
    fields: &Params,
) -> Result<ChosenPickups> {
    let mut pickups = web.bookings.chosen_pickups(user.id(), ids).await?;
    for group in &mut pickups.groups {
        let ids: Vec<&str> = group.bookings.iter().map(|it| it.id.as_str()).collect();
        let when = text_of(fields, &format!("{WHEN}{}", group.key)).into();
        let pickup_time = RawPickupTime { when };
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
