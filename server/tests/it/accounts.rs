//! Registering, logging in and out, guards.

use reqwest::Method;
use serde_json::json;

use crate::app::{PASSWORD, TestApp, block_on, registration};

#[test]
fn a_new_customer_registers_logs_in_and_sees_an_empty_wallet() {
    block_on(async {
        let app = TestApp::start().await;
        let mut asha = app.anon();
        asha.username = "Asha.Rao".to_owned();
        let answer =
            asha.post("/api/v1/auth/register/", registration("Asha.Rao")).await.expect(201);
        assert_eq!(
            answer.json()["message"],
            "Registration successful! Please login with your credentials."
        );
        // Usernames are found in any case.
        let login = json!({"username": "asha.rao", "password": PASSWORD});
        let answer = asha.post("/api/v1/auth/login/", login).await.expect(200);
        let cookie = answer.header("set-cookie").to_owned();
        assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Lax"), "{cookie}");
        let body = answer.json();
        assert_eq!(body["user"]["first_name"], "Asha");
        assert!(answer.text().contains("\"balance\":0.00"), "{}", answer.text());
        asha.token = Some(body["tokens"]["access"].as_str().unwrap().to_owned());
        let profile = asha.get("/api/v1/auth/profile/").await.expect(200).json();
        assert_eq!(profile["username"], "Asha.Rao");
        assert_eq!(profile["phone"], "+919876543210");
    });
}

#[test]
fn a_browser_is_never_shown_its_credential() {
    block_on(async {
        let (app, anon, asha) = TestApp::with_user().await;
        let login = json!({"username": asha.username, "password": PASSWORD}).to_string();
        let log_in = async |headers: &[(&str, &str)]| {
            let body = Some(login.clone());
            anon.send(Method::POST, "/api/v1/auth/login/", headers, body).await.expect(200)
        };
        // Browsers of some years ago send no Sec-Fetch-Site.
        for headers in [
            ("sec-fetch-site", "same-origin"),
            ("origin", app.url.as_str()),
            ("x-session", "cookie"),
        ] {
            let answer = log_in(&[headers]).await;
            assert_eq!(answer.json()["tokens"]["access"], "cookie", "{headers:?}");
            // The order is open, as a second cookie identifies the browser.
            let cookies = answer.headers.get_all("set-cookie").iter();
            let mut cookies = cookies.map(|cookie| cookie.to_str().unwrap());
            let cookie = cookies.find(|cookie| cookie.starts_with("dakiya_session="));
            let token = cookie.and_then(|it| it.split(['=', ';']).nth(1)).expect("a session");
            assert!(!answer.text().contains(token), "{headers:?}");
        }
        let program = log_in(&[]).await.json();
        let token = program["tokens"]["access"].as_str().expect("a token");
        let headers = [("authorization", format!("Bearer {token}"))];
        let headers = headers.each_ref().map(|(name, value)| (*name, value.as_str()));
        anon.send(Method::GET, "/api/v1/auth/profile/", &headers, None).await.expect(200);
    });
}

#[test]
fn registration_names_every_wrong_field_and_a_taken_username() {
    block_on(async {
        let (_app, anon, asha) = TestApp::with_user().await;
        let answer = anon.post("/api/v1/auth/register/", json!({})).await.expect(400);
        assert_eq!(
            answer.wrong_fields(),
            ["first_name", "last_name", "username", "email", "phone", "password"]
        );
        // Broken rules and the taken username are reported in one response.
        let mut wrong = registration(&asha.username);
        wrong["phone"] = json!("12");
        wrong["password_confirm"] = json!("chai-at-five");
        let answer = anon.post("/api/v1/auth/register/", wrong).await.expect(400);
        assert_eq!(answer.wrong_fields(), ["phone", "password_confirm", "username"]);
        let again = registration(&asha.username.to_uppercase());
        let answer = anon.post("/api/v1/auth/register/", again).await.expect(400);
        assert_eq!(answer.wrong_fields(), ["username"]);
        let odd = json!({"username": {"a": 1}});
        let answer = anon.post("/api/v1/auth/register/", odd).await.expect(400);
        assert_eq!(answer.wrong_fields(), ["username"]);
    });
}

