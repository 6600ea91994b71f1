//! Counts of the renderer, for metrics.

use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::error::RenderError;

/// The counts of a renderer since its start, and its present state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RenderStats {
    /// Pages rendered.
    pub renders: u64,
    /// Pages not rendered, by kind.
    pub failures: Failures,
    /// Isolates rebuilt after one was discarded.
    pub rebuilds: u64,
    /// Pages that wait for an isolate at the moment.
    pub queue_length: usize,
    /// Given-up threads, whose isolate cannot be stopped, at the moment.
    pub lost: usize,
}

/// Pages not rendered, by kind of `RenderError`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Failures {
    pub queue_full: u64,
    pub props_too_large: u64,
    pub deadline: u64,
    pub threw: u64,
    pub out_of_memory: u64,
    pub engine_died: u64,
}

#[derive(Default)]
pub(super) struct Counters {
    counted: Mutex<RenderStats>,
    /// Threads that are given up at the moment.
    pub lost: AtomicUsize,
    /// Threads that are not given up and have not ended.
    pub threads: AtomicUsize,
    /// Threads whose isolate renders or is about to.
    pub able: AtomicUsize,
}

impl Counters {
    pub fn rendered(&self) {
        self.counted().renders += 1;
    }

    /// Counts a failure and returns it.
    pub fn failed(&self, error: RenderError) -> RenderError {
        let mut counted = self.counted();
        let failures = &mut counted.failures;
        let count = match error {
            RenderError::QueueFull => &mut failures.queue_full,
            RenderError::PropsTooLarge => &mut failures.props_too_large,
            RenderError::Deadline => &mut failures.deadline,
            RenderError::Threw(_) => &mut failures.threw,
            RenderError::OutOfMemory => &mut failures.out_of_memory,
            RenderError::EngineDied => &mut failures.engine_died,
        };
        *count += 1;
        error
    }

    pub fn rebuilt(&self) {
        self.counted().rebuilds += 1;
    }

    pub fn read(&self, queue_length: usize) -> RenderStats {
        RenderStats { queue_length, lost: self.lost.load(Relaxed), ..*self.counted() }
    }

    fn counted(&self) -> MutexGuard<'_, RenderStats> {
        self.counted.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
