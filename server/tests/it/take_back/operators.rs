//! Operators end the ways into an account: `users end-sessions --credentials` and
//! `users two-step-off`.

use serde_json::{Value, json};

use super::{
    ANOTHER, PROFILE, asks_for_reset, confirms_phone, log_in_with, logged_in, login, profile,
};
use crate::app::{PASSWORD, TestApp, block_on};
use crate::operators::dakiya;
use crate::passkeys::{added, at_a_name};
use crate::passwords::{address, choose};
use crate::two_step::switched_on;

#[test]
fn an_operator_ends_every_way_in_and_the_owner_chooses_another_password() {
    block_on(async {
        let (app, asha) = at_a_name().await;
        let owners = address(&asha);
        let mut passkey = added(&asha, "somebody").await;
        confirms_phone(&app, &asha).await;
        switched_on(&app, &asha).await;
        let reset = asks_for_reset(&app, &owners).await;
        let line = format!("users end-sessions {} --reason stolen --as ravi", asha.username);
        let ended = dakiya(&app, &format!("{line} --json")).json();
        assert_eq!(ended["outcome"], "Logged out; 1 session ended.");
        asha.get(PROFILE).await.expect(401);
        choose(&app, &reset, ANOTHER).await.expect(400);
        // The passkey and the password still log in.
        log_in_with(&asha, &mut passkey).await.expect(200);
        login(&asha, PASSWORD).await.expect(202);

        dakiya(&app, &format!("{line} --credentials --json")).json();
        log_in_with(&asha, &mut passkey).await.expect(401);
        login(&asha, PASSWORD).await.expect(401);
        let token = asks_for_reset(&app, &owners).await;
        choose(&app, &token, ANOTHER).await.expect(200);
        let now = profile(&logged_in(&asha, ANOTHER).await).await;
        assert_eq!([&now["passkeys"], &now["two_step_at"]], [&json!(0), &Value::Null]);
        assert_eq!(now["phone_confirmed"], false);
        let record = dakiya(&app, "actions list --json").json();
        assert_eq!(record[0]["arguments"]["credentials"], true, "{record}");
    });
}

#[test]
fn without_a_confirmed_address_an_operator_leaves_the_password() {
    block_on(async {
        let app = TestApp::start().await;
        let mut asha = app.anon();
        asha.join("asha").await;
        let line = format!("users end-sessions {} --credentials --as ravi", asha.username);
        dakiya(&app, &format!("{line} --reason stolen"))
            .refused("The email address is not confirmed: no link to a password goes there.");
        asha.get(PROFILE).await.expect(200);
    });
}

#[test]
fn two_step_login_that_an_operator_switches_off_takes_passkeys_with_it() {
    block_on(async {
        let (app, asha) = at_a_name().await;
        let mut passkey = added(&asha, "somebody").await;
        confirms_phone(&app, &asha).await;
        switched_on(&app, &asha).await;
        let line = format!("users two-step-off {} --reason lost --as ravi", asha.username);
        dakiya(&app, &format!("{line} --json")).json();
        log_in_with(&asha, &mut passkey).await.expect(401);
        let now = profile(&logged_in(&asha, PASSWORD).await).await;
        assert_eq!(now["phone_confirmed"], true, "the number that was called");
    });
}
