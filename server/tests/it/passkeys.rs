//! Passkeys, with an authenticator in software: adding, login, confirming a change, removal; and
//! refusals.

pub mod device;
mod managing;

use dakiya_core::limits::PASSKEY_CHALLENGE_MS_MAX;
use futures_util::future::join_all;
use reqwest::Method;
use serde_json::{Value, json};

use self::device::Device;
use crate::app::{Actor, Answer, PASSWORD, TestApp, block_on};
use crate::two_step::switched_on;

const PASSKEYS: &str = "/api/v1/auth/passkeys/";
pub const SITE: &str = "http://localhost:8080";
const BROWSER: (&str, &str) = ("sec-fetch-site", "same-origin");

pub async fn at_a_name() -> (TestApp, Actor) {
    let app = TestApp::start_with(&[("DAKIYA_PUBLIC_URL", SITE)]).await;
    let asha = app.user("asha").await;
    (app, asha)
}

async fn call(actor: &Actor, path: &str, body: Value) -> Answer {
    actor.post(&format!("{PASSKEYS}{path}"), body).await
}

/// Begins to add a passkey, with the password.
async fn begun(actor: &Actor, name: &str) -> Value {
    let body = json!({"name": name, "current_password": PASSWORD});
    call(actor, "begin/", body).await.expect(200).json()
}

/// Adds a passkey to this account.
pub async fn added(actor: &Actor, name: &str) -> Device {
    let asked = begun(actor, name).await;
    let mut device = Device::new(SITE);
    let answer = device.create(&asked);
    call(actor, "", answer).await.expect(201);
    device
}

async fn asked(actor: &Actor) -> Value {
    let anon = actor.without_token();
    call(&anon, "login/begin/", json!({})).await.expect(200).json()
}

/// Logs in with this passkey.
pub async fn log_in(actor: &Actor, device: &mut Device) -> Answer {
    let asked = asked(actor).await;
    let anon = actor.without_token();
    call(&anon, "login/", device.sign(&asked)).await
}

async fn activity(actor: &Actor) -> String {
    let shown = actor.get("/api/v1/auth/activity/").await.expect(200);
    shown.text().to_owned()
}

/// Checks that a login is refused without a reason, and that no session begins.
fn refused(answer: Answer) {
    let answer = answer.expect(401);
    assert_eq!(
        answer.json()["message"],
        "This passkey does not log in to Dakiya. Please use your password."
    );
    assert!(answer.header("set-cookie").is_empty());
}

#[test]
fn a_passkey_logs_in_and_counts_as_both_steps() {
    block_on(async {
        let (app, asha) = at_a_name().await;
        let mut phone = added(&asha, "my phone").await;
        switched_on(&app, &asha).await;
        let done = log_in(&asha, &mut phone).await.expect(200).json();
        let mut there = asha.clone();
        there.token = done["tokens"]["access"].as_str().map(str::to_owned);
        let profile = there.get("/api/v1/auth/profile/").await.expect(200).json();
        assert_eq!(profile["username"], asha.username);
        assert_eq!(profile["passkeys"], 1);
        let listed = there.get(PASSKEYS).await.expect(200).json();
        assert_eq!(listed["results"][0]["name"], "my phone");
        assert!(listed["results"][0]["last_used_at"].is_i64(), "{listed}");
        let told = activity(&there).await;
        assert!(told.contains("A passkey was added.") && told.contains("The login was with a"));
        // A browser gets cookies and no token.
        let asked = asked(&asha).await;
        let body = phone.sign(&asked).to_string();
        let path = format!("{PASSKEYS}login/");
        let anon = asha.without_token();
        let done = anon.send(Method::POST, &path, &[BROWSER], Some(body)).await;
        let done = done.expect(200);
        assert_eq!(done.json()["tokens"]["access"], "cookie");
        let cookies = done.headers.get_all("set-cookie").iter();
        let mut cookies = cookies.map(|it| it.to_str().expect("ASCII"));
        assert!(cookies.any(|it| it.starts_with("dakiya_session=") && it.contains("HttpOnly")));
    });
}

#[test]
fn a_signature_for_another_site_or_without_verification_is_refused() {
    block_on(async {
        let (_app, asha) = at_a_name().await;
        let mut phone = added(&asha, "my phone").await;
        for origin in
            ["https://localhost:8080", "http://localhost:8081", "http://evil.localhost:8080"]
        {
            phone.origin = origin.to_owned();
            refused(log_in(&asha, &mut phone).await);
        }
        phone.origin = SITE.to_owned();
        phone.rp_id = "dakiya.example".to_owned();
        refused(log_in(&asha, &mut phone).await);
        phone.rp_id = "localhost".to_owned();
        phone.verifies = false;
        refused(log_in(&asha, &mut phone).await);
        phone.verifies = true;
        assert!(activity(&asha).await.contains("A login with a passkey was refused."));
        log_in(&asha, &mut phone).await.expect(200);
        // A passkey is not registered with a wrong value either.
        for wrong in ["origin", "rp_id", "verifies"] {
            let asked = begun(&asha, "another").await;
            let mut device = Device::new(SITE);
            match wrong {
                "origin" => device.origin = "https://evil.example".to_owned(),
                "rp_id" => device.rp_id = "evil.example".to_owned(),
                _ => device.verifies = false,
            }
            let answer = device.create(&asked);
            let refused = call(&asha, "", answer).await.expect(400);
            assert_eq!(refused.wrong_fields(), ["passkey"], "{wrong}");
        }
    });
}

