//! Promise D5: a client that hangs up at any byte leaves no transaction open and nothing half done,
//! and its retry has one effect (M10).

use std::time::{Duration, Instant};

use dakiya_core::model::money::paise::Paise;
use futures_util::stream::{self, StreamExt};
use serde_json::{Value, json};
use sqlx::Connection;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

use super::shop::{create, id};
use crate::app::{Actor, TestApp, block_on};
use crate::bookings::{PRICE, confirm, form, quote};
use crate::faults::{Dice, Proof, runs};
use crate::patience::patient;

/// A request as bytes on the wire.
fn wire(actor: &Actor, path: &str, key: &str, body: &Value) -> Vec<u8> {
    let host = actor.url.trim_start_matches("http://");
    let token = actor.token.as_deref().expect("somebody logged in");
    let body = body.to_string();
    let length = body.len();
    let head = format!(
        "POST {path} HTTP/1.1\r\nhost: {host}\r\nauthorization: Bearer {token}\r\n\
         idempotency-key: {key}\r\ncontent-type: application/json\r\n\
         content-length: {length}\r\n\r\n"
    );
    [head.into_bytes(), body.into_bytes()].concat()
}

/// Sends a part of a request or all of it, waits a moment at most, and resets the connection.
async fn hang_up(actor: &Actor, request: &[u8], dice: &mut Dice) {
    let address = actor.url.trim_start_matches("http://");
    let mut stream = TcpStream::connect(address).await.expect("a connection");
    stream.set_zero_linger().expect("a socket");
    let sent = match dice.below(3) {
        0 => dice.below(request.len()),
        _ => request.len(),
    };
    // The server may have closed the connection first.
    let _ = stream.write_all(&request[..sent]).await;
    // Up to a quarter of a second, short waits more often, as machines differ in speed.
    let wait = u64::try_from(dice.below(30_000)).expect("64 bits") << dice.below(4);
    tokio::time::sleep(Duration::from_micros(wait)).await;
}

/// Runs one client that hangs up; returns true if its retry booked.
async fn client(asha: &Actor, mut dice: Dice) -> Result<bool, String> {
    match dice.below(3) {
        0 => {
            let request = wire(asha, "/api/v1/payment/phonepe/create", "", &json!({"amount": 10}));
            hang_up(asha, &request, &mut dice).await;
            Ok(false)
        }
        1 => {
            let id = id(&create(asha, 10).await);
            let body = json!({"merchant_order_id": id});
            let request = wire(asha, "/api/v1/payment/phonepe/verify", "", &body);
            hang_up(asha, &request, &mut dice).await;
            Ok(false)
        }
        _ => {
            let form = form(&quote(asha).await);
            let key = format!("hang-up-{}", dice.next());
            let request = wire(asha, "/api/v1/shipping/create-booking", &key, &form);
            hang_up(asha, &request, &mut dice).await;
            let again = confirm(asha, &key, &form).await;
            match again.status.as_u16() {
                200 => Ok(true),
                status => Err(format!("trying again gave {status}: {}", again.text())),
            }
        }
    }
}

/// Runs a client that hangs up while the server is about to commit, as chance seldom finds that
/// moment. Returns true if the server came so far: delayed by many open transactions it may refuse
/// before.
#[cfg(feature = "faults")]
async fn hang_up_before_the_commit(asha: &Actor) -> bool {
    use dakiya_core::failpoints::{FailAction, arm, armed};
    let body = json!({"amount": 10});
    let request = wire(asha, "/api/v1/payment/phonepe/create", "", &body);
    let address = asha.url.trim_start_matches("http://");
    let mut stream = TcpStream::connect(address).await.expect("a connection");
    stream.set_zero_linger().expect("a socket");
    arm("commit", "", FailAction::Stall(500));
    stream.write_all(&request).await.expect("sent");
    let until = Instant::now() + patient(20_000);
    while armed("commit") && Instant::now() < until {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let is_about_to = !armed("commit");
    drop(stream);
    tokio::time::sleep(Duration::from_secs(1)).await;
    is_about_to
}

/// Counts open idle transactions. On SQLite a write shows them: there is one writer.
async fn open_transactions(app: &TestApp) -> i64 {
    let nothing = app.app.core.store.write(|_| Box::pin(async { Ok(()) }));
    let written = tokio::time::timeout(patient(5_000), nothing).await;
    if !matches!(written, Ok(Ok(()))) {
        return 1;
    }
    let url = &app.app.web.config.database_url;
    if url.starts_with("sqlite:") {
        return 0;
    }
    let mut conn = sqlx::AnyConnection::connect(url).await.expect("Postgres");
    let idle = "select count(*) from pg_stat_activity
                where datname = current_database() and state like 'idle in transaction%'";
    // Between two statements every transaction is idle, so they get a while to end.
    let until = Instant::now() + patient(5_000);
    loop {
        let open = sqlx::query_scalar(idle).fetch_one(&mut conn).await;
        let open = open.expect("a count");
        if open == 0 || Instant::now() > until {
            return open;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

#[test]
fn clients_who_hang_up_leave_nothing_open_and_nothing_half_done() {
    block_on(async {
        let mut proof = Proof::begin("D5");
        let (clients, rupees) = (runs(150, 10_000), 200_000);
        let (app, _, asha) = TestApp::with_user().await;
        let recharges = 1 + clients / 2_000;
        for _ in 0..recharges {
            app.recharge(&asha, rupees).await;
        }
        let ended = stream::iter(0..clients).map(|run| client(&asha, proof.dice(run)));
        let ended: Vec<Result<bool, String>> = ended.buffer_unordered(4).collect().await;
        #[cfg(feature = "faults")]
        if !hang_up_before_the_commit(&asha).await {
            proof.holds(false, || "the server did not come to its commit".to_owned());
        }

        let open = open_transactions(&app).await;
        proof.holds(open == 0, || format!("{open} open transactions"));
        let booked = ended.iter().filter(|end| **end == Ok(true)).count();
        let booked = i64::try_from(booked).unwrap();
        for end in ended {
            proof.holds(end.is_ok(), || end.unwrap_err());
        }
        let history = asha.get("/api/v1/shipping/history/").await.expect(200).json();
        proof.holds(history["count"] == booked, || {
            format!("{} bookings instead of {booked}", history["count"])
        });
        let recharged = rupees * 100 * i64::try_from(recharges).unwrap();
        let (balance, left) = (app.balance(&asha).await, Paise::new(recharged - booked * PRICE));
        proof.holds(balance == left, || format!("{balance} left instead of {left}"));
        app.audit().await;
        proof.add_runs(clients);
        proof.end();
    });
}

#[cfg(feature = "faults")]
#[test]
fn the_proof_of_hang_ups_fails_when_a_transaction_ends_with_its_client() {
    let proof = "payments::proof_hangups::\
        clients_who_hang_up_leave_nothing_open_and_nothing_half_done";
    crate::faults::must_fail(proof, "transaction-in-request");
}
