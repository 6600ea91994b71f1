//! OAuth as PhonePe does it: a form in, an `O-Bearer` token out (payments.md 1.2).

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard};

use serde::Deserialize;
use serde_json::{Value, json};
use subtle::ConstantTimeEq;

use super::records::random_hex;
use crate::model::settings::secret::Secret;

/// The one client that is let in and the tokens it was given.
#[derive(Debug)]
pub(super) struct GrantedTokens {
    client_id: String,
    client_secret: Secret,
    /// Token to the end of its life (UTC milliseconds).
    given: Mutex<HashMap<String, i64>>,
}

/// The form of the token endpoint.
#[derive(Deserialize)]
pub(super) struct Ask {
    client_id: String,
    client_secret: Secret,
    client_version: String,
    grant_type: String,
}

impl GrantedTokens {
    pub fn new(client_id: String, client_secret: Secret) -> GrantedTokens {
        GrantedTokens {
            client_id,
            client_secret,
            given: Mutex::default(),
        }
    }

    /// A new token, in the shape of PhonePe's reply (epoch seconds); `None` for another client.
    pub fn give(&self, ask: &Ask, now_ms: i64, life_s: i64) -> Option<Value> {
        let same = |a: &str, b: &str| bool::from(a.as_bytes().ct_eq(b.as_bytes()));
        let known = same(&ask.client_id, &self.client_id)
            && same(ask.client_secret.expose(), self.client_secret.expose())
            && ask.client_version.parse::<u32>().is_ok()
            && ask.grant_type == "client_credentials";
        if !known {
            return None;
        }
        let token = random_hex();
        let (issued, expires) = (now_ms / 1_000, now_ms / 1_000 + life_s);
        let mut given = self.given();
        given.retain(|_, &mut expires_ms| expires_ms > now_ms);
        given.insert(token.clone(), expires * 1_000);
        Some(json!({
            "access_token": token,
            "encrypted_access_token": token,
            "expires_in": null,
            "issued_at": issued,
            "expires_at": expires,
            "session_expires_at": expires,
            "token_type": "O-Bearer",
        }))
    }

    /// Whether this `Authorization` header carries a live token. Only the scheme `O-Bearer`
    /// will do.
    pub fn are_shown(&self, authorization: Option<&str>, now_ms: i64) -> bool {
        let token = authorization.and_then(|value| value.strip_prefix("O-Bearer "));
        token
            .and_then(|token| self.given().get(token).copied())
            .is_some_and(|end| end > now_ms)
    }

    /// Forgets every token given so far.
    pub fn revoke(&self) {
        self.given().clear();
    }

    fn given(&self) -> MutexGuard<'_, HashMap<String, i64>> {
        self.given
            .lock()
            .expect("no code panics while holding the tokens")
    }
}
