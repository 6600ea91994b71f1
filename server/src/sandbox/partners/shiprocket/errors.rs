//! Errors in Shiprocket's JSON.

use serde_json::{Value, json};

use super::super::super::wire::{ProtocolError, Refusal};

pub(super) fn error_reply(error: ProtocolError) -> Refusal {
    match error {
        ProtocolError::Rejected => {
            let problem = "The request is not valid.".to_owned();
            invalid("Oops! Invalid Data.", &[("order_id", problem)])
        }
        ProtocolError::Unauthorized => refuse(401, "Unauthenticated."),
        ProtocolError::Forbidden => refuse(403, "Unauthorized. You do not have permission."),
        ProtocolError::NotFound => not_found(),
        ProtocolError::TooLarge => refuse(413, "The body is too large."),
        ProtocolError::TooMany => refuse(429, "Too Many Attempts."),
        ProtocolError::Broken => refuse(500, "Server Error"),
    }
}

pub(super) fn refuse(status: u16, message: &str) -> Refusal {
    Refusal(status, json!({"message": message, "status_code": status}))
}

pub(super) fn not_found() -> Refusal {
    refuse(404, "404 Not Found")
}

/// Returns the error for invalid fields of a request.
pub(super) fn invalid(message: &str, problems: &[(&str, String)]) -> Refusal {
    let problems = problems.iter().map(|(field, problem)| ((*field).to_owned(), json!([problem])));
    let errors = Value::Object(problems.collect());
    Refusal(422, json!({"message": message, "errors": errors, "status_code": 422}))
}
