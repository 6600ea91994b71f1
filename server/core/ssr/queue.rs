//! The bounded queue between the requests and the isolates.

use std::collections::VecDeque;
use std::mem;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::oneshot;

use super::error::RenderError;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rendered {
    /// The content of `<div id="root">`.
    pub html: String,
    /// The time inside the engine, without waiting in the queue.
    pub took: Duration,
}

pub(super) type ResultSender = oneshot::Sender<Result<Rendered, RenderError>>;

/// One page to render, and the sender of its result.
pub(super) struct Job {
    pub page_json: Arc<str>,
    pub reply: ResultSender,
    pub asked_at: Instant,
}

pub(super) struct RenderQueue {
    waiting: Mutex<WaitingJobs>,
    arrived: Condvar,
    close_signal: Condvar,
    length_max: usize,
}

struct WaitingJobs {
    jobs: VecDeque<Job>,
    is_closed: bool,
}

impl RenderQueue {
    pub fn new(length_max: usize) -> RenderQueue {
        let waiting = WaitingJobs { jobs: VecDeque::new(), is_closed: false };
        RenderQueue {
            waiting: Mutex::new(waiting),
            arrived: Condvar::new(),
            close_signal: Condvar::new(),
            length_max,
        }
    }

    /// Adds a job. If the queue is full, jobs whose callers have gone are dropped first.
    pub fn push(&self, job: Job) -> Result<(), RenderError> {
        let mut waiting = self.lock();
        if waiting.is_closed {
            return Err(RenderError::EngineDied);
        }
        if waiting.jobs.len() >= self.length_max {
            waiting.jobs.retain(|job| !job.reply.is_closed());
        }
        if waiting.jobs.len() >= self.length_max {
            return Err(RenderError::QueueFull);
        }
        waiting.jobs.push_back(job);
        drop(waiting);
        self.arrived.notify_one();
        Ok(())
    }

    /// Waits for the next job whose caller still waits. `None` if the queue is closed and empty.
    pub fn pop(&self) -> Option<Job> {
        let mut waiting = self.lock();
        loop {
            while let Some(job) = waiting.jobs.pop_front() {
                if !job.reply.is_closed() {
                    return Some(job);
                }
            }
            if waiting.is_closed {
                return None;
            }
            waiting = self.arrived.wait(waiting).unwrap_or_else(PoisonError::into_inner);
        }
    }

    pub fn drain(&self) -> VecDeque<Job> {
        mem::take(&mut self.lock().jobs)
    }

    /// Waits for `pause`, or until the queue is closed; true if it was closed.
    pub fn closes_within(&self, pause: Duration) -> bool {
        let waiting = self.lock();
        let result =
            self.close_signal.wait_timeout_while(waiting, pause, |waiting| !waiting.is_closed);
        let (waiting, _) = result.unwrap_or_else(PoisonError::into_inner);
        waiting.is_closed
    }

    /// Accepts no more jobs. Waiting jobs are still popped.
    pub fn close(&self) {
        self.lock().is_closed = true;
        self.arrived.notify_all();
        self.close_signal.notify_all();
    }

    pub fn is_closed(&self) -> bool {
        self.lock().is_closed
    }

    pub fn len(&self) -> usize {
        self.lock().jobs.len()
    }

    fn lock(&self) -> MutexGuard<'_, WaitingJobs> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
