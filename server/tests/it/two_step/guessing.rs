//! Guessed codes: slowed down until they are hopeless, while the owner can still log in.

use dakiya_core::limits::{GUESS_DELAY_MS_MAX, GUESSES_FREE, WRONG_CODES};

use super::{BROWSER, LOGIN, PASSWORD, STEP_MS, block_on, challenge, log_in, second, switched_on};
use crate::app::{Actor, Answer, TestApp};
use crate::email::of_subject;
use crate::passwords::{address, letters};

/// Does both steps in a browser that was used with the account before.
async fn at_known_browser(actor: &Actor, device: &str, code: &str) -> Answer {
    let form = [("username", &*actor.username), ("password", PASSWORD)];
    let asked = actor.form_with("/login", &form, device).await.expect(303);
    let login = asked.header("set-cookie").split(';').next().expect("a cookie");
    let cookies = format!("{device}; {login}");
    actor.without_token().form_with("/login/code", &[("code", code)], &cookies).await
}

/// The device cookie of a browser after a login.
async fn device(actor: &Actor) -> String {
    let body = serde_json::json!({"username": actor.username, "password": PASSWORD});
    let anon = actor.without_token();
    let answer = anon.send(reqwest::Method::POST, LOGIN, &[BROWSER], Some(body.to_string())).await;
    let cookies = answer.headers.get_all("set-cookie").iter();
    let cookies = cookies.map(|it| it.to_str().expect("ASCII").to_owned());
    let device = cookies.into_iter().find(|it| it.starts_with("dakiya_device="));
    device.expect("a cookie").split(';').next().expect("a value").to_owned()
}

#[test]
fn guessing_codes_gets_slow_then_hopeless_and_the_owner_is_told() {
    block_on(async {
        let (app, _, asha) = TestApp::with_user().await;
        let device = device(&asha).await;
        let phone = switched_on(&app, &asha).await;
        let waiting = challenge(&asha).await;
        for _ in 0..GUESSES_FREE {
            second(&asha, &waiting, "000000").await.expect(400);
        }
        // The guesser knows the password: the owner is warned.
        let subject = "Someone knows your Dakiya password";
        of_subject(&app, &address(&asha), subject, 1).await;
        let slower = second(&asha, &waiting, "000000").await.expect(429);
        assert_eq!(slower.header("retry-after"), "1");
        for _ in GUESSES_FREE..WRONG_CODES.at_once {
            app.app.core.clock.advance_ms(GUESS_DELAY_MS_MAX);
            log_in(&asha, "000000").await.expect(400);
        }
        app.app.core.clock.advance_ms(GUESS_DELAY_MS_MAX);
        let refused = log_in(&asha, &phone.code(&app)).await.expect(429);
        assert!(refused.text().contains("Too many wrong codes. Please try again in"));
        // At most one letter a day.
        assert_eq!(letters(&app, &address(&asha), 2).await.len(), 2);
        // The owner's own browser has a limit of its own.
        let code = phone.code(&app);
        at_known_browser(&asha, &device, &code).await.expect(303);
        // An hour later one more guess is allowed.
        app.app.core.clock.advance_ms(WRONG_CODES.pause_ms);
        log_in(&asha, "000000").await.expect(400);
        app.app.core.clock.advance_ms(GUESS_DELAY_MS_MAX);
        log_in(&asha, &phone.code(&app)).await.expect(429);
    });
}

#[test]
fn whoever_does_not_know_the_password_never_gets_to_the_codes() {
    block_on(async {
        let (app, anon, asha) = TestApp::with_user().await;
        let phone = switched_on(&app, &asha).await;
        let body = serde_json::json!({"username": asha.username, "password": "not-it-at-all"});
        for _ in 0..GUESSES_FREE {
            let refused = anon.post(LOGIN, body.clone()).await.expect(401);
            assert!(refused.json().get("challenge").is_none());
        }
        for made_up in ["", &"A".repeat(43)] {
            second(&anon, made_up, &phone.code(&app)).await.expect(401);
        }
        app.app.core.clock.advance_ms(STEP_MS);
        log_in(&asha, &phone.code(&app)).await.expect(200);
    });
}
