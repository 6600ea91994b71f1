//! The sandbox payment gateway: PhonePe Standard Checkout v2 as payments.md describes it, with
//! the behaviours of its section 4, on a loopback port.
//!
//! # The gateway's own protocol
//! `POST /v1/oauth/token`, `POST /checkout/v2/pay`, `GET /checkout/v2/order/{id}/status`,
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
//! - `POST /__sim/orders/{id}/act {"action": …}`: `pay {method?, amount?}` (also after a
//!   failure: a late success; with an amount in paise: not what was asked for),
//!   `decline {code, method?}`, `fail_attempt {code, method?}`,
//!   `leave_pending {method?, then?: action, after_ms?}`. Codes: [`declines`]. Answers the order.
//! - `POST /__sim/orders/{id}/callback {mode?}`: sends the callback now, answers how it was taken.
//! - `GET /__sim/clock`, `POST /__sim/clock {"advance_ms": …}`: lets time pass at once, for the
//!   couriers too.
//! - `POST /__sim/tokens/revoke`: every token given so far is refused from now on.
//! - `GET`, `POST`, `DELETE /__sim/faults {operation, kind, when?, times?, delay_ms?}`: a fault
//!   hits the next `times` requests of its operation; its kinds are in `faults.rs`.
//! - `GET`, `DELETE /__sim/requests?operation=&contains=`: what was asked, oldest first.
//! - `GET`, `DELETE /__sim/callbacks`: what was sent to the merchant and how it was taken.
//!
//! Orders, refunds, settings and the clock outlive the process when a state file is given;
//! tokens, faults, logs and callbacks still waiting do not, as with a real outage.

mod answers;
mod book;
mod control;
mod declines;
mod entries;
pub(super) mod hosted;
mod protocol;
mod sender;
mod settings;
mod tokens;

use std::io;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use axum::Router;

use self::book::Book;
use self::sender::Sender;
use self::tokens::Tokens;
use super::SandboxOptions;
use super::watch::Watch;
use crate::clock::Clock;
use crate::limits::SANDBOX_TICK_MS;

/// The gateway's state, shared by its handlers. Cheap to clone.
#[derive(Clone, Debug)]
pub(super) struct Gateway {
    book: Arc<Mutex<Book>>,
    tokens: Arc<Tokens>,
    watch: Watch,
    sender: Arc<Sender>,
}

impl Gateway {
    /// Reads the state file, if there is one.
    pub fn open(options: &SandboxOptions, clock: Clock) -> io::Result<Gateway> {
        let book = Book::open(options.state_file.as_deref(), clock)?;
        let gateway = Gateway {
            book: Arc::new(Mutex::new(book)),
            tokens: Arc::new(Tokens::new(
                options.client_id.clone(),
                options.client_secret.clone(),
            )),
            watch: Watch::new(&protocol::PROTOCOL),
            sender: Arc::new(Sender::new(
                options.callback_username.clone(),
                options.callback_password.clone(),
            )),
        };
        if let Some(url) = &options.callback_url {
            gateway.set_callback_url(url.clone());
        }
        Ok(gateway)
    }

    /// Sends callbacks to this address from now on.
    pub fn set_callback_url(&self, url: String) {
        let mut book = self.book();
        let mut settings = book.settings.clone();
        settings.callback_url = Some(url);
        book.set_settings(settings);
    }

    /// The protocol, the pay page and the control API.
    pub fn router(&self) -> Router {
        let watched = protocol::routes(self).merge(hosted::routes());
        let watched = self.watch.over(watched);
        let control = control::routes().merge(self.watch.control("/__sim"));
        watched.merge(control).with_state(self.clone())
    }

    /// Lets things happen in time even when nobody asks: expiries, late decisions, refunds.
    pub async fn tick(self) {
        loop {
            tokio::time::sleep(Duration::from_millis(SANDBOX_TICK_MS)).await;
            let notices = self.book().catch_up();
            self.sender.send_soon(self.book().settings.clone(), notices);
        }
    }

    fn book(&self) -> MutexGuard<'_, Book> {
        self.book
            .lock()
            .expect("no code panics while holding the book")
    }
}
