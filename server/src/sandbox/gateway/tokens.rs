//! PhonePe's OAuth: grants an `O-Bearer` token for a form with the client's credentials.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard};

use serde::Deserialize;
use serde_json::{Value, json};

use super::records::random_hex;
use crate::model::settings::secret::Secret;

/// The only accepted client, and the tokens that it was granted.
#[derive(Debug)]
pub(super) struct GrantedTokens {
    client_id: String,
    client_secret: Secret,
    /// The expiry of each token (UTC milliseconds).
    given: Mutex<HashMap<String, i64>>,
}

/// The form of the token endpoint.
#[derive(Deserialize)]
pub(super) struct TokenRequest {
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

    /// Returns a new token in the shape of PhonePe's reply (epoch seconds); `None` for another
    /// client.
    pub fn give(&self, request: &TokenRequest, now_ms: i64, life_s: i64) -> Option<Value> {
        let known = request.client_id == self.client_id
            && self
                .client_secret
                .is(request.client_secret.expose().as_bytes())
            && request.client_version.parse::<u32>().is_ok()
            && request.grant_type == "client_credentials";
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

    /// Returns true if this `Authorization` header carries a token that has not expired. The scheme
    /// must be `O-Bearer`.
    pub fn are_shown(&self, authorization: Option<&str>, now_ms: i64) -> bool {
        let token = authorization.and_then(|value| value.strip_prefix("O-Bearer "));
        token
            .and_then(|token| self.given().get(token).copied())
            .is_some_and(|end| end > now_ms)
    }

    /// Revokes all tokens granted so far.
    pub fn revoke(&self) {
        self.given().clear();
    }

    fn given(&self) -> MutexGuard<'_, HashMap<String, i64>> {
        self.given
            .lock()
            .expect("no code panics while holding the tokens")
    }
}
