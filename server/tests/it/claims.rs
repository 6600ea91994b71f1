//! Email addresses that were typed and not confirmed keep no customer out, and no username is the
//! address of another customer.

use dakiya::jobs;
use dakiya_core::limits::{EMAIL_CLAIM_MS_MAX, FIRST_LETTERS_A_DAY_MAX, GUESSES_FREE, HOUR_MS};
use futures_util::future::join;
use serde_json::{Value, json};

use crate::app::{Actor, Answer, PASSWORD, TestApp, block_on, registration};
use crate::documents::number;
use crate::email::{confirm_link, leads, newcomer, of_subject, profile};
use crate::operators::dakiya;
use crate::passwords::{CONFIRM, address};

const REGISTER: &str = "/api/v1/auth/register/";
const LOGIN: &str = "/api/v1/auth/login/";
const PROFILE: &str = "/api/v1/auth/profile/";
const REGISTERED: &str = "Somebody tried to register with your email address";
const OTHER_PASSWORD: &str = "tea-at-noon";

fn registration_with(username: &str, email: &str, password: &str) -> Value {
    let mut body = registration(username);
    body["email"] = json!(email);
    body["password"] = json!(password);
    body["password_confirm"] = json!(password);
    body
}

/// A customer who has registered with this address and is logged in.
pub async fn claims(app: &TestApp, username: &str, email: &str) -> Actor {
    let mut actor = app.anon();
    actor.username = username.to_owned();
    let body = registration_with(username, email, PASSWORD);
    actor.post(REGISTER, body).await.expect(201);
    actor.log_in().await;
    actor
}

async fn log_in(app: &TestApp, username: &str, password: &str) -> Answer {
    let body = json!({"username": username, "password": password});
    app.anon().post(LOGIN, body).await
}

/// The username of the account that a login leads to.
async fn logged_in_as(app: &TestApp, username: &str, password: &str) -> String {
    let answer = log_in(app, username, password).await.expect(200).json();
    answer["user"]["username"].as_str().expect("a name").to_owned()
}

#[test]
fn an_address_that_somebody_else_only_typed_keeps_its_owner_out_of_nothing() {
    block_on(async {
        let app = TestApp::start().await;
        let squatter = newcomer(&app, "squatter").await;
        let email = address(&squatter);
        let squatters = confirm_link(&app, &email, 1).await;
        let asha = claims(&app, "asha", &email.to_uppercase()).await;
        let ashas = confirm_link(&app, &email.to_uppercase(), 1).await;
        log_in(&app, &email, PASSWORD).await.expect(401);
        leads(asha.page(&ashas).await, "/account?saved=email");
        assert_eq!(logged_in_as(&app, &email, PASSWORD).await, "asha");

        // The other account keeps everything but the address.
        let left = profile(&squatter).await;
        assert_eq!(left["email"], "");
        assert!(left["unconfirmed_email"].is_null(), "{left}");
        leads(squatter.page(&squatters).await, "/account?saved=email-over");
        let page = squatter.page("/account").await.expect(200);
        assert!(page.text().contains("Your account has no email address"), "{}", page.text());

        let forgot = json!({"username": email});
        app.anon().post("/api/v1/auth/forgot-password/", forgot).await.expect(200);
        let reset = "Choose a new password for Dakiya";
        let letters = of_subject(&app, &email.to_uppercase(), reset, 1).await;
        assert!(letters.len() == 1 && letters[0].text.contains("asha"), "{letters:?}");
        assert!(!letters[0].text.contains("squatter"));
    });
}

