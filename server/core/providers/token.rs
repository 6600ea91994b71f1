//! The access token of a provider: cached, renewed in the background at half its life, one renewal
//! at a time. PhonePe's own SDKs also renew at half the life, and also use the old token while a
//! renewal fails.

use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use async_trait::async_trait;
use tokio::time::{Instant, timeout_at};

use super::http::Client;
use crate::limits::PROVIDER_TOKEN_RETRY_MS;
use crate::model::settings::secret::Secret;

/// Fetches the tokens of a provider.
#[async_trait]
pub trait TokenSource: std::fmt::Debug + Send + Sync {
    /// Requests a token once. The text of a failure contains no secret.
    async fn fetch(&self, http: &Client, timeout: Duration) -> Result<Grant, String>;
}

/// A token that a provider granted: the whole `Authorization` header, and its lifetime.
#[derive(Debug)]
pub struct Grant {
    pub authorization: Secret,
    pub life: Duration,
}

/// The single cached token of a provider.
#[derive(Debug)]
pub struct Tokens {
    http: Client,
    source: Box<dyn TokenSource>,
    /// The time limit of one request to the token endpoint.
    try_max: Duration,
    state: Mutex<TokenState>,
    /// Held during a renewal.
    flight: tokio::sync::Mutex<()>,
}

#[derive(Debug, Default)]
struct TokenState {
    token: Option<Token>,
    last_generation: u64,
    failure: Option<Failure>,
}

#[derive(Clone, Debug)]
struct Failure {
    at: Instant,
    reason: String,
}

/// A token that is ready to be sent.
#[derive(Clone, Debug)]
pub struct Token {
    /// The whole header value.
    pub authorization: Secret,
    /// The number of this token. After replies of 401 it is renewed once, however many requests had
    /// used it.
    pub generation: u64,
    renew_at: Instant,
    expires_at: Instant,
}

impl Tokens {
    pub fn new(http: Client, source: Box<dyn TokenSource>, try_max: Duration) -> Tokens {
        let (state, flight) = (Mutex::default(), tokio::sync::Mutex::default());
        Tokens { http, source, try_max, state, flight }
    }

    /// Returns a token that has not expired. After half its life a renewal starts in the
    /// background; while that fails, the old token is still used.
    pub async fn get(self: &Arc<Self>, deadline: Instant) -> Result<Token, String> {
        let now = Instant::now();
        let cached = self.state().token.clone().filter(|token| now < token.expires_at);
        let Some(token) = cached else {
            return self.renew(None, deadline).await;
        };
        if now >= token.renew_at && !self.failed_lately(now) {
            self.renew_in_background(token.generation);
        }
        Ok(token)
    }

    /// Returns a token newer than generation `stale`: after a 401, or if there is none. Concurrent
    /// callers share one request and its result.
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
            return; // another task renews it
        }
        let tokens = Arc::clone(self);
        tokio::spawn(async move {
            let deadline = Instant::now() + tokens.try_max;
            if let Err(reason) = tokens.renew(Some(stale), deadline).await {
                tracing::warn!(reason, "a token was not renewed; the old one stays in use");
            }
        });
    }

    fn failed_lately(&self, now: Instant) -> bool {
        let pause = Duration::from_millis(PROVIDER_TOKEN_RETRY_MS);
        self.state().failure.as_ref().is_some_and(|failure| now < failure.at + pause)
    }

    /// Requests a token once and stores the token or the failure. Call it with `flight` held.
    async fn fetch(&self, deadline: Instant) -> Result<Token, String> {
        let sent = Instant::now();
        let timeout = self.try_max.min(deadline.saturating_duration_since(sent));
        let result = self.source.fetch(&self.http, timeout).await;
        let mut state = self.state();
        match result {
            Ok(Grant { authorization, life }) => {
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
                state.failure = Some(Failure { at: Instant::now(), reason: reason.clone() });
                Err(reason)
            }
        }
    }

    fn state(&self) -> MutexGuard<'_, TokenState> {
        self.state.lock().expect("no code panics while holding the token")
    }
}
