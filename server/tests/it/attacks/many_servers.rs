//! Guesses at several servers of one database: together they are as many as at one.

use std::time::Instant;

use dakiya::app::App;
use dakiya::jobs::delete_expired;
use dakiya_core::limits::{GUESS_DELAY_MS_MAX, GUESSES_FREE, GUESSES_MS_MAX, HOUR_MS, WRONG_CODES};
use dakiya_core::store::Backend;
use futures_util::future::join_all;
use serde_json::{Value, json};

use crate::app::{Actor, PASSWORD, TestApp, block_on};
use crate::documents::number;
use crate::two_step::{log_in, switched_on};

const LOGIN: &str = "/api/v1/auth/login/";
const WRONG: &str = "not-it-at-all";

fn login(name: &str, password: &str) -> Value {
    json!({"username": name, "password": password})
}

fn free() -> usize {
    usize::try_from(GUESSES_FREE).expect("a few")
}

/// Two servers of one database, and a visitor of each.
struct Servers {
    first: TestApp,
    second: App,
    visitors: [Actor; 2],
}

impl Servers {
    async fn start() -> Servers {
        let first = TestApp::start().await;
        let (second, url) = first.second_server().await;
        let visitors = [first.anon(), Actor::at(&url)];
        Servers { first, second, visitors }
    }

    /// Moves both clocks, the second one to the time of the first.
    fn advance_ms(&self, milliseconds: i64) {
        let (first, second) = (&self.first.app.core.clock, &self.second.core.clock);
        first.advance_ms(milliseconds);
        second.advance_ms(first.now_ms() - second.now_ms());
    }

    /// Sends one login many times at once, and returns the statuses.
    async fn at_once(&self, times: usize, login: &Value) -> Vec<u16> {
        let visitors = self.visitors.iter().cycle().take(times);
        let logins = visitors.map(|visitor| async move {
            let answer = visitor.post(LOGIN, login.clone()).await;
            answer.status.as_u16()
        });
        join_all(logins).await
    }
}

#[test]
fn wrong_passwords_count_at_all_servers_and_a_restart_forgives_none() {
    block_on(async {
        let mut servers = Servers::start().await;
        let (asha, ravi) = (servers.first.user("asha").await, servers.first.user("ravi").await);
        // Until the wait is at its maximum, however slow this machine is.
        for visitor in servers.visitors.iter().cycle().take(free() + 6) {
            servers.advance_ms(GUESS_DELAY_MS_MAX + 1_000);
            visitor.post(LOGIN, login(&asha.username, WRONG)).await.expect(401);
        }
        for visitor in &servers.visitors {
            let refused = visitor.post(LOGIN, login(&asha.username, PASSWORD)).await.expect(429);
            assert!(refused.text().contains("Too many wrong passwords."), "{}", refused.text());
            visitor.post(LOGIN, login(&ravi.username, PASSWORD)).await.expect(200);
        }
        servers.first.restart().await;
        let anon = servers.first.anon();
        anon.post(LOGIN, login(&asha.username, PASSWORD)).await.expect(429);
        servers.first.app.core.clock.advance_ms(GUESS_DELAY_MS_MAX);
        anon.post(LOGIN, login(&asha.username, PASSWORD)).await.expect(200);
    });
}

#[cfg(feature = "faults")]
#[test]
fn the_test_of_many_servers_fails_when_wrong_guesses_are_not_stored() {
    let test = "attacks::many_servers::\
                wrong_passwords_count_at_all_servers_and_a_restart_forgives_none";
    crate::faults::must_fail(test, "guesses-uncounted");
}

#[test]
fn wrong_passwords_at_once_at_two_servers_are_as_many_as_at_one() {
    block_on(async {
        let servers = Servers::start().await;
        let asha = servers.first.user("asha").await;
        let began = Instant::now();
        let statuses = servers.at_once(40, &login(&asha.username, WRONG)).await;
        // One more try for each wait that passes, on a slow machine.
        let waits = usize::try_from(began.elapsed().as_secs()).expect("a while");
        let tried = statuses.iter().filter(|status| **status == 401).count();
        assert!((free()..=free() + waits).contains(&tried), "{waits}: {statuses:?}");
        assert!(statuses.iter().all(|status| [401, 429, 503].contains(status)), "{statuses:?}");
    });
}

