//! A forgotten password: a link by email, a new password, and no information for others.

use std::time::{Duration, Instant};

use dakiya_core::limits::{HOUR_MS, RESET_MS_MAX, RESETS_AN_HOUR_MAX};
use dakiya_core::providers::notify::inbox::InboxMessage;
use futures_util::future::join_all;
use reqwest::Method;
use serde_json::{Value, json};

use crate::app::{Actor, Answer, PASSWORD, TestApp, block_on, inbox, registration};
use crate::email::of_subject;
use crate::letters::{by_browser, device_cookie};
use crate::notify::mail_server::{MailServer, Manner};
use crate::patience::eventually;

const FORGOT: &str = "/api/v1/auth/forgot-password/";
const RESET: &str = "/api/v1/auth/reset-password/";
const ANOTHER: &str = "monsoon-at-nine";

/// Subject of the registration letter.
pub const CONFIRM: &str = "Confirm your email address for Dakiya";

pub fn address(actor: &Actor) -> String {
    format!("{}@example.in", actor.username)
}

/// Emails to an address, newest first, once there are at least `count`: they are sent after the
/// response.
pub async fn letters(app: &TestApp, to: &str, count: usize) -> Vec<InboxMessage> {
    eventually(async || {
        let mut kept = inbox(&app.app);
        kept.retain(|letter| letter.to == to);
        (kept.len() >= count).then_some(kept)
    })
    .await
}

pub fn token(letter: &InboxMessage) -> String {
    let (_, rest) = letter.text.split_once("/reset-password?token=").expect("a link");
    rest.split_whitespace().next().expect("a token").to_owned()
}

/// Requests a link, and returns its token from the email, once there are `count`.
async fn asked(app: &TestApp, actor: &Actor, count: usize) -> String {
    let body = json!({"username": actor.username});
    app.anon().post(FORGOT, body).await.expect(200);
    token(&letters(app, &address(actor), count).await[0])
}

pub async fn choose(app: &TestApp, token: &str, password: &str) -> Answer {
    let body = json!({"token": token, "password": password, "password_confirm": password});
    app.anon().post(RESET, body).await
}

fn login(actor: &Actor, password: &str) -> Value {
    json!({"username": actor.username, "password": password})
}

#[test]
fn whoever_forgot_the_password_chooses_another_through_a_link_in_an_email() {
    block_on(async {
        let (app, anon, asha) = TestApp::with_user().await;
        let ravi = app.user("ravi").await;
        let token = asked(&app, &asha, 1).await;
        let letter = &letters(&app, &address(&asha), 1).await[0];
        let link = format!("{}/reset-password?token={token}", app.url);
        assert!(letter.text.contains(&link), "{}", letter.text);
        assert!(letter.text.contains(&asha.username) && letter.text.contains("30 minutes"));

        let done = choose(&app, &token, ANOTHER).await.expect(200).json();
        let said = "Your password was changed. Please log in with the new one.";
        assert_eq!(done["message"], said);
        asha.get("/api/v1/auth/profile/").await.expect(401);
        ravi.get("/api/v1/auth/profile/").await.expect(200);
        let with = async |password| anon.post("/api/v1/auth/login/", login(&asha, password)).await;
        with(PASSWORD).await.expect(401);
        with(ANOTHER).await.expect(200);
        of_subject(&app, &address(&asha), "Your Dakiya password was changed", 1).await;

        let again = choose(&app, &token, "another-one-yet").await.expect(400);
        assert_eq!(again.wrong_fields(), ["token"]);
        with(ANOTHER).await.expect(200);
    });
}

