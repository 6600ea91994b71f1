//! Guessed passwords, and logins by the thousand: only the owner gets in.

use std::net::Ipv4Addr;
use std::time::Instant;

use dakiya::app::App;
use dakiya_core::limits::{CUSTOMER_LOGINS, GUESS_DELAY_MS_MAX, GUESSES_FREE, SESSIONS_MAX};
use dakiya_core::model::account::device::Device;
use dakiya_core::model::account::security_event::Origin;
use dakiya_core::model::account::session::RawLogin;
use dakiya_core::services::accounts::new_device::SeenBrowser;
use futures_util::future::join_all;
use reqwest::Method;
use serde_json::{Value, json};

use crate::app::{Actor, Answer, PASSWORD, TestApp, block_on};

const LOGIN: &str = "/api/v1/auth/login/";
const CHANGE: &str = "/api/v1/auth/change-password/";
const ANOTHER: &str = "monsoon-at-nine";

fn login(name: &str, password: &str) -> Value {
    json!({"username": name, "password": password})
}

/// Enters wrong passwords until a wait is required.
async fn guess_until_refused(app: &TestApp, name: &str) {
    for _ in 0..GUESSES_FREE {
        let wrong = login(name, "not-it-at-all");
        app.anon().post(LOGIN, wrong).await.expect(401);
    }
    let right = login(name, PASSWORD);
    app.anon().post(LOGIN, right).await.expect(429);
    // Repeated until the wait is at its maximum, however slow this machine is.
    for _ in 0..6 {
        app.app.core.clock.advance_ms(GUESS_DELAY_MS_MAX);
        let wrong = login(name, "not-it-at-all");
        app.anon().post(LOGIN, wrong).await.expect(401);
    }
}

/// The device cookie that a login sets.
fn device_cookie(answer: &Answer) -> String {
    let cookies = answer.headers.get_all("set-cookie").iter();
    let mut cookies = cookies.map(|cookie| cookie.to_str().expect("ASCII"));
    let device = cookies.find(|cookie| cookie.starts_with("dakiya_device="));
    let device = device.expect("a known device");
    assert!(device.contains("HttpOnly") && device.contains("SameSite=Lax"));
    device.split(';').next().expect("a cookie").to_owned()
}

#[test]
fn fifty_wrong_passwords_at_once_are_as_many_as_five_one_after_the_other() {
    block_on(async {
        let (app, _, asha) = TestApp::with_user().await;
        let guess = |n: usize| {
            let wrong = login(&asha.username, &format!("not-it-{n}"));
            let anon = app.anon();
            async move { anon.post(LOGIN, wrong).await }
        };
        let began = Instant::now();
        let answers = join_all((0..50).map(guess)).await;
        let with = |status: u16| {
            let same = answers.iter().filter(|it| it.status.as_u16() == status);
            i64::try_from(same.count()).expect("a few")
        };
        // One more try for each wait that passes, on a slow machine.
        let waits = i64::try_from(began.elapsed().as_secs()).expect("a while");
        let tried = GUESSES_FREE..=GUESSES_FREE + waits;
        assert!(tried.contains(&with(401)), "{} of {tried:?}", with(401));
        assert_eq!(with(401) + with(429) + with(503), 50);
    });
}

#[test]
fn right_passwords_at_once_are_all_let_in() {
    block_on(async {
        let (app, _, asha) = TestApp::with_user().await;
        let enter = || async {
            let right = login(&asha.username, PASSWORD);
            app.anon().post(LOGIN, right).await.expect(200);
        };
        join_all((0..20).map(|_| enter())).await;
    });
}

#[test]
fn a_strangers_guesses_do_not_keep_out_a_known_device_or_a_live_session() {
    block_on(async {
        let (app, anon, asha) = TestApp::with_user().await;
        let ravi = app.user("ravi").await;
        let browser = [("sec-fetch-site", "same-origin")];
        let right = Some(login(&asha.username, PASSWORD).to_string());
        let first = anon.send(Method::POST, LOGIN, &browser, right).await;
        let device = device_cookie(&first.expect(200));
        guess_until_refused(&app, &asha.username).await;
        let at_device = async |name: &str, password: &str| {
            let headers = [("cookie", device.as_str())];
            let body = Some(login(name, password).to_string());
            anon.send(Method::POST, LOGIN, &headers, body).await
        };
        let again = at_device(&asha.username, PASSWORD).await.expect(200);
        assert_eq!(again.headers.get_all("set-cookie").iter().count(), 1, "it has its word");
        // One account's device cookie is not valid for another, and guesses with it count too.
        guess_until_refused(&app, &ravi.username).await;
        at_device(&ravi.username, PASSWORD).await.expect(429);
        for _ in 0..GUESSES_FREE {
            let wrong = at_device(&asha.username, "not-it-at-all").await;
            wrong.expect(401);
        }
        at_device(&asha.username, PASSWORD).await.expect(429);
        let change = json!({
            "current_password": PASSWORD, "password": ANOTHER, "password_confirm": ANOTHER,
        });
        asha.post(CHANGE, change).await.expect(200);
    });
}

