//! Wallets are independent of each other, and what they posted is sealed once, whenever it was
//! committed and whatever happened to the sealer (M2, M3).

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use dakiya::app::App;
use dakiya_core::error::Result;
use dakiya_core::failpoints::{FailAction, arm};
use dakiya_core::model::money::paise::Paise;
use dakiya_core::random::random_id;
use dakiya_core::store::Backend;
use dakiya_core::store::ledger::Posted;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use super::{add_customer, recharge};
use crate::app::{TestApp, block_on};
use crate::faults::{Proof, runs};
use crate::operators::dakiya;

async fn customer(app: &App) -> String {
    app.core.store.write(|conn| Box::pin(add_customer(conn))).await.unwrap()
}

async fn credit(app: &App, user_id: &str) {
    let user_id = user_id.to_owned();
    let write = app.core.store.write(move |conn| {
        Box::pin(async move { recharge(conn, &user_id, &random_id(), Paise::rupees(10)).await })
    });
    assert_eq!(write.await.unwrap(), Posted::Done);
}

/// A credit that was posted, and is committed when the sender is used.
pub async fn open_credit(
    app: &App,
    user_id: &str,
) -> (oneshot::Sender<()>, JoinHandle<Result<Posted>>) {
    let (commit, told) = oneshot::channel();
    let (posted, is_posted) = oneshot::channel();
    let (store, user_id) = (app.core.store.clone(), user_id.to_owned());
    let task = tokio::spawn(async move {
        let write = store.write(move |conn| {
            Box::pin(async move {
                let done = recharge(conn, &user_id, &random_id(), Paise::rupees(10)).await?;
                let _ = posted.send(());
                let _ = told.await;
                Ok(done)
            })
        });
        write.await
    });
    is_posted.await.expect("it is posted");
    (commit, task)
}

/// The numbers of transactions, of seals, of those that wait, and the last seal.
async fn counts(app: &TestApp) -> [i64; 4] {
    let mut conn = app.app.core.store.read().await.unwrap();
    let counts = "select (select count(*) from ledger_transactions),
                    (select count(*) from ledger_seals), (select count(*) from ledger_unsealed),
                    (select coalesce(max(seq), 0) from ledger_seals)";
    let (all, sealed, waiting, last): (i64, i64, i64, i64) =
        sqlx::query_as(counts).fetch_one(&mut *conn).await.unwrap();
    [all, sealed, waiting, last]
}

#[test]
fn a_sealer_killed_at_any_step_seals_each_transaction_once_in_the_end() {
    block_on(async {
        let app = TestApp::start().await;
        let user_id = customer(&app.app).await;
        let mut posted = 0;
        for step in ["sealing_read", "sealing_sealed", "sealing_added", "sealing_counted"] {
            for _ in 0..3 {
                credit(&app.app, &user_id).await;
                posted += 1;
            }
            let before = counts(&app).await;
            arm(step, &app.app.core.node, FailAction::Panic);
            app.app.web.books.seal().await.expect_err("it was killed");
            assert_eq!(counts(&app).await, before, "{step}: nothing is sealed by half");
            app.audit().await;
            assert_eq!(counts(&app).await, [posted, posted, 0, posted], "{step}");
        }
    });
}

#[test]
fn of_sealers_at_once_each_transaction_gets_one_seal_without_gaps() {
    block_on(async {
        let mut proof = Proof::begin("M3 sealers at once");
        let app = TestApp::start().await;
        for _ in 0..runs(3, 50) {
            let stop = Arc::new(AtomicBool::new(false));
            let sealers = [0, 1, 2, 3].map(|_| {
                let (app, stop) = (app.app.clone(), stop.clone());
                tokio::spawn(async move {
                    while !stop.load(Ordering::Relaxed) {
                        app.web.books.seal().await.expect("seals");
                        tokio::time::sleep(Duration::from_millis(1)).await;
                    }
                })
            });
            let customers = (0..4).map(|_| {
                let app = app.app.clone();
                tokio::spawn(async move {
                    let user_id = customer(&app).await;
                    for _ in 0..10 {
                        credit(&app, &user_id).await;
                    }
                })
            });
            futures_util::future::join_all(customers).await;
            stop.store(true, Ordering::Relaxed);
            for sealer in sealers {
                sealer.await.expect("an end");
            }
            app.seal().await;
            let counted = counts(&app).await;
            let all = counted[0];
            proof.holds(counted == [all, all, 0, all], || format!("{counted:?}"));
            proof.add_runs(1);
        }
        app.audit().await;
        proof.end();
    });
}

