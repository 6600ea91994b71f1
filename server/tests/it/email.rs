//! Ownership of an email address: a link confirms it, another link undoes its change.

use dakiya::jobs;
use dakiya_core::limits::{
    EMAIL_CONFIRM_MS_MAX, EMAIL_LINKS_AN_HOUR_MAX, EMAIL_UNDO_MS_MAX, HOUR_MS,
};
use dakiya_core::providers::notify::inbox::InboxMessage;
use serde_json::{Value, json};

use crate::app::{Actor, Answer, PASSWORD, TestApp, block_on, registration};
use crate::documents::book;
use crate::passwords::{CONFIRM, address, choose, letters, token};
use crate::patience::eventually;
use dakiya_core::model::task::TaskKind;

const PROFILE: &str = "/api/v1/auth/profile/";
const FORGOT: &str = "/api/v1/auth/forgot-password/";
const CHANGED: &str = "Your Dakiya email address was changed";

/// Emails of this subject to an address, newest first, once there are at least `count`. Letters of
/// different acts may overtake each other.
pub async fn of_subject(app: &TestApp, to: &str, subject: &str, count: usize) -> Vec<InboxMessage> {
    let inbox = &app.app.sandbox.as_ref().expect("a sandbox").inbox;
    eventually(async || {
        let mut kept = inbox.read();
        kept.retain(|letter| letter.to == to && letter.subject == subject);
        (kept.len() >= count).then_some(kept)
    })
    .await
}

/// The path of a letter's link.
fn link(app: &TestApp, letter: &InboxMessage, path: &str) -> String {
    let (_, rest) = letter
        .text
        .split_once(&format!("{}{path}", app.url))
        .unwrap_or_else(|| panic!("no link to {path} in {}", letter.text));
    format!("{path}{}", rest.split_whitespace().next().unwrap())
}

/// A customer who has registered, is logged in, and has opened no link.
pub async fn newcomer(app: &TestApp, name: &str) -> Actor {
    let mut actor = app.anon();
    actor.username = format!("{name}-{}", dakiya_core::random::random_id());
    let body = registration(&actor.username);
    actor.post("/api/v1/auth/register/", body).await.expect(201);
    actor.log_in().await;
    actor
}

pub async fn confirm_link(app: &TestApp, to: &str, count: usize) -> String {
    let letter = &of_subject(app, to, CONFIRM, count).await[0];
    link(app, letter, "/account?confirm=")
}

async fn asks_for(actor: &Actor, email: &str) -> Answer {
    let change = json!({"email": email, "current_password": PASSWORD});
    actor.post(PROFILE, change).await
}

pub async fn profile(actor: &Actor) -> Value {
    actor.get(PROFILE).await.expect(200).json()
}

pub fn leads(answer: Answer, to: &str) {
    assert_eq!(answer.expect(303).header("location"), to);
}

#[test]
fn a_new_customers_address_is_used_once_its_link_was_opened() {
    block_on(async {
        let app = TestApp::start().await;
        let asha = newcomer(&app, "asha").await;
        let mailbox = address(&asha);
        assert_eq!(profile(&asha).await["unconfirmed_email"], *mailbox);
        let banner = "Confirm your email";
        for path in ["/dashboard", "/account"] {
            let page = asha.page(path).await.expect(200);
            assert!(page.text().contains(banner), "{path}");
        }
        let page = asha.page("/account").await.expect(200);
        assert!(page.text().contains("action=\"/account/email/send\""));
        let to_confirm = confirm_link(&app, &mailbox, 1).await;

        // No other mail is sent there: a mistyped address is a stranger's.
        let forgot = json!({"username": asha.username});
        asha.post(FORGOT, forgot.clone()).await.expect(200);
        app.recharge(&asha, 5_000).await;
        let booked = book(&asha, &json!({})).await;
        app.round(TaskKind::Notices).await;
        assert!(letters(&app, &mailbox, 0).await.is_empty());

        // A guest logs in first, and comes back; another customer's session confirms nothing.
        let guest = asha.without_token().page(&to_confirm).await.expect(303);
        let to_login = guest.header("location").to_owned();
        assert!(to_login.starts_with("/login?next=/account%3Fconfirm%3D"), "{to_login}");
        let login = asha.without_token().page(&to_login).await.expect(200);
        assert!(login.text().contains("Log in to confirm your email address."));
        let login = asha.without_token().page("/login?next=/recharge").await.expect(200);
        assert!(!login.text().contains("Log in to confirm"));
        let ravi = newcomer(&app, "ravi").await;
        leads(ravi.page(&to_confirm).await, "/account?saved=email-over");
        leads(asha.page(&to_confirm).await, "/account?saved=email");
        let page = asha.page("/account?saved=email").await.expect(200);
        assert!(page.text().contains("Your email address is confirmed."));
        assert!(!page.text().contains(banner));
        assert!(profile(&asha).await["unconfirmed_email"].is_null());
        leads(asha.page(&to_confirm).await, "/account?saved=email-over");

        let cancel = format!("/api/v1/shipping/booking/{}/cancel/", booked.id);
        asha.post(&cancel, json!({})).await.expect(200);
        app.round(TaskKind::Notices).await;
        asha.post(FORGOT, forgot).await.expect(200);
        let reset = "Choose a new password for Dakiya";
        of_subject(&app, &mailbox, reset, 1).await;
        let all = letters(&app, &mailbox, 2).await;
        let told = |what: &str| all.iter().any(|letter| letter.subject.contains(what));
        assert!(told("Cancelled"));
    });
}

