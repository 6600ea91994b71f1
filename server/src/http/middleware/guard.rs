//! Checks before every handler: size limits, the origin check, security headers, the log.

use std::time::{Duration, Instant};

use axum::extract::{MatchedPath, Request};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use tracing::Instrument as _;

use crate::http::extract::{SESSION, cookie_name, sent_cookie};
use crate::http::state::AppState;
use crate::http::{health, waiting};
use dakiya_core::error::Error;
use dakiya_core::error::RefusalCode;
use dakiya_core::model::settings::callbacks;
use dakiya_core::random::random_id;
use dakiya_core::{limits, trace_context};

/// Refuses addresses that are too long, and changes requested by other sites (CSRF). While a
/// restored database waits for an operator, only checks by balancers and monitors are answered.
pub(crate) async fn check(web: AppState, request: Request, next: Next) -> Response {
    let uri = request.uri();
    if !web.go_ahead.is_given() && !health::PATHS.contains(&uri.path()) {
        return waiting::answer(uri.path());
    }
    let query_bytes = uri.query().map_or(0, str::len);
    if uri.path().len() + query_bytes > limits::URL_BYTES_MAX {
        return Error::TooLarge("This address is too long.".into()).into_response();
    }
    // NUL never occurs in stored text, and Postgres does not accept it in a query.
    if uri.path().contains("%00") {
        return Error::Malformed("This address is not one of ours.".into()).into_response();
    }
    let changes = !matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS);
    let call = uri.path().strip_prefix(callbacks::API);
    let own_authentication = call.is_some_and(|call| callbacks::ALL.contains(&call));
    if changes && !own_authentication && !is_same_origin(&web, request.headers()) {
        let message = "This request did not come from our own pages.";
        return Error::Forbidden(message.into()).into_response();
    }
    next.run(request).await
}

/// Returns true if the request comes from our own pages. Browsers send their origin; a program
/// sends none and is allowed, unless it carries a browser's session cookie.
fn is_same_origin(web: &AppState, headers: &HeaderMap) -> bool {
    if let Some(is_ours) = is_said_to_be_ours(headers) {
        return is_ours;
    }
    if headers.contains_key(header::ORIGIN) {
        let origin = text_of(headers, &header::ORIGIN).unwrap_or("null");
        return is_own_origin(web, headers, origin);
    }
    sent_cookie(headers, cookie_name(&web.config, SESSION)).is_none()
}

/// Returns true if no other site can have written the address of a visit. A browser that does not
/// say where the visit comes from still names the origin of the page before, if it is ours.
pub(crate) fn is_own_visit(web: &AppState, headers: &HeaderMap) -> bool {
    is_said_to_be_ours(headers).unwrap_or_else(|| {
        let before = text_of(headers, &header::REFERER);
        before.is_some_and(|address| is_own_origin(web, headers, origin_of(address)))
    })
}

/// Returns true if the browser says that a request comes from our own pages, or from the user;
/// `None` if it is an old one, which says nothing.
fn is_said_to_be_ours(headers: &HeaderMap) -> Option<bool> {
    headers.get("sec-fetch-site").map(|site| site == "same-origin" || site == "none")
}

/// Returns true for the origin of our own pages, as it is configured or as it was asked.
fn is_own_origin(web: &AppState, headers: &HeaderMap, origin: &str) -> bool {
    let scheme = if web.config.is_https() { "https" } else { "http" };
    let host = text_of(headers, &header::HOST);
    origin == &*web.core.public_url
        || (host.is_some() && origin.split_once("://") == Some(scheme).zip(host))
}

/// Returns an address up to its path.
fn origin_of(address: &str) -> &str {
    let path = address.match_indices('/').nth(2);
    path.map_or(address, |(start, _)| &address[..start])
}

fn text_of<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}

