//! Limits per client address for passwords, accounts and links, whatever address it claims.

use std::collections::BTreeSet;
use std::net::SocketAddr;

use dakiya_core::limits::{CLIENT_LOGINS, CLIENT_REGISTRATIONS, CLIENT_RESETS};
use reqwest::Method;
use serde_json::{Value, json};

use crate::app::{Actor, Answer, PASSWORD, TestApp, block_on, registration};
use crate::gateway::client;

const LOGIN: &str = "/api/v1/auth/login/";
const REGISTER: &str = "/api/v1/auth/register/";
const FORGOT: &str = "/api/v1/auth/forgot-password/";

async fn limited(proxies: &str) -> TestApp {
    let variables = [("DAKIYA_LIMIT_CLIENTS", "1"), ("DAKIYA_TRUSTED_PROXIES", proxies)];
    TestApp::start_with(&variables).await
}

/// A request with an `X-Forwarded-For` header.
async fn on_behalf(actor: &Actor, of: &str, path: &str, body: Value) -> Answer {
    let headers = [("x-forwarded-for", of)];
    actor.send(Method::POST, path, &headers, Some(body.to_string())).await
}

fn somebody() -> Value {
    registration(&format!("asha-{}", dakiya_core::random::random_id()))
}

#[test]
fn wrong_passwords_from_one_address_are_slowed_down_whatever_the_username() {
    block_on(async {
        let app = limited("").await;
        let asha = app.user("asha").await;
        let wrong = |n: i64| json!({"username": format!("user-{n}"), "password": "not-it-at-all"});
        let right = json!({"username": asha.username, "password": PASSWORD});
        let mut tried = 0;
        // Checking a password takes time, in which pauses pass.
        let refused = loop {
            let answer = app.anon().post(LOGIN, wrong(tried)).await;
            if answer.status == 429 {
                break answer;
            }
            answer.expect(401);
            tried += 1;
            assert!(tried < 2 * CLIENT_LOGINS.at_once, "nobody is slowed down");
            if tried % 10 == 5 {
                // Correct passwords are not counted.
                app.anon().post(LOGIN, right.clone()).await.expect(200);
            }
        };
        assert!(tried >= CLIENT_LOGINS.at_once, "{tried}");
        let wait_s: i64 = refused.header("retry-after").parse().unwrap();
        assert!((1..=CLIENT_LOGINS.pause_ms / 1_000).contains(&wait_s), "{wait_s}");
        assert!(refused.text().contains("Too many tries from your network."));
        app.app.core.clock.advance_ms(CLIENT_LOGINS.pause_ms);
        app.anon().post(LOGIN, right).await.expect(200);
    });
}

#[test]
fn accounts_and_links_have_their_own_pace() {
    block_on(async {
        let app = limited("").await;
        for _ in 0..CLIENT_REGISTRATIONS.at_once {
            app.anon().post(REGISTER, somebody()).await.expect(201);
        }
        let refused = app.anon().post(REGISTER, somebody()).await.expect(429);
        assert!(refused.text().contains("Please try again in 6 min."), "{}", refused.text());
        for _ in 0..CLIENT_RESETS.at_once {
            app.anon().post(FORGOT, json!({"username": "nobody"})).await.expect(200);
        }
        let page = app.anon().form("/forgot-password", &[("username", "nobody")]).await;
        let page = page.expect(429);
        assert!(page.text().contains("Too many tries from your network."));
        assert!(page.text().contains("Please try again in 6 min."));
        assert_ne!(page.header("retry-after"), "");
        // A claimed address changes nothing.
        let anon = app.anon();
        let spoofed = on_behalf(&anon, "198.51.100.1", FORGOT, json!({"username": "x"}));
        spoofed.await.expect(429);
        app.app.core.clock.advance_ms(CLIENT_REGISTRATIONS.pause_ms);
        app.anon().post(REGISTER, somebody()).await.expect(201);
        app.anon().post(REGISTER, somebody()).await.expect(429);
    });
}

#[test]
fn behind_a_trusted_proxy_each_client_is_counted_for_itself() {
    block_on(async {
        let app = limited("127.0.0.1, 10.0.0.0/8").await;
        let peer: SocketAddr = app.url.trim_start_matches("http://").parse().unwrap();
        assert!(peer.ip().is_loopback());
        let ask = async |of: &str| {
            let answer = on_behalf(&app.anon(), of, FORGOT, json!({"username": "x"})).await;
            answer.status.as_u16()
        };
        for _ in 0..CLIENT_RESETS.at_once {
            assert_eq!(ask("203.0.113.7").await, 200);
        }
        assert_eq!(ask("203.0.113.7").await, 429);
        // Addresses that a client writes before its own do not make it another client.
        assert_eq!(ask("198.51.100.1, 203.0.113.7").await, 429);
        assert_eq!(ask("203.0.113.7, 10.0.0.2").await, 429);
        assert_eq!(ask("203.0.113.8").await, 200);
        assert_eq!(ask("").await, 200);
    });
}

