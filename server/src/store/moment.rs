//! The last time at which something happened, to compare with the age of a connection.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The last failure of the disk or a connection in this process.
pub(super) static FAILURE: Moment = Moment(Mutex::new(None));

/// The last time at which a server of Postgres did not answer, or took no writes any more. An older
/// connection may lead to that server, which even answers if another one has taken its place.
pub(super) static LOST_SERVER: Moment = Moment(Mutex::new(None));

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
