//! Limits on connections: no client gets all of them, and an idle one is closed.

use std::net::Ipv4Addr;
use std::time::{Duration, Instant};

use dakiya::http::serve::{Caps, serve};
use dakiya_core::limits;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use super::{ATTACKER, answer, ask, connect, get, heard};
use crate::app::{Actor, TestApp, block_on};
use crate::patience::{forever, patient};

/// Requests sent on one connection at a time: more than the socket buffers hold (count).
const ASKED: usize = 200;

/// Pieces of a body: more than the socket buffers hold (count).
const SENT: usize = 64;

/// A server with few connections.
struct Door {
    url: String,
    stop: CancellationToken,
    serving: JoinHandle<()>,
    _app: TestApp,
}

async fn door(all: usize, each: usize) -> Door {
    door_with(Caps { all, each, ..Caps::default() }).await
}

async fn door_with(caps: Caps) -> Door {
    let app = TestApp::start().await;
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let url = format!("http://{}", listener.local_addr().expect("an address"));
    let router = dakiya::http::routes::router(app.app.web.clone());
    let stop = CancellationToken::new();
    let serving = tokio::spawn(serve(listener, router, caps, stop.clone()));
    Door { url, stop, serving, _app: app }
}

impl Door {
    /// A client that sends many requests and reads no response.
    async fn never_reads(&self) -> TcpStream {
        let mut stream = connect(ATTACKER, &self.url).await.expect("connected");
        let asked = get(&self.url, "/api/v1/openapi.json").repeat(ASKED);
        stream.write_all(asked.as_bytes()).await.expect("asked");
        stream
    }
}

#[test]
fn who_never_reads_is_cut_off_and_others_are_served_meanwhile() {
    block_on(async {
        let door = door(64, 4).await;
        let mut held = Vec::new();
        for _ in 0..12 {
            held.push(door.never_reads().await);
        }
        let (asha, began) = (Actor::at(&door.url), Instant::now());
        let cut_off = Duration::from_millis(limits::WRITTEN_MS_MAX);
        while began.elapsed() < cut_off + patient(5_000) {
            let asked = Instant::now();
            asha.get("/robots.txt").await.expect(200);
            assert!(asked.elapsed() < cut_off, "{:?}", asked.elapsed());
            tokio::time::sleep(Duration::from_millis(500)).await;
        }
        for mut stream in held {
            let answers = heard(&mut stream, patient(10_000)).await;
            let whole = answers.matches("HTTP/1.1 200").count();
            assert!(whole < ASKED, "{whole} answers: it was never cut off");
        }
    });
}

