//! Account activity: recorded, shown to the account's owner, and never changed.

use dakiya::jobs;
use dakiya_core::limits::{
    ACTIVITY_SHOWN, DAY_MS, SECURITY_EVENT_MS_MAX, UNKNOWN_NAMES_AN_HOUR_MAX,
};
use serde_json::{Value, json};

use crate::app::{Actor, PASSWORD, TestApp, block_on};
use crate::documents::book;
use crate::kyc;
use crate::operators::dakiya;
use crate::passwords::letters;

const ACTIVITY: &str = "/api/v1/auth/activity/";

async fn activity(actor: &Actor) -> Vec<Value> {
    let answer = actor.get(ACTIVITY).await.expect(200).json();
    answer["results"].as_array().unwrap().clone()
}

/// Sentences of the account's activity, newest first.
async fn sentences(actor: &Actor) -> Vec<String> {
    let all = activity(actor).await.into_iter();
    all.map(|it| it["text"].as_str().unwrap().to_owned()).collect()
}

/// Moves the clock: events within one millisecond have no order.
fn later(app: &TestApp) {
    app.app.core.clock.advance_ms(5);
}

async fn log_in(app: &TestApp, name: &str, password: &str, status: u16) {
    let body = json!({"username": name, "password": password});
    let answer = app.anon().post("/api/v1/auth/login/", body).await;
    answer.expect(status);
    later(app);
}

#[test]
fn a_customer_sees_what_happened_to_the_account_and_nobody_elses() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(5_000).await;
        later(&app);
        let ravi = app.user("ravi").await;
        let name = &asha.username;
        log_in(&app, name, "not-it-at-all", 401).await;
        let phone = json!({"phone": "9123456780", "current_password": PASSWORD});
        asha.post("/api/v1/auth/profile/", phone).await.expect(200);
        later(&app);
        let wrong = json!({"email": "new@example.in", "current_password": "not-it-at-all"});
        asha.post("/api/v1/auth/profile/", wrong).await.expect(400);
        later(&app);
        let passwords = |current: &str| {
            json!({
                "current_password": current, "password": PASSWORD, "password_confirm": PASSWORD,
            })
        };
        let change = "/api/v1/auth/change-password/";
        asha.post(change, passwords("not-it-at-all")).await.expect(400);
        later(&app);
        asha.post(change, passwords(PASSWORD)).await.expect(200);
        later(&app);
        let [document, _] = kyc::uploaded(&asha).await;
        later(&app);
        asha.get(&document).await.expect(200);
        later(&app);
        ravi.get(&document).await.expect(404);
        let booked = book(&asha, &json!({})).await;
        let cancel = format!("/api/v1/shipping/booking/{}/cancel/", booked.id);
        ravi.post(&cancel, json!({})).await.expect(404);
        asha.post(&cancel, json!({})).await.expect(200);
        later(&app);
        asha.clone().log_in().await;
        later(&app);
        let others = "/api/v1/auth/sessions/end-others/";
        let known = json!({"current_password": PASSWORD});
        asha.post(others, known).await.expect(200);
        let expected = [
            "You were logged out at all other places.",
            "You logged in.",
            "Cancellation requested.",
            "An identity document was downloaded.",
            "Identity documents were uploaded.",
            "Your password was changed.",
            "Your password was not changed: the current one was wrong.",
            "Your email address was not changed: the password was wrong.",
            "Your phone number was changed.",
            "A login was refused: the password was wrong.",
            "You logged in.",
            "Account created.",
        ];
        assert_eq!(sentences(&asha).await, expected);
        let newest = &activity(&asha).await[0];
        assert_eq!(newest["address"], "127.0.0.1");
        assert_eq!(newest["device"], "A program");
        assert_eq!(sentences(&ravi).await, ["You logged in.", "Account created."]);
        let page = asha.page("/account").await.expect(200);
        for sentence in expected {
            assert!(page.text().contains(sentence), "{sentence}");
        }
        app.anon().get(ACTIVITY).await.expect(401);
        let out = "/api/v1/auth/logout/";
        asha.post(out, json!({})).await.expect(200);
        later(&app);
        let mut again = asha.clone();
        again.log_in().await;
        assert_eq!(sentences(&again).await[1], "You logged out.");
    });
}

