//! A log in memory, which drops its oldest entries.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard};

use crate::limits::SANDBOX_LOG_ENTRIES_MAX;

/// The newest entries, oldest first. Cheap to clone.
#[derive(Clone, Debug)]
pub(super) struct Log<T>(Arc<Mutex<VecDeque<T>>>);

impl<T> Default for Log<T> {
    fn default() -> Log<T> {
        Log(Arc::default())
    }
}

impl<T> Log<T> {
    pub fn entries(&self) -> MutexGuard<'_, VecDeque<T>> {
        self.0.lock().expect("no code panics while holding the log")
    }

    pub fn push(&self, entry: T) {
        let mut entries = self.entries();
        if entries.len() >= SANDBOX_LOG_ENTRIES_MAX {
            entries.pop_front();
        }
        entries.push_back(entry);
    }
}
