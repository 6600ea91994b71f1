//! A Postgres server that gives up statements, takes no more writes, or vanishes.

use std::time::{Duration, Instant};

use dakiya_core::error::{Error, Result};
use dakiya_core::limits;
use dakiya_core::store::{Backend, Store};
use sqlx::AssertSqlSafe;
use tokio::net::TcpListener;
use tokio::time::sleep;
use url::Url;

use crate::app::{TestApp, block_on};
use crate::faults::Dice;
use crate::network::{Network, Trouble};
use crate::patience::patient;

/// The test's database, with another host and port and with these parameters.
fn through(url: &str, hosts: &str, parameters: &str) -> String {
    let url = Url::parse(url).expect("a URL");
    let (user, password) = (url.username(), url.password().unwrap_or_default());
    format!("postgres://{user}:{password}@{hosts}{}{parameters}", url.path())
}

/// The host and the port of the test's server.
fn host_of(url: &str) -> String {
    let url = Url::parse(url).expect("a URL");
    format!("{}:{}", url.host_str().expect("a host"), url.port().unwrap_or(5432))
}

/// An address at which nothing listens.
async fn dead_host() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("an address");
    listener.local_addr().expect("an address").to_string()
}

/// A store behind a network; `None` on SQLite.
async fn far_store(app: &TestApp) -> Option<(Store, Network)> {
    if app.app.core.store.backend() == Backend::Sqlite {
        return None;
    }
    let url = &app.app.web.config.database_url;
    let network = Network::start(host_of(url), Dice::new(0)).await;
    let url = through(url, &network.address, "");
    Some((Store::connect(&url).await.expect("a store"), network))
}

/// Runs a write that Postgres refuses with this SQLSTATE.
async fn refused_with(store: &Store, code: &'static str) -> Error {
    let refused: Result<()> = store
        .write(move |conn| {
            Box::pin(async move {
                let raise = format!(
                    "do $$ begin raise exception 'refused' using errcode = '{code}'; end $$"
                );
                sqlx::query(AssertSqlSafe(raise)).execute(conn).await?;
                Ok(())
            })
        })
        .await;
    refused.expect_err(code)
}

/// The number of the server process behind a connection of the pool.
async fn server_process(store: &Store) -> i32 {
    let mut conn = store.read().await.expect("a connection");
    let process = sqlx::query_scalar("select pg_backend_pid()").fetch_one(&mut *conn);
    process.await.expect("a number")
}

#[test]
fn a_statement_that_postgres_gives_up_is_busy_and_stores_nothing() {
    block_on(async {
        let (app, _, _) = TestApp::with_money(100).await;
        let store = &app.app.core.store;
        if store.backend() == Backend::Sqlite {
            return;
        }
        for code in ["40001", "40P01", "55P03", "57014"] {
            let refused = refused_with(store, code).await;
            assert_eq!((refused.status(), refused.code()), (503, "busy"), "{code}");
        }
        let nothing = store.write(|_| Box::pin(async { Ok(()) }));
        nothing.await.expect("the writer works");
        app.audit().await;
    });
}

#[test]
fn connections_to_a_server_that_only_reads_are_not_used_again() {
    block_on(async {
        let (app, _, _) = TestApp::with_user().await;
        let store = &app.app.core.store;
        if store.backend() == Backend::Sqlite {
            return;
        }
        let before = server_process(store).await;
        let refused = refused_with(store, "25006").await;
        assert_eq!((refused.status(), refused.code()), (503, "storage_failed"));
        for _ in 0..20 {
            assert_ne!(server_process(store).await, before);
        }
    });
}

#[test]
fn a_commit_to_a_server_that_vanishes_has_an_unknown_outcome_and_the_next_write_works() {
    block_on(async {
        let (app, _, _) = TestApp::with_user().await;
        let Some((store, network)) = far_store(&app).await else {
            return;
        };
        let (began, in_commit) = (Instant::now(), network.clone());
        let written: Result<()> = store
            .write(move |conn| {
                Box::pin(async move {
                    sqlx::query("select 1").execute(conn).await?;
                    in_commit.set(Trouble::Silent);
                    Ok(())
                })
            })
            .await;
        let unknown = written.expect_err("no answer to the commit");
        assert_eq!((unknown.status(), unknown.code()), (503, "storage_failed"));
        assert!(unknown.message().contains("look whether this was done"), "{unknown}");
        assert!(began.elapsed() < patient(20_000), "{:?}", began.elapsed());
        let began = Instant::now();
        let nothing = store.write(|_| Box::pin(async { Ok(()) }));
        nothing.await.expect("a write through a new connection");
        assert!(began.elapsed() < patient(5_000), "{:?}", began.elapsed());
        store.close().await;
    });
}

