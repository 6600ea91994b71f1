//! Taking an account back from a thief with the session and the password: the earliest right to the
//! account wins, and what came later ends.

mod addresses;
mod operators;
mod proof_sequences;

use dakiya_core::limits::{DAY_MS, EMAIL_UNDO_MS_MAX, PROTEST_MS_MAX, RESETS_AN_HOUR_MAX};
use dakiya_core::model::task::TaskKind;
use dakiya_core::providers::notify::inbox::InboxMessage;
use serde_json::{Value, json};

use crate::app::{Actor, Answer, PASSWORD, TestApp, block_on};
use crate::documents::book;
use crate::email::of_subject;
use crate::operators::dakiya;
use crate::passkeys::{added, at_a_name, log_in as log_in_with};
use crate::passwords::{CONFIRM, address, choose, token as reset_token};
use crate::two_step::switched_on;

const LOGIN: &str = "/api/v1/auth/login/";
const PROFILE: &str = "/api/v1/auth/profile/";
const FORGOT: &str = "/api/v1/auth/forgot-password/";
const CHANGE: &str = "/api/v1/auth/change-password/";
const ADDRESS_CHANGED: &str = "Your Dakiya email address was changed";
const CHOOSE: &str = "Choose a new password for Dakiya";
const PASSWORD_CHANGED: &str = "Your Dakiya password was changed";
const ANOTHER: &str = "monsoon-at-nine";

/// The token of a letter's link to this path.
fn token_in(letter: &InboxMessage, path: &str) -> String {
    let (_, rest) = letter.text.split_once(path).expect("a link");
    rest.split_whitespace().next().expect("a token").to_owned()
}

/// Changes the address of the account, as its owner or a thief does.
async fn moves(app: &TestApp, actor: &Actor, to: &str) {
    let change = json!({"email": to, "current_password": PASSWORD});
    actor.post(PROFILE, change).await.expect(200);
    let letter = &of_subject(app, to, CONFIRM, 1).await[0];
    let path = format!("/account?confirm={}", token_in(letter, "/account?confirm="));
    let opened = actor.page(&path).await.expect(303);
    assert_eq!(opened.header("location"), "/account?saved=email");
}

/// The token of the undo link that a mailbox got.
async fn undo_of(app: &TestApp, mailbox: &str) -> String {
    token_in(&of_subject(app, mailbox, ADDRESS_CHANGED, 1).await[0], "/undo-email?token=")
}

async fn undo(app: &TestApp, token: &str) -> Answer {
    app.anon().form("/undo-email", &[("token", token)]).await
}

/// Asks for a link to this mailbox, and returns its token.
async fn asks_for_reset(app: &TestApp, mailbox: &str) -> String {
    let there = of_subject(app, mailbox, CHOOSE, 0).await.len();
    app.anon().post(FORGOT, json!({"username": mailbox})).await.expect(200);
    reset_token(&of_subject(app, mailbox, CHOOSE, there + 1).await[0])
}

async fn login(actor: &Actor, password: &str) -> Answer {
    let body = json!({"username": actor.username, "password": password});
    actor.without_token().post(LOGIN, body).await
}

/// Logs in with a password, which must be enough.
async fn logged_in(actor: &Actor, password: &str) -> Actor {
    let answer = login(actor, password).await.expect(200).json();
    let mut there = actor.clone();
    there.token = answer["tokens"]["access"].as_str().map(str::to_owned);
    there
}

async fn profile(actor: &Actor) -> Value {
    actor.get(PROFILE).await.expect(200).json()
}

/// Confirms the account's number.
async fn confirms_phone(app: &TestApp, actor: &Actor) {
    actor.form("/account/phone/send", &[]).await.expect(303);
    let inbox = &app.app.sandbox.as_ref().expect("a sandbox").inbox;
    let sms = inbox.read().into_iter().find(|it| it.channel == "sms").expect("an SMS");
    let form = [("otp", &sms.text[..6]), ("current_password", PASSWORD)];
    actor.form("/account/phone/confirm", &form).await.expect(303);
}

