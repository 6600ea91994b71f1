//! A page as the JSON that its document is drawn from, for navigation within the browser: each
//! screen's address returns it for `Accept: application/json`, one request per navigation.

use axum::Extension;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use utoipa::ToSchema;

use crate::error::{Error, Result};
use crate::http::answer::{self, Refusal, RefusalCode};
use crate::http::middleware::compress::{self, Coding, SOONEST_FIRST, accepts};
use crate::http::pages::document::{self, VARY};
use crate::http::pages::page::Visit;
use crate::http::state::AppState;
use crate::model::language::Language;

/// Tells caches that the address also returns a document, and which headers the response depends
/// on.
const VARIED: [(&str, &str); 1] = [("vary", VARY)];

/// Returns true if a request wants a page's JSON: its `Accept` lists JSON and not HTML. A browser
/// that opens a page lists HTML.
pub fn is_asked_for(headers: &HeaderMap) -> bool {
    let lists = headers.get_all(header::ACCEPT).into_iter();
    let lists: Vec<&str> = lists.filter_map(|list| list.to_str().ok()).collect();
    let names = |kind: &str| lists.iter().any(|list| accepts(list, kind));
    names("application/json") && !names("text/html")
}

/// Returns the page's JSON, without rendering the page.
///
/// # Errors
/// Fails if it cannot be compressed.
pub(crate) async fn answer(
    web: &AppState,
    visit: &Visit,
    status: StatusCode,
    headers: &HeaderMap,
) -> Result<Response> {
    let json = document::json(web, visit, Language::of(headers)).await;
    let coding = Coding::negotiate(headers, SOONEST_FIRST);
    let body = compress::whole(coding, json.into_bytes()).map_err(Error::internal)?;
    let shared = visit.is_shared(web).then_some([(header::CACHE_CONTROL, "no-cache")]);
    let page = answer::json_text(status, body);
    Ok((VARIED, shared, coding.header(), page).into_response())
}

/// The address at which the visit goes on.
#[derive(Serialize, ToSchema)]
pub struct PageRedirect<'a> {
    redirect: &'a str,
}

/// Returns 200 with the address to which the document would redirect.
pub fn redirect(location: &str) -> Response {
    (VARIED, answer::ok(&PageRedirect { redirect: location })).into_response()
}

/// The refusal of a private page to a visitor who is not logged in.
#[derive(Serialize, ToSchema)]
pub struct SessionRefusal<'a> {
    #[serde(flatten)]
    refusal: Refusal<'a>,
    /// The address of the login that comes back to the page.
    redirect: &'a str,
}

/// Returns 401 with the address of the login.
pub fn login_required(login: &str) -> Response {
    let error = Error::LoggedOut("Unauthorized".into());
    let body = SessionRefusal { refusal: Refusal::from(&error), redirect: login };
    let code = Extension(RefusalCode(error.code()));
    (VARIED, code, answer::json(StatusCode::UNAUTHORIZED, &body)).into_response()
}
