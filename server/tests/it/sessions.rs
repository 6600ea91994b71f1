//! Changing the password, and the list of sessions.

use dakiya_core::error::Error;
use dakiya_core::limits::{GUESSES_FREE, SESSION_IDLE_MS_MAX, SESSION_TOUCH_MS};
use dakiya_core::store::Store;
use reqwest::Method;
use serde_json::{Value, json};
use tokio::sync::oneshot;

use crate::app::{Actor, Answer, PASSWORD, TestApp, block_on, registration};
use crate::email::of_subject;
use crate::passwords::address;
use crate::program::Program;

const SESSIONS: &str = "/api/v1/auth/sessions/";
const ANOTHER: &str = "monsoon-at-nine";
const PHONE: &str = "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like \
                     Gecko) Chrome/131.0.0.0 Mobile Safari/537.36";

/// Logs this person in on another device.
async fn elsewhere(actor: &Actor, user_agent: &str) -> Actor {
    let login = json!({"username": actor.username, "password": PASSWORD}).to_string();
    let (path, headers) = ("/api/v1/auth/login/", [("user-agent", user_agent)]);
    let answer = actor.without_token().send(Method::POST, path, &headers, Some(login)).await;
    let token = answer.expect(200).json()["tokens"]["access"].as_str().unwrap().to_owned();
    let mut there = actor.clone();
    there.token = Some(token);
    there
}

async fn sessions(actor: &Actor) -> Vec<Value> {
    let answer = actor.get(SESSIONS).await.expect(200).json();
    answer["results"].as_array().unwrap().clone()
}

async fn is_logged_in(actor: &Actor) -> bool {
    actor.get("/api/v1/auth/profile/").await.status == 200
}

async fn change(actor: &Actor, current: &str, new: &str) -> Answer {
    let body = json!({"current_password": current, "password": new, "password_confirm": new});
    actor.post("/api/v1/auth/change-password/", body).await
}

#[test]
fn a_changed_password_ends_all_other_sessions_and_is_told_by_email() {
    block_on(async {
        let (app, anon, asha) = TestApp::with_user().await;
        let (phone, ravi) = (elsewhere(&asha, PHONE).await, app.user("ravi").await);
        let done = change(&asha, PASSWORD, ANOTHER).await.expect(200).json();
        let said = "Your password was changed. You were logged out everywhere else.";
        assert_eq!(done["message"], said);
        assert!(is_logged_in(&asha).await && is_logged_in(&ravi).await);
        assert!(!is_logged_in(&phone).await);
        let login = |password| json!({"username": asha.username, "password": password});
        anon.post("/api/v1/auth/login/", login(PASSWORD)).await.expect(401);
        anon.post("/api/v1/auth/login/", login(ANOTHER)).await.expect(200);
        let subject = "Your Dakiya password was changed";
        let letter = &of_subject(&app, &address(&asha), subject, 1).await[0];
        assert!(letter.text.contains(&asha.username) && !letter.text.contains(ANOTHER));
    });
}

#[test]
fn whoever_does_not_know_the_password_does_not_change_it() {
    block_on(async {
        let (app, anon, asha) = TestApp::with_user().await;
        let phone = elsewhere(&asha, PHONE).await;
        let refused = asha.post("/api/v1/auth/change-password/", json!({})).await.expect(400);
        assert_eq!(refused.wrong_fields(), ["current_password", "password"]);
        for _ in 0..GUESSES_FREE {
            let refused = change(&asha, "not-it-at-all", ANOTHER).await.expect(400);
            assert_eq!(refused.wrong_fields(), ["current_password"]);
            assert!(refused.text().contains("This is not your current password."));
        }
        let slower = change(&asha, PASSWORD, ANOTHER).await.expect(429);
        assert_eq!(slower.header("retry-after"), "1");
        app.app.core.clock.advance_ms(2_000);
        let common = change(&asha, PASSWORD, "password").await.expect(400);
        assert_eq!(common.wrong_fields(), ["password"]);
        assert!(is_logged_in(&phone).await);
        change(&anon, PASSWORD, ANOTHER).await.expect(401);
        change(&asha, PASSWORD, ANOTHER).await.expect(200);
        change(&asha, PASSWORD, "tea-at-noon").await.expect(400);
    });
}

#[test]
fn of_two_changes_at_once_one_counts() {
    block_on(async {
        // Hashing takes as long as in production: both requests run at once.
        let app = TestApp::start_with(&[("DAKIYA_PASSWORD_KIB", "19456")]).await;
        let (anon, asha) = (app.anon(), app.user("asha").await);
        let phone = elsewhere(&asha, PHONE).await;
        let (one, other) = tokio::join!(
            change(&asha, PASSWORD, ANOTHER),
            change(&phone, PASSWORD, "tea-at-noon"),
        );
        let (one, other) = (one.status.as_u16(), other.status.as_u16());
        assert!((one == 200) != (other == 200), "{one} {other}");
        let password = if one == 200 { ANOTHER } else { "tea-at-noon" };
        let login = json!({"username": asha.username, "password": password});
        anon.post("/api/v1/auth/login/", login).await.expect(200);
        assert_eq!(is_logged_in(&asha).await, one == 200);
        assert_eq!(is_logged_in(&phone).await, other == 200);
    });
}

