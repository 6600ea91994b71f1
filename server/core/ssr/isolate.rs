//! The shared parts of both V8 engines: start of V8, guards of an isolate, compiling, calling.
//!
//! # Memory
//! - Near its heap limit V8 asks for more (`near_heap_limit`). It gets some, so that it can reach
//!   the next point where JavaScript can be interrupted, and is terminated there.
//! - A single allocation that does not fit even then (a flattened string of 512 MB, an array in one
//!   piece) is fatal to V8: it calls `out_of_memory`, and aborts the process if that returns. So it
//!   does not return: the thread is parked for ever with its heap (at most three times the limit),
//!   the page is answered, and another thread replaces it. `ENGINES_LOST_MAX` limits that.
//! - Memory outside of the heap has no limit in V8. `prelude.js` removes the buffers and
//!   WebAssembly, the flags below remove `eval` (a parser's memory is outside too).
//!
//! Remaining risks: V8 aborts the process if the machine has no memory left, and if it finds its
//! own state corrupt. A native loop that checks for no interrupt (`indexOf` over an object that
//! claims a length of 2^53) keeps its thread and a processor until it ends. Only a separate process
//! for the engines would contain these.

use std::cell::{Cell, RefCell};
use std::ffi::{c_char, c_void};
use std::sync::{Arc, Once};
use std::thread;

use ::deno_core::{JsRuntime, v8};
use encoding_rs::mem::{convert_utf16_to_str, decode_latin1};

use super::engine::{PRELUDE, SEAL};
use super::worker::Worker;
use crate::failpoints;
use crate::limits::{ENGINE_GARBAGE_MIB_MAX, ENGINE_HEAP_PERCENT_MAX};

/// - A young generation of 4 MiB holds the garbage of many pages.
/// - The collector works on the isolate's own thread: heaps are small, and helper threads would be
///   shared with an isolate that is stuck.
/// - The compiler does too. While a function waits for a compilation in the background, its loops
///   do not check for termination: measured, an endless `all.push(new Array(1000))` ran on for a
///   second after it was told to stop, and took 1.7 GB.
const FLAGS: &str = "--single-threaded-gc --max-semi-space-size=4 --no-concurrent-recompilation \
    --disallow-code-generation-from-strings";

/// The number of renderings between two checks of the heap.
const LOOK_EVERY: u32 = 256;

/// The heap may grow by this many limits while the isolate is being stopped.
const HEADROOM: usize = 2;

thread_local! {
    /// The worker of this thread's isolate, for callbacks to which V8 passes no context.
    static WORKER: RefCell<Option<Arc<Worker>>> = const { RefCell::new(None) };
    /// Set if the heap limit of this thread's isolate was raised.
    static RAISED: Cell<bool> = const { Cell::new(false) };
}

/// Starts V8, once per process. `ssr_rs::Ssr::create_platform` would start it a second time, which
/// panics; deno_core checks whether V8 was started.
pub(super) fn start_v8() {
    static STARTED: Once = Once::new();
    STARTED.call_once(|| {
        v8::V8::set_flags_from_string(FLAGS);
        // On processors with memory protection keys, V8's default platform lets only descendants of
        // the calling thread run JavaScript, which no pool can promise.
        let platform = v8::new_unprotected_default_platform(0, false).make_shared();
        JsRuntime::init_platform(Some(platform), false);
    });
}

/// Sets the worker of this thread's isolate.
pub(super) fn attach(worker: &Arc<Worker>) {
    WORKER.with_borrow_mut(|mine| *mine = Some(Arc::clone(worker)));
}

pub(super) fn worker() -> Option<Arc<Worker>> {
    WORKER.with_borrow(Clone::clone)
}

/// Sets the heap limit of an isolate, and gives its worker the handle that interrupts it.
pub(super) fn guard(isolate: &mut v8::Isolate, worker: &Arc<Worker>, heap_mib: usize) {
    let handle = isolate.thread_safe_handle();
    worker.begin(move || {
        handle.terminate_execution();
    });
    RAISED.set(false);
    // Removing a callback is V8's way to lower the limit of a living isolate.
    isolate.add_near_heap_limit_callback(near_heap_limit, std::ptr::null_mut());
    isolate.remove_near_heap_limit_callback(near_heap_limit, heap_mib << 20);
    isolate.add_near_heap_limit_callback(near_heap_limit, std::ptr::null_mut());
    isolate.set_oom_error_handler(out_of_memory);
}

unsafe extern "C" fn near_heap_limit(_: *mut c_void, now: usize, _: usize) -> usize {
    let Some(worker) = worker() else {
        return now;
    };
    worker.out_of_memory();
    if RAISED.replace(true) { now } else { now + HEADROOM * now }
}

