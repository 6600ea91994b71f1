//! The threads of a renderer: one for each isolate, and the watchdog.

use std::panic::{self, AssertUnwindSafe};
use std::sync::atomic::Ordering::{Relaxed, SeqCst};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::engine::Driver;
use super::error::{RenderError, StartError};
use super::queue::{Job, RenderQueue};
use super::stats::Counters;
use super::worker::{Watchdog, Worker};
use crate::limits::{ENGINE_REBUILD_PAUSE_MS_MAX, ENGINES_LOST_MAX};
use crate::model::settings::engine::Engine;

/// V8 measures its stack limit (984 KiB) from the frame that creates its isolate, quickjs takes 1
/// MiB; the rest is for native code above that.
const STACK_BYTES: usize = 4 << 20;

/// The pause after the second consecutive isolate that rendered nothing. It doubles each time.
const REBUILD_PAUSE_MS_MIN: u64 = 50;

/// The longest pause in which pages wait. In a longer pause they are refused at once.
const REBUILD_PAUSE_MS_QUIET: u64 = 100;

type First = SyncSender<Result<(), String>>;

#[derive(Clone, Copy, Debug)]
pub struct RendererConfig {
    pub engine: Engine,
    /// The number of isolates, each on its own thread; at least one.
    pub threads: usize,
    /// The time limit of one rendering, after which its isolate is terminated and rebuilt.
    pub deadline: Duration,
    /// The heap limit of one isolate (mebibytes).
    pub heap_mib: usize,
    /// The number of renderings that may wait for an isolate.
    pub queue: usize,
}

pub(super) struct Pool {
    pub config: RendererConfig,
    pub queue: Arc<RenderQueue>,
    pub stats: Arc<Counters>,
    bundle: Arc<str>,
    alarm: Arc<Watchdog>,
    workers: Mutex<Vec<Arc<Worker>>>,
}

impl Pool {
    /// Starts all threads and waits until each isolate has the bundle.
    pub fn start(config: RendererConfig, bundle: Arc<str>) -> Result<Arc<Pool>, StartError> {
        let pool = Arc::new(Pool {
            config,
            queue: Arc::new(RenderQueue::new(config.queue)),
            stats: Arc::new(Counters::default()),
            bundle,
            alarm: Arc::new(Watchdog::new()),
            workers: Mutex::new(Vec::new()),
        });
        let started = pool.start_threads();
        if started.is_err() {
            pool.close();
        }
        started.map(|()| pool)
    }

    /// Queues a page, or counts the failure and returns it.
    pub fn submit(&self, job: Job) -> Result<(), RenderError> {
        let submitted = if self.stats.able.load(SeqCst) == 0 {
            Err(RenderError::EngineDied)
        } else {
            self.queue.push(job)
        };
        submitted.map_err(|error| self.stats.failed(error))
    }

    /// Accepts no more pages. The threads end after the waiting ones.
    pub fn close(&self) {
        self.queue.close();
        self.alarm.ring();
    }

    fn start_threads(self: &Arc<Pool>) -> Result<(), StartError> {
        let threads = self.config.threads.max(1);
        let (first, loaded) = sync_channel(threads);
        for _ in 0..threads {
            self.start_worker(Some(first.clone()))?;
        }
        drop(first);
        let pool = Arc::clone(self);
        thread::Builder::new()
            .name("render-watch".to_owned())
            .spawn(move || pool.watch())
            .map_err(|error| StartError(error.to_string()))?;
        for _ in 0..threads {
            let thread_ended = || Err("its thread ended".to_owned());
            loaded.recv().unwrap_or_else(|_| thread_ended()).map_err(StartError)?;
        }
        Ok(())
    }

    /// Starts a thread with its own worker and isolate.
    fn start_worker(self: &Arc<Pool>, first: Option<First>) -> Result<(), StartError> {
        let worker = Arc::new(Worker::new(
            Arc::clone(&self.queue),
            Arc::clone(&self.stats),
            Arc::clone(&self.alarm),
            self.config.deadline,
            first,
        ));
        let pool = Arc::clone(self);
        let mut workers = self.workers();
        let own = Arc::clone(&worker);
        thread::Builder::new()
            .name(format!("render-{}", self.config.engine))
            .stack_size(STACK_BYTES)
            .spawn(move || pool.work(&own))
            .map_err(|error| StartError(error.to_string()))?;
        self.stats.threads.fetch_add(1, SeqCst);
        self.stats.able.fetch_add(1, SeqCst);
        workers.push(worker);
        Ok(())
    }

