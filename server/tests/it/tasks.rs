//! Background tasks: one that dies, hangs or fails stops no other, and operators see it.

use std::time::Duration;

use dakiya::app::App;
use dakiya::jobs;
use dakiya_core::error::Error;
use dakiya_core::limits::{HOUR_MS, NODE_MS_MAX};
use dakiya_core::model::money::paise::Paise;
use dakiya_core::model::task::{ClaimedTask, Task, TaskKind};
use dakiya_core::store;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use crate::app::{Actor, TestApp, block_on, inbox};
use crate::bookings::{confirm, form, quote};
use crate::patience::{eventually, forever, patient, until};
use crate::payments::shop::create;

/// Adds a task that is due at once.
async fn add(app: &TestApp, kind: TaskKind, subject: &str) {
    add_at(app, kind, subject, app.app.core.clock.now_ms()).await;
}

/// Adds a task that is due at `due_ms`.
async fn add_at(app: &TestApp, kind: TaskKind, subject: &str, due_ms: i64) {
    let subject = subject.to_owned();
    let added = app.app.core.store.write(move |conn| {
        Box::pin(async move { store::tasks::add(conn, kind, &subject, due_ms, due_ms).await })
    });
    added.await.expect("a task");
}

async fn find(app: &TestApp, kind: TaskKind, subject: &str) -> Option<Task> {
    let mut conn = app.app.core.store.read().await.expect("a connection");
    let found = store::tasks::find(&mut conn, kind, subject).await;
    found.expect("an answer")
}

/// A subject for tasks of this kind that only tests use.
fn subject(kind: TaskKind) -> String {
    match kind.is_regular() {
        true => kind.word().to_owned(),
        false => format!("bad-{}", kind.word()),
    }
}

/// Adds a payment of a customer who has left, and a letter: both are background work.
async fn real_work(app: &TestApp, asha: &Actor, key: &str) -> Paise {
    let before = app.balance(asha).await;
    let created = create(asha, 700).await;
    app.pay(&created).await;
    confirm(asha, key, &form(&quote(asha).await)).await.expect(200);
    let spent = before.checked_sub(app.balance(asha).await).expect("paise");
    app.app.core.clock.advance_ms(26_000);
    before.checked_sub(spent).and_then(|left| left.checked_add(Paise::rupees(700))).expect("paise")
}

/// Waits until the payment is credited and the letter was sent.
async fn is_done(app: &TestApp, asha: &Actor, balance: Paise, letters: usize) {
    until("it is done", async || {
        // The receipts of recharges are sent in the meantime.
        let kept = inbox(&app.app).into_iter();
        let sent = kept.filter(|it| it.subject.ends_with(": Booked")).count();
        app.balance(asha).await == balance && sent == letters
    })
    .await;
}

#[test]
fn a_task_of_each_kind_that_panics_stops_no_other() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(5_000).await;
        // A server without reports of the gateway compares none.
        let kinds = || TaskKind::ALL.into_iter().filter(|it| *it != TaskKind::Reconciliation);
        for kind in kinds() {
            add(&app, kind, &subject(kind)).await;
            let (node, subject) = (app.app.core.node.to_string(), subject(kind));
            let whose = if kind.is_regular() { node } else { subject };
            dakiya_core::failpoints::arm(
                kind.word(),
                &whose,
                dakiya_core::failpoints::FailAction::Panic,
            );
        }
        let stop = CancellationToken::new();
        let running = tokio::spawn(jobs::run(app.app.clone(), stop.clone(), stop.clone()));
        // All are watched in parallel: a task that is retried soon loses the record of its death.
        let deaths = kinds().map(async |kind| {
            let task = died(&app, kind).await;
            assert_eq!((task.last_error.as_str(), task.attempts), ("panic", 1), "{kind:?}");
            assert!(task.due_ms > app.app.core.clock.now_ms(), "{kind:?} waits");
        });
        futures_util::future::join_all(deaths).await;
        let balance = real_work(&app, &asha, "while-others-die").await;
        is_done(&app, &asha, balance, 1).await;
        stop.cancel();
        running.await.expect("an end");
        // Each is retried after its pause; tasks without a subject in the database are removed, the
        // regular ones stay.
        app.app.core.clock.advance_ms(dakiya_core::limits::TRACK_EVERY_MS);
        for kind in kinds() {
            app.round(kind).await;
            let left = find(&app, kind, &subject(kind)).await;
            assert_eq!(left.is_some(), kind.is_regular(), "{kind:?}");
            assert!(left.is_none_or(|task| task.attempts == 0), "{kind:?}");
        }
        app.audit().await;
    });
}

async fn died(app: &TestApp, kind: TaskKind) -> Task {
    eventually(async || {
        let task = find(app, kind, &subject(kind)).await;
        task.filter(|task| !task.last_error.is_empty())
    })
    .await
}

