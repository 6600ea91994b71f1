//! A program beside a newer one: it works on a newer schema as long as that serves it.

use dakiya::app::App;
use dakiya_core::store::Backend;
use serde_json::json;

use super::triggers;
use crate::app::{Actor, TestApp, block_on};
use crate::bookings::book_to;
use crate::operators::{dakiya, rows, unchanged};
use crate::probes::{unready, until_asked_again};

/// Records a migration that this program does not know.
const RECORD: &str = "insert into _sqlx_migrations
      (version, description, success, checksum, execution_time)
    select version + 1, description, success, checksum, execution_time
    from _sqlx_migrations order by version desc limit 1";

/// The newer version adds to the schema and takes nothing away.
const EXPAND: [&str; 3] = [
    "create table parcels_of_the_future (parcel text not null primary key)",
    "create index bookings_of_the_future on bookings (created_ms, awb)",
    RECORD,
];

/// Tables that get another column.
const WIDENED: [&str; 9] = [
    "bookings",
    "charges",
    "courier_orders",
    "kyc_documents",
    "ledger_transactions",
    "payment_orders",
    "sessions",
    "tasks",
    "users",
];

/// A later one works with programs only that know the one before it.
const CONTRACT: &str = "update oldest_served_program
    set migration = (select max(version) from _sqlx_migrations)";

async fn expand(app: &TestApp) {
    for statement in EXPAND {
        app.tamper(statement).await.expect(statement);
    }
    for table in WIDENED {
        let widen = format!("alter table {table} add column of_the_future text");
        app.tamper(&widen).await.expect(table);
    }
}

/// Books and cancels, so that the same statements run before and after a change of the schema.
async fn books_and_cancels(asha: &Actor, receiver: &str) {
    let booked = book_to(asha, receiver).await;
    let cancel = format!("/api/v1/shipping/booking/{}/cancel/", booked.id);
    asha.post(&cancel, json!({})).await.expect(200);
    asha.page("/dashboard").await.expect(200);
    asha.page("/account").await.expect(200);
}

#[test]
fn a_program_serves_and_starts_on_a_newer_schema_that_still_serves_it() {
    block_on(async {
        let (app, anon, asha) = TestApp::with_money(5_000).await;
        books_and_cancels(&asha, "Ravi").await;
        expand(&app).await;
        until_asked_again().await;
        anon.get("/readyz").await.expect(200);
        books_and_cancels(&asha, "Meera").await;
        let (old, url) = app.second_server().await;
        let mut there = Actor::at(&url);
        there.username = asha.username.clone();
        there.log_in().await;
        books_and_cancels(&there, "Kiran").await;
        old.core.store.close().await;
        app.audit().await;
        assert_eq!(dakiya(&app, "audit").code, 0);
        let checked = dakiya(&app, "check");
        assert!(checked.out.contains("this one still works on it"), "{checked:?}");
    });
}

#[test]
fn an_older_program_leaves_a_newer_schema_as_it_is() {
    block_on(async {
        let app = TestApp::start().await;
        let store = &app.app.core.store;
        expand(&app).await;
        // The newer version has replaced it by another one.
        let drop = match store.backend() {
            Backend::Sqlite => "drop trigger invoices_no_update",
            Backend::Postgres => "drop trigger invoices_no_update on invoices",
        };
        app.tamper(drop).await.expect("a trigger less");
        let before = triggers(store).await;
        App::start((*app.app.web.config).clone()).await.expect("it starts");
        let migrated = dakiya(&app, "migrate");
        assert!(migrated.out.contains("Nothing was changed."), "{migrated:?}");
        assert_eq!(triggers(store).await, before);
    });
}

#[test]
fn a_schema_that_serves_only_newer_programs_is_refused() {
    block_on(async {
        let app = TestApp::start().await;
        let anon = app.anon();
        expand(&app).await;
        app.tamper(CONTRACT).await.expect("another rule");
        assert_eq!(unready(&anon).await, "schema");
        let before = rows(&app).await;
        for line in ["orders list", "migrate", "users freeze asha --reason why --as ravi"] {
            dakiya(&app, line).refused("use the newer version");
        }
        assert_eq!(dakiya(&app, "check").code, 1);
        let refused = App::start((*app.app.web.config).clone()).await.err().expect("a refusal");
        assert!(format!("{refused:#}").contains("use the newer version"), "{refused:#}");
        unchanged(&app, &before).await;
        // The newer version is taken back, with what it has changed.
        app.tamper("update oldest_served_program set migration = 0").await.expect("the old rule");
        until_asked_again().await;
        anon.get("/readyz").await.expect(200);
    });
}