unsafe extern "C" fn out_of_memory(_: *const c_char, _: &v8::OomDetails) {
    if let Some(worker) = worker() {
        worker.give_up();
        loop {
            thread::park();
        }
    }
}

/// Counts renderings, and checks the heap after every [`LOOK_EVERY`] of them.
#[derive(Default)]
pub(super) struct Usage {
    renders: u32,
    /// The live memory after the last full collection (bytes).
    live: usize,
}

impl Usage {
    /// Collects old garbage, which V8 itself leaves until the heap is full: some objects of each
    /// page live long enough to count as old. Retires an isolate whose heap fills up all the same,
    /// because that is better between two pages than within one.
    pub fn check(&mut self, isolate: &mut v8::Isolate, worker: &Worker, heap_mib: usize) {
        self.renders += 1;
        if !self.renders.is_multiple_of(LOOK_EVERY) {
            return;
        }
        let mut used = isolate.get_heap_statistics().used_heap_size();
        if used > self.live + (ENGINE_GARBAGE_MIB_MAX << 20) && !failpoints::on("garbage-kept") {
            isolate.low_memory_notification();
            used = isolate.get_heap_statistics().used_heap_size();
            self.live = used;
        }
        if used > (heap_mib << 20) / 100 * ENGINE_HEAP_PERCENT_MAX {
            worker.retire();
        }
    }
}

/// Runs the prelude, the bundle and the seal in the current context.
pub(super) fn load(scope: &mut v8::HandleScope, bundle: &str) -> Result<(), String> {
    run(scope, "prelude.js", PRELUDE)?;
    run(scope, "ssr.js", bundle)?;
    run(scope, "seal.js", SEAL)
}

pub(super) fn render_function<'s>(
    scope: &mut v8::HandleScope<'s>,
) -> Result<v8::Local<'s, v8::Function>, String> {
    let global = scope.get_current_context().global(scope);
    let name = v8::String::new(scope, "render").ok_or("no memory")?;
    let value = global.get(scope, name.into()).ok_or("no render")?;
    v8::Local::try_from(value).map_err(|_| "the bundle has no function render".to_owned())
}

/// Calls `render` with the page JSON. The error is the message of the exception.
pub(super) fn call(
    scope: &mut v8::HandleScope,
    render: v8::Local<v8::Function>,
    page_json: &str,
) -> Result<String, String> {
    let scope = &mut v8::TryCatch::new(scope);
    let receiver = v8::undefined(scope).into();
    let Some(json) = v8::String::new(scope, page_json) else {
        return Err(error_message(scope));
    };
    match render.call(scope, receiver, &[json.into()]) {
        Some(answer) => Ok(text_of(scope, answer)),
        None => Err(error_message(scope)),
    }
}

/// Converts the result of a rendering to UTF-8. V8 itself would look at each character twice, one
/// at a time: markup with a rupee sign has two bytes for each of them.
pub(super) fn text_of(scope: &mut v8::HandleScope, answer: v8::Local<v8::Value>) -> String {
    let Some(answer) = answer.to_string(scope) else {
        return String::new();
    };
    match v8::ValueView::new(scope, answer).data() {
        v8::ValueViewData::OneByte(latin1) => decode_latin1(latin1).into_owned(),
        v8::ValueViewData::TwoByte(utf16) => {
            // A UTF-16 unit takes at most three bytes.
            let mut text = "\0".repeat(3 * utf16.len());
            let byte_count = convert_utf16_to_str(utf16, &mut text);
            text.truncate(byte_count);
            text
        }
    }
}

fn run(scope: &mut v8::HandleScope, name: &str, source: &str) -> Result<(), String> {
    let scope = &mut v8::TryCatch::new(scope);
    let compiled = v8::String::new(scope, source).and_then(|source| {
        let name = v8::String::new(scope, name)?.into();
        let origin =
            v8::ScriptOrigin::new(scope, name, 0, 0, false, 0, None, false, false, false, None);
        v8::Script::compile(scope, source, Some(&origin))
    });
    match compiled.and_then(|script| script.run(scope)) {
        Some(_) => Ok(()),
        None => Err(error_message(scope)),
    }
}

fn error_message(scope: &mut v8::TryCatch<v8::HandleScope>) -> String {
    match scope.exception() {
        Some(exception) if !scope.has_terminated() => describe(scope, exception),
        _ => "it was terminated".to_owned(),
    }
}

/// Returns the thrown value as text, without running any of its JavaScript.
pub(super) fn describe(scope: &mut v8::HandleScope, thrown: v8::Local<v8::Value>) -> String {
    match thrown.to_detail_string(scope) {
        Some(text) => text.to_rust_string_lossy(scope),
        None => "it threw what is no text".to_owned(),
    }
}
