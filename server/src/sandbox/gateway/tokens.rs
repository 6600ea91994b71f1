//! PhonePe's OAuth: grants an `O-Bearer` token for a form with the client's credentials.

use serde::Deserialize;
use serde_json::{Value, json};

use super::super::tokens::GrantedTokens;
use super::records::random_hex;
use crate::model::settings::secret::Secret;

/// The only accepted client, and the tokens that it was granted.
#[derive(Debug)]
pub(super) struct OauthClient {
    pub client_id: String,
    pub client_secret: Secret,
    pub tokens: GrantedTokens,
}

/// The form of the token endpoint.
#[derive(Deserialize)]
pub(super) struct TokenRequest {
    client_id: String,
    client_secret: Secret,
    client_version: String,
    grant_type: String,
}

impl OauthClient {
    /// Returns a new token in the shape of PhonePe's reply (epoch seconds); `None` for another
    /// client.
    pub fn grant(&self, request: &TokenRequest, now_ms: i64, life_s: i64) -> Option<Value> {
        let secret = request.client_secret.expose().as_bytes();
        let is_client = request.client_id == self.client_id
            && self.client_secret.is(secret)
            && request.client_version.parse::<u32>().is_ok()
            && request.grant_type == "client_credentials";
        if !is_client {
            return None;
        }
        let token = random_hex();
        let (issued, expires) = (now_ms / 1_000, now_ms / 1_000 + life_s);
        self.tokens.grant(&token, now_ms, expires);
        Some(json!({
            "access_token": token, "encrypted_access_token": token, "token_type": "O-Bearer",
            "expires_in": null, "issued_at": issued,
            "expires_at": expires, "session_expires_at": expires,
        }))
    }
}
