//! A connection whose client must read its responses.

use std::io::{self, ErrorKind, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use socket2::SockRef;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::Sleep;

use super::connections::count_cut;
use dakiya_core::limits;

/// A stream that fails if its client reads too slowly.
pub struct Stream {
    inner: TcpStream,
    /// The timeout of the present stalled write.
    stalled: Option<Pin<Box<Sleep>>>,
    /// The amount written since the stall began (bytes).
    taken_bytes: usize,
}

impl Stream {
    pub fn new(inner: TcpStream) -> Stream {
        // Small responses must not wait for acknowledgements of earlier ones.
        let _ = inner.set_nodelay(true);
        #[cfg(target_os = "linux")]
        {
            let socket = SockRef::from(&inner);
            // Otherwise the kernel would buffer up to 4 MB for a slow reader.
            let _ = socket.set_tcp_notsent_lowat(limits::UNSENT_BYTES_MAX);
            // Otherwise written data would keep the closed socket alive until the client reads it.
            let silent = Duration::from_millis(limits::UNTAKEN_MS_MAX);
            let _ = socket.set_tcp_user_timeout(Some(silent));
        }
        Stream { inner, stalled: None, taken_bytes: 0 }
    }

    /// Fails with a timeout if this write and those before it made too little progress.
    fn check_progress(
        &mut self,
        cx: &mut Context<'_>,
        outcome: Poll<io::Result<usize>>,
        bytes: usize,
    ) -> Poll<io::Result<usize>> {
        match outcome {
            Poll::Ready(Ok(count)) => {
                self.taken_bytes += count;
                if count == bytes || self.taken_bytes >= limits::WRITTEN_BYTES_MIN {
                    self.stalled = None;
                }
                outcome
            }
            Poll::Pending => {
                let taken_bytes = &mut self.taken_bytes;
                let stalled = self.stalled.get_or_insert_with(|| {
                    *taken_bytes = 0;
                    let patience = Duration::from_millis(limits::WRITTEN_MS_MAX);
                    Box::pin(tokio::time::sleep(patience))
                });
                ready!(stalled.as_mut().poll(cx));
                count_cut("not_reading");
                // Discards the data in the kernel's buffer on close.
                let _ = SockRef::from(&self.inner).set_linger(Some(Duration::ZERO));
                let message = "the client does not take its answer";
                Poll::Ready(Err(io::Error::new(ErrorKind::TimedOut, message)))
            }
            Poll::Ready(Err(_)) => outcome,
        }
    }
}

impl AsyncRead for Stream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_read(cx, into)
    }
}

impl AsyncWrite for Stream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let outcome = Pin::new(&mut self.inner).poll_write(cx, bytes);
        self.check_progress(cx, outcome, bytes.len())
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        parts: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let outcome = Pin::new(&mut self.inner).poll_write_vectored(cx, parts);
        let bytes = parts.iter().map(|part| part.len()).sum();
        self.check_progress(cx, outcome, bytes)
    }

    fn is_write_vectored(&self) -> bool {
        self.inner.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_shutdown(cx)
    }
}
