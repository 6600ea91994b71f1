//! The database itself: an append-only ledger, and atomic transactions.

pub mod first_starts;
mod lost_server;
mod newer_schemas;
mod proof_disk;
mod proof_log;
mod roles;
mod room;
mod shoppers;
mod together;
mod unknown_words;
mod upgrades;
mod wake_channel;

use std::time::Duration;

use dakiya_core::error::{Error, Result};
use dakiya_core::model::money::paise::Paise;
use dakiya_core::store::ledger::Posted;
use dakiya_core::store::{Backend, Store};
use serde_json::json;
use tempfile::TempDir;

use crate::app::{TestApp, block_on};
use crate::databases::fresh_database;
use crate::ledger::recharge;

#[test]
fn the_books_refuse_to_be_changed() {
    block_on(async {
        let (app, _, _) = TestApp::with_money(100).await;
        for statement in [
            "update ledger_entries set amount_paise = amount_paise + 1",
            "delete from ledger_entries",
            "update ledger_transactions set description = 'x'",
            "delete from ledger_transactions",
            "update ledger_transactions set hash = 'x'",
        ] {
            let refused = app.tamper(statement).await;
            let words = refused.expect_err(statement).to_string();
            assert!(words.contains("append-only"), "{words}");
        }
        app.audit().await;
    });
}

/// The triggers: their definitions, and a number that changes when one is created again.
async fn triggers(store: &Store) -> Vec<(String, i64)> {
    let triggers = match store.backend() {
        Backend::Sqlite => "select sql, rowid from sqlite_schema where type = 'trigger' order by 1",
        Backend::Postgres => {
            "select concat(pg_get_triggerdef(t.oid), ' is ', t.tgenabled, ': ', p.prosrc),
               cast(cast(t.xmin as text) as bigint)
             from pg_trigger t join pg_proc p on p.oid = t.tgfoid
             where not t.tgisinternal order by 1"
        }
    };
    let mut conn = store.read().await.expect("a connection");
    let triggers = sqlx::query_as(triggers).fetch_all(&mut *conn);
    triggers.await.expect("triggers")
}

#[test]
fn a_start_puts_back_what_keeps_the_books_and_does_not_touch_what_is_there() {
    block_on(async {
        let (app, _, _) = TestApp::with_money(100).await;
        let store = &app.app.core.store;
        let weakenings: &[&str] = match store.backend() {
            Backend::Sqlite => &["drop trigger ledger_entries_no_update"],
            Backend::Postgres => &[
                "drop trigger ledger_entries_no_update on ledger_entries",
                "create or replace trigger ledger_entries_no_update before update on ledger_entries
                   for each row when (false) execute function ledger_is_append_only()",
                "alter table ledger_seals disable trigger ledger_seals_only_balanced",
                "create or replace function ledger_entries_only_unposted() returns trigger
                   language plpgsql as $$ begin return new; end $$",
            ],
        };
        for weakening in weakenings {
            let before = triggers(store).await;
            assert!(before.len() >= 14, "{before:?}");
            app.tamper(weakening).await.expect(weakening);
            start_again(&app).await;
            let after = triggers(store).await;
            let others = before.iter().filter(|it| after.contains(it)).count();
            assert_eq!(others, before.len() - 1, "{weakening}: {after:?}");
            let does =
                |all: &[(String, i64)]| all.iter().map(|it| it.0.clone()).collect::<Vec<_>>();
            assert_eq!(does(&after), does(&before), "{weakening}");
        }
        let before = triggers(store).await;
        start_again(&app).await;
        assert_eq!(triggers(store).await, before);
    });
}

/// Opens the database again, like another server.
async fn start_again(app: &TestApp) {
    let again = Store::connect(&app.app.web.config.database_url).await;
    again.expect("a store").close().await;
}

#[test]
fn an_audit_names_a_balance_that_the_entries_do_not_explain() {
    block_on(async {
        let (app, _, _) = TestApp::with_money(100).await;
        let stolen = "update ledger_accounts set balance_paise = balance_paise + 1
                      where kind = 'available'";
        app.tamper(stolen).await.unwrap();
        let faults = app.app.core.store.audit(None).await.unwrap().faults;
        assert_eq!(faults.len(), 1);
        let words = "balance 10001 paise, entries 10000 paise";
        assert!(faults[0].text.contains(words), "{faults:?}");
    });
}

