//! Sees every request of a provider's protocol: writes it down, and lets faults hit it
//! (payments.md section 4, point 9).

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard};

use axum::body::{Body, to_bytes};
use axum::extract::{Query, Request, State};
use axum::http::{HeaderMap, Method, StatusCode, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::control::{Told, bad_request};
use super::faults::Fault;
use crate::limits::{SANDBOX_BODY_BYTES_MAX, SANDBOX_LOG_ENTRIES_MAX};

/// What a watch must know of the protocol it stands before.
#[derive(Debug)]
pub(super) struct Protocol {
    /// Every name that `operation` may answer; faults and the log know no other.
    pub operations: &'static [&'static str],
    /// What a request asks for, by its method and path.
    pub operation: fn(&Method, &str) -> &'static str,
    /// How the provider says that it does not do as asked.
    pub trouble: fn(Trouble) -> Response,
}

/// Why a provider does not do as asked, whatever that was.
#[derive(Clone, Copy, Debug)]
pub(super) enum Trouble {
    Rejected,
    Unauthorized,
    TooLarge,
    TooMany,
    Broken,
}

/// Form fields and JSON fields whose values are not written down.
const SECRETS: &[&str] = &["client_secret", "password"];

/// One request as it came and was answered.
#[derive(Clone, Debug, Serialize)]
struct Seen {
    operation: &'static str,
    method: String,
    path: String,
    content_type: Option<String>,
    /// The first word of the `Authorization` header; never the token.
    scheme: Option<String>,
    /// The body as text, secrets struck out.
    body: String,
    /// How the work ended, before a fault spoilt the reply; 0 when none was done.
    status: u16,
    fault: Option<Fault>,
}

/// The faults to come and the requests so far. Cheap to clone.
#[derive(Clone, Debug)]
pub(super) struct Watch {
    protocol: &'static Protocol,
    faults: Arc<Mutex<Vec<Fault>>>,
    seen: Arc<Mutex<VecDeque<Seen>>>,
}

impl Watch {
    pub fn new(protocol: &'static Protocol) -> Watch {
        Watch {
            protocol,
            faults: Arc::default(),
            seen: Arc::default(),
        }
    }

    /// Sees every request to these routes.
    pub fn over<S: Clone + Send + Sync + 'static>(&self, routes: Router<S>) -> Router<S> {
        routes.layer(from_fn_with_state(self.clone(), watch))
    }

    /// `faults` and `requests` of the control API, below this path.
    pub fn control<S: Clone + Send + Sync + 'static>(&self, path: &str) -> Router<S> {
        Router::new()
            .route(
                &format!("{path}/faults"),
                get(faults).post(add_fault).delete(clear_faults),
            )
            .route(
                &format!("{path}/requests"),
                get(requests).delete(clear_requests),
            )
            .with_state(self.clone())
    }

    /// True for every second request, for what happens only sometimes.
    pub fn is_odd(&self) -> bool {
        self.seen().len() % 2 == 1
    }

    fn knows(&self, operation: &str) -> bool {
        self.protocol.operations.contains(&operation)
    }

    fn faults(&self) -> MutexGuard<'_, Vec<Fault>> {
        self.faults
            .lock()
            .expect("no code panics while holding the faults")
    }

    fn seen(&self) -> MutexGuard<'_, VecDeque<Seen>> {
        self.seen
            .lock()
            .expect("no code panics while holding the log")
    }

    /// The oldest fault for this operation, used up once.
    fn strike(&self, operation: &str) -> Option<Fault> {
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

/// The middleware around a protocol.
async fn watch(State(watch): State<Watch>, request: Request, next: Next) -> Response {
    let (parts, body) = request.into_parts();
    let Ok(body) = to_bytes(body, SANDBOX_BODY_BYTES_MAX).await else {
        return (watch.protocol.trouble)(Trouble::TooLarge);
    };
    let mut seen = Seen {
        operation: (watch.protocol.operation)(&parts.method, parts.uri.path()),
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
    let fault = watch.strike(seen.operation);
    let request = Request::from_parts(parts, Body::from(body));
    let Some(fault) = fault else {
        let response = next.run(request).await;
        seen.status = response.status().as_u16();
        watch.remember(seen);
        return response;
    };
    let answer = if fault.works() {
        Some(next.run(request).await)
    } else {
        None
    };
    // Written down before the wait: a client that gives up cancels the rest of this function.
    seen.status = answer.as_ref().map_or(0, |answer| answer.status().as_u16());
    seen.fault = Some(fault.clone());
    watch.remember(seen);
    fault.spoil(answer, watch.protocol).await
}

fn text(headers: &HeaderMap, name: header::HeaderName) -> Option<String> {
    headers
        .get(name)
        .and_then(|value| value.to_str().ok())
        .map(str::to_owned)
}

/// The values of secret fields struck out, of a form or of a JSON object.
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

async fn faults(State(watch): State<Watch>) -> Response {
    Json(watch.faults().clone()).into_response()
}

async fn add_fault(State(watch): State<Watch>, Told(fault): Told<Fault>) -> Response {
    if !watch.knows(&fault.operation) {
        return no_such_operation(&watch);
    }
    watch.faults().push(fault);
    StatusCode::NO_CONTENT.into_response()
}

async fn clear_faults(State(watch): State<Watch>) -> StatusCode {
    watch.faults().clear();
    StatusCode::NO_CONTENT
}

fn no_such_operation(watch: &Watch) -> Response {
    let known = watch.protocol.operations.join(", ");
    bad_request(&format!("operation is one of {known}"))
}

#[derive(Deserialize)]
struct Filter {
    operation: Option<String>,
    /// A text the path or the body must contain, such as an order id.
    #[serde(default)]
    contains: String,
}

async fn requests(State(watch): State<Watch>, Query(filter): Query<Filter>) -> Response {
    let operation = filter.operation.as_deref();
    if operation.is_some_and(|operation| !watch.knows(operation)) {
        return no_such_operation(&watch);
    }
    let log = watch.seen();
    let matching = log.iter().filter(|seen| {
        operation.is_none_or(|operation| operation == seen.operation)
            && (seen.path.contains(&filter.contains) || seen.body.contains(&filter.contains))
    });
    Json(matching.collect::<Vec<_>>()).into_response()
}

async fn clear_requests(State(watch): State<Watch>) -> StatusCode {
    watch.seen().clear();
    StatusCode::NO_CONTENT
}
