//! Pages: their access rules and their forms.

pub mod account;
pub mod addresses;
pub mod bookings;
pub mod calculate;
pub mod courier;
mod courier_confirm;
pub mod courier_form;
mod courier_step;
pub mod dashboard;
pub mod document;
pub mod forgot_password;
pub mod form_after_login;
pub mod help;
pub mod letters_off;
pub mod login;
pub mod login_code;
pub mod page;
pub mod passkeys;
pub mod recharge;
pub mod recharge_callback;
pub mod recharge_launch;
pub mod recharge_success;
pub mod register;
pub mod reset_password;
pub mod respond;
pub mod track;
pub mod two_step;
pub mod undo_email;
pub mod weight_differences;

use axum::Router;
use axum::http::{HeaderMap, Method, StatusCode, Uri, header};
use axum::response::Response;
use utoipa::OpenApi;

use crate::http::answer::{Answer, login_address, page_of, see_other};
use crate::http::extract::{MaybeUser, Query, credential};
use crate::http::language;
use crate::http::pages::page::{AnyPage, Page, Params, Visit};
use crate::http::screens::{self, Access, Screen};
use crate::http::state::AppState;
use dakiya_core::error::Error;
use dakiya_core::methods::get;
use dakiya_core::model::account::session::CurrentUser;
use dakiya_core::model::language::Language;
use dakiya_core::model::letter;
use dakiya_core::services::accounts::rate_limits::ClientIp;

/// The types of all page data, from which the front end's types are generated.
#[derive(OpenApi)]
#[openapi(components(schemas(
    document::PageData,
    account::Account,
    addresses::Addresses,
    bookings::BookingsShown,
    calculate::Calculate,
    courier::CourierData,
    dashboard::Dashboard,
    forgot_password::Forgotten,
    help::Help,
    letter::LetterSheet,
    letters_off::LettersOff,
    login::LoginData,
    login_code::LoginCode,
    passkeys::PasskeysData,
    recharge::Recharge,
    recharge_callback::Callback,
    recharge_launch::Launch,
    register::Register,
    reset_password::Reset,
    respond::PageRedirect,
    respond::SessionRefusal,
    track::TrackData,
    two_step::TwoStep,
    undo_email::Undo,
    weight_differences::WeightDifferences,
)))]
pub struct PageTypes;

/// A screen with the same content for every visitor.
struct Plain;

impl Page for Plain {}

/// Returns the page of a screen. A static table of all pages would be compiled into the unit tests,
/// with everything that the pages use.
pub fn of(screen: &Screen) -> &'static dyn AnyPage {
    match &*screen.screen {
        "account" => &account::AccountPage,
        "addresses" => &addresses::AddressesPage,
        "bookings" => &bookings::BookingsPage,
        "calculate" => &calculate::CalculatePage,
        "courier" => &courier::CourierPage,
        "dashboard" => &dashboard::DashboardPage,
        "forgot-password" => &forgot_password::ForgotPasswordPage,
        "help" => &help::HelpPage,
        "letters-off" => &letters_off::LettersOffPage,
        "login" => &login::LoginPage,
        "login-code" => &login_code::LoginCodePage,
        "passkeys" => &passkeys::PasskeysPage,
        "recharge" => &recharge::RechargePage,
        "recharge-callback" => &recharge_callback::RechargeCallbackPage,
        "recharge-launch" => &recharge_launch::RechargeLaunchPage,
        "recharge-success" => &recharge_success::RechargeSuccessPage,
        "register" => &register::RegisterPage,
        "reset-password" => &reset_password::ResetPasswordPage,
        "track" => &track::TrackPage,
        "two-step" => &two_step::TwoStepPage,
        "undo-email" => &undo_email::UndoEmailPage,
        "weight-differences" => &weight_differences::WeightDifferencesPage,
        _ => &Plain,
    }
}

