//! Adding and removing passkeys, confirming changes with them, and letters about them.

use dakiya_core::limits::PASSKEYS_MAX;
use dakiya_core::services::operators::Mode;
use serde_json::json;

use super::{Device, PASSKEYS, SITE, added, asked, at_a_name, begun, call, log_in, refused};
use crate::app::{PASSWORD, TestApp, block_on};
use crate::email::of_subject;
use crate::passwords::address;
use crate::privacy::export;
use crate::two_step::switched_on;

const CHANGE: &str = "/api/v1/auth/change-password/";

/// A passkey's response before a change, as a form carries it.
async fn word(actor: &crate::app::Actor, device: &mut Device) -> String {
    let asked = call(actor, "confirm/", json!({})).await.expect(200).json();
    device.sign(&asked).to_string()
}

#[test]
fn adding_and_removing_asks_who_it_is_and_is_told_of() {
    block_on(async {
        let (app, asha) = at_a_name().await;
        let ravi = app.user("ravi").await;
        let body = json!({"name": "my phone", "current_password": "not-hers"});
        let wrong = call(&asha, "begin/", body).await.expect(400);
        assert_eq!(wrong.wrong_fields(), ["current_password"]);
        for name in ["", " ", &"x".repeat(41), "a\u{7}b"] {
            let body = json!({"name": name, "current_password": PASSWORD});
            let wrong = call(&asha, "begin/", body).await.expect(400);
            assert_eq!(wrong.wrong_fields(), ["name"], "{name:?}");
        }
        let mut phone = added(&asha, "my phone").await;
        let subject = "A passkey was added to your Dakiya account";
        let told = &of_subject(&app, &address(&asha), subject, 1).await[0];
        // A name chosen by the user is not in the letter.
        assert!(!told.text.contains("my phone"), "{}", told.text);
        assert!(told.text.contains("/account/passkeys"), "{}", told.text);
        let listed = asha.get(PASSKEYS).await.expect(200).json();
        let id = listed["results"][0]["id"].as_str().expect("an id").to_owned();
        assert!(ravi.get(PASSKEYS).await.expect(200).json()["results"] == json!([]));
        let page = asha.page("/account/passkeys").await.expect(200);
        assert!(page.text().contains("my phone") && page.text().contains("not used yet"));
        // Another customer's passkey is not found.
        let path = format!("{id}/remove/");
        let right = json!({"current_password": PASSWORD});
        call(&ravi, &path, right.clone()).await.expect(404);
        let form = [("id", &*id), ("current_password", "not-hers")];
        let wrong = asha.form("/account/passkeys/remove", &form).await.expect(400);
        assert!(wrong.text().contains("This is not your current password."));
        log_in(&asha, &mut phone).await.expect(200);
        let form = [("id", &*id), ("current_password", PASSWORD)];
        let gone = asha.form("/account/passkeys/remove", &form).await.expect(303);
        assert_eq!(gone.header("location"), "/account/passkeys?saved=passkey-removed");
        refused(log_in(&asha, &mut phone).await);
        call(&asha, &path, right).await.expect(404);
        let subject = "A passkey was removed from your Dakiya account";
        of_subject(&app, &address(&asha), subject, 1).await;
        let activity = asha.get("/api/v1/auth/activity/").await.expect(200);
        assert!(activity.text().contains("A passkey was removed."));
    });
}

#[test]
fn a_login_that_is_under_way_ends_when_its_passkey_is_removed() {
    block_on(async {
        let (_app, asha) = at_a_name().await;
        let mut phone = added(&asha, "my phone").await;
        let asked = asked(&asha).await;
        let listed = asha.get(PASSKEYS).await.expect(200).json();
        let id = listed["results"][0]["id"].as_str().expect("an id").to_owned();
        let right = json!({"current_password": PASSWORD});
        call(&asha, &format!("{id}/remove/"), right).await.expect(200);
        refused(call(&asha.without_token(), "login/", phone.sign(&asked)).await);
    });
}