#[test]
fn a_link_that_confirms_is_good_for_days_and_can_be_had_again_some_times_an_hour() {
    block_on(async {
        let app = TestApp::start().await;
        let mut asha = newcomer(&app, "asha").await;
        let mailbox = address(&asha);
        let first = confirm_link(&app, &mailbox, 1).await;
        for count in 1..EMAIL_LINKS_AN_HOUR_MAX {
            leads(asha.form("/account/email/send", &[]).await, "/account?saved=link");
            of_subject(&app, &mailbox, CONFIRM, usize::try_from(count).unwrap() + 1).await;
        }
        leads(asha.form("/account/email/send", &[]).await, "/account?saved=link-late");
        app.app.core.clock.advance_ms(EMAIL_CONFIRM_MS_MAX + 1);
        asha.log_in().await;
        leads(asha.page(&first).await, "/account?saved=email-over");
        leads(asha.form("/account/email/send", &[]).await, "/account?saved=link");
        let sixth = usize::try_from(EMAIL_LINKS_AN_HOUR_MAX).unwrap() + 1;
        let fresh = confirm_link(&app, &mailbox, sixth).await;
        leads(asha.page(&fresh).await, "/account?saved=email");
        // The address is confirmed already.
        leads(asha.form("/account/email/send", &[]).await, "/account?saved=link");
        assert_eq!(of_subject(&app, &mailbox, CONFIRM, 0).await.len(), sixth);
    });
}

#[test]
fn another_address_takes_effect_when_its_link_is_opened_and_the_old_one_is_told() {
    block_on(async {
        let (app, anon, asha) = TestApp::with_user().await;
        let old = address(&asha);
        let to =
            |email: &str, password: &str| json!({"email": email, "current_password": password});
        for (password, status) in [("", 400), ("not-it-at-all", 400)] {
            let refused = asha.post(PROFILE, to("new@example.in", password)).await;
            assert_eq!(refused.expect(status).wrong_fields(), ["current_password"]);
        }
        let asked = asks_for(&asha, "new@example.in").await.expect(200).json();
        let said = "Your profile was saved. We sent a link to your new email address";
        assert!(asked["message"].as_str().unwrap().starts_with(said), "{asked}");
        assert_eq!(asked["user"]["email"], *old);
        assert_eq!(asked["user"]["unconfirmed_email"], "new@example.in");
        let to_confirm = confirm_link(&app, "new@example.in", 1).await;

        // A reset link in the old mailbox is valid until the change, and not after it.
        let forgot = json!({"username": asha.username});
        anon.post(FORGOT, forgot).await.expect(200);
        let letter = letters(&app, &old, 1).await[0].clone();
        let reset = link(&app, &letter, "/reset-password?token=");
        leads(asha.page(&to_confirm).await, "/account?saved=email");
        assert_eq!(profile(&asha).await["email"], "new@example.in");
        let page = anon.get(&reset).await.expect(404);
        assert!(page.text().contains("This link was used already"));
        let told = &of_subject(&app, &old, CHANGED, 1).await[0];
        assert!(told.text.contains(&asha.username) && told.text.contains("7 days"));
        // The old address is free again.
        let mut other = registration("other");
        other["email"] = json!(old);
        anon.post("/api/v1/auth/register/", other).await.expect(201);
        // A plain form gets the same messages.
        let form = [
            ("first_name", "Asha"),
            ("last_name", "Rao"),
            ("email", "third@example.in"),
            ("phone", "9876543210"),
            ("current_password", PASSWORD),
        ];
        leads(asha.form("/account", &form).await, "/account?saved=email-asked");
        let page = asha.page("/account?saved=email-asked").await.expect(200);
        assert!(page.text().contains("that we sent to third@example.in"));
        // Guesses are slowed down here as well.
        for _ in 0..dakiya_core::limits::GUESSES_FREE {
            asha.post(PROFILE, to("x@example.in", "not-it-at-all")).await.expect(400);
        }
        asks_for(&asha, "x@example.in").await.expect(429);
    });
}

