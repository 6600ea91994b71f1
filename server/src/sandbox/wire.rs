//! The parts of requests and replies that all pretend providers have in common.

use std::convert::Infallible;

use axum::Json;
use axum::extract::{FromRequest, Request};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::Value;

/// An error that any operation of a protocol can return.
#[derive(Clone, Copy, Debug)]
pub(super) enum ProtocolError {
    Rejected,
    Unauthorized,
    Forbidden,
    NotFound,
    TooLarge,
    TooMany,
    Broken,
}

/// A reply that is no success: its status and its JSON body.
#[derive(Debug)]
pub(super) struct Refusal(pub u16, pub Value);

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.0).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        (status, Json(self.1)).into_response()
    }
}

/// The outcome of a handler: its reply, or the error instead of it.
pub(super) type Answer = Result<Response, Refusal>;

/// An [`Answer`] of JSON that nothing is added to.
pub(super) type JsonAnswer = Result<Json<Value>, Refusal>;

/// The JSON body of a request. A body that is not JSON has no fields, and is refused for the
/// missing ones.
pub(super) struct Fields(pub Value);

impl<S: Send + Sync> FromRequest<S> for Fields {
    type Rejection = Infallible;

    async fn from_request(request: Request, state: &S) -> Result<Fields, Infallible> {
        let body = Json::from_request(request, state).await;
        Ok(Fields(body.map_or(Value::Null, |Json(fields)| fields)))
    }
}

/// Returns a header that is a text.
pub(super) fn header_text(headers: &HeaderMap, name: header::HeaderName) -> Option<&str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}

/// Returns the host name by which the sandbox was called.
pub(super) fn host(headers: &HeaderMap) -> &str {
    header_text(headers, header::HOST).unwrap_or("localhost")
}
