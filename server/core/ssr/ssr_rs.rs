//! The engine `ssr_rs`, driven by a pull loop.
//!
//! `ssr_rs` keeps every handle of every `render_to_string` call until its instance is dropped,
//! loses JavaScript errors and has no limits. So there is one call in the life of an instance: its
//! JavaScript (`loop.js`) takes page after page from Rust and returns the HTML. Each callback has
//! its own handle scope, which frees its handles. Within a callback the isolate is accessible,
//! which `ssr_rs` otherwise hides.

use std::cell::RefCell;
use std::sync::Arc;

use ::ssr_rs::{Ssr, v8};

use super::engine::Driver;
use super::isolate::{self, Usage};
use super::worker::Worker;

pub(super) struct SsrRs;

/// An expression: an object with the one function that `ssr_rs` calls.
const LOOP: &str = include_str!("loop.js");

/// The state of the callbacks. `ssr_rs` accepts only functions without an environment.
struct Task {
    bundle: String,
    heap_mib: usize,
    worker: Arc<Worker>,
    wear: Usage,
    /// The bundle's outcome, once it was loaded.
    loaded: Option<Result<(), String>>,
}

thread_local! {
    static TASK: RefCell<Option<Task>> = const { RefCell::new(None) };
}

impl Driver for SsrRs {
    fn serve(&self, bundle: &str, heap_mib: usize, worker: &Arc<Worker>) -> Result<(), String> {
        isolate::start_v8();
        isolate::attach(worker);
        let task = Task {
            bundle: bundle.to_owned(),
            heap_mib,
            worker: Arc::clone(worker),
            wear: Usage::default(),
            loaded: None,
        };
        TASK.set(Some(task));
        let served = run_loop();
        let task = TASK.take();
        let loaded = task.and_then(|task| task.loaded);
        // `ssr_rs` reports a terminated call as an error; the worker knows the reason.
        loaded.unwrap_or_else(|| Err(served.err().unwrap_or_else(|| "it was not run".to_owned())))
    }
}

fn run_loop() -> Result<(), String> {
    let text = |error: ::ssr_rs::SsrError| error.to_string();
    let mut ssr = Ssr::from(LOOP.to_owned(), "").map_err(text)?;
    ssr.add_global_fn("__load", load).map_err(text)?;
    ssr.add_global_fn("__next", next).map_err(text)?;
    ssr.add_global_fn("__rendered", rendered).map_err(text)?;
    ssr.add_global_fn("__threw", threw).map_err(text)?;
    ssr.render_to_string(None).map(drop).map_err(text)
}

/// `__load()`: guards the isolate, loads the bundle and returns its function `render`.
fn load(
    scope: &mut v8::HandleScope,
    _: v8::FunctionCallbackArguments,
    mut answer: v8::ReturnValue,
) {
    // JavaScript runs below and borrows the task, so no borrow may be held here.
    let Some((bundle, heap_mib, worker)) = with_task(|task| {
        let bundle = std::mem::take(&mut task.bundle);
        (bundle, task.heap_mib, Arc::clone(&task.worker))
    }) else {
        return;
    };
    isolate::guard(scope, &worker, heap_mib);
    let loaded = isolate::load(scope, &bundle).and_then(|()| isolate::render_function(scope));
    if let Ok(render) = loaded {
        worker.loaded();
        answer.set(render.into());
    }
    with_task(|task| task.loaded = Some(loaded.map(drop)));
}

/// `__next()`: waits for the next page; `undefined` at the end.
fn next(
    scope: &mut v8::HandleScope,
    _: v8::FunctionCallbackArguments,
    mut answer: v8::ReturnValue,
) {
    let page_json = with_task(|task| {
        task.wear.check(scope, &task.worker, task.heap_mib);
        task.worker.next()
    });
    if let Some(page_json) = page_json.flatten()
        && let Some(page_json) = v8::String::new(scope, &page_json)
    {
        answer.set(page_json.into());
    }
}

/// `__rendered(answer)`.
fn rendered(
    scope: &mut v8::HandleScope,
    arguments: v8::FunctionCallbackArguments,
    _: v8::ReturnValue,
) {
    let text = isolate::text_of(scope, arguments.get(0));
    with_task(|task| task.worker.rendered(Ok(text)));
}

/// `__threw(error)`.
fn threw(
    scope: &mut v8::HandleScope,
    arguments: v8::FunctionCallbackArguments,
    _: v8::ReturnValue,
) {
    let message = isolate::describe(scope, arguments.get(0));
    with_task(|task| task.worker.rendered(Err(message)));
}

fn with_task<T>(work: impl FnOnce(&mut Task) -> T) -> Option<T> {
    TASK.with_borrow_mut(|task| task.as_mut().map(work))
}