/// SQLite has one writer.
#[test]
fn a_transaction_that_is_committed_late_is_sealed_late_and_not_left_out() {
    block_on(async {
        let app = TestApp::start().await;
        if app.app.core.store.backend() == Backend::Sqlite {
            return;
        }
        let (late, other) = (customer(&app.app).await, customer(&app.app).await);
        let (commit, task) = open_credit(&app.app, &late).await;
        for posted in 1..4 {
            credit(&app.app, &other).await;
            app.seal().await;
            assert_eq!(counts(&app).await, [posted, posted, 0, posted]);
        }
        commit.send(()).expect("it waits");
        assert_eq!(task.await.unwrap().unwrap(), Posted::Done);
        assert_eq!(counts(&app).await, [4, 3, 1, 3]);
        app.audit().await;
        assert_eq!(counts(&app).await, [4, 4, 0, 4]);
    });
}

/// SQLite has one writer.
#[test]
fn a_posting_waits_for_those_to_its_own_wallet_and_for_no_other() {
    block_on(async {
        let app = TestApp::start().await;
        if app.app.core.store.backend() == Backend::Sqlite {
            return;
        }
        let (busy, other) = (customer(&app.app).await, customer(&app.app).await);
        let (commit, task) = open_credit(&app.app, &busy).await;
        credit(&app.app, &other).await;
        let waiting = tokio::spawn({
            let (app, busy) = (app.app.clone(), busy.clone());
            async move { credit(&app, &busy).await }
        });
        credit(&app.app, &other).await;
        assert_eq!(counts(&app).await[0], 2, "those of the busy wallet are not committed");
        assert!(!waiting.is_finished());
        commit.send(()).expect("it waits");
        assert_eq!(task.await.unwrap().unwrap(), Posted::Done);
        waiting.await.unwrap();
        assert_eq!(counts(&app).await[0], 4);
        app.audit().await;
    });
}

#[test]
fn the_head_of_an_audit_covers_what_a_command_moved_and_the_audit_names_what_it_does_not_cover() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(100).await;
        let audited = dakiya(&app, "audit");
        assert_eq!(audited.code, 0, "{audited:?}");
        let uncovered = "The head does not cover 1 transaction without a seal yet.";
        assert!(audited.out.contains(uncovered), "{audited:?}");
        let adjust =
            format!("wallet adjust {} 10 --correction --reason late --as ravi", asha.username);
        assert_eq!(dakiya(&app, &adjust).code, 0);
        let audited = dakiya(&app, "audit --json").json();
        assert_eq!(audited["unsealed"], 0);
        assert!(audited["head"].as_str().expect("a head").starts_with("2:"), "{audited}");
    });
}

#[test]
fn the_wait_for_a_seal_is_told_until_it_ends() {
    block_on(async {
        let (app, _, _) = TestApp::with_money(100).await;
        let lag_ms = async |app: &TestApp| {
            let mut conn = app.app.core.store.read().await.unwrap();
            let now_ms = app.app.core.clock.now_ms();
            dakiya_core::store::sealing::lag_ms(&mut conn, now_ms).await.unwrap()
        };
        app.app.core.clock.advance_ms(60_000);
        let waits_ms = lag_ms(&app).await;
        assert!((60_000..120_000).contains(&waits_ms), "{waits_ms}");
        app.seal().await;
        assert_eq!(lag_ms(&app).await, 0);
    });
}

#[cfg(feature = "faults")]
#[test]
fn sealing_what_follows_the_last_one_by_its_id_is_noticed() {
    let test = "ledger::sealing::of_sealers_at_once_each_transaction_gets_one_seal_without_gaps";
    crate::faults::must_fail(test, "sealed-by-id");
}
