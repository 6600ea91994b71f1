//! The bounded queue between the requests and the isolates.

use std::collections::VecDeque;
use std::mem;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::oneshot;

use super::{RenderError, Rendered};

pub(super) type Reply = oneshot::Sender<Result<Rendered, RenderError>>;

/// One page that somebody waits for.
pub(super) struct Job {
    pub page_json: String,
    pub reply: Reply,
    pub asked: Instant,
}

pub(super) struct Queue {
    waiting: Mutex<Waiting>,
    arrived: Condvar,
    ended: Condvar,
    length_max: usize,
}

struct Waiting {
    jobs: VecDeque<Job>,
    closed: bool,
}

impl Queue {
    pub fn new(length_max: usize) -> Queue {
        let waiting = Waiting {
            jobs: VecDeque::new(),
            closed: false,
        };
        Queue {
            waiting: Mutex::new(waiting),
            arrived: Condvar::new(),
            ended: Condvar::new(),
            length_max,
        }
    }

    /// Adds a job, or says why not. Jobs whose callers have gone make room for new ones.
    pub fn push(&self, job: Job) -> Result<(), RenderError> {
        let mut waiting = self.lock();
        if waiting.closed {
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

    /// Waits for the next job whose caller is still there. `None` when the queue is closed and
    /// empty.
    pub fn pop(&self) -> Option<Job> {
        let mut waiting = self.lock();
        loop {
            while let Some(job) = waiting.jobs.pop_front() {
                if !job.reply.is_closed() {
                    return Some(job);
                }
            }
            if waiting.closed {
                return None;
            }
            waiting = self
                .arrived
                .wait(waiting)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Takes out all that wait.
    pub fn drain(&self) -> VecDeque<Job> {
        mem::take(&mut self.lock().jobs)
    }

    /// Waits for `pause` or for the end, whichever is sooner; true at the end.
    pub fn closes_within(&self, pause: Duration) -> bool {
        let waiting = self.lock();
        let result = self
            .ended
            .wait_timeout_while(waiting, pause, |waiting| !waiting.closed);
        let (waiting, _) = result.unwrap_or_else(PoisonError::into_inner);
        waiting.closed
    }

    /// Takes no more jobs; those that wait are still given out.
    pub fn close(&self) {
        self.lock().closed = true;
        self.arrived.notify_all();
        self.ended.notify_all();
    }

    pub fn is_closed(&self) -> bool {
        self.lock().closed
    }

    pub fn len(&self) -> usize {
        self.lock().jobs.len()
    }

    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
