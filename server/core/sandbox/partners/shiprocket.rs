//! A pretend Shiprocket with its external API.

mod answers;
mod awb;
mod couriers;
mod errors;
pub(super) mod login;
mod orders;
mod pickups;
mod places;
mod schema;
mod tracking;

use axum::Router;
use axum::extract::State;
use axum::middleware::from_fn_with_state;
use axum::response::Response;
use serde_json::json;

use super::super::interceptor::Protocol;
use super::super::tokens::ApiUser;
use super::partner::{Partner, PartnerProfile};
use crate::methods::{get, post};
use crate::model::money::paise::Paise;
use crate::model::settings::callbacks;

static PROTOCOL: Protocol = Protocol {
    operations: &[
        ["login", "*", "v1/external/auth/login"],
        ["rates", "*", "v1/external/courier/serviceability"],
        ["international_rates", "*", "v1/external/international/**"],
        ["places", "*", "v1/external/settings/company/pickup"],
        ["add_place", "*", "v1/external/settings/company/addpickup"],
        ["create", "*", "v1/external/orders/create/adhoc"],
        ["find", "*", "v1/external/orders"],
        ["read", "*", "v1/external/orders/show/*"],
        ["assign", "*", "v1/external/courier/assign/awb"],
        ["pickup", "*", "v1/external/courier/generate/pickup"],
        ["label", "*", "v1/external/courier/generate/label"],
        ["label_file", "*", "labels/**"],
        ["track", "*", "v1/external/courier/track/**"],
        ["cancel", "*", "v1/external/orders/cancel"],
        ["cancel", "*", "v1/external/orders/cancel/shipment/awbs"],
        ["wallet", "*", "v1/external/account/details/wallet-balance"],
        ["other", "*", "**"],
    ],
    error_reply: errors::error_reply,
};

pub(super) static PROFILE: PartnerProfile = PartnerProfile {
    name: "shiprocket",
    protocol: &PROTOCOL,
    user: |options| ApiUser {
        name: options.shiprocket_email.clone(),
        secret: options.shiprocket_password.clone(),
    },
    callback: &callbacks::SHIPROCKET,
    callback_body: tracking::callback,
    cancelled_scan: Some([answers::CANCELLED, "Order cancelled"]),
};

/// Returns the protocol below its base path, and the labels.
pub(super) fn routes(partner: &Partner) -> Router<Partner> {
    let external = Router::new()
        .route("/courier/serviceability/", get(couriers::rates))
        .route("/courier/serviceability", get(couriers::rates))
        .route("/international/courier/serviceability", get(couriers::international_rates))
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
        .fallback(|| async { errors::not_found() })
        .layer(from_fn_with_state(partner.clone(), login::authorised))
        .route("/auth/login", post(login::login));
    Router::new().nest("/v1/external", external).route("/labels/{name}", get(awb::label_file))
}

async fn wallet(State(partner): State<Partner>) -> Response {
    let balance = Paise::new(partner.records().settings.wallet_paise);
    partner.ok(json!({"data": {"balance_amount": balance.decimal()}}))
}
