//! The engine `quickjs`: a small interpreter, about twenty times slower than V8, that compiles
//! anywhere and needs little memory.
//!
//! Its memory limit counts every byte it allocates. The interpreter, regular expressions and native
//! loops call its interrupt handler. Neither limit can end the process.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;

use rquickjs::context::EvalOptions;
use rquickjs::{Context, Ctx, Error, Function, Runtime};

use super::engine::{Driver, PRELUDE, SEAL};
use super::worker::Worker;

pub(super) struct Quickjs;

const STACK_BYTES_MAX: usize = 1 << 20;

/// V8 replaces half of a surrogate pair when a string leaves it; here JavaScript does it.
const CALL: &str = "((render, String) => (page) => String(render(page)).toWellFormed())";

/// The message of the exception when the memory limit is reached.
const NO_MEMORY: &str = "out of memory";

impl Driver for Quickjs {
    fn serve(&self, bundle: &str, heap_mib: usize, worker: &Arc<Worker>) -> Result<(), String> {
        let text = |error: Error| error.to_string();
        let runtime = Runtime::new().map_err(text)?;
        runtime.set_memory_limit(heap_mib << 20);
        runtime.set_max_stack_size(STACK_BYTES_MAX);
        let stop = Arc::new(AtomicBool::new(false));
        let interrupt = Arc::clone(&stop);
        runtime.set_interrupt_handler(Some(Box::new(move || interrupt.load(Relaxed))));
        worker.begin(move || stop.store(true, Relaxed));
        let context = Context::full(&runtime).map_err(text)?;
        context.with(|ctx| serve(&ctx, bundle, worker))
    }
}

fn serve(ctx: &Ctx<'_>, bundle: &str, worker: &Worker) -> Result<(), String> {
    for source in [PRELUDE, bundle, SEAL] {
        run(ctx, source).map_err(|error| error_message(ctx, &error))?;
    }
    let render = bind(ctx).map_err(|error| error_message(ctx, &error))?;
    worker.loaded();
    while let Some(page_json) = worker.next() {
        let outcome: Result<String, Error> = render.call((&*page_json,));
        let outcome = outcome.map_err(|error| error_message(ctx, &error));
        if outcome.as_ref().is_err_and(|message| message.contains(NO_MEMORY)) {
            worker.out_of_memory();
        }
        worker.rendered(outcome);
    }
    Ok(())
}

fn run(ctx: &Ctx<'_>, source: &str) -> Result<(), Error> {
    let mut options = EvalOptions::default();
    options.strict = false;
    ctx.eval_with_options::<rquickjs::Value<'_>, _>(source, options)?;
    Ok(())
}

fn bind<'js>(ctx: &Ctx<'js>) -> Result<Function<'js>, Error> {
    let wrap: Function<'js> = ctx.eval(CALL)?;
    let render: Function<'js> = ctx.globals().get("render")?;
    let string: Function<'js> = ctx.globals().get("String")?;
    wrap.call((render, string))
}

fn error_message(ctx: &Ctx<'_>, error: &Error) -> String {
    if !matches!(error, Error::Exception) {
        return error.to_string();
    }
    let value = ctx.catch();
    match value.as_exception() {
        // If there is no memory even for the error, quickjs throws null.
        None if value.is_null() => NO_MEMORY.to_owned(),
        Some(exception) => exception.message().unwrap_or_else(|| "an error".to_owned()),
        None => "it threw what is no error".to_owned(),
    }
}