/// Adds the headers that every response carries, and to all but scripts, styles and fonts those
/// that browsers heed in documents only: a first page asks for several such files, and each header
/// costs a slow phone time. Pages add their own content security policy.
pub(crate) async fn secure(web: AppState, request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    let nosniff = HeaderValue::from_static("nosniff");
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, nosniff);
    if web.config.is_https() {
        let a_year = HeaderValue::from_static("max-age=31536000; includeSubDomains");
        headers.insert(header::STRICT_TRANSPORT_SECURITY, a_year);
    }
    if is_never_a_document(headers) {
        return response;
    }
    for (name, value) in [
        // Only the origin is sent as the referrer, as an address may contain a link's secret. The
        // origin itself is needed where browsers state the origin of a form.
        ("referrer-policy", "strict-origin"),
        ("cross-origin-opener-policy", "same-origin"),
        ("permissions-policy", "camera=(self), geolocation=(), microphone=(), payment=()"),
        ("x-frame-options", "DENY"),
    ] {
        headers.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
    }
    if !headers.contains_key(header::CONTENT_SECURITY_POLICY) {
        const NOTHING: &str = "default-src 'none'; base-uri 'none'; frame-ancestors 'none'";
        headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(NOTHING));
    }
    response
}

/// True for what a browser never draws as a page and never runs as a worker, which would heed its
/// own policy. The type cannot be taken for another one: `nosniff`.
fn is_never_a_document(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE);
    let kind = kind.and_then(|kind| kind.to_str().ok()).unwrap_or("");
    let is_worker = headers.contains_key(header::CONTENT_SECURITY_POLICY);
    !is_worker && ["text/javascript", "text/css", "font/"].iter().any(|it| kind.starts_with(it))
}

/// The response header with the request's id in the log.
pub const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

const TRACEPARENT: HeaderName = HeaderName::from_static(trace_context::TRACEPARENT);

/// Logs and counts each request, logs a second line for a refused one, and adds the request's id to
/// every line logged for it and to its span in the traces. Routes are patterns, so that no id,
/// query or AWB reaches the log or a trace.
pub(crate) async fn log(web: AppState, request: Request, next: Next) -> Response {
    let started = Instant::now();
    let method = request.method().clone();
    let route = request.extensions().get::<MatchedPath>().map(|path| path.as_str().to_owned());
    let route = route.unwrap_or_else(|| "unmatched".to_owned());
    let id = random_id();
    // A client could make us sample its requests, and add to the traces of others.
    let traceparent = match web.config.trust_traceparent {
        true => text_of(request.headers(), &TRACEPARENT),
        false => None,
    };
    let span = trace_context::request(&id, traceparent);
    let mut response = next.run(request).instrument(span.clone()).await;
    if let Ok(id) = HeaderValue::from_str(&id) {
        response.headers_mut().insert(REQUEST_ID, id);
    }
    let (status, took) = (response.status().as_u16(), started.elapsed());
    let ms = took.as_millis();
    span.in_scope(|| {
        tracing::info!(%method, route, status, ms, "answered");
        if response.status().is_client_error() {
            let code = response.extensions().get::<RefusalCode>();
            let code = code.map_or("", |code| code.0);
            tracing::info!(target: "refused", %method, route, status, code, "refused");
        }
    });
    let method = method_word(&method);
    trace_context::answered(&span, method, &route, status);
    count(route, method, response.status(), took);
    response
}

/// The method as a label. A client can send any, and labels must be few.
fn method_word(method: &Method) -> &'static str {
    match *method {
        Method::GET | Method::HEAD => "GET",
        Method::POST => "POST",
        Method::PUT => "PUT",
        Method::DELETE => "DELETE",
        _ => "other",
    }
}

/// Counts a response.
fn count(route: String, method: &'static str, status: StatusCode, took: Duration) {
    let class = match status.as_u16() {
        ..300 => "2xx",
        300..400 => "3xx",
        400..500 => "4xx",
        500.. => "5xx",
    };
    metrics::histogram!(
        "dakiya_request_seconds", "route" => route.clone(), "method" => method, "status" => class
    )
    .record(took);
    let status = status.as_str().to_owned();
    metrics::counter!("dakiya_requests_total", "route" => route, "status" => status).increment(1);
}