#[test]
fn sessions_are_listed_in_words_and_can_be_ended() {
    block_on(async {
        let (app, _, asha) = TestApp::with_user().await;
        let (ravi, phone) = (app.user("ravi").await, elsewhere(&asha, PHONE).await);
        app.app.core.clock.advance_ms(SESSION_TOUCH_MS + 1_000);
        let laptop = elsewhere(&asha, "Mozilla/5.0 (X11; Linux x86_64) Firefox/133.0").await;
        assert!(is_logged_in(&phone).await);
        let listed = sessions(&phone).await;
        let words = |listed: &[Value], name: &str| {
            let words = listed.iter().map(|session| session[name].as_str().unwrap().to_owned());
            words.collect::<Vec<_>>()
        };
        assert_eq!(words(&listed, "device")[0], "Chrome on Android");
        let mut devices = words(&listed, "device");
        devices.sort_unstable();
        assert_eq!(devices, ["A program", "Chrome on Android", "Firefox on Linux"]);
        let current = |at: &Value| at["current"] == true;
        assert_eq!(listed.iter().filter(|at| current(at)).count(), 1);
        assert!(current(&listed[0]));
        assert!(listed[0]["last_seen_at"].as_i64() > listed[0]["created_at"].as_i64());
        // The list contains no credential and no address.
        let text = phone.get(SESSIONS).await.expect(200).text().to_owned();
        let token = laptop.token.clone().unwrap();
        assert!(!text.contains(&token) && !text.contains("127.0.0.1"), "{text}");

        let firefox = listed.iter().find(|at| at["device"] == "Firefox on Linux").unwrap();
        let end = format!("{SESSIONS}{}/end/", firefox["id"].as_str().unwrap());
        let known = json!({"current_password": PASSWORD});
        ravi.post(&end, known.clone()).await.expect(404);
        // A thief with the unlocked phone cannot end other sessions without the password.
        for wrong in [json!({}), json!({"current_password": "not-it-at-all"})] {
            let refused = phone.post(&end, wrong).await.expect(400);
            assert_eq!(refused.wrong_fields(), ["current_password"]);
        }
        assert!(is_logged_in(&laptop).await);
        phone.post(&end, known.clone()).await.expect(200);
        assert!(!is_logged_in(&laptop).await && is_logged_in(&asha).await);
        phone.post(&end, known.clone()).await.expect(404);
        phone.post(&format!("{SESSIONS}x/end/"), known).await.expect(404);

        phone
            .post(&format!("{SESSIONS}end-others/"), json!({"current_password": PASSWORD}))
            .await
            .expect(200);
        assert!(!is_logged_in(&asha).await);
        assert!(is_logged_in(&phone).await && is_logged_in(&ravi).await);
        assert_eq!(sessions(&phone).await.len(), 1);
    });
}

#[test]
fn sessions_that_are_over_are_not_listed() {
    block_on(async {
        let (app, _, mut asha) = TestApp::with_user().await;
        elsewhere(&asha, PHONE).await;
        app.app.core.clock.advance_ms(SESSION_IDLE_MS_MAX + 1);
        asha.log_in().await;
        assert_eq!(sessions(&asha).await.len(), 1);
    });
}

/// The user's `last_seen` times in the database.
async fn last_seen(store: &Store) -> Vec<i64> {
    let mut conn = store.read().await.unwrap();
    let all = sqlx::query_scalar("select last_seen_ms from sessions order by created_ms");
    all.fetch_all(&mut *conn).await.unwrap()
}

#[test]
fn no_page_waits_for_the_time_of_a_sessions_last_use_to_be_written() {
    block_on(async {
        let (app, _, asha) = TestApp::with_user().await;
        let phone = elsewhere(&asha, PHONE).await;
        elsewhere(&asha, PHONE).await;
        let store = &app.app.core.store;
        let before = last_seen(store).await;
        app.app.core.clock.advance_ms(SESSION_TOUCH_MS + 1_000);
        // A write transaction that stays open.
        let (begun, has_begun) = oneshot::channel();
        let (end, may_end) = oneshot::channel::<()>();
        let writer = store.clone();
        let writing = tokio::spawn(async move {
            let work = writer.write(move |_| {
                Box::pin(async move {
                    begun.send(()).unwrap();
                    may_end.await.map_err(Error::internal)
                })
            });
            work.await
        });
        has_begun.await.unwrap();
        asha.page("/dashboard").await.expect(200);
        phone.page("/dashboard").await.expect(200);
        end.send(()).unwrap();
        writing.await.unwrap().unwrap();
        assert_eq!(last_seen(store).await, before);
        app.app.web.accounts.write_last_seen().await.unwrap();
        let after = last_seen(store).await;
        assert!(after[0] > before[0] && after[1] > before[1], "{after:?}");
        assert_eq!(after[2], before[2]);
    });
}

