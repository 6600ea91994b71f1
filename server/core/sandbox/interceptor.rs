//! Middleware of a provider's protocol: logs every request, and applies the faults that a test or a
//! developer configured.

use std::sync::{Arc, Mutex, MutexGuard};

use axum::body::{Body, to_bytes};
use axum::extract::{Query, Request, State};
use axum::http::{Method, StatusCode, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::{Json, Router};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::time::sleep;

use super::faults::{ANY, Fault};
use super::log::Log;
use super::wire::{Answer, ControlJson, ProtocolError, Refusal, bad_request, header_text};
use crate::limits::SANDBOX_BODY_BYTES_MAX;
use crate::methods::{delete, get, post};

/// The protocol behind an interceptor.
#[derive(Debug)]
pub(super) struct Protocol {
    /// Each operation with the method and the path of its requests: `*` stands for any method or
    /// any part of a path, `**` for all that is left. The first that fits counts.
    pub operations: &'static [[&'static str; 3]],
    /// Returns an error in the provider's format.
    pub error_reply: fn(ProtocolError) -> Refusal,
}

impl Protocol {
    fn operation(&self, method: &Method, path: &str) -> &'static str {
        let fits = |[_, verb, pattern]: &&[&str; 3]| {
            (*verb == "*" || *verb == method.as_str()) && is_path(pattern, path)
        };
        let operation = self.operations.iter().find(fits);
        operation.map_or(ANY, |[name, ..]| *name)
    }

    /// Fails if there is no such operation.
    fn check(&self, operation: &str) -> Result<(), Refusal> {
        let mut names: Vec<&str> = self.operations.iter().map(|[name, ..]| *name).collect();
        if operation == ANY || names.contains(&operation) {
            return Ok(());
        }
        names.dedup();
        let names = names.join(", ");
        Err(bad_request(&format!("operation is one of {names}")))
    }
}

fn is_path(pattern: &str, path: &str) -> bool {
    let mut parts = path.trim_matches('/').split('/');
    for segment in pattern.split('/') {
        match (segment, parts.next()) {
            ("**", _) => return true,
            ("*", Some(_)) => {}
            (segment, part) if part == Some(segment) => {}
            _ => return false,
        }
    }
    parts.next().is_none()
}

/// Form fields and JSON fields whose values are not logged.
const SECRETS: &[&str] = &["client_secret", "password"];

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
    log: Log<LoggedRequest>,
}

impl Interceptor {
    pub fn new(protocol: &'static Protocol) -> Interceptor {
        Interceptor { protocol, faults: Arc::default(), log: Log::default() }
    }

    /// Wraps these routes.
    pub fn wrap<S: Clone + Send + Sync + 'static>(&self, routes: Router<S>) -> Router<S> {
        routes.layer(from_fn_with_state(self.clone(), intercept))
    }

    /// Returns the routes `faults` and `requests` of the control API, below this path.
    pub fn control<S: Clone + Send + Sync + 'static>(&self, path: &str) -> Router<S> {
        Router::new()
            .route(&format!("{path}/faults"), get(faults).merge(post(add_fault)))
            .route(&format!("{path}/faults"), delete(clear_faults))
            .route(&format!("{path}/requests"), get(requests).merge(delete(clear_requests)))
            .with_state(self.clone())
    }

    /// Returns true after every second request, for oddities that only some replies have.
    pub fn is_odd(&self) -> bool {
        self.log.entries().len() % 2 == 1
    }

    fn faults(&self) -> MutexGuard<'_, Vec<Fault>> {
        self.faults.lock().expect("no code panics while holding the faults")
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
}

/// Logs a request and applies its fault, before the protocol's handler.
async fn intercept(
    State(interceptor): State<Interceptor>,
    request: Request,
    next: Next,
) -> Response {
    let (parts, body) = request.into_parts();
    let Ok(body) = to_bytes(body, SANDBOX_BODY_BYTES_MAX).await else {
        return (interceptor.protocol.error_reply)(ProtocolError::TooLarge).into_response();
    };
    let authorization = header_text(&parts.headers, header::AUTHORIZATION);
    let scheme = authorization.and_then(|value| value.split_once(' '));
    let path = parts.uri.path_and_query();
    let mut entry = LoggedRequest {
        operation: interceptor.protocol.operation(&parts.method, parts.uri.path()),
        method: parts.method.to_string(),
        path: path.map_or_else(String::new, ToString::to_string),
        content_type: header_text(&parts.headers, header::CONTENT_TYPE).map(str::to_owned),
        scheme: scheme.map(|(scheme, _)| scheme.to_owned()),
        body: without_secrets(&String::from_utf8_lossy(&body)),
        status: 0,
        fault: None,
    };
    let fault = interceptor.next_fault(entry.operation);
    let request = Request::from_parts(parts, Body::from(body));
    let Some(fault) = fault else {
        let response = next.run(request).await;
        entry.status = response.status().as_u16();
        interceptor.log.push(entry);
        return response;
    };
    let answer = if let Some(delay) = fault.works_later() {
        tokio::spawn(async move {
            sleep(delay).await;
            next.run(request).await
        });
        None
    } else if fault.does_work() {
        Some(next.run(request).await)
    } else {
        None
    };
    // Logged before the wait: a client that gives up cancels the rest of this function.
    entry.status = answer.as_ref().map_or(0, |answer| answer.status().as_u16());
    entry.fault = Some(fault.clone());
    interceptor.log.push(entry);
    fault.apply(answer, interceptor.protocol.error_reply).await
}

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

async fn faults(State(interceptor): State<Interceptor>) -> Json<Vec<Fault>> {
    Json(interceptor.faults().clone())
}

async fn add_fault(
    State(interceptor): State<Interceptor>,
    ControlJson(fault): ControlJson<Fault>,
) -> Result<StatusCode, Refusal> {
    interceptor.protocol.check(&fault.operation)?;
    interceptor.faults().push(fault);
    Ok(StatusCode::NO_CONTENT)
}

async fn clear_faults(State(interceptor): State<Interceptor>) -> StatusCode {
    interceptor.faults().clear();
    StatusCode::NO_CONTENT
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
) -> Answer {
    let operation = filter.operation.as_deref();
    operation.map_or(Ok(()), |operation| interceptor.protocol.check(operation))?;
    let log = interceptor.log.entries();
    let matching = log.iter().filter(|entry| {
        operation.is_none_or(|operation| operation == entry.operation)
            && (entry.path.contains(&filter.contains) || entry.body.contains(&filter.contains))
    });
    Ok(Json(matching.collect::<Vec<_>>()).into_response())
}

async fn clear_requests(State(interceptor): State<Interceptor>) -> StatusCode {
    interceptor.log.entries().clear();
    StatusCode::NO_CONTENT
}
