//! JavaScript engines: the only place that runs the server-rendering bundle.
//!
//! `Renderer` takes page JSON and returns HTML. Behind it a bounded queue feeds one thread for each
//! isolate (`pool`). An isolate serves the jobs of its `worker` until it is stopped or must not be
//! used again; a watchdog enforces the deadline. `shell` writes the document around the HTML.

#[cfg(feature = "v8")]
mod deno_core;
mod engine;
mod error;
#[cfg(feature = "v8")]
mod isolate;
mod pool;
mod queue;
#[cfg(feature = "quickjs")]
mod quickjs;
pub mod shell;
#[cfg(feature = "v8")]
mod ssr_rs;
mod stats;
mod worker;

use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

use tokio::sync::oneshot;

use crate::limits::{ENGINE_STOP_MS_MAX, RENDER_PROPS_BYTES_MAX};
use crate::model::settings::engine::Engine;

pub use error::{RenderError, StartError};
pub use pool::RendererConfig;
pub use queue::Rendered;
pub use stats::{Failures, RenderStats};

/// A pool of isolates that render pages. A clone is another handle to the same pool. After the last
/// handle is dropped, the isolates render the waiting pages and end.
#[derive(Clone)]
pub struct Renderer {
    handle: Arc<Handle>,
}

struct Handle {
    pool: Arc<pool::Pool>,
}

impl Drop for Handle {
    fn drop(&mut self) {
        self.pool.close();
    }
}

impl Renderer {
    /// Starts the threads, loads the bundle into each isolate and returns when all have loaded it.
    /// Blocks for some tens of milliseconds.
    pub fn start(config: RendererConfig, bundle: Arc<str>) -> Result<Renderer, StartError> {
        let pool = pool::Pool::start(config, bundle)?;
        let handle = Arc::new(Handle { pool });
        Ok(Renderer { handle })
    }

    /// Renders one page. The future may be dropped at any time: a page whose caller has gone is not
    /// rendered.
    pub async fn render(&self, page_json: impl Into<Arc<str>>) -> Result<Rendered, RenderError> {
        let pool = &self.handle.pool;
        let page_json = page_json.into();
        if page_json.len() > RENDER_PROPS_BYTES_MAX {
            return Err(pool.stats.failed(RenderError::PropsTooLarge));
        }
        let (reply, answer) = oneshot::channel();
        let asked_at = Instant::now();
        pool.submit(queue::Job { page_json, reply, asked_at })?;
        // The pool answers within twice the deadline: once for the wait and once for the rendering.
        // This outer limit is for the case that no isolate is left to answer.
        let patience = pool.config.deadline * 2 + Duration::from_millis(ENGINE_STOP_MS_MAX);
        match tokio::time::timeout(patience, answer).await {
            Ok(Ok(outcome)) => outcome,
            Ok(Err(_)) | Err(_) => Err(pool.stats.failed(RenderError::EngineDied)),
        }
    }

    pub fn engine(&self) -> Engine {
        self.handle.pool.config.engine
    }

    /// Returns counts since the start, for metrics.
    pub fn stats(&self) -> RenderStats {
        let pool = &self.handle.pool;
        pool.stats.read(pool.queue.len())
    }

    /// Accepts no more pages, renders the waiting ones and ends the isolates. Returns when they
    /// have ended or after `patience`: a process must not exit while V8 is running.
    pub async fn stop(&self, patience: Duration) {
        let until = Instant::now() + patience;
        self.handle.pool.close();
        while self.handle.pool.stats.threads.load(Relaxed) > 0 && Instant::now() < until {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
    }
}
