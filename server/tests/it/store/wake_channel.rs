//! Processes that share a Postgres wake each other's workers.

use dakiya_core::store::Store;
use tokio::time::timeout;

use crate::app::block_on;
use crate::patience::forever;

#[test]
fn nobody_listens_on_sqlite_and_behind_pgbouncer() {
    block_on(async {
        for url in ["sqlite:///nowhere", "postgres://dakiya@localhost/dakiya?pgbouncer=true"] {
            let store = Store::unopened(url).expect("a store");
            timeout(forever(), store.exchange_wakes()).await.expect("an end");
        }
    });
}

/// The binary under test must have been built with the faults.
#[cfg(feature = "faults")]
mod with_faults {
    use dakiya_core::model::task::TaskKind;
    use dakiya_core::store;
    use dakiya_core::store::Backend;

    use crate::app::{TestApp, block_on};
    use crate::patience::until;
    use crate::program::Program;

    /// Waits until so many processes listen.
    async fn wait_for_listeners(app: &TestApp, count: i64) {
        until("they listen", async || {
            let mut conn = app.app.core.store.read().await.expect("a connection");
            let listening = "select count(*) from pg_stat_activity
                             where datname = current_database()
                               and application_name = 'dakiya-wakes'";
            let listening = sqlx::query_scalar(listening).fetch_one(&mut *conn).await;
            let listening: i64 = listening.expect("a number");
            listening == count
        })
        .await;
    }

    /// Adds a task of a booking that is not there, and waits until another process has removed it.
    async fn wait_until_done(app: &TestApp, booking: &str) {
        let (kind, now_ms) = (TaskKind::Tracking, app.app.core.clock.now_ms());
        let subject = booking.to_owned();
        let added = app.app.core.store.write(move |conn| {
            Box::pin(async move { store::tasks::add(conn, kind, &subject, now_ms, now_ms).await })
        });
        added.await.expect("a task");
        until("it is done", async || {
            let mut conn = app.app.core.store.read().await.expect("a connection");
            store::tasks::find(&mut conn, kind, booking).await.expect("an answer").is_none()
        })
        .await;
    }

    #[test]
    fn a_task_made_by_one_process_is_begun_by_another_without_a_poll() {
        block_on(async {
            let app = TestApp::start().await;
            if app.app.core.store.backend() == Backend::Sqlite {
                return; // one process
            }
            let ours = app.app.core.store.clone();
            let exchanging = tokio::spawn(async move { ours.exchange_wakes().await });
            let config = &app.app.web.config;
            let more = vec![
                ("DATABASE_URL", config.database_url.clone()),
                ("DAKIYA_SANDBOX_LISTEN", "127.0.0.1:0".to_owned()),
                ("DAKIYA_FAULT", "tasks-not-polled".to_owned()),
            ];
            let worker = Program::new(&config.data_dir, more);
            let mut running = worker.start();
            worker.ready(&mut running).await;
            for round in 0..2 {
                wait_for_listeners(&app, 2).await;
                // The first may be found when the other begins to listen.
                for number in 0..3 {
                    wait_until_done(&app, &format!("gone-{round}-{number}")).await;
                }
                let hang_up = "select pg_terminate_backend(pid, 5000) from pg_stat_activity
                               where datname = current_database()
                                 and application_name = 'dakiya-wakes'";
                app.tamper(hang_up).await.expect("both hung up");
            }
            exchanging.abort();
            assert!(running.stop());
        });
    }
}
