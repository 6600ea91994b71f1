//! A page as the response to a request: as a document, whole or in pieces, from a cache or drawn
//! now; or as the JSON that the document is drawn from, with one request per navigation within the
//! browser: each screen's address returns it for `Accept: application/json`.

use std::convert::Infallible;
use std::sync::Arc;

use axum::Extension;
use axum::body::{Body, Bytes};
use axum::extract::FromRequestParts;
use axum::http::header::{self, RETRY_AFTER};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode};
use axum::response::{IntoResponse, Response};
use futures_util::stream::{self, StreamExt};
use serde::Serialize;
use utoipa::ToSchema;

use crate::http::answer::{self, Answer, to_login};
use crate::http::extract::MaybeUser;
use crate::http::language;
use crate::http::middleware::compress::{
    self, Coding, Encoder, SMALLEST_FIRST, SOONEST_FIRST, accepts, has_current,
};
use crate::http::middleware::guard::is_own_visit;
use crate::http::page_cache::{CachedPage, NotKept, PublicPage};
use crate::http::pages::document::{self, PageBody, VARY};
use crate::http::pages::page::{AnyPage, FormState, Params, SentForm, TypedValue, Visit};
use crate::http::screens::{self, Screen};
use crate::http::state::AppState;
use dakiya_core::error::{Error, Refusal, RefusalCode, Result};
use dakiya_core::model::account::session::CurrentUser;
use dakiya_core::model::digest::{sha256, sha256_hex};
use dakiya_core::model::language::Language;

