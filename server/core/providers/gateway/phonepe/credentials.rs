//! PhonePe's OAuth token, granted for the client credentials (developer.phonepe.com, Standard
//! Checkout, "Authorization").

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use async_trait::async_trait;
use serde::Deserialize;

use super::wire;
use crate::model::settings::gateway::PhonePeConfig;
use crate::model::settings::secret::Secret;
use crate::providers::calls::CallKind;
use crate::providers::http::{Body, Client, Request};
use crate::providers::token::{Grant, TokenSource};

/// Our credentials, and the address that grants tokens for them.
#[derive(Debug)]
pub(super) struct PhonePeCredentials(pub PhonePeConfig);

#[async_trait]
impl TokenSource for PhonePeCredentials {
    async fn fetch(&self, http: &Client, timeout: Duration) -> Result<Grant, String> {
        let PhonePeCredentials(config) = self;
        let form = [
            ("client_id", config.client_id.as_str()),
            ("client_secret", config.client_secret.expose()),
            ("client_version", config.client_version.as_str()),
            ("grant_type", "client_credentials"),
        ];
        let url = format!("{}/v1/oauth/token", config.oauth_base);
        let request = Request {
            call: CallKind::Token,
            url: &url,
            authorization: None,
            body: Body::Form(&form),
            timeout,
        };
        let reply = http.send(request).await.map_err(|error| format!("token: {error}"))?;
        if reply.status != 200 {
            let refusal = wire::refusal(&reply);
            return Err(format!("token refused ({} {})", reply.status, refusal.code));
        }
        let granted: GrantedToken = serde_json::from_slice(&reply.body)
            .map_err(|_| "the token reply cannot be read".to_owned())?;
        let life = granted.life().ok_or("the token names no life time")?;
        let authorization = Secret::new(format!("O-Bearer {}", granted.access_token.expose()));
        Ok(Grant { authorization, life })
    }
}

/// The response of the token endpoint, with times in epoch seconds. PhonePe sends `expires_in` as
/// null, so the lifetime is computed from the two times.
#[derive(Deserialize)]
struct GrantedToken {
    access_token: Secret,
    issued_at: Option<i64>,
    expires_at: Option<i64>,
    expires_in: Option<i64>,
}

impl GrantedToken {
    /// Returns the time between the gateway's two times, so that a wrong local clock does no harm.
    fn life(&self) -> Option<Duration> {
        let span = match (self.issued_at, self.expires_at) {
            (Some(issued), Some(expires)) => expires.checked_sub(issued)?,
            (None, Some(expires)) => expires.checked_sub(epoch_seconds())?,
            (_, None) => self.expires_in?,
        };
        u64::try_from(span).ok().filter(|&span| span > 0).map(Duration::from_secs)
    }
}

fn epoch_seconds() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_secs()).unwrap_or(i64::MAX)
}
