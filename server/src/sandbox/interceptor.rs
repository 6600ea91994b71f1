//! Middleware of a provider's protocol: logs every request, and applies the faults that a test or a
//! developer configured.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard};

use axum::body::{Body, to_bytes};
use axum::extract::{Query, Request, State};
use axum::http::{HeaderMap, Method, StatusCode, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::{Json, Router};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::time::sleep;

use super::control::{ControlJson, bad_request};
use super::faults::{ANY, Fault};
use crate::limits::{SANDBOX_BODY_BYTES_MAX, SANDBOX_LOG_ENTRIES_MAX};
use crate::methods::{delete, get, post};

/// The protocol behind an interceptor.
#[derive(Debug)]
pub(super) struct Protocol {
    /// All names that `operation` may return.
    pub operations: &'static [&'static str],
    /// Returns the operation of a request, by its method and path.
    pub operation: fn(&Method, &str) -> &'static str,
    /// Returns an error in the provider's format.
    pub error_reply: fn(ProtocolError) -> Response,
}

/// An error that any operation can return.
#[derive(Clone, Copy, Debug)]
pub(super) enum ProtocolError {
    Rejected,
    Unauthorized,
    Forbidden,
    NotFound,
    TooLarge,
    TooMany,
    Broken,
}

/// Form fields and JSON fields whose values are not logged.
const SECRETS: &[&str] = &["client_secret", "password"];

/// One request and its reply.
#[derive(Clone, Debug, Serialize)]
struct LoggedRequest {
    operation: &'static str,
    method: String,
    path: String,
    content_type: Option<String>,
    /// The first word of the `Authorization` header; never the token.
    scheme: Option<String>,
    /// The body as text, without the values of secret fields.
    body: String,
    /// The status before a fault changed the reply; 0 if the work was not done.
    status: u16,
    fault: Option<Fault>,
}

/// The configured faults and the log of requests. Cheap to clone.
#[derive(Clone, Debug)]
pub(super) struct Interceptor {
    protocol: &'static Protocol,
    faults: Arc<Mutex<Vec<Fault>>>,
    seen: Arc<Mutex<VecDeque<LoggedRequest>>>,
}

impl Interceptor {
    pub fn new(protocol: &'static Protocol) -> Interceptor {
        Interceptor {
            protocol,
            faults: Arc::default(),
            seen: Arc::default(),
        }
    }

    /// Wraps these routes.
    pub fn over<S: Clone + Send + Sync + 'static>(&self, routes: Router<S>) -> Router<S> {
        routes.layer(from_fn_with_state(self.clone(), intercept))
    }

    /// Returns the routes `faults` and `requests` of the control API, below this path.
    pub fn control<S: Clone + Send + Sync + 'static>(&self, path: &str) -> Router<S> {
        Router::new()
            .route(
                &format!("{path}/faults"),
                get(faults)
                    .merge(post(add_fault))
                    .merge(delete(clear_faults)),
            )
            .route(
                &format!("{path}/requests"),
                get(requests).merge(delete(clear_requests)),
            )
            .with_state(self.clone())
    }

    /// Returns true after every second request, for oddities that only some replies have.
    pub fn is_odd(&self) -> bool {
        self.seen().len() % 2 == 1
    }

    fn knows(&self, operation: &str) -> bool {
        operation == ANY || self.protocol.operations.contains(&operation)
    }

    fn faults(&self) -> MutexGuard<'_, Vec<Fault>> {
        self.faults
            .lock()
            .expect("no code panics while holding the faults")
    }

    fn seen(&self) -> MutexGuard<'_, VecDeque<LoggedRequest>> {
        self.seen
            .lock()
            .expect("no code panics while holding the log")
    }

    /// Returns the oldest fault of this operation and uses up one of its `times`.
    fn next_fault(&self, operation: &str) -> Option<Fault> {
        let mut faults = self.faults();
        let at = faults
            .iter()
            .position(|fault| fault.operation == operation || fault.operation == ANY)?;
        if faults[at].skip > 0 {
            faults[at].skip -= 1;
            return None;
        }
        faults[at].times = faults[at].times.saturating_sub(1);
        let fault = faults[at].clone();
        faults.retain(|fault| fault.times > 0);
        Some(fault)
    }

    fn remember(&self, seen: LoggedRequest) {
        let mut log = self.seen();
        if log.len() >= SANDBOX_LOG_ENTRIES_MAX {
            log.pop_front();
        }
        log.push_back(seen);
    }
}

