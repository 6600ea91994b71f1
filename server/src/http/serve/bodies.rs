//! Bodies in transit: a request's body must arrive at a minimum pace and is read to its end; a
//! response's body holds its permit until it is sent.

use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::body::Body;
use bytes::Bytes;
use hyper::body::{Body as HttpBody, Frame, Incoming, SizeHint};
use tokio::runtime::Handle;
use tokio::time::{Sleep, timeout};

use dakiya_core::limits;

/// The reason why a body was not read to its end.
#[derive(Debug, thiserror::Error)]
pub enum Broken {
    #[error("the body came too slowly")]
    TooSlow,
    #[error("{0}")]
    Connection(#[from] hyper::Error),
}

/// A request's body that fails if it arrives too slowly.
struct Steady {
    body: Incoming,
    /// The timeout of the present wait for data.
    waiting: Option<Pin<Box<Sleep>>>,
    /// The amount received since the wait began (bytes).
    came: usize,
    too_slow: Arc<AtomicBool>,
}

impl HttpBody for Steady {
    type Data = Bytes;
    type Error = Broken;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Broken>>> {
        let this = &mut *self;
        match Pin::new(&mut this.body).poll_frame(cx) {
            Poll::Ready(Some(Ok(frame))) => {
                this.came += frame.data_ref().map_or(0, Bytes::len);
                if this.came >= limits::BODY_STEP_BYTES_MIN {
                    this.waiting = None;
                }
                Poll::Ready(Some(Ok(frame)))
            }
            Poll::Ready(end) => Poll::Ready(end.map(|frame| frame.map_err(Broken::from))),
            Poll::Pending => {
                let came = &mut this.came;
                let waiting = this.waiting.get_or_insert_with(|| {
                    *came = 0;
                    let patience = Duration::from_millis(limits::BODY_STEP_MS_MAX);
                    Box::pin(tokio::time::sleep(patience))
                });
                ready!(waiting.as_mut().poll(cx));
                this.too_slow.store(true, Ordering::Relaxed);
                Poll::Ready(Some(Err(Broken::TooSlow)))
            }
        }
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// A request's body that is read to its end and discarded when dropped. Closing a connection with
/// unread bytes resets it, and a client that is still sending may then never see the response.
pub struct Whole(Option<Steady>);

impl Whole {
    /// Wraps a body; `too_slow` is set if it fails for that.
    pub fn new(body: Incoming, too_slow: Arc<AtomicBool>) -> Whole {
        Whole(Some(Steady { body, waiting: None, came: 0, too_slow }))
    }

    fn body(&mut self) -> &mut Steady {
        self.0.as_mut().expect("it is taken when dropped")
    }
}

impl HttpBody for Whole {
    type Data = Bytes;
    type Error = Broken;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Broken>>> {
        Pin::new(self.body()).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.0.as_ref().is_none_or(HttpBody::is_end_stream)
    }

    fn size_hint(&self) -> SizeHint {
        self.0.as_ref().map_or_else(SizeHint::default, HttpBody::size_hint)
    }
}

impl Drop for Whole {
    fn drop(&mut self) {
        let unread = self.size_hint().lower();
        if self.is_end_stream() || unread > limits::BODY_UNREAD_BYTES_MAX {
            return;
        }
        if let (Some(body), Ok(runtime)) = (self.0.take(), Handle::try_current()) {
            let patience = Duration::from_millis(limits::BODY_UNREAD_MS_MAX);
            runtime.spawn(timeout(patience, read_rest(body)));
        }
    }
}

/// Reads a body until it ends, fails or exceeds the limit.
async fn read_rest(mut body: Steady) {
    // The response is already decided: a slow body no longer changes it.
    body.too_slow = Arc::default();
    let mut room = limits::BODY_UNREAD_BYTES_MAX;
    while let Some(Ok(frame)) = poll_fn(|cx| Pin::new(&mut body).poll_frame(cx)).await {
        let frame_bytes = frame.data_ref().map_or(0, Bytes::len) as u64;
        match room.checked_sub(frame_bytes) {
            Some(rest) => room = rest,
            None => return,
        }
    }
}

/// A response's body together with a value that is dropped once the body is sent.
pub struct Holding<T> {
    body: Body,
    _held: T,
}

impl<T> Holding<T> {
    pub fn new(body: Body, value: T) -> Holding<T> {
        Holding { body, _held: value }
    }
}

impl<T: Unpin> HttpBody for Holding<T> {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
