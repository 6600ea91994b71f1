//! `dakiya healthcheck`: for containers without curl.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::time::Duration;

use anyhow::{Context as _, ensure};
use clap::Args;
use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::timeout;

use super::report::Report;
use dakiya_core::config::Config;
use dakiya_core::limits;

/// Ask the server on this machine if it lives, or if it is ready; within two seconds
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  dakiya healthcheck
  dakiya healthcheck --ready")]
pub struct HealthcheckCommand {
    /// Ask if it can serve requests, not only if it lives
    #[arg(long)]
    ready: bool,
}

impl HealthcheckCommand {
    pub async fn run(self) -> anyhow::Result<Report> {
        let address = on_this_machine(Config::from_env()?.listen);
        let path = if self.ready { "/readyz" } else { "/livez" };
        let patience = Duration::from_millis(limits::HEALTHCHECK_MS_MAX);
        let answer = timeout(patience, ask(address, path)).await;
        let answer = answer.with_context(|| format!("{address} did not answer in time"))??;
        let word = answer.split_once("\r\n\r\n").map_or("", |(_, body)| body.trim());
        let status = answer.split(' ').nth(1).unwrap_or_default();
        ensure!(status == "200", "{path} answers {status}: {word}");
        Report::from_value(&json!({"status": word}), word.to_owned())
    }
}

/// Returns the address to reach a listener at that listens on all addresses.
fn on_this_machine(mut listen: SocketAddr) -> SocketAddr {
    if listen.ip().is_unspecified() {
        listen.set_ip(match listen {
            SocketAddr::V4(_) => IpAddr::V4(Ipv4Addr::LOCALHOST),
            SocketAddr::V6(_) => IpAddr::V6(Ipv6Addr::LOCALHOST),
        });
    }
    listen
}

async fn ask(address: SocketAddr, path: &str) -> anyhow::Result<String> {
    let stream = TcpStream::connect(address).await;
    let mut stream = stream.with_context(|| format!("nothing listens on {address}"))?;
    let request = format!("GET {path} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await?;
    let mut answer = String::new();
    stream.take(limits::HEALTHCHECK_BYTES_MAX).read_to_string(&mut answer).await?;
    Ok(answer)
}