#[test]
fn right_passwords_at_once_at_two_servers_are_all_let_in() {
    block_on(async {
        let servers = Servers::start().await;
        let asha = servers.first.user("asha").await;
        let statuses = servers.at_once(20, &login(&asha.username, PASSWORD)).await;
        assert_eq!(statuses, [200; 20]);
        let rows = "select count(*) from guesses".to_owned();
        assert_eq!(number(&servers.first, rows).await, 0, "nothing is kept of them");
    });
}

#[test]
fn wrong_codes_have_one_budget_for_all_servers() {
    block_on(async {
        let mut servers = Servers::start().await;
        let asha = servers.first.user("asha").await;
        switched_on(&servers.first, &asha).await;
        let mut there = asha.clone();
        there.url.clone_from(&servers.visitors[1].url);
        let budget = usize::try_from(WRONG_CODES.at_once).expect("a few");
        for actor in [&asha, &there].into_iter().cycle().take(budget) {
            servers.advance_ms(GUESS_DELAY_MS_MAX + 1_000);
            log_in(actor, "000000").await.expect(400);
        }
        servers.advance_ms(GUESS_DELAY_MS_MAX + 1_000);
        for actor in [&asha, &there] {
            let refused = log_in(actor, "000000").await.expect(429);
            assert!(refused.text().contains("Too many wrong codes."), "{}", refused.text());
        }
        servers.first.restart().await;
        let mut again = asha.clone();
        again.url.clone_from(&servers.first.url);
        log_in(&again, "000000").await.expect(429);
        servers.first.app.core.clock.advance_ms(WRONG_CODES.pause_ms);
        log_in(&again, "000000").await.expect(400);
    });
}

#[test]
fn guesses_are_deleted_when_they_no_longer_count_and_name_nobody() {
    block_on(async {
        let (app, anon, asha) = TestApp::with_user().await;
        let rows = async || number(&app, "select count(*) from guesses".to_owned()).await;
        assert_eq!(rows().await, 0, "a right password leaves nothing");
        switched_on(&app, &asha).await;
        for _ in 0..2 {
            log_in(&asha, "000000").await.expect(400);
        }
        anon.post(LOGIN, login(&asha.username, WRONG)).await.expect(401);
        anon.post(LOGIN, login("asha-whom-nobody-knows", WRONG)).await.expect(401);
        let named = "select count(*) from guesses where guesser like '%asha%'".to_owned();
        assert_eq!((rows().await, number(&app, named).await), (3, 0));
        delete_expired(&app.app).await.expect("upkeep");
        assert_eq!(rows().await, 3);
        app.app.core.clock.advance_ms(GUESSES_MS_MAX + 1);
        delete_expired(&app.app).await.expect("upkeep");
        assert_eq!(rows().await, 1, "the budget of codes is not full again");
        app.app.core.clock.advance_ms(2 * HOUR_MS);
        delete_expired(&app.app).await.expect("upkeep");
        assert_eq!(rows().await, 0);
    });
}

/// Lets the database refuse to store guesses, as when its disk is full.
async fn refuse_guesses(app: &TestApp) {
    if app.app.core.store.backend() == Backend::Postgres {
        let refuse = "create function refuse() returns trigger language plpgsql as
            $$ begin raise exception 'full' using errcode = '53100'; end $$";
        app.tamper(refuse).await.expect("a function");
        let refuse = "create trigger refuse before insert on guesses
            for each row execute function refuse()";
        return app.tamper(refuse).await.expect("a trigger");
    }
    // Until the connection has failed once.
    let read_only = app.app.core.store.write(|conn| {
        Box::pin(async move {
            sqlx::query("pragma query_only = on").execute(conn).await?;
            Ok(())
        })
    });
    read_only.await.expect("a connection that cannot write");
}

#[test]
fn a_guess_that_cannot_be_counted_is_refused_unchecked() {
    block_on(async {
        let app = TestApp::start().await;
        refuse_guesses(&app).await;
        let refused = app.anon().post(LOGIN, login("nobody", WRONG)).await.expect(503);
        assert_eq!(refused.json()["code"], "storage_failed");
        if app.app.core.store.backend() == Backend::Postgres {
            app.tamper("drop trigger refuse on guesses").await.expect("room again");
        }
        app.anon().post(LOGIN, login("nobody", WRONG)).await.expect(401);
    });
}
