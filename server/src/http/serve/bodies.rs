//! Bodies on their way: one that a client sends must come at some pace and is read to its end, and
//! one that goes out keeps its place until it is out.

use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::Body;
use bytes::Bytes;
use hyper::body::{Body as HttpBody, Frame, Incoming, SizeHint};
use tokio::runtime::Handle;
use tokio::time::{Sleep, timeout};

use crate::limits;

/// Why a body was not read to its end.
#[derive(Debug, thiserror::Error)]
pub enum Broken {
    #[error("the body came too slowly")]
    TooSlow,
    #[error("{0}")]
    Connection(#[from] hyper::Error),
}

/// A request's body that fails when too little of it comes in too long a time.
pub struct Steady {
    body: Incoming,
    /// Since nothing was there: when that is too long ago.
    waiting: Option<Pin<Box<Sleep>>>,
    /// What came meanwhile (bytes).
    came: usize,
    too_slow: Arc<AtomicBool>,
}

impl Steady {
    /// `too_slow` is set when it fails.
    pub fn new(body: Incoming, too_slow: Arc<AtomicBool>) -> Steady {
        Steady {
            body,
            waiting: None,
            came: 0,
            too_slow,
        }
    }
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
                match waiting.as_mut().poll(cx) {
                    Poll::Pending => Poll::Pending,
                    Poll::Ready(()) => {
                        this.too_slow.store(true, Ordering::Relaxed);
                        Poll::Ready(Some(Err(Broken::TooSlow)))
                    }
                }
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

/// A request's body whose rest is read and dropped when nobody wants it. A connection that is
/// closed with bytes unread is reset, and a client that still sends may then never see its answer.
pub struct Whole(Option<Steady>);

impl Whole {
    pub fn new(body: Steady) -> Whole {
        Whole(Some(body))
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
        self.0
            .as_ref()
            .map_or_else(SizeHint::default, HttpBody::size_hint)
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

/// Reads a body until it ends, breaks or is too long.
async fn read_rest(mut body: Steady) {
    // Being slow from here on changes no answer.
    body.too_slow = Arc::default();
    let mut room = limits::BODY_UNREAD_BYTES_MAX;
    while let Some(Ok(frame)) = poll_fn(|cx| Pin::new(&mut body).poll_frame(cx)).await {
        let came = frame.data_ref().map_or(0, Bytes::len) as u64;
        match room.checked_sub(came) {
            Some(left) => room = left,
            None => return,
        }
    }
}

/// An answer's body with what is dropped once it is out.
pub struct Holding<T> {
    body: Body,
    _held: T,
}

impl<T> Holding<T> {
    pub fn new(body: Body, held: T) -> Holding<T> {
        Holding { body, _held: held }
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
