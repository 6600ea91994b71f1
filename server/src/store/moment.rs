//! The last time at which something happened, to compare with the age of a connection.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The last failure of the disk or a connection in this process.
pub(super) static FAILURE: Moment = Moment(Mutex::new(None));

#[derive(Debug, Default)]
pub(super) struct Moment(Mutex<Option<Instant>>);

impl Moment {
    pub fn note(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
    }

    /// True if something this long ago was later, or if this never happened.
    pub fn is_before(&self, age: Duration) -> bool {
        let moment = *self.0.lock().unwrap_or_else(PoisonError::into_inner);
        moment.is_none_or(|moment| age < moment.elapsed())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_there_before_a_moment_is_told_from_what_came_later() {
        let moment = Moment::default();
        let old = Duration::from_secs(60);
        assert!(moment.is_before(old));
        moment.note();
        assert!(!moment.is_before(old));
        std::thread::sleep(Duration::from_millis(5));
        assert!(moment.is_before(Duration::from_millis(1)));
    }
}
