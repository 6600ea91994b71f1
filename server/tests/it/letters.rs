//! Letters about an account: a login with a new browser, and limits on letters.

mod choices;
mod drawn;
mod receivers;

use dakiya_core::limits::{CHANGE_LETTERS_AN_HOUR_MAX, EMAIL_LINKS_AN_HOUR_MAX, HOUR_MS};
use dakiya_core::limits::{DAY_MS, NEW_DEVICE_LETTERS_A_DAY_MAX};
use reqwest::Method;
use serde_json::json;

use crate::app::{Actor, Answer, PASSWORD, TestApp, block_on};
use crate::email::of_subject;
use crate::passwords::{address, letters};
use crate::patience::until;

const NEW: &str = "A login with a new browser at Dakiya";
const SIGN: &str = "Choose a new password for Dakiya";
const CHANGED: &str = "Your Dakiya password was changed";
const PHONE: &str = "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like \
                     Gecko) Chrome/131.0.0.0 Mobile Safari/537.36";
const LAPTOP: &str = "Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0";

/// A login by a browser with these cookies.
pub async fn by_browser(actor: &Actor, user_agent: &str, cookie: &str) -> Answer {
    let login = json!({"username": actor.username, "password": PASSWORD}).to_string();
    let headers =
        [("user-agent", user_agent), ("sec-fetch-site", "same-origin"), ("cookie", cookie)];
    let path = "/api/v1/auth/login/";
    let anon = actor.without_token();
    let answer = anon.send(Method::POST, path, &headers, Some(login)).await;
    answer.expect(200)
}

/// The cookie that identifies the browser from now on; empty if it got none.
pub fn device_cookie(answer: &Answer) -> String {
    let all = answer.headers.get_all("set-cookie").iter();
    let mut all = all.map(|cookie| cookie.to_str().unwrap());
    let ours = all.find(|cookie| cookie.starts_with("dakiya_device="));
    let ours = ours.and_then(|cookie| cookie.split(';').next());
    ours.unwrap_or("").to_owned()
}

/// Waits for so many letters of this subject to a customer. No more come until a password letter
/// has come that was requested after them.
async fn expect_sent(app: &TestApp, actor: &Actor, subject: &str, expected: usize) {
    let of = async |subject: &str| {
        let all = letters(app, &address(actor), 0).await;
        all.iter().filter(|it| it.subject == subject).count()
    };
    until("all letters are there", async || of(subject).await >= expected).await;
    let before = of(SIGN).await;
    let forgot = json!({"username": actor.username});
    let path = "/api/v1/auth/forgot-password/";
    app.anon().post(path, forgot).await.expect(200);
    until("the sign is there", async || of(SIGN).await > before).await;
    assert_eq!(of(subject).await, expected, "{subject}");
}

#[test]
fn a_login_with_a_new_browser_is_told_by_email_and_one_with_a_known_one_is_not() {
    block_on(async {
        let (app, _, asha) = TestApp::with_user().await;
        let first = by_browser(&asha, PHONE, "").await;
        let cookie = device_cookie(&first);
        let all = first.headers.get_all("set-cookie").iter();
        let ours = all.map(|it| it.to_str().unwrap()).find(|it| it.starts_with(&cookie));
        let ours = ours.expect("a cookie");
        for part in ["HttpOnly", "SameSite=Lax", "Path=/", "Max-Age="] {
            assert!(ours.contains(part), "{ours}");
        }
        let letter = of_subject(&app, &address(&asha), NEW, 1).await[0].clone();
        for part in [
            &*asha.username,
            "Chrome on Android",
            "127.0.0.1",
            "(India)",
            "/forgot-password",
            "/account",
        ] {
            assert!(letter.text.contains(part), "{part} in {}", letter.text);
        }
        // Known by its cookie, although its user agent is another.
        let again = by_browser(&asha, LAPTOP, &cookie).await;
        assert_eq!(device_cookie(&again), "");
        // Known by its user agent and address: its cookies were cleared.
        by_browser(&asha, PHONE, "").await;
        expect_sent(&app, &asha, NEW, 1).await;
        // For another account it is new.
        let ravi = app.user("ravi").await;
        by_browser(&ravi, LAPTOP, &cookie).await;
        let told = &of_subject(&app, &address(&ravi), NEW, 1).await[0];
        assert!(told.text.contains("Firefox on Linux"), "{}", told.text);
        let page = asha.page("/account").await.expect(200);
        let said = "We told you by email of a login with a new browser.";
        assert!(page.text().contains(said), "{}", page.text());
    });
}

