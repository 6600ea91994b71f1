//! Errors in Karrio's JSON.

use serde_json::{Value, json};

use super::super::super::wire::{ProtocolError, Refusal};

pub(super) const REQUIRED: &str = "This field is required.";

pub(super) fn error_reply(error: ProtocolError) -> Refusal {
    match error {
        ProtocolError::Rejected => refuse(400, "validation", "The request is not valid."),
        ProtocolError::Unauthorized => refuse(401, "invalid_token", "Invalid token."),
        ProtocolError::Forbidden => refuse(403, "permission_denied", "You may not do this."),
        ProtocolError::NotFound => not_found(),
        ProtocolError::TooLarge => refuse(413, "failure", "The body is too large."),
        ProtocolError::TooMany => refuse(429, "throttled", "Request was throttled."),
        ProtocolError::Broken => refuse(500, "error", "Something went wrong."),
    }
}

/// Returns an error of Karrio itself, not of a carrier.
pub(super) fn refuse(status: u16, code: &str, message: &str) -> Refusal {
    let error = json!({"code": code, "level": "error", "message": message});
    Refusal(status, json!({"errors": [error]}))
}

pub(super) fn not_found() -> Refusal {
    refuse(404, "not_found", "Nothing matches the given query.")
}

pub(super) fn invalid(details: &Value) -> Refusal {
    let error = json!({"code": "validation", "level": "error", "details": details});
    Refusal(400, json!({"errors": [error]}))
}

/// Returns the error for fields that are missing.
pub(super) fn required(fields: &[&str]) -> Refusal {
    let details = fields.iter().map(|field| ((*field).to_owned(), json!([REQUIRED])));
    invalid(&Value::Object(details.collect()))
}

/// Returns the error for a state that does not permit the request.
pub(super) fn state_error(message: &str) -> Refusal {
    refuse(409, "state_error", message)
}

/// Returns the error for the failure of all carriers.
pub(super) fn failure(messages: &[Value]) -> Refusal {
    Refusal(424, json!({"messages": messages}))
}

pub(super) fn no_account() -> Refusal {
    refuse(404, "not_found", "No active carrier connection found to process the request")
}

pub(super) fn no_such_service() -> Refusal {
    let message = "The service you selected is not available for this shipment.";
    refuse(400, "service_unavailable", message)
}
