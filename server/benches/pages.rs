//! Pages per second over HTTP, with server and load in one process: a policy page and a dashboard
//! with a session, as a share of the smallest possible response of the same server.

use std::time::{Duration, Instant};

use dakiya::app::App;
use dakiya::http::serve::Caps;
use dakiya_core::config::Config;
use futures_util::future::join_all;
use http_body_util::{BodyExt, Empty, Full};
use hyper::Request;
use hyper::body::Bytes;
use hyper::header::{ACCEPT_ENCODING, COOKIE, HOST};
use serde_json::json;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use crate::customers::{connect, customer, settings};

/// The number of concurrent connections.
const CONNECTIONS: usize = 8;
const DURATION: Duration = Duration::from_secs(5);

/// Prints the table.
pub fn run() {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    runtime.expect("a runtime").block_on(measure());
}

async fn measure() {
    let folder = tempfile::TempDir::new().expect("a folder");
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address").to_string();
    let config = Config::from_map(&settings(folder.path(), &address));
    let app = App::start(config.expect("a configuration")).await;
    let app = app.expect("the app");
    let stop = CancellationToken::new();
    let router = dakiya::http::routes::router(app.web.clone());
    let server =
        tokio::spawn(dakiya::http::serve::serve(listener, router, Caps::default(), stop.clone()));

    let cookie = customer(&app, "bench").await;
    let floor = load(&address, "/robots.txt", None, None).await;
    println!("\npages/s over HTTP, {CONNECTIONS} connections, server and load on the same cores");
    println!("{:<44}{:>12}{:>18}", "page", "pages/s", "share of floor");
    row("robots.txt (floor: no page at all)", floor, floor);
    row("policy, ready, br", load(&address, "/shipping-policy", None, Some("br")).await, floor);
    let with = |coding| load(&address, "/dashboard", Some(cookie.as_str()), coding);
    row("dashboard with session, br", with(Some("br")).await, floor);
    row("dashboard with session, identity", with(None).await, floor);
    let rates =
        "/calculate?booking_type=2&origin_pincode=110001&destination_pincode=560001&weight=2.5";
    let rates = load(&address, rates, Some(cookie.as_str()), Some("br"));
    row("calculate: three rates, quotes on disk, br", rates.await, floor);
    println!("{}", calculate_rate(&address, &cookie).await);
    let failures = app.web.renderer.stats().failures;
    println!("renderings that fell back to the browser: {failures:?}");
    stop.cancel();
    server.await.expect("a clean stop");
}

fn row(name: &str, rate: u64, floor: u64) {
    println!("{name:<44}{rate:>12}{:>16} %", rate * 100 / floor.max(1));
}

/// Returns the responses per second; each is checked to be 200.
async fn load(address: &str, path: &str, cookie: Option<&str>, coding: Option<&str>) -> u64 {
    let until = Instant::now() + DURATION;
    let clients = (0..CONNECTIONS).map(|_| async move {
        let mut client = connect(address).await;
        let mut answers = 0u64;
        while Instant::now() < until {
            let mut request = Request::get(path).header(HOST, address);
            for (name, value) in [(COOKIE, cookie), (ACCEPT_ENCODING, coding)] {
                request = value.into_iter().fold(request, |r, value| r.header(&name, value));
            }
            let request = request.body(Empty::<Bytes>::new()).expect("a request");
            client.ready().await.expect("an open connection");
            let response = client.send_request(request).await.expect("an answer");
            assert_eq!(response.status(), 200, "{path}");
            response.into_body().collect().await.expect("a body");
            answers += 1;
        }
        answers
    });
    let answers: u64 = join_all(clients).await.into_iter().sum();
    answers / DURATION.as_secs()
}

/// Measures calculate-rate on all connections: its quotes are on disk before it responds.
async fn calculate_rate(address: &str, cookie: &str) -> String {
    let body = json!({
        "booking_type": 2, "origin_pincode": "110001", "destination_pincode": "560001",
        "shipment_type": 1, "weight": 2.5, "length": 30, "quantity": 1,
    });
    let body = Bytes::from(body.to_string());
    let until = Instant::now() + DURATION;
    let clients = (0..CONNECTIONS).map(|_| async {
        let mut client = connect(address).await;
        let mut took = Vec::new();
        while Instant::now() < until {
            let request = Request::post("/api/v1/shipping/calculate-rate/")
                .header(HOST, address)
                .header(COOKIE, cookie)
                .header("sec-fetch-site", "same-origin")
                .header("content-type", "application/json")
                .body(Full::new(body.clone()));
            client.ready().await.expect("an open connection");
            let begun = Instant::now();
            let answer = client.send_request(request.expect("a request")).await;
            let answer = answer.expect("an answer");
            assert_eq!(answer.status(), 200, "calculate-rate");
            answer.into_body().collect().await.expect("a body");
            took.push(begun.elapsed());
        }
        took
    });
    let mut took: Vec<Duration> = join_all(clients).await.concat();
    took.sort();
    let at = |percent: usize| took[(took.len() - 1) * percent / 100];
    format!(
        "calculate-rate with quotes on disk: {} a second, p50 {:?}, p99 {:?}",
        took.len() as u64 / DURATION.as_secs(),
        at(50),
        at(99)
    )
}
