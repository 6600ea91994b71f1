//! The accept loop: a time limit for every head, a cap on connections, and a clean stop.
//!
//! `axum::serve` has no time limit for reading a request's head: one byte a minute would hold it.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::middleware::AddExtension;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;
use tower::Layer;
use tower_http::normalize_path::NormalizePath;

use crate::http::middleware::client::Peer;
use crate::limits;

/// Serves until `stop`, then lets open requests finish for a while.
pub async fn serve(listener: TcpListener, router: Router, stop: CancellationToken) {
    let places = Arc::new(Semaphore::new(limits::CONNECTIONS_MAX));
    let open = GracefulShutdown::new();
    // A trailing slash is optional everywhere.
    let service = NormalizePath::trim_trailing_slash(router);
    loop {
        let place = tokio::select! {
            place = places.clone().acquire_owned() => place,
            () = stop.cancelled() => break,
        };
        let Ok(place) = place else { break };
        let stream = tokio::select! {
            accepted = listener.accept() => accepted,
            () = stop.cancelled() => break,
        };
        let Ok((stream, peer)) = stream else {
            // Out of file handles or a client that is gone already: breathe and go on.
            tokio::time::sleep(Duration::from_millis(20)).await;
            continue;
        };
        let connection = open.watch(connection(stream, peer, service.clone()));
        tokio::spawn(async move {
            if let Err(error) = connection.await {
                tracing::debug!(%error, "connection ended early");
            }
            drop(place);
        });
    }
    drop(listener);
    let drained =
        tokio::time::timeout(Duration::from_millis(limits::DRAIN_MS_MAX), open.shutdown());
    if drained.await.is_err() {
        tracing::warn!("some requests did not finish in time");
    }
}

type Service = AddExtension<NormalizePath<Router>, Peer>;
type Connection = http1::Connection<TokioIo<TcpStream>, TowerToHyperService<Service>>;

fn connection(stream: TcpStream, peer: SocketAddr, service: NormalizePath<Router>) -> Connection {
    // Small answers must not wait for acknowledgements of earlier ones.
    let _ = stream.set_nodelay(true);
    let service = Peer::of(peer).layer(service);
    http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(Duration::from_millis(limits::HEAD_MS_MAX))
        .max_buf_size(limits::HEAD_BYTES_MAX)
        .serve_connection(TokioIo::new(stream), TowerToHyperService::new(service))
}
