//! The process's clock: UTC milliseconds, which tests may advance. It follows the database's clock.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use crate::{failpoints, limits};

/// The current time. Clones share the same offsets.
#[derive(Clone, Debug)]
pub struct Clock(Arc<Offsets>);

/// Differences between the machine's clock and this one (milliseconds).
#[derive(Debug)]
struct Offsets {
    /// The time of a test.
    ahead_ms: AtomicI64,
    /// The error of the machine's clock, in a test.
    wrong_ms: AtomicI64,
    /// The correction to the database's clock.
    corrected_ms: AtomicI64,
}

impl Default for Clock {
    fn default() -> Clock {
        Clock(Arc::new(Offsets {
            ahead_ms: AtomicI64::new(failpoints::clock_ahead_ms()),
            wrong_ms: AtomicI64::new(failpoints::clock_wrong_ms()),
            corrected_ms: AtomicI64::new(0),
        }))
    }
}

impl Clock {
    /// Milliseconds since 1970-01-01T00:00Z.
    pub fn now_ms(&self) -> i64 {
        let Offsets { ahead_ms, corrected_ms, .. } = &*self.0;
        let offset_ms = ahead_ms.load(Ordering::Relaxed) + corrected_ms.load(Ordering::Relaxed);
        self.machine_ms().saturating_add(offset_ms)
    }

    /// The time of the machine's clock.
    pub fn machine_ms(&self) -> i64 {
        let since_epoch = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let now = i64::try_from(since_epoch.as_millis()).unwrap_or(i64::MAX);
        now.saturating_add(self.0.wrong_ms.load(Ordering::Relaxed))
    }

    /// Corrects this clock by the difference of the machine's clock to the database's. A small one
    /// is left alone, so that no time is passed twice or left out. A correction ends at half of it,
    /// or it would begin and end again and again.
    pub fn correct(&self, ahead_ms: i64) {
        metrics::gauge!("dakiya_clock_skew_seconds").set(ahead_ms as f64 / 1_000.0);
        let before_ms = self.0.corrected_ms.load(Ordering::Relaxed);
        let small_ms = match before_ms {
            0 => limits::CLOCK_SKEW_MS_MAX,
            _ => limits::CLOCK_SKEW_MS_MAX / 2,
        };
        let is_small = ahead_ms.abs() <= small_ms;
        let corrected_ms =
            if is_small || failpoints::on("clock-uncorrected") { 0 } else { -ahead_ms };
        self.0.corrected_ms.store(corrected_ms, Ordering::Relaxed);
        match (before_ms, corrected_ms) {
            (0, 0) => {}
            (0, _) => tracing::error!(ahead_ms, "the machine's clock is wrong, or the database's"),
            (_, 0) => tracing::warn!("the machine's clock agrees with the database's again"),
            _ => {}
        }
    }

    /// Advances this clock, for tests of expiry.
    pub fn advance_ms(&self, milliseconds: i64) {
        self.0.ahead_ms.fetch_add(milliseconds, Ordering::Relaxed);
    }

    /// Gives the machine's clock an error, for tests of servers whose clocks differ.
    pub fn misset_ms(&self, wrong_ms: i64) {
        self.0.wrong_ms.store(wrong_ms, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_large_error_of_the_machine_is_corrected_and_a_small_one_is_left_alone() {
        let (clock, right) = (Clock::default(), Clock::default());
        let is_right = || (clock.now_ms() - right.now_ms()).abs() < limits::HOUR_MS / 2;
        for wrong_ms in [limits::HOUR_MS, -limits::HOUR_MS] {
            clock.misset_ms(wrong_ms);
            assert!(!is_right());
            clock.correct(wrong_ms);
            assert!(is_right());
            clock.misset_ms(0);
            assert!(!is_right());
            let most_ms = limits::CLOCK_SKEW_MS_MAX;
            for small_ms in [most_ms / 2, -most_ms / 2, most_ms, -most_ms] {
                clock.correct(small_ms);
                assert_eq!(clock.0.corrected_ms.load(Ordering::Relaxed), 0);
            }
        }
    }

    #[test]
    fn a_correction_does_not_come_and_go_with_each_comparison() {
        let (clock, most_ms) = (Clock::default(), limits::CLOCK_SKEW_MS_MAX);
        let corrected = |ahead_ms: i64| {
            clock.correct(ahead_ms);
            clock.0.corrected_ms.load(Ordering::Relaxed)
        };
        assert_eq!(
            [most_ms, most_ms + 1, most_ms - 1].map(corrected),
            [0, -most_ms - 1, 1 - most_ms]
        );
        assert_eq!([most_ms / 2 + 1, most_ms / 2].map(corrected), [-most_ms / 2 - 1, 0]);
    }
}
