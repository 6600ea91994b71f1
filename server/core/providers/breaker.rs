//! A circuit breaker: a provider that fails several times in a row is not called for a moment, so
//! that our requests do not pile up waiting for its timeouts.

use std::sync::{Mutex, MutexGuard};
use std::time::Duration;

use tokio::time::Instant;

use crate::limits::{PROVIDER_FAILURES_MAX, PROVIDER_REST_MS};

/// Counts failures in a row. After [`PROVIDER_FAILURES_MAX`] failures no request is allowed for the
/// time `rest`, then one at a time until one succeeds.
#[derive(Debug)]
pub struct Breaker {
    rest: Duration,
    state: Mutex<BreakerState>,
}

impl Default for Breaker {
    /// Creates a breaker that rests for [`PROVIDER_REST_MS`].
    fn default() -> Breaker {
        Breaker::new(Duration::from_millis(PROVIDER_REST_MS))
    }
}

#[derive(Debug, Default)]
struct BreakerState {
    failures: u32,
    rests_until: Option<Instant>,
}

impl Breaker {
    pub fn new(rest: Duration) -> Breaker {
        Breaker { rest, state: Mutex::default() }
    }

    /// True if a request may be sent now. The caller must then call [`Breaker::answered`] or
    /// [`Breaker::failed`]; without either, the next request is allowed after another rest.
    pub fn allows(&self) -> bool {
        let mut state = self.state();
        if state.failures < PROVIDER_FAILURES_MAX {
            return true;
        }
        let now = Instant::now();
        if state.rests_until.is_some_and(|until| now < until) {
            return false;
        }
        // This request tests whether the provider works again. The others still wait.
        state.rests_until = Some(now + self.rest);
        true
    }

    /// Records an answer of the provider, a success or a refusal.
    pub fn answered(&self) {
        *self.state() = BreakerState::default();
    }

    /// Records a missing answer, or an answer that the provider is broken.
    pub fn failed(&self) {
        let mut state = self.state();
        state.failures = state.failures.saturating_add(1);
        if state.failures >= PROVIDER_FAILURES_MAX {
            state.rests_until = Some(Instant::now() + self.rest);
        }
    }

    fn state(&self) -> MutexGuard<'_, BreakerState> {
        self.state.lock().expect("no code panics while holding the count")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_failing_provider_is_left_alone_and_then_tried_by_one_request() {
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
