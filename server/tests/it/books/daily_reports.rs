//! The gateway's reports in a folder: read automatically, reported when missing.

use std::path::Path;

use dakiya::jobs;
use dakiya_core::limits::HOUR_MS;
use dakiya_core::model::calendar::midnight_in_india;
use dakiya_core::model::task::TaskKind;
use dakiya_core::providers::files::Inbound;
use dakiya_core::services::books::daily_reports::ReportsRead;
use dakiya_core::store;
use time::{Date, Duration};
use tokio_util::sync::CancellationToken;

use super::reconciliation::{report, today};
use super::text;
use crate::app::{TestApp, block_on};
use crate::kyc::s3::{BUCKET, S3};
use crate::patience::until;
use crate::payments::shop::borrowed;

const KIND: TaskKind = TaskKind::Reconciliation;

async fn look(app: &TestApp, folder: &Path) -> ReportsRead {
    let folder = Inbound::Folder(folder.to_owned());
    let done = app.app.web.books.reconcile_reports(&folder).await;
    done.expect("a look into the folder")
}

#[test]
fn a_report_in_the_folder_is_read_and_a_late_one_is_missed() {
    block_on(async {
        let (app, _, _) = TestApp::with_money(500).await;
        let folder = tempfile::TempDir::new().expect("a folder");
        let (day, good) = (today(&app), report(&app).await);
        let file = folder.path().join(format!("{day}.csv"));
        let put = |text: &str| std::fs::write(&file, text).expect("written");
        let found = |read: usize, missing: usize, open: usize| ReportsRead {
            read: vec![day; read],
            missing: vec![day; missing],
            open,
        };
        // The current day is not over, and its report is late only from noon of the next day.
        put(&good);
        assert_eq!(look(&app, folder.path()).await, found(0, 0, 0));
        std::fs::remove_file(&file).expect("removed");
        let morning = midnight_in_india(day + Duration::DAY) + 11 * HOUR_MS;
        let clock = &app.app.core.clock;
        clock.advance_ms(morning - clock.now_ms());
        assert_eq!(look(&app, folder.path()).await, found(0, 0, 0));
        clock.advance_ms(HOUR_MS);
        assert_eq!(look(&app, folder.path()).await, found(0, 1, 0));
        put("no report");
        assert_eq!(look(&app, folder.path()).await, found(0, 1, 0));
        // A report with open items is read again until it has none.
        put(&good.replace("500.00", "499.00"));
        for _ in 0..2 {
            assert_eq!(look(&app, folder.path()).await, found(1, 0, 1));
        }
        put("no report");
        assert_eq!(look(&app, folder.path()).await, found(0, 0, 1));
        put(&good);
        assert_eq!(look(&app, folder.path()).await, found(1, 0, 0));
        assert_eq!(look(&app, folder.path()).await, found(0, 0, 0));
    });
}

/// A report with a payment that we do not know.
async fn foreign(app: &TestApp) -> String {
    let head = report(app).await;
    let row = "M,PAYMENT,DKRforeign,DKRforeign,OMO9,OM-1,300.00,2026-11-21 10:00:00,COMPLETED";
    format!("{head}{row}\n")
}

/// Makes the task due.
async fn begin(app: &TestApp) {
    let now_ms = app.app.core.clock.now_ms();
    let begin = app.app.core.store.write(move |conn| {
        Box::pin(async move { store::tasks::add(conn, KIND, KIND.word(), now_ms, now_ms).await })
    });
    begin.await.expect("the task");
}

/// Asserts that the server reads the report of this day by itself.
async fn reads(app: &TestApp, day: Date) {
    begin(app).await;
    app.round(KIND).await;
    let open = "select kind || ' ' || merchant_order_id || ' ' || day \
                from reconciliation_exceptions where closed_ms is null";
    assert_eq!(text(app, open).await, format!("unknown_here DKRforeign {day}"));
}

#[test]
fn a_running_server_reads_yesterdays_report_by_itself() {
    block_on(async {
        let folder = tempfile::TempDir::new().expect("a folder");
        let path = folder.path().display().to_string();
        let app = TestApp::start_with(&[("DAKIYA_GATEWAY_REPORTS", &path)]).await;
        let day = today(&app) - Duration::DAY;
        let file = folder.path().join(format!("{day}.csv"));
        std::fs::write(file, foreign(&app).await).expect("written");
        reads(&app, day).await;
    });
}

#[test]
fn reports_in_a_bucket_are_read_as_well() {
    block_on(async {
        let s3 = S3::start().await;
        let mut settings = s3.settings("kyc");
        settings.push(("DAKIYA_GATEWAY_REPORTS", format!("s3://{BUCKET}/reports")));
        let app = TestApp::start_with(&borrowed(&settings)).await;
        let day = today(&app) - Duration::DAY;
        s3.store(&format!("reports/{day}.csv"), foreign(&app).await);
        reads(&app, day).await;
    });
}

#[test]
fn a_server_that_knows_no_place_of_reports_leaves_them_to_one_that_does() {
    block_on(async {
        let app = TestApp::start().await;
        begin(&app).await;
        let end = CancellationToken::new();
        let running = tokio::spawn(jobs::run(app.app.clone(), end.clone(), end.clone()));
        let done = async |kind: TaskKind| {
            let mut conn = app.app.core.store.read().await.expect("a connection");
            let task = store::tasks::find(&mut conn, kind, kind.word()).await.expect("an answer");
            task.is_some_and(|task| task.attempts > 0 || task.due_ms > app.app.core.clock.now_ms())
        };
        until("another regular task is done", async || done(TaskKind::Audit).await).await;
        assert!(!done(KIND).await);
        end.cancel();
        running.await.expect("an end");
    });
}