#[test]
fn a_wrong_password_and_an_unknown_user_get_the_same_answer() {
    block_on(async {
        let (_app, anon, asha) = TestApp::with_user().await;
        let wrong = json!({"username": asha.username, "password": "not-it-at-all"});
        let unknown = json!({"username": "nobody", "password": "not-it-at-all"});
        let wrong = anon.post("/api/v1/auth/login/", wrong).await.expect(401);
        let unknown = anon.post("/api/v1/auth/login/", unknown).await.expect(401);
        assert_eq!(wrong.body, unknown.body);
        assert_eq!(wrong.header("set-cookie"), "");
    });
}

#[test]
fn a_customer_logs_in_by_email_address_and_guesses_count_for_the_account() {
    block_on(async {
        let (app, anon, asha) = TestApp::with_user().await;
        let login = async |name: &str, password: &str| {
            let body = json!({"username": name, "password": password});
            anon.post("/api/v1/auth/login/", body).await
        };
        let address = format!("{}@example.in", asha.username);
        let answer = login(&address.to_uppercase(), PASSWORD).await.expect(200);
        assert_eq!(answer.json()["user"]["username"], asha.username.as_str());
        let ravi = app.user("ravi").await;
        let mailbox = format!("{}@example.in", ravi.username);
        let known = login(&mailbox, "not-it-at-all").await.expect(401);
        let unknown = login("nobody@example.in", "not-it-at-all").await;
        assert_eq!(known.body, unknown.expect(401).body);
        for _ in 1..dakiya_core::limits::GUESSES_FREE {
            login(&ravi.username, "not-it-at-all").await.expect(401);
        }
        for name in [&mailbox, &ravi.username] {
            login(name, PASSWORD).await.expect(429);
        }
    });
}

#[test]
fn whoever_registered_by_a_plain_form_finds_the_username_at_the_login() {
    block_on(async {
        let app = TestApp::start().await;
        let form = registration("Asha.Rao+1");
        let fields: Vec<(&str, &str)> = form
            .as_object()
            .expect("a form")
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str().expect("a text")))
            .collect();
        let answer = app.anon().form("/register", &fields).await.expect(303);
        let at = answer.header("location").to_owned();
        assert_eq!(at, "/login?registered=1&username=Asha.Rao%2B1");
        let page = app.anon().get(&at).await.expect(200);
        assert!(page.text().contains("value=\"Asha.Rao+1\""), "{}", page.text());
    });
}

#[test]
fn guessing_a_password_is_slowed_down() {
    block_on(async {
        let (app, anon, asha) = TestApp::with_user().await;
        let wrong = || json!({"username": asha.username, "password": "not-it-at-all"});
        for _ in 0..dakiya_core::limits::GUESSES_FREE {
            anon.post("/api/v1/auth/login/", wrong()).await.expect(401);
        }
        let answer = anon.post("/api/v1/auth/login/", wrong()).await.expect(429);
        assert_eq!(answer.header("retry-after"), "1");
        app.app.core.clock.advance_ms(1_500);
        let right = json!({"username": asha.username, "password": PASSWORD});
        anon.post("/api/v1/auth/login/", right).await.expect(200);
    });
}

#[test]
fn a_session_ends_at_logout_when_idle_and_after_twelve_hours() {
    block_on(async {
        let (app, _anon, mut asha) = TestApp::with_user().await;
        asha.post("/api/v1/auth/logout/", json!({})).await.expect(200);
        asha.get("/api/v1/auth/profile/").await.expect(401);

        asha.log_in().await;
        app.app.core.clock.advance_ms(29 * 60_000);
        asha.get("/api/v1/auth/profile/").await.expect(200);
        app.app.core.clock.advance_ms(29 * 60_000);
        asha.get("/api/v1/auth/profile/").await.expect(200);
        app.app.core.clock.advance_ms(31 * 60_000);
        asha.get("/api/v1/auth/profile/").await.expect(401);

        asha.log_in().await;
        for _ in 0..36 {
            app.app.core.clock.advance_ms(20 * 60_000 - 10_000);
            asha.get("/api/v1/auth/profile/").await.expect(200);
        }
        app.app.core.clock.advance_ms(10 * 60_000);
        asha.get("/api/v1/auth/profile/").await.expect(401);
    });
}

