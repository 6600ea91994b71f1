//! The interface of an engine.

use std::sync::Arc;

use super::worker::Worker;

/// Runs an engine for the whole life of one isolate.
///
/// `serve` creates an isolate on the calling thread, passes `worker.begin` a function that
/// interrupts it, loads the prelude and the bundle, calls `worker.loaded`, and renders each page of
/// `worker.next` until that is `None`. It passes every outcome to `worker.rendered`. The isolate is
/// destroyed when `serve` returns. If the isolate needs more than `heap_mib` mebibytes, the driver
/// reports it to the worker.
///
/// The error is the message of a bundle that did not load.
pub(super) trait Driver: Send + Sync {
    fn serve(&self, bundle: &str, heap_mib: usize, worker: &Arc<Worker>) -> Result<(), String>;
}

/// Runs before the bundle in every engine: it removes the globals that no page needs and that could
/// exhaust memory. The rest is the same in all engines.
pub(super) const PRELUDE: &str = include_str!("prelude.js");

/// Runs after the bundle, so that no rendering can leave data behind in a global variable.
pub(super) const SEAL: &str = "Object.freeze(globalThis);";