#[test]
fn without_script_the_forms_do_the_same() {
    block_on(async {
        let (app, anon, asha) = TestApp::with_user().await;
        let nothing = anon.form("/forgot-password", &[("username", " ")]).await;
        let nothing = nothing.expect(400);
        assert!(nothing.text().contains("Please enter your username or email address."));
        // Requested by the email address, in any case.
        let named = address(&asha).to_uppercase();
        let sent = anon.form("/forgot-password", &[("username", &named)]).await;
        assert_eq!(sent.expect(303).header("location"), "/forgot-password?sent=1");
        let page = anon.get("/forgot-password?sent=1").await.expect(200);
        assert!(page.text().contains("Check your email"), "{}", page.text());

        let token = token(&letters(&app, &address(&asha), 1).await[0]);
        let path = format!("/reset-password?token={token}");
        let page = anon.get(&path).await.expect(200);
        assert!(page.text().contains(&format!("value=\"{token}\"")), "{}", page.text());
        assert_eq!(page.header("referrer-policy"), "strict-origin");
        assert_eq!(page.header("cache-control"), "no-store");
        let form =
            |confirm| [("token", &*token), ("password", ANOTHER), ("password_confirm", confirm)];
        let refused = anon.form("/reset-password", &form("other")).await.expect(400);
        assert!(refused.text().contains("Passwords do not match"), "{}", refused.text());
        assert!(refused.text().contains(&format!("value=\"{token}\"")));
        let done = anon.form("/reset-password", &form(ANOTHER)).await.expect(303);
        assert_eq!(done.header("location"), "/login?changed=1");
        let page = anon.get("/login?changed=1").await.expect(200);
        assert!(page.text().contains("Your password was changed."));

        let used = anon.get(&path).await.expect(404);
        assert!(used.text().contains("This link was used already"), "{}", used.text());
        let used = anon.form("/reset-password", &form(ANOTHER)).await.expect(400);
        assert!(used.text().contains("Ask for another link"), "{}", used.text());
        for odd in ["", "?token=", "?token=x", "?token=%00"] {
            let page = anon.get(&format!("/reset-password{odd}")).await;
            assert!(page.text().contains("Ask for another link"), "{odd}");
        }
    });
}

#[test]
fn a_link_is_good_for_half_an_hour_and_all_end_with_the_first_that_is_used() {
    block_on(async {
        let (app, anon, asha) = TestApp::with_user().await;
        let first = asked(&app, &asha, 1).await;
        let second = asked(&app, &asha, 2).await;
        assert_ne!(first, second);
        let over = async |token: &str| {
            let refused = choose(&app, token, ANOTHER).await.expect(400);
            assert_eq!(refused.wrong_fields(), ["token"]);
        };
        over("").await;
        over(&"A".repeat(43)).await;
        app.app.core.clock.advance_ms(RESET_MS_MAX - 60_000);
        // A refused password does not use up the link.
        for (password, said) in
            [("abcde", "Password must be at least 6 characters long"), ("password", "too common")]
        {
            let refused = choose(&app, &second, password).await.expect(400);
            assert_eq!(refused.wrong_fields(), ["password"]);
            assert!(refused.text().contains(said), "{}", refused.text());
        }
        app.app.core.clock.advance_ms(60_000);
        over(&first).await;
        over(&second).await;
        anon.post("/api/v1/auth/login/", login(&asha, PASSWORD)).await.expect(200);

        let third = asked(&app, &asha, 3).await;
        let fourth = asked(&app, &asha, 4).await;
        app.app.core.clock.advance_ms(RESET_MS_MAX - 60_000);
        choose(&app, &third, ANOTHER).await.expect(200);
        over(&fourth).await;
    });
}

#[test]
fn nobody_learns_whether_there_is_an_account() {
    block_on(async {
        let server = MailServer::start(Manner::Silent).await;
        let url = format!("smtp://127.0.0.1:{}", server.port);
        let mail = [("DAKIYA_SMTP_URL", &*url), ("DAKIYA_MAIL_FROM", "post@dakiya.example")];
        let app = TestApp::start_with(&mail).await;
        let asha = app.user("asha").await;
        let asks = async |name: &str| {
            let started = Instant::now();
            let answer = app.anon().post(FORGOT, json!({"username": name})).await.expect(200);
            // The mail server accepts the connection and hangs: requests do not wait for it.
            let given_up = Duration::from_millis(dakiya_core::limits::NOTIFY_MS_MAX);
            assert!(started.elapsed() < given_up, "{:?}", started.elapsed());
            let form = app.anon().form("/forgot-password", &[("username", name)]).await;
            let location = form.expect(303).header("location").to_owned();
            (answer.body, location)
        };
        let known = asks(&asha.username).await;
        assert_eq!(known, asks("nobody").await);
        assert_eq!(known, asks("nobody@example.in").await);
        assert_eq!(known, asks(&address(&asha)).await);
    });
}