#[test]
fn a_wallet_below_zero_is_refused_by_the_data_base_too() {
    block_on(async {
        let (app, _, _asha) = TestApp::with_user().await;
        let overdrawn = "update ledger_accounts set balance_paise = -1 where kind = 'available'";
        app.tamper(overdrawn).await.unwrap_err();
    });
}

#[test]
fn a_dropped_request_neither_loses_nor_halves_a_transaction() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(100).await;
        let user_id = user_id(&app, &asha.username).await;
        for round in 0..20u64 {
            let (store, user_id) = (app.app.core.store.clone(), user_id.clone());
            let write = store.write(move |conn| {
                Box::pin(async move {
                    let key = format!("round-{round}");
                    let paid = recharge(conn, &user_id, &key, Paise::rupees(1)).await?;
                    paid.or_fail(&key)?;
                    tokio::time::sleep(Duration::from_millis(5)).await;
                    Ok(())
                })
            });
            let _ = tokio::time::timeout(Duration::from_micros(round * 400), write).await;
        }
        // Transactions begun before have ended when the next write runs.
        let nothing = app.app.core.store.write(|_| Box::pin(async { Ok(()) }));
        nothing.await.unwrap();
        app.audit().await;
        assert!(app.balance(&asha).await >= Paise::rupees(100));
    });
}

#[test]
fn a_failed_write_leaves_nothing_behind_and_a_repeated_one_counts_once() {
    block_on(async {
        let (app, _, asha) = TestApp::with_user().await;
        let user_id = user_id(&app, &asha.username).await;
        let post = async |fail: bool| -> Result<Posted> {
            let user_id = user_id.clone();
            app.app
                .core
                .store
                .write(move |conn| {
                    Box::pin(async move {
                        let posted = recharge(conn, &user_id, "one", Paise::rupees(7)).await?;
                        if fail { Err(Error::WrongMethod) } else { Ok(posted) }
                    })
                })
                .await
        };
        post(true).await.unwrap_err();
        assert_eq!(app.balance(&asha).await, Paise::ZERO);
        assert_eq!(post(false).await.unwrap(), Posted::Done);
        assert_eq!(post(false).await.unwrap(), Posted::Already);
        assert_eq!(app.balance(&asha).await, Paise::rupees(7));
        app.audit().await;
    });
}

/// Breaks a connection: SQLite's only writing one takes no more pages; in Postgres, one of the pool
/// cannot write.
async fn break_a_connection(app: &TestApp) {
    let store = &app.app.core.store;
    let statement = match store.backend() {
        Backend::Sqlite => "pragma max_page_count = 1",
        Backend::Postgres => "set session characteristics as transaction read only",
    };
    let change = store.write(move |conn| {
        Box::pin(async move {
            sqlx::query(statement).execute(conn).await?;
            Ok(())
        })
    });
    change.await.unwrap();
}

#[test]
fn a_connection_that_cannot_write_is_told_of_and_never_serves_again() {
    block_on(async {
        let (app, _, asha) = TestApp::with_user().await;
        break_a_connection(&app).await;
        let mut refused = Vec::new();
        for n in 0..120 {
            let rupees = json!({"amount": 10 + n});
            let answer = asha.post("/api/v1/payment/phonepe/create/", rupees).await;
            if answer.status != 200 {
                refused.push(answer);
            }
        }
        // In Postgres one of the first writes got the broken connection; in SQLite it was the only
        // one.
        assert_eq!(refused.len(), 1, "{refused:?}");
        let refused = &refused[0];
        assert_eq!(refused.status, 503);
        assert_eq!(refused.header("retry-after"), "10");
        let said = refused.json();
        assert_eq!(said["code"], "storage_failed");
        let words = "We could not save this. Please try again in a minute.";
        assert_eq!(said["message"], words);
        app.audit().await;
    });
}

