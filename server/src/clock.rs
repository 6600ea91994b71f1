//! The one clock: UTC milliseconds, which tests may push forward.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use time::macros::{format_description, offset};
use time::{Date, Duration, OffsetDateTime, Time, UtcOffset};

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
    in_india(ms).date()
}

/// When a day begins in India, in UTC milliseconds.
pub fn midnight_in_india(date: Date) -> i64 {
    let midnight = OffsetDateTime::new_in_offset(date, Time::MIDNIGHT, IST);
    midnight.unix_timestamp() * 1_000
}

/// A day as people write it: `21 Nov 2026`.
pub fn day_in_words(date: Date) -> String {
    let format = format_description!("[day padding:none] [month repr:short] [year]");
    date.format(format).unwrap_or_default()
}

/// An instant as people in India write it: `21 Nov 2026, 3:31 pm`.
pub fn moment_in_words(ms: i64) -> String {
    let format = format_description!(
        "[day padding:none] [month repr:short] [year], \
         [hour repr:12 padding:none]:[minute] [period case:lower]"
    );
    in_india(ms).format(format).unwrap_or_default()
}

/// An instant as spreadsheets read it, on India's clocks: `2026-11-21 15:31:05`.
pub fn moment_in_figures(ms: i64) -> String {
    let format = format_description!("[year]-[month]-[day] [hour]:[minute]:[second]");
    in_india(ms).format(format).unwrap_or_default()
}

fn in_india(ms: i64) -> OffsetDateTime {
    let instant = OffsetDateTime::UNIX_EPOCH.saturating_add(Duration::milliseconds(ms));
    instant.to_offset(IST)
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

    #[test]
    fn a_day_begins_and_is_written_as_in_india() {
        let first = date_in_india(1_796_063_400_000);
        assert_eq!(midnight_in_india(first), 1_796_063_400_000);
        assert_eq!(day_in_words(first), "1 Dec 2026");
        assert_eq!(moment_in_words(1_796_063_399_999), "30 Nov 2026, 11:59 pm");
        assert_eq!(moment_in_figures(1_796_063_399_999), "2026-11-30 23:59:59");
    }
}
