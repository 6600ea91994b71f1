//! The worker of one isolate: its current job, the deadline, and the interrupt function.
//!
//! Three threads use a worker under one short lock: the isolate's own, which takes and answers
//! jobs; the watchdog's, which answers an overdue job and stops the isolate; and that of the
//! engine's memory guard. Whichever thread comes first answers the job; the others find it
//! answered. JavaScript never runs while the lock is held.

use std::mem;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::SeqCst;
use std::sync::mpsc::SyncSender;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::error::RenderError;
use super::queue::{RenderQueue, Rendered, ResultSender};
use super::stats::Counters;
use crate::limits::{ENGINE_LOAD_MS_MAX, ENGINE_STOP_MS_MAX, RENDER_FAULT_CHARS_MAX};

/// Interrupts an isolate from the watchdog's thread.
type Stop = Box<dyn Fn() + Send>;

pub(super) struct Worker {
    queue: Arc<RenderQueue>,
    stats: Arc<Counters>,
    alarm: Arc<Watchdog>,
    deadline: Duration,
    state: Mutex<WorkerState>,
}

#[derive(Default)]
struct WorkerState {
    activity: Activity,
    /// The time when the watchdog has to act, unless the state changes before.
    due: Option<Instant>,
    stop: Option<Stop>,
    /// Set if the isolate must not take another job.
    doomed: bool,
    /// Set if the isolate was told to stop and did not: its thread is given up.
    lost: bool,
    /// The number of pages that this isolate rendered.
    good: u64,
    /// Receives, once, the result of loading the bundle in the first isolate of this worker.
    first: Option<SyncSender<Result<(), String>>>,
}

#[derive(Default)]
enum Activity {
    #[default]
    Idle,
    Loading,
    Rendering {
        reply: ResultSender,
        started: Instant,
    },
}

/// The end of an isolate.
pub(super) struct IsolateEnd {
    pub lost: bool,
    pub good: u64,
}

/// The watchdog's view of a worker.
pub(super) struct HealthSample {
    pub due: Option<Instant>,
    pub lost: bool,
}

impl Worker {
    pub fn new(
        queue: Arc<RenderQueue>,
        stats: Arc<Counters>,
        alarm: Arc<Watchdog>,
        deadline: Duration,
        first: Option<SyncSender<Result<(), String>>>,
    ) -> Worker {
        let state = WorkerState { first, ..WorkerState::default() };
        Worker { queue, stats, alarm, deadline, state: Mutex::new(state) }
    }

    /// Registers a new isolate, which loads its bundle; `stop` interrupts it from any thread.
    pub fn begin(&self, stop: impl Fn() + Send + 'static) {
        let mut state = self.lock();
        state.activity = Activity::Loading;
        state.due = Some(Instant::now() + Duration::from_millis(ENGINE_LOAD_MS_MAX));
        state.stop = Some(Box::new(stop));
        state.doomed = false;
        state.good = 0;
        drop(state);
        self.alarm.wake_if_idle();
    }

    /// Marks the bundle as loaded.
    pub fn loaded(&self) {
        let mut state = self.lock();
        state.activity = Activity::Idle;
        if !state.doomed {
            state.due = None;
            if let Some(first) = state.first.take() {
                // The receiver was dropped if another isolate of the pool failed to start.
                let _ = first.try_send(Ok(()));
            }
        }
    }

    /// Waits for the next page JSON to render. After `None` the isolate has to end.
    pub fn next(&self) -> Option<Arc<str>> {
        loop {
            if self.lock().doomed {
                return None;
            }
            let job = self.queue.pop()?;
            let started = Instant::now();
            if started.duration_since(job.asked_at) > self.deadline {
                // A late page delays the following ones. Its browser now renders it sooner.
                let _ = job.reply.send(Err(self.stats.failed(RenderError::QueueFull)));
                continue;
            }
            let mut state = self.lock();
            state.activity = Activity::Rendering { reply: job.reply, started };
            state.due = Some(started + self.deadline);
            drop(state);
            self.alarm.wake_if_idle();
            return Some(job.page_json);
        }
    }

    /// Takes the result of `render`, or the message of its exception. An isolate that threw is not
    /// used again.
    pub fn rendered(&self, outcome: Result<String, String>) {
        let mut state = self.lock();
        let activity = mem::take(&mut state.activity);
        let Activity::Rendering { reply, started } = activity else {
            // The watchdog or the memory guard has already answered.
            return;
        };
        state.due = None;
        let answer = match outcome {
            Ok(text) => parse(text).map_err(RenderError::Threw),
            Err(message) => {
                state.doomed = true;
                Err(RenderError::Threw(cut_message(message)))
            }
        };
        if answer.is_ok() {
            state.good += 1;
        }
        drop(state);
        let answer = match answer {
            Ok(html) => {
                self.stats.rendered();
                let took = started.elapsed();
                Ok(Rendered { html, took })
            }
            Err(error) => Err(self.stats.failed(error)),
        };
        let _ = reply.send(answer);
    }

