//! Logging in: an e-mail address and a password in, a JWT out that lives ten days.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard};

use axum::extract::{Request, State};
use axum::http::{StatusCode, header};
use axum::middleware::Next;
use axum::response::Response;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::json;
use subtle::ConstantTimeEq;

use super::super::super::watch::Trouble;
use super::super::answer::{Asked, asked, text};
use super::{Shiprocket, fields, refuse, trouble};
use crate::providers::secret::Secret;
use crate::random::random_token;

/// The one API user and the tokens it was given. Cheap to clone.
#[derive(Clone, Debug)]
pub(super) struct Tokens {
    email: String,
    password: Secret,
    /// Token to the end of its life (UTC milliseconds).
    given: Arc<Mutex<HashMap<String, i64>>>,
}

impl Tokens {
    pub fn new(email: String, password: Secret) -> Tokens {
        Tokens {
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
        let same = |a: &str, b: &str| bool::from(a.as_bytes().ct_eq(b.as_bytes()));
        same(email, &self.email) & same(password, self.password.expose())
    }

    /// A token in the form of a JWT; its signature is chance, which is as hard to guess.
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

pub(super) async fn login(State(shiprocket): State<Shiprocket>, body: Asked) -> Response {
    let asked = asked(body);
    let problems = fields::missing(&asked, &["email", "password"]);
    let (Some(email), Some(password)) = (text(&asked, "email"), text(&asked, "password")) else {
        return super::invalid("The given data was invalid.", &problems);
    };
    if !shiprocket.tokens.knows(email, password) {
        return refuse(400, "Invalid email and password combination");
    }
    let life_s = shiprocket.desk.book().settings.token_life_s;
    let token = shiprocket.tokens.give(shiprocket.desk.now_ms(), life_s);
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
    if shiprocket.tokens.are_shown(shown, shiprocket.desk.now_ms()) {
        next.run(request).await
    } else {
        trouble(Trouble::Unauthorized)
    }
}

/// Forgets every token given so far.
pub(super) async fn revoke(State(shiprocket): State<Shiprocket>) -> StatusCode {
    shiprocket.tokens.given().clear();
    StatusCode::NO_CONTENT
}
