//! Switching two-step login on and off, and actions that need a code again.

use dakiya::jobs;
use dakiya_core::limits::TWO_STEP_SETUP_MS_MAX;
use dakiya_core::model::task::TaskKind;
use serde_json::json;

use super::{
    Phone, STEP_MS, access, between, challenge, log_in, paper, password, second, set_up,
    switched_on,
};
use crate::app::{Actor, Answer, PASSWORD, TestApp, block_on};
use crate::documents::number;
use crate::email::of_subject;
use crate::operators::{dakiya, rows};
use crate::passwords::{address, letters};

const ANOTHER: &str = "monsoon-at-nine";

async fn change_password(actor: &Actor, code: &str) -> Answer {
    let body = json!({"current_password": PASSWORD, "code": code,
                      "password": ANOTHER, "password_confirm": ANOTHER});
    actor.post("/api/v1/auth/change-password/", body).await
}

#[test]
fn it_is_on_when_the_app_has_shown_its_first_code() {
    block_on(async {
        let (app, _, mut asha) = TestApp::with_user().await;
        let page = asha.page("/account").await.expect(200);
        assert!(page.text().contains("Off. Protect your wallet"), "{}", page.text());
        asha.page("/account/two-step").await.expect(200);
        let wrong = [("current_password", "not-it-at-all")];
        let wrong = asha.form("/account/two-step/set-up", &wrong).await.expect(400);
        assert!(wrong.text().contains("This is not your current password."));
        let none = asha.form("/account/two-step/on", &[("code", "123456")]).await;
        none.expect(409);

        let elsewhere = asha.clone();
        asha.log_in().await;
        let (page, phone) = set_up(&asha).await;
        assert_eq!(page.header("cache-control"), "no-store");
        assert!(page.text().contains("<svg class=\"qr-code\""), "{}", page.text());
        // The set-up is not confirmed yet, and another session cannot continue it.
        password(&asha).await.expect(200);
        let code = phone.code(&app);
        elsewhere.form("/account/two-step/on", &[("code", &code)]).await.expect(409);
        let wrong = asha.form("/account/two-step/on", &[("code", "000000")]).await.expect(400);
        assert!(wrong.text().contains("This code is not right"));
        assert!(wrong.text().contains(between(page.text(), "\"secret\">", "<")));
        let page = asha.form("/account/two-step/on", &[("code", &code)]).await.expect(200);
        assert_eq!(paper(&page).len(), 10);
        assert!(page.text().contains("Your recovery codes"), "{}", page.text());
        elsewhere.get("/api/v1/wallet/balance/").await.expect(401);
        let subject = "Two-step login is on for your Dakiya account";
        of_subject(&app, &address(&asha), subject, 1).await;
        let page = asha.page("/account").await.expect(200);
        assert!(page.text().contains("Two-step login was switched on."));
        // The code that switched it on is used up, and codes are shown once.
        log_in(&asha, &code).await.expect(400);
        let page = asha.page("/account/two-step").await.expect(200);
        assert!(!page.text().contains("recovery-codes\""), "{}", page.text());
        let again = asha.form("/account/two-step/set-up", &[("current_password", PASSWORD)]);
        assert_eq!(again.await.status, 409);
    });
}

#[test]
fn a_set_up_that_takes_long_is_begun_again() {
    block_on(async {
        let (app, _, asha) = TestApp::with_user().await;
        let (_, phone) = set_up(&asha).await;
        app.app.core.clock.advance_ms(TWO_STEP_SETUP_MS_MAX);
        let code = phone.code(&app);
        let late = asha.form("/account/two-step/on", &[("code", &code)]).await.expect(409);
        assert!(late.text().contains("The set-up took too long. Please begin again."));
        jobs::delete_expired(&app.app).await.expect("upkeep");
        switched_on(&app, &asha).await;
        app.app.core.clock.advance_ms(TWO_STEP_SETUP_MS_MAX);
        jobs::delete_expired(&app.app).await.expect("upkeep");
        password(&asha).await.expect(202);
    });
}

#[test]
fn secrets_are_nowhere_readable() {
    block_on(async {
        let (app, _, asha) = TestApp::with_user().await;
        let phone = switched_on(&app, &asha).await;
        let waiting = challenge(&asha).await;
        let kept = rows(&app).await.join("\n");
        let secret = dakiya_core::model::account::totp::in_base32(&phone.secret);
        for hidden in [&*secret, &waiting] {
            assert!(!kept.contains(hidden), "{hidden}");
        }
        for code in &phone.paper {
            assert!(!kept.contains(code) && !kept.contains(&code.replace('-', "")), "{code}");
        }
        let form = [("current_password", PASSWORD), ("code", "")];
        let without = asha.form("/account/export", &form).await.expect(400);
        assert!(without.text().contains("Please enter the 6 digits of your app"));
        let code = phone.code(&app);
        let form = [("current_password", PASSWORD), ("code", &*code)];
        let file = asha.form("/account/export", &form).await.expect(200);
        let since = &file.json()["account"]["two_step_sign_in_since"];
        assert!(since.as_str().is_some_and(|it| it.starts_with("20")), "{since}");
        assert!(!file.text().contains(&secret), "the secret is in the export");
    });
}