#[test]
fn no_username_stands_in_the_way_of_who_confirms_an_address() {
    block_on(async {
        let app = TestApp::start().await;
        let own = "own@example.in";
        let body = registration_with(own, own, OTHER_PASSWORD);
        app.anon().post(REGISTER, body).await.expect(201);
        confirm_link(&app, own, 1).await;
        let shown = format!("users show {own} --full --as ravi --json");
        let id = dakiya(&app, &shown).json()["user"].as_str().expect("an id").to_owned();
        for (name, status) in [(format!("user-{id}"), 201), (format!("user:{id}"), 400)] {
            let body = registration_with(&name, "eve@example.in", OTHER_PASSWORD);
            app.anon().post(REGISTER, body).await.expect(status);
        }
        let asha = claims(&app, "asha", own).await;
        let path = confirm_link(&app, own, 2).await;
        leads(asha.page(&path).await, "/account?saved=email");
        // Both log in by it, as the other account may have money.
        assert_eq!(logged_in_as(&app, own, PASSWORD).await, "asha");
        assert_eq!(logged_in_as(&app, own, OTHER_PASSWORD).await, own);
        app.app.core.clock.advance_ms(EMAIL_CLAIM_MS_MAX + 60_000);
        jobs::delete_expired(&app.app).await.expect("upkeep");
        let left = format!("user:{id}");
        log_in(&app, own, OTHER_PASSWORD).await.expect(401);
        assert_eq!(logged_in_as(&app, &left, OTHER_PASSWORD).await, left);
        assert_eq!(logged_in_as(&app, own, PASSWORD).await, "asha");
    });
}

#[test]
fn a_frozen_account_keeps_the_address_that_it_claims() {
    block_on(async {
        let app = TestApp::start().await;
        let email = "eve@example.in";
        let mut eve = claims(&app, "eve", email).await;
        confirm_link(&app, email, 1).await;
        assert_eq!(dakiya(&app, "users freeze eve --reason fraud --as ravi").code, 0);
        let other = claims(&app, "other", email).await;
        let path = confirm_link(&app, email, 2).await;
        leads(other.page(&path).await, "/account?saved=email");
        eve.log_in().await;
        assert_eq!(profile(&eve).await["unconfirmed_email"], email);
        assert_eq!(logged_in_as(&app, email, PASSWORD).await, "other");
    });
}

#[test]
fn of_two_accounts_that_confirm_one_address_at_once_one_has_it() {
    block_on(async {
        let app = TestApp::start().await;
        for number in 0..4 {
            let email = format!("both-{number}@example.in");
            let one = claims(&app, &format!("one-{number}"), &email).await;
            let ones = confirm_link(&app, &email, 1).await;
            let two = claims(&app, &format!("two-{number}"), &email).await;
            let twos = confirm_link(&app, &email, 2).await;
            let (first, second) = join(one.page(&ones), two.page(&twos)).await;
            let answers = [first.expect(303), second.expect(303)];
            let won = answers.iter().filter(|it| it.header("location") == "/account?saved=email");
            assert_eq!(won.count(), 1, "{answers:?}");
            logged_in_as(&app, &email, PASSWORD).await;
        }
    });
}

#[test]
fn an_address_without_money_or_bookings_is_given_up_after_three_days() {
    block_on(async {
        let app = TestApp::start().await;
        let mut idle = newcomer(&app, "idle").await;
        let mut rich = newcomer(&app, "rich").await;
        app.recharge(&rich, 100).await;
        let frozen = newcomer(&app, "frozen").await;
        let freeze = format!("users freeze {} --reason fraud --as ravi", frozen.username);
        assert_eq!(dakiya(&app, &freeze).code, 0);
        let own = "own@example.in";
        claims(&app, own, own).await;
        let confirmed = app.user("asha").await;
        let given_up = async || {
            jobs::delete_expired(&app.app).await.expect("upkeep");
            number(&app, "select count(*) from users where email = ''".into()).await
        };
        app.app.core.clock.advance_ms(EMAIL_CLAIM_MS_MAX - HOUR_MS);
        assert_eq!(given_up().await, 0);
        app.app.core.clock.advance_ms(HOUR_MS + 60_000);
        assert_eq!(given_up().await, 2);

        rich.log_in().await;
        assert_eq!(profile(&rich).await["email"], *address(&rich));
        log_in(&app, &address(&confirmed), PASSWORD).await.expect(200);
        // A username that was the address is given up too: both are free for somebody else.
        log_in(&app, own, PASSWORD).await.expect(401);
        claims(&app, own, own).await;
        // Without an address the profile can be changed, and another one be entered.
        idle.log_in().await;
        let change = json!({"phone": "9812345678", "current_password": PASSWORD});
        idle.post(PROFILE, change).await.expect(200);
        let change = json!({"email": "late@example.in", "current_password": PASSWORD});
        idle.post(PROFILE, change).await.expect(200);
        let path = confirm_link(&app, "late@example.in", 1).await;
        leads(idle.page(&path).await, "/account?saved=email");
        app.audit().await;
    });
}

