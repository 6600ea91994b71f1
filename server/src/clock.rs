//! The one clock: UTC milliseconds, which tests may push forward.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use time::{Date, Duration, OffsetDateTime, UtcOffset, macros::offset};

/// Indian Standard Time, which has no daylight saving.
pub const IST: UtcOffset = offset!(+5:30);

/// Tells the time. Clones share the same offset.
#[derive(Clone, Debug, Default)]
pub struct Clock {
    ahead_ms: Arc<AtomicI64>,
}

impl Clock {
    /// Milliseconds since 1970-01-01T00:00Z.
    pub fn now_ms(&self) -> i64 {
        let since_epoch = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default();
        let now = i64::try_from(since_epoch.as_millis()).unwrap_or(i64::MAX);
        now.saturating_add(self.ahead_ms.load(Ordering::Relaxed))
    }

    /// Pushes this clock forward, for tests of expiry.
    pub fn advance_ms(&self, milliseconds: i64) {
        self.ahead_ms.fetch_add(milliseconds, Ordering::Relaxed);
    }
}

/// The Indian calendar date of an instant in UTC milliseconds.
pub fn date_in_india(ms: i64) -> Date {
    let instant = OffsetDateTime::UNIX_EPOCH.saturating_add(Duration::milliseconds(ms));
    instant.to_offset(IST).date()
}

/// The month of a day: `2026-11`.
pub fn month(day: Date) -> String {
    format!("{:04}-{:02}", day.year(), u8::from(day.month()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_month_turns_at_midnight_in_india_and_not_in_greenwich() {
        // 2026-11-30 18:29:59.999 UTC is 23:59:59.999 in India.
        assert_eq!(month(date_in_india(1_796_063_399_999)), "2026-11");
        assert_eq!(month(date_in_india(1_796_063_400_000)), "2026-12");
    }
}
