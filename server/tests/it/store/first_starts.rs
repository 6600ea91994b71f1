//! Many starts at once, on a database that each would change, and commands, which change no schema.

use std::time::{Duration, Instant};

use dakiya::app::App;
use dakiya_core::config::Config;
use dakiya_core::limits;
use dakiya_core::store::{Backend, SchemaChanges, Store};
use futures_util::future::join_all;
use sqlx::Connection as _;
use tempfile::TempDir;

use super::triggers;
use crate::app::{TestApp, block_on};
use crate::databases::{empty_database, run_sql};
use crate::operators::{dakiya, dakiya_with, rows, unchanged};

/// Forgets the newest migration, so that this program finds the schema older than its own.
pub const FORGET_ONE: &str = "delete from _sqlx_migrations
    where version = (select max(version) from _sqlx_migrations)";

/// Opens the database as twenty servers that start at once. All must succeed.
async fn start_at_once(url: &str) {
    let starts = (0..20).map(|_| Store::migrate(url));
    for start in join_all(starts).await {
        start.expect("a start");
    }
}

/// Removes a trigger.
async fn weaken(url: &str) {
    let drop = match url.starts_with("sqlite:") {
        true => "drop trigger invoices_no_update",
        false => "drop trigger invoices_no_update on invoices",
    };
    run_sql(url, drop).await.expect("a missing trigger");
}

#[test]
fn twenty_first_starts_at_once_all_succeed() {
    block_on(async {
        for _ in 0..3 {
            let folder = TempDir::new().expect("a folder");
            let url = empty_database(folder.path()).await;
            start_at_once(&url).await;
            let store = Store::open(&url).await.expect("a schema");
            let all = triggers(&store).await.len();
            weaken(&url).await;
            start_at_once(&url).await;
            assert_eq!(triggers(&store).await.len(), all);
            run_sql(&url, FORGET_ONE).await.expect("an older schema");
            start_at_once(&url).await;
            assert_eq!(triggers(&store).await.len(), all);
            store.close().await;
        }
    });
}

#[test]
fn a_migration_that_waits_for_a_table_lets_others_through_and_is_tried_again() {
    block_on(async {
        let app = TestApp::start().await;
        let url = app.app.web.config.database_url.clone();
        if app.app.core.store.backend() == Backend::Sqlite {
            return; // it has one writer
        }
        app.tamper(FORGET_ONE).await.expect("an older schema");
        let mut reader = sqlx::AnyConnection::connect(&url).await.expect("a connection");
        let read = "begin; lock table invoices in access share mode;
                    lock table invoices in row exclusive mode";
        sqlx::raw_sql(read).execute(&mut reader).await.expect("a long transaction");
        let (began, once) = (Instant::now(), Duration::from_millis(limits::MIGRATION_LOCK_MS_MAX));
        let others = async {
            tokio::time::sleep(once + Duration::from_millis(500)).await;
            run_sql(&url, "update invoices set series = series").await.expect("a writer");
            sqlx::raw_sql("rollback").execute(&mut reader).await.expect("an end");
        };
        let (changes, ()) = tokio::join!(Store::migrate(&url), others);
        assert_eq!(changes.expect("a migration").migrations, ["0012 append only"]);
        assert!(began.elapsed() > once);
    });
}

#[test]
fn no_command_but_migrate_changes_a_schema() {
    block_on(async {
        let app = TestApp::start().await;
        let store = &app.app.core.store;
        assert_eq!(dakiya(&app, "migrate").out, "The database is up to date.\n");
        app.tamper(FORGET_ONE).await.expect("an older schema");
        let url = &app.app.web.config.database_url;
        weaken(url).await;
        let (before, without) = (rows(&app).await, triggers(store).await);
        for line in [
            "orders list",
            "audit",
            "tasks list",
            "users freeze asha --reason why --as ravi",
            "rates show --from 110001 --to 400001 --weight 1",
        ] {
            dakiya(&app, line).refused("run `dakiya migrate`");
        }
        let never = Config { migrate_at_start: false, ..(*app.app.web.config).clone() };
        let refused = App::start(never.clone()).await.err().expect("a refusal");
        assert!(format!("{refused:#}").contains("run `dakiya migrate`"), "{refused:#}");
        unchanged(&app, &before).await;
        assert_eq!(triggers(store).await, without);

        let migrated = dakiya(&app, "migrate --json").json();
        assert_eq!(migrated["migrations"][0], "0012 append only");
        assert_eq!(triggers(store).await.len(), without.len() + 1);
        assert_eq!(dakiya(&app, "orders list").code, 0);
        App::start(never).await.expect("it starts");
        weaken(url).await;
        assert_eq!(dakiya(&app, "audit").code, 0);
        assert_eq!(triggers(store).await.len(), without.len());
        let out = dakiya(&app, "migrate").out;
        assert_eq!(out, "1 trigger restored.\nThe database is up to date.\n");
    });
}

#[test]
fn a_command_makes_no_database() {
    block_on(async {
        let app = TestApp::start().await;
        let folder = TempDir::new().expect("a folder");
        let file = folder.path().join("dakiya.sqlite");
        let url = format!("sqlite://{}", file.display());
        let variables = [("DATABASE_URL", url.as_str())];
        dakiya_with(&app, "orders list", &variables).refused("creates it");
        assert!(!file.exists());
        let changes = Store::migrate(&url).await.expect("a database");
        assert!(changes.migrations.len() > 10, "{changes:?}");
        assert_eq!(Store::migrate(&url).await.expect("it"), SchemaChanges::default());
    });
}
