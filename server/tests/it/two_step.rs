//! Two-step login: a code besides the password, recovery codes, and actions that need a code
//! again.

mod guessing;
mod managing;

use dakiya_core::limits::LOGIN_CHALLENGE_MS_MAX;
use dakiya_core::model::account::totp::{self, TotpSecret};
use futures_util::future::join_all;
use reqwest::Method;
use serde_json::{Value, json};

use crate::app::{Actor, Answer, PASSWORD, TestApp, block_on};
use crate::email::of_subject;
use crate::passwords::address;

const LOGIN: &str = "/api/v1/auth/login/";
const CODE: &str = "/api/v1/auth/login/code/";
const STEP_MS: i64 = 30_000;
/// A header that a browser sends with each request.
const BROWSER: (&str, &str) = ("sec-fetch-site", "same-origin");

/// A customer's phone with the authenticator app, and the recovery codes.
pub struct Phone {
    secret: TotpSecret,
    paper: Vec<String>,
}

impl Phone {
    /// The app's current code. The clock moves first, as each code is valid for one step.
    pub fn code(&self, app: &TestApp) -> String {
        app.app.core.clock.advance_ms(STEP_MS);
        self.code_at(app, 0)
    }

    /// The app's code so many steps from now.
    fn code_at(&self, app: &TestApp, steps: i64) -> String {
        totp::code_at(&self.secret, app.app.core.clock.now_ms() + steps * STEP_MS)
    }
}

fn between<'a>(text: &'a str, from: &str, to: &str) -> &'a str {
    let (_, rest) = text.split_once(from).unwrap_or_else(|| panic!("{from} in {text}"));
    rest.split_once(to).expect("its end").0
}

/// Begins a set-up; returns its page, and the app.
async fn set_up(actor: &Actor) -> (Answer, Phone) {
    let form = [("current_password", PASSWORD)];
    let page = actor.form("/account/two-step/set-up", &form).await.expect(200);
    let secret = between(page.text(), "<code class=\"secret\">", "</code>").replace(' ', "");
    let secret = totp::from_base32(&secret).expect("base32");
    let paper = Vec::new();
    (page, Phone { secret, paper })
}

fn paper(page: &Answer) -> Vec<String> {
    let list = between(page.text(), "<ul class=\"recovery-codes\">", "</ul>");
    let codes = list.split("<code>").skip(1);
    codes.map(|it| it.split_once('<').expect("a code").0.to_owned()).collect()
}

/// Switches two-step login on.
pub async fn switched_on(app: &TestApp, actor: &Actor) -> Phone {
    let (_, mut phone) = set_up(actor).await;
    let code = phone.code(app);
    let page = actor.form("/account/two-step/on", &[("code", &code)]).await.expect(200);
    phone.paper = paper(&page);
    phone
}

/// Switches two-step login on, if the account allows it with this identity.
pub async fn tries_to_switch_on(
    app: &TestApp,
    actor: &Actor,
    identity: &[(&str, &str)],
) -> Option<Phone> {
    let page = actor.form("/account/two-step/set-up", identity).await;
    if page.status != 200 {
        return None;
    }
    let secret = between(page.text(), "<code class=\"secret\">", "</code>").replace(' ', "");
    let phone = Phone { secret: totp::from_base32(&secret).expect("base32"), paper: Vec::new() };
    let code = phone.code(app);
    let on = actor.form("/account/two-step/on", &[("code", &code)]).await;
    (on.status == 200).then_some(phone)
}

async fn password(actor: &Actor) -> Answer {
    let body = json!({"username": actor.username, "password": PASSWORD});
    actor.without_token().post(LOGIN, body).await
}

/// Does the first step, as a program does; returns the challenge.
async fn challenge(actor: &Actor) -> String {
    let asked = password(actor).await.expect(202).json();
    assert!(asked.get("tokens").is_none(), "{asked}");
    asked["challenge"].as_str().expect("a challenge").to_owned()
}

async fn second(actor: &Actor, challenge: &str, code: &str) -> Answer {
    let body = json!({"challenge": challenge, "code": code});
    actor.without_token().post(CODE, body).await
}

