//! The common parts of the control APIs of all pretend providers.

use axum::Json;
use axum::extract::{FromRequest, Request};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use super::wire::Refusal;

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
pub(super) fn changed<T: Serialize + DeserializeOwned>(
    settings: &T,
    changes: Map<String, Value>,
) -> Result<T, Refusal> {
    let mut merged = serde_json::to_value(settings).expect("settings are plain data");
    for (field, value) in changes {
        merged[field] = value;
    }
    serde_json::from_value(merged).map_err(|error| bad_request(&error.to_string()))
}
