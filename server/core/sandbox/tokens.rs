//! The API user of a pretend provider, and the tokens that it was granted.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard};

use axum::http::{HeaderMap, header};

use super::wire::header_text;
use crate::model::settings::secret::Secret;

/// The only API user of a pretend provider.
#[derive(Clone, Debug)]
pub(super) struct ApiUser {
    /// Its id or its email address; empty where an API key alone is enough.
    pub name: String,
    /// The password or the API key.
    pub secret: Secret,
}

/// The expiry of each token (UTC milliseconds). Cheap to clone.
#[derive(Clone, Debug, Default)]
pub(super) struct GrantedTokens(Arc<Mutex<HashMap<String, i64>>>);

impl GrantedTokens {
    /// Stores a new token until its expiry (UTC seconds), and drops those that have expired.
    pub fn grant(&self, token: &str, now_ms: i64, expires_s: i64) {
        let mut tokens = self.tokens();
        tokens.retain(|_, &mut expires_ms| expires_ms > now_ms);
        tokens.insert(token.to_owned(), expires_s * 1_000);
    }

    /// Returns true if the `Authorization` header carries a token that has not expired, after the
    /// words of this scheme, which end with a space.
    pub fn admit(&self, headers: &HeaderMap, scheme: &str, now_ms: i64) -> bool {
        header_text(headers, header::AUTHORIZATION)
            .and_then(|value| value.strip_prefix(scheme))
            .and_then(|token| self.tokens().get(token).copied())
            .is_some_and(|expires_ms| expires_ms > now_ms)
    }

    pub fn revoke(&self) {
        self.tokens().clear();
    }

    fn tokens(&self) -> MutexGuard<'_, HashMap<String, i64>> {
        self.0.lock().expect("no code panics while holding the tokens")
    }
}
