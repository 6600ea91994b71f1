//! A proof: backups while customers book, each restored elsewhere and started.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use dakiya_core::model::money::hash_chain::ChainHead;
use futures_util::future::join_all;
use serde_json::json;
use tempfile::TempDir;
use tokio::time::sleep;

use super::{Place, at};
use crate::app::{Actor, TestApp, block_on};
use crate::documents::{book, number};
use crate::faults::{Proof, runs};
use crate::patience::{patient, until};

/// The customers and the bookings that each can pay.
const CUSTOMERS: usize = 3;
const BOOKINGS: usize = 500;

/// Bookings that were confirmed, each with its customer.
type Booked = Mutex<Vec<(usize, String)>>;

/// Books until stopped. With no money left the customer only looks, so that the session lasts.
async fn shop(number: usize, actor: &Actor, booked: &Booked, stop: &AtomicBool) {
    for _ in 0..BOOKINGS {
        if stop.load(Ordering::Relaxed) {
            return;
        }
        let awb = book(actor, &json!({})).await.awb;
        booked.lock().expect("bookings").push((number, awb));
        sleep(patient(50)).await;
    }
    while !stop.load(Ordering::Relaxed) {
        actor.get("/api/v1/wallet/balance/").await.expect(200);
        sleep(patient(1_000)).await;
    }
}

/// Takes a backup, restores it elsewhere and compares what is there.
async fn check(proof: &Proof, run: usize, app: &TestApp, customers: &[Actor], booked: &Booked) {
    let folder = TempDir::new().expect("a folder");
    let (place, backup) = (Place::of(app), folder.path().join("backup"));
    let enough = || booked.lock().expect("bookings").len() > run;
    until("some more are booked", async || enough()).await;
    let before = booked.lock().expect("bookings").clone();
    place.back_up(&backup).await;

    let other = Place::empty(folder.path(), "other").await;
    other.bring_key(&place);
    let restored = other.restore(&backup, "").await;
    proof.holds(restored.code == 0, || format!("backup {run}: {restored:?}"));
    if restored.code != 0 {
        return;
    }
    let head: Option<ChainHead> = restored.json()["head"].as_str().and_then(|it| it.parse().ok());
    let existed = match head {
        Some(ChainHead { seq, hash }) => {
            let query =
                format!("select count(*) from ledger_seals where seq = {seq} and hash = '{hash}'");
            number(app, query).await
        }
        None => 0,
    };
    proof.holds(existed == 1, || format!("backup {run}: its head never existed"));
    let audited = other.run("audit --json").await;
    proof.holds(audited.code == 0, || format!("backup {run}: {audited:?}"));

    let (program, running) = other.serve().await;
    other.resume().await;
    let anon = Actor::at(&program.url);
    until("it works", async || anon.get("/readyz").await.status == 200).await;
    for (customer, awb) in &before {
        let actor = at(&customers[*customer], &program.url);
        let found = actor.get(&format!("/api/v1/shipping/booking/{awb}/")).await.status;
        proof.holds(found == 200, || format!("backup {run}: {awb} is {found}"));
    }
    proof.holds(running.stop(), || format!("backup {run}: the server did not end well"));
}

#[test]
fn a_backup_taken_while_customers_book_restores_to_clean_books_with_all_that_was_confirmed() {
    block_on(async {
        let mut proof = Proof::begin("D8");
        let app = TestApp::start().await;
        let mut customers = Vec::new();
        for number in 0..CUSTOMERS {
            let customer = app.user(&format!("asha{number}")).await;
            app.recharge(&customer, 100_000).await;
            customers.push(customer);
        }
        let (booked, stop) = (Booked::default(), AtomicBool::new(false));
        let shopping = customers.iter().enumerate();
        let shopping = shopping.map(|(number, actor)| shop(number, actor, &booked, &stop));
        let checking = async {
            for run in 0..runs(3, 50) {
                check(&proof, run, &app, &customers, &booked).await;
            }
            stop.store(true, Ordering::Relaxed);
        };
        tokio::join!(join_all(shopping), checking);
        proof.add_runs(runs(3, 50));
        proof.end();
        app.audit().await;
    });
}

#[cfg(feature = "faults")]
#[test]
fn a_copy_of_the_file_without_its_log_is_noticed() {
    if std::env::var("DAKIYA_TEST_DATABASE_URL").is_ok() {
        return; // Postgres has no file to copy
    }
    let test = "backups::proof_load::a_backup_taken_while_customers_book_restores_to_clean_books\
                _with_all_that_was_confirmed";
    crate::faults::must_fail(test, "log-not-copied");
}
