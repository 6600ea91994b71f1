//! The process's clock: UTC milliseconds, which tests may advance.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use crate::failpoints;

/// The current time. Clones share the same offset.
#[derive(Clone, Debug)]
pub struct Clock {
    ahead_ms: Arc<AtomicI64>,
}

impl Default for Clock {
    fn default() -> Clock {
        let ahead_ms = AtomicI64::new(failpoints::clock_ahead_ms());
        Clock { ahead_ms: Arc::new(ahead_ms) }
    }
}

impl Clock {
    /// Milliseconds since 1970-01-01T00:00Z.
    pub fn now_ms(&self) -> i64 {
        let since_epoch = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let now = i64::try_from(since_epoch.as_millis()).unwrap_or(i64::MAX);
        now.saturating_add(self.ahead_ms.load(Ordering::Relaxed))
    }

    /// Advances this clock, for tests of expiry.
    pub fn advance_ms(&self, milliseconds: i64) {
        self.ahead_ms.fetch_add(milliseconds, Ordering::Relaxed);
    }
}