#[test]
fn every_private_call_needs_a_session() {
    block_on(async {
        let (_app, anon, _asha) = TestApp::with_user().await;
        for path in [
            "/api/v1/auth/profile/",
            "/api/v1/auth/sessions/",
            "/api/v1/shipping/history/",
            "/api/v1/shipping/countries/",
            "/api/v1/shipping/get_courier_details/",
            "/api/v1/shipping/booking/x/",
            "/api/v1/wallet/balance/",
            "/api/v1/wallet/transactions/",
            "/api/v1/payment/phonepe/status/x/",
        ] {
            anon.get(path).await.expect(401);
        }
        for path in [
            "/api/v1/auth/logout/",
            "/api/v1/auth/profile/",
            "/api/v1/auth/change-password/",
            "/api/v1/auth/sessions/x/end/",
            "/api/v1/auth/sessions/end-others/",
            "/api/v1/shipping/check-zipcode/",
            "/api/v1/shipping/calculate-rate/",
            "/api/v1/shipping/create-booking/",
            "/api/v1/booking/kyc-upload",
            "/api/v1/payment/phonepe/create/",
            "/api/v1/payment/phonepe/verify/",
            "/api/v1/payment/phonepe/callback/",
        ] {
            anon.post(path, json!({})).await.expect(401);
        }
    });
}

#[test]
fn other_sites_change_nothing() {
    block_on(async {
        let (app, anon, asha) = TestApp::with_user().await;
        let cookie = format!("dakiya_session={}", asha.token.clone().unwrap());
        let wrong_port = format!("{}0", app.url);
        let wrong_scheme = app.url.replace("http://", "https://");
        let with = async |headers: &[(&str, &str)]| {
            let all = [headers, &[("cookie", cookie.as_str())]].concat();
            let body = Some("{}".to_owned());
            anon.send(Method::POST, "/api/v1/payment/phonepe/create/", &all, body).await
        };
        for headers in [
            &[("sec-fetch-site", "cross-site")][..],
            &[("sec-fetch-site", "same-site")],
            &[("sec-fetch-site", "cross-site"), ("origin", app.url.as_str())],
            &[("origin", "https://evil.example")],
            &[("origin", "null")],
            &[("origin", wrong_port.as_str())],
            &[("origin", wrong_scheme.as_str())],
            &[("origin", app.url.trim_start_matches("http://"))],
            &[],
        ] {
            let answer = with(headers).await.expect(403);
            assert_eq!(answer.json()["code"], "forbidden", "{headers:?}");
        }
        // Requests of our own pages pass the guard and then fail for the missing amount.
        for headers in [&[("sec-fetch-site", "same-origin")][..], &[("origin", app.url.as_str())]] {
            assert_eq!(with(headers).await.expect(400).wrong_fields(), ["amount"]);
        }
    });
}

#[test]
fn a_site_over_tls_takes_no_form_of_a_page_that_came_without() {
    block_on(async {
        let public = ("DAKIYA_PUBLIC_URL", "https://dakiya.example");
        let app = TestApp::start_with(&[public]).await;
        let (anon, host) = (app.anon(), app.url.trim_start_matches("http://"));
        for (origin, status) in [
            ("https://dakiya.example".to_owned(), 401),
            (format!("https://{host}"), 401),
            (format!("http://{host}"), 403),
            ("http://dakiya.example".to_owned(), 403),
            ("https://dakiya.example:444".to_owned(), 403),
            ("https://dakiya.example.evil.example".to_owned(), 403),
        ] {
            let headers = [("origin", origin.as_str())];
            let body = Some(json!({"username": "nobody", "password": PASSWORD}).to_string());
            let answer = anon.send(Method::POST, "/api/v1/auth/login/", &headers, body).await;
            assert_eq!(answer.status, status, "{origin}");
        }
    });
}

#[test]
fn bodies_that_are_no_json_or_too_large_are_refused_in_words() {
    block_on(async {
        let (_app, anon, _) = TestApp::with_user().await;
        let send = async |body: String| {
            anon.send(Method::POST, "/api/v1/auth/login/", &[], Some(body)).await
        };
        send("{".into()).await.expect(400);
        send("[]".into()).await.expect(400);
        send("\u{0}".into()).await.expect(400);
        let json = "application/json";
        let announced = anon.announce("/api/v1/auth/login/", json, 65 * 1_024);
        assert_eq!(announced.await, 413);
        let plain = anon
            .send(Method::POST, "/api/v1/auth/login/", &[("content-type", "text/plain")], None)
            .await;
        plain.expect(400);
        anon.get("/api/v1/auth/login/").await.expect(405);
        anon.get("/api/v1/nothing/").await.expect(404);
        anon.get(&format!("/track?awb={}", "9".repeat(9_000))).await.expect(413);
    });
}
