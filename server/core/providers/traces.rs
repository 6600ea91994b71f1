//! Sends traces to a collector, by OTLP over HTTP. Spans wait in a queue of bounded length, and a
//! thread of their own sends them in batches. While the collector is away they are dropped: nothing
//! waits for it, and no batch is sent twice.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use opentelemetry::KeyValue;
use opentelemetry_http::{Bytes, HttpClient, HttpError, Request, Response};
use opentelemetry_otlp::{RetryPolicy, SpanExporter, WithExportConfig as _, WithHttpConfig as _};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::trace::{BatchSpanProcessor, SdkTracerProvider};
use tokio::runtime::Handle;
use tracing_subscriber::Layer;
use tracing_subscriber::registry::LookupSpan;

use super::calls::{CallKind, CallOutcome, MeasuredCall};
use super::http::{self, CONNECT, NoReply};
use crate::limits;
use crate::model::settings::traces::TracesConfig;
use crate::trace_context;

/// The traces of this process.
#[derive(Debug)]
pub struct Traces(SdkTracerProvider);

impl Traces {
    /// Begins to send spans from this process, named `node`. The runtime makes the calls.
    ///
    /// # Errors
    /// Fails if the TLS roots of the machine cannot be read.
    pub fn start(config: &TracesConfig, node: &str, runtime: Handle) -> anyhow::Result<Traces> {
        let (url, pause) = (config.endpoint.spans(), limits::SPANS_SENDING_MS_MAX);
        let pause = Duration::from_millis(pause);
        let http = http::plain_client(&url, CONNECT, pause)?;
        let collector = Collector { http, runtime, pause, is_away: AtomicBool::new(false) };
        let exporter = SpanExporter::builder()
            .with_http()
            .with_http_client(collector)
            .with_endpoint(url)
            .with_headers(config.headers.expose())
            .with_timeout(pause)
            .with_retry_policy(RetryPolicy::disabled())
            .build()?;
        let version = env!("CARGO_PKG_VERSION");
        let resource = Resource::builder()
            .with_service_name(config.service.clone())
            .with_attribute(KeyValue::new("service.version", version))
            .with_attribute(KeyValue::new("service.instance.id", node.to_owned()))
            .build();
        let provider = SdkTracerProvider::builder()
            .with_span_processor(BatchSpanProcessor::builder(exporter).build())
            .with_resource(resource)
            .build();
        Ok(Traces(provider))
    }

    /// Returns the layer that makes the spans. There can be only one.
    pub fn layer<S>(&self) -> impl Layer<S> + use<S>
    where
        S: tracing::Subscriber + for<'a> LookupSpan<'a>,
    {
        trace_context::turn_on(&self.0)
    }

    /// Sends what is left, for a short while.
    pub async fn end(self) {
        let patience = Duration::from_millis(limits::SPANS_LEFT_MS_MAX);
        let sending = tokio::task::spawn_blocking(move || self.0.shutdown_with_timeout(patience));
        // A failure is logged by the client.
        let _ = sending.await;
    }
}

/// The client of the collector, called on the thread of the batches.
#[derive(Debug)]
struct Collector {
    http: reqwest::Client,
    runtime: Handle,
    pause: Duration,
    /// The last batch was lost.
    is_away: AtomicBool,
}

#[async_trait]
impl HttpClient for Collector {
    async fn send_bytes(&self, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
        let sending = send(self.http.clone(), request, self.pause);
        let sent = self.runtime.spawn(sending).await?;
        let lost = match &sent {
            Ok(answer) if answer.status().is_success() => None,
            Ok(answer) => Some(format!("status {}", answer.status().as_u16())),
            Err(error) => Some(error.to_string()),
        };
        let was_away = self.is_away.swap(lost.is_some(), Ordering::Relaxed);
        match lost {
            Some(reason) if !was_away => tracing::warn!("traces are lost: {reason}"),
            None if was_away => tracing::warn!("the collector takes traces again"),
            _ => {}
        }
        Ok(sent?)
    }
}

/// Sends a batch, and returns the status and the body of the answer.
async fn send(
    client: reqwest::Client,
    request: Request<Bytes>,
    timeout: Duration,
) -> Result<Response<Bytes>, NoReply> {
    let measured = MeasuredCall::begin("collector", CallKind::Spans);
    let result = exchange(client, request, timeout).await;
    measured.end(match &result {
        Ok(answer) => CallOutcome::of_status(answer.status().as_u16()),
        Err(NoReply::NotSent(_)) => CallOutcome::NotSent,
        Err(NoReply::Lost(_)) => CallOutcome::Lost,
    });
    result
}

async fn exchange(
    client: reqwest::Client,
    request: Request<Bytes>,
    timeout: Duration,
) -> Result<Response<Bytes>, NoReply> {
    let mut request = reqwest::Request::try_from(request).map_err(http::no_reply)?;
    *request.timeout_mut() = Some(timeout);
    let answer = client.execute(request).await.map_err(http::no_reply)?;
    let http::Reply { status, body } = http::read(answer).await?;
    let answer = Response::builder().status(status).body(body.into());
    answer.map_err(|error| NoReply::Lost(error.to_string()))
}