#[test]
fn who_only_connects_makes_room_for_who_asks() {
    block_on(async {
        let door = door(4, 4).await;
        let mut idle = Vec::new();
        for n in 2..=5 {
            let from = Ipv4Addr::new(127, 0, 0, n);
            let mut stream = connect(from, &door.url).await.expect("connected");
            // An unfinished head is no request either.
            stream.write_all(b"GET / HTTP/1.1\r\n").await.expect("sent");
            idle.push(stream);
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
        let began = Instant::now();
        Actor::at(&door.url).get("/robots.txt").await.expect(200);
        let heads = Duration::from_millis(limits::HEAD_MS_MAX);
        assert!(began.elapsed() < heads, "{:?}", began.elapsed());
    });
}

#[test]
fn a_body_that_drips_is_ended_with_a_clear_word() {
    block_on(async {
        let door = door(4, 4).await;
        let mut stream = connect(ATTACKER, &door.url).await.expect("connected");
        let host = super::host(&door.url);
        let head = format!(
            "POST /api/v1/auth/login HTTP/1.1\r\nhost: {host}\r\n\
             content-type: application/json\r\ncontent-length: 1000\r\n\r\n"
        );
        stream.write_all(head.as_bytes()).await.expect("sent");
        let (mut from, mut to) = stream.into_split();
        let dripping = tokio::spawn(async move {
            while to.write_all(b" ").await.is_ok() {
                tokio::time::sleep(Duration::from_millis(500)).await;
            }
        });
        let (began, mut answer) = (Instant::now(), Vec::new());
        // A client that still sends may be cut off right after the response.
        let read = async { while let Ok(1..) = from.read_buf(&mut answer).await {} };
        timeout(forever(), read).await.expect("an end");
        let answer = String::from_utf8_lossy(&answer);
        assert!(answer.starts_with("HTTP/1.1 408"), "{answer:?}");
        assert!(answer.contains("too slow"), "{answer:?}");
        let least = Duration::from_millis(limits::BODY_STEP_MS_MAX);
        assert!(began.elapsed() >= least, "{:?}", began.elapsed());
        dripping.abort();
    });
}

#[test]
fn who_is_refused_while_a_large_body_is_on_its_way_sees_why_and_may_go_on() {
    block_on(async {
        let door = door(64, 64).await;
        let host = super::host(&door.url);
        let piece = [b'x'; 64 * 1024];
        let head = format!(
            "POST /api/v1/booking/kyc-upload HTTP/1.1\r\nhost: {host}\r\n\
             content-type: multipart/form-data; boundary=x\r\ncontent-length: {}\r\n\r\n",
            SENT * piece.len()
        );
        let mut stream = connect(Ipv4Addr::LOCALHOST, &door.url).await.unwrap();
        stream.write_all(head.as_bytes()).await.expect("sent");
        for _ in 0..SENT {
            stream.write_all(&piece).await.expect("it is still read");
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        let refused = answer(&mut stream).await;
        assert!(refused.starts_with("HTTP/1.1 401"), "{refused:?}");
        let next = ask(&mut stream, &get(&door.url, "/robots.txt")).await;
        assert!(next.starts_with("HTTP/1.1 200"), "{next:?}");
    });
}

#[test]
fn a_stop_answers_what_is_on_its_way_and_ends_connections_with_an_answer() {
    block_on(async {
        let door = door(64, 64).await;
        let robots = get(&door.url, "/robots.txt");
        let mut kept = connect(Ipv4Addr::LOCALHOST, &door.url).await.unwrap();
        let first = ask(&mut kept, &robots).await;
        assert!(first.starts_with("HTTP/1.1 200") && !first.contains("connection: close"));
        let mut fresh = connect(Ipv4Addr::LOCALHOST, &door.url).await.unwrap();
        door.stop.cancel();
        for stream in [&mut kept, &mut fresh] {
            let last = ask(stream, &robots).await;
            assert!(last.starts_with("HTTP/1.1 200"), "{last:?}");
            assert!(last.contains("connection: close"), "{last:?}");
            assert_eq!(answer(stream).await, "", "nothing follows");
        }
        let ended = timeout(forever(), door.serving).await;
        ended.expect("an end").expect("no panic");
    });
}

#[test]
fn connections_without_a_request_do_not_hold_up_a_stop() {
    block_on(async {
        let (keep_alive, finish) = (10 * forever(), 10 * forever());
        let door = door_with(Caps { keep_alive, finish, ..Caps::default() }).await;
        let mut kept = connect(Ipv4Addr::LOCALHOST, &door.url).await.unwrap();
        let robots = get(&door.url, "/robots.txt");
        assert!(ask(&mut kept, &robots).await.starts_with("HTTP/1.1 200"));
        let _silent = connect(ATTACKER, &door.url).await.unwrap();
        door.stop.cancel();
        let ended = timeout(forever(), door.serving).await;
        ended.expect("an end").expect("no panic");
        assert_eq!(answer(&mut kept).await, "", "it is closed");
    });
}

#[test]
fn a_stop_waits_only_so_long_for_open_requests() {
    block_on(async {
        let door = door_with(Caps { finish: patient(200), ..Caps::default() }).await;
        let _held = door.never_reads().await;
        tokio::time::sleep(patient(200)).await;
        let began = Instant::now();
        door.stop.cancel();
        let ended = timeout(forever(), door.serving).await;
        ended.expect("an end").expect("no panic");
        // Otherwise it would be cut off later.
        let cut_off = Duration::from_millis(limits::WRITTEN_MS_MAX);
        assert!(began.elapsed() < cut_off, "{:?}", began.elapsed());
    });
}

#[test]
fn who_sends_no_request_is_cut_off_and_who_sent_one_may_rest() {
    block_on(async {
        let door = door(64, 64).await;
        let mut silent = connect(ATTACKER, &door.url).await.unwrap();
        let mut kept = connect(Ipv4Addr::LOCALHOST, &door.url).await.unwrap();
        let robots = get(&door.url, "/robots.txt");
        assert!(ask(&mut kept, &robots).await.starts_with("HTTP/1.1 200"));
        let began = Instant::now();
        assert_eq!(heard(&mut silent, forever()).await, "");
        let heads = Duration::from_millis(limits::HEAD_MS_MAX);
        assert!(began.elapsed() < forever(), "it was not cut off");
        tokio::time::sleep(heads.saturating_sub(began.elapsed())).await;
        tokio::time::sleep(Duration::from_secs(1)).await;
        let again = ask(&mut kept, &robots).await;
        assert!(again.starts_with("HTTP/1.1 200"), "{again:?}");
    });
}

#[test]
fn a_connection_that_rests_too_long_is_closed() {
    block_on(async {
        let keep_alive = patient(1_000);
        let door = door_with(Caps { keep_alive, ..Caps::default() }).await;
        let mut kept = connect(Ipv4Addr::LOCALHOST, &door.url).await.unwrap();
        let robots = get(&door.url, "/robots.txt");
        assert!(ask(&mut kept, &robots).await.starts_with("HTTP/1.1 200"));
        let began = Instant::now();
        assert_eq!(heard(&mut kept, forever()).await, "");
        assert!(began.elapsed() < forever(), "it was not closed");
    });
}

#[test]
fn a_stop_still_serves_new_connections_until_the_drain_time_is_over() {
    block_on(async {
        let drain = patient(2_000);
        let door = door_with(Caps { drain, ..Caps::default() }).await;
        let (robots, began) = (get(&door.url, "/robots.txt"), Instant::now());
        door.stop.cancel();
        while began.elapsed() < drain / 2 {
            let mut fresh = connect(Ipv4Addr::LOCALHOST, &door.url).await.unwrap();
            let answer = ask(&mut fresh, &robots).await;
            assert!(answer.starts_with("HTTP/1.1 200"), "{answer:?}");
            assert!(answer.contains("connection: close"), "{answer:?}");
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        let ended = timeout(forever(), door.serving).await;
        ended.expect("an end").expect("no panic");
        assert!(began.elapsed() >= drain, "{:?}", began.elapsed());
        assert!(connect(Ipv4Addr::LOCALHOST, &door.url).await.is_err(), "it is closed");
    });
}
