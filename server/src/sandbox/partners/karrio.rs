//! A pretend Karrio server with three carrier accounts.

mod answers;
mod pickups;
mod rate_request;
mod shipments;
mod tariff;
mod tracking;

use std::io;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, Method, StatusCode, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use super::super::SandboxOptions;
use super::super::interceptor::{Protocol, ProtocolError};
use super::json::{JsonBody, fields_of, reply};
use super::server::{PartnerProfile, PartnerServer};
use super::{KARRIO, control};
use crate::clock::Clock;
use crate::methods::{get, post};
use crate::model::settings::callbacks;
use crate::model::settings::secret::Secret;

/// The pretend server. Cheap to clone.
#[derive(Clone, Debug)]
pub(super) struct Karrio {
    pub server: PartnerServer,
    token: Secret,
}

static PROTOCOL: Protocol = Protocol {
    operations: &[
        "rates",
        "create",
        "find",
        "read",
        "purchase",
        "cancel",
        "label",
        "track",
        "schedule_pickup",
        "find_pickups",
        "read_pickup",
        "change_pickup",
        "cancel_pickup",
        "other",
    ],
    operation,
    error_reply,
};

static PROFILE: PartnerProfile = PartnerProfile {
    file: "karrio.jsonl",
    protocol: &PROTOCOL,
    callback: &callbacks::KARRIO,
    callback_body: answers::event,
    make_cancelled: shipments::make_cancelled,
};

fn operation(method: &Method, path: &str) -> &'static str {
    let parts: Vec<&str> = path.trim_matches('/').split('/').skip(1).collect();
    match (method.as_str(), &parts[..]) {
        ("POST", ["proxy", "rates"]) => "rates",
        ("POST", ["shipments"]) => "create",
        ("GET", ["shipments"]) => "find",
        ("GET", ["shipments", _]) => "read",
        ("POST", ["shipments", _, "purchase"]) => "purchase",
        ("POST", ["shipments", _, "cancel"]) => "cancel",
        ("GET", ["shipments", _, "label.pdf"]) => "label",
        (_, ["trackers", ..]) => "track",
        ("POST", ["pickups", _, "schedule"]) => "schedule_pickup",
        ("GET", ["pickups"]) => "find_pickups",
        ("GET", ["pickups", _]) => "read_pickup",
        ("POST", ["pickups", _]) => "change_pickup",
        ("POST", ["pickups", _, "cancel"]) => "cancel_pickup",
        _ => "other",
    }
}

fn error_reply(error: ProtocolError) -> Response {
    let (status, code, message) = match error {
        ProtocolError::Rejected => (400, "validation", "The request is not valid."),
        ProtocolError::Unauthorized => (401, "invalid_token", "Invalid token."),
        ProtocolError::Forbidden => (403, "permission_denied", "You may not do this."),
        ProtocolError::NotFound => return not_found(),
        ProtocolError::TooLarge => (413, "failure", "The body is too large."),
        ProtocolError::TooMany => (429, "throttled", "Request was throttled."),
        ProtocolError::Broken => (500, "error", "Something went wrong."),
    };
    refuse(status, code, message)
}

/// The status and the body of an error.
type ErrorReply = (u16, Value);

/// Returns an error of Karrio itself, not of a carrier.
fn refusal(status: u16, code: &str, message: &str) -> ErrorReply {
    let error = json!({"code": code, "level": "error", "message": message});
    (status, json!({"errors": [error]}))
}

/// Returns the error for the failure of all carriers.
fn failure(messages: &[Value]) -> ErrorReply {
    (424, json!({"messages": messages}))
}

fn refuse(status: u16, code: &str, message: &str) -> Response {
    written(refusal(status, code, message))
}

/// Returns the error for invalid fields of a request.
fn invalid(details: &Value) -> Response {
    let error = json!({"code": "validation", "level": "error", "details": details});
    written((400, json!({"errors": [error]})))
}

fn written((status, body): ErrorReply) -> Response {
    let status = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    (status, axum::Json(body)).into_response()
}

