//! Responses: JSON with the right headers, redirects, and errors in the one shape that clients
//! know.

use axum::Extension;
use axum::body::Body;
use axum::http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_TYPE, LOCATION, RETRY_AFTER};
use axum::http::{HeaderValue, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, PercentEncode, utf8_percent_encode};
use serde::Serialize;
use serde_json::value::RawValue;
use tokio::task::spawn_blocking;
use utoipa::ToSchema;

use crate::background_thread::run_low_priority;
use crate::error::{Error, FieldError, Result};
use crate::pdf::PdfError;
use crate::services::fair_queue::Permit;

/// The result of a handler: a response, or an error that becomes one.
pub type Answer = Result<Response>;

/// The machine-readable code of a refused request.
#[derive(Clone, Copy, Debug)]
pub struct RefusalCode(pub &'static str);

/// Returns a JSON response that no cache stores.
pub fn json(status: StatusCode, value: &impl Serialize) -> Response {
    match serde_json::to_string(value) {
        Ok(body) => json_text(status, body),
        Err(error) => Error::internal(error).into_response(),
    }
}

/// Returns a JSON response from text or bytes that are already JSON.
pub fn json_text(status: StatusCode, body: impl Into<Body>) -> Response {
    let headers = [(CONTENT_TYPE, "application/json"), (CACHE_CONTROL, "no-store")];
    (status, headers, body.into()).into_response()
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

/// The body of every answer that refuses.
#[derive(Serialize, ToSchema)]
pub struct Refusal<'a> {
    message: &'a str,
    code: &'a str,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    errors: &'a [FieldError],
    /// Data that a client needs to continue, such as the new price.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false, value_type = Value)]
    data: Option<&'a RawValue>,
    /// The header of this name, for programs that see bodies only.
    #[serde(skip_serializing_if = "Option::is_none")]
    retry_after_s: Option<u64>,
}

impl<'a> From<&'a Error> for Refusal<'a> {
    fn from(error: &'a Error) -> Refusal<'a> {
        let data = match error {
            Error::DraftBooked { data, .. }
            | Error::QuoteChanged { data, .. }
            | Error::OtpRequired { data, .. }
            | Error::Stale { data, .. } => Some(&**data),
            _ => None,
        };
        Refusal {
            message: error.message(),
            code: error.code(),
            errors: error.fields(),
            data,
            retry_after_s: error.retry_after_s(),
        }
    }
}

impl IntoResponse for Error {
    /// Builds the error response. Internal causes are logged only here; they are never sent.
    fn into_response(self) -> Response {
        match &self {
            Error::Internal(cause) => {
                tracing::error!("{cause:#}");
                metrics::counter!("dakiya_internal_errors_total").increment(1);
            }
            // A warning for each request of an outage: the start of the outage is logged as an
            // error.
            Error::Storage { cause, .. } => tracing::warn!("{cause:#}"),
            _ => {}
        }
        let status = StatusCode::from_u16(self.status()).unwrap_or_default();
        let refusal = Refusal::from(&self);
        let wait = refusal.retry_after_s;
        let wait = wait.map(|seconds| [(RETRY_AFTER, HeaderValue::from(seconds))]);
        (Extension(RefusalCode(self.code())), wait, json(status, &refusal)).into_response()
    }
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