#[test]
fn a_kind_all_of_whose_hands_hang_holds_up_no_other_kind() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(5_000).await;
        let hanging = [TaskKind::CourierOrder, TaskKind::Cancellation, TaskKind::Tracking];
        for kind in hanging {
            for number in 0..kind.rules().at_once + 4 {
                let subject = format!("slow-{}-{number}", kind.word());
                add(&app, kind, &subject).await;
                dakiya_core::failpoints::arm(
                    kind.word(),
                    &subject,
                    dakiya_core::failpoints::FailAction::Stall(3_600_000),
                );
            }
        }
        let (stop, end) = (CancellationToken::new(), CancellationToken::new());
        let running = tokio::spawn(jobs::run(app.app.clone(), stop.clone(), end.clone()));
        let balance = real_work(&app, &asha, "while-others-hang").await;
        is_done(&app, &asha, balance, 1).await;
        stop.cancel();
        // The tasks hang for an hour, and a stop waits for none of them: they have no lease any
        // more. Those of open requests have one, as the process still lives.
        until("it is free", async || {
            let cut_off = find(&app, TaskKind::Tracking, "slow-tracking-0").await;
            cut_off.expect("a task").lease_until_ms == 0
        })
        .await;
        assert_eq!(count_alive(&app).await, 1);
        end.cancel();
        let ended = tokio::time::timeout(patient(30_000), running).await;
        ended.expect("a stop").expect("an end");
        assert_eq!(count_alive(&app).await, 0);
    });
}

/// Counts the processes that are known to live.
async fn count_alive(app: &TestApp) -> i64 {
    let mut conn = app.app.core.store.read().await.expect("a connection");
    let count = sqlx::query_scalar("select count(*) from nodes").fetch_one(&mut *conn);
    count.await.expect("a number")
}

/// True if a worker of this kind was woken.
async fn is_woken(app: &TestApp, kind: TaskKind) -> bool {
    let wake = app.app.core.store.wakes().wait_for_wake(kind);
    tokio::time::timeout(Duration::from_millis(20), wake).await.is_ok()
}

#[test]
fn a_commit_wakes_the_workers_of_tasks_that_are_due_and_a_rollback_wakes_nobody() {
    block_on(async {
        let app = TestApp::start().await;
        let (store, now_ms) = (&app.app.core.store, app.app.core.clock.now_ms());
        let write = async |due_ms: i64, fail: bool| {
            let written = store.write(move |conn| {
                Box::pin(async move {
                    store::tasks::add(conn, TaskKind::Notices, "one", due_ms, now_ms).await?;
                    if fail { Err(Error::WrongMethod) } else { Ok(()) }
                })
            });
            assert_eq!(written.await.is_err(), fail);
            is_woken(&app, TaskKind::Notices).await
        };
        assert!(!write(now_ms, true).await);
        assert!(!write(now_ms + 60_000, false).await);
        assert!(write(now_ms, false).await);
        assert!(!is_woken(&app, TaskKind::Notices).await, "once");
        assert!(!is_woken(&app, TaskKind::Payment).await, "of this kind only");
    });
}

#[test]
fn tasks_that_fail_wait_and_let_the_younger_pass() {
    block_on(async {
        let (app, _, asha) = TestApp::with_user().await;
        let created = create(&asha, 700).await;
        app.pay(&created).await;
        app.app.core.clock.advance_ms(60_000);
        // Older than the payment, as many as run at once, and failing at each try.
        let kind = TaskKind::Payment;
        let bad = (0..kind.rules().at_once).map(|number| format!("failing-{number}"));
        let bad: Vec<String> = bad.collect();
        let old_ms = app.app.core.clock.now_ms() - dakiya_core::limits::HOUR_MS;
        for subject in &bad {
            add_at(&app, kind, subject, old_ms).await;
            for _ in 0..500 {
                dakiya_core::failpoints::arm(
                    kind.word(),
                    subject,
                    dakiya_core::failpoints::FailAction::Panic,
                );
            }
        }
        let round = tokio::time::timeout(forever(), app.round(kind)).await;
        assert!(round.is_ok(), "the old ones are tried again and again");
        assert_eq!(app.balance(&asha).await, Paise::rupees(700));
        for subject in &bad {
            let task = find(&app, kind, subject).await.expect("it waits");
            assert_eq!(task.attempts, 1);
            assert!(task.due_ms > app.app.core.clock.now_ms());
        }
    });
}

#[test]
fn failing_tasks_that_are_always_the_next_are_noticed() {
    let test = "tasks::tasks_that_fail_wait_and_let_the_younger_pass";
    crate::faults::must_fail(test, "errors-do-not-wait");
}

