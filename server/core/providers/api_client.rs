//! A client of one provider's JSON API: base URL, credential and circuit breaker.

use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;
use tokio::time::Instant;

use super::breaker::Breaker;
use super::calls::CallKind;
use super::http::{Body, Client, NoReply, Reply, Request};
use super::token::Tokens;
use crate::model::settings::secret::Secret;

/// The content of the `Authorization` header.
#[derive(Debug)]
pub enum Authorization {
    /// An API key, used unchanged in every request.
    Fixed(Secret),
    /// A token, renewed before it expires and after a 401.
    Tokens(Arc<Tokens>),
}

/// The client of one API. Its callers share the connections and the breaker.
#[derive(Debug)]
pub struct ApiClient {
    http: Client,
    breaker: Breaker,
    /// Without a trailing slash.
    base: String,
    authorization: Authorization,
}

/// A request that got no reply. The texts are for logs.
#[derive(Debug, thiserror::Error)]
pub enum TransportError {
    /// The provider certainly did nothing.
    #[error("{0}")]
    NotDone(String),
    /// The provider may have done it.
    #[error("{0}")]
    Lost(String),
}

impl ApiClient {
    pub fn new(http: Client, base: String, authorization: Authorization) -> ApiClient {
        ApiClient { http, breaker: Breaker::default(), base, authorization }
    }

    pub fn base(&self) -> &str {
        &self.base
    }

    /// Sends a GET request. It takes at most `try_max` and does not pass the deadline.
    pub async fn get(
        &self,
        call: CallKind,
        path: &str,
        deadline: Instant,
        try_max: Duration,
    ) -> Result<Reply, TransportError> {
        self.call(call, path, None, deadline, try_max).await
    }

    /// Sends a POST request with this body as JSON, within the limits of `get`.
    pub async fn post(
        &self,
        call: CallKind,
        path: &str,
        body: &(impl Serialize + Sync),
        deadline: Instant,
        try_max: Duration,
    ) -> Result<Reply, TransportError> {
        let body = serde_json::to_vec(body).expect("a request is plain data");
        self.call(call, path, Some(body), deadline, try_max).await
    }

    /// Sends one request, and repeats it with a new token after a 401: a provider that answers 401
    /// has done nothing yet.
    async fn call(
        &self,
        call: CallKind,
        path: &str,
        body: Option<Vec<u8>>,
        deadline: Instant,
        try_max: Duration,
    ) -> Result<Reply, TransportError> {
        let url = format!("{}{path}", self.base);
        let tokens = match &self.authorization {
            Authorization::Fixed(secret) => {
                return self.send(call, &url, secret, body, deadline, try_max).await;
            }
            Authorization::Tokens(tokens) => tokens,
        };
        let token = tokens.get(deadline).await.map_err(TransportError::NotDone)?;
        let first = self.send(call, &url, &token.authorization, body.clone(), deadline, try_max);
        let reply = first.await?;
        if reply.status != 401 {
            return Ok(reply);
        }
        let stale = Some(token.generation);
        let token = tokens.renew(stale, deadline).await.map_err(TransportError::NotDone)?;
        self.send(call, &url, &token.authorization, body, deadline, try_max).await
    }

    /// Sends once, unless the breaker is open.
    async fn send(
        &self,
        call: CallKind,
        url: &str,
        authorization: &Secret,
        body: Option<Vec<u8>>,
        deadline: Instant,
        try_max: Duration,
    ) -> Result<Reply, TransportError> {
        let timeout = try_max.min(deadline.saturating_duration_since(Instant::now()));
        if timeout.is_zero() {
            return Err(TransportError::NotDone("no time left".to_owned()));
        }
        if !self.breaker.allows() {
            return Err(TransportError::NotDone("it failed too often just now".to_owned()));
        }
        let request = Request {
            call,
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
            NoReply::NotSent(_) => TransportError::NotDone(error.to_string()),
            NoReply::Lost(_) => TransportError::Lost(error.to_string()),
        })
    }
}