/// Logs a request and applies its fault, before the protocol's handler.
async fn intercept(
    State(interceptor): State<Interceptor>,
    request: Request,
    next: Next,
) -> Response {
    let (parts, body) = request.into_parts();
    let Ok(body) = to_bytes(body, SANDBOX_BODY_BYTES_MAX).await else {
        return (interceptor.protocol.error_reply)(ProtocolError::TooLarge);
    };
    let mut seen = LoggedRequest {
        operation: (interceptor.protocol.operation)(&parts.method, parts.uri.path()),
        method: parts.method.to_string(),
        path: parts
            .uri
            .path_and_query()
            .map_or_else(String::new, ToString::to_string),
        content_type: text(&parts.headers, header::CONTENT_TYPE),
        scheme: text(&parts.headers, header::AUTHORIZATION)
            .and_then(|value| value.split_once(' ').map(|(scheme, _)| scheme.to_owned())),
        body: without_secrets(&String::from_utf8_lossy(&body)),
        status: 0,
        fault: None,
    };
    let fault = interceptor.next_fault(seen.operation);
    let request = Request::from_parts(parts, Body::from(body));
    let Some(fault) = fault else {
        let response = next.run(request).await;
        seen.status = response.status().as_u16();
        interceptor.remember(seen);
        return response;
    };
    let answer = match fault.works_later() {
        Some(delay) => {
            tokio::spawn(async move {
                sleep(delay).await;
                next.run(request).await
            });
            None
        }
        None if fault.works() => Some(next.run(request).await),
        None => None,
    };
    // Logged before the wait: a client that gives up cancels the rest of this function.
    seen.status = answer.as_ref().map_or(0, |answer| answer.status().as_u16());
    seen.fault = Some(fault.clone());
    interceptor.remember(seen);
    fault.spoil(answer, interceptor.protocol).await
}

fn text(headers: &HeaderMap, name: header::HeaderName) -> Option<String> {
    headers
        .get(name)
        .and_then(|value| value.to_str().ok())
        .map(str::to_owned)
}

/// Returns a form or a JSON object without the values of secret fields.
fn without_secrets(body: &str) -> String {
    if let Ok(Value::Object(mut fields)) = serde_json::from_str(body) {
        let secrets = SECRETS.iter().filter(|name| fields.contains_key(**name));
        let secrets: Vec<_> = secrets.collect();
        if secrets.is_empty() {
            return body.to_owned();
        }
        for name in secrets {
            fields[*name] = json!("…");
        }
        return Value::Object(fields).to_string();
    }
    let fields = body.split('&').map(|field| match field.split_once('=') {
        Some((name, _)) if SECRETS.contains(&name) => format!("{name}=…"),
        _ => field.to_owned(),
    });
    fields.collect::<Vec<_>>().join("&")
}

async fn faults(State(interceptor): State<Interceptor>) -> Response {
    Json(interceptor.faults().clone()).into_response()
}

async fn add_fault(
    State(interceptor): State<Interceptor>,
    ControlJson(fault): ControlJson<Fault>,
) -> Response {
    if !interceptor.knows(&fault.operation) {
        return no_such_operation(&interceptor);
    }
    interceptor.faults().push(fault);
    StatusCode::NO_CONTENT.into_response()
}

async fn clear_faults(State(interceptor): State<Interceptor>) -> StatusCode {
    interceptor.faults().clear();
    StatusCode::NO_CONTENT
}

fn no_such_operation(interceptor: &Interceptor) -> Response {
    let known = interceptor.protocol.operations.join(", ");
    bad_request(&format!("operation is one of {known}"))
}

#[derive(Deserialize)]
struct RequestFilter {
    operation: Option<String>,
    /// A text that the path or the body must contain, such as an order id.
    #[serde(default)]
    contains: String,
}

async fn requests(
    State(interceptor): State<Interceptor>,
    Query(filter): Query<RequestFilter>,
) -> Response {
    let operation = filter.operation.as_deref();
    if operation.is_some_and(|operation| !interceptor.knows(operation)) {
        return no_such_operation(&interceptor);
    }
    let log = interceptor.seen();
    let matching = log.iter().filter(|seen| {
        operation.is_none_or(|operation| operation == seen.operation)
            && (seen.path.contains(&filter.contains) || seen.body.contains(&filter.contains))
    });
    Json(matching.collect::<Vec<_>>()).into_response()
}

async fn clear_requests(State(interceptor): State<Interceptor>) -> StatusCode {
    interceptor.seen().clear();
    StatusCode::NO_CONTENT
}
