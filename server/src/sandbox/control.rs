//! The common parts of the control APIs of all pretend providers.

use axum::Json;
use axum::extract::{FromRequest, Request};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

/// The JSON body of a control call; anything else is a bad request.
pub(super) struct ControlJson<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for ControlJson<T> {
    type Rejection = Response;

    async fn from_request(request: Request, state: &S) -> Result<ControlJson<T>, Response> {
        match Json::from_request(request, state).await {
            Ok(Json(body)) => Ok(ControlJson(body)),
            Err(error) => Err(bad_request(&error.body_text())),
        }
    }
}

pub(super) fn bad_request(message: &str) -> Response {
    refuse(StatusCode::BAD_REQUEST, "BAD_REQUEST", message)
}

pub(super) fn not_found(message: &str) -> Response {
    refuse(StatusCode::NOT_FOUND, "NOT_FOUND", message)
}

fn refuse(status: StatusCode, code: &str, message: &str) -> Response {
    (status, Json(json!({"code": code, "message": message}))).into_response()
}

/// Returns the settings with some fields changed, or an error message.
pub(super) fn changed<T: Serialize + DeserializeOwned>(
    settings: &T,
    changes: Map<String, Value>,
) -> Result<T, String> {
    let mut merged = serde_json::to_value(settings).expect("settings are plain data");
    for (field, value) in changes {
        merged[field] = value;
    }
    serde_json::from_value(merged).map_err(|error| error.to_string())
}