#[test]
fn a_passkey_takes_the_place_of_password_and_code_before_a_change() {
    block_on(async {
        let (app, asha) = at_a_name().await;
        let mut phone = added(&asha, "my phone").await;
        let mut laptop = added(&asha, "my laptop").await;
        switched_on(&app, &asha).await;
        let ravi = app.user("ravi").await;
        let mut his = added(&ravi, "his").await;
        let another = "monsoon-at-nine";
        let change = |passkey: &str| {
            let confirm = another;
            json!({
                "passkey": passkey, "password": another, "password_confirm": confirm, "keep": "1",
            })
        };
        // His response for her, hers for his session, invalid text, and one without verification.
        for wrong in [
            word(&asha, &mut his).await,
            word(&ravi, &mut phone).await,
            "{}".to_owned(),
            "not json".to_owned(),
        ] {
            let wrong = asha.post(CHANGE, change(&wrong)).await.expect(400);
            assert_eq!(wrong.wrong_fields(), ["passkey"]);
        }
        phone.verifies = false;
        let unverified = word(&asha, &mut phone).await;
        asha.post(CHANGE, change(&unverified)).await.expect(400);
        phone.verifies = true;
        // A login's response confirms no change.
        let login = phone.sign(&asked(&asha).await).to_string();
        asha.post(CHANGE, change(&login)).await.expect(400);
        let right = word(&asha, &mut phone).await;
        asha.post(CHANGE, change(&right)).await.expect(200);
        asha.post(CHANGE, change(&right)).await.expect(400);
        // The account is known, so the device need not send the user handle.
        laptop.says_handle = false;
        let word = word(&asha, &mut laptop).await;
        let form = [("passkey", &*word)];
        let off = asha.form("/account/two-step/off", &form).await.expect(303);
        assert_eq!(off.header("location"), "/account?saved=two-step-off");
        let activity = asha.get("/api/v1/auth/activity/").await.expect(200);
        assert!(activity.text().contains("the passkey was not right."));
    });
}

#[test]
fn an_account_has_ten_passkeys_at_most() {
    block_on(async {
        let (_app, asha) = at_a_name().await;
        let waiting = begun(&asha, "late").await;
        for number in 1..=PASSKEYS_MAX {
            added(&asha, &format!("key {number}")).await;
        }
        let body = json!({"name": "one more", "current_password": PASSWORD});
        call(&asha, "begin/", body).await.expect(409);
        // Registrations begun before fail too; a session can have five of them.
        let late = Device::new(SITE).create(&waiting);
        let status = call(&asha, "", late).await.status;
        assert!(status == 409 || status == 400, "{status}");
        let listed = asha.get(PASSKEYS).await.expect(200).json();
        assert_eq!(listed["results"].as_array().map(Vec::len), Some(10));
    });
}

#[test]
fn passkeys_are_taken_along_and_go_with_the_account_and_operators_see_that_there_are_some() {
    block_on(async {
        let (app, asha) = at_a_name().await;
        let mut phone = added(&asha, "my phone").await;
        let desk = crate::books::desk(&app, Mode::default());
        let shown = desk.user(&asha.username, false).await.expect("an account");
        let shown = serde_json::to_string(&shown).expect("JSON");
        assert!(shown.contains("\"has_passkeys\":true"), "{shown}");
        assert!(!shown.contains("my phone"), "{shown}");
        let file = export(&asha).await.expect(200).json();
        assert_eq!(file["passkeys"][0]["name"], "my phone", "{file}");
        assert!(!file.to_string().contains("cred_id"));
        let form = [("current_password", PASSWORD)];
        asha.form("/account/close", &form).await.expect(303);
        refused(log_in(&asha, &mut phone).await);
    });
}

#[test]
fn logins_with_a_passkey_have_a_pace_for_each_client() {
    block_on(async {
        let variables = [("DAKIYA_PUBLIC_URL", SITE), ("DAKIYA_LIMIT_CLIENTS", "1")];
        let app = TestApp::start_with(&variables).await;
        let anon = app.anon();
        for _ in 0..dakiya_core::limits::CLIENT_PASSKEY_LOGINS.at_once {
            call(&anon, "login/begin/", json!({})).await.expect(200);
        }
        let many = call(&anon, "login/begin/", json!({})).await.expect(429);
        assert_eq!(many.header("retry-after"), "5");
    });
}