#[test]
fn switching_off_and_new_codes_need_password_and_code() {
    block_on(async {
        let (app, _, asha) = TestApp::with_user().await;
        let phone = switched_on(&app, &asha).await;
        for path in ["/account/two-step/off", "/account/two-step/codes"] {
            let without = asha.form(path, &[("current_password", PASSWORD)]).await.expect(400);
            assert!(without.text().contains("Please enter the 6 digits of your app"));
            let code = phone.code(&app);
            let form = [("current_password", "not-it-at-all"), ("code", &*code)];
            asha.form(path, &form).await.expect(400);
        }
        let code = phone.code(&app);
        let form = [("current_password", PASSWORD), ("code", &*code)];
        let page = asha.form("/account/two-step/codes", &form).await.expect(200);
        let fresh = paper(&page);
        assert_eq!(fresh.len(), 10);
        log_in(&asha, &phone.paper[0]).await.expect(400);
        let done = log_in(&asha, &fresh[0]).await.expect(200);
        let mut there = asha.clone();
        there.token = Some(access(&done));
        let form = [("current_password", PASSWORD), ("code", &*fresh[1])];
        let done = there.form("/account/two-step/off", &form).await.expect(303);
        assert_eq!(done.header("location"), "/account?saved=two-step-off");
        asha.get("/api/v1/wallet/balance/").await.expect(401);
        password(&asha).await.expect(200);
        let told = letters(&app, &address(&asha), 5).await;
        assert!(told.iter().any(|it| it.subject == "New recovery codes for your Dakiya account"));
        let off = "Two-step login is off for your Dakiya account";
        assert!(told.iter().any(|it| it.subject == off));
    });
}

#[test]
fn what_changes_an_account_for_good_asks_for_a_code_too() {
    block_on(async {
        let (app, _, asha) = TestApp::with_user().await;
        let phone = switched_on(&app, &asha).await;
        let mail = json!({"email": "new@example.in", "current_password": PASSWORD});
        let refused = asha.post("/api/v1/auth/profile/", mail.clone()).await.expect(400);
        assert_eq!(refused.wrong_fields(), ["code"]);
        let mut with_code = mail;
        with_code["code"] = json!(phone.code(&app));
        asha.post("/api/v1/auth/profile/", with_code.clone()).await.expect(200);
        // The code was used already.
        with_code["email"] = json!("other@example.in");
        asha.post("/api/v1/auth/profile/", with_code).await.expect(400);
        // Another number may help somebody into the account; a name may not.
        let mut change = json!({"phone": "9123456780", "current_password": PASSWORD});
        let refused = asha.post("/api/v1/auth/profile/", change.clone()).await.expect(400);
        assert_eq!(refused.wrong_fields(), ["code"]);
        change["code"] = json!(phone.code(&app));
        asha.post("/api/v1/auth/profile/", change).await.expect(200);
        asha.post("/api/v1/auth/profile/", json!({"first_name": "Usha"})).await.expect(200);

        let others = "/api/v1/auth/sessions/end-others/";
        let body = json!({"current_password": PASSWORD});
        asha.post(others, body).await.expect(400);
        let body = json!({"current_password": PASSWORD, "code": phone.code(&app)});
        asha.post(others, body).await.expect(200);

        let close = [("current_password", PASSWORD)];
        asha.form("/account/close", &close).await.expect(400);
        assert_eq!(change_password(&asha, "").await.expect(400).wrong_fields(), ["code"]);
        change_password(&asha, "000000").await.expect(400);
        change_password(&asha, &phone.code(&app)).await.expect(200);
        let page = asha.page("/account").await.expect(200);
        let noted = "A change of your account was refused: the code was wrong.";
        assert!(page.text().contains(noted), "{}", page.text());

        let code = phone.code(&app);
        let close = [("current_password", ANOTHER), ("code", &*code)];
        asha.form("/account/close", &close).await.expect(303);
        for table in ["authenticators", "recovery_codes", "login_challenges"] {
            let left = number(&app, format!("select count(*) from {table}")).await;
            assert_eq!(left, 0, "{table}");
        }
    });
}

#[test]
fn ending_all_other_sessions_asks_for_the_password() {
    block_on(async {
        let (_app, _, asha) = TestApp::with_user().await;
        let mut there = asha.clone();
        there.log_in().await;
        let path = "/api/v1/auth/sessions/end-others/";
        for wrong in ["", "not-it-at-all"] {
            let refused = asha.post(path, json!({"current_password": wrong})).await.expect(400);
            assert_eq!(refused.wrong_fields(), ["current_password"]);
        }
        there.get("/api/v1/wallet/balance/").await.expect(200);
        let form = [("current_password", "not-it-at-all")];
        let page = asha.form("/account/sessions/end", &form).await.expect(400);
        assert!(page.text().contains("This is not your current password."));
        let form = [("current_password", PASSWORD)];
        let done = asha.form("/account/sessions/end", &form).await.expect(303);
        assert_eq!(done.header("location"), "/account?saved=sessions");
        there.get("/api/v1/wallet/balance/").await.expect(401);
    });
}

#[test]
fn an_operator_switches_it_off_for_whoever_lost_phone_and_codes() {
    block_on(async {
        let (app, _, asha) = TestApp::with_user().await;
        let line = format!("users two-step-off {} --reason lost~phone --as meena", asha.username);
        dakiya(&app, &line).refused("Two-step login is off for this account.");
        let phone: Phone = switched_on(&app, &asha).await;
        let waiting = challenge(&asha).await;
        let done = dakiya(&app, &format!("{line} --json")).json();
        assert_eq!(done["outcome"], "Two-step login is off; 1 session ended.");
        asha.get("/api/v1/wallet/balance/").await.expect(401);
        second(&asha, &waiting, &phone.code(&app)).await.expect(401);
        let mut asha = asha;
        asha.log_in().await;
        app.round(TaskKind::TwoStepLetter).await;
        let subject = "Dakiya switched off two-step login for your account";
        of_subject(&app, &address(&asha), subject, 1).await;
        let page = asha.page("/account").await.expect(200);
        let noted = "Dakiya switched off two-step login for your account.";
        assert!(page.text().contains(noted), "{}", page.text());
        app.app.core.clock.advance_ms(STEP_MS);
        switched_on(&app, &asha).await;
    });
}
