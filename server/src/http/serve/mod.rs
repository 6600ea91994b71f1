//! The accept loop: a timeout for every head, a minimum pace for every body and response, caps on
//! connections, and a graceful shutdown.
//!
//! `axum::serve` has no timeout for reading a request's head: one byte a minute would hold a
//! connection.

mod bodies;
mod connections;
mod stream;

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::http::header::CONNECTION;
use axum::http::{HeaderValue, Request, Response};
use axum::response::IntoResponse;
use futures_util::FutureExt;
use hyper::body::{Body as _, Incoming};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{Instant, sleep, timeout, timeout_at};
use tokio_util::sync::CancellationToken;
use tower::ServiceExt;
use tower_http::normalize_path::NormalizePath;

use crate::http::extract::{Peer, Stopping};
pub use bodies::Holding;
use bodies::Whole;
pub use connections::Caps;
use connections::{Connections, OpenConnection};
use dakiya_core::error::Error;
use dakiya_core::limits;
use stream::Stream;

/// Serves until `stop`. Then every response closes its connection; new connections are accepted
/// until the drain time is over. After it connected clients get responses to the requests in
/// transit, and open requests have a limited time to finish. Connections without a request are
/// closed then.
pub async fn serve(listener: TcpListener, router: Router, caps: Caps, stop: CancellationToken) {
    let Caps { keep_alive, drain, finish, .. } = caps;
    let server = Server {
        connections: Connections::new(caps),
        keep_alive,
        // A trailing slash is optional in every address.
        service: NormalizePath::trim_trailing_slash(router),
        stop: stop.clone(),
        open: GracefulShutdown::new(),
    };
    tokio::select! {
        () = server.accept(&listener) => {}
        () = stop.cancelled() => {}
    }
    // A balancer sends new requests until it has seen that we are not ready.
    let _ = timeout(drain, server.accept(&listener)).await;
    let soon = Instant::now() + Duration::from_millis(limits::STOP_LISTEN_MS_MAX);
    let _ = timeout_at(soon, async {
        tokio::select! {
            () = server.accept(&listener) => {}
            () = server.wait_for_last() => {}
        }
    })
    .await;
    // Connections that are already in the kernel's queue.
    while let Some(Ok((stream, peer))) = listener.accept().now_or_never() {
        server.take(stream, peer);
    }
    drop(listener);
    if server.connections.count() > 0 {
        // Waits for the first byte of the connections accepted last.
        sleep(Duration::from_millis(limits::STOP_HEAD_MS)).await;
    }
    if timeout(finish, server.open.shutdown()).await.is_err() {
        tracing::warn!("some requests did not finish in time");
    }
}

struct Server {
    connections: Arc<Connections>,
    keep_alive: Duration,
    service: NormalizePath<Router>,
    stop: CancellationToken,
    open: GracefulShutdown,
}

impl Server {
    async fn accept(&self, listener: &TcpListener) {
        loop {
            self.connections.wait_for_room().await;
            match listener.accept().await {
                Ok((stream, peer)) => self.take(stream, peer),
                Err(error) => {
                    tracing::debug!(%error, "a connection was not accepted");
                    // Out of file handles, or the client has disconnected already: wait and
                    // continue.
                    self.connections.give_up_idle();
                    sleep(Duration::from_millis(20)).await;
                }
            }
        }
    }

    async fn wait_for_last(&self) {
        while self.connections.count() > 0 {
            sleep(Duration::from_millis(20)).await;
        }
    }

    fn take(&self, stream: TcpStream, peer: SocketAddr) {
        let Some(place) = self.connections.enter(peer.ip()) else {
            // Written only as far as the socket accepts at once; a client that is still sending may
            // not see it.
            let _ = stream.try_write(TOO_MANY);
            return;
        };
        let (service, stop) = (self.service.clone(), self.stop.clone());
        let own = place.clone();
        let answer = service_fn(move |request| {
            answer(service.clone(), request, peer, own.clone(), stop.clone())
        });
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            // Counts the time without a request as well.
            .header_read_timeout(self.keep_alive)
            .max_buf_size(limits::HEAD_BYTES_MAX)
            .serve_connection(TokioIo::new(Stream::new(stream)), answer);
        let connection = self.open.watch(connection);
        tokio::spawn(async move {
            tokio::select! {
                result = connection => if let Err(error) = result {
                    tracing::debug!(%error, "a connection ended early");
                },
                () = place.wait_for_close() => tracing::debug!("an idle connection was closed"),
                () = place.wait_for_no_request() => tracing::debug!("no request came in time"),
            }
        });
    }
}

/// The response to a client with too many connections.
const TOO_MANY: &[u8] = b"HTTP/1.1 429 Too Many Requests\r\ncontent-type: text/plain\r\n\
    retry-after: 1\r\nconnection: close\r\ncontent-length: 54\r\n\r\n\
    There are too many connections from your network now.\n";

/// Responds to one request. The connection counts as busy until the whole response is sent.
async fn answer(
    service: NormalizePath<Router>,
    request: Request<Incoming>,
    peer: SocketAddr,
    place: Arc<OpenConnection>,
    stop: CancellationToken,
) -> Result<Response<Holding<connections::Working>>, Infallible> {
    let working = place.begin_request();
    let too_slow = Arc::new(AtomicBool::new(false));
    let mut request = request.map(|body| match body.is_end_stream() {
        true => Body::empty(),
        false => Body::new(Whole::new(body, too_slow.clone())),
    });
    request.extensions_mut().insert(Peer(peer.ip()));
    request.extensions_mut().insert(Stopping(stop.is_cancelled()));
    let Ok(mut response) = service.oneshot(request).await;
    if too_slow.load(Ordering::Relaxed) {
        connections::count_cut("slow_body");
        response = Error::TooSlow.into_response();
    }
    if stop.is_cancelled() {
        let close = HeaderValue::from_static("close");
        response.headers_mut().insert(CONNECTION, close);
    }
    Ok(response.map(|body| Holding::new(body, working)))
}