async fn nowhere() -> Response {
    not_found()
}

fn not_found() -> Response {
    refuse(404, "not_found", "Nothing matches the given query.")
}

impl Karrio {
    pub fn open(options: &SandboxOptions, clock: &Clock) -> io::Result<Karrio> {
        Ok(Karrio {
            server: PartnerServer::open(options, &PROFILE, clock)?,
            token: options.karrio_token.clone(),
        })
    }

    /// Returns the protocol below its base path, and the control API.
    pub fn router(&self) -> Router {
        let guarded = Router::new()
            .route("/v1/proxy/rates", post(rates))
            .route(
                "/v1/shipments",
                get(shipments::find).merge(post(shipments::create)),
            )
            .route("/v1/shipments/{id}", get(shipments::read))
            .route("/v1/shipments/{id}/purchase", post(shipments::purchase))
            .route("/v1/shipments/{id}/cancel", post(shipments::cancel))
            .route("/v1/trackers", post(tracking::add))
            .route("/v1/trackers/{number}", get(tracking::read))
            .route("/v1/pickups", get(pickups::list))
            .route(
                "/v1/pickups/{name}",
                get(pickups::read).merge(post(pickups::change)),
            )
            .route("/v1/pickups/{name}/schedule", post(pickups::schedule))
            .route("/v1/pickups/{name}/cancel", post(pickups::cancel))
            .fallback(nowhere)
            .layer(from_fn_with_state(self.clone(), authorised));
        let protocol = guarded.route("/v1/shipments/{id}/label.pdf", get(shipments::label));
        let protocol = self
            .server
            .interceptor
            .over(protocol)
            .with_state(self.clone());
        let control = control::routes(&self.server, &format!("/__sim{KARRIO}"));
        Router::new().nest(KARRIO, protocol).merge(control)
    }

    /// Returns true if the headers carry the API key, as `Token` or as the user name of `Basic`.
    fn knows(&self, headers: &HeaderMap) -> bool {
        let given = headers
            .get(header::AUTHORIZATION)
            .and_then(|value| value.to_str().ok())
            .and_then(|value| value.split_once(' '));
        let key = match given {
            Some(("Token", key)) => key.to_owned(),
            Some(("Basic", pair)) => {
                let pair = STANDARD.decode(pair).unwrap_or_default();
                let pair = String::from_utf8(pair).unwrap_or_default();
                pair.split(':').next().unwrap_or_default().to_owned()
            }
            _ => return false,
        };
        self.token.is(key.as_bytes())
    }
}

async fn authorised(State(karrio): State<Karrio>, request: Request, next: Next) -> Response {
    if karrio.knows(request.headers()) {
        next.run(request).await
    } else if request.headers().contains_key(header::AUTHORIZATION) {
        error_reply(ProtocolError::Unauthorized)
    } else {
        let message = "Authentication credentials were not provided.";
        refuse(401, "not_authenticated", message)
    }
}

/// Returns the prices of all accounts that respond, cheapest first.
async fn rates(State(karrio): State<Karrio>, body: JsonBody) -> Response {
    let request = match rate_request::read(&fields_of(body)) {
        Ok(request) => request,
        Err(details) => return invalid(&details),
    };
    let settings = karrio.server.records().settings.clone();
    let Some((offers, messages)) = tariff::offers(&settings, &request) else {
        return no_account();
    };
    let status = match (offers.is_empty(), messages.is_empty()) {
        (false, false) => StatusCode::MULTI_STATUS,
        (true, false) => return written(failure(&messages)),
        _ => StatusCode::OK,
    };
    let now_ms = karrio.server.now_ms().unsigned_abs();
    let rates = answers::rates(&karrio.server, now_ms, &offers);
    let answer = json!({"messages": messages, "rates": rates});
    reply(&karrio.server, status, answer)
}

fn no_account() -> Response {
    let message = "No active carrier connection found to process the request";
    refuse(404, "not_found", message)
}