/// The thief changes the address twice; then both undo, in either order.
async fn undone_by_both(owner_is_first: bool) {
    let (app, _, asha) = TestApp::with_user().await;
    let (owners, thiefs) = (address(&asha), "thief@example.in");
    let thief = asha.clone();
    moves(&app, &thief, thiefs).await;
    let right = undo_of(&app, &owners).await;
    moves(&app, &thief, "den@example.in").await;
    let wrong = undo_of(&app, thiefs).await;
    if owner_is_first {
        undo(&app, &right).await.expect(303);
        undo(&app, &wrong).await.expect(400);
    } else {
        undo(&app, &wrong).await.expect(303);
        // The thief may even choose a password by the address that is back.
        let token = asks_for_reset(&app, thiefs).await;
        choose(&app, &token, "thiefs-own-word").await.expect(200);
        let again = logged_in(&asha, "thiefs-own-word").await;
        undo(&app, &right).await.expect(303);
        again.get(PROFILE).await.expect(401);
    }
    login(&asha, "thiefs-own-word").await.expect(401);
    login(&asha, PASSWORD).await.expect(401);
    let token = asks_for_reset(&app, &owners).await;
    choose(&app, &token, ANOTHER).await.expect(200);
    let asha = logged_in(&asha, ANOTHER).await;
    assert_eq!(profile(&asha).await["email"], *owners);
    undo(&app, &wrong).await.expect(400);
    // A link to the thief's mailbox is not even sent.
    app.anon().post(FORGOT, json!({"username": thiefs})).await.expect(200);
}

#[test]
fn the_oldest_address_wins_when_its_owner_takes_the_account_back_first() {
    block_on(undone_by_both(true));
}

#[test]
fn the_oldest_address_wins_although_the_thief_has_taken_the_account_back_before() {
    block_on(undone_by_both(false));
}

#[test]
fn a_thief_does_not_use_up_the_links_of_the_address_that_is_taken_back() {
    block_on(async {
        let (app, _, asha) = TestApp::with_user().await;
        moves(&app, &asha, "thief@example.in").await;
        for _ in 0..RESETS_AN_HOUR_MAX {
            asks_for_reset(&app, "thief@example.in").await;
        }
        undo(&app, &undo_of(&app, &address(&asha)).await).await.expect(303);
        let token = asks_for_reset(&app, &address(&asha)).await;
        choose(&app, &token, ANOTHER).await.expect(200);
        logged_in(&asha, ANOTHER).await;
    });
}

#[test]
fn a_link_that_was_sent_before_the_address_was_taken_back_is_over() {
    block_on(async {
        let (app, _, asha) = TestApp::with_user().await;
        let owners = address(&asha);
        moves(&app, &asha, "thief@example.in").await;
        let reset = asks_for_reset(&app, "thief@example.in").await;
        let change = json!({"email": "hole@example.in", "current_password": PASSWORD});
        asha.post(PROFILE, change).await.expect(200);
        let letter = &of_subject(&app, "hole@example.in", CONFIRM, 1).await[0];
        let confirm = token_in(letter, "/account?confirm=");
        undo(&app, &undo_of(&app, &owners).await).await.expect(303);
        choose(&app, &reset, "thiefs-own-word").await.expect(400);
        let token = asks_for_reset(&app, &owners).await;
        choose(&app, &token, ANOTHER).await.expect(200);
        let asha = logged_in(&asha, ANOTHER).await;
        let opened = asha.page(&format!("/account?confirm={confirm}")).await.expect(303);
        assert_eq!(opened.header("location"), "/account?saved=email-over");
    });
}

#[test]
fn taking_an_address_back_ends_every_way_in_that_came_after_the_change() {
    block_on(async {
        let (app, asha) = at_a_name().await;
        let owners = address(&asha);
        let mut hers = added(&asha, "her phone").await;
        moves(&app, &asha, "thief@example.in").await;
        let mut thiefs = added(&asha, "thief").await;
        confirms_phone(&app, &asha).await;
        switched_on(&app, &asha).await;
        undo(&app, &undo_of(&app, &owners).await).await.expect(303);
        // No login works until a password was chosen from the old mailbox, not even one with a
        // passkey that was there before.
        log_in_with(&asha, &mut thiefs).await.expect(401);
        log_in_with(&asha, &mut hers).await.expect(401);
        login(&asha, PASSWORD).await.expect(401);
        let token = asks_for_reset(&app, &owners).await;
        let chosen = json!({
            "token": token, "password": ANOTHER, "password_confirm": ANOTHER, "keep": "1",
        });
        app.anon().post("/api/v1/auth/reset-password/", chosen).await.expect(200);
        let now = profile(&logged_in(&asha, ANOTHER).await).await;
        assert_eq!([&now["email"], &now["passkeys"]], [&json!(owners), &json!(1)]);
        assert_eq!([&now["two_step_at"], &now["phone_confirmed"]], [&Value::Null, &json!(false)]);
        log_in_with(&asha, &mut thiefs).await.expect(401);
        log_in_with(&asha, &mut hers).await.expect(200);
    });
}