#[test]
fn a_statement_sent_to_a_lost_server_fails_once_another_connection_is_open() {
    block_on(async {
        let (app, _, _) = TestApp::with_user().await;
        let Some((store, network)) = far_store(&app).await else {
            return;
        };
        store.look_for_losses().await.expect("a connection");
        let (mut old, later) = (store.read().await.expect("one"), store.read().await.expect("two"));
        network.set(Trouble::Silent);
        let began = Instant::now();
        let asked = sqlx::query("select 1").execute(&mut *old);
        let looking = async {
            loop {
                store.look_for_losses().await.expect("another connection");
                sleep(Duration::from_millis(100)).await;
            }
        };
        let failed = tokio::select! {
            failed = asked => failed.expect_err("no answer").to_string(),
            () = looking => unreachable!("it goes on"),
        };
        assert!(failed.contains("does not answer"), "{failed}");
        let its_limit = Duration::from_millis(limits::DATABASE_STATEMENT_MS_MAX);
        assert!(began.elapsed() < its_limit, "{:?}", began.elapsed());
        // Connections that were opened since are kept, and the old ones are not used again.
        drop((old, later));
        let process = server_process(&store).await;
        for _ in 0..5 {
            assert_eq!(server_process(&store).await, process);
        }
        store.close().await;
    });
}

#[test]
fn a_write_whose_connection_was_lost_before_it_began_gets_another_one() {
    block_on(async {
        let (app, _, _) = TestApp::with_user().await;
        let store = &app.app.core.store;
        if store.backend() == Backend::Sqlite {
            return;
        }
        for _ in 0..5 {
            let nothing = store.write(|_| Box::pin(async { Ok(()) }));
            nothing.await.expect("a write");
            let hang_up = "select pg_terminate_backend(pid, 5000) from pg_stat_activity
                           where datname = current_database() and pid <> pg_backend_pid()";
            app.tamper(hang_up).await.expect("all hung up");
            // The connection was used just now, so it is not checked before it is used again.
            let nothing = store.write(|_| Box::pin(async { Ok(()) }));
            nothing.await.expect("a write");
        }
    });
}

#[test]
fn of_several_servers_the_first_that_answers_is_used() {
    block_on(async {
        let (app, _, _) = TestApp::with_user().await;
        let url = &app.app.web.config.database_url;
        if app.app.core.store.backend() == Backend::Sqlite {
            return;
        }
        let hosts = format!("{},{}", dead_host().await, host_of(url));
        let store = Store::connect(&through(url, &hosts, "")).await.expect("the second server");
        let nothing = store.write(|_| Box::pin(async { Ok(()) }));
        nothing.await.expect("a write");
        store.close().await;
        let hosts = format!("{},{}", dead_host().await, dead_host().await);
        Store::connect(&through(url, &hosts, "")).await.expect_err("nobody answers");
    });
}

#[test]
fn a_server_that_only_reads_is_not_used_if_one_that_writes_is_wanted() {
    block_on(async {
        let (app, _, _) = TestApp::with_user().await;
        let url = &app.app.web.config.database_url;
        if app.app.core.store.backend() == Backend::Sqlite {
            return;
        }
        let wanted = through(url, &host_of(url), "?target_session_attrs=read-write");
        Store::connect(&wanted).await.expect("it writes").close().await;
        let only_reads = "do $$ begin execute format(
            'alter database %I set default_transaction_read_only = on', current_database());
            end $$";
        app.tamper(only_reads).await.expect("a setting");
        let refused = Store::connect(&wanted).await.expect_err("it only reads").to_string();
        assert!(refused.contains("only reads"), "{refused}");
        Store::connect(url).await.expect("any server").close().await;
    });
}

