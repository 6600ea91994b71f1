//! The seat of one isolate: the job it works on, its deadline, and how to interrupt it.
//!
//! Three parties meet here under one short lock: the isolate's thread, which takes and answers
//! jobs; the watchdog, which answers a job whose time is over and stops the isolate; and the
//! engine's memory guard. Whoever comes first answers; the others find the answer given. JavaScript
//! never runs while the lock is held.

use std::mem;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::mpsc::SyncSender;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::queue::{Queue, Reply};
use super::stats::Counters;
use super::{RenderError, Rendered};
use crate::limits::{ENGINE_LOAD_MS_MAX, ENGINE_STOP_MS_MAX, RENDER_FAULT_CHARS_MAX};

/// How the watchdog interrupts an isolate from its own thread.
type Stop = Box<dyn Fn() + Send>;

pub(super) struct Seat {
    queue: Arc<Queue>,
    stats: Arc<Counters>,
    alarm: Arc<Alarm>,
    deadline: Duration,
    state: Mutex<State>,
}

struct State {
    activity: Activity,
    /// When the watchdog has to act, if nothing happens before.
    due: Option<Instant>,
    stop: Option<Stop>,
    /// The isolate must not take another job.
    doomed: bool,
    /// The isolate was told to stop and did not: its thread is given up.
    lost: bool,
    /// Pages this isolate rendered.
    good: u64,
    /// Told once, when the first isolate of this seat has the bundle.
    first: Option<SyncSender<Result<(), String>>>,
}

enum Activity {
    Idle,
    Loading,
    Rendering { reply: Reply, started: Instant },
}

/// What an isolate leaves behind.
pub(super) struct End {
    pub lost: bool,
    pub good: u64,
}

/// What the watchdog learns from a look at a seat.
pub(super) struct Look {
    pub due: Option<Instant>,
    pub lost: bool,
}

impl Seat {
    pub fn new(
        queue: Arc<Queue>,
        stats: Arc<Counters>,
        alarm: Arc<Alarm>,
        deadline: Duration,
        first: Option<SyncSender<Result<(), String>>>,
    ) -> Seat {
        let state = State {
            activity: Activity::Idle,
            due: None,
            stop: None,
            doomed: false,
            lost: false,
            good: 0,
            first,
        };
        Seat {
            queue,
            stats,
            alarm,
            deadline,
            state: Mutex::new(state),
        }
    }

    /// A new isolate sits down and loads its bundle; `stop` interrupts it from any thread.
    pub fn begin(&self, stop: impl Fn() + Send + 'static) {
        let mut state = self.lock();
        state.activity = Activity::Loading;
        state.due = Some(Instant::now() + Duration::from_millis(ENGINE_LOAD_MS_MAX));
        state.stop = Some(Box::new(stop));
        state.doomed = false;
        state.good = 0;
        drop(state);
        self.alarm.armed();
    }

    /// The bundle is loaded.
    pub fn loaded(&self) {
        let mut state = self.lock();
        state.activity = Activity::Idle;
        if !state.doomed {
            state.due = None;
            if let Some(first) = state.first.take() {
                // Nobody listens when another isolate of the pool failed to start.
                let _ = first.try_send(Ok(()));
            }
        }
    }

    /// Waits for the next page JSON to render. `None`: the isolate has to end.
    pub fn next(&self) -> Option<String> {
        loop {
            if self.lock().doomed {
                return None;
            }
            let job = self.queue.pop()?;
            let started = Instant::now();
            if started.duration_since(job.asked) > self.deadline {
                // Late pages make the following ones late. The browser is the faster way now.
                let _ = job
                    .reply
                    .send(Err(self.stats.failed(RenderError::QueueFull)));
                continue;
            }
            let mut state = self.lock();
            state.activity = Activity::Rendering {
                reply: job.reply,
                started,
            };
            state.due = Some(started + self.deadline);
            drop(state);
            self.alarm.armed();
            return Some(job.page_json);
        }
    }

