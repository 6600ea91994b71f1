//! Every address of the server. Screens are listed in `ui/src/screens.json`, forms in the file of
//! their screen.

use std::time::Duration;

use axum::extract::DefaultBodyLimit;
use axum::http::StatusCode;
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse, Response};
use axum::{Extension, Router};
use tower::ServiceBuilder;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::limit::RequestBodyLimitLayer;
use tower_http::timeout::TimeoutLayer;

use crate::http::api::{
    auth, bookings, couriers, drafts, kyc, passkeys, payments, presets, rates, wallet,
};
use crate::http::middleware::guard;
use crate::http::pages::courier_form;
use crate::http::pages::page::PageOf;
use crate::http::state::AppState;
use crate::http::{assets, documents, health, language, openapi, pages, search_engines};
use dakiya_core::error::Error;
use dakiya_core::methods::{delete, get, post, put};
use dakiya_core::model::booking::documents::invoice::DocumentKind;
use dakiya_core::model::settings::callbacks;
use dakiya_core::{limits, pdf};

pub fn router(web: AppState) -> Router {
    let api = Router::new()
        .route("/auth/login", post(auth::login))
        .route("/auth/login/code", post(auth::login_code))
        .route("/auth/logout", post(auth::logout))
        .route("/auth/register", post(auth::register))
        .route("/auth/letters", get(auth::letters).merge(post(auth::choose_letters)))
        .route("/auth/profile", get(auth::profile).merge(post(auth::save)))
        .route("/auth/change-password", post(auth::change_password))
        .route("/auth/activity", get(auth::activity))
        .route("/auth/sessions", get(auth::sessions))
        .route("/auth/sessions/end-others", post(auth::end_others))
        .route("/auth/sessions/{id}/end", post(auth::end_one))
        .route("/auth/forgot-password", post(auth::forgot_password))
        .route("/auth/reset-password", post(auth::reset_password))
        .route("/auth/passkeys", get(passkeys::list).merge(post(passkeys::add)))
        .route("/auth/passkeys/begin", post(passkeys::begin))
        .route("/auth/passkeys/confirm", post(passkeys::confirm))
        .route("/auth/passkeys/login", post(passkeys::log_in))
        .route("/auth/passkeys/login/begin", post(passkeys::begin_login))
        .route("/auth/passkeys/{id}/remove", post(passkeys::remove))
        .route("/shipping/check-zipcode", post(rates::check_zipcode))
        .route("/shipping/countries", get(rates::countries))
        .route("/shipping/calculate-rate", post(rates::calculate))
        .route("/shipping/get_courier_details", get(rates::couriers))
        .route("/shipping/create-booking", post(bookings::create))
        .route("/shipping/booking/{id}", get(bookings::find))
        .route("/shipping/booking/{id}/cancel", post(bookings::cancel))
        .route("/shipping/booking/{id}/details", get(bookings::details))
        .route("/shipping/booking/{id}/pickup", post(bookings::plan_pickup))
        .route("/shipping/booking/{id}/pickup/cancel", post(bookings::call_off_pickup))
        .route("/shipping/bookings", get(bookings::search))
        .route("/shipping/history", get(bookings::history))
        .route("/shipping/pickups", post(bookings::ask_for_pickup))
        .route("/shipping/track/{awb}", get(bookings::track))
        .route(
            "/booking/draft",
            get(drafts::find).merge(put(drafts::save)).merge(delete(drafts::discard)),
        )
        .route("/booking/kyc", get(kyc::earlier))
        .route("/booking/presets", get(presets::list).merge(post(presets::save)))
        .route("/booking/presets/{id}", put(presets::rename).merge(delete(presets::remove)))
        .route("/booking/presets/{id}/default", put(presets::set_default))
        .route("/payment/phonepe/create", post(payments::create))
        .route("/payment/phonepe/verify", post(payments::verify))
        .route("/payment/phonepe/dismiss", post(payments::dismiss))
        .route("/payment/phonepe/status/{id}", get(payments::status))
        .route("/payment/phonepe/pending", get(payments::pending))
        .route(callbacks::PHONEPE, post(payments::callback))
        .route(callbacks::KARRIO.path, post(couriers::karrio))
        .route(callbacks::SHIPROCKET.path, post(couriers::shiprocket))
        .route("/wallet/balance", get(wallet::balance))
        .route("/wallet/transactions", get(wallet::transactions))
        .route("/wallet/weight-differences", get(wallet::weight_claims))
        .route("/wallet/weight-differences/{id}/accept", post(wallet::accept))
        .route("/wallet/weight-differences/{id}/dispute", post(wallet::dispute))
        .route("/openapi.json", get(openapi::serve))
        .fallback(unknown_call)
        .method_not_allowed_fallback(wrong_method);
    let pages = pages::routes()
        .route("/language", post(language::choose))
        .route("/bookings/{id}/label.pdf", documents::label("label", pdf::label))
        .route("/bookings/{id}/labels-a4.pdf", documents::label("labels-a4", pdf::label_sheet))
        .route("/bookings/{id}/invoice.pdf", documents::invoices(DocumentKind::Invoice))
        .route("/bookings/{id}/credit-note.pdf", documents::invoices(DocumentKind::CreditNote))
        .route("/bookings/{id}/debit-note.pdf", documents::invoices(DocumentKind::DebitNote))
        .route("/kyc/{id}", get(kyc::download))
        .route("/recharge/receipt/{file}", get(documents::receipt_as_pdf))
        .route("/wallet/statement.csv", get(documents::statement_as_csv))
        .route("/wallet/statement.pdf", get(documents::statement_as_pdf))
        .route("/assets/{*path}", get(assets::serve))
        .route("/favicon.svg", get(assets::at_the_root))
        .route("/manifest.webmanifest", get(assets::at_the_root))
        .route("/icon-192.png", get(assets::at_the_root))
        .route("/icon-512.png", get(assets::at_the_root))
        .route("/preview.png", get(assets::at_the_root))
        .route("/sw.js", get(assets::worker))
        .route("/robots.txt", get(search_engines::robots))
        .route("/sitemap.xml", get(search_engines::sitemap))
        .merge(checks())
        .method_not_allowed_fallback(wrong_method)
        .fallback(pages::not_found);
    // The API call and the page's plain form.
    let uploads = Router::new()
        .route(&format!("{}/booking/kyc-upload", callbacks::API), post(kyc::upload))
        .route(courier_form::UPLOAD, post(courier_form::upload))
        .layer(DefaultBodyLimit::max(limits::KYC_BODY_BYTES_MAX))
        .layer(RequestBodyLimitLayer::new(limits::KYC_BODY_BYTES_MAX))
        .layer(within(limits::KYC_UPLOAD_MS_MAX));
    // A router allocates for each of its layers on every request, so these are combined into two.
    // The outermost layer comes first.
    let around_all = ServiceBuilder::new()
        .layer(from_fn_with_state(web.clone(), guard::log))
        .layer(from_fn_with_state(web.clone(), guard::secure))
        .layer(CatchPanicLayer::custom(answer_panic))
        .layer(Extension(PageOf(pages::of)))
        .layer(from_fn_with_state(web.clone(), guard::check));
    bounded(pages.nest(callbacks::API, api)).merge(uploads).layer(around_all).with_state(web)
}

