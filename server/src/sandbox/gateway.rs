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
mod tokens;

use std::io;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use axum::Router;

use self::records::GatewayRecords;
use self::sender::PaymentCallbackSender;
use self::tokens::GrantedTokens;
use super::SandboxOptions;
use super::interceptor::Interceptor;
use crate::clock::Clock;
use crate::limits::SANDBOX_TICK_MS;

/// The gateway's state, shared by its handlers. Cheap to clone.
#[derive(Clone, Debug)]
pub(super) struct Gateway {
    records: Arc<Mutex<GatewayRecords>>,
    tokens: Arc<GrantedTokens>,
    interceptor: Interceptor,
    sender: Arc<PaymentCallbackSender>,
}

impl Gateway {
    /// Reads the state file, if there is one.
    pub fn open(options: &SandboxOptions, clock: Clock) -> io::Result<Gateway> {
        let records = GatewayRecords::open(options.state_file.as_deref(), clock)?;
        let gateway = Gateway {
            records: Arc::new(Mutex::new(records)),
            tokens: Arc::new(GrantedTokens::new(
                options.client_id.clone(),
                options.client_secret.clone(),
            )),
            interceptor: Interceptor::new(&protocol::PROTOCOL),
            sender: Arc::new(PaymentCallbackSender::new(
                options.callback_username.clone(),
                options.callback_password.clone(),
            )),
        };
        if let Some(url) = &options.callback_url {
            gateway.set_callback_url(url.clone());
        }
        Ok(gateway)
    }

    /// Sets the address of callbacks.
    pub fn set_callback_url(&self, url: String) {
        let mut records = self.records();
        let mut settings = records.settings.clone();
        settings.callback_url = Some(url);
        records.set_settings(settings);
    }

    /// Returns the protocol, the pay page and the control API.
    pub fn router(&self) -> Router {
        let watched = protocol::routes(self).merge(hosted::routes());
        let watched = self.interceptor.over(watched);
        let control = control::routes().merge(self.interceptor.control("/__sim"));
        watched.merge(control).with_state(self.clone())
    }

    /// Applies what is due (expiries, late decisions, refunds) even while no request comes.
    pub async fn tick(self) {
        loop {
            tokio::time::sleep(Duration::from_millis(SANDBOX_TICK_MS)).await;
            let notices = self.records().catch_up();
            self.sender
                .send_soon(self.records().settings.clone(), notices);
        }
    }

    fn records(&self) -> MutexGuard<'_, GatewayRecords> {
        self.records
            .lock()
            .expect("no code panics while holding the records")
    }
}
