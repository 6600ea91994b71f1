//! Traces: requests, tasks and the calls within them are spans, which `providers/traces.rs` sends
//! to a collector. A task that a request queued is a span of the request's trace, on whichever
//! server it runs: its row keeps the W3C `traceparent`, which is random and tells nothing.
//!
//! Spans have patterns of routes, kinds and codes, and nothing of a person: no address, no id of a
//! row, no text. Nobody else gets a `traceparent`: couriers and the gateway could not do anything
//! with it, and some refuse headers that they do not know.
//!
//! Until [`turn_on`], each function looks at one flag and does nothing.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::SystemTime;

use opentelemetry::propagation::TextMapPropagator as _;
use opentelemetry::trace::{
    Span as _, SpanKind, Status, TraceContextExt as _, Tracer as _, TracerProvider as _,
};
use opentelemetry::{Context, KeyValue, global};
use opentelemetry_sdk::propagation::TraceContextPropagator;
use opentelemetry_sdk::trace::SdkTracerProvider;
use tracing::Span;
use tracing::field::Empty;
use tracing_opentelemetry::OpenTelemetryLayer;
use tracing_opentelemetry::OpenTelemetrySpanExt as _;
use tracing_subscriber::Layer;
use tracing_subscriber::filter::{LevelFilter, filter_fn};
use tracing_subscriber::registry::LookupSpan;

/// The header that names a trace and a span in it.
pub const TRACEPARENT: &str = "traceparent";

/// The name of the program among those that make spans.
const SCOPE: &str = "dakiya";

static IS_ON: AtomicBool = AtomicBool::new(false);

/// Makes spans from now on, and returns what passes requests and tasks on to this provider. Lines
/// of the log, which may contain texts of others, are no part of it.
pub fn turn_on<S>(provider: &SdkTracerProvider) -> impl Layer<S> + use<S>
where
    S: tracing::Subscriber + for<'a> LookupSpan<'a>,
{
    global::set_tracer_provider(provider.clone());
    IS_ON.store(true, Ordering::Relaxed);
    let ours = filter_fn(|it| it.is_span() && it.target() == module_path!());
    OpenTelemetryLayer::new(provider.tracer(SCOPE))
        .with_location(false)
        .with_threads(false)
        .with_tracked_inactivity(false)
        .with_target(false)
        .with_level(false)
        .with_context_activation(false)
        .with_filter(ours.with_max_level_hint(LevelFilter::ERROR))
}

fn is_on() -> bool {
    IS_ON.load(Ordering::Relaxed)
}

/// Begins a request's span, whose lines in the log have this id. Its trace begins here too, unless
/// a `traceparent` of somebody trusted is given.
pub fn request(id: &str, traceparent: Option<&str>) -> Span {
    let span = tracing::error_span!("request", id, otel.kind = Empty);
    if is_on() {
        span.record("otel.kind", "server");
        go_on(&span, traceparent.unwrap_or_default());
    }
    span
}

/// Notes what was asked for, by the pattern of the route, and the status of the answer.
pub fn answered(span: &Span, method: &'static str, route: &str, status: u16) {
    if !is_on() {
        return;
    }
    rename(span, format!("{method} {route}"));
    span.set_attribute("http.request.method", method);
    span.set_attribute("http.route", route.to_owned());
    span.set_attribute("http.response.status_code", i64::from(status));
    if status >= 500 {
        span.set_status(Status::error(""));
    }
}

/// Begins the span of an attempt of a task. It goes on with the trace that its row names.
pub fn task(kind: &'static str, traceparent: &str) -> Span {
    if !is_on() {
        return Span::none();
    }
    let span = tracing::error_span!(parent: None, "task", kind);
    go_on(&span, traceparent);
    rename(&span, format!("task {kind}"));
    span
}

/// Notes the error's code of an attempt that failed.
pub fn task_failed(span: &Span, code: &'static str) {
    if is_on() {
        span.set_attribute("error.type", code);
        span.set_status(Status::error(""));
    }
}

/// Returns the span of the current request or task, to go on with it elsewhere.
pub fn here() -> Span {
    match is_on() {
        true => Span::current(),
        false => Span::none(),
    }
}

/// Returns the `traceparent` of the current request or task; empty if there is none. It has at
/// most 55 characters.
pub fn current() -> String {
    of(&here())
}

/// Returns the `traceparent` of a request or task; empty if it has none.
pub fn of(span: &Span) -> String {
    let mut headers = HashMap::new();
    if is_on() {
        TraceContextPropagator::new().inject_context(&span.context(), &mut headers);
    }
    headers.remove(TRACEPARENT).unwrap_or_default()
}

/// Makes a new span go on with a trace, if the text names one.
fn go_on(span: &Span, traceparent: &str) {
    let headers = HashMap::from([(TRACEPARENT.to_owned(), traceparent.to_owned())]);
    let parent = TraceContextPropagator::new().extract_with_context(&Context::new(), &headers);
    // It fails for a span that nobody records.
    let _ = span.set_parent(parent);
}

fn rename(span: &Span, name: String) {
    span.context().span().update_name(name);
}

/// A part of a request or of a task, such as a call. It becomes a span of its own.
#[derive(Debug)]
pub struct TracedPart(Option<(Context, SystemTime)>);

impl TracedPart {
    pub fn begin() -> TracedPart {
        let parent = is_on().then(|| Span::current().context());
        let parent = parent.filter(Context::has_active_span);
        TracedPart(parent.map(|parent| (parent, SystemTime::now())))
    }

    /// Ends the part, once. Names and words are of the source code.
    pub fn end(&mut self, name: [&'static str; 2], words: &[(&'static str, &'static str)]) {
        let Some((parent, began)) = self.0.take() else { return };
        let tracer = global::tracer(SCOPE);
        let words = words.iter().map(|(name, word)| KeyValue::new(*name, *word));
        let span = tracer.span_builder(name.join(" ")).with_kind(SpanKind::Client);
        let span = span.with_start_time(began).with_attributes(words);
        span.start_with_context(&tracer, &parent).end();
    }
}