/// Does both steps.
pub async fn log_in(actor: &Actor, code: &str) -> Answer {
    let challenge = challenge(actor).await;
    second(actor, &challenge, code).await
}

fn access(answer: &Answer) -> String {
    answer.json()["tokens"]["access"].as_str().expect("a token").to_owned()
}

#[test]
fn a_program_logs_in_with_password_and_code() {
    block_on(async {
        let (app, _, asha) = TestApp::with_user().await;
        let phone = switched_on(&app, &asha).await;
        let challenge = challenge(&asha).await;
        // The challenge between the two steps is no session.
        let mut half = asha.clone();
        half.token = Some(challenge.clone());
        half.get("/api/v1/wallet/balance/").await.expect(401);
        let nothing = second(&asha, &challenge, " ").await.expect(400);
        assert_eq!(nothing.wrong_fields(), ["code"]);
        second(&asha, &challenge, "000000").await.expect(400);
        let done = second(&asha, &challenge, &phone.code(&app)).await.expect(200);
        let mut there = asha.clone();
        there.token = Some(access(&done));
        let profile = there.get("/api/v1/auth/profile/").await.expect(200).json();
        assert!(profile["two_step_at"].is_i64(), "{profile}");
        // The challenge was valid for one login.
        second(&asha, &challenge, &phone.code(&app)).await.expect(401);
    });
}

#[test]
fn a_code_is_good_once_and_for_its_own_time() {
    block_on(async {
        let (app, _, asha) = TestApp::with_user().await;
        let phone = switched_on(&app, &asha).await;
        app.app.core.clock.advance_ms(10 * STEP_MS);
        for steps in [-2, 2] {
            let code = phone.code_at(&app, steps);
            log_in(&asha, &code).await.expect(400);
        }
        let before = phone.code_at(&app, -1);
        log_in(&asha, &before).await.expect(200);
        log_in(&asha, &before).await.expect(400);
        let now = phone.code_at(&app, 0);
        log_in(&asha, &now).await.expect(200);
        log_in(&asha, &now).await.expect(400);
        log_in(&asha, &phone.code_at(&app, 1)).await.expect(200);
        // Earlier codes are invalid once a later one was used.
        log_in(&asha, &now).await.expect(400);
    });
}

#[test]
fn of_eight_uses_of_a_code_at_once_one_wins() {
    block_on(async {
        let (app, _, asha) = TestApp::with_user().await;
        let phone = switched_on(&app, &asha).await;
        for code in [phone.code(&app), phone.paper[3].clone()] {
            let challenges = join_all((0..8).map(|_| challenge(&asha))).await;
            let uses = challenges.iter().map(|it| second(&asha, it, &code));
            let answers = join_all(uses).await;
            let won = answers.iter().filter(|it| it.status == 200).count();
            assert_eq!(won, 1, "{code}");
            app.app.core.clock.advance_ms(120_000);
        }
    });
}

#[test]
fn a_recovery_code_is_good_once_and_told_of() {
    block_on(async {
        let (app, _, asha) = TestApp::with_user().await;
        let phone = switched_on(&app, &asha).await;
        assert_eq!(phone.paper.len(), 10);
        let typed = phone.paper[4].to_uppercase().replace('-', " ");
        let done = log_in(&asha, &typed).await.expect(200);
        log_in(&asha, &phone.paper[4]).await.expect(400);
        let subject = "A recovery code of your Dakiya account was used";
        let told = &of_subject(&app, &address(&asha), subject, 1).await[0];
        assert!(told.text.contains("9 of your recovery codes are left"));
        let words = told.text.split_whitespace().collect::<Vec<_>>().join(" ");
        let advice = "choose another password at once, which logs everybody out, and write to ";
        assert!(words.contains(advice), "{words}");
        let mut there = asha.clone();
        there.token = Some(access(&done));
        let page = there.page("/account/two-step").await.expect(200);
        assert!(page.text().contains("Recovery codes left: 9"));
        let page = there.page("/account").await.expect(200);
        assert!(page.text().contains("A recovery code was used."));
        log_in(&asha, &phone.paper[5]).await.expect(200);
    });
}

