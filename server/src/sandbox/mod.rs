//! Pretend providers that speak the real protocols over HTTP, for development and tests.
//!
//! The product's adapters cannot tell them from the real hosts but by their address. No real
//! money or parcel ever moves here, and production refuses to start with them.

pub mod gateway;

use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;

use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::providers::secret::Secret;

/// What the sandbox is told at its start; everything else is set while it runs, over its
/// control API (see [`gateway`]).
#[derive(Clone, Debug)]
pub struct SandboxOptions {
    /// The loopback address to serve on; port 0 takes a free one.
    pub listen: SocketAddr,
    /// Where orders outlive the process; without it they live in memory.
    pub state_file: Option<PathBuf>,
    /// The merchant's callback address; can be set later.
    pub callback_url: Option<String>,
    /// The one OAuth client that is let in.
    pub client_id: String,
    pub client_secret: Secret,
    /// What the merchant has "on the dashboard" for callbacks (payments.md 1.7).
    pub callback_username: String,
    pub callback_password: Secret,
}

/// A sandbox running inside this process. It stops when dropped.
#[derive(Debug)]
pub struct Sandbox {
    /// `http://127.0.0.1:PORT`: both base URLs of the PhonePe adapter.
    pub base_url: String,
    gateway: gateway::Gateway,
    shutdown: CancellationToken,
    server: Option<JoinHandle<()>>,
}

impl Sandbox {
    /// Binds the address, reads the state file and serves in the background. Fails when the
    /// port is taken or the state file cannot be read or written.
    pub async fn start(options: SandboxOptions) -> io::Result<Sandbox> {
        let listener = TcpListener::bind(options.listen).await?;
        let base_url = format!("http://{}", listener.local_addr()?);
        let gateway = gateway::Gateway::open(options)?;
        let shutdown = CancellationToken::new();
        let stop = shutdown.clone();
        let server = tokio::spawn(gateway.clone().serve(listener, stop));
        Ok(Sandbox {
            base_url,
            gateway,
            shutdown,
            server: Some(server),
        })
    }

    /// Sends callbacks to this address from now on: for a merchant that learns its own address
    /// only after the sandbox's.
    pub fn set_callback_url(&self, url: String) {
        self.gateway.set_callback_url(url);
    }

    /// Stops serving and waits until the port is free again.
    pub async fn stop(mut self) {
        self.shutdown.cancel();
        if let Some(server) = self.server.take() {
            let _ = server.await;
        }
    }
}

impl Drop for Sandbox {
    fn drop(&mut self) {
        self.shutdown.cancel();
    }
}
