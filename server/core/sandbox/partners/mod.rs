//! The sandbox's partner couriers: a self-hosted Karrio (as github.com/karrioapi/karrio describes
//! it in `schemas/openapi.yml`) and Shiprocket (as apidocs.shiprocket.in does). Like the real ones
//! they may be slow, broken or silent, change a price after it was quoted, and add fields to their
//! answers.
//!
//! # The partners' own protocols
//! - Karrio below `/karrio`: `/v1/proxy/rates`, `/v1/shipments` (create, find, read, `purchase`,
//!   `cancel`, `label.pdf`), `/v1/trackers`, `/v1/pickups` (`{carrier_name}/schedule`, find, read,
//!   change, `cancel`).
//! - Shiprocket below `/shiprocket/v1/external`: `/auth/login`, `/courier/serviceability/`,
//!   `/international/courier/serviceability`, `/settings/company/pickup` and `addpickup`,
//!   `/orders/create/adhoc`, `/orders`, `/orders/show/{id}`, `/orders/cancel`,
//!   `/courier/assign/awb`, `/courier/generate/pickup` and `label`, `/courier/track/awb/{awb}`,
//!   `/account/details/wallet-balance`; the labels themselves are below `/shiprocket/labels`.
//!
//! Prices come from an invented tariff and depend on nothing but the request. No courier serves PIN
//! codes that begin with 99, which do not exist in India.
//!
//! # The control APIs
//! Below `/__sim/karrio` and `/__sim/shiprocket`; JSON, no credentials:
//!
//! - `GET settings`, `PATCH settings {field: value, …}`: see [`records::PartnerSettings`].
//! - `GET shipments`: each with our reference, how often that was created and bought, the AWB as
//!   `number`, and its status.
//! - `GET places`: the pickup addresses that Shiprocket was given.
//! - `GET pickups`: Karrio's, each as requested and changed since; Shiprocket's are listed with
//!   its shipments, as `pickup_ordered` and `pickup_day`.
//! - `GET book`: what will be carried and billed, in the end the only truth: reference, AWB, price.
//! - `POST shipments/{number}/scan {status, location?, remarks?, minutes_ago?, told?, local?,
//!   code?, reason?}`: the courier reports this, in its own words. Scans may come out of order and
//!   with any status. `told` is `moment`, `day` or `nothing`; `local` is a day and time of the
//!   place, without a zone; `code` stands in place of the event's status, and `reason` beside it
//!   (Karrio only).
//! - `GET`, `POST`, `DELETE faults` and `GET`, `DELETE requests?operation=&contains=`: as the
//!   gateway's; each partner's `PROTOCOL` lists its operations.
//! - A scan calls the merchant back, as the settings `callbacks` and `callback_delay_ms` say;
//!   `GET callbacks`: what was sent and how it was answered.
//! - `POST /__sim/shiprocket/tokens/revoke`: every token given so far is refused from now on.
//! - Time passes by the gateway's `POST /__sim/clock`.
//!
//! Shipments and settings outlive the process when a folder is given; tokens, faults and logs do
//! not.

mod control;
mod json;
mod karrio;
mod label;
mod partner;
mod records;
mod shiprocket;
mod tariff;

use std::io;

use axum::Router;

use self::partner::Partner;
use super::options::SandboxOptions;
use crate::clock::Clock;
use crate::methods::post;

/// The paths at which the adapters' base URLs begin.
pub(super) const KARRIO: &str = "/karrio";
pub(super) const SHIPROCKET: &str = "/shiprocket/v1/external";

/// Reads the state files, if there are any. Returns the protocols and their control APIs.
pub(super) fn router(options: &SandboxOptions, clock: &Clock) -> io::Result<Router> {
    let karrio = Partner::open(options, &karrio::PROFILE, clock)?;
    let shiprocket = Partner::open(options, &shiprocket::PROFILE, clock)?;
    let revoke = post(shiprocket::login::revoke).with_state(shiprocket.clone());
    Ok(partner_routes(&karrio, karrio::routes(&karrio))
        .merge(partner_routes(&shiprocket, shiprocket::routes(&shiprocket)))
        .route("/__sim/shiprocket/tokens/revoke", revoke))
}

fn partner_routes(partner: &Partner, protocol: Router<Partner>) -> Router {
    let protocol = partner.interceptor.wrap(protocol);
    Router::new()
        .nest(&partner.path(), protocol.with_state(partner.clone()))
        .merge(control::routes(partner))
}
