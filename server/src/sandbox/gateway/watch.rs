//! Sees every request of the protocol: writes it down, and lets faults hit it (payments.md
//! section 4, point 9).

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard};
use std::time::Duration;

use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use tokio::time::sleep;

use super::Gateway;
use super::protocol::refuse;
use crate::limits::{PROVIDER_REPLY_BYTES_MAX, SANDBOX_BODY_BYTES_MAX, SANDBOX_LOG_ENTRIES_MAX};

/// What a request asks for, as faults and the log name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Operation {
    Token,
    Pay,
    Status,
    Refund,
    RefundStatus,
    /// The pay page and its script.
    Page,
}

/// Something that goes wrong with the next `times` requests of an operation. `when` says
/// whether the work is done first: an order stored and then not confirmed is the worst case.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fault {
    operation: Operation,
    kind: Kind,
    #[serde(default)]
    when: When,
    #[serde(default = "once")]
    times: u32,
    /// The wait of `slow` (milliseconds).
    #[serde(default)]
    delay_ms: u64,
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Kind {
    /// 500 with PhonePe's JSON.
    InternalError,
    /// 503 with a plain text.
    Unavailable,
    /// The true reply, `delay_ms` late.
    Slow,
    /// No reply: the connection is closed.
    Drop,
    /// 200 with something that is no JSON.
    Garbage,
    /// 200 with more than anyone should read.
    Huge,
    /// 302 to somewhere else.
    Redirect,
    /// 401 whatever the token.
    Unauthorized,
    /// 429.
    TooMany,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum When {
    #[default]
    BeforeWork,
    AfterWork,
}

fn once() -> u32 {
    1
}

/// Marks a reply that must not be sent.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cut;

/// One request as it came and was answered.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Seen {
    pub operation: Operation,
    pub method: String,
    pub path: String,
    pub content_type: Option<String>,
    /// The first word of the `Authorization` header; never the token.
    pub scheme: Option<String>,
    /// The body as text, secrets struck out.
    pub body: String,
    /// How the work ended, before a fault spoilt the reply; 0 when none was done.
    pub status: u16,
    pub fault: Option<Fault>,
}

/// The faults to come and the requests so far.
#[derive(Debug, Default)]
pub(super) struct Watch {
    faults: Mutex<Vec<Fault>>,
    seen: Mutex<VecDeque<Seen>>,
}

impl Watch {
    pub fn faults(&self) -> MutexGuard<'_, Vec<Fault>> {
        self.faults
            .lock()
            .expect("no code panics while holding the faults")
    }

    pub fn seen(&self) -> MutexGuard<'_, VecDeque<Seen>> {
        self.seen
            .lock()
            .expect("no code panics while holding the log")
    }

    /// The oldest fault for this operation, used up once.
    fn strike(&self, operation: Operation) -> Option<Fault> {
        let mut faults = self.faults();
        let at = faults
            .iter()
            .position(|fault| fault.operation == operation)?;
        faults[at].times = faults[at].times.saturating_sub(1);
        let fault = faults[at].clone();
        faults.retain(|fault| fault.times > 0);
        Some(fault)
    }

    fn remember(&self, seen: Seen) {
        let mut log = self.seen();
        if log.len() >= SANDBOX_LOG_ENTRIES_MAX {
            log.pop_front();
        }
        log.push_back(seen);
    }
}

/// The middleware around the protocol and the pay page.
pub(super) async fn watch(
    State(gateway): State<Gateway>,
    request: Request,
    next: Next,
) -> Response {
    let (parts, body) = request.into_parts();
    let Ok(body) = to_bytes(body, SANDBOX_BODY_BYTES_MAX).await else {
        return refuse(
            StatusCode::PAYLOAD_TOO_LARGE,
            "BAD_REQUEST",
            "The body is too large.",
        );
    };
    let mut seen = Seen {
        operation: operation(&parts.method, parts.uri.path()),
        method: parts.method.to_string(),
        path: parts
            .uri
            .path_and_query()
            .map_or_else(String::new, ToString::to_string),
        content_type: text(&parts.headers, header::CONTENT_TYPE),
        scheme: text(&parts.headers, header::AUTHORIZATION)
            .and_then(|value| value.split_once(' ').map(|(scheme, _)| scheme.to_owned())),
        body: without_secret(&String::from_utf8_lossy(&body)),
        status: 0,
        fault: None,
    };
    let fault = gateway.watch.strike(seen.operation);
    let request = Request::from_parts(parts, Body::from(body));
    let Some(fault) = fault else {
        let response = next.run(request).await;
        seen.status = response.status().as_u16();
        gateway.watch.remember(seen);
        return response;
    };
    let works = fault.when == When::AfterWork || matches!(fault.kind, Kind::Slow);
    let answer = if works {
        Some(next.run(request).await)
    } else {
        None
    };
    // Written down before the wait: a client that gives up cancels the rest of this function.
    seen.status = answer.as_ref().map_or(0, |answer| answer.status().as_u16());
    seen.fault = Some(fault.clone());
    gateway.watch.remember(seen);
    struck(&fault, answer).await
}

/// What the fault makes of the answer.
async fn struck(fault: &Fault, answer: Option<Response>) -> Response {
    match fault.kind {
        Kind::Slow => {
            sleep(Duration::from_millis(fault.delay_ms)).await;
            answer.unwrap_or_default()
        }
        Kind::Drop => {
            let mut response = Response::default();
            response.extensions_mut().insert(Cut);
            response
        }
        Kind::InternalError => {
            let status = StatusCode::INTERNAL_SERVER_ERROR;
            refuse(
                status,
                "INTERNAL_SERVER_ERROR",
                "There is an error on our side.",
            )
        }
        Kind::Unavailable => {
            (StatusCode::SERVICE_UNAVAILABLE, "upstream connect error").into_response()
        }
        Kind::Garbage => "<html>Welcome to nginx</html>".into_response(),
        Kind::Huge => vec![b' '; PROVIDER_REPLY_BYTES_MAX + 1].into_response(),
        Kind::Redirect => {
            (StatusCode::FOUND, [(header::LOCATION, "/elsewhere")], "").into_response()
        }
        Kind::Unauthorized => refuse(
            StatusCode::UNAUTHORIZED,
            "AUTHORIZATION_FAILED",
            "The token is not valid.",
        ),
        Kind::TooMany => refuse(
            StatusCode::TOO_MANY_REQUESTS,
            "TOO_MANY_REQUESTS",
            "Ask less often.",
        ),
    }
}

fn operation(method: &Method, path: &str) -> Operation {
    match path {
        "/v1/oauth/token" => Operation::Token,
        "/checkout/v2/pay" => Operation::Pay,
        _ if path.starts_with("/checkout/v2/") => Operation::Status,
        _ if path.starts_with("/payments/v2/") && method == Method::POST => Operation::Refund,
        _ if path.starts_with("/payments/v2/") => Operation::RefundStatus,
        _ => Operation::Page,
    }
}

fn text(headers: &HeaderMap, name: header::HeaderName) -> Option<String> {
    headers
        .get(name)
        .and_then(|value| value.to_str().ok())
        .map(str::to_owned)
}

/// The value of the form field `client_secret` struck out.
fn without_secret(body: &str) -> String {
    let fields = body.split('&').map(|field| match field.split_once('=') {
        Some(("client_secret", _)) => "client_secret=…",
        _ => field,
    });
    fields.collect::<Vec<_>>().join("&")
}