#[test]
fn what_a_dead_process_was_at_is_free_as_soon_as_it_is_silent() {
    block_on(async {
        let app = TestApp::start().await;
        add(&app, TaskKind::Payment, "DKRlost").await;
        let now_ms = app.app.core.clock.now_ms();
        beat_at(&app.app, "one", now_ms).await;
        assert_eq!(claim_at(&app.app, "one", now_ms).await.len(), 1);
        let soon_ms = now_ms + NODE_MS_MAX - 1;
        beat_at(&app.app, "two", soon_ms).await;
        assert_eq!(claim_at(&app.app, "two", soon_ms).await, [], "it lives");
        beat_at(&app.app, "two", soon_ms + 1).await;
        let taken = claim_at(&app.app, "two", soon_ms + 1).await;
        assert_eq!(taken[0].attempts, 2, "the try that died counts");
    });
}

/// Writes the heartbeat of a process.
async fn beat_at(app: &App, node: &'static str, at_ms: i64) {
    let until_ms = at_ms + NODE_MS_MAX;
    let beat = app.core.store.write(move |conn| {
        Box::pin(async move { store::tasks::record_heartbeat(conn, node, at_ms, until_ms).await })
    });
    beat.await.expect("a heartbeat");
}

/// Claims the due payments for a process.
async fn claim_at(app: &App, node: &str, at_ms: i64) -> Vec<ClaimedTask> {
    let node = node.to_owned();
    let claim = app.core.store.write(move |conn| {
        Box::pin(async move { store::tasks::claim(conn, TaskKind::Payment, &node, at_ms, 9).await })
    });
    claim.await.expect("tasks")
}

#[test]
fn after_an_outage_the_first_heartbeat_takes_no_lease_from_a_process_that_is_alive() {
    block_on(async {
        let app = TestApp::start().await;
        add(&app, TaskKind::Payment, "DKRkept").await;
        let now_ms = app.app.core.clock.now_ms();
        for node in ["one", "two"] {
            beat_at(&app.app, node, now_ms).await;
        }
        assert_eq!(claim_at(&app.app, "one", now_ms).await.len(), 1);
        // The database did not answer for a while.
        let after_ms = now_ms + 3 * NODE_MS_MAX;
        beat_at(&app.app, "two", after_ms).await;
        assert_eq!(claim_at(&app.app, "two", after_ms).await, [], "it has not had its turn");
        beat_at(&app.app, "one", after_ms + 100).await;
        beat_at(&app.app, "two", after_ms + 2_000).await;
        assert_eq!(claim_at(&app.app, "two", after_ms + 2_000).await, [], "it lives");
        beat_at(&app.app, "two", after_ms + 100 + NODE_MS_MAX).await;
        let taken = claim_at(&app.app, "two", after_ms + 100 + NODE_MS_MAX).await;
        assert_eq!(taken.len(), 1, "it has died since");
    });
}

#[test]
fn a_server_whose_clock_is_an_hour_wrong_takes_nobodys_lease_and_loses_none() {
    block_on(async {
        let app = TestApp::start().await;
        let (other, _) = app.second_server().await;
        for wrong_ms in [HOUR_MS, -HOUR_MS] {
            other.core.clock.misset_ms(wrong_ms);
            for server in [&other, &app.app] {
                beat(&app, server).await;
            }
            for (server, name) in [(&app.app, "right"), (&other, "wrong")] {
                let due_ms = app.app.core.clock.now_ms() - 60_000;
                add_at(&app, TaskKind::Payment, &format!("{name}-{wrong_ms}"), due_ms).await;
                let now_ms = server.core.clock.now_ms();
                assert_eq!(claim_at(server, &server.core.node, now_ms).await.len(), 1, "{name}");
            }
            for server in [&other, &app.app, &other, &app.app] {
                beat(&app, server).await;
                jobs::run_due(server, TaskKind::Payment).await.expect("a round");
            }
            for name in ["right", "wrong"] {
                let subject = format!("{name}-{wrong_ms}");
                let task = find(&app, TaskKind::Payment, &subject).await;
                assert_eq!(task.expect("it is leased").attempts, 1, "{subject}");
            }
        }
        // Times that such a server writes are right too.
        let ahead_ms = other.core.clock.now_ms() - app.app.core.clock.now_ms();
        assert!(ahead_ms.abs() < HOUR_MS / 2, "{ahead_ms}");
    });
}

/// Writes a server's heartbeat, and makes all of them last, however slow this machine is.
async fn beat(app: &TestApp, server: &App) {
    jobs::beat(server).await.expect("a heartbeat");
    let last = "update nodes set alive_until_ms = alive_until_ms + 600000";
    app.tamper(last).await.expect("they last");
}