#[test]
fn a_session_in_use_goes_on_when_its_use_cannot_be_written_down() {
    block_on(async {
        let (app, _, asha) = TestApp::with_user().await;
        for _ in 0..3 {
            app.app.core.clock.advance_ms(SESSION_IDLE_MS_MAX - 60_000);
            assert!(is_logged_in(&asha).await);
        }
        dakiya::jobs::delete_expired(&app.app).await.unwrap();
        assert!(is_logged_in(&asha).await);
        app.app.core.clock.advance_ms(SESSION_IDLE_MS_MAX + 1);
        assert!(!is_logged_in(&asha).await);
    });
}

#[test]
fn a_clean_stop_writes_down_when_sessions_were_last_used() {
    block_on(async {
        let folder = tempfile::TempDir::new().unwrap();
        let sandbox = Vec::from([("DAKIYA_SANDBOX_LISTEN", "127.0.0.1:0".to_owned())]);
        let program = Program::new(folder.path(), sandbox);
        let mut running = program.start();
        program.ready(&mut running).await;
        let mut asha = Actor::at(&program.url);
        asha.username = "asha".to_owned();
        let path = "/api/v1/auth/register/";
        asha.post(path, registration("asha")).await.expect(201);
        asha.log_in().await;
        drop(running);
        let ahead = [("DAKIYA_CLOCK_AHEAD_MS", (SESSION_TOUCH_MS * 2).to_string())];
        let mut running = program.start_with(&ahead);
        program.ready(&mut running).await;
        assert!(is_logged_in(&asha).await);
        assert!(running.stop());
        let file = format!("sqlite://{}", folder.path().join("dakiya.sqlite").display());
        let store = Store::connect(&file).await.unwrap();
        let mut conn = store.read().await.unwrap();
        let seen = "select last_seen_ms - created_ms from sessions";
        let later: i64 = sqlx::query_scalar(seen).fetch_one(&mut *conn).await.unwrap();
        assert!(later > SESSION_TOUCH_MS, "{later} ms");
    });
}

#[test]
fn without_script_the_forms_do_the_same() {
    block_on(async {
        let (app, _, asha) = TestApp::with_user().await;
        let (phone, ravi) = (elsewhere(&asha, PHONE).await, app.user("ravi").await);
        let page = asha.page("/account").await.expect(200);
        assert!(page.text().contains("Chrome on Android"), "{}", page.text());
        let listed = sessions(&phone).await;
        let id = listed[0]["id"].as_str().unwrap();
        let chosen = format!("<option value=\"{id}\"");
        assert!(page.text().contains(&chosen), "{}", page.text());
        let (end, known) = ("/account/sessions/end", ("current_password", PASSWORD));
        let this_one = [("session", id), known];
        ravi.form(end, &this_one).await.expect(303);
        let refused = asha.form(end, &this_one[..1]).await.expect(400);
        let still_chosen = format!("<option value=\"{id}\" selected=\"\"");
        assert!(refused.text().contains(&still_chosen), "{}", refused.text());
        assert!(is_logged_in(&phone).await);
        let done = asha.form(end, &this_one).await.expect(303);
        assert_eq!(done.header("location"), "/account?saved=session");
        assert!(!is_logged_in(&phone).await);

        let phone = elsewhere(&asha, PHONE).await;
        let form = [("current_password", PASSWORD)];
        asha.form("/account/sessions/end", &form).await.expect(303);
        assert!(!is_logged_in(&phone).await && is_logged_in(&asha).await);
        let page = asha.page("/account?saved=sessions").await.expect(200);
        assert!(page.text().contains("You are logged out everywhere else."));

        let form = |current| {
            let new = [("password", ANOTHER), ("password_confirm", ANOTHER)];
            [&[("current_password", current)][..], &new].concat()
        };
        let refused = asha.form("/account/password", &form("nope-nope")).await.expect(400);
        assert!(refused.text().contains("This is not your current password."));
        let done = asha.form("/account/password", &form(PASSWORD)).await.expect(303);
        assert_eq!(done.header("location"), "/account?saved=password");
        let page = asha.page("/account?saved=password").await.expect(200);
        assert!(page.text().contains("You were logged out everywhere else."));
    });
}
