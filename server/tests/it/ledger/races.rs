//! Concurrent operations on one wallet (M1, M13).

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use dakiya::app::App;
use dakiya_core::model::money::paise::Paise;
use dakiya_core::random::random_id;
use dakiya_core::store::charges;
use dakiya_core::store::ledger::Posted;
use futures_util::future::join_all;
use tokio::sync::Barrier;
use tokio::task::JoinError;

use super::{add_customer, charge, recharge, wallet};
use crate::app::{TestApp, block_on};
use crate::faults::{Proof, runs};

const CLIENTS: usize = 64;
/// Paise of one charge.
const PRICE: i64 = 11_800;

/// A customer with money for this many charges, and some paise too few for another.
async fn customer(app: &App, charges: usize) -> String {
    let money = Paise::new(i64::try_from(charges).unwrap() * PRICE + PRICE - 1);
    app.core
        .store
        .write(move |conn| {
            Box::pin(async move {
                let user_id = add_customer(conn).await?;
                let paid = recharge(conn, &user_id, &random_id(), money).await?;
                assert_eq!(paid, Posted::Done);
                Ok(user_id)
            })
        })
        .await
        .unwrap()
}

/// Spends one charge, as a booking does: at once, or with a hold until the courier has answered.
async fn book(app: App, user_id: String, at_once: bool, start: Arc<Barrier>) -> Posted {
    start.wait().await;
    app.core
        .store
        .write(move |conn| {
            Box::pin(async move {
                let charge = charge(&user_id, &random_id(), 10_000, 1_800);
                if at_once {
                    return Ok(charges::spend(conn, &charge).await?.posted);
                }
                let held = charges::hold(conn, &charge).await?.posted;
                if held == Posted::Done {
                    let id = &charge.charge_id;
                    charges::capture(conn, &user_id, id, 1).await?.or_fail(id)?;
                }
                Ok(held)
            })
        })
        .await
        .unwrap()
}

#[test]
fn of_sixty_four_clients_exactly_those_win_whom_the_money_covers() {
    block_on(async {
        let mut proof = Proof::begin("M1 races");
        let app = TestApp::start().await;
        let stop = Arc::new(AtomicBool::new(false));
        let sampler = tokio::spawn(lowest_balance(app.app.clone(), stop.clone()));
        for run in 0..runs(6, 1_000) {
            let covered = proof.dice(run).below(CLIENTS + 1);
            let user_id = customer(&app.app, covered).await;
            let start = Arc::new(Barrier::new(CLIENTS));
            let clients = (0..CLIENTS).map(|number| {
                let (app, user_id) = (app.app.clone(), user_id.clone());
                tokio::spawn(book(app, user_id, number % 2 == 0, start.clone()))
            });
            let outcomes = join_all(clients).await;
            let (won, lost) = (count(&outcomes, Posted::Done), count(&outcomes, Posted::Refused));
            proof.holds((won, lost) == (covered, CLIENTS - covered), || {
                format!("money for {covered}: {won} won, {lost} were refused")
            });
            let mut conn = app.app.core.store.read().await.unwrap();
            let left = wallet(&mut conn, &user_id).await.unwrap();
            proof.holds(left == (PRICE - 1, 0), || {
                format!("money for {covered}: {left:?} paise left")
            });
            proof.add_runs(1);
        }
        stop.store(true, Ordering::Relaxed);
        let (lowest, samples) = sampler.await.unwrap();
        println!("lowest of {samples} sampled balances: {lowest} paise");
        proof.holds(lowest >= 0 && samples > 0, || format!("a balance of {lowest} paise was seen"));
        app.audit().await;
        proof.end();
    });
}

/// Counts the outcomes equal to `end`.
fn count(outcomes: &[Result<Posted, JoinError>], end: Posted) -> usize {
    let same = |outcome: &&Result<Posted, JoinError>| matches!(outcome, Ok(o) if *o == end);
    outcomes.iter().filter(same).count()
}

/// Reads every wallet, a thousand times a second at most; returns the lowest balance.
async fn lowest_balance(app: App, stop: Arc<AtomicBool>) -> (i64, usize) {
    let (mut lowest, mut samples) = (0, 0);
    while !stop.load(Ordering::Relaxed) {
        let wallets = "select coalesce(min(balance_paise), 0) from ledger_accounts
                       where kind in ('available', 'held')";
        let mut conn = app.core.store.read().await.unwrap();
        let sample: i64 = sqlx::query_scalar(wallets).fetch_one(&mut *conn).await.unwrap();
        drop(conn);
        lowest = lowest.min(sample);
        samples += 1;
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    (lowest, samples)
}

#[test]
fn of_a_hundred_refunds_at_once_exactly_one_is_paid() {
    block_on(async {
        let mut proof = Proof::begin("M13 refunds at once");
        let app = TestApp::start().await;
        for _ in 0..runs(3, 100) {
            let user_id = customer(&app.app, 1).await;
            let id = random_id();
            let booked = charge(&user_id, &id, 10_000, 1_800);
            let (owner, charge_id) = (user_id.clone(), id.clone());
            let write = app.app.core.store.write(move |conn| {
                Box::pin(async move {
                    let held = charges::hold(conn, &booked).await?;
                    held.posted.or_fail(&charge_id)?;
                    charges::capture(conn, &owner, &charge_id, 1).await
                })
            });
            assert_eq!(write.await.unwrap(), Posted::Done);
            let refunds = (0..100).map(|number| {
                let (store, user_id, id) =
                    (app.app.core.store.clone(), user_id.clone(), id.clone());
                tokio::spawn(async move {
                    let refund = store.write(move |conn| {
                        Box::pin(async move {
                            let (name, all) = (format!("r{number}"), Paise::new(PRICE));
                            charges::refund(conn, &user_id, &id, &name, all, 2).await
                        })
                    });
                    refund.await.unwrap()
                })
            });
            let outcomes = join_all(refunds).await;
            let (paid, refused) =
                (count(&outcomes, Posted::Done), count(&outcomes, Posted::Refused));
            let mut conn = app.app.core.store.read().await.unwrap();
            let left = wallet(&mut conn, &user_id).await.unwrap();
            let expected = (1, 99, (2 * PRICE - 1, 0));
            proof.holds((paid, refused, left) == expected, || {
                format!("{paid} refunds were paid, {refused} refused, {left:?} paise left")
            });
            proof.add_runs(1);
        }
        app.audit().await;
        proof.end();
    });
}

#[cfg(feature = "faults")]
#[test]
fn the_races_notice_an_unguarded_wallet_and_an_unguarded_refund() {
    let races = "ledger::races::of_sixty_four_clients_exactly_those_win_whom_the_money_covers";
    crate::faults::must_fail(races, "wallet-unguarded");
    // SQLite has one writer.
    if std::env::var_os("DAKIYA_TEST_DATABASE_URL").is_some() {
        crate::faults::must_fail(races, "wallet-unlocked");
    }
    let refunds = "ledger::races::of_a_hundred_refunds_at_once_exactly_one_is_paid";
    crate::faults::must_fail(refunds, "refund-unguarded");
}
