//! Faults that a test or a developer can inject into replies.

use std::convert::Infallible;
use std::io;
use std::time::Duration;

use axum::body::{Body, Bytes, to_bytes};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use axum::{Extension, Json};
use futures_util::stream::{self, StreamExt};
use serde::{Deserialize, Serialize};
use serde_json::json;
use tokio::time::sleep;

use super::wire::{ProtocolError, Refusal};
use crate::limits::{PROVIDER_REPLY_BYTES_MAX, SANDBOX_CUT_MS, SANDBOX_DRIP_MS};

/// A fault of the next `times` requests of an operation. `when` is the time of the fault, before or
/// after the work: the worst case for a client is an order that is stored and not confirmed.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Fault {
    /// One of the protocol's operations, or [`ANY`].
    pub operation: String,
    kind: FaultKind,
    #[serde(default)]
    when: FaultTime,
    #[serde(default = "once")]
    pub times: u32,
    /// The number of requests before it that succeed, for example until a key expires half-way.
    #[serde(default)]
    pub skip: u32,
    /// The delay of `slow`, `hang` and `late` (milliseconds).
    #[serde(default)]
    delay_ms: u64,
}

/// Stands for every operation.
pub(super) const ANY: &str = "any";

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum FaultKind {
    /// 500 in the provider's format.
    InternalError,
    /// 503 with a plain text.
    Unavailable,
    /// 502 with an HTML page, as from a proxy.
    BadGateway,
    /// The true reply, `delay_ms` late.
    Slow,
    /// No reply: the connection is closed.
    Drop,
    /// No reply: after `delay_ms` the connection is closed.
    Hang,
    /// No reply: the connection is closed, and the work is done `delay_ms` later.
    Late,
    /// The true reply, announced in full; after half of it the connection is closed.
    Truncated,
    /// The true reply, one byte a second.
    Drip,
    /// 200 with a body that is not JSON.
    Garbage,
    /// 200 with JSON of the wrong shape.
    WrongBody,
    /// 200 with an excessively large body.
    Huge,
    /// 302 to another address.
    Redirect,
    /// 400 or 422 in the provider's format.
    Reject,
    /// 401 for any token.
    Unauthorized,
    /// 403 in the provider's format.
    Forbidden,
    /// 404 in the provider's format.
    NotFound,
    /// 429 with `Retry-After`.
    TooMany,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum FaultTime {
    #[default]
    BeforeWork,
    AfterWork,
}

fn once() -> u32 {
    1
}

/// Marks a reply that is not sent: the connection is closed instead.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cut;

impl Fault {
    /// Returns true if the work is done: always for a fault that changes the true reply.
    pub fn does_work(&self) -> bool {
        let needs_the_reply =
            matches!(self.kind, FaultKind::Slow | FaultKind::Truncated | FaultKind::Drip);
        needs_the_reply || self.when == FaultTime::AfterWork
    }

    /// Returns the delay after which `late` does the work.
    pub fn works_later(&self) -> Option<Duration> {
        let is_late = matches!(self.kind, FaultKind::Late);
        is_late.then(|| Duration::from_millis(self.delay_ms))
    }

    /// Returns the reply after the fault; `answer` is the true one, if the work was done.
    pub async fn apply(
        &self,
        answer: Option<Response>,
        error_reply: fn(ProtocolError) -> Refusal,
    ) -> Response {
        let answer = answer.unwrap_or_default();
        let delay = Duration::from_millis(self.delay_ms);
        let error = match self.kind {
            FaultKind::Slow => {
                sleep(delay).await;
                return answer;
            }
            FaultKind::Hang => {
                sleep(delay).await;
                return Extension(Cut).into_response();
            }
            FaultKind::Drop | FaultKind::Late => return Extension(Cut).into_response(),
            FaultKind::Truncated => return truncated(answer).await,
            FaultKind::Drip => return drip(answer).await,
            FaultKind::Unavailable => {
                let text = "upstream connect error";
                return (StatusCode::SERVICE_UNAVAILABLE, text).into_response();
            }
            FaultKind::BadGateway => {
                let page = Html("<html><h1>502 Bad Gateway</h1></html>");
                return (StatusCode::BAD_GATEWAY, page).into_response();
            }
            FaultKind::Garbage => return "<html>Welcome to nginx</html>".into_response(),
            FaultKind::WrongBody => return Json(json!({"ok": true})).into_response(),
            FaultKind::Huge => return vec![b' '; PROVIDER_REPLY_BYTES_MAX + 1].into_response(),
            FaultKind::Redirect => {
                let elsewhere = [(header::LOCATION, "/elsewhere")];
                return (StatusCode::FOUND, elsewhere, "").into_response();
            }
            FaultKind::InternalError => ProtocolError::Broken,
            FaultKind::Reject => ProtocolError::Rejected,
            FaultKind::Unauthorized => ProtocolError::Unauthorized,
            FaultKind::Forbidden => ProtocolError::Forbidden,
            FaultKind::NotFound => ProtocolError::NotFound,
            FaultKind::TooMany => {
                let error = error_reply(ProtocolError::TooMany);
                return ([(header::RETRY_AFTER, "1")], error).into_response();
            }
        };
        error_reply(error).into_response()
    }
}

async fn truncated(answer: Response) -> Response {
    with_length(answer, |bytes| {
        let half = bytes.slice(..bytes.len() / 2);
        let cut = stream::once(async {
            // The half must be sent before the connection is closed.
            sleep(Duration::from_millis(SANDBOX_CUT_MS)).await;
            Err(io::Error::other("cut by a fault"))
        });
        Body::from_stream(stream::iter([Ok(half)]).chain(cut))
    })
    .await
}

async fn drip(answer: Response) -> Response {
    with_length(answer, |bytes| {
        let drops = stream::unfold(bytes, |mut rest| async move {
            if rest.is_empty() {
                return None;
            }
            sleep(Duration::from_millis(SANDBOX_DRIP_MS)).await;
            let drop = rest.split_to(1);
            Some((Ok::<Bytes, Infallible>(drop), rest))
        });
        Body::from_stream(drops)
    })
    .await
}

/// Returns the reply with the length of its body announced, and the body sent by `send`.
async fn with_length(answer: Response, send: impl FnOnce(Bytes) -> Body) -> Response {
    let (mut parts, body) = answer.into_parts();
    let bytes = to_bytes(body, usize::MAX).await.unwrap_or_default();
    let length = HeaderValue::from(bytes.len());
    parts.headers.insert(header::CONTENT_LENGTH, length);
    Response::from_parts(parts, send(bytes))
}