/// Returns the page: in one piece with its length, or with its head sent at once if its data loads
/// slowly.
pub(crate) async fn draw(
    web: AppState,
    mut visit: Visit,
    status: StatusCode,
    method: &Method,
    headers: &HeaderMap,
) -> Answer {
    let language = language::of(headers);
    visit.brings_style = document::brings_style(&web, visit.screen, headers);
    let coding = coding_of(&web, &visit, headers);
    let script_origin = visit.early.script_origin.as_deref();
    let policy = document::policy(&web, visit.screen, visit.has_script(), script_origin);
    let policy = [(header::CONTENT_SECURITY_POLICY, policy)];
    let shared = [
        (header::CONTENT_TYPE, "text/html; charset=utf-8"),
        (header::CACHE_CONTROL, "no-store"),
        (header::VARY, VARY),
    ];
    let mut response = (status, shared, coding.header(), policy, ()).into_response();
    if method == Method::HEAD && visit.has_script() {
        return Ok(response);
    }
    if visit.page.is_slow(&visit) {
        *response.body_mut() = stream_page(web, visit, language, coding)?;
        return Ok(response);
    }
    let page = private_page(&web, &visit, language, coding).await?;
    if page.script && !visit.has_script() {
        // The engine failed, so the browser renders the page and needs scripts.
        let policy = document::policy(&web, visit.screen, true, None);
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    *response.body_mut() = Body::from(page.bytes.clone());
    Ok(response)
}

/// Returns the coding of a page. A customer's data is not compressed along with an address that
/// another site may have written: the length would tell what they have in common.
fn coding_of(web: &AppState, visit: &Visit, headers: &HeaderMap) -> Coding {
    let is_plain = visit.query.is_empty() && visit.path == visit.screen.path;
    match visit.user.is_none() || is_plain || is_own_visit(web, headers) {
        true => Coding::negotiate(headers, SOONEST_FIRST),
        false => Coding::Identity,
    }
}

/// Sends the head now and the rest when it is ready.
fn stream_page(web: AppState, visit: Visit, language: Language, coding: Coding) -> Result<Body> {
    let mut encoder = Encoder::new(coding).map_err(Error::internal)?;
    let head = document::head(&web, &visit, language, visit.has_script());
    let first = encoder.flush(head.as_bytes()).map_err(Error::internal)?;
    let later = stream::once(async move {
        let json = document::json(&web, &visit, language).await;
        let mut rest = String::new();
        let drawing = PageBody::of(&web, &visit, json).await;
        drawing.close(&mut rest, &web, &visit, language);
        encoder.finish(rest.as_bytes()).unwrap_or_default()
    });
    let pieces = stream::once(async { first }).chain(later);
    let pieces = pieces.map(|piece| Ok::<_, Infallible>(Bytes::from(piece)));
    Ok(Body::from_stream(pieces))
}

/// Shows the page again, with the typed values and the errors.
pub(crate) async fn draw_again(
    web: AppState,
    mut visit: Visit,
    values: &[TypedValue<'_>],
    error: Error,
    headers: &HeaderMap,
) -> Answer {
    if matches!(error, Error::Internal(_)) {
        return Err(error);
    }
    let status = StatusCode::from_u16(error.status()).unwrap_or(StatusCode::BAD_REQUEST);
    visit.form = Some(FormState::from_error(values, &error));
    let mut page = draw(web, visit, status, &Method::POST, headers).await?;
    if let Some(seconds) = error.retry_after_s() {
        page.headers_mut().insert(RETRY_AFTER, seconds.into());
    }
    Ok(page)
}

/// A plain form's request, apart from its fields.
pub struct Sender<U = Option<CurrentUser>> {
    pub web: AppState,
    pub user: U,
    pub headers: HeaderMap,
}

impl FromRequestParts<AppState> for Sender {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, web: &AppState) -> Result<Sender> {
        let MaybeUser(user) = MaybeUser::from_request_parts(parts, web).await?;
        Ok(Sender { web: web.clone(), user, headers: parts.headers.clone() })
    }
}

/// A plain form's request from a customer. A guest is redirected to the login, which leads back to
/// the first part of the form's address, such as `/account`.
pub type Member = Sender<CurrentUser>;

impl FromRequestParts<AppState> for Member {
    type Rejection = Response;

    async fn from_request_parts(
        parts: &mut Parts,
        web: &AppState,
    ) -> std::result::Result<Member, Response> {
        let sender = Sender::<Option<CurrentUser>>::from_request_parts(parts, web).await;
        let Sender { web, user, headers } = sender.map_err(IntoResponse::into_response)?;
        let Some(user) = user else {
            let section = parts.uri.path().split('/').nth(1).unwrap_or_default();
            return Err(to_login(&format!("/{section}")));
        };
        Ok(Sender { web, user, headers })
    }
}

impl<U: Into<Option<CurrentUser>>> Sender<U> {
    /// Shows the form's page again, as [`draw_again`] does.
    pub async fn draw_again(
        self,
        screen: &str,
        page: &'static dyn AnyPage,
        query: Params,
        values: &[TypedValue<'_>],
        error: Error,
    ) -> Answer {
        let visit = Visit::of(screens::by_name(screen), page);
        let visit = Visit { query, user: self.user.into(), ..visit };
        draw_again(self.web, visit, values, error, &self.headers).await
    }
}

impl SentForm<'_> {
    pub fn sender(self) -> Member {
        Sender { web: self.web, user: self.user, headers: self.headers.clone() }
    }
}

/// Loads the page's present data and draws the page, unless it is cached.
async fn private_page(
    web: &AppState,
    visit: &Visit,
    language: Language,
    coding: Coding,
) -> Result<Arc<CachedPage>> {
    let head = document::head(web, visit, language, visit.has_script());
    let json = document::json(web, visit, language).await;
    let key = (sha256(&[head.as_bytes(), b"\0", json.as_bytes()]), coding);
    let draw = draw_private(web, visit, language, coding, head, json);
    let page = match visit.early.is_secret {
        true => draw.await.map_err(Arc::new),
        false => web.private_pages.get(key, draw).await,
    };
    page.or_else(|failure| match &*failure {
        NotKept::Undrawn(page) => Ok(Arc::clone(page)),
        NotKept::Failed(error) => Err(Error::internal(anyhow::anyhow!("packing a page: {error}"))),
    })
}

async fn draw_private(
    web: &AppState,
    visit: &Visit,
    language: Language,
    coding: Coding,
    head: String,
    json: String,
) -> std::result::Result<Arc<CachedPage>, NotKept> {
    let drawing = PageBody::of(web, visit, json).await;
    let mut text = match drawing.script == visit.has_script() {
        true => head,
        false => document::head(web, visit, language, drawing.script),
    };
    drawing.close(&mut text, web, visit, language);
    let bytes = compress::whole(coding, text.into_bytes()).map_err(NotKept::Failed)?;
    let page = Arc::new(CachedPage { bytes: bytes.into(), script: drawing.script });
    match drawing.is_drawn() {
        true => Ok(page),
        false => Err(NotKept::Undrawn(page)),
    }
}

/// Returns the page that guests share. `None` if they do not share it, or if the engine failed:
/// then it is drawn for each visitor.
pub(crate) async fn public_page<'a>(
    web: &'a AppState,
    screen: &'static Screen,
    page: &'static dyn AnyPage,
    headers: &HeaderMap,
) -> Option<&'a PublicPage> {
    let language = language::of(headers);
    let brings_style = document::brings_style(web, screen, headers);
    let draw = || {
        let visit = Visit { brings_style, ..Visit::of(screen, page) };
        draw_public(web, visit, language)
    };
    let kind = (language, brings_style);
    web.public_pages.get(&screen.path, kind, draw).await
}

