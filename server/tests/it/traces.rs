//! Traces of the real program, as a collector gets them.

use std::sync::{Arc, Mutex};
use std::time::Instant;

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::routing::post;
use dakiya_core::limits::TASK_TRACED_MS_MAX;
use dakiya_core::model::task::TaskKind;
use dakiya_core::store;
use futures_util::future::join_all;
use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::common::v1::any_value;
use opentelemetry_proto::tonic::trace::v1::Span;
use prost::Message as _;
use reqwest::Method;
use serde_json::json;
use tempfile::TempDir;
use tokio::net::TcpListener;

use crate::app::{Actor, PASSWORD, TestApp, block_on};
use crate::bookings::{confirm, form, quote};
use crate::databases::fresh_database;
use crate::patience::{eventually, patient, until};
use crate::program::{Program, Running, lasting_port};

const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";

/// The bodies that arrived.
#[derive(Clone, Default)]
struct Collector(Arc<Mutex<Vec<Bytes>>>);

impl Collector {
    /// Starts a collector, and returns its address too.
    async fn start() -> (Collector, String) {
        async fn take(State(collector): State<Collector>, body: Bytes) {
            collector.0.lock().unwrap().push(body);
        }
        let collector = Collector::default();
        let router = Router::new().route("/v1/traces", post(take)).with_state(collector.clone());
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        tokio::spawn(async move { axum::serve(listener, router).await });
        (collector, url)
    }

    fn spans(&self) -> Vec<Span> {
        let all = self.0.lock().unwrap();
        let requests = all.iter().map(|body| ExportTraceServiceRequest::decode(&**body).unwrap());
        let parts = requests.flat_map(|request| request.resource_spans);
        parts.flat_map(|part| part.scope_spans).flat_map(|part| part.spans).collect()
    }

    /// Waits for a span of this name, of any trace or of this one.
    async fn span(&self, name: &str, trace: Option<&[u8]>) -> Span {
        let is_it = |span: &Span| span.name == name && trace.is_none_or(|it| span.trace_id == it);
        eventually(async || self.spans().into_iter().find(is_it)).await
    }

    fn has(&self, text: &str) -> bool {
        let all = self.0.lock().unwrap();
        all.iter().any(|body| body.windows(text.len()).any(|part| part == text.as_bytes()))
    }
}

