//! Ownership of a phone number: a code is sent there by SMS and entered.

use dakiya_core::limits::{
    ACCOUNT_OTPS, DAY_MS, ESTABLISHED_MS, OTP_MS_MAX, OTP_PAUSE_MS_MIN, OTP_TRIES_MAX,
    OTPS_AN_HOUR_MAX,
};
use futures_util::future::join_all;
use serde_json::json;

use crate::app::{Actor, Answer, PASSWORD, TestApp, block_on};
use crate::email::of_subject;
use crate::operators::dakiya;
use crate::passwords::address;
use crate::two_step::switched_on;

const PROFILE: &str = "/api/v1/auth/profile/";

/// The codes sent to a number by SMS, newest first.
fn codes(app: &TestApp, to: &str) -> Vec<String> {
    let mut kept = app.app.sandbox.as_ref().expect("a sandbox").inbox.read();
    kept.retain(|message| message.channel == "sms" && message.to == to);
    kept.iter().map(|it| it.text[..6].to_owned()).collect()
}

async fn ask(actor: &Actor) -> Answer {
    actor.form("/account/phone/send", &[]).await
}

async fn confirm(actor: &Actor, code: &str) -> Answer {
    confirm_by(actor, code, PASSWORD).await
}

async fn confirm_by(actor: &Actor, code: &str, password: &str) -> Answer {
    let form = [("otp", code), ("current_password", password)];
    actor.form("/account/phone/confirm", &form).await
}

async fn number(actor: &Actor) -> (String, bool) {
    let profile = actor.get(PROFILE).await.expect(200).json();
    let phone = profile["phone"].as_str().expect("a number").to_owned();
    (phone, profile["phone_confirmed"] == true)
}

/// Confirms the account's number.
async fn confirmed(app: &TestApp, actor: &Actor) {
    let (phone, _) = number(actor).await;
    ask(actor).await.expect(303);
    confirm(actor, &codes(app, &phone)[0]).await.expect(303);
}

/// A code different from this one.
fn other(code: &str, by: u32) -> String {
    let number: u32 = code.parse().expect("digits");
    format!("{:06}", (number + by) % 1_000_000)
}

#[test]
fn a_number_is_its_owners_once_the_code_came_back_with_plain_forms() {
    block_on(async {
        let (app, _, asha) = TestApp::with_user().await;
        let (phone, is_confirmed) = number(&asha).await;
        assert!(!is_confirmed);
        let page = asha.page("/account").await.expect(200);
        assert!(page.text().contains("Confirm your phone"));
        let early = confirm(&asha, "123456").await.expect(400);
        assert!(early.text().contains("Please request an OTP first."));
        let sent = ask(&asha).await.expect(303);
        assert_eq!(sent.header("location"), "/account?saved=phone-code#phone");
        let code = codes(&app, &phone).remove(0);
        let company = &app.app.web.config.company.name;
        let kept = app.app.sandbox.as_ref().unwrap().inbox.read();
        let text = format!(
            "{code} is the OTP to confirm your phone number with {company}. \
             It is valid for 10 minutes.\n@127.0.0.1 #{code}"
        );
        assert!(kept.iter().any(|it| it.text == text));
        // The database does not contain the code.
        let wrong = confirm(&asha, &other(&code, 1)).await.expect(400);
        assert!(wrong.text().contains("You have 5 tries left."));
        let done = confirm(&asha, &format!("{} {}", &code[..3], &code[3..])).await;
        assert_eq!(done.expect(303).header("location"), "/account?saved=phone");
        assert_eq!(number(&asha).await, (phone, true));
        let page = asha.page("/account").await.expect(200);
        let text = page.text();
        for said in [
            "Your phone number was confirmed.",
            "Your phone number was not confirmed: the OTP was wrong.",
            "An OTP was sent to confirm your phone number.",
        ] {
            assert!(text.contains(said), "{said}");
        }
        assert!(!text.contains("Confirm your phone<"));
        // A confirmed number needs no code.
        ask(&asha).await.expect(303);
        assert_eq!(codes(&app, &number(&asha).await.0).len(), 1);
    });
}