#[test]
fn the_first_login_of_an_account_is_no_news_and_a_mailbox_is_not_flooded() {
    block_on(async {
        let (app, _, asha) = TestApp::with_user().await;
        expect_sent(&app, &asha, NEW, 0).await;
        for number in 0..NEW_DEVICE_LETTERS_A_DAY_MAX + 2 {
            // Each seems a new browser, by its cookie and user agent.
            let systems = ["Android", "iPhone", "iPad", "Windows", "CrOS", "Mac OS X"];
            let system = systems[usize::try_from(number).unwrap()];
            by_browser(&asha, &format!("Mozilla/5.0 ({system}) Firefox/133.0"), "").await;
        }
        let most = usize::try_from(NEW_DEVICE_LETTERS_A_DAY_MAX).unwrap();
        expect_sent(&app, &asha, NEW, most).await;
        app.app.core.clock.advance_ms(DAY_MS + 1);
        by_browser(&asha, "Mozilla/5.0 (Mac OS X) Chrome/131.0.0.0", "").await;
        expect_sent(&app, &asha, NEW, most + 1).await;
    });
}

#[test]
fn a_password_that_changes_all_the_time_does_not_flood_a_mailbox() {
    block_on(async {
        let (app, _, asha) = TestApp::with_user().await;
        let passwords = json!({
            "current_password": PASSWORD, "password": PASSWORD, "password_confirm": PASSWORD,
        });
        let change = async || {
            let path = "/api/v1/auth/change-password/";
            asha.post(path, passwords.clone()).await.expect(200);
        };
        for _ in 0..CHANGE_LETTERS_AN_HOUR_MAX + 2 {
            change().await;
        }
        let most = usize::try_from(CHANGE_LETTERS_AN_HOUR_MAX).unwrap();
        expect_sent(&app, &asha, CHANGED, most).await;
    });
}

#[test]
fn an_email_address_is_changed_so_often_an_hour() {
    block_on(async {
        let (app, _, mut asha) = TestApp::with_user().await;
        let to = |number: i64| {
            let email = format!("new{number}@example.in");
            json!({"email": email, "current_password": PASSWORD})
        };
        let profile = "/api/v1/auth/profile/";
        // The first was sent at registration.
        for number in 1..EMAIL_LINKS_AN_HOUR_MAX {
            asha.post(profile, to(number)).await.expect(200);
        }
        let refused = asha.post(profile, to(9)).await.expect(429);
        assert_eq!(refused.header("retry-after"), "3600");
        // The rest of the profile can still be changed.
        let name = json!({"first_name": "Usha"});
        asha.post(profile, name).await.expect(200);
        app.app.core.clock.advance_ms(HOUR_MS + 1);
        asha.log_in().await;
        asha.post(profile, to(9)).await.expect(200);
    });
}

#[test]
fn a_new_login_ends_the_session_that_its_browser_had_and_no_other() {
    block_on(async {
        let (app, _, asha) = TestApp::with_user().await;
        let ravi = app.user("ravi").await;
        let is_in = async |token: &str| {
            let cookie = format!("dakiya_session={token}");
            let headers = [("cookie", &*cookie)];
            let path = "/api/v1/auth/profile/";
            let answer = app.anon().send(Method::GET, path, &headers, None).await;
            answer.status == 200
        };
        let session = |answer: &Answer| {
            let all = answer.headers.get_all("set-cookie").iter();
            let mut all = all.map(|cookie| cookie.to_str().unwrap());
            let ours = all.find_map(|it| it.strip_prefix("dakiya_session="));
            ours.unwrap().split(';').next().unwrap().to_owned()
        };
        let first = session(&by_browser(&asha, PHONE, "").await);
        assert!(is_in(&first).await);
        let cookie = format!("dakiya_session={first}");
        let second = session(&by_browser(&asha, PHONE, &cookie).await);
        assert!(!is_in(&first).await && is_in(&second).await);
        assert!(is_in(asha.token.as_ref().unwrap()).await);
        // Another customer in the same browser.
        let cookie = format!("dakiya_session={second}");
        let third = session(&by_browser(&ravi, PHONE, &cookie).await);
        assert!(!is_in(&second).await && is_in(&third).await);
        // A wrong password ends no session.
        let login = json!({"username": asha.username, "password": "not-it-at-all"}).to_string();
        let cookie = format!("dakiya_session={third}");
        let headers = [("cookie", &*cookie), ("sec-fetch-site", "same-origin")];
        let path = "/api/v1/auth/login/";
        let wrong = app.anon();
        let wrong = wrong.send(Method::POST, path, &headers, Some(login)).await;
        wrong.expect(401);
        assert!(is_in(&third).await);
    });
}

#[test]
fn logging_out_without_script_has_the_browser_forget_what_pages_kept_in_it() {
    block_on(async {
        let (_app, _, asha) = TestApp::with_user().await;
        let out = asha.form("/logout", &[]).await.expect(303);
        assert_eq!(out.header("clear-site-data"), "\"storage\"");
    });
}
