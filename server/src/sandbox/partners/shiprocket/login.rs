//! Logging in with an e-mail address and a password, for a JWT that lives ten days.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard};

use axum::extract::{Request, State};
use axum::http::{StatusCode, header};
use axum::middleware::Next;
use axum::response::Response;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::json;

use super::super::super::interceptor::ProtocolError;
use super::super::json::{JsonBody, fields_of, text};
use super::{Shiprocket, error_reply, fields, refuse};
use crate::model::settings::secret::Secret;
use crate::random::random_token;

/// The only API user, and the tokens that it was granted. Cheap to clone.
#[derive(Clone, Debug)]
pub(super) struct LoginTokens {
    email: String,
    password: Secret,
    /// The expiry of each token (UTC milliseconds).
    given: Arc<Mutex<HashMap<String, i64>>>,
}

impl LoginTokens {
    pub fn new(email: String, password: Secret) -> LoginTokens {
        LoginTokens {
            email,
            password,
            given: Arc::default(),
        }
    }

    fn given(&self) -> MutexGuard<'_, HashMap<String, i64>> {
        self.given
            .lock()
            .expect("no code panics while holding the tokens")
    }

    fn knows(&self, email: &str, password: &str) -> bool {
        email == self.email && self.password.is(password.as_bytes())
    }

    /// Returns a token in the form of a JWT, with a random text in place of its signature.
    fn give(&self, now_ms: i64, life_s: i64) -> String {
        let (issued, expires) = (now_ms / 1_000, now_ms / 1_000 + life_s);
        let claims = json!({"iss": "sandbox", "iat": issued, "exp": expires}).to_string();
        let [head, claims] =
            [r#"{"typ":"JWT","alg":"HS256"}"#, &claims].map(|part| URL_SAFE_NO_PAD.encode(part));
        let token = format!("{head}.{claims}.{}", random_token());
        let mut given = self.given();
        given.retain(|_, &mut end| end > now_ms);
        given.insert(token.clone(), expires * 1_000);
        token
    }

    fn are_shown(&self, authorization: Option<&str>, now_ms: i64) -> bool {
        let token = authorization.and_then(|value| value.strip_prefix("Bearer "));
        token
            .and_then(|token| self.given().get(token).copied())
            .is_some_and(|end| end > now_ms)
    }
}

pub(super) async fn login(State(shiprocket): State<Shiprocket>, body: JsonBody) -> Response {
    let asked = fields_of(body);
    let problems = fields::missing(&asked, &["email", "password"]);
    let (Some(email), Some(password)) = (text(&asked, "email"), text(&asked, "password")) else {
        return super::invalid("The given data was invalid.", &problems);
    };
    if !shiprocket.tokens.knows(email, password) {
        return refuse(400, "Invalid email and password combination");
    }
    let life_s = shiprocket.server.records().settings.token_life_s;
    let token = shiprocket.tokens.give(shiprocket.server.now_ms(), life_s);
    shiprocket.reply(json!({
        "id": 71,
        "first_name": "Sandbox",
        "last_name": "API",
        "email": email,
        "company_id": 25,
        "created_at": "2024-01-01 10:00:00",
        "token": token,
    }))
}

pub(super) async fn authorised(
    State(shiprocket): State<Shiprocket>,
    request: Request,
    next: Next,
) -> Response {
    let shown = request
        .headers()
        .get(header::AUTHORIZATION)
        .and_then(|value| value.to_str().ok());
    if shiprocket
        .tokens
        .are_shown(shown, shiprocket.server.now_ms())
    {
        next.run(request).await
    } else {
        error_reply(ProtocolError::Unauthorized)
    }
}

/// Revokes all tokens granted so far.
pub(super) async fn revoke(State(shiprocket): State<Shiprocket>) -> StatusCode {
    shiprocket.tokens.given().clear();
    StatusCode::NO_CONTENT
}