#[test]
fn behind_pgbouncer_the_limits_are_those_of_the_role_and_nothing_is_set_for_a_session() {
    block_on(async {
        let (app, _, _) = TestApp::with_user().await;
        let url = &app.app.web.config.database_url;
        if app.app.core.store.backend() == Backend::Sqlite {
            return;
        }
        let pooled = through(url, &host_of(url), "?pgbouncer=true");
        let refused = Store::connect(&pooled).await.expect_err("no limits").to_string();
        assert!(refused.contains("set statement_timeout = 15000"), "{refused}");
        for setting in [
            "statement_timeout = 14000",
            "lock_timeout = 9000",
            "idle_in_transaction_session_timeout = 20000",
            "default_transaction_isolation = ''read committed''",
        ] {
            let set = format!(
                "do $$ begin execute format('alter database %I set {setting}',
                   current_database()); end $$"
            );
            app.tamper(&set).await.expect(setting);
        }
        let store = Store::connect(&pooled).await.expect("a store");
        let mut conn = store.read().await.expect("a connection");
        let limit = sqlx::query_scalar("select current_setting('statement_timeout')");
        let limit: String = limit.fetch_one(&mut *conn).await.expect("a setting");
        assert_eq!(limit, "14s");
        drop(conn);
        assert!(store.audit(None).await.expect("an audit").faults.is_empty());
        store.close().await;
    });
}

#[test]
fn production_refuses_a_postgres_that_may_lose_what_it_confirmed() {
    block_on(async {
        let (app, _, _) = TestApp::with_user().await;
        let store = &app.app.core.store;
        if store.backend() == Backend::Sqlite {
            return store.require_durability().await.expect("SQLite syncs");
        }
        for (value, is_refused) in [("off", true), ("on", false)] {
            let set = format!(
                "do $$ begin execute format(
                   'alter database %I set synchronous_commit = {value}', current_database());
                 end $$"
            );
            app.tamper(&set).await.expect("a setting");
            let store = Store::connect(&app.app.web.config.database_url).await.expect("a store");
            let checked = store.require_durability().await;
            let words = checked.err().map(|refused| refused.to_string()).unwrap_or_default();
            assert_eq!(words.contains("synchronous_commit"), is_refused, "{value}: {words}");
            assert!(!is_refused || words.contains("may lose payments"), "{words}");
            store.close().await;
        }
    });
}

#[test]
fn every_connection_has_our_time_limits_and_our_isolation() {
    block_on(async {
        let (app, _, _) = TestApp::with_user().await;
        let url = app.app.web.config.database_url.clone();
        if app.app.core.store.backend() == Backend::Sqlite {
            return;
        }
        let other_defaults = "do $$ begin execute format(
            'alter database %I set default_transaction_isolation = serializable',
            current_database()); end $$";
        app.tamper(other_defaults).await.expect("other defaults");
        let store = Store::connect(&url).await.expect("a store");
        let settings = "select concat_ws(' ', current_setting('statement_timeout'),
            current_setting('lock_timeout'),
            current_setting('idle_in_transaction_session_timeout'),
            current_setting('transaction_isolation'))";
        let in_write = store.write(move |conn| {
            Box::pin(async move {
                let settings: String = sqlx::query_scalar(settings).fetch_one(conn).await?;
                Ok(settings)
            })
        });
        assert_eq!(in_write.await.expect("settings"), "15s 15s 30s read committed");
        let mut conn = store.read().await.expect("a connection");
        let outside = sqlx::query_scalar(settings).fetch_one(&mut *conn).await;
        let outside: String = outside.expect("settings");
        assert_eq!(outside, "15s 15s 30s read committed");
        drop(conn);
        // The audit and upkeep have other limits, which end with their transaction.
        let in_long_write = store.write(move |conn| {
            Box::pin(async move {
                conn.allow_long_statements().await?;
                let settings: String = sqlx::query_scalar(settings).fetch_one(conn).await?;
                Ok(settings)
            })
        });
        let long = in_long_write.await.expect("settings");
        assert_eq!(long, "30min 15s 30min read committed");
        assert!(store.audit(None).await.expect("an audit").faults.is_empty());
        for _ in 0..20 {
            let mut conn = store.read().await.expect("a connection");
            let after = sqlx::query_scalar(settings).fetch_one(&mut *conn).await;
            let after: String = after.expect("settings");
            assert_eq!(after, outside);
        }
        store.close().await;
    });
}
