//! Time limits of messages.

use std::time::Duration;

use crate::limits::{NOTIFY_MS_MAX, PROVIDER_CONNECT_MS_MAX};

/// The time limits of one message. The defaults are in `crate::limits`.
#[derive(Clone, Copy, Debug)]
pub struct NotifyLimits {
    pub connect: Duration,
    /// The whole message: connecting, sending and the answer.
    pub total: Duration,
}

impl Default for NotifyLimits {
    fn default() -> NotifyLimits {
        NotifyLimits {
            connect: Duration::from_millis(PROVIDER_CONNECT_MS_MAX),
            total: Duration::from_millis(NOTIFY_MS_MAX),
        }
    }
}