#[test]
fn a_reset_by_the_old_address_ends_what_a_thief_added_unless_it_is_to_be_kept() {
    block_on(async {
        for keeps in [false, true] {
            let (app, asha) = at_a_name().await;
            let mut passkey = added(&asha, "somebody").await;
            confirms_phone(&app, &asha).await;
            switched_on(&app, &asha).await;
            let token = asks_for_reset(&app, &address(&asha)).await;
            let page = app.anon().get(&format!("/reset-password?token={token}")).await.expect(200);
            assert!(page.text().contains("Keep my passkeys, codes and confirmed phone number"));
            let form = [
                ("token", &*token),
                ("password", ANOTHER),
                ("password_confirm", ANOTHER),
                ("keep", if keeps { "1" } else { "" }),
            ];
            app.anon().form("/reset-password", &form).await.expect(303);
            let (status, left) = if keeps { (202, "1") } else { (200, "0") };
            login(&asha, ANOTHER).await.expect(status);
            log_in_with(&asha, &mut passkey).await.expect(if keeps { 200 } else { 401 });
            let told = &of_subject(&app, &address(&asha), PASSWORD_CHANGED, 1).await[0];
            let [two_step, phone] =
                if keeps { ["on", "confirmed"] } else { ["off", "not confirmed"] };
            for line in [
                format!("Passkeys that remain: {left}"),
                format!("Two-step login: {two_step}"),
                format!("Phone number: {phone}"),
            ] {
                assert!(told.text.contains(&line), "{line} in {}", told.text);
            }
        }
    });
}

#[test]
fn a_mailbox_alone_does_not_end_two_step_login_that_nobody_protested_against() {
    block_on(async {
        let (app, asha) = at_a_name().await;
        let mut passkey = added(&asha, "old").await;
        switched_on(&app, &asha).await;
        app.app.core.clock.advance_ms(PROTEST_MS_MAX + 1);
        let token = asks_for_reset(&app, &address(&asha)).await;
        choose(&app, &token, ANOTHER).await.expect(200);
        login(&asha, ANOTHER).await.expect(202);
        // The new password takes the place of passkeys, however old they are.
        log_in_with(&asha, &mut passkey).await.expect(401);
    });
}

#[test]
fn a_reset_by_a_young_address_ends_nothing_that_is_older() {
    block_on(async {
        let (app, asha) = at_a_name().await;
        let mut hers = added(&asha, "her phone").await;
        moves(&app, &asha, "thief@example.in").await;
        let token = asks_for_reset(&app, "thief@example.in").await;
        choose(&app, &token, "thiefs-own-word").await.expect(200);
        log_in_with(&asha, &mut hers).await.expect(200);
        undo(&app, &undo_of(&app, &address(&asha)).await).await.expect(303);
        let token = asks_for_reset(&app, &address(&asha)).await;
        choose(&app, &token, ANOTHER).await.expect(200);
        logged_in(&asha, ANOTHER).await;
    });
}

#[test]
fn a_change_of_the_password_ends_what_was_added_lately_and_keeps_what_is_older() {
    block_on(async {
        let (app, mut asha) = at_a_name().await;
        let mut old = added(&asha, "old").await;
        app.app.core.clock.advance_ms(PROTEST_MS_MAX + DAY_MS);
        asha.log_in().await;
        let mut young = added(&asha, "young").await;
        confirms_phone(&app, &asha).await;
        let change = json!({
            "current_password": PASSWORD, "password": ANOTHER, "password_confirm": ANOTHER,
        });
        asha.post(CHANGE, change).await.expect(200);
        log_in_with(&asha, &mut young).await.expect(401);
        log_in_with(&asha, &mut old).await.expect(200);
        let now = profile(&asha).await;
        assert_eq!([&now["passkeys"], &now["phone_confirmed"]], [&json!(1), &json!(false)]);
        let told = &of_subject(&app, &address(&asha), PASSWORD_CHANGED, 1).await[0];
        assert!(told.text.contains("Passkeys that remain: 1"), "{}", told.text);
    });
}