#[test]
fn a_challenge_is_good_for_one_answer_for_five_minutes_and_for_what_it_was_asked() {
    block_on(async {
        let (app, asha) = at_a_name().await;
        let mut phone = added(&asha, "my phone").await;
        let anon = asha.without_token();
        let first = asked(&asha).await;
        let answer = phone.sign(&first);
        call(&anon, "login/", answer.clone()).await.expect(200);
        call(&anon, "login/", answer).await.expect(401);
        // A wrong response uses up the challenge too.
        let second = asked(&asha).await;
        let mut stranger = Device::new(SITE);
        refused(call(&anon, "login/", stranger.sign(&second)).await);
        call(&anon, "login/", phone.sign(&second)).await.expect(401);
        // A response to one challenge under the name of another.
        let (third, fourth) = (asked(&asha).await, asked(&asha).await);
        let mut mixed = phone.sign(&third);
        mixed["challenge"] = fourth["challenge"].clone();
        refused(call(&anon, "login/", mixed).await);
        let confirming = call(&asha, "confirm/", json!({})).await.expect(200).json();
        call(&anon, "login/", phone.sign(&confirming)).await.expect(401);
        let late = asked(&asha).await;
        app.app.core.clock.advance_ms(PASSKEY_CHALLENGE_MS_MAX);
        let late = call(&anon, "login/", phone.sign(&late)).await.expect(401);
        assert!(late.text().contains("That took too long."));
        // Of eight parallel uses one succeeds.
        let answer = phone.sign(&asked(&asha).await);
        let uses = (0..8).map(|_| call(&anon, "login/", answer.clone()));
        let answers = join_all(uses).await;
        assert_eq!(answers.iter().filter(|it| it.status == 200).count(), 1);
        for nothing in [json!({}), json!({"challenge": "x", "credential": []})] {
            call(&anon, "login/", nothing).await.expect(401);
        }
    });
}

#[test]
fn nobody_logs_in_with_a_passkey_of_somebody_else() {
    block_on(async {
        let (app, asha) = at_a_name().await;
        let ravi = app.user("ravi").await;
        let mut hers = added(&asha, "hers").await;
        let mut his = added(&ravi, "his").await;
        // His key with her user handle, then with her key's id.
        his.pretends(&hers);
        refused(log_in(&asha, &mut his).await);
        his.takes_name(&hers);
        refused(log_in(&asha, &mut his).await);
        // Without a user handle the login fails.
        hers.says_handle = false;
        refused(log_in(&asha, &mut hers).await);
        hers.says_handle = true;
        let done = log_in(&ravi, &mut hers).await.expect(200).json();
        assert_eq!(done["user"]["username"], asha.username);
        // One key cannot be a passkey of two accounts.
        let asked = begun(&ravi, "stolen").await;
        let answer = hers.create(&asked);
        call(&ravi, "", answer).await.expect(409);
        // A challenge of one session does not accept a response from another.
        let asked = begun(&ravi, "mine").await;
        let answer = Device::new(SITE).create(&asked);
        call(&asha, "", answer).await.expect(400);
    });
}

#[test]
fn a_counter_that_goes_backwards_is_refused_and_written_down() {
    block_on(async {
        let (_app, asha) = at_a_name().await;
        let mut phone = added(&asha, "my phone").await;
        phone.counter = 7;
        log_in(&asha, &mut phone).await.expect(200);
        for counter in [7, 6, 0] {
            phone.counter = counter;
            refused(log_in(&asha, &mut phone).await);
        }
        let told = activity(&asha).await;
        assert!(told.contains("A passkey was refused: there may be a copy of it."));
        phone.counter = 8;
        log_in(&asha, &mut phone).await.expect(200);
    });
}

#[test]
fn a_passkey_is_the_second_step_of_its_own_account_only() {
    block_on(async {
        let (app, asha) = at_a_name().await;
        let ravi = app.user("ravi").await;
        let mut hers = added(&asha, "hers").await;
        let mut his = added(&ravi, "his").await;
        switched_on(&app, &asha).await;
        let anon = asha.without_token();
        let body = json!({"username": asha.username, "password": PASSWORD}).to_string();
        let first = anon
            .send(Method::POST, "/api/v1/auth/login/", &[BROWSER], Some(body))
            .await
            .expect(202);
        let cookie = first.header("set-cookie");
        let cookie = cookie.split(';').next().expect("a cookie").to_owned();
        let second = async |device: &mut Device, cookie: &str| {
            let mut answer = device.sign(&asked(&asha).await);
            answer["second_step"] = json!(true);
            let headers = [BROWSER, ("cookie", cookie)];
            let path = format!("{PASSKEYS}login/");
            let body = Some(answer.to_string());
            anon.send(Method::POST, &path, &headers, body).await
        };
        second(&mut hers, "dakiya_login=").await.expect(401);
        refused(second(&mut his, &cookie).await);
        let done = second(&mut hers, &cookie).await.expect(200);
        assert_eq!(done.json()["user"]["username"], asha.username);
        // The first step was used already.
        second(&mut hers, &cookie).await.expect(401);
    });
}

#[test]
fn where_the_site_has_no_name_there_are_no_passkeys() {
    block_on(async {
        let (_app, anon, asha) = TestApp::with_user().await;
        call(&anon, "login/begin/", json!({})).await.expect(409);
        let body = json!({"name": "x", "current_password": PASSWORD});
        call(&asha, "begin/", body).await.expect(409);
        let page = anon.page("/login").await.expect(200);
        assert!(!page.text().contains("Log in with a passkey"));
        let page = asha.page("/account").await.expect(200);
        assert!(!page.text().contains("/account/passkeys"));
    });
}