#[test]
fn a_registration_with_a_customers_address_looks_like_any_other_and_the_customer_is_told() {
    block_on(async {
        let (app, anon, asha) = TestApp::with_user().await;
        let (taken, free) = (address(&asha), "free@example.in".to_owned());
        let mut answers = Vec::new();
        let counted = async || {
            let sum = "select cast(coalesce(sum(sent), 0) as bigint) from message_counts
                       where kind = 'confirm_letter' and scope = 'receiver'";
            number(&app, sum.to_owned()).await
        };
        for (email, names) in [(&taken, ["eve-1", "eve-2"]), (&free, ["eve-3", "eve-4"])] {
            let before = counted().await;
            let body = registration_with(names[0], email, OTHER_PASSWORD);
            let answer = anon.post(REGISTER, body).await.expect(201);
            assert_eq!(answer.header("set-cookie"), "");
            let body = registration_with(names[1], email, OTHER_PASSWORD);
            let fields: Vec<(&str, &str)> = body
                .as_object()
                .expect("a form")
                .iter()
                .map(|(name, value)| (name.as_str(), value.as_str().expect("a text")))
                .collect();
            let page = anon.form("/register", &fields).await.expect(303);
            assert_eq!(page.header("set-cookie"), "");
            let told = format!("{} {}", answer.text(), page.header("location"));
            let told = told.replace(email.as_str(), "EMAIL");
            answers.push(names.iter().fold(told, |told, name| told.replace(*name, "NAME")));
            assert_eq!(counted().await - before, 2, "{email}");
        }
        assert_eq!(answers[0], answers[1]);

        let letters = of_subject(&app, &taken, REGISTERED, 2).await;
        for letter in &letters {
            assert!(letter.text.contains("/forgot-password"), "{}", letter.text);
            assert!(!letter.text.contains("confirm=") && !letter.text.contains("eve-"));
        }
        // The account goes on like any other, but its address cannot be confirmed.
        let mut eve = app.anon();
        eve.username = "eve-1".to_owned();
        let access = log_in(&app, "eve-1", OTHER_PASSWORD).await.expect(200).json();
        eve.token = Some(access["tokens"]["access"].as_str().expect("a token").to_owned());
        assert_eq!(profile(&eve).await["unconfirmed_email"], *taken);
        leads(eve.form("/account/email/send", &[]).await, "/account?saved=link");
        of_subject(&app, &taken, "There is a Dakiya account with your email address", 1).await;
        assert_eq!(of_subject(&app, &taken, CONFIRM, 0).await.len(), 1, "asha's own");
        log_in(&app, &taken, OTHER_PASSWORD).await.expect(401);
        assert_eq!(logged_in_as(&app, &taken, PASSWORD).await, asha.username);
    });
}

#[test]
fn registrations_do_not_fill_the_mailbox_of_somebody_else() {
    block_on(async {
        let (app, anon, asha) = TestApp::with_user().await;
        for (email, subject) in [(address(&asha), REGISTERED), ("new@example.in".into(), CONFIRM)] {
            let most = usize::try_from(FIRST_LETTERS_A_DAY_MAX).unwrap();
            for number in 0..most + 2 {
                let name = format!("{number}-{}", &email[..3]);
                let body = registration_with(&name, &email, PASSWORD);
                anon.post(REGISTER, body).await.expect(201);
            }
            assert_eq!(of_subject(&app, &email, subject, most).await.len(), most);
        }
    });
}