/// Returns the router of a process that serves no customers.
pub fn checks_only(web: AppState) -> Router {
    let checks = checks().method_not_allowed_fallback(wrong_method).fallback(no_customers);
    let around_all = ServiceBuilder::new()
        .layer(from_fn_with_state(web.clone(), guard::log))
        .layer(from_fn_with_state(web.clone(), guard::secure))
        .layer(CatchPanicLayer::custom(answer_panic));
    bounded(checks).layer(around_all).with_state(web)
}

/// Adds the usual limits of a request's time and body.
fn bounded(router: Router<AppState>) -> Router<AppState> {
    let bounds = ServiceBuilder::new()
        .layer(within(limits::REQUEST_MS_MAX))
        .layer(RequestBodyLimitLayer::new(limits::BODY_BYTES_MAX))
        .layer(DefaultBodyLimit::disable());
    router.layer(bounds)
}

/// The answers to balancers and monitors.
fn checks() -> Router<AppState> {
    Router::new()
        .route("/healthz", get(health::public))
        .route("/livez", get(health::live))
        .route("/readyz", get(health::ready))
}

async fn no_customers() -> Error {
    Error::NotFound("This server does background work, and serves no pages.".into())
}

/// Returns the limit on the time from a request's head to its response's head (milliseconds).
fn within(milliseconds: u64) -> TimeoutLayer {
    let time = Duration::from_millis(milliseconds);
    TimeoutLayer::with_status_code(StatusCode::SERVICE_UNAVAILABLE, time)
}

async fn unknown_call() -> Error {
    Error::NotFound("There is no such call.".into())
}

async fn wrong_method() -> Error {
    Error::WrongMethod
}

fn answer_panic(cause: Box<dyn std::any::Any + Send>) -> Response {
    let text = cause.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| cause.downcast_ref::<&str>().copied()).unwrap_or("panic");
    Error::internal(anyhow::anyhow!("a handler panicked: {text}")).into_response()
}
