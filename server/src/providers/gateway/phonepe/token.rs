//! The OAuth token: cached, renewed in the background at half its life, one renewal at a time
//! (payments.md 1.2).

use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::Deserialize;
use tokio::time::{Instant, timeout_at};

use super::wire;
use crate::limits::GATEWAY_TOKEN_RETRY_MS;
use crate::providers::http::{Body, Client, Request};
use crate::providers::secret::Secret;

/// Who asks for tokens, and where.
#[derive(Debug)]
pub(super) struct Credentials {
    pub url: String,
    pub client_id: String,
    pub client_secret: Secret,
    pub client_version: String,
}

/// The one cached token of a gateway.
#[derive(Debug)]
pub(super) struct Tokens {
    http: Client,
    credentials: Credentials,
    /// One request to the token endpoint.
    try_max: Duration,
    state: Mutex<State>,
    /// Held while a renewal is under way.
    flight: tokio::sync::Mutex<()>,
}

#[derive(Debug, Default)]
struct State {
    token: Option<Token>,
    last_generation: u64,
    failure: Option<Failure>,
}

#[derive(Clone, Debug)]
struct Failure {
    at: Instant,
    reason: String,
}

/// A token ready to send.
#[derive(Clone, Debug)]
pub(super) struct Token {
    /// The whole header value, `O-Bearer …`.
    pub authorization: Secret,
    /// Names this token, so that a reply of 401 renews it once however many requests used it.
    pub generation: u64,
    renew_at: Instant,
    expires_at: Instant,
}

impl Tokens {
    pub fn new(http: Client, credentials: Credentials, try_max: Duration) -> Tokens {
        let (state, flight) = (Mutex::default(), tokio::sync::Mutex::default());
        Tokens {
            http,
            credentials,
            try_max,
            state,
            flight,
        }
    }

    /// A token that has not expired. After half its life a renewal starts behind the caller's
    /// back; while that fails the old token serves on.
    pub async fn get(self: &Arc<Self>, deadline: Instant) -> Result<Token, String> {
        let now = Instant::now();
        let cached = self
            .state()
            .token
            .clone()
            .filter(|token| now < token.expires_at);
        let Some(token) = cached else {
            return self.renew(None, deadline).await;
        };
        if now >= token.renew_at && !self.failed_lately(now) {
            self.renew_in_background(token.generation);
        }
        Ok(token)
    }

    /// A token other than the one of this generation: after a 401, or when there is none.
    /// Callers who come together share one request and its result.
    pub async fn renew(&self, stale: Option<u64>, deadline: Instant) -> Result<Token, String> {
        let asked = Instant::now();
        let waited = timeout_at(deadline, self.flight.lock()).await;
        let _flight = waited.map_err(|_| "no token in time".to_owned())?;
        let (token, failure) = {
            let state = self.state();
            (state.token.clone(), state.failure.clone())
        };
        let now = Instant::now();
        let other = |token: &Token| Some(token.generation) != stale && now < token.expires_at;
        if let Some(token) = token.filter(other) {
            return Ok(token);
        }
        if let Some(failure) = failure.filter(|failure| failure.at >= asked) {
            return Err(failure.reason);
        }
        self.fetch(deadline).await
    }

    fn renew_in_background(self: &Arc<Self>, stale: u64) {
        if self.flight.try_lock().is_err() {
            return; // someone is at it
        }
        let tokens = Arc::clone(self);
        tokio::spawn(async move {
            let deadline = Instant::now() + tokens.try_max;
            if let Err(reason) = tokens.renew(Some(stale), deadline).await {
                tracing::warn!(
                    reason,
                    "the gateway token could not be renewed; the old one serves"
                );
            }
        });
    }

    fn failed_lately(&self, now: Instant) -> bool {
        let pause = Duration::from_millis(GATEWAY_TOKEN_RETRY_MS);
        self.state()
            .failure
            .as_ref()
            .is_some_and(|failure| now < failure.at + pause)
    }

    /// Asks once and remembers the token or the failure. Call it with `flight` held.
    async fn fetch(&self, deadline: Instant) -> Result<Token, String> {
        let result = self.ask(deadline).await;
        let mut state = self.state();
        match result {
            Ok((authorization, sent, life)) => {
                state.last_generation += 1;
                let token = Token {
                    authorization,
                    generation: state.last_generation,
                    renew_at: sent + life / 2,
                    expires_at: sent + life,
                };
                state.failure = None;
                state.token = Some(token.clone());
                Ok(token)
            }
            Err(reason) => {
                state.failure = Some(Failure {
                    at: Instant::now(),
                    reason: reason.clone(),
                });
                Err(reason)
            }
        }
    }

    async fn ask(&self, deadline: Instant) -> Result<(Secret, Instant, Duration), String> {
        let sent = Instant::now();
        let credentials = &self.credentials;
        let form = [
            ("client_id", credentials.client_id.as_str()),
            ("client_secret", credentials.client_secret.expose()),
            ("client_version", credentials.client_version.as_str()),
            ("grant_type", "client_credentials"),
        ];
        let request = Request {
            url: &credentials.url,
            authorization: None,
            body: Body::Form(&form),
            timeout: self.try_max.min(deadline.saturating_duration_since(sent)),
        };
        let reply = self
            .http
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
        Ok((authorization, sent, life))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state
            .lock()
            .expect("no code panics while holding the token")
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