#[test]
fn every_cookie_is_bound_to_this_very_host_where_it_comes_over_tls() {
    block_on(async {
        let https = [("DAKIYA_PUBLIC_URL", "https://dakiya.example")];
        let app = TestApp::start_with(&https).await;
        let mut asha = app.anon();
        asha.join("asha").await;
        let client = client();
        let post = async |path: &str, form: &[(&str, &str)]| {
            let request = client.post(format!("{}{path}", app.url)).form(form);
            let request = request.header("sec-fetch-site", "same-origin");
            request.send().await.expect("an answer")
        };
        let login = [("username", &*asha.username), ("password", PASSWORD)];
        let without_code = post("/login", &login).await;
        app.tamper("update users set two_step_ms = 1").await.expect("two steps");
        let before_code = post("/login", &login).await;
        let answers = [without_code, before_code, post("/language", &[("language", "hi")]).await];
        let cookies = answers.iter().flat_map(|it| it.headers().get_all("set-cookie"));
        let mut cookies: Vec<&str> = cookies.map(|it| it.to_str().expect("text")).collect();
        cookies.sort_unstable();
        let names = cookies.iter().map(|it| it.split_once('=').expect("a value").0);
        assert_eq!(
            names.collect::<Vec<_>>(),
            ["device", "language", "login", "session"].map(|name| format!("__Host-dakiya_{name}"))
        );
        for cookie in cookies {
            let is_step = cookie.starts_with("__Host-dakiya_login=");
            let same_site = if is_step { "; SameSite=Strict" } else { "; SameSite=Lax" };
            for part in ["; Secure", "; Path=/", "; HttpOnly", same_site] {
                assert!(cookie.contains(part), "{part} in {cookie}");
            }
            assert!(!cookie.contains("Domain="), "{cookie}");
        }
        let kept = [("cookie", "__Host-dakiya_language=hi")];
        let page = app.anon().send(Method::GET, "/login", &kept, None).await;
        assert!(page.expect(200).text().contains("<html lang=\"hi-IN\">"));
    });
}

#[test]
fn every_answer_tells_browsers_to_be_careful() {
    block_on(async {
        let https = [("DAKIYA_PUBLIC_URL", "https://dakiya.example")];
        let app = TestApp::start_with(&https).await;
        let anon = app.anon();
        for (method, path, status) in [
            (Method::GET, "/login", 200),
            (Method::GET, "/privacy-policy", 200),
            (Method::GET, "/dashboard", 303),
            (Method::GET, "/no/such/page", 404),
            (Method::GET, "/favicon.svg", 200),
            (Method::GET, "/robots.txt", 200),
            (Method::GET, "/sitemap.xml", 200),
            (Method::GET, "/healthz", 200),
            (Method::GET, "/readyz", 200),
            (Method::GET, "/api/v1/openapi.json", 200),
            (Method::GET, "/api/v1/wallet/balance/", 401),
            (Method::GET, "/no%00such", 400),
            (Method::TRACE, "/login", 405),
        ] {
            let answer = anon.send(method, path, &[], None).await.expect(status);
            for (header, asked) in [
                ("x-content-type-options", "nosniff"),
                ("referrer-policy", "strict-origin"),
                ("cross-origin-opener-policy", "same-origin"),
                ("x-frame-options", "DENY"),
                ("strict-transport-security", "max-age=31536000; includeSubDomains"),
            ] {
                assert_eq!(answer.header(header), asked, "{path}: {header}");
            }
            let policy = answer.header("content-security-policy");
            for part in ["default-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"] {
                assert!(policy.contains(part), "{path}: {policy}");
            }
            let kind = answer.header("content-type");
            let is_text = kind.starts_with("text/") || kind.contains("xml");
            assert!(!is_text || kind.ends_with("; charset=utf-8"), "{path}: {kind}");
            assert_eq!(answer.header("access-control-allow-origin"), "", "{path}");
        }
    });
}

/// A first page asks for several of them, and a slow phone waits for each header.
#[test]
fn scripts_and_styles_carry_no_headers_that_only_documents_need() {
    block_on(async {
        let app = TestApp::start().await;
        let page = app.anon().get("/login").await.expect(200);
        let page = page.text();
        let files = page.split('"').filter(|text| text.starts_with("/assets/"));
        let files: BTreeSet<&str> = files.collect();
        assert!(files.len() > 3, "{files:?}");
        for file in files {
            let answer = app.anon().get(file).await.expect(200);
            assert_eq!(answer.header("x-content-type-options"), "nosniff", "{file}");
            for header in ["x-frame-options", "permissions-policy", "referrer-policy"] {
                assert_eq!(answer.header(header), "", "{file}: {header}");
            }
        }
    });
}