async fn draw_public(
    web: &AppState,
    mut visit: Visit,
    language: Language,
) -> anyhow::Result<PublicPage> {
    visit.early = visit.page.early(web, &visit).await?;
    let json = document::json(web, &visit, language).await;
    let drawing = PageBody::of(web, &visit, json).await;
    anyhow::ensure!(drawing.is_drawn(), "the engine did not draw it");
    let mut text = document::head(web, &visit, language, drawing.script);
    drawing.close(&mut text, web, &visit, language);
    let policy = document::policy(web, visit.screen, drawing.script, None);
    let hash = sha256_hex(text.as_bytes())[..24].to_owned();
    Ok(PublicPage::new(policy, hash, text))
}

/// Returns the page in the best coding, or 304 if the browser has it.
///
/// # Errors
/// Fails if it cannot be compressed.
pub(crate) async fn send_public(page: &PublicPage, request: &HeaderMap) -> Answer {
    let coding = Coding::negotiate(request, SMALLEST_FIRST);
    let etag = coding.etag(&page.hash);
    let headers = [
        (header::CACHE_CONTROL, HeaderValue::from_static("no-cache")),
        (header::VARY, HeaderValue::from_static(VARY)),
        (header::CONTENT_SECURITY_POLICY, page.policy.clone()),
        (header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8")),
        (header::ETAG, HeaderValue::from_str(&etag).expect("an ETag of plain ASCII")),
    ];
    if has_current(request, &etag) {
        return Ok((StatusCode::NOT_MODIFIED, headers).into_response());
    }
    let body = page.body(coding).await.map_err(Error::internal)?;
    Ok((headers, coding.header(), Body::from(body)).into_response())
}

/// Tells caches that the address also returns a document, and which headers the response depends
/// on.
const VARIED: [(&str, &str); 1] = [("vary", VARY)];

/// Returns true if a request wants a page's JSON: its `Accept` lists JSON and not HTML. A browser
/// that opens a page lists HTML.
pub fn wants_json(headers: &HeaderMap) -> bool {
    let lists = headers.get_all(header::ACCEPT).into_iter();
    let lists: Vec<&str> = lists.filter_map(|list| list.to_str().ok()).collect();
    let names = |kind: &str| lists.iter().any(|list| accepts(list, kind));
    names("application/json") && !names("text/html")
}

/// Returns the page's JSON, without rendering the page.
///
/// # Errors
/// Fails if it cannot be compressed.
pub(crate) async fn send_json(
    web: &AppState,
    visit: &Visit,
    status: StatusCode,
    headers: &HeaderMap,
) -> Answer {
    let json = document::json(web, visit, language::of(headers)).await;
    let coding = coding_of(web, visit, headers);
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
pub fn json_redirect(location: &str) -> Response {
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
