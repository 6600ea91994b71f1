//! Pretend providers that speak the real protocols over HTTP, for development and tests.
//!
//! For the product's adapters only the address differs from the real hosts: a payment gateway at
//! the root, couriers below `/karrio` and `/shiprocket`, control APIs below `/__sim`. `GET`,
//! `DELETE /__sim/inbox` has the messages to customers, as a page or with `?format=json`. No real
//! money or parcel ever moves here, and production refuses to start with them. Requests must name
//! this machine as their host.

mod callback_client;
mod faults;
mod gateway;
mod hosts;
mod inbox;
mod interceptor;
mod journal;
mod log;
pub mod options;
mod partners;
mod serve;
mod table;
mod tokens;
mod wire;

use std::io;
use std::sync::Arc;

use axum::middleware::from_fn_with_state;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tokio_util::sync::{CancellationToken, DropGuard};

use self::gateway::state::Gateway;
use self::options::SandboxOptions;
use crate::clock::Clock;
use crate::providers::notify::inbox::Inbox;

/// A sandbox running inside this process. It stops when dropped.
#[derive(Debug)]
pub struct Sandbox {
    /// `http://127.0.0.1:PORT`: both base URLs of the PhonePe adapter.
    pub base_url: String,
    /// The messages to customers, which the sandbox shows instead of sending them.
    pub inbox: Arc<Inbox>,
    gateway: Gateway,
    shutdown: DropGuard,
    server: JoinHandle<()>,
}

impl Sandbox {
    /// Binds the address, reads the state files and serves in the background. Fails if the port is
    /// in use or a state file cannot be read or written.
    pub async fn start(options: SandboxOptions) -> io::Result<Sandbox> {
        let listener = TcpListener::bind(options.listen).await?;
        let own = listener.local_addr()?;
        let base_url = format!("http://{own}");
        let clock = Clock::default();
        let gateway = gateway::open(&options, clock.clone())?;
        let inbox = Arc::default();
        let router = gateway::router(&gateway)
            .merge(partners::router(&options, &clock)?)
            .merge(inbox::routes(Arc::clone(&inbox)))
            .layer(from_fn_with_state(own.ip(), hosts::check));
        let shutdown = CancellationToken::new();
        let serving = serve::serve(listener, router, shutdown.clone());
        let ticking = gateway.clone().tick();
        let server = tokio::spawn(async move {
            tokio::select! {
                () = serving => {}
                () = ticking => {}
            }
        });
        Ok(Sandbox { base_url, inbox, gateway, shutdown: shutdown.drop_guard(), server })
    }

    pub fn karrio_url(&self) -> String {
        format!("{}{}", self.base_url, partners::KARRIO)
    }

    pub fn shiprocket_url(&self) -> String {
        format!("{}{}", self.base_url, partners::SHIPROCKET)
    }

    pub fn inbox_url(&self) -> String {
        format!("{}{}", self.base_url, inbox::PATH)
    }

    /// Sets the address of the gateway's callbacks, for a merchant that starts after the sandbox.
    pub fn set_callback_url(&self, url: String) {
        self.gateway.set_callback_url(url);
    }

    /// Stops serving and waits until the port is free again.
    pub async fn stop(self) {
        drop(self.shutdown);
        let _ = self.server.await;
    }
}