#[test]
fn a_name_of_sixty_thousand_bytes_is_nobodys_and_is_not_kept() {
    block_on(async {
        let (app, anon, _) = TestApp::with_user().await;
        let name = "a".repeat(60_000);
        // More tries than the limit for one name: nothing is counted for it.
        for _ in 0..2 * GUESSES_FREE {
            anon.post(LOGIN, login(&name, "x")).await.expect(401);
        }
        app.user("ravi").await;
    });
}

#[test]
fn so_many_sessions_and_the_oldest_ends() {
    block_on(async {
        let (app, anon, asha) = TestApp::with_user().await;
        let enter = async || {
            app.app.core.clock.advance_ms(1);
            let mut actor = asha.clone();
            actor.log_in().await;
            actor
        };
        let second = enter().await;
        for _ in 2..SESSIONS_MAX {
            enter().await;
        }
        let is_in = async |actor: &Actor| actor.get("/api/v1/auth/profile/").await.status == 200;
        assert!(is_in(&asha).await && is_in(&second).await);
        let last = enter().await;
        assert!(!is_in(&asha).await && is_in(&second).await && is_in(&last).await);
        drop(anon);
    });
}

#[test]
fn one_who_logs_in_for_everything_is_asked_to_slow_down() {
    block_on(async {
        let app = TestApp::start_with(&[("DAKIYA_LIMIT_CLIENTS", "1")]).await;
        let asha = app.user("asha").await;
        let enter = async || {
            let right = login(&asha.username, PASSWORD);
            app.anon().post(LOGIN, right).await
        };
        let began = Instant::now();
        for _ in 1..CUSTOMER_LOGINS.at_once {
            enter().await.expect(200);
        }
        // Logins that the rate limiter allows again because of the time passed.
        let pause = CUSTOMER_LOGINS.pause_ms;
        let paid = i64::try_from(began.elapsed().as_millis()).expect("a while") / pause;
        let mut refused = enter().await;
        for _ in 0..paid + 2 {
            if refused.status == 429 {
                break;
            }
            refused = enter().await;
        }
        let refused = refused.expect(429);
        assert!(refused.text().contains("Too many logins"));
        app.app.core.clock.advance_ms(pause);
        enter().await.expect(200);
        app.user("ravi").await;
    });
}

/// The stored hash of a password.
async fn kept_hash(app: &App, actor: &Actor) -> String {
    let mut conn = app.core.store.read().await.expect("a connection");
    let found = dakiya_core::store::users::credentials(&mut conn, &actor.username).await;
    let found = found.expect("an answer").expect("a customer");
    found.password_hash
}

#[test]
fn a_password_is_kept_at_the_cost_of_today_from_the_next_login_on() {
    block_on(async {
        let (app, _, asha) = TestApp::with_user().await;
        assert!(kept_hash(&app.app, &asha).await.contains("m=64,"));
        let mut config = (*app.app.web.config).clone();
        config.password_kib = 256;
        let dearer = App::start(config).await.expect("the app starts");
        let raw = login(&asha.username, PASSWORD);
        let raw: RawLogin = serde_json::from_value(raw).expect("a login");
        let enter = || async {
            let client = std::net::IpAddr::from(Ipv4Addr::LOCALHOST).into();
            let origin = Origin { address: String::new(), device: Device::of("") };
            let (accounts, browser) = (&dearer.web.accounts, SeenBrowser::default());
            accounts.log_in(client, &origin, browser, &raw).await
        };
        // Parallel logins: none is refused because another was first.
        for entered in join_all((0..4).map(|_| enter())).await {
            entered.expect("logged in");
        }
        assert!(kept_hash(&app.app, &asha).await.contains("m=256,"));
        asha.clone().log_in().await;
        assert!(kept_hash(&app.app, &asha).await.contains("m=256,"));
    });
}