#[test]
fn a_change_of_the_password_ends_recovery_codes_that_were_made_later_than_the_app() {
    block_on(async {
        let (app, asha) = at_a_name().await;
        let phone = switched_on(&app, &asha).await;
        let change = async |from: &str, to: &str, code: String| {
            let change = json!({
                "current_password": from, "code": code, "password": to, "password_confirm": to,
            });
            asha.post(CHANGE, change).await.expect(200);
        };
        let left = async || {
            let page = asha.page("/account/two-step").await.expect(200);
            page.text().contains("Recovery codes left: 10")
        };
        change(PASSWORD, ANOTHER, phone.code(&app)).await;
        assert!(left().await, "those that came with the app stay");
        let code = phone.code(&app);
        let form = [("current_password", ANOTHER), ("code", &*code)];
        asha.form("/account/two-step/codes", &form).await.expect(200);
        assert!(left().await);
        change(ANOTHER, PASSWORD, phone.code(&app)).await;
        assert!(!left().await, "somebody else may have made them");
        login(&asha, PASSWORD).await.expect(202);
    });
}

#[test]
fn letters_about_powerful_acts_go_to_the_earlier_address_as_long_as_its_link_lives() {
    block_on(async {
        let (app, mut asha) = at_a_name().await;
        let (owners, thiefs) = (address(&asha), "thief@example.in");
        moves(&app, &asha, thiefs).await;
        added(&asha, "thief").await;
        confirms_phone(&app, &asha).await;
        let number = json!({"phone": "9811111111", "current_password": PASSWORD});
        asha.post(PROFILE, number).await.expect(200);
        asha.form("/account/export", &[("current_password", PASSWORD)]).await.expect(200);
        let change = json!({
            "current_password": PASSWORD, "password": PASSWORD, "password_confirm": PASSWORD,
        });
        asha.post(CHANGE, change).await.expect(200);
        moves(&app, &asha, "den@example.in").await;
        let two_step = switched_on(&app, &asha).await;
        let code = two_step.code(&app);
        let form = [("current_password", PASSWORD), ("code", &*code)];
        asha.form("/account/two-step/codes", &form).await.expect(200);
        let code = two_step.code(&app);
        let form = [("current_password", PASSWORD), ("code", &*code)];
        asha.form("/account/two-step/off", &form).await.expect(303);
        for subject in [
            "A passkey was added to your Dakiya account",
            "Your Dakiya phone number was confirmed",
            "Your Dakiya phone number was changed",
            "All data of your Dakiya account was downloaded",
            PASSWORD_CHANGED,
            "The email address of your Dakiya account was changed again",
            "Two-step login is on for your Dakiya account",
            "New recovery codes for your Dakiya account",
            "Two-step login is off for your Dakiya account",
        ] {
            let told = &of_subject(&app, &owners, subject, 1).await[0];
            let said = "open the link in our earlier email about it";
            assert!(told.text.contains(said), "{subject}: {}", told.text);
        }
        // The present address gets them without that paragraph, and both mailboxes before it get
        // the later ones.
        let told = &of_subject(&app, thiefs, "A passkey was added to your Dakiya account", 1).await;
        assert!(!told[0].text.contains("our earlier email"), "{}", told[0].text);
        of_subject(&app, thiefs, "Two-step login is on for your Dakiya account", 1).await;

        app.app.core.clock.advance_ms(EMAIL_UNDO_MS_MAX + 1);
        asha.log_in().await;
        let there = of_subject(&app, &owners, PASSWORD_CHANGED, 1).await.len();
        let change = json!({
            "current_password": PASSWORD, "password": ANOTHER, "password_confirm": ANOTHER,
        });
        asha.post(CHANGE, change).await.expect(200);
        of_subject(&app, "den@example.in", PASSWORD_CHANGED, 1).await;
        assert_eq!(of_subject(&app, &owners, PASSWORD_CHANGED, 0).await.len(), there);
    });
}

