//! The one listener of all pretend providers.

use std::io;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::http::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::{GracefulConnection, GracefulShutdown};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;
use tower::ServiceExt;

use super::faults::Cut;
use crate::limits::SANDBOX_SHUTDOWN_MS_MAX;

/// Serves until `shutdown`; then requests in progress have a short time to finish.
pub(super) async fn serve(listener: TcpListener, router: Router, shutdown: CancellationToken) {
    let graceful = GracefulShutdown::new();
    let mut connections = JoinSet::new();
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = shutdown.cancelled() => break,
        };
        while connections.try_join_next().is_some() {}
        match accepted {
            Ok((stream, _)) => {
                let connection = graceful.watch(connection(stream, router.clone()));
                connections.spawn(async move {
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
    let _ = timeout(Duration::from_millis(SANDBOX_SHUTDOWN_MS_MAX), graceful.shutdown()).await;
}

/// Serves one HTTP/1 connection. If a fault marked the reply, the connection is closed instead.
fn connection(
    stream: TcpStream,
    router: Router,
) -> impl GracefulConnection<Output = hyper::Result<()>> {
    let service = service_fn(move |request: Request<Incoming>| {
        let router = router.clone();
        async move {
            let Ok(response) = router.oneshot(request.map(Body::new)).await;
            match response.extensions().get::<Cut>().is_some() {
                true => Err(io::Error::other("cut by a fault")),
                false => Ok(response),
            }
        }
    });
    let _ = stream.set_nodelay(true);
    http1::Builder::new().timer(TokioTimer::new()).serve_connection(TokioIo::new(stream), service)
}