#[test]
fn a_code_is_good_for_its_number_for_ten_minutes_and_six_tries() {
    block_on(async {
        let (app, _, asha) = TestApp::with_user().await;
        let (phone, _) = number(&asha).await;
        ask(&asha).await.expect(303);
        let late = codes(&app, &phone).remove(0);
        app.app.core.clock.advance_ms(OTP_MS_MAX);
        let refused = confirm(&asha, &late).await.expect(400);
        assert!(refused.text().contains("This OTP has expired."));
        ask(&asha).await.expect(303);
        let code = codes(&app, &phone).remove(0);
        // Forty parallel guesses count like six sequential ones.
        let guesses: Vec<String> = (1..=40).map(|by| other(&code, by)).collect();
        let answers = join_all(guesses.iter().map(|guess| confirm(&asha, guess))).await;
        let looked_at = answers.iter();
        let looked_at = looked_at.filter(|it| it.text().contains("This OTP is not right."));
        assert_eq!(i64::try_from(looked_at.count()), Ok(OTP_TRIES_MAX));
        let refused = confirm(&asha, &code).await.expect(400);
        assert!(refused.text().contains("This OTP was tried too often."));
        app.app.core.clock.advance_ms(OTP_PAUSE_MS_MIN);
        ask(&asha).await.expect(303);
        let code = codes(&app, &phone).remove(0);
        // The code was sent to the number before the change.
        let change = json!({"phone": "9811111111", "current_password": PASSWORD});
        asha.post(PROFILE, change).await.expect(200);
        confirm(&asha, &code).await.expect(400);
        assert_eq!(number(&asha).await, ("+919811111111".to_owned(), false));
    });
}

#[test]
fn codes_of_another_customer_confirm_nothing() {
    block_on(async {
        let (app, anon, asha) = TestApp::with_user().await;
        let ravi = app.user("ravi").await;
        let (phone, _) = number(&asha).await;
        ask(&asha).await.expect(303);
        let code = codes(&app, &phone).remove(0);
        ask(&ravi).await.expect(303);
        if codes(&app, &phone)[0] != code {
            confirm(&ravi, &code).await.expect(400);
        }
        assert!(!number(&ravi).await.1);
        let guest = ask(&anon).await.expect(303);
        assert_eq!(guest.header("location"), "/login?next=/account&expired=1");
    });
}

#[test]
fn codes_have_a_pace_for_a_customer_for_a_number_and_for_all() {
    block_on(async {
        let (app, _, asha) = TestApp::with_user().await;
        let clock = &app.app.core.clock;
        ask(&asha).await.expect(303);
        let soon = ask(&asha).await.expect(429);
        assert_eq!(soon.header("retry-after"), "30");
        assert!(soon.text().contains("You asked for an OTP a moment ago."));
        for _ in 1..OTPS_AN_HOUR_MAX {
            clock.advance_ms(OTP_PAUSE_MS_MIN);
            ask(&asha).await.expect(303);
        }
        clock.advance_ms(OTP_PAUSE_MS_MIN);
        let often = ask(&asha).await.expect(429);
        assert!(often.text().contains("You asked for 5 OTPs within an hour."));
        // This number at other accounts: all customers in the tests have one number.
        let (phone, _) = number(&asha).await;
        let others = ACCOUNT_OTPS.receiver - i64::try_from(OTPS_AN_HOUR_MAX).unwrap();
        for other in 0..others {
            let other = app.user(&format!("other{other}")).await;
            assert_eq!(number(&other).await.0, phone);
            ask(&other).await.expect(303);
        }
        let ravi = app.user("ravi").await;
        let refused = ask(&ravi).await.expect(429);
        assert!(refused.text().contains("Many OTPs went to this number today."));
        let change = json!({"phone": "9811111111", "current_password": PASSWORD});
        ravi.post(PROFILE, change).await.expect(200);
        ask(&ravi).await.expect(303);
        // The daily limits for all numbers together.
        let sent = async |scope: &str, count: i64| {
            let update = format!(
                "update message_counts set sent = {count}
                 where kind = 'account_otp' and scope = '{scope}'"
            );
            app.tamper(&update).await.expect("a count");
        };
        let full = "We sent as many OTPs as we may today.";
        sent("new_accounts", ACCOUNT_OTPS.new_total()).await;
        let meera = app.user("meera").await;
        let change = json!({"phone": "9822222222", "current_password": PASSWORD});
        meera.post(PROFILE, change).await.expect(200);
        assert!(ask(&meera).await.expect(429).text().contains(full));
        // The rest is reserved for established accounts.
        let older = format!(
            "update users set created_ms = created_ms - {ESTABLISHED_MS}
             where username_key = '{}'",
            meera.username.to_lowercase()
        );
        app.tamper(&older).await.expect("an older account");
        ask(&meera).await.expect(303);
        sent("total", ACCOUNT_OTPS.total).await;
        clock.advance_ms(OTP_PAUSE_MS_MIN);
        assert!(ask(&meera).await.expect(429).text().contains(full));
        clock.advance_ms(DAY_MS);
        let mut meera = meera;
        meera.log_in().await;
        ask(&meera).await.expect(303);
    });
}