    /// What `render` answered, or the message of what it threw. An isolate that threw is doomed.
    pub fn rendered(&self, outcome: Result<String, String>) {
        let mut state = self.lock();
        let activity = mem::replace(&mut state.activity, Activity::Idle);
        let Activity::Rendering { reply, started } = activity else {
            // The watchdog or the memory guard has answered.
            return;
        };
        state.due = None;
        let answer = match outcome {
            Ok(text) => parse(text).map_err(RenderError::Threw),
            Err(message) => {
                state.doomed = true;
                Err(RenderError::Threw(cut(message)))
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

    /// The isolate needs more memory than it may have. It is told to stop.
    pub fn out_of_memory(&self) {
        let mut state = self.lock();
        self.doom(&mut state, RenderError::OutOfMemory);
        drop(state);
        self.alarm.armed();
    }

    /// The isolate is worn and ends after the page in hand.
    #[cfg(feature = "v8")]
    pub fn retire(&self) {
        self.lock().doomed = true;
    }

    /// The isolate's thread will never come back.
    #[cfg(feature = "v8")]
    pub fn give_up(&self) {
        let mut state = self.lock();
        self.doom(&mut state, RenderError::OutOfMemory);
        state.lost = true;
        state.due = None;
        drop(state);
        self.alarm.ring();
    }

    /// The isolate is gone.
    pub fn end(&self) -> End {
        let mut state = self.lock();
        // A panic in Rust can leave a page unanswered.
        if let Activity::Rendering { reply, .. } = mem::replace(&mut state.activity, Activity::Idle)
        {
            let _ = reply.send(Err(self.stats.failed(RenderError::EngineDied)));
        }
        state.due = None;
        state.stop = None;
        End {
            lost: state.lost,
            good: state.good,
        }
    }

    /// Says that the first isolate of this seat could not be made; false if that is not the
    /// first one any more.
    pub fn fail_start(&self, message: &str) -> bool {
        match self.lock().first.take() {
            Some(first) => {
                let _ = first.try_send(Err(message.to_owned()));
                true
            }
            None => false,
        }
    }

    /// The watchdog's look: stops an isolate whose time is over, gives up one that does not stop.
    pub fn inspect(&self, now: Instant) -> Look {
        let mut state = self.lock();
        if state.due.is_some_and(|due| due <= now) {
            if state.doomed {
                state.lost = true;
                state.due = None;
            } else {
                self.doom(&mut state, RenderError::Deadline);
            }
        }
        Look {
            due: state.due,
            lost: state.lost,
        }
    }

    /// Answers the job in hand with `error`, if it has no answer yet, and stops the isolate.
    fn doom(&self, state: &mut State, error: RenderError) {
        let activity = mem::replace(&mut state.activity, Activity::Idle);
        if let Activity::Rendering { reply, .. } = activity {
            let _ = reply.send(Err(self.stats.failed(error)));
        }
        state.doomed = true;
        state.due = Some(Instant::now() + Duration::from_millis(ENGINE_STOP_MS_MAX));
        if let Some(stop) = &state.stop {
            stop();
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The bundle answers `+` and the HTML, or `!` and a message. See `ssr-bundle/entry.tsx`.
fn parse(mut answer: String) -> Result<String, String> {
    match answer.as_bytes().first() {
        Some(b'+') => {
            answer.remove(0);
            Ok(answer)
        }
        Some(b'!') => {
            answer.remove(0);
            Err(cut(answer))
        }
        _ => Err("the answer of render begins with neither + nor !".to_owned()),
    }
}

fn cut(message: String) -> String {
    match message.char_indices().nth(RENDER_FAULT_CHARS_MAX) {
        Some((end, _)) => message[..end].to_owned(),
        None => message,
    }
}

/// Wakes the watchdog. While it already sleeps towards a deadline nobody rings: every rendering
/// has the same time, so that a later one is due later.
pub(super) struct Alarm {
    rung: Mutex<bool>,
    bell: Condvar,
    idle: AtomicBool,
}

impl Alarm {
    pub fn new() -> Alarm {
        Alarm {
            rung: Mutex::new(false),
            bell: Condvar::new(),
            idle: AtomicBool::new(true),
        }
    }

    /// Something became due; rings if the watchdog sleeps without a limit.
    pub fn armed(&self) {
        if self.idle.load(SeqCst) {
            self.ring();
        }
    }

    pub fn ring(&self) {
        *self.rung.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.bell.notify_one();
    }

    /// To be called before the seats are looked at, so that nothing that becomes due after the
    /// look is missed.
    pub fn listen(&self) {
        self.idle.store(true, SeqCst);
    }

    /// Sleeps for `nap`, or without a limit, or until somebody rings.
    pub fn sleep(&self, nap: Option<Duration>) {
        let mut rung = self.rung.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(nap) = nap {
            self.idle.store(false, SeqCst);
            if !*rung {
                let slept = self.bell.wait_timeout(rung, nap);
                rung = slept.unwrap_or_else(PoisonError::into_inner).0;
            }
        } else {
            while !*rung {
                rung = self.bell.wait(rung).unwrap_or_else(PoisonError::into_inner);
            }
        }
        *rung = false;
    }
}
