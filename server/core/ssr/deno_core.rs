//! The engine `deno_core`: its runtime without extensions and without its own functions.

use std::sync::Arc;

use ::deno_core::{JsRuntime, RuntimeOptions, v8};

use super::engine::Driver;
use super::isolate::{self, Usage};
use super::worker::Worker;

pub(super) struct DenoCore;

impl Driver for DenoCore {
    fn serve(&self, bundle: &str, heap_mib: usize, worker: &Arc<Worker>) -> Result<(), String> {
        isolate::start_v8();
        isolate::attach(worker);
        let mut runtime =
            JsRuntime::try_new(RuntimeOptions::default()).map_err(|error| error.to_string())?;
        isolate::guard(runtime.v8_isolate(), worker, heap_mib);
        let render = load(&mut runtime, bundle)?;
        worker.loaded();
        let mut wear = Usage::default();
        while let Some(page_json) = worker.next() {
            // The scope frees the handles of one page when it ends.
            let scope = &mut runtime.handle_scope();
            let render = v8::Local::new(scope, &render);
            worker.rendered(isolate::call(scope, render, &page_json));
            wear.check(scope, worker, heap_mib);
        }
        Ok(())
    }
}

fn load(runtime: &mut JsRuntime, bundle: &str) -> Result<v8::Global<v8::Function>, String> {
    let scope = &mut runtime.handle_scope();
    isolate::load(scope, bundle)?;
    let render = isolate::render_function(scope)?;
    Ok(v8::Global::new(scope, render))
}