#[test]
fn a_username_with_an_at_sign_is_the_accounts_own_address_and_changes_with_it() {
    block_on(async {
        let (app, anon, asha) = TestApp::with_user().await;
        let body = registration_with(&address(&asha), "eve@example.in", OTHER_PASSWORD);
        let refused = anon.post(REGISTER, body).await.expect(400);
        assert_eq!(refused.wrong_fields(), ["username"]);
        assert!(refused.text().contains("A username with @ must be your own email address."));

        let (own, next) = ("ravi@example.in", "ravi.rao@example.in");
        let mut ravi = claims(&app, own, own).await;
        let path = confirm_link(&app, own, 1).await;
        leads(ravi.page(&path).await, "/account?saved=email");
        ravi.log_in().await;
        let change = json!({"email": next, "current_password": PASSWORD});
        ravi.post(PROFILE, change).await.expect(200);
        assert_eq!(profile(&ravi).await["username"], own);
        let path = confirm_link(&app, next, 1).await;
        leads(ravi.page(&path).await, "/account?saved=email");
        assert_eq!(profile(&ravi).await["username"], next);
        log_in(&app, own, PASSWORD).await.expect(401);
        assert_eq!(logged_in_as(&app, next, PASSWORD).await, next);
        // No account has the old address as its username any more.
        claims(&app, own, own).await;
    });
}

#[test]
fn a_login_does_not_tell_whoever_claims_an_address_that_it_is_a_customers() {
    block_on(async {
        let (app, anon, asha) = TestApp::with_user().await;
        let (taken, free) = (address(&asha), "free@example.in".to_owned());
        for email in [&taken, &free] {
            let body = registration_with(email, email, OTHER_PASSWORD);
            anon.post(REGISTER, body.clone()).await.expect(201);
            let again = anon.post(REGISTER, body).await.expect(400);
            assert_eq!(again.wrong_fields(), ["username"]);
        }
        assert_eq!(logged_in_as(&app, &taken, PASSWORD).await, asha.username);
        // As much is written for both, so both take as long.
        let written = async || {
            let guesses = number(&app, "select count(*) from guesses".to_owned()).await;
            let refused = "select count(*) from security_events where result = 'refused'";
            (guesses, number(&app, refused.to_owned()).await)
        };
        for (email, before) in [(&taken, 0), (&free, 1)] {
            assert_eq!(written().await, (before, before), "{email}");
            assert_eq!(logged_in_as(&app, email, OTHER_PASSWORD).await, *email);
        }
        assert_eq!(written().await, (2, 2));
        for email in [&taken, &free] {
            for _ in 0..GUESSES_FREE + 2 {
                assert_eq!(logged_in_as(&app, email, OTHER_PASSWORD).await, *email);
            }
            for _ in 0..GUESSES_FREE {
                log_in(&app, email, "not-it-at-all").await.expect(401);
            }
            log_in(&app, email, "not-it-at-all").await.expect(429);
        }
        // The customer's own browsers are not held up by this.
        asha.get(PROFILE).await.expect(200);
    });
}

#[test]
fn operators_find_the_account_that_confirmed_an_address_and_no_other() {
    block_on(async {
        let (app, _, asha) = TestApp::with_user().await;
        let email = address(&asha);
        claims(&app, "eve", &email).await;
        let shown =
            |name: &str| dakiya(&app, &format!("users show {name} --full --as ravi --json"));
        assert_eq!(shown(&email).json()["username"], asha.username);
        let one = newcomer(&app, "one").await;
        assert_eq!(shown(&address(&one)).json()["username"], one.username);
        claims(&app, "two", &address(&one)).await;
        shown(&address(&one)).refused("Several accounts claim this address");
        shown("nobody@example.in").refused("There is no such account.");
    });
}
