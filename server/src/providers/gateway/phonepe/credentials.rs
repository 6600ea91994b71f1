//! PhonePe's OAuth token: client credentials for a bearer (payments.md 1.2).

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::Deserialize;

use super::wire;
use crate::providers::http::{Body, Client, Request};
use crate::providers::secret::Secret;
use crate::providers::token::{Fetched, Grant, Source};

/// Who asks for tokens, and where.
#[derive(Debug)]
pub(super) struct Credentials {
    pub url: String,
    pub client_id: String,
    pub client_secret: Secret,
    pub client_version: String,
}

impl Source for Credentials {
    fn fetch<'a>(&'a self, http: &'a Client, timeout: Duration) -> Fetched<'a> {
        Box::pin(self.ask(http, timeout))
    }
}

impl Credentials {
    async fn ask(&self, http: &Client, timeout: Duration) -> Result<Grant, String> {
        let form = [
            ("client_id", self.client_id.as_str()),
            ("client_secret", self.client_secret.expose()),
            ("client_version", self.client_version.as_str()),
            ("grant_type", "client_credentials"),
        ];
        let request = Request {
            url: &self.url,
            authorization: None,
            body: Body::Form(&form),
            timeout,
        };
        let reply = http
            .send(request)
            .await
            .map_err(|error| format!("token: {error}"))?;
        if reply.status != 200 {
            let refusal = wire::refusal(&reply);
            return Err(format!("token refused ({} {})", reply.status, refusal.code));
        }
        let granted: Granted = serde_json::from_slice(&reply.body)
            .map_err(|_| "the token reply cannot be read".to_owned())?;
        let life = granted.life().ok_or("the token names no life time")?;
        let authorization = Secret::new(format!("O-Bearer {}", granted.access_token.expose()));
        Ok(Grant {
            authorization,
            life,
        })
    }
}

/// The reply of the token endpoint: epoch seconds (payments.md 1.2).
#[derive(Deserialize)]
struct Granted {
    access_token: Secret,
    issued_at: Option<i64>,
    expires_at: Option<i64>,
    expires_in: Option<i64>,
}

impl Granted {
    /// The span the gateway named, so that a wrong clock here does no harm (reliability.md D8).
    fn life(&self) -> Option<Duration> {
        let span = match (self.issued_at, self.expires_at) {
            (Some(issued), Some(expires)) => expires.checked_sub(issued)?,
            (None, Some(expires)) => expires.checked_sub(epoch_seconds())?,
            (_, None) => self.expires_in?,
        };
        u64::try_from(span)
            .ok()
            .filter(|&span| span > 0)
            .map(Duration::from_secs)
    }
}

fn epoch_seconds() -> i64 {
    let since = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    i64::try_from(since.as_secs()).unwrap_or(i64::MAX)
}
