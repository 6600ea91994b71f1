//! A page in the language of its reader.

use reqwest::Method;
use serde_json::json;

use crate::app::{Actor, Answer, PASSWORD, TestApp, block_on};

const HINDI: &str = "<html lang=\"hi-IN\">";
/// Request headers that a response depends on.
pub const VARY: &str =
    "accept, accept-encoding, accept-language, cookie, sec-fetch-dest, sec-fetch-site";

const ENGLISH: &str = "<html lang=\"en-IN\">";

async fn page(actor: &Actor, path: &str, headers: &[(&str, &str)]) -> Answer {
    actor.send(Method::GET, path, headers, None).await
}

#[test]
fn a_page_is_in_the_language_of_the_cookie_else_of_the_browser() {
    block_on(async {
        let app = TestApp::start().await;
        let anon = app.anon();
        for path in ["/login", "/track", "/track/DK1719216000123", "/nowhere"] {
            for (cookie, asked, expected) in [
                ("", "", ENGLISH),
                ("", "hi-IN,hi;q=0.9,en;q=0.8", HINDI),
                ("dakiya_language=hi", "en-IN", HINDI),
                ("dakiya_language=en", "hi-IN", ENGLISH),
                ("dakiya_language=xx", "hi-IN", HINDI),
            ] {
                let headers = [("cookie", cookie), ("accept-language", asked)];
                let page = page(&anon, path, &headers).await;
                let vary = VARY;
                assert_eq!(page.header("vary"), vary, "{path}");
                assert!(page.text().contains(expected), "{path} {headers:?}");
            }
        }
    });
}

#[test]
fn the_title_and_the_page_are_hindi_and_the_words_are_fetched_early() {
    block_on(async {
        let app = TestApp::start().await;
        let headers = [("cookie", "dakiya_language=hi")];
        let page = page(&app.anon(), "/login", &headers).await.expect(200);
        let html = page.text();
        assert!(html.contains("<title>लॉग इन करें · Dakiya</title>"), "{html}");
        assert!(html.contains("पासवर्ड भूल गए?"), "{html}");
        assert!(html.contains("modulepreload\" href=\"/assets/hi-"), "{html}");
        assert!(html.contains("\"language\":\"hi\""), "{html}");
    });
}

#[test]
fn the_policies_are_in_the_readers_language_and_say_which_text_counts() {
    block_on(async {
        let app = TestApp::start().await;
        for (path, title) in [
            ("/terms-and-conditions", "नियम और शर्तें"),
            ("/privacy-policy", "गोपनीयता नीति"),
            ("/refund-cancellation-policy", "रिफ़ंड और रद्दीकरण नीति"),
            ("/shipping-policy", "शिपिंग नीति"),
        ] {
            let headers = [("cookie", "dakiya_language=hi")];
            let hindi = page(&app.anon(), path, &headers).await.expect(200);
            let html = hindi.text();
            assert!(html.contains(HINDI), "{path}");
            assert!(html.contains(&format!("<title>{title} · Dakiya</title>")));
            assert!(html.contains("कानूनी रूप से अंग्रेज़ी पाठ मान्य है"), "{path}");
            assert!(html.contains("action=\"/language\""), "{path}");
            assert!(!html.contains("modulepreload"), "{path}");
            let english = page(&app.anon(), path, &[]).await.expect(200);
            assert!(english.text().contains(ENGLISH), "{path}");
        }
    });
}

#[test]
fn a_choice_is_kept_in_a_cookie_and_leads_back_to_this_site_only() {
    block_on(async {
        let (_app, _, asha) = TestApp::with_user().await;
        for (next, back) in [
            ("/dashboard?tab=bookings", "/dashboard?tab=bookings"),
            ("https://evil.example/", "/"),
            ("//evil.example", "/"),
            ("", "/"),
        ] {
            let form = [("language", "hi"), ("next", next)];
            let answer = asha.form("/language", &form).await.expect(303);
            assert_eq!(answer.header("location"), back);
            let cookie = answer.header("set-cookie");
            for part in ["dakiya_language=hi", "HttpOnly", "SameSite=Lax", "Path=/", "Max-Age="] {
                assert!(cookie.contains(part), "{part} in {cookie}");
            }
        }
        for wrong in ["", "xx", "HI", "hi\r\nset-cookie: a=b"] {
            let answer = asha.form("/language", &[("language", wrong)]).await;
            answer.expect(400);
        }
    });
}

#[test]
fn letters_keep_the_language_of_the_account_whatever_browser_was_used_last() {
    block_on(async {
        let (app, anon, asha) = TestApp::with_user().await;
        let stored = async || -> String {
            let select = "select language from users where username = $1";
            let mut conn = app.app.core.store.read().await.expect("a connection");
            let query = sqlx::query_scalar(select).bind(asha.username.clone());
            query.fetch_one(&mut *conn).await.expect("an account")
        };
        assert_eq!(stored().await, "en");
        // Hindi is tapped while logged in, and is the choice of another browser that logs in.
        asha.form("/language", &[("language", "hi"), ("next", "/")]).await.expect(303);
        let headers = [("cookie", "dakiya_language=hi"), ("sec-fetch-site", "same-origin")];
        let body = json!({"username": asha.username, "password": PASSWORD}).to_string();
        let answer = anon.send(Method::POST, "/api/v1/auth/login/", &headers, Some(body)).await;
        answer.expect(200);
        let form = [("username", asha.username.as_str()), ("password", PASSWORD)];
        anon.form_with("/login", &form, "dakiya_language=hi").await.expect(303);
        assert_eq!(stored().await, "en");

        let page = asha.page("/account").await.expect(200);
        assert!(page.text().contains("action=\"/account/language\""), "{}", page.text());
        let hindi = [("letter_language", "hi")];
        anon.form("/account/language", &hindi).await.expect(303);
        assert_eq!(stored().await, "en", "nobody is logged in there");
        let saved = asha.form("/account/language", &hindi).await.expect(303);
        assert_eq!(saved.header("location"), "/account?saved=letters");
        assert_eq!(stored().await, "hi");
        for wrong in ["", "xx"] {
            asha.form("/account/language", &[("letter_language", wrong)]).await.expect(400);
        }
        assert_eq!(stored().await, "hi");
    });
}

#[test]
fn a_refused_form_is_answered_in_the_language_of_the_page() {
    block_on(async {
        let app = TestApp::start().await;
        let anon = app.anon();
        let form = [("username", "nobody"), ("password", "monsoon-courier-42")];
        let page = anon.form_with("/login", &form, "dakiya_language=hi").await;
        let page = page.expect(401);
        assert!(page.text().contains("यूज़रनेम या पासवर्ड गलत है।"));
    });
}

#[test]
fn the_service_worker_keeps_the_offline_page_in_the_readers_language() {
    block_on(async {
        let app = TestApp::start().await;
        let anon = app.anon();
        for (cookie, tag) in [("", "en-IN"), ("dakiya_language=hi", "hi-IN")] {
            let worker = page(&anon, "/sw.js", &[("cookie", cookie)]).await;
            let text = worker.expect(200).text().to_owned();
            assert!(text.contains(&format!("const LANGUAGE = \"{tag}\";")), "{text}");
            let offline = page(&anon, "/offline", &[("accept-language", tag)]).await;
            let lang = format!("<html lang=\"{tag}\">");
            assert!(offline.expect(200).text().contains(&lang));
        }
    });
}
