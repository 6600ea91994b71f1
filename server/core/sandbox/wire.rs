//! The parts of requests and replies that all pretend providers and their control APIs have in
//! common.

use std::convert::Infallible;

use axum::Json;
use axum::extract::{FromRequest, Request};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

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

/// The JSON body of a control call; anything else is a bad request.
pub(super) struct ControlJson<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for ControlJson<T> {
    type Rejection = Refusal;

    async fn from_request(request: Request, state: &S) -> Result<ControlJson<T>, Refusal> {
        let body = Json::<T>::from_request(request, state).await;
        let Json(body) = body.map_err(|error| bad_request(&error.body_text()))?;
        Ok(ControlJson(body))
    }
}

pub(super) fn bad_request(message: &str) -> Refusal {
    Refusal(400, json!({"code": "BAD_REQUEST", "message": message}))
}

pub(super) fn not_found(message: &str) -> Refusal {
    Refusal(404, json!({"code": "NOT_FOUND", "message": message}))
}

/// Returns the settings with some fields changed.
pub(super) fn with_changes<T: Serialize + DeserializeOwned>(
    settings: &T,
    changes: Map<String, Value>,
) -> Result<T, Refusal> {
    let mut merged = serde_json::to_value(settings).expect("settings are plain data");
    for (field, value) in changes {
        merged[field] = value;
    }
    serde_json::from_value(merged).map_err(|error| bad_request(&error.to_string()))
}