    /// Runs isolates one after another on this thread, until the queue is closed or the thread is
    /// given up.
    fn work(&self, worker: &Arc<Worker>) {
        // The lock is held by `start_worker` until this thread is counted.
        drop(self.workers());
        let driver = driver(self.config.engine);
        let mut barren = 0;
        loop {
            let served = panic::catch_unwind(AssertUnwindSafe(|| {
                driver.serve(&self.bundle, self.config.heap_mib, worker)
            }));
            let end = worker.end();
            if end.lost {
                // The watchdog has started another thread in its place.
                self.stats.lost.fetch_sub(1, SeqCst);
                self.alarm.ring();
                return;
            }
            let served = served.unwrap_or_else(|_| Err("the engine panicked".to_owned()));
            let message = served.as_ref().err().map_or("it did not load", String::as_str);
            if worker.fail_start(message) || self.queue.is_closed() {
                break;
            }
            if let Err(message) = &served {
                tracing::error!(engine = %self.config.engine, message, "the bundle does not load");
            }
            barren = if end.good > 0 { 0 } else { barren + 1 };
            if self.pause(barren) {
                break;
            }
            self.stats.rebuilt();
        }
        self.leave(worker);
    }

    /// Waits before the next isolate if the last ones rendered nothing, so that a bundle that
    /// always fails does not keep a processor busy with building isolates. True if the queue was
    /// closed.
    fn pause(&self, barren: u32) -> bool {
        let Some(doublings) = barren.checked_sub(2) else {
            return false;
        };
        let pause_ms = REBUILD_PAUSE_MS_MIN
            .checked_shl(doublings.min(16))
            .map_or(ENGINE_REBUILD_PAUSE_MS_MAX, |pause_ms| {
                pause_ms.min(ENGINE_REBUILD_PAUSE_MS_MAX)
            });
        let pause = Duration::from_millis(pause_ms);
        if pause_ms <= REBUILD_PAUSE_MS_QUIET {
            return self.queue.closes_within(pause);
        }
        if self.stats.able.fetch_sub(1, SeqCst) == 1 {
            // No isolate is left to render the waiting pages.
            for job in self.queue.drain() {
                let _ = job.reply.send(Err(self.stats.failed(RenderError::EngineDied)));
            }
        }
        let is_closed = self.queue.closes_within(pause);
        self.stats.able.fetch_add(1, SeqCst);
        is_closed
    }

    fn leave(&self, worker: &Arc<Worker>) {
        self.workers().retain(|other| !Arc::ptr_eq(other, worker));
        self.stats.threads.fetch_sub(1, SeqCst);
        self.stats.able.fetch_sub(1, SeqCst);
        self.alarm.ring();
    }

    /// The watchdog: enforces every deadline and replaces threads that were given up.
    fn watch(self: Arc<Pool>) {
        loop {
            self.alarm.listen();
            let nap = self.inspect();
            if self.queue.is_closed() && self.workers().is_empty() {
                return;
            }
            self.alarm.sleep(nap);
        }
    }

    /// Inspects every worker. Returns the time until the next deadline.
    fn inspect(self: &Arc<Pool>) -> Option<Duration> {
        let now = Instant::now();
        let mut next: Option<Instant> = None;
        self.workers().retain(|worker| {
            let look = worker.inspect(now);
            next = [next, look.due].into_iter().flatten().min();
            if look.lost {
                self.write_off();
            }
            !look.lost
        });
        self.refill();
        // A rendering that begins now has one deadline from now: never sleep longer than that.
        next.map(|due| due.saturating_duration_since(now).min(self.config.deadline))
    }

    /// Counts a thread that is given up. It keeps its memory, and perhaps a processor, until its
    /// isolate returns, if ever.
    fn write_off(&self) {
        self.stats.threads.fetch_sub(1, SeqCst);
        self.stats.able.fetch_sub(1, SeqCst);
        let lost = self.stats.lost.fetch_add(1, SeqCst) + 1;
        tracing::error!(engine = %self.config.engine, lost, "an engine does not stop");
    }

    /// Starts new threads in place of the given-up ones, at most `ENGINES_LOST_MAX`.
    fn refill(self: &Arc<Pool>) {
        while self.stats.threads.load(Relaxed) < self.config.threads.max(1)
            && self.stats.lost.load(SeqCst) <= ENGINES_LOST_MAX
            && !self.queue.is_closed()
        {
            self.stats.rebuilt();
            if let Err(error) = self.start_worker(None) {
                tracing::error!(%error, "a lost engine was not replaced");
                return;
            }
        }
    }

    fn workers(&self) -> MutexGuard<'_, Vec<Arc<Worker>>> {
        self.workers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn driver(engine: Engine) -> &'static dyn Driver {
    match engine {
        #[cfg(feature = "v8")]
        Engine::SsrRs => &super::ssr_rs::SsrRs,
        #[cfg(feature = "v8")]
        Engine::DenoCore => &super::deno_core::DenoCore,
        #[cfg(feature = "quickjs")]
        Engine::Quickjs => &super::quickjs::Quickjs,
    }
}