    /// Stops the isolate, which needs more memory than its limit.
    pub fn out_of_memory(&self) {
        let mut state = self.lock();
        self.stop_isolate(&mut state, RenderError::OutOfMemory);
        drop(state);
        self.alarm.wake_if_idle();
    }

    /// Lets the isolate end after the current page, because its heap fills up.
    #[cfg(feature = "v8")]
    pub fn retire(&self) {
        self.lock().doomed = true;
    }

    /// Gives up the isolate's thread, which never returns.
    #[cfg(feature = "v8")]
    pub fn give_up(&self) {
        let mut state = self.lock();
        self.stop_isolate(&mut state, RenderError::OutOfMemory);
        state.lost = true;
        state.due = None;
        drop(state);
        self.alarm.ring();
    }

    /// Marks the isolate as destroyed.
    pub fn end(&self) -> IsolateEnd {
        let mut state = self.lock();
        // A panic in Rust can leave a job unanswered.
        if let Activity::Rendering { reply, .. } = mem::take(&mut state.activity) {
            let _ = reply.send(Err(self.stats.failed(RenderError::EngineDied)));
        }
        state.due = None;
        state.stop = None;
        IsolateEnd { lost: state.lost, good: state.good }
    }

    /// Reports that the first isolate of this worker could not be created. False if one was created
    /// before.
    pub fn fail_start(&self, message: &str) -> bool {
        match self.lock().first.take() {
            Some(first) => {
                let _ = first.try_send(Err(message.to_owned()));
                true
            }
            None => false,
        }
    }

    /// Stops an isolate that is over its deadline, and gives up one that was stopped and still
    /// runs. Called by the watchdog.
    pub fn inspect(&self, now: Instant) -> HealthSample {
        let mut state = self.lock();
        if state.due.is_some_and(|due| due <= now) {
            if state.doomed {
                state.lost = true;
                state.due = None;
            } else {
                self.stop_isolate(&mut state, RenderError::Deadline);
            }
        }
        HealthSample { due: state.due, lost: state.lost }
    }

    /// Answers the current job with `error`, unless it is answered, and stops the isolate.
    fn stop_isolate(&self, state: &mut WorkerState, error: RenderError) {
        let activity = mem::take(&mut state.activity);
        if let Activity::Rendering { reply, .. } = activity {
            let _ = reply.send(Err(self.stats.failed(error)));
        }
        state.doomed = true;
        state.due = Some(Instant::now() + Duration::from_millis(ENGINE_STOP_MS_MAX));
        if let Some(stop) = &state.stop {
            stop();
        }
    }

    fn lock(&self) -> MutexGuard<'_, WorkerState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Parses the bundle's answer: `+` and the HTML, or `!` and a message. See `ssr-bundle/entry.tsx`.
fn parse(mut answer: String) -> Result<String, String> {
    match answer.as_bytes().first() {
        Some(b'+') => {
            answer.remove(0);
            Ok(answer)
        }
        Some(b'!') => {
            answer.remove(0);
            Err(cut_message(answer))
        }
        _ => Err("the answer of render begins with neither + nor !".to_owned()),
    }
}

fn cut_message(message: String) -> String {
    match message.char_indices().nth(RENDER_FAULT_CHARS_MAX) {
        Some((end, _)) => message[..end].to_owned(),
        None => message,
    }
}

/// Wakes the watchdog. While it sleeps until a deadline it need not be woken for another rendering:
/// all have the same time limit, so a later one has a later deadline.
pub(super) struct Watchdog {
    rung: Mutex<bool>,
    wake: Condvar,
    idle: AtomicBool,
}

impl Watchdog {
    pub fn new() -> Watchdog {
        Watchdog { rung: Mutex::new(false), wake: Condvar::new(), idle: AtomicBool::new(true) }
    }

    /// Wakes the watchdog if it sleeps without a deadline. Called when a deadline was set.
    pub fn wake_if_idle(&self) {
        if self.idle.load(SeqCst) {
            self.ring();
        }
    }

    pub fn ring(&self) {
        *self.rung.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.wake.notify_one();
    }

    /// Must be called before the workers are inspected, so that a deadline set afterwards is not
    /// missed.
    pub fn listen(&self) {
        self.idle.store(true, SeqCst);
    }

    /// Sleeps for `nap`, or without a limit, until `ring` is called.
    pub fn sleep(&self, nap: Option<Duration>) {
        let mut rung = self.rung.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(nap) = nap {
            self.idle.store(false, SeqCst);
            if !*rung {
                let slept = self.wake.wait_timeout(rung, nap);
                rung = slept.unwrap_or_else(PoisonError::into_inner).0;
            }
        } else {
            while !*rung {
                rung = self.wake.wait(rung).unwrap_or_else(PoisonError::into_inner);
            }
        }
        *rung = false;
    }
}
