//! Logging in with an email address and a password, for a JWT that lives ten days.

use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::middleware::Next;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::json;

use super::super::super::wire::{Answer, Fields, ProtocolError};
use super::super::json::text;
use super::super::partner::Partner;
use super::errors::{error_reply, invalid, missing, refuse};
use crate::random::random_token;

/// Returns a token in the form of a JWT, with a random text in place of its signature.
fn grant(partner: &Partner) -> String {
    let life_s = partner.records().settings.token_life_s;
    let now_ms = partner.now_ms();
    let (issued, expires) = (now_ms / 1_000, now_ms / 1_000 + life_s);
    let claims = json!({"iss": "sandbox", "iat": issued, "exp": expires}).to_string();
    let [head, claims] =
        [r#"{"typ":"JWT","alg":"HS256"}"#, &claims].map(|part| URL_SAFE_NO_PAD.encode(part));
    let token = format!("{head}.{claims}.{}", random_token());
    partner.tokens.grant(&token, now_ms, expires);
    token
}

pub(super) async fn login(State(partner): State<Partner>, Fields(body): Fields) -> Answer {
    let (Some(email), Some(password)) = (text(&body, "email"), text(&body, "password")) else {
        let problems = missing(&body, "email password");
        return Err(invalid("The given data was invalid.", &problems));
    };
    if email != partner.user.name || !partner.user.secret.is(password.as_bytes()) {
        return Err(refuse(400, "Invalid email and password combination"));
    }
    Ok(partner.ok(json!({
        "id": 71, "first_name": "Sandbox", "last_name": "API", "email": email,
        "company_id": 25, "created_at": "2024-01-01 10:00:00", "token": grant(&partner),
    })))
}

pub(super) async fn authorised(
    State(partner): State<Partner>,
    request: Request,
    next: Next,
) -> Answer {
    let now_ms = partner.now_ms();
    if !partner.tokens.admit(request.headers(), "Bearer ", now_ms) {
        return Err(error_reply(ProtocolError::Unauthorized));
    }
    Ok(next.run(request).await)
}

pub(in super::super) async fn revoke(State(partner): State<Partner>) -> StatusCode {
    partner.tokens.revoke();
    StatusCode::NO_CONTENT
}
