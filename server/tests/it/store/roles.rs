//! Serving with a Postgres role that owns nothing: it cannot make changes that triggers refuse.

use dakiya::app::App;
use dakiya_core::random::random_id;
use sqlx::Connection;
use tempfile::TempDir;

use super::first_starts::FORGET_ONE;
use crate::app::{TestApp, block_on};
use crate::databases::{fresh_database, run_sql};

/// The database URL with another role.
fn as_role(url: &str, role: &str) -> String {
    let (scheme, rest) = url.split_once("://").expect("a URL");
    let (_, place) = rest.split_once('@').expect("a role");
    format!("{scheme}://{role}:{role}@{place}")
}

#[test]
fn a_role_that_owns_nothing_serves_and_cannot_touch_what_keeps_the_books() {
    if std::env::var("DAKIYA_TEST_DATABASE_URL").is_err() {
        return; // SQLite has no roles
    }
    block_on(async {
        let folder = TempDir::new().expect("a folder");
        let owner = fresh_database(folder.path()).await;
        let role = format!("serving_{}", random_id().replace(['-', '_'], "").to_lowercase());
        for statement in [
            format!("create role {role} login password '{role}'"),
            format!(
                "grant select, insert, update, delete on all tables in schema public to {role}"
            ),
            format!("revoke insert, update, delete on _sqlx_migrations from {role}"),
        ] {
            run_sql(&owner, &statement).await.expect("a role");
        }
        let serving = as_role(&owner, &role);
        let app = TestApp::start_with(&[("DATABASE_URL", &serving)]).await;
        let asha = app.user("asha").await;
        app.recharge(&asha, 5_000).await;
        crate::bookings::book_to(&asha, "Ravi").await;
        app.audit().await;
        for refused in [
            "drop trigger ledger_entries_no_update on ledger_entries",
            "alter table ledger_entries disable trigger all",
            "truncate invoices",
            "create or replace function ledger_is_append_only() returns trigger \
               language plpgsql as $$ begin return new; end $$",
            "drop table users",
            "set session_replication_role = replica",
        ] {
            let mut conn = sqlx::AnyConnection::connect(&serving).await.expect("a connection");
            let done = sqlx::raw_sql(sqlx::AssertSqlSafe(refused.to_owned()));
            let error = done.execute(&mut conn).await.expect_err(refused).to_string();
            let words = ["must be owner", "permission denied"];
            assert!(words.iter().any(|it| error.contains(it)), "{refused}: {error}");
        }

        // A newer program finds the schema old, and reports that `dakiya migrate` must be run.
        run_sql(&owner, FORGET_ONE).await.expect("an older schema");
        let again = App::start((*app.app.web.config).clone()).await;
        let said = format!("{:#}", again.err().expect("a refusal"));
        assert!(said.contains("run `dakiya migrate`"), "{said}");
    });
}