#[cfg(feature = "faults")]
#[test]
fn the_test_of_a_wrong_clock_fails_when_it_is_not_corrected() {
    let test = "tasks::a_server_whose_clock_is_an_hour_wrong_takes_nobodys_lease_and_loses_none";
    crate::faults::must_fail(test, "clock-uncorrected");
}

#[test]
fn of_many_who_take_at_once_each_task_is_given_to_one() {
    block_on(async {
        let app = TestApp::start().await;
        let (other, _) = app.second_server().await;
        for number in 0..60 {
            add(&app, TaskKind::Payment, &format!("DKR{number}")).await;
        }
        let now_ms = app.app.core.clock.now_ms() + 1_000;
        let takers = (0..12).map(|taker| {
            let core = [&app.app.core, &other.core][taker % 2].clone();
            async move {
                let node = format!("node-{taker}");
                let claim = core.store.write(move |conn| {
                    Box::pin(async move {
                        store::tasks::claim(conn, TaskKind::Payment, &node, now_ms, 7).await
                    })
                });
                claim.await.expect("tasks")
            }
        });
        let taken = futures_util::future::join_all(takers).await;
        assert!(taken.iter().all(|taken| taken.len() <= 7), "more than asked");
        let all = taken.concat();
        let mut subjects: Vec<&str> = all.iter().map(|task| task.subject.as_str()).collect();
        subjects.sort_unstable();
        subjects.dedup();
        assert_eq!(subjects.len(), all.len(), "given twice");
        assert!(all.iter().all(|task| task.attempts == 1));
    });
}

#[test]
fn more_old_rows_than_one_transaction_deletes_are_gone_after_one_run() {
    block_on(async {
        let app = TestApp::start().await;
        let now_ms = app.app.core.clock.now_ms();
        let old_ms = now_ms - dakiya_core::limits::SECURITY_EVENT_MS_MAX;
        let most = dakiya_core::limits::SWEPT_ROWS;
        // Twice as many as one transaction deletes, and one more; and one that stays.
        let events = format!(
            "insert into security_events (event_id, user_id, act, result, subject_id, address,
               device, created_ms)
             with recursive numbers (n) as (
               select 0 union all select n + 1 from numbers where n <= 2 * {most})
             select 'old-' || n, null, 'login', 'done', '', '', '',
               case when n = 0 then {now_ms} else {old_ms} - n end from numbers"
        );
        app.tamper(&events).await.expect("events");
        jobs::delete_expired(&app.app).await.expect("upkeep");
        let mut conn = app.app.core.store.read().await.expect("a connection");
        let left = "select event_id from security_events where event_id like 'old-%'";
        let left: Vec<String> = sqlx::query_scalar(left).fetch_all(&mut *conn).await.expect("ids");
        assert_eq!(left, ["old-0"]);
    });
}

#[test]
fn health_tells_the_age_of_the_oldest_task_of_each_kind_and_turns_nobody_away_for_it() {
    block_on(async {
        let app = TestApp::start().await;
        let operators = app.operators().await;
        let of = async |kind: TaskKind| -> Value {
            let health = operators.get("/healthz").await.expect(200).json();
            assert_eq!(health["status"], "ok");
            assert_eq!(health["redraw_weaknesses"], json!(["landlock"]));
            let tasks = health["tasks"].as_array().expect("kinds").clone();
            let found = tasks.into_iter().find(|it| it["kind"] == kind.word());
            found.expect("each kind is told")
        };
        for kind in TaskKind::ALL {
            let none = json!({"kind": kind.word(), "oldest_seconds": 0, "quarantined": 0});
            assert_eq!(of(kind).await, none);
        }
        add(&app, TaskKind::Tracking, "waits").await;
        app.app.core.clock.advance_ms(90_000);
        let age = of(TaskKind::Tracking).await["oldest_seconds"].as_i64();
        assert!((90..100).contains(&age.expect("seconds")), "{age:?}");
        let now_ms = app.app.core.clock.now_ms();
        let left = app.app.core.store.write(move |conn| {
            Box::pin(async move {
                let kind = TaskKind::Tracking;
                store::tasks::quarantine(conn, kind, "waits", "courier_gone", now_ms).await
            })
        });
        left.await.expect("quarantined");
        let shown = of(TaskKind::Tracking).await;
        assert_eq!((&shown["oldest_seconds"], &shown["quarantined"]), (&json!(0), &json!(1)));
        // Strangers are told no figures.
        let public = app.anon().get("/healthz").await.expect(200).json();
        assert_eq!(public, json!({"status": "ok"}));
        app.anon().get("/metrics").await.expect(404);
        operators.get("/metrics").await.expect(200);
        operators.get("/login").await.expect(404);
    });
}
