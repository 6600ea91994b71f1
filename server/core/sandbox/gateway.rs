//! The sandbox payment gateway: PhonePe Standard Checkout v2 as developer.phonepe.com describes it,
//! with the errors and delays that a merchant must be ready for.
//!
//! # The gateway's own protocol
//! `POST /v1/oauth/token`, `POST /checkout/v2/pay`, `POST /checkout/v2/sdk/order`,
//! `GET /checkout/v2/order/{id}/status`, `GET /checkout/v2/transaction/{id}/status`,
//! `POST /payments/v2/refund`, `GET /payments/v2/refund/{id}/status`; for the browser
//! `/transact?token=…` (the pay page) and `/web/bundle/checkout.js`.
//!
//! # The control API
//! JSON, no credentials, for tests and for a developer with curl:
//!
//! - `GET /__sim/settings`, `PATCH /__sim/settings {field: value, …}`: `callback_url`,
//!   `callbacks` (`never`, `before_redirect`, `after_redirect`, `delayed`, `twice`, `wrong_hash`,
//!   `unknown_event`, `wrong_amount`), `callback_delay_ms`, `callback_scheme`, `duplicate_status`
//!   (417 or 400), `token_life_s`, `referrer`, `unknown_fields`, `refund_step_ms`, `refunds_fail`.
//! - `GET /__sim/orders`, `GET /__sim/orders/{id}`.
//! - `GET /__sim/report?day=2026-11-21`: the day's transactions, as the dashboard's CSV.
//! - `POST /__sim/orders/{id}/act {"action": …}`: `pay {method?, amount?}` (also after a
//!   failure: a late success; with an amount in paise: another than the order's),
//!   `decline {code, method?}`, `fail_attempt {code, method?}`,
//!   `leave_pending {method?, then?: action, after_ms?}`. Codes: [`declines`]. Answers the order.
//! - `POST /__sim/orders/{id}/callback {mode?}`: sends the callback now, answers the merchant's
//!   reply.
//! - `GET /__sim/clock`, `POST /__sim/clock {"advance_ms": …}`: advances the clock, for the
//!   couriers too.
//! - `POST /__sim/tokens/revoke`: revokes all tokens granted so far.
//! - `GET`, `POST`, `DELETE /__sim/faults {operation, kind, when?, times?, delay_ms?}`: a fault
//!   hits the next `times` requests of its operation; its kinds are in `faults.rs`.
//! - `GET`, `DELETE /__sim/requests?operation=&contains=`: the requests so far, oldest first.
//! - `GET`, `DELETE /__sim/callbacks`: the callbacks sent to the merchant, with its replies.
//!
//! With a state file, orders, refunds, settings and the clock survive a restart; tokens, faults,
//! logs and waiting callbacks do not, as in a real outage.

mod answers;
mod control;
mod declines;
pub(super) mod hosted;
mod orders;
mod protocol;
mod records;
mod sender;
mod settings;
pub(super) mod state;

use std::io;

use axum::Router;

use self::state::Gateway;
use super::options::SandboxOptions;
use crate::clock::Clock;

/// Reads the state file, if there is one.
pub(super) fn open(options: &SandboxOptions, clock: Clock) -> io::Result<Gateway> {
    Gateway::open(options, &protocol::PROTOCOL, clock)
}

/// Returns the protocol, the pay page and the control API.
pub(super) fn router(gateway: &Gateway) -> Router {
    let watched = protocol::routes(gateway).merge(hosted::routes());
    let watched = gateway.interceptor.wrap(watched);
    let control = control::routes().merge(gateway.interceptor.control("/__sim"));
    watched.merge(control).with_state(gateway.clone())
}
