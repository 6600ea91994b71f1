//! The regular audits: in pieces, beside bookings, over interruptions, and loud when they fail.

use dakiya::jobs;
use dakiya_core::failpoints::{FailAction, arm};
use dakiya_core::limits::{AUDIT_EVERY_MS, AUDIT_WHOLE_EVERY_MS};
use dakiya_core::model::task::{Task, TaskKind};
use dakiya_core::store::audit::Walk;
use dakiya_core::store::audit_rounds::AuditRounds;
use dakiya_core::store::{self, audit_rounds};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use crate::app::{Actor, TestApp, block_on};
use crate::bookings::book_to;
use crate::databases::fresh_database;
use crate::metrics::{Server, total};
use crate::patience::{eventually, until};

/// Adds the task of the regular audit, due now.
pub async fn add_task(app: &TestApp) {
    let now_ms = app.app.core.clock.now_ms();
    let add = app.app.core.store.write(move |conn| {
        Box::pin(async move {
            let kind = TaskKind::Audit;
            store::tasks::add(conn, kind, kind.word(), now_ms, now_ms).await
        })
    });
    add.await.expect("a task");
}

async fn task(app: &TestApp, kind: TaskKind) -> Option<Task> {
    let mut conn = app.app.core.store.read().await.expect("a connection");
    store::tasks::find(&mut conn, kind, kind.word()).await.expect("an answer")
}

async fn rounds(app: &TestApp) -> AuditRounds {
    let mut conn = app.app.core.store.read().await.expect("a connection");
    audit_rounds::find(&mut conn).await.expect("the row")
}

/// Runs the audits that are due, `later_ms` from now.
pub async fn audit_later(app: &TestApp, later_ms: i64) -> AuditRounds {
    app.app.core.clock.advance_ms(later_ms);
    app.round(TaskKind::Audit).await;
    rounds(app).await
}

/// Stores a walk in pieces of one row as the audit under way.
async fn begin_small(app: &TestApp) {
    let walk = Walk::whole(None).in_pieces_of(1);
    let walk = serde_json::to_string(&walk).expect("JSON");
    app.tamper(&format!("update audit_rounds set progress = '{walk}'")).await.expect("a change");
}

/// Runs the command. Returns its success and output.
fn command(app: &TestApp) -> (bool, String) {
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_dakiya"))
        .arg("audit")
        .env("DATABASE_URL", &app.app.web.config.database_url)
        .output()
        .expect("the command runs");
    let said = [output.stdout, output.stderr].concat();
    (output.status.success(), String::from_utf8(said).expect("text"))
}

/// Walks to the end in pieces of one row, as a new process after each. While `more` bookings are
/// left, one of them follows after every third piece, and the cancellation of every second one.
async fn walk_beside_bookings(app: &TestApp, asha: &Actor, walk: Walk, mut more: usize) -> Walk {
    let mut walk = walk.in_pieces_of(1);
    let mut pieces = 0;
    while !walk.is_done() {
        let stored = serde_json::to_string(&walk).expect("JSON");
        let stored = serde_json::from_str(&stored).expect("a walk");
        walk = app.app.core.store.audit_piece(stored).await.expect("a piece");
        pieces += 1;
        // Each booking is not sealed yet while one piece is checked.
        if pieces % 3 == 1 {
            app.seal().await;
        }
        if pieces % 3 == 0 && more > 0 {
            more -= 1;
            let booked = book_to(asha, "Meera").await;
            let cancel = format!("/api/v1/shipping/booking/{}/cancel/", booked.id);
            if more.is_multiple_of(2) {
                asha.post(&cancel, json!({})).await.expect(200);
            }
        }
    }
    assert!(pieces > 10, "{pieces} pieces");
    assert_eq!(more, 0, "all were booked before the end");
    walk
}

#[test]
fn bookings_between_the_pieces_of_an_audit_are_no_fault() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(50_000).await;
        for name in ["Ravi", "Meera", "Asha"] {
            book_to(&asha, name).await;
        }
        app.seal().await;
        let walk = walk_beside_bookings(&app, &asha, Walk::whole(None), 8).await;
        assert_eq!(walk.findings(), []);
        // The next one begins where that one was in the books.
        for _ in 0..8 {
            book_to(&asha, "Ravi").await;
        }
        app.seal().await;
        let since = Walk::since(walk.chain().clone());
        let walk = walk_beside_bookings(&app, &asha, since, 2).await;
        assert_eq!(walk.findings(), []);
        let audit = app.app.core.store.audit(walk.chain().head().as_ref()).await.expect("an audit");
        assert_eq!((audit.faults, audit.head), (vec![], walk.chain().head()));
    });
}

