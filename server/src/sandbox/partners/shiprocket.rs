//! A pretend Shiprocket with its external API.

mod answers;
mod awb;
mod couriers;
mod fields;
mod login;
mod orders;
mod pickups;
mod places;
mod tracking;

use std::io;

use axum::Router;
use axum::extract::State;
use axum::http::{Method, StatusCode};
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

use self::login::LoginTokens;
use super::super::SandboxOptions;
use super::super::interceptor::{Protocol, ProtocolError};
use super::control;
use super::json::reply;
use super::server::{PartnerProfile, PartnerServer};
use crate::clock::Clock;
use crate::methods::{get, post};
use crate::model::money::paise::Paise;
use crate::model::settings::callbacks;

/// The pretend Shiprocket. Cheap to clone.
#[derive(Clone, Debug)]
pub(super) struct Shiprocket {
    pub server: PartnerServer,
    tokens: LoginTokens,
}

static PROTOCOL: Protocol = Protocol {
    operations: &[
        "login",
        "rates",
        "international_rates",
        "places",
        "add_place",
        "create",
        "find",
        "read",
        "assign",
        "pickup",
        "label",
        "label_file",
        "track",
        "cancel",
        "wallet",
        "other",
    ],
    operation,
    error_reply,
};

static PROFILE: PartnerProfile = PartnerProfile {
    file: "shiprocket.jsonl",
    protocol: &PROTOCOL,
    callback: &callbacks::SHIPROCKET,
    callback_body: tracking::callback,
    make_cancelled: orders::make_cancelled,
};

fn operation(_: &Method, path: &str) -> &'static str {
    let path = path.trim_start_matches("/v1/external").trim_matches('/');
    match path {
        "auth/login" => "login",
        "courier/serviceability" => "rates",
        "international/courier/serviceability" => "international_rates",
        "settings/company/pickup" => "places",
        "settings/company/addpickup" => "add_place",
        "orders/create/adhoc" => "create",
        "orders" => "find",
        "orders/cancel" | "orders/cancel/shipment/awbs" => "cancel",
        "courier/assign/awb" => "assign",
        "courier/generate/pickup" => "pickup",
        "courier/generate/label" => "label",
        "account/details/wallet-balance" => "wallet",
        _ if path.starts_with("orders/show/") => "read",
        _ if path.starts_with("courier/track/") => "track",
        _ if path.starts_with("labels/") => "label_file",
        _ => "other",
    }
}

fn error_reply(error: ProtocolError) -> Response {
    let (status, message) = match error {
        ProtocolError::Rejected => {
            let problem = "The request is not valid.".to_owned();
            return invalid("Oops! Invalid Data.", &[("order_id", problem)]);
        }
        ProtocolError::Unauthorized => (401, "Unauthenticated."),
        ProtocolError::Forbidden => (403, "Unauthorized. You do not have permission."),
        ProtocolError::NotFound => (404, "404 Not Found"),
        ProtocolError::TooLarge => (413, "The body is too large."),
        ProtocolError::TooMany => (429, "Too Many Attempts."),
        ProtocolError::Broken => (500, "Server Error"),
    };
    refuse(status, message)
}

fn refuse(status: u16, message: &str) -> Response {
    written(status, &json!({"message": message, "status_code": status}))
}

/// Returns the error for invalid fields of a request.
fn invalid(message: &str, problems: &[(&str, String)]) -> Response {
    let problems = problems
        .iter()
        .map(|(field, problem)| ((*field).to_owned(), json!([problem])));
    let errors: Value = Value::Object(problems.collect());
    let body = json!({"message": message, "errors": errors, "status_code": 422});
    written(422, &body)
}

fn written(status: u16, body: &Value) -> Response {
    let status = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    (status, axum::Json(body)).into_response()
}

async fn nowhere() -> Response {
    refuse(404, "404 Not Found")
}

impl Shiprocket {
    pub fn open(options: &SandboxOptions, clock: &Clock) -> io::Result<Shiprocket> {
        let email = options.shiprocket_email.clone();
        Ok(Shiprocket {
            server: PartnerServer::open(options, &PROFILE, clock)?,
            tokens: LoginTokens::new(email, options.shiprocket_password.clone()),
        })
    }

    /// Returns the protocol below its base path, the labels, and the control API.
    pub fn router(&self) -> Router {
        let external = Router::new()
            .route("/courier/serviceability/", get(couriers::rates))
            .route("/courier/serviceability", get(couriers::rates))
            .route(
                "/international/courier/serviceability",
                get(couriers::international_rates),
            )
            .route("/settings/company/pickup", get(places::list))
            .route("/settings/company/addpickup", post(places::add))
            .route("/orders/create/adhoc", post(orders::create))
            .route("/orders", get(orders::find))
            .route("/orders/show/{id}", get(orders::read))
            .route("/orders/cancel", post(orders::cancel))
            .route("/orders/cancel/shipment/awbs", post(orders::cancel_awbs))
            .route("/courier/assign/awb", post(awb::assign))
            .route("/courier/generate/pickup", post(pickups::pickup))
            .route("/courier/generate/label", post(awb::label))
            .route("/courier/track/awb/{awb}", get(tracking::read))
            .route("/account/details/wallet-balance", get(wallet))
            .fallback(nowhere)
            .layer(from_fn_with_state(self.clone(), login::authorised))
            .route("/auth/login", post(login::login));
        let protocol = Router::new()
            .nest("/v1/external", external)
            .route("/labels/{name}", get(awb::label_file));
        let protocol = self
            .server
            .interceptor
            .over(protocol)
            .with_state(self.clone());
        let revoke = Router::new()
            .route("/__sim/shiprocket/tokens/revoke", post(login::revoke))
            .with_state(self.clone());
        Router::new()
            .nest("/shiprocket", protocol)
            .merge(control::routes(&self.server, "/__sim/shiprocket"))
            .merge(revoke)
    }

    fn reply(&self, answer: Value) -> Response {
        reply(&self.server, StatusCode::OK, answer)
    }
}

async fn wallet(State(shiprocket): State<Shiprocket>) -> Response {
    let left = Paise::new(shiprocket.server.records().settings.wallet_paise);
    shiprocket.reply(json!({"data": {"balance_amount": left.decimal()}}))
}