#[test]
fn of_eight_uses_of_a_link_at_once_one_wins() {
    block_on(async {
        // Hashing takes as long as in production: all requests run at once.
        let app = TestApp::start_with(&[("DAKIYA_PASSWORD_KIB", "19456")]).await;
        let (anon, asha) = (app.anon(), app.user("asha").await);
        let token = asked(&app, &asha, 1).await;
        let passwords: Vec<String> = (0..8).map(|n| format!("monsoon-at-{n}")).collect();
        let uses = passwords.iter().map(|password| choose(&app, &token, password));
        let statuses: Vec<u16> = join_all(uses).await.iter().map(|a| a.status.as_u16()).collect();
        let won: Vec<usize> = (0..8).filter(|&n| statuses[n] == 200).collect();
        assert_eq!(won.len(), 1, "{statuses:?}");
        let winner = login(&asha, &passwords[won[0]]);
        anon.post("/api/v1/auth/login/", winner).await.expect(200);
    });
}

#[test]
fn an_account_gets_five_links_an_hour_and_nobody_is_told() {
    block_on(async {
        let (app, anon, asha) = TestApp::with_user().await;
        let ask = async || anon.post(FORGOT, json!({"username": asha.username})).await.expect(200);
        let five = usize::try_from(RESETS_AN_HOUR_MAX).unwrap();
        for count in 1..=five {
            ask().await;
            letters(&app, &address(&asha), count).await;
        }
        let last = token(&letters(&app, &address(&asha), five).await[0]);
        let (fifth, sixth) = (ask().await, ask().await);
        assert_eq!(fifth.body, sixth.body);
        let ravi = app.user("ravi").await;
        anon.post(FORGOT, json!({"username": ravi.username})).await.expect(200);
        letters(&app, &address(&ravi), 1).await;
        assert_eq!(letters(&app, &address(&asha), five).await.len(), five);
        // The last link sent is still valid.
        choose(&app, &last, ANOTHER).await.expect(200);
        letters(&app, &address(&asha), five + 1).await;
        app.app.core.clock.advance_ms(HOUR_MS);
        ask().await;
        letters(&app, &address(&asha), five + 2).await;
    });
}

#[test]
fn strangers_neither_end_the_owners_link_nor_use_up_the_allowance_of_the_owners_browser() {
    block_on(async {
        let (app, anon, asha) = TestApp::with_user().await;
        let cookie = device_cookie(&by_browser(&asha, "Firefox/140", "").await);
        assert!(!cookie.is_empty());
        let mailbox = address(&asha);
        let body = json!({"username": asha.username});
        let by_owner = async || {
            let headers = [("sec-fetch-site", "same-origin"), ("cookie", &*cookie)];
            let answer = anon.send(Method::POST, FORGOT, &headers, Some(body.to_string())).await;
            answer.expect(200);
        };
        let subject = "Choose a new password for Dakiya";
        let count = async |count: usize| of_subject(&app, &mailbox, subject, count).await;
        by_owner().await;
        let owners = token(&count(1).await[0]);
        let five = usize::try_from(RESETS_AN_HOUR_MAX).unwrap();
        for number in 0..five {
            anon.post(FORGOT, body.clone()).await.expect(200);
            count(number + 2).await;
        }
        // Another browser's cookie is no better than none.
        let strange = format!("dakiya_device={}", "A".repeat(43));
        let form = [("username", asha.username.as_str())];
        anon.form_with("/forgot-password", &form, &strange).await.expect(303);
        anon.post(FORGOT, body.clone()).await.expect(200);
        by_owner().await;
        let all = count(five + 2).await;
        assert_eq!(all.len(), five + 2, "the strangers' sixth and seventh were not sent");
        // The owner's first link is good in spite of all that came after it.
        choose(&app, &owners, ANOTHER).await.expect(200);
        choose(&app, &token(&all[0]), ANOTHER).await.expect(400);
    });
}