#[test]
fn a_change_that_was_somebody_elses_is_taken_back_from_the_old_mailbox() {
    block_on(async {
        let (app, anon, asha) = TestApp::with_user().await;
        let old = address(&asha);
        // A thief who knows the password changes the email address twice.
        for (number, email) in ["thief@example.in", "den@example.in"].iter().enumerate() {
            asks_for(&asha, email).await.expect(200);
            let path = confirm_link(&app, email, 1).await;
            leads(asha.page(&path).await, "/account?saved=email");
            let left = [old.as_str(), "thief@example.in"][number];
            of_subject(&app, left, CHANGED, 1).await;
        }
        asks_for(&asha, "hole@example.in").await.expect(200);
        let thiefs = of_subject(&app, "thief@example.in", CHANGED, 1).await[0].clone();
        let thiefs = link(&app, &thiefs, "/undo-email?token=");
        let owners = of_subject(&app, &old, CHANGED, 1).await[0].clone();
        let owners = link(&app, &owners, "/undo-email?token=");
        let undo = owners.split('=').nth(1).unwrap();

        // Opening the link changes nothing yet: mail programs open links.
        let page = anon.get(&owners).await.expect(200);
        let asked = format!("Use {old} for your account again?");
        assert!(page.text().contains(&asked), "{}", page.text());
        assert_eq!(profile(&asha).await["email"], "den@example.in");
        let undone = anon.form("/undo-email", &[("token", undo)]).await;
        leads(undone, "/forgot-password?changed=email");
        let page = anon.get("/forgot-password?changed=email").await.expect(200);
        assert!(page.text().contains("Your email address is the earlier one again"));
        // All sessions and the password have ended, and the thief's links and address are invalid.
        asha.get(PROFILE).await.expect(401);
        let login = json!({"username": asha.username, "password": PASSWORD});
        anon.post("/api/v1/auth/login/", login).await.expect(401);
        for over in [&owners, &thiefs] {
            let page = anon.get(over).await.expect(404);
            assert!(page.text().contains("This link was used already, is too old"));
        }
        let refused = anon.form("/undo-email", &[("token", undo)]).await;
        assert!(refused.expect(400).text().contains("This link was used already"));
        anon.post(FORGOT, json!({"username": old})).await.expect(200);
        let subject = "Choose a new password for Dakiya";
        let letter = of_subject(&app, &old, subject, 1).await[0].clone();
        choose(&app, &token(&letter), PASSWORD).await.expect(200);
        let mut asha = asha.clone();
        asha.log_in().await;
        let now = profile(&asha).await;
        assert_eq!(now["email"], *old);
        assert!(now["unconfirmed_email"].is_null(), "{now}");
        let hole = confirm_link(&app, "hole@example.in", 1).await;
        leads(asha.page(&hole).await, "/account?saved=email-over");
    });
}

#[test]
fn a_link_that_takes_a_change_back_is_good_for_a_week() {
    block_on(async {
        let (app, anon, asha) = TestApp::with_user().await;
        asks_for(&asha, "new@example.in").await.expect(200);
        let path = confirm_link(&app, "new@example.in", 1).await;
        leads(asha.page(&path).await, "/account?saved=email");
        let letter = of_subject(&app, &address(&asha), CHANGED, 1).await[0].clone();
        let undo = link(&app, &letter, "/undo-email?token=");
        app.app.core.clock.advance_ms(EMAIL_UNDO_MS_MAX - HOUR_MS);
        jobs::delete_expired(&app.app).await.unwrap();
        anon.get(&undo).await.expect(200);
        app.app.core.clock.advance_ms(HOUR_MS + 1);
        anon.get(&undo).await.expect(404);
    });
}

#[test]
fn nobody_learns_from_their_profile_who_else_has_an_account() {
    block_on(async {
        let (app, _, asha) = TestApp::with_user().await;
        let ravi = app.user("ravi").await;
        let free = asks_for(&asha, "free@example.in").await.expect(200).json();
        let taken = asks_for(&asha, &address(&ravi)).await.expect(200).json();
        assert_eq!(free["message"], taken["message"]);
        let told = "There is a Dakiya account with your email address";
        of_subject(&app, &address(&ravi), told, 1).await;
        assert_eq!(of_subject(&app, &address(&ravi), CONFIRM, 0).await.len(), 1);
        assert_eq!(profile(&ravi).await["email"], *address(&ravi));
    });
}

#[test]
fn of_two_customers_who_want_one_address_the_first_to_confirm_gets_it() {
    block_on(async {
        let (app, _, asha) = TestApp::with_user().await;
        let ravi = app.user("ravi").await;
        let email = "both@example.in";
        asks_for(&asha, email).await.expect(200);
        let ashas = confirm_link(&app, email, 1).await;
        asks_for(&ravi, email).await.expect(200);
        let ravis = confirm_link(&app, email, 2).await;
        leads(ravi.page(&ravis).await, "/account?saved=email");
        leads(asha.page(&ashas).await, "/account?saved=email-taken");
        assert_eq!(profile(&asha).await["email"], *address(&asha));
        let page = asha.page("/account?saved=email-taken").await.expect(200);
        assert!(page.text().contains("There is an account with this email address."));
    });
}