/// The text of a span's attribute.
fn attribute(span: &Span, name: &str) -> String {
    let found = span.attributes.iter().find(|it| it.key == name);
    match found.and_then(|it| it.value.clone()).and_then(|it| it.value) {
        Some(any_value::Value::StringValue(text)) => text,
        Some(any_value::Value::IntValue(number)) => number.to_string(),
        other => panic!("{name} is {other:?}"),
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The program, which sends its spans to a collector at once.
struct Traced {
    _folder: TempDir,
    program: Program,
    running: Running,
}

impl Traced {
    async fn start(collector: &str, more: &[(&'static str, &str)]) -> Traced {
        let folder = TempDir::new().expect("a folder");
        let mut variables = vec![
            ("DATABASE_URL", fresh_database(folder.path()).await),
            ("DAKIYA_SANDBOX_LISTEN", format!("127.0.0.1:{}", lasting_port())),
            ("OTEL_EXPORTER_OTLP_ENDPOINT", collector.to_owned()),
            ("OTEL_BSP_SCHEDULE_DELAY", "50".to_owned()),
        ];
        variables.extend(more.iter().map(|(name, value)| (*name, (*value).to_owned())));
        let program = Program::new(folder.path(), variables);
        let mut running = program.start();
        program.ready(&mut running).await;
        Traced { _folder: folder, program, running }
    }

    async fn customer(&self) -> Actor {
        let mut asha = Actor::at(&self.program.url);
        asha.join("asha").await;
        asha
    }
}

#[test]
fn a_request_and_the_tasks_that_follow_are_one_trace_and_tell_nothing_about_a_person() {
    block_on(async {
        let (collector, url) = Collector::start().await;
        let traced = Traced::start(&url, &[("OTEL_SERVICE_NAME", "dakiya-here")]).await;
        let asha = traced.customer().await;

        // The gateway's callback makes the task of the payment due.
        let created = asha.post("/api/v1/payment/phonepe/create/", json!({"amount": 5_000})).await;
        let created = created.expect(200).json();
        asha.at_gateway(&created, &[("do", "pay")]).await;
        let order = created["payment_data"]["merchant_order_id"].as_str().expect("an order");
        let paid = collector.span("POST /api/v1/payment/phonepe/create", None).await;
        for task in ["task payment", "task payment_letter"] {
            collector.span(task, Some(&paid.trace_id)).await;
        }

        let booked = confirm(&asha, "traced-booking", &form(&quote(&asha).await)).await;
        let booked = booked.expect(200);
        let item = booked.json()["data"][0].clone();
        let awb = item["airwaybilno"].as_str().expect("an AWB").to_owned();
        asha.page(&format!("/track/{awb}?of=asha")).await;
        asha.page("/no/such/page?email=asha@example.in").await;
        let request = collector.span("POST /api/v1/shipping/create-booking", None).await;
        let letter = collector.span("task notices", Some(&request.trace_id)).await;
        assert_eq!(letter.parent_span_id, request.span_id);
        assert_ne!(request.trace_id, paid.trace_id);
        assert_eq!(attribute(&letter, "kind"), "notices");
        assert_eq!(attribute(&request, "http.route"), "/api/v1/shipping/create-booking");
        assert_eq!(attribute(&request, "http.response.status_code"), "200");
        assert_eq!(attribute(&request, "id"), booked.header("x-request-id"));
        // The last spans are sent when the program ends.
        asha.get("/robots.txt").await.expect(200);
        assert!(traced.running.stop());
        collector.span("GET /robots.txt", None).await;

        let token = asha.token.as_deref().expect("a token");
        let address = format!("{}@example.in", asha.username);
        let secrets = [&*awb, order, token, &*asha.username, &*address];
        let secrets = secrets.into_iter().chain([PASSWORD, "example.in", "9876543210", "Ravi"]);
        for secret in secrets.chain(["Janpath", "of=asha", "no/such"]) {
            assert!(!collector.has(secret), "{secret} was sent");
        }
        assert!(collector.has("dakiya-here"));
    });
}

#[test]
fn a_request_goes_on_with_the_trace_of_its_sender_only_if_that_is_trusted() {
    block_on(async {
        let sent = format!("00-{TRACE}-00f067aa0ba902b7-01");
        for (trusts, is_same) in [("0", false), ("1", true)] {
            let (collector, url) = Collector::start().await;
            let traced = Traced::start(&url, &[("DAKIYA_TRUST_TRACEPARENT", trusts)]).await;
            let anon = Actor::at(&traced.program.url);
            let headers = [("traceparent", &*sent)];
            anon.send(Method::GET, "/robots.txt", &headers, None).await.expect(200);
            let span = collector.span("GET /robots.txt", None).await;
            assert_eq!(hex(&span.trace_id) == TRACE, is_same, "{trusts}");
            assert_eq!(span.parent_span_id.is_empty(), !is_same);

            // A trace of its own follows from a text that names none.
            let long = format!("00-{}-00f067aa0ba902b7-01", "a".repeat(4_000));
            let none = sent.replace(TRACE, &"0".repeat(32));
            for text in ["", "00", "x-y-z-w", &*long, &*none] {
                let headers = [("traceparent", text)];
                anon.send(Method::GET, "/sitemap.xml", &headers, None).await.expect(200);
            }
            until("all are sent", async || {
                collector.spans().iter().filter(|it| it.name == "GET /sitemap.xml").count() == 5
            })
            .await;
            let mut traces: Vec<_> = collector.spans().into_iter().map(|it| it.trace_id).collect();
            traces.sort_unstable();
            traces.dedup();
            assert!(traces.len() > 5);
            assert!(traced.running.stop());
        }
    });
}

#[test]
fn nobody_waits_for_a_collector_that_is_away() {
    block_on(async {
        // It takes connections, and never answers.
        let silent = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", silent.local_addr().unwrap());
        let traced = Traced::start(&url, &[("OTEL_BSP_MAX_QUEUE_SIZE", "16")]).await;
        let asha = traced.customer().await;
        asha.recharge(5_000).await;
        let form = form(&quote(&asha).await);
        let began = Instant::now();
        // Far more spans than wait at a time.
        join_all((0..100).map(|_| asha.get("/robots.txt"))).await;
        confirm(&asha, "untraced-booking", &form).await.expect(200);
        assert!(began.elapsed() < patient(4_000), "{:?}", began.elapsed());
        let began = Instant::now();
        assert!(traced.running.stop());
        assert!(began.elapsed() < patient(8_000), "{:?}", began.elapsed());
    });
}

#[test]
fn a_task_goes_on_with_the_trace_that_queued_it_unless_that_is_long_ago() {
    block_on(async {
        let app = TestApp::start().await;
        let now_ms = app.app.core.clock.now_ms();
        let traceparent = format!("00-{TRACE}-00f067aa0ba902b7-01");
        assert_eq!(traceparent.len(), 55);
        for (subject, created_ms) in [("fresh", now_ms), ("old", now_ms - TASK_TRACED_MS_MAX)] {
            let add = format!(
                "insert into tasks (kind, subject, due_ms, lease_until_ms, leased_by, attempts,
                   last_error, quarantined_ms, created_ms, traceparent)
                 values ('payment', '{subject}', {now_ms}, 0, '', 0, '', 0, {created_ms},
                   '{traceparent}')"
            );
            app.tamper(&add).await.expect("a task");
        }
        let claim = app.app.core.store.write(move |conn| {
            Box::pin(async move {
                store::tasks::claim(conn, TaskKind::Payment, "here", now_ms, 9).await
            })
        });
        let mut claimed = claim.await.expect("tasks");
        claimed.sort_by(|one, other| one.subject.cmp(&other.subject));
        let traces: Vec<&str> = claimed.iter().map(|task| &*task.traceparent).collect();
        assert_eq!(traces, [&*traceparent, ""]);
    });
}
