//! One provider's JSON API: its base URL, who we are there, and a breaker.

use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;
use tokio::time::Instant;

use super::breaker::Breaker;
use super::http::{Body, Client, NoReply, Reply, Request, is_loopback, is_web_url};
use super::secret::Secret;
use super::token::Tokens;

/// What goes into the `Authorization` header.
#[derive(Debug)]
pub enum Login {
    /// The same for ever.
    Fixed(Secret),
    /// Renewed in time, and after a 401.
    Tokens(Arc<Tokens>),
}

/// A way to one provider.
#[derive(Debug)]
pub struct Link {
    http: Client,
    breaker: Breaker,
    /// Without a trailing slash.
    base: String,
    login: Login,
}

/// A request that got no reply worth looking at. The texts are for logs.
#[derive(Debug, thiserror::Error)]
pub enum Trouble {
    /// It surely did not reach the provider's books.
    #[error("{0}")]
    NotDone(String),
    /// It may have.
    #[error("{0}")]
    Lost(String),
}

impl Link {
    pub fn new(http: Client, base: String, login: Login) -> Link {
        Link {
            http,
            breaker: Breaker::default(),
            base,
            login,
        }
    }

    pub fn base(&self) -> &str {
        &self.base
    }

    /// One request: a POST with a body, else a GET. Once more with a new token when the
    /// provider says 401, which it does before doing anything.
    pub async fn call<B: Serialize>(
        &self,
        path: &str,
        body: Option<&B>,
        deadline: Instant,
        try_max: Duration,
    ) -> Result<Reply, Trouble> {
        let url = format!("{}{path}", self.base);
        let json = |body| serde_json::to_vec(body).expect("a request is plain data");
        let body = body.map(json);
        let tokens = match &self.login {
            Login::Fixed(secret) => {
                return self.send(&url, secret, body, deadline, try_max).await;
            }
            Login::Tokens(tokens) => tokens,
        };
        let token = tokens.get(deadline).await.map_err(Trouble::NotDone)?;
        let reply = self
            .send(&url, &token.authorization, body.clone(), deadline, try_max)
            .await?;
        if reply.status != 401 {
            return Ok(reply);
        }
        let stale = Some(token.generation);
        let token = tokens
            .renew(stale, deadline)
            .await
            .map_err(Trouble::NotDone)?;
        self.send(&url, &token.authorization, body, deadline, try_max)
            .await
    }

    /// Whether an address that the provider named may be fetched: by TLS as the provider itself,
    /// and on this machine only if the provider is there too.
    pub fn may_fetch(&self, url: &str) -> bool {
        let secure = url.starts_with("https://") || !self.base.starts_with("https://");
        is_web_url(url) && secure && is_loopback(url) == is_loopback(&self.base)
    }

    /// A file at an address that the provider named. It needs no credential and gets none.
    pub async fn fetch(
        &self,
        url: &str,
        deadline: Instant,
        try_max: Duration,
    ) -> Result<Reply, Trouble> {
        let request = Request {
            url,
            authorization: None,
            body: Body::None,
            timeout: try_max.min(deadline.saturating_duration_since(Instant::now())),
        };
        let fetched = self.http.send(request).await;
        fetched.map_err(|error| Trouble::NotDone(error.to_string()))
    }

    /// One request, unless the provider is being left alone after failures in a row.
    async fn send(
        &self,
        url: &str,
        authorization: &Secret,
        body: Option<Vec<u8>>,
        deadline: Instant,
        try_max: Duration,
    ) -> Result<Reply, Trouble> {
        let timeout = try_max.min(deadline.saturating_duration_since(Instant::now()));
        if timeout.is_zero() {
            return Err(Trouble::NotDone("no time left".to_owned()));
        }
        if !self.breaker.allows() {
            return Err(Trouble::NotDone("it failed too often just now".to_owned()));
        }
        let request = Request {
            url,
            authorization: Some(authorization),
            body: body.map_or(Body::None, Body::Json),
            timeout,
        };
        let result = self.http.send(request).await;
        match &result {
            Ok(reply) if reply.status < 500 => self.breaker.answered(),
            _ => self.breaker.failed(),
        }
        result.map_err(|error| match error {
            NoReply::NotSent(_) => Trouble::NotDone(error.to_string()),
            NoReply::Lost(_) => Trouble::Lost(error.to_string()),
        })
    }
}
