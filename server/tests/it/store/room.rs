//! Connections to Postgres: writes leave some to reads, and reads some to writes.

use dakiya::jobs;
use dakiya_core::error::Result;
use dakiya_core::limits;
use dakiya_core::store::Backend;
use futures_util::future::join_all;
use sqlx::Connection as _;

use crate::app::{TestApp, block_on};
use crate::operators::{dakiya, dakiya_with};
use crate::patience::until;

/// The connections that writes, or reads, may have in use.
const MOST: usize =
    limits::DATABASE_CONNECTIONS - limits::DATABASE_CONNECTIONS / limits::DATABASE_LEFT_TO_OTHERS;

/// Takes a lock until the transaction ends.
const LOCK: &str = "do $$ begin perform pg_advisory_xact_lock(7); end $$";

#[test]
fn pages_are_read_and_heartbeats_written_while_all_other_writes_wait_for_a_lock() {
    block_on(async {
        let (app, _, asha) = TestApp::with_user().await;
        let store = &app.app.core.store;
        if store.backend() == Backend::Sqlite {
            return; // reads and writes have connections of their own
        }
        let url = &app.app.web.config.database_url;
        let mut holder = sqlx::AnyConnection::connect(url).await.expect("a connection");
        for statement in ["begin", LOCK] {
            sqlx::query(statement).execute(&mut holder).await.expect(statement);
        }
        let writes = (0..2 * limits::DATABASE_CONNECTIONS).map(|_| {
            let store = store.clone();
            tokio::spawn(async move {
                let written: Result<()> = store
                    .write(move |conn| {
                        Box::pin(async move {
                            sqlx::query(LOCK).execute(conn).await?;
                            Ok(())
                        })
                    })
                    .await;
                written
            })
        });
        let writes: Vec<_> = writes.collect();
        until("writes have all their connections", async || {
            let waiting = "select count(*) from pg_locks l join pg_database d on d.oid = l.database
                           where d.datname = current_database() and not l.granted";
            let waiting = sqlx::query_scalar(waiting).fetch_one(&mut holder).await;
            let waiting: i64 = waiting.expect("a number");
            usize::try_from(waiting).is_ok_and(|waiting| waiting >= MOST)
        })
        .await;
        let pages = join_all((0..8).map(|_| asha.page("/dashboard"))).await;
        for page in pages {
            page.expect(200);
        }
        // Otherwise other processes would take this one for dead.
        jobs::beat(&app.app).await.expect("a heartbeat");
        sqlx::query("rollback").execute(&mut holder).await.expect("unlocked");
        for write in writes {
            // One that waited too long was refused.
            let _ = write.await.expect("no panic");
        }
        asha.clone().log_in().await;
    });
}

#[test]
fn a_write_finds_a_connection_while_reads_have_all_theirs() {
    block_on(async {
        let app = TestApp::start().await;
        let store = &app.app.core.store;
        if store.backend() == Backend::Sqlite {
            return;
        }
        let mut held = Vec::new();
        for _ in 0..MOST {
            held.push(store.read().await.expect("a connection"));
        }
        let nothing = store.write(|_| Box::pin(async { Ok(()) }));
        nothing.await.expect("a write");
    });
}

#[test]
fn a_check_names_a_database_with_too_little_room() {
    block_on(async {
        let app = TestApp::start().await;
        let checked = dakiya(&app, "check");
        if app.app.core.store.backend() == Backend::Sqlite {
            assert!(!checked.out.contains("connections"), "{}", checked.out);
            return;
        }
        assert!(checked.out.contains("a process opens up to 18, and"), "{}", checked.out);
        let limit = "do $$ begin execute format('alter database %I connection limit 40',
                       current_database()); end $$";
        app.tamper(limit).await.expect("a limit");
        let check = |count: &str| {
            dakiya_with(&app, "check --json", &[("DAKIYA_DATABASE_CONNECTIONS", count)])
        };
        let (enough, too_many) = (check("16"), check("50"));
        assert!(enough.out.contains("has 40 for us: enough for 2"), "{}", enough.out);
        assert_eq!((enough.code, too_many.code), (0, 1));
        assert!(too_many.out.contains("DAKIYA_DATABASE_CONNECTIONS"), "{}", too_many.out);
    });
}