#[test]
fn without_email_it_is_said_so() {
    block_on(async {
        let variables = [
            ("DAKIYA_GATEWAY", "phonepe"),
            ("DAKIYA_PHONEPE_CLIENT_ID", "x"),
            ("DAKIYA_PHONEPE_CLIENT_SECRET", "x"),
            ("DAKIYA_PHONEPE_CALLBACK_USERNAME", "x"),
            ("DAKIYA_PHONEPE_CALLBACK_PASSWORD", "x"),
        ];
        let app = TestApp::start_with(&variables).await;
        let answer = app.anon().post(FORGOT, json!({"username": "asha"})).await.expect(502);
        assert!(answer.text().contains("Please write to help@dakiya.example."));
    });
}

/// A session that begins with the old password must not outlive it.
#[cfg(feature = "faults")]
#[test]
fn a_login_that_overlaps_with_a_new_password_fails() {
    use crate::patience::{patient, until};
    use dakiya_core::failpoints::{FailAction, arm, armed};
    block_on(async {
        let (app, anon, asha) = TestApp::with_user().await;
        let mut conn = app.app.core.store.read().await.unwrap();
        let found =
            dakiya_core::store::users::find_by_name(&mut conn, &asha.username).await.unwrap();
        drop(conn);
        let token = asked(&app, &asha, 1).await;
        let long = u64::try_from(patient(1_500).as_millis()).unwrap();
        arm("password", &found[0].user_id, FailAction::Stall(long));
        let (login, chosen) =
            tokio::join!(anon.post("/api/v1/auth/login/", login(&asha, PASSWORD)), async {
                until("the password was right", async || !armed("password")).await;
                choose(&app, &token, ANOTHER).await
            });
        chosen.expect(200);
        login.expect(401);
    });
}

#[cfg(feature = "faults")]
#[test]
fn a_link_that_serves_twice_is_noticed() {
    let once = "passwords::of_eight_uses_of_a_link_at_once_one_wins";
    crate::faults::must_fail(once, "reset-used-twice");
}

#[test]
fn a_password_that_others_would_guess_is_refused_beside_its_field_wherever_one_is_chosen() {
    block_on(async {
        let (app, anon, asha) = TestApp::with_user().await;
        let made = "This password is made of your name, username, email address";
        let common = "This password is too common.";
        let company = json!({"company_name": "Lotus Weaves"});
        let profile = "/api/v1/auth/profile/";
        asha.post(profile, company).await.expect(200);
        let token = asked(&app, &asha, 1).await;
        for (password, sentence) in [
            ("Lotus@2026", made),
            ("dakiya2026", made),
            ("+919876543210", made),
            // From the second half of the list of common passwords.
            ("DeerHunter", common),
        ] {
            let choice = json!({
                "current_password": PASSWORD, "password": password, "password_confirm": password,
            });
            let changed = asha.post("/api/v1/auth/change-password/", choice).await;
            let chosen = choose(&app, &token, password).await;
            let mut form = registration("a-newcomer");
            form["password"] = json!(password);
            form["password_confirm"] = json!(password);
            form["first_name"] = json!("Lotus");
            let registered = anon.post("/api/v1/auth/register/", form).await;
            for refused in [changed, chosen, registered] {
                let refused = refused.expect(400);
                assert_eq!(refused.wrong_fields(), ["password"], "{password}");
                let said = refused.json()["errors"][0]["message"].clone();
                assert!(said.as_str().unwrap().starts_with(sentence), "{password}: {said}");
            }
        }
        // A password without the customer's own details is accepted.
        choose(&app, &token, "lotus-in-the-pond").await.expect(200);
    });
}