#[test]
fn the_second_step_belongs_to_its_browser_and_ends_after_five_minutes() {
    block_on(async {
        let (app, anon, asha) = TestApp::with_user().await;
        let phone = switched_on(&app, &asha).await;
        let form = [("username", &*asha.username), ("password", PASSWORD), ("next", "/recharge")];
        let asked = anon.form("/login", &form).await.expect(303);
        assert_eq!(asked.header("location"), "/login/code?next=/recharge");
        let cookie = asked.header("set-cookie").to_owned();
        assert!(cookie.starts_with("dakiya_login="), "{cookie}");
        for part in ["HttpOnly", "SameSite=Strict", "Max-Age=300"] {
            assert!(cookie.contains(part), "{cookie}");
        }
        let page = anon.page("/login/code?next=/recharge").await.expect(200);
        assert!(page.text().contains("Enter your code"));
        let cookie = cookie.split(';').next().unwrap().to_owned();
        let sent = async |cookie: &str, code: &str| {
            let form = [("code", code), ("next", "/recharge")];
            anon.form_with("/login/code", &form, cookie).await
        };
        let code = phone.code(&app);
        let other = sent("dakiya_login=", &code).await.expect(401);
        assert!(other.text().contains("That took too long. Please log in again."));
        let wrong = sent(&cookie, "000000").await.expect(400);
        assert!(wrong.text().contains("This code is not right"));
        assert!(wrong.text().contains("value=\"/recharge\""));
        let done = sent(&cookie, &code).await.expect(303);
        assert_eq!(done.header("location"), "/recharge");
        let again = phone.code(&app);
        sent(&cookie, &again).await.expect(401);

        let late = challenge(&asha).await;
        app.app.core.clock.advance_ms(LOGIN_CHALLENGE_MS_MAX);
        second(&asha, &late, &phone.code(&app)).await.expect(401);
        // A browser's script cannot read the token.
        let body = json!({"username": asha.username, "password": PASSWORD}).to_string();
        let asked = anon.send(Method::POST, LOGIN, &[BROWSER], Some(body)).await.expect(202);
        assert_eq!(asked.json()["challenge"], "cookie");
        assert!(asked.header("set-cookie").starts_with("dakiya_login="));
    });
}

#[test]
fn a_form_goes_through_both_steps_of_a_login() {
    block_on(async {
        let (app, anon, asha) = TestApp::with_user().await;
        let phone = switched_on(&app, &asha).await;
        let taken = json!({"owner": asha.username, "first_name": "Ushas"}).to_string();
        let form = [
            ("username", &*asha.username),
            ("password", PASSWORD),
            ("next", "/account"),
            ("form", &*taken),
        ];
        let asked = anon.form("/login", &form).await.expect(200);
        assert!(asked.text().contains("name=\"form\""), "{}", asked.text());
        let cookie = asked.header("set-cookie").split(';').next().unwrap().to_owned();
        let code = phone.code(&app);
        let form = [("code", &*code), ("next", "/account"), ("form", &*taken)];
        let done = anon.form_with("/login/code", &form, &cookie).await;
        assert_eq!(done.expect(303).header("location"), "/account?saved=profile");
    });
}

#[test]
fn a_new_password_ends_what_waits_for_a_code_and_does_not_take_its_place() {
    block_on(async {
        let (app, anon, asha) = TestApp::with_user().await;
        let phone = switched_on(&app, &asha).await;
        let waiting = challenge(&asha).await;
        let body = json!({"username": asha.username});
        anon.post("/api/v1/auth/forgot-password/", body).await.expect(200);
        let subject = "Choose a new password for Dakiya";
        let letter = of_subject(&app, &address(&asha), subject, 1).await[0].text.clone();
        let token = between(&letter, "/reset-password?token=", "\n").to_owned();
        let another = "monsoon-at-nine";
        let mut body = json!({"token": token, "password": another, "password_confirm": another});
        body["keep"] = json!("1");
        let done = anon.post("/api/v1/auth/reset-password/", body).await.expect(200);
        assert!(done.header("set-cookie").is_empty());
        second(&asha, &waiting, &phone.code(&app)).await.expect(401);
        let login: Value = json!({"username": asha.username, "password": another});
        anon.post(LOGIN, login).await.expect(202);
    });
}