pub fn routes() -> Router<AppState> {
    let mut routes = Router::new().route("/", get(show));
    for screen in screens::all() {
        for address in screen.addresses() {
            routes = routes.route(&address, get(show));
        }
        if let Some(address) = screen.hindi_path() {
            routes = routes.route(&address, get(show_in_hindi));
        }
        routes = routes.merge(of(screen).forms());
    }
    routes
}

/// Shows the screen at this path, if the visitor has access, as a document or as its JSON. The
/// dashboard is at `/` too.
async fn show(
    web: AppState,
    method: Method,
    uri: Uri,
    client: ClientIp,
    Query(query): Query<Params>,
    headers: HeaderMap,
    MaybeUser(user): MaybeUser,
) -> Answer {
    let uri = if uri.path() == "/" { Uri::from_static("/dashboard") } else { uri };
    let screen = screens::by_path(uri.path());
    if let Some(response) = redirect(&web, screen, &uri, user.as_ref(), &headers) {
        return Ok(response);
    }
    let path = uri.path().to_owned();
    let mut visit = Visit { path, query, client, user, ..Visit::of(screen, of(screen)) };
    if visit.is_shared(&web)
        && !respond::wants_json(&headers)
        && let Some(page) = respond::public_page(&web, screen, visit.page, &headers).await
    {
        return respond::send_public(page, &headers).await;
    }
    let early = visit.page.early(&web, &visit).await?;
    if let Some(address) = &early.redirect {
        return Ok(redirect_to(address, &headers));
    }
    if early.missing && screen.access == Access::Private {
        return not_found(web, method, uri, headers, MaybeUser(visit.user)).await;
    }
    let status = match early.missing {
        true => StatusCode::NOT_FOUND,
        false => StatusCode::OK,
    };
    visit.early = early;
    answer(web, visit, status, &method, &headers).await
}

/// Shows a screen below `/hi` in Hindi, whatever the reader has chosen.
async fn show_in_hindi(
    web: AppState,
    method: Method,
    uri: Uri,
    client: ClientIp,
    query: Query<Params>,
    mut headers: HeaderMap,
    user: MaybeUser,
) -> Answer {
    let path = uri.path().strip_prefix(screens::HINDI).unwrap_or_default();
    let uri: Uri = path.parse().map_err(Error::internal)?;
    // The last cookie of a name counts.
    headers.append(header::COOKIE, language::chosen(Language::Hindi));
    show(web, method, uri, client, query, headers, user).await
}

/// Shows the page for unknown addresses.
pub(crate) async fn not_found(
    web: AppState,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
    MaybeUser(user): MaybeUser,
) -> Answer {
    let visit = Visit {
        path: uri.path().to_owned(),
        user,
        ..Visit::of(screens::by_name("not-found"), &Plain)
    };
    answer(web, visit, StatusCode::NOT_FOUND, &method, &headers).await
}

/// Returns the page as JSON or as a document, depending on `Accept`.
async fn answer(
    web: AppState,
    visit: Visit,
    status: StatusCode,
    method: &Method,
    headers: &HeaderMap,
) -> Answer {
    match respond::wants_json(headers) {
        true => respond::send_json(&web, &visit, status, headers).await,
        false => respond::draw(web, visit, status, method, headers).await,
    }
}

fn redirect_to(location: &str, headers: &HeaderMap) -> Response {
    match respond::wants_json(headers) {
        true => respond::json_redirect(location),
        false => see_other(location),
    }
}

fn redirect(
    web: &AppState,
    screen: &Screen,
    uri: &Uri,
    user: Option<&CurrentUser>,
    headers: &HeaderMap,
) -> Option<Response> {
    // A request that still carries a credential had a session until just now.
    let login = || login_address(page_of(uri), credential(&web.config, headers).is_some());
    match (screen.access, user) {
        (Access::Guest, Some(_)) => Some(redirect_to("/dashboard", headers)),
        (Access::Private, None) if respond::wants_json(headers) => {
            Some(respond::login_required(&login()))
        }
        (Access::Private, None) => Some(see_other(&login())),
        _ => None,
    }
}