#[test]
fn links_that_switch_letters_off_are_of_the_address_that_got_them() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(5_000).await;
        let (owners, thiefs) = (address(&asha), "thief@example.in");
        moves(&app, &asha, thiefs).await;
        let booked = book(&asha, &json!({})).await;
        app.round(TaskKind::Notices).await;
        let subject = format!("{}: Booked", booked.awb);
        let letter = of_subject(&app, thiefs, &subject, 1).await.remove(0);
        let link = letter.unsubscribe.expect("a link");
        let path = link.strip_prefix(&app.url).expect("to us").to_owned();
        let one_click = [("List-Unsubscribe", "One-Click")];
        let undone = undo(&app, &undo_of(&app, &owners).await).await;
        undone.expect(303);
        app.anon().page(&path).await.expect(404);
        app.anon().form(&path, &one_click).await.expect(400);
        let nul = path.replace("account=", "account=%00");
        app.anon().form(&nul, &one_click).await.expect(400);
    });
}

#[test]
fn another_address_that_was_asked_for_is_forgotten_with_the_password() {
    block_on(async {
        let (app, _, asha) = TestApp::with_user().await;
        let change = json!({"email": "den@example.in", "current_password": PASSWORD});
        asha.post(PROFILE, change).await.expect(200);
        let letter = of_subject(&app, "den@example.in", CONFIRM, 1).await.remove(0);
        let token = asks_for_reset(&app, &address(&asha)).await;
        choose(&app, &token, ANOTHER).await.expect(200);
        let asha = logged_in(&asha, ANOTHER).await;
        assert!(profile(&asha).await["unconfirmed_email"].is_null());
        let path = format!("/account?confirm={}", token_in(&letter, "/account?confirm="));
        let opened = asha.page(&path).await.expect(303);
        assert_eq!(opened.header("location"), "/account?saved=email-over");
    });
}

#[test]
fn an_account_is_not_closed_while_a_change_of_its_address_can_be_undone() {
    block_on(async {
        let (app, _, mut asha) = TestApp::with_user().await;
        moves(&app, &asha, "thief@example.in").await;
        let form = [("current_password", PASSWORD)];
        let refused = asha.form("/account/close", &form).await.expect(409);
        let said = "The account can be closed 7 days after that.";
        assert!(refused.text().contains(said), "{}", refused.text());
        let line = format!("users close {} --reason asked --as ravi", asha.username);
        assert!(dakiya(&app, &line).err.contains(said));
        app.app.core.clock.advance_ms(EMAIL_UNDO_MS_MAX + 1);
        asha.log_in().await;
        asha.form("/account/close", &form).await.expect(303);
    });
}

/// A passkey that is being added must not outlive the session in which it was begun.
#[cfg(feature = "faults")]
#[test]
fn a_passkey_that_is_added_while_the_address_is_taken_back_is_refused() {
    use crate::passkeys::{SITE, device::Device};
    use crate::patience::{patient, until};
    use dakiya_core::failpoints::{FailAction, arm, armed};
    block_on(async {
        let (app, asha) = at_a_name().await;
        moves(&app, &asha, "thief@example.in").await;
        let right = undo_of(&app, &address(&asha)).await;
        let body = json!({"name": "thief", "current_password": PASSWORD});
        let asked = asha.post("/api/v1/auth/passkeys/begin/", body).await.expect(200).json();
        let mut device = Device::new(SITE);
        let made = device.create(&asked);
        let mut conn = app.app.core.store.read().await.unwrap();
        let found =
            dakiya_core::store::users::find_by_name(&mut conn, &asha.username).await.unwrap();
        drop(conn);
        let long = u64::try_from(patient(1_500).as_millis()).unwrap();
        arm("passkey", &found[0].user_id, FailAction::Stall(long));
        let (added, undone) = tokio::join!(asha.post("/api/v1/auth/passkeys/", made), async {
            until("the passkey was verified", async || !armed("passkey")).await;
            undo(&app, &right).await
        });
        undone.expect(303);
        added.expect(401);
        let token = asks_for_reset(&app, &address(&asha)).await;
        choose(&app, &token, ANOTHER).await.expect(200);
        log_in_with(&asha, &mut device).await.expect(401);
    });
}
