//! The last time at which something happened, to compare with the age of a connection.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The last failure of the disk or a connection in this process.
pub(super) static FAILURE: Moment = Moment(Mutex::new(None));

#[derive(Debug, Default)]
pub(super) struct Moment(Mutex<Option<Instant>>);

impl Moment {
    pub fn note(&self) {
        self.note_at(Instant::now());
    }

    /// Notes that it happened at this moment, perhaps before the last one.
    pub fn note_at(&self, moment: Instant) {
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *last = (*last).max(Some(moment));
    }

    pub fn get(&self) -> Option<Instant> {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// True if something this long ago was later, or if this never happened.
    pub fn is_before(&self, age: Duration) -> bool {
        self.get().is_none_or(|moment| age < moment.elapsed())
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
