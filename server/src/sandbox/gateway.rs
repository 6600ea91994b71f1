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
//! - `GET /__sim/clock`, `POST /__sim/clock {"advance_ms": …}`: lets time pass at once.
//! - `POST /__sim/tokens/revoke`: every token given so far is refused from now on.
//! - `GET`, `POST`, `DELETE /__sim/faults`: see [`watch::Fault`]; a fault hits the next `times`
//!   requests of its operation.
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
mod hosted;
mod journal;
mod protocol;
mod sender;
mod settings;
mod tokens;
mod watch;

use std::convert::Infallible;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::http::{Request, Response};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;
use tower::ServiceExt;

use self::book::Book;
use self::sender::Sender;
use self::tokens::Tokens;
use self::watch::Watch;
use super::SandboxOptions;
use crate::limits::{SANDBOX_SHUTDOWN_MS_MAX, SANDBOX_TICK_MS};

/// The gateway's state, shared by its handlers. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Gateway {
    book: Arc<Mutex<Book>>,
    tokens: Arc<Tokens>,
    watch: Arc<Watch>,
    sender: Arc<Sender>,
}

/// Serves the gateway until `shutdown`; the way `dakiya sandbox` runs it. Fails when the state
/// file cannot be read or written.
pub async fn serve(
    listener: TcpListener,
    options: SandboxOptions,
    shutdown: CancellationToken,
) -> io::Result<()> {
    Gateway::open(options)?.serve(listener, shutdown).await;
    Ok(())
}

impl Gateway {
    /// Reads the state file, if there is one.
    pub fn open(options: SandboxOptions) -> io::Result<Gateway> {
        let gateway = Gateway {
            book: Arc::new(Mutex::new(Book::open(options.state_file.as_deref())?)),
            tokens: Arc::new(Tokens::new(options.client_id, options.client_secret)),
            watch: Arc::default(),
            sender: Arc::new(Sender::new(
                options.callback_username,
                options.callback_password,
            )),
        };
        if let Some(url) = options.callback_url {
            gateway.set_callback_url(url);
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

    /// Serves until `shutdown`; then finishes what is under way, for a moment.
    pub async fn serve(self, listener: TcpListener, shutdown: CancellationToken) {
        let router = self.router();
        let graceful = GracefulShutdown::new();
        let mut tasks = JoinSet::new();
        tasks.spawn(self.clone().tick());
        loop {
            let accepted = tokio::select! {
                accepted = listener.accept() => accepted,
                () = shutdown.cancelled() => break,
            };
            while tasks.try_join_next().is_some() {}
            match accepted {
                Ok((stream, _)) => {
                    let connection = graceful.watch(connection(stream, router.clone()));
                    tasks.spawn(async move {
                        let _ = connection.await; // cut off by the client or by a fault
                    });
                }
                Err(error) => {
                    tracing::warn!(%error, "the sandbox cannot accept a connection");
                    tokio::time::sleep(Duration::from_millis(100)).await;
                }
            }
        }
        drop(listener);
        let _ = timeout(
            Duration::from_millis(SANDBOX_SHUTDOWN_MS_MAX),
            graceful.shutdown(),
        )
        .await;
    }

    fn router(&self) -> Router {
        let watched = protocol::routes(self).merge(hosted::routes());
        let watched = watched.layer(axum::middleware::from_fn_with_state(
            self.clone(),
            watch::watch,
        ));
        watched.merge(control::routes()).with_state(self.clone())
    }

    /// Lets things happen in time even when nobody asks: expiries, late decisions, refunds.
    async fn tick(self) {
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

/// One HTTP/1 connection. A reply marked by a fault is not sent: the connection is cut.
fn connection(
    stream: TcpStream,
    router: Router,
) -> impl hyper_util::server::graceful::GracefulConnection<Output = hyper::Result<()>> {
    let service = service_fn(move |request: Request<Incoming>| {
        let router = router.clone();
        async move {
            let answered: Result<Response<Body>, Infallible> =
                router.oneshot(request.map(Body::new)).await;
            match answered {
                Ok(response) if response.extensions().get::<watch::Cut>().is_some() => {
                    Err(io::Error::other("cut by a fault"))
                }
                Ok(response) => Ok(response),
            }
        }
    });
    let _ = stream.set_nodelay(true);
    http1::Builder::new()
        .timer(TokioTimer::new())
        .serve_connection(TokioIo::new(stream), service)
}