#[test]
fn a_server_that_hangs_up_on_all_connections_costs_one_answer_at_most() {
    block_on(async {
        let (app, _, asha) = TestApp::with_user().await;
        if app.app.core.store.backend() == Backend::Sqlite {
            return; // SQLite cannot hang up
        }
        for _ in 0..3 {
            asha.page("/dashboard").await.expect(200);
            let hang_up = "select pg_terminate_backend(pid) from pg_stat_activity
                           where datname = current_database() and pid <> pg_backend_pid()";
            app.tamper(hang_up).await.expect("all hung up");
            let mut refused = Vec::new();
            for _ in 0..40 {
                let answer = asha.page("/dashboard").await;
                if answer.status != 200 {
                    refused.push(answer.status);
                }
            }
            assert!(refused.len() <= 1, "{refused:?}");
        }
    });
}

#[test]
fn an_ill_writer_makes_the_program_ill_until_something_was_written() {
    block_on(async {
        let (app, anon, asha) = TestApp::with_user().await;
        let store = &app.app.core.store;
        let failing = store
            .write(|_| Box::pin(async { Err::<(), _>(Error::from(sqlx::Error::WorkerCrashed)) }));
        assert_eq!(failing.await.unwrap_err().status(), 503);
        // The first request triggers a check, which finds that the writer works.
        let health = anon.get("/healthz").await.expect(200).json();
        assert_eq!(health["status"], "ok");
        let failing = store
            .write(|_| Box::pin(async { Err::<(), _>(Error::from(sqlx::Error::WorkerCrashed)) }));
        failing.await.unwrap_err();
        // The next check comes a second later at the earliest.
        let health = anon.get("/healthz").await.expect(503);
        assert_eq!(health.json()["status"], "the database writer failed");
        asha.page("/dashboard").await.expect(200);
        asha.clone().log_in().await;
        anon.get("/healthz").await.expect(200);
    });
}

#[cfg(feature = "faults")]
#[test]
fn the_test_of_an_ill_writer_fails_when_its_connection_is_kept() {
    // Postgres has other connections for writes.
    if std::env::var_os("DAKIYA_TEST_DATABASE_URL").is_some() {
        return;
    }
    let test = "store::an_ill_writer_makes_the_program_ill_until_something_was_written";
    crate::faults::must_fail(test, "failed-writer-kept");
}

pub async fn user_id(app: &TestApp, username: &str) -> String {
    let mut conn = app.app.core.store.read().await.unwrap();
    let found = dakiya_core::store::users::credentials(&mut conn, username).await.unwrap();
    found.unwrap().user.user_id
}

#[test]
fn a_store_that_is_closed_has_everything_in_its_one_file() {
    block_on(async {
        let folder = TempDir::new().unwrap();
        let url = fresh_database(folder.path()).await;
        let store = Store::connect(&url).await.unwrap();
        if store.backend() != Backend::Sqlite {
            return;
        }
        let log = folder.path().join("dakiya.sqlite-wal");
        let reading = store.read().await.unwrap();
        assert!(log.exists());
        let read = tokio::spawn(async move {
            tokio::time::sleep(Duration::from_millis(100)).await;
            drop(reading);
        });
        store.close().await;
        assert!(!log.exists(), "somebody still has the file open");
        read.await.unwrap();
    });
}

/// Other options work too, but slower: build.sh gives the reasons.
#[test]
fn sqlite_is_compiled_as_we_need_it() {
    block_on(async {
        let app = TestApp::start().await;
        if app.app.core.store.backend() == Backend::Postgres {
            return;
        }
        let mut conn = app.app.core.store.read().await.expect("a connection");
        for (option, is_used) in [
            ("ENABLE_QPSG", 1),
            ("DEFAULT_MEMSTATUS=0", 1),
            ("ENABLE_MEMORY_MANAGEMENT", 0),
            ("ENABLE_API_ARMOR", 0),
        ] {
            let used: i64 = sqlx::query_scalar("select sqlite_compileoption_used($1)")
                .bind(option)
                .fetch_one(&mut *conn)
                .await
                .unwrap();
            assert_eq!(used, is_used, "{option}");
        }
    });
}
