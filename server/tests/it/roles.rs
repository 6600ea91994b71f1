//! Processes that only serve customers, or only do background work.

use std::time::Duration;

use dakiya::jobs;
use dakiya_core::model::task::TaskKind;
use dakiya_core::store;
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use crate::app::{Actor, TestApp, block_on};
use crate::operators::{dakiya, dakiya_with};
use crate::patience::until;
use crate::program::Program;

/// Tasks of this kind are removed if their booking is not there.
const KIND: TaskKind = TaskKind::Tracking;

/// Adds a task of a booking that is not there.
async fn add(app: &TestApp) {
    let now_ms = app.app.core.clock.now_ms();
    let added = app.app.core.store.write(move |conn| {
        Box::pin(async move { store::tasks::add(conn, KIND, "gone", now_ms, now_ms).await })
    });
    added.await.expect("a task");
}

/// True while the task waits, and nobody has begun it.
async fn waits(app: &TestApp) -> bool {
    let mut conn = app.app.core.store.read().await.expect("a connection");
    let task = store::tasks::find(&mut conn, KIND, "gone").await.expect("an answer");
    task.is_some_and(|task| task.attempts == 0)
}

#[test]
fn a_worker_does_the_tasks_of_others_and_serves_checks_alone() {
    block_on(async {
        let app = TestApp::start().await;
        let config = &app.app.web.config;
        let more = vec![
            ("DATABASE_URL", config.database_url.clone()),
            ("DAKIYA_SANDBOX_LISTEN", "127.0.0.1:0".to_owned()),
            ("DAKIYA_ROLES", "worker".to_owned()),
        ];
        let worker = Program::new(&config.data_dir, more);
        let mut running = worker.start();
        worker.ready(&mut running).await;
        let anon = Actor::at(&worker.url);
        for path in ["/livez", "/readyz", "/healthz"] {
            anon.get(path).await.expect(200);
        }
        for path in ["/", "/login", "/api/v1/nothing", "/robots.txt", "/metrics"] {
            let refused = anon.get(path).await.expect(404);
            assert!(refused.text().contains("does background work"), "{path}");
            assert_eq!(refused.header("x-content-type-options"), "nosniff", "{path}");
        }
        add(&app).await;
        until("it is done", async || !waits(&app).await).await;
        assert!(running.stop());
    });
}

#[test]
fn a_process_that_serves_customers_alone_begins_no_task() {
    block_on(async {
        let app = TestApp::start_with(&[("DAKIYA_ROLES", "web")]).await;
        let end = CancellationToken::new();
        let running = tokio::spawn(jobs::run(app.app.clone(), end.clone(), end.clone()));
        add(&app).await;
        until("it is known to live", async || {
            let mut conn = app.app.core.store.read().await.expect("a connection");
            let alive = sqlx::query_scalar("select count(*) from nodes").fetch_one(&mut *conn);
            let alive: i64 = alive.await.expect("a number");
            alive == 1
        })
        .await;
        sleep(Duration::from_millis(500)).await;
        assert!(waits(&app).await);
        app.anon().get("/login").await.expect(200);
        end.cancel();
        running.await.expect("an end");
        app.round(KIND).await;
        assert!(!waits(&app).await);
    });
}

#[test]
fn roles_are_named_on_the_command_line_too() {
    block_on(async {
        let app = TestApp::start().await;
        dakiya(&app, "--role nobody").refused("DAKIYA_ROLES must be web, worker, or both");
        let refused = "--role is for a server, and not for a command";
        dakiya(&app, "--role web check").refused(refused);
        let checked = dakiya_with(&app, "check", &[("DAKIYA_ROLES", "web")]);
        assert!(checked.out.contains("another server must do the background work"), "{checked:?}");
    });
}
