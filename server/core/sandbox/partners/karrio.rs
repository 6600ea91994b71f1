//! A pretend Karrio server with three carrier accounts.

mod addresses;
mod answers;
mod customs;
mod errors;
mod key;
mod pickups;
mod schema;
mod shipments;
mod tariff;

use axum::Router;
use axum::middleware::from_fn_with_state;

use super::super::interceptor::Protocol;
use super::super::tokens::ApiUser;
use super::partner::{Partner, PartnerProfile};
use crate::methods::{get, post};
use crate::model::settings::callbacks;

static PROTOCOL: Protocol = Protocol {
    operations: &[
        ["rates", "POST", "v1/proxy/rates"],
        ["create", "POST", "v1/shipments"],
        ["find", "GET", "v1/shipments"],
        ["read", "GET", "v1/shipments/*"],
        ["purchase", "POST", "v1/shipments/*/purchase"],
        ["cancel", "POST", "v1/shipments/*/cancel"],
        ["label", "GET", "v1/shipments/*/label.pdf"],
        ["track", "*", "v1/trackers/**"],
        ["schedule_pickup", "POST", "v1/pickups/*/schedule"],
        ["find_pickups", "GET", "v1/pickups"],
        ["read_pickup", "GET", "v1/pickups/*"],
        ["change_pickup", "POST", "v1/pickups/*"],
        ["cancel_pickup", "POST", "v1/pickups/*/cancel"],
        ["other", "*", "**"],
    ],
    error_reply: errors::error_reply,
};

pub(super) static PROFILE: PartnerProfile = PartnerProfile {
    name: "karrio",
    protocol: &PROTOCOL,
    user: |options| ApiUser { name: String::new(), secret: options.karrio_token.clone() },
    callback: &callbacks::KARRIO,
    callback_body: answers::event,
    cancelled_scan: None,
};

/// Returns the protocol below its base path.
pub(super) fn routes(partner: &Partner) -> Router<Partner> {
    Router::new()
        .route("/v1/proxy/rates", post(shipments::rates))
        .route("/v1/shipments", get(shipments::find).merge(post(shipments::create)))
        .route("/v1/shipments/{id}", get(shipments::read))
        .route("/v1/shipments/{id}/purchase", post(shipments::purchase))
        .route("/v1/shipments/{id}/cancel", post(shipments::cancel))
        .route("/v1/trackers", post(shipments::add_tracker))
        .route("/v1/trackers/{number}", get(shipments::track))
        .route("/v1/pickups", get(pickups::list))
        .route("/v1/pickups/{name}", get(pickups::read).merge(post(pickups::change)))
        .route("/v1/pickups/{name}/schedule", post(pickups::schedule))
        .route("/v1/pickups/{name}/cancel", post(pickups::cancel))
        .fallback(|| async { errors::not_found() })
        .layer(from_fn_with_state(partner.clone(), key::authorised))
        .route("/v1/shipments/{id}/label.pdf", get(shipments::label))
}
