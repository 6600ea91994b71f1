//! Time limits of messages.

use std::time::Duration;

use crate::limits::NOTIFY_MS_MAX;
use crate::providers::http::CONNECT;

/// The time limits of one message. The defaults are in `crate::limits`.
#[derive(Clone, Copy, Debug)]
pub struct NotifyLimits {
    pub connect: Duration,
    /// The whole message: connecting, sending and the answer.
    pub total: Duration,
}

impl Default for NotifyLimits {
    fn default() -> NotifyLimits {
        NotifyLimits { connect: CONNECT, total: Duration::from_millis(NOTIFY_MS_MAX) }
    }
}
