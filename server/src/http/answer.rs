//! Responses: JSON with the right headers, redirects, and errors in the one shape that clients
//! know.

use axum::body::Body;
use axum::http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_TYPE, LOCATION};
use axum::http::{HeaderValue, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, PercentEncode, utf8_percent_encode};
use serde::Serialize;
use tokio::task::spawn_blocking;

use dakiya_core::background_thread::run_low_priority;
use dakiya_core::error::{Error, JSON_HEADERS, Result};
use dakiya_core::pdf::PdfError;
use dakiya_core::services::fair_queue::Permit;

/// The result of a handler: a response, or an error that becomes one.
pub type Answer = Result<Response>;

/// Returns a JSON response that no cache stores.
pub fn json(status: StatusCode, value: &impl Serialize) -> Response {
    match serde_json::to_string(value) {
        Ok(body) => json_text(status, body),
        Err(error) => Error::internal(error).into_response(),
    }
}

/// Returns a JSON response from text or bytes that are already JSON.
pub fn json_text(status: StatusCode, body: impl Into<Body>) -> Response {
    (status, JSON_HEADERS, body.into()).into_response()
}

pub fn ok(value: &impl Serialize) -> Response {
    json(StatusCode::OK, value)
}

/// Returns a file download that no cache stores. The name must be plain ASCII.
pub fn download(content_type: &'static str, name: &str, bytes: impl Into<Body>) -> Answer {
    let disposition = format!("attachment; filename={name}");
    let headers = [
        (CONTENT_TYPE, HeaderValue::from_static(content_type)),
        (CONTENT_DISPOSITION, HeaderValue::from_str(&disposition).map_err(Error::internal)?),
        (CACHE_CONTROL, HeaderValue::from_static("no-store")),
    ];
    Ok((headers, bytes.into()).into_response())
}

/// The time class of drawing a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DrawingTime {
    Quick,
    /// A page for each piece or line: drawn on a low-priority thread.
    Long,
}

/// Draws a PDF off the request threads and returns it as a download. The permit is released when
/// the drawing ends, even if the client has disconnected.
pub(crate) async fn pdf<D>(name: &str, place: Permit, drawing: DrawingTime, draw: D) -> Answer
where
    D: FnOnce() -> std::result::Result<Vec<u8>, PdfError> + Send + 'static,
{
    let work = move || {
        let pdf = draw();
        drop(place);
        pdf
    };
    let pdf = match drawing {
        DrawingTime::Quick => spawn_blocking(work).await.map_err(Error::internal)?,
        DrawingTime::Long => run_low_priority(work).await.map_err(Error::internal)?,
    };
    let bytes = pdf.map_err(Error::internal)?;
    download("application/pdf", name, bytes)
}

/// Makes the browser delete what pages stored (names, addresses, drafts), so that the next person
/// at this computer does not find them. For a logout without script: with script, the page deletes
/// them itself and keeps the offline page.
pub const CLEAR_STORAGE: (&str, &str) = ("clear-site-data", "\"storage\"");

/// Returns 303: the browser requests the location with GET.
pub fn see_other(location: &str) -> Response {
    redirect(StatusCode::SEE_OTHER, location)
}

/// Returns 307: the browser sends the form again, with its body, to the location.
pub fn temporary_redirect(location: &str) -> Response {
    redirect(StatusCode::TEMPORARY_REDIRECT, location)
}

fn redirect(status: StatusCode, location: &str) -> Response {
    let location = HeaderValue::from_str(location);
    let location = location.unwrap_or(HeaderValue::from_static("/"));
    let headers = [(CACHE_CONTROL, HeaderValue::from_static("no-store")), (LOCATION, location)];
    (status, headers).into_response()
}

/// Redirects a guest to the login, which says that the session has ended and leads back to `page`.
pub fn to_login(page: &str) -> Response {
    see_other(&login_address(page, true))
}

/// Returns the page of an address: its path and query.
pub fn page_of(uri: &Uri) -> &str {
    uri.path_and_query().map_or("/dashboard", |path| path.as_str())
}

/// Returns the address of the login that leads back to `page`; `expired` if the session has just
/// ended.
pub fn login_address(page: &str, expired: bool) -> String {
    let expired = if expired { "&expired=1" } else { "" };
    format!("/login?next={}{expired}", encode(page))
}

/// The ASCII characters that are encoded in a query value.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'/').remove(b'-').remove(b'_').remove(b'.');

/// Percent-encodes a text for use in a query value.
pub fn encode(text: &str) -> PercentEncode<'_> {
    utf8_percent_encode(text, ENCODED)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_safe_inside_a_query() {
        assert_eq!(
            encode("/dashboard?tab=bookings&page=2").to_string(),
            "/dashboard%3Ftab%3Dbookings%26page%3D2"
        );
    }
}