#[test]
fn an_audit_goes_on_after_its_last_piece_and_one_of_everything_finds_an_older_change() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(5_000).await;
        book_to(&asha, "Meera").await;
        app.seal().await;
        add_task(&app).await;
        begin_small(&app).await;
        arm("audit_piece", &app.app.core.node, FailAction::Panic);
        app.round(TaskKind::Audit).await;
        let died = rounds(&app).await;
        assert_eq!((died.pieces, died.figures.passed_ms), (1, 0));
        assert!(died.progress.is_some(), "the first piece is kept");
        assert_eq!(task(&app, TaskKind::Audit).await.expect("a task").last_error, "panic");

        // A change of a transaction that was checked before.
        app.disarm("ledger_transactions").await;
        let first = "transaction_id = (select transaction_id from ledger_seals where seq = 1)";
        let describe = |text: &str| {
            format!("update ledger_transactions set description = '{text}' where {first}")
        };
        let was = format!("select description from ledger_transactions where {first}");
        let was = super::text(&app, &was).await;
        app.tamper(&describe("A gift")).await.expect("a change");
        let went_on = audit_later(&app, 60_000).await;
        assert!(went_on.pieces > 10 && went_on.progress.is_none(), "{}", went_on.pieces);
        assert_eq!(went_on.figures.faults, 0);
        assert_eq!(went_on.figures.passed_ms, went_on.figures.passed_whole_ms);
        let newest = audit_later(&app, AUDIT_EVERY_MS).await;
        assert_eq!(newest.pieces, went_on.pieces + 1, "only what is new");
        assert!(newest.figures.passed_ms > newest.figures.passed_whole_ms);

        // The command looks at everything, and so does the server once a day.
        let (clean, said) = command(&app);
        assert!(!clean && said.contains("transaction 1: does not match its hash"), "{said}");
        let whole = audit_later(&app, AUDIT_WHOLE_EVERY_MS).await;
        assert_eq!(whole.figures.faults, 1);
        assert_eq!(whole.figures.passed_ms, newest.figures.passed_ms);
        // The fault stays in the figures until everything is in order again.
        assert_eq!(audit_later(&app, AUDIT_EVERY_MS).await.figures.faults, 1);
        app.tamper(&describe(&was)).await.expect("a change");
        let mended = audit_later(&app, AUDIT_EVERY_MS).await.figures;
        assert_eq!((mended.faults, mended.passed_ms), (0, mended.passed_whole_ms));
        assert!(command(&app).0);
    });
}

#[test]
fn an_audit_whose_lease_is_over_keeps_nothing() {
    block_on(async {
        let (app, _, _) = TestApp::with_money(100).await;
        add_task(&app).await;
        let refused = app.app.web.books.audit(&app.app.files).await;
        assert!(refused.is_err(), "the task is not leased to this server");
        let rounds = rounds(&app).await;
        assert_eq!((rounds.pieces, rounds.figures.passed_ms), (0, 0));
        assert!(rounds.progress.is_none());
    });
}

#[test]
fn an_audit_that_fails_needs_an_operator_within_minutes() {
    block_on(async {
        let (app, _, _) = TestApp::with_money(100).await;
        let operators = app.operators().await;
        add_task(&app).await;
        begin_small(&app).await;
        app.tamper("alter table weight_claims rename to hidden_claims").await.expect("a change");
        for later_ms in [0, 60_000, 120_000, 180_000] {
            let failed = audit_later(&app, later_ms).await;
            assert_eq!(failed.figures.passed_ms, 0);
            assert!(failed.pieces > 0 && failed.progress.is_some(), "it stands before the fault");
        }
        let left = task(&app, TaskKind::Audit).await.expect("a task");
        assert!(left.quarantined_ms > 0, "{left:?}");
        let health = operators.get("/healthz").await.expect(200).json();
        let kinds = health["tasks"].as_array().expect("kinds").clone();
        let shown = kinds.into_iter().find(|it: &Value| it["kind"] == "audit").expect("audits");
        assert_eq!(shown["quarantined"], 1);
        // The operator mends the cause and tries it again.
        app.tamper("alter table hidden_claims rename to weight_claims").await.expect("a change");
        let now_ms = app.app.core.clock.now_ms();
        let retry = app.app.core.store.write(move |conn| {
            Box::pin(async move {
                store::tasks::retry(conn, TaskKind::Audit, TaskKind::Audit.word(), now_ms).await
            })
        });
        assert!(retry.await.expect("an answer"));
        let passed = audit_later(&app, 0).await;
        assert!(passed.figures.passed_whole_ms > 0 && passed.figures.faults == 0);
    });
}

#[test]
fn a_start_does_not_make_the_next_audit_due() {
    block_on(async {
        let (app, _, _) = TestApp::with_money(100).await;
        add_task(&app).await;
        let before = audit_later(&app, 0).await;
        let due_ms = task(&app, TaskKind::Audit).await.expect("a task").due_ms;
        assert!(due_ms > app.app.core.clock.now_ms());
        let stop = CancellationToken::new();
        let running = tokio::spawn(jobs::run(app.app.clone(), stop.clone(), stop.clone()));
        // The upkeep is due at each start, and then after some minutes.
        let soon_ms = app.app.core.clock.now_ms() + 60_000;
        until("the upkeep ran", async || {
            let upkeep = task(&app, TaskKind::Upkeep).await;
            upkeep.is_some_and(|it| it.lease_until_ms == 0 && it.due_ms > soon_ms)
        })
        .await;
        stop.cancel();
        running.await.expect("an end");
        assert_eq!(task(&app, TaskKind::Audit).await.expect("a task").due_ms, due_ms);
        assert_eq!(rounds(&app).await.pieces, before.pieces);
    });
}

#[test]
fn the_metrics_tell_when_the_books_were_last_found_in_order() {
    block_on(async {
        let folder = tempfile::TempDir::new().expect("a folder");
        let database = fresh_database(folder.path()).await;
        let server = Server::start(folder.path(), &database).await;
        for of in ["newest", "everything"] {
            let name = "dakiya_audited_timestamp_seconds";
            let told = eventually(async || {
                let seconds = total(&server.scrape().await, name, &[("of", of)]);
                (seconds > 0.0).then_some(seconds)
            })
            .await;
            let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
            let age = now.expect("a time").as_secs_f64() - told;
            assert!((-1.0..600.0).contains(&age), "{age} s");
        }
        assert!(server.running.stop());
    });
}
