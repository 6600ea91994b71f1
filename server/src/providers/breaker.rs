//! A provider that keeps failing is left alone for a moment, so that requests do not queue up
//! behind its time-outs (reliability.md H5).

use std::sync::{Mutex, MutexGuard};
use std::time::Duration;

use tokio::time::Instant;

use crate::limits::{PROVIDER_FAILURES_MAX, PROVIDER_REST_MS};

/// Counts failures in a row. After [`PROVIDER_FAILURES_MAX`] it lets nothing through for a
/// rest, then one request at a time until one succeeds.
#[derive(Debug)]
pub struct Breaker {
    rest: Duration,
    state: Mutex<State>,
}

impl Default for Breaker {
    /// Rests for [`PROVIDER_REST_MS`].
    fn default() -> Breaker {
        Breaker::new(Duration::from_millis(PROVIDER_REST_MS))
    }
}

#[derive(Debug, Default)]
struct State {
    failures: u32,
    rests_until: Option<Instant>,
}

impl Breaker {
    pub fn new(rest: Duration) -> Breaker {
        Breaker {
            rest,
            state: Mutex::default(),
        }
    }

    /// Whether a request may be sent now. One that may must be followed by
    /// [`Breaker::answered`] or [`Breaker::failed`]; without either the next one may go after
    /// another rest.
    pub fn allows(&self) -> bool {
        let mut state = self.state();
        if state.failures < PROVIDER_FAILURES_MAX {
            return true;
        }
        let now = Instant::now();
        if state.rests_until.is_some_and(|until| now < until) {
            return false;
        }
        // This one goes ahead and tries; the others go on resting.
        state.rests_until = Some(now + self.rest);
        true
    }

    /// The provider gave an answer it meant, be it yes or no.
    pub fn answered(&self) {
        *self.state() = State::default();
    }

    /// The provider gave none, or said itself that it is broken.
    pub fn failed(&self) {
        let mut state = self.state();
        state.failures = state.failures.saturating_add(1);
        if state.failures >= PROVIDER_FAILURES_MAX {
            state.rests_until = Some(Instant::now() + self.rest);
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state
            .lock()
            .expect("no code panics while holding the count")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_failing_provider_rests_and_is_then_tried_by_one() {
        let rest = Duration::from_millis(200);
        let breaker = Breaker::new(rest);
        for _ in 0..PROVIDER_FAILURES_MAX {
            assert!(breaker.allows());
            breaker.failed();
        }
        assert!(!breaker.allows());
        for _ in 0..3 {
            tokio::time::sleep(rest).await;
            assert!(breaker.allows(), "one tries");
            assert!(!breaker.allows(), "the others wait");
            breaker.failed();
        }
        tokio::time::sleep(rest).await;
        assert!(breaker.allows());
        breaker.answered();
        assert!(breaker.allows() && breaker.allows());
    }

    #[test]
    fn failures_count_only_in_a_row() {
        let breaker = Breaker::default();
        for _ in 0..10 * PROVIDER_FAILURES_MAX {
            breaker.failed();
            breaker.answered();
        }
        assert!(breaker.allows());
    }
}
