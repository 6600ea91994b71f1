//! Counts of the renderer, for metrics.

use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicU64, AtomicUsize};

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
    renders: AtomicU64,
    rebuilds: AtomicU64,
    queue_full: AtomicU64,
    props_too_large: AtomicU64,
    deadline: AtomicU64,
    threw: AtomicU64,
    out_of_memory: AtomicU64,
    engine_died: AtomicU64,
    lost: AtomicUsize,
    threads: AtomicUsize,
    able: AtomicUsize,
}

impl Counters {
    pub fn rendered(&self) {
        self.renders.fetch_add(1, Relaxed);
    }

    /// Counts a failure and returns it.
    pub fn failed(&self, error: RenderError) -> RenderError {
        let counter = match error {
            RenderError::QueueFull => &self.queue_full,
            RenderError::PropsTooLarge => &self.props_too_large,
            RenderError::Deadline => &self.deadline,
            RenderError::Threw(_) => &self.threw,
            RenderError::OutOfMemory => &self.out_of_memory,
            RenderError::EngineDied => &self.engine_died,
        };
        counter.fetch_add(1, Relaxed);
        error
    }

    pub fn rebuilt(&self) {
        self.rebuilds.fetch_add(1, Relaxed);
    }

    /// Returns the number of threads that are given up at the moment.
    pub fn lost(&self) -> &AtomicUsize {
        &self.lost
    }

    /// Returns the number of threads that are not given up and have not ended.
    pub fn threads(&self) -> usize {
        self.threads.load(Relaxed)
    }

    pub fn threads_counter(&self) -> &AtomicUsize {
        &self.threads
    }

    /// Returns the number of threads whose isolate renders or is about to.
    pub fn able(&self) -> &AtomicUsize {
        &self.able
    }

    pub fn read(&self, queue_length: usize) -> RenderStats {
        let failures = Failures {
            queue_full: self.queue_full.load(Relaxed),
            props_too_large: self.props_too_large.load(Relaxed),
            deadline: self.deadline.load(Relaxed),
            threw: self.threw.load(Relaxed),
            out_of_memory: self.out_of_memory.load(Relaxed),
            engine_died: self.engine_died.load(Relaxed),
        };
        RenderStats {
            renders: self.renders.load(Relaxed),
            failures,
            rebuilds: self.rebuilds.load(Relaxed),
            queue_length,
            lost: self.lost.load(Relaxed),
        }
    }
}