#[test]
fn a_link_for_a_new_password_leaves_a_line_when_asked_for_and_when_used() {
    block_on(async {
        let (app, anon, mut asha) = TestApp::with_user().await;
        let forgot = json!({"username": asha.username});
        let path = "/api/v1/auth/forgot-password/";
        anon.post(path, forgot).await.expect(200);
        let address = format!("{}@example.in", asha.username);
        let letter = letters(&app, &address, 1).await[0].text.clone();
        let (_, rest) = letter.split_once("token=").unwrap();
        let token = rest.split_whitespace().next().unwrap();
        let choice = json!({"token": token, "password": PASSWORD, "password_confirm": PASSWORD});
        let path = "/api/v1/auth/reset-password/";
        later(&app);
        anon.post(path, choice).await.expect(200);
        later(&app);
        asha.log_in().await;
        let said = &sentences(&asha).await[..3];
        let expected = [
            "You logged in.",
            "A new password was chosen through a link.",
            "A link to choose a new password was asked for.",
        ];
        assert_eq!(said, expected);
    });
}

#[test]
fn of_an_unknown_name_only_the_address_is_kept_and_not_without_end() {
    block_on(async {
        let app = TestApp::start().await;
        for number in 0..UNKNOWN_NAMES_AN_HOUR_MAX + 3 {
            log_in(&app, &format!("mistyped-secret-{number}"), "not-it-at-all", 401).await;
        }
        let told = dakiya(&app, "users events --address 127.0.0.1 --as ravi --json");
        assert!(!told.out.contains("mistyped"), "{told:?}");
        let lines = told.json();
        let lines = lines.as_array().unwrap();
        let most = usize::try_from(UNKNOWN_NAMES_AN_HOUR_MAX).unwrap();
        assert_eq!(lines.len(), most);
        let first = &lines[0];
        assert_eq!(
            [&first["user"], &first["what"], &first["result"]],
            [&json!(null), &json!("logged_in"), &json!("refused")]
        );
        let nobody = dakiya(&app, "users events --as ravi");
        nobody.refused("Name an account or --address.");
    });
}

#[test]
fn an_operator_sees_an_accounts_events_with_operators_acts_and_is_seen() {
    block_on(async {
        let (app, _, mut asha) = TestApp::with_user().await;
        let name = asha.username.clone();
        let end = format!("users end-sessions {name} --reason lost~phone --as ravi");
        later(&app);
        dakiya(&app, &end);
        later(&app);
        let told = dakiya(&app, &format!("users events {name} --as ravi --json")).json();
        let what: Vec<&str> =
            told.as_array().unwrap().iter().map(|line| line["what"].as_str().unwrap()).collect();
        assert_eq!(what, ["users end-sessions", "logged_in", "registered"]);
        assert_eq!(told[0]["operator"], "ravi");
        assert_eq!(told[1]["address"], "127.0.0.1");
        assert!(!told.to_string().contains("example.in"), "{told}");
        let record = dakiya(&app, "actions list --json").json();
        assert_eq!(record[0]["command"], "users events");
        assert_eq!(record[0]["reference"], told[0]["user"]);
        asha.log_in().await;
        let said = sentences(&asha).await;
        assert_eq!(
            said[1..3],
            ["Dakiya looked at your account’s activity.", "Dakiya logged you out everywhere."]
        );
        // The customer does not see the operator's name or the reason.
        let page = asha.page("/account").await.expect(200);
        assert!(!page.text().contains("ravi") && !page.text().contains("lost phone"));
    });
}

#[test]
fn what_happened_is_neither_changed_nor_removed_until_it_is_a_year_old() {
    block_on(async {
        let (app, _, mut asha) = TestApp::with_user().await;
        for change in [
            "update security_events set address = ''",
            "delete from security_events",
            "delete from security_events where act = 'logged_in'",
        ] {
            assert!(app.tamper(change).await.is_err(), "{change}");
        }
        app.app.core.clock.advance_ms(SECURITY_EVENT_MS_MAX - DAY_MS);
        jobs::delete_expired(&app.app).await.unwrap();
        asha.log_in().await;
        assert_eq!(activity(&asha).await.len(), 3);
        app.app.core.clock.advance_ms(2 * DAY_MS);
        jobs::delete_expired(&app.app).await.unwrap();
        asha.log_in().await;
        assert_eq!(sentences(&asha).await, ["You logged in."; 2]);
        assert!(app.tamper("delete from security_events").await.is_err());
    });
}

#[test]
fn the_newest_lines_are_shown() {
    block_on(async {
        let (app, _, asha) = TestApp::with_user().await;
        for _ in 0..=ACTIVITY_SHOWN {
            log_in(&app, &asha.username, PASSWORD, 200).await;
        }
        let shown = activity(&asha).await;
        assert_eq!(shown.len(), usize::try_from(ACTIVITY_SHOWN).unwrap());
        assert!(shown.iter().all(|line| line["text"] == "You logged in."));
    });
}