#[test]
fn another_number_is_not_confirmed_and_told_of_and_asks_for_the_password() {
    block_on(async {
        let (app, _, asha) = TestApp::with_user().await;
        confirmed(&app, &asha).await;
        let change = json!({"phone": "9811111111"});
        let refused = asha.post(PROFILE, change).await.expect(400);
        assert_eq!(refused.wrong_fields(), ["current_password"]);
        let change = json!({"phone": "9811111111", "current_password": "not-hers"});
        asha.post(PROFILE, change).await.expect(400);
        assert!(number(&asha).await.1);
        let change = json!({"phone": "9811111111", "current_password": PASSWORD});
        let saved = asha.post(PROFILE, change).await.expect(200).json();
        assert_eq!(saved["user"]["phone_confirmed"], false);
        assert_eq!(number(&asha).await, ("+919811111111".to_owned(), false));
        let subject = "Your Dakiya phone number was changed";
        let told = &of_subject(&app, &address(&asha), subject, 1).await[0];
        assert!(told.text.contains("It ends in 1111 now"), "{}", told.text);
        let page = asha.page("/account").await.expect(200);
        assert!(page.text().contains("Your phone number was changed."));
        assert!(page.text().contains("Your phone number was not changed: the password was wrong."));
        // An unconfirmed number asks for the password too: it can be confirmed next.
        let change = json!({"phone": "9822222222"});
        let refused = asha.post(PROFILE, change).await.expect(400);
        assert_eq!(refused.wrong_fields(), ["current_password"]);
        let change = json!({"phone": "9822222222", "current_password": PASSWORD});
        asha.post(PROFILE, change).await.expect(200);
        // A number that stays equal stays confirmed.
        app.app.core.clock.advance_ms(OTP_PAUSE_MS_MIN);
        confirmed(&app, &asha).await;
        asha.post(PROFILE, json!({"phone": "98222 22222", "first_name": "Usha"})).await.expect(200);
        assert!(number(&asha).await.1);
    });
}

#[test]
fn confirming_a_number_asks_who_it_is_and_is_told_of_and_operators_see_since_when() {
    block_on(async {
        let (app, _, asha) = TestApp::with_user().await;
        let (phone, _) = number(&asha).await;
        ask(&asha).await.expect(303);
        let code = codes(&app, &phone).remove(0);
        // A thief who has only the session has the code of a phone, and no more.
        for (password, said) in [
            ("", "Please enter your current password."),
            ("not-hers", "This is not your current password."),
        ] {
            let refused = confirm_by(&asha, &code, password).await.expect(400);
            assert!(refused.text().contains(said), "{password:?}");
            assert!(!number(&asha).await.1);
        }
        let line = format!("users show {} --as ravi --json", asha.username);
        let shown = dakiya(&app, &line).json();
        assert_eq!(shown["phone_confirmed"], false);
        assert!(shown["phone_confirmed_at"].is_null(), "{shown}");
        let before_ms = app.app.core.clock.now_ms();
        confirm(&asha, &code).await.expect(303);
        assert!(number(&asha).await.1);
        let subject = "Your Dakiya phone number was confirmed";
        let told = &of_subject(&app, &address(&asha), subject, 1).await[0];
        assert!(told.text.contains("ends in 3210"), "{}", told.text);
        let shown = dakiya(&app, &line).json();
        let since_ms = shown["phone_confirmed_at"].as_i64().expect("a time");
        assert!(since_ms >= before_ms, "{shown}");

        // Where two-step login is on, a code of the app is asked for too.
        let ravi = app.user("ravi").await;
        let app_of_ravi = switched_on(&app, &ravi).await;
        ask(&ravi).await.expect(303);
        let code = codes(&app, &phone).remove(0);
        confirm(&ravi, &code).await.expect(400);
        assert!(!number(&ravi).await.1);
        let second = app_of_ravi.code(&app);
        let form = [("otp", &*code), ("current_password", PASSWORD), ("code", &*second)];
        ravi.form("/account/phone/confirm", &form).await.expect(303);
        assert!(number(&ravi).await.1);
    });
}
