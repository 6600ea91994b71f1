//! Pages as JSON: the data of each document, at the same address.

use dakiya::http::screens::{self, Access};
use reqwest::Method;
use serde_json::{Value, json};

use super::decode;
use crate::app::{Actor, Answer, TestApp, block_on};
use crate::documents::book;
use crate::language::VARY;

const CHROMIUM: &str = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,\
                        image/webp,image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7";

/// A request for a page with the session in a cookie.
async fn ask(actor: &Actor, path: &str, headers: &[(&str, &str)]) -> Answer {
    let cookie = actor.cookie();
    let headers = [&[("cookie", cookie.as_str())], headers].concat();
    let anybody = actor.without_token();
    anybody.send(Method::GET, path, &headers, None).await
}

async fn as_json(actor: &Actor, path: &str) -> Answer {
    let answer = ask(actor, path, &[("accept", "application/json")]).await;
    assert_eq!(answer.header("content-type"), "application/json", "{path}");
    answer
}

/// The JSON that a document carries for the browser.
fn json_of(document: &Answer) -> Value {
    let html = document.text();
    let (_, json) = html.split_once("id=\"page\">").expect("the page's data");
    let (json, _) = json.split_once("</script>").expect("its end");
    serde_json::from_str(json).expect("JSON")
}

async fn assert_same(actor: &Actor, path: &str, status: u16) {
    let document = actor.page(path).await.expect(status);
    let answer = as_json(actor, path).await.expect(status);
    assert_eq!(answer.json(), json_of(&document), "{path}");
}

#[test]
fn every_address_to_go_on_to_is_read_by_one_rule() {
    block_on(async {
        let (_app, anon, asha) = TestApp::with_user().await;
        let cases = include_str!("../../local_paths.json");
        let cases: Vec<(String, bool)> = serde_json::from_str(cases).expect("cases");
        for (text, is_local) in cases {
            let url = reqwest::Url::parse_with_params("http://dakiya/", [("next", &text)]);
            let url = url.expect("an address");
            let query = url.query().expect("a query");
            let expected = if is_local { json!(text) } else { Value::Null };
            let login = as_json(&anon, &format!("/login?{query}")).await.expect(200).json();
            assert_eq!(login["data"]["next"], expected, "{text:?}");
            // The last one counts, as in the browser.
            let twice = format!("/login?next=/recharge&{query}");
            let login = as_json(&anon, &twice).await.expect(200).json();
            assert_eq!(login["data"]["next"], expected, "{text:?}");
            let chosen = asha.form("/language", &[("language", "en"), ("next", &text)]).await;
            let leads_to = if is_local { text.as_str() } else { "/" };
            assert_eq!(chosen.expect(303).header("location"), leads_to, "{text:?}");
        }
    });
}

#[test]
fn the_address_of_a_screen_answers_the_json_that_its_document_is_drawn_from() {
    block_on(async {
        let (_app, anon, asha) = TestApp::with_money(5_000).await;
        let booked = book(&asha, &json!({})).await;
        for screen in screens::all().iter().filter(|it| it.path.starts_with('/')) {
            let (actor, member) = match screen.access {
                Access::Private => (&asha, true),
                Access::Public | Access::Guest => (&anon, false),
            };
            match screen.has_script(member) {
                true => assert_same(actor, &screen.path, 200).await,
                false => {
                    let page = as_json(actor, &screen.path).await.expect(200).json();
                    assert_eq!(page["screen"], screen.screen.as_str());
                    assert_eq!(page["path"], screen.path.as_str());
                }
            }
        }
        for path in [
            "/dashboard?tab=transactions&page=1",
            "/dashboard?cancelled=1",
            "/bookings?q=nothing",
            &format!("/bookings/{}", booked.id),
            &format!("/courier?again={}", booked.id),
            "/courier?rates=1",
            "/recharge/callback?merchantTransactionId=DKnone",
            "/track",
            &format!("/track/{}", booked.awb),
        ] {
            assert_same(&asha, path, 200).await;
        }
        assert_same(&anon, "/login?next=/recharge&expired=1", 200).await;
        assert_same(&anon, "/register?username=asha", 200).await;
        let home = as_json(&asha, "/").await.expect(200).json();
        assert_eq!(home["screen"], "dashboard");
        let path = format!("/track/{}", booked.awb);
        let tracked = as_json(&anon, &path).await.expect(200).json();
        assert_eq!(tracked["data"]["awb"], booked.awb.as_str());
        assert_eq!(tracked["user"], Value::Null);
    });
}

#[test]
fn a_bearer_token_opens_the_json_of_a_private_page() {
    block_on(async {
        let (_app, _, asha) = TestApp::with_user().await;
        let headers = [("accept", "application/json")];
        let page = asha.send(Method::GET, "/dashboard", &headers, None).await;
        let page = page.expect(200).json();
        assert_eq!(page["user"]["username"], asha.username.as_str());
    });
}

#[test]
fn nothing_is_drawn_for_the_json_of_a_page() {
    block_on(async {
        let app = TestApp::start_drawing_alone().await;
        let anon = app.anon();
        let rendered = || app.app.web.renderer.stats().renders;
        let before = rendered();
        for path in ["/privacy-policy", "/login", "/login?next=/recharge"] {
            as_json(&anon, path).await.expect(200);
        }
        as_json(&anon, "/nowhere").await.expect(404);
        assert_eq!(rendered(), before);
        // The cached document for guests stays a document.
        let document = anon.page("/login").await.expect(200);
        assert!(document.text().starts_with("<!doctype html>"));
        assert_eq!(as_json(&anon, "/login").await.json()["screen"], json!("login"));
    });
}

#[test]
fn json_names_the_address_to_which_a_document_redirects() {
    block_on(async {
        let (app, anon, asha) = TestApp::with_user().await;
        let created = asha
            .post("/api/v1/payment/phonepe/create/", json!({"amount": 321}))
            .await
            .expect(200)
            .json();
        app.pay(&created).await;
        let order = created["payment_data"]["merchant_order_id"].as_str();
        let order = order.expect("an id");
        let callback = format!("/recharge/callback?merchantTransactionId={order}");
        asha.page(&callback).await.expect(200);
        let launch = format!("/recharge/launch/{order}");
        for (actor, path) in [
            (&asha, "/login"),
            (&asha, "/register?username=ravi"),
            (&anon, "/track?awb=%20dk1719216000123"),
            (&asha, &launch),
        ] {
            let document = actor.page(path).await.expect(303);
            let answer = as_json(actor, path).await.expect(200);
            let redirect = json!({"redirect": document.header("location")});
            assert_eq!(answer.json(), redirect, "{path}");
            assert_eq!(answer.header("location"), "");
            assert_eq!(answer.header("cache-control"), "no-store");
            assert_eq!(answer.header("vary"), VARY);
        }
        let redirect = as_json(&asha, "/login").await.json();
        assert_eq!(redirect, json!({"redirect": "/dashboard"}));
    });
}

#[test]
fn the_json_of_a_private_page_asks_a_guest_to_log_in_and_to_come_back() {
    block_on(async {
        let (_app, anon, mut asha) = TestApp::with_user().await;
        let refused = |redirect: &str| {
            let said = "Unauthorized";
            json!({"message": said, "code": "unauthorized", "redirect": redirect})
        };
        let path = "/dashboard?tab=bookings";
        let guest = as_json(&anon, path).await.expect(401);
        let login = "/login?next=/dashboard%3Ftab%3Dbookings";
        assert_eq!(guest.json(), refused(login));
        assert_eq!(guest.header("cache-control"), "no-store");
        assert_eq!(guest.header("vary"), VARY);
        let usual = anon.get("/api/v1/wallet/balance/").await.expect(401).json();
        assert_eq!(usual["message"], guest.json()["message"]);
        assert_eq!(usual["code"], guest.json()["code"]);

        asha.form("/logout", &[]).await.expect(303);
        let ended = as_json(&asha, path).await.expect(401);
        assert_eq!(ended.json(), refused(&format!("{login}&expired=1")));
        let document = asha.page(path).await.expect(303);
        assert_eq!(ended.json()["redirect"], document.header("location"));
        // A customer whose session has ended sees public pages as a guest.
        let public = as_json(&asha, "/track").await.expect(200).json();
        assert_eq!(public["user"], Value::Null);
        asha.log_in().await;
        as_json(&asha, path).await.expect(200);
    });
}

#[test]
fn the_json_of_a_page_that_does_not_exist_says_so() {
    block_on(async {
        let (_app, anon, asha) = TestApp::with_user().await;
        for (actor, path) in [
            (&anon, "/nowhere"),
            (&anon, "/track/DK1/more"),
            (&asha, "/nowhere?page=2"),
            (&asha, "/bookings/DK0000"),
            (&asha, "/recharge/launch/DK0000"),
            (&asha, "/courier?again=DK0000"),
        ] {
            let answer = as_json(actor, path).await.expect(404);
            let page = answer.json();
            assert_eq!(page["screen"], "not-found", "{path}");
            assert_eq!(page["data"], Value::Null, "{path}");
            assert_eq!(page["user"].is_null(), actor.token.is_none(), "{path}");
            assert_eq!(answer.header("cache-control"), "no-store", "{path}");
            assert_eq!(answer.header("vary"), VARY, "{path}");
        }
        assert_same(&asha, "/bookings/DK0000", 404).await;
        for actor in [&anon, &asha] {
            let page = as_json(actor, "/track/DK0000").await.expect(404).json();
            assert_eq!(page["screen"], "track");
            let error = page["data"]["error"].as_str().expect("an error");
            assert!(error.contains("no shipment with this AWB"), "{error}");
        }
        // Paths without a page are refused as everywhere.
        let refused = as_json(&anon, "/no%00such").await.expect(400).json();
        assert!(refused["message"].is_string() && refused["code"].is_string());
        let refused = as_json(&anon, "/api/v1/no-such-call").await.expect(404);
        assert!(refused.json()["message"].is_string());
    });
}

#[test]
fn both_forms_of_a_page_are_told_apart_by_caches_which_keep_no_private_one() {
    block_on(async {
        let (_app, anon, asha) = TestApp::with_user().await;
        for (actor, path, status, kept) in [
            (&anon, "/help", 200, "no-cache"),
            (&anon, "/track", 200, "no-cache"),
            (&anon, "/login", 200, "no-cache"),
            (&anon, "/login?next=/recharge", 200, "no-store"),
            (&anon, "/reset-password?token=none", 404, "no-store"),
            (&anon, "/track/DK0000", 404, "no-store"),
            (&anon, "/nowhere", 404, "no-store"),
            (&asha, "/help", 200, "no-store"),
            (&asha, "/track", 200, "no-store"),
            (&asha, "/dashboard", 200, "no-store"),
        ] {
            for accept in ["application/json", "text/html"] {
                let answer = ask(actor, path, &[("accept", accept)]).await.expect(status);
                let kind = answer.header("content-type");
                assert!(kind.starts_with(accept), "{path}: {kind}");
                assert_eq!(answer.header("cache-control"), kept, "{path} {accept}");
                assert_eq!(answer.header("vary"), VARY, "{path} {accept}");
            }
        }
        assert!(VARY.split(", ").any(|it| it == "accept"));
    });
}

#[test]
fn json_is_for_whoever_names_it_and_does_not_name_html() {
    block_on(async {
        let (_app, anon, asha) = TestApp::with_user().await;
        for (accept, kind) in [
            ("application/json", "application/json"),
            ("application/json, text/plain, */*", "application/json"),
            ("Application/JSON;q=0.9", "application/json"),
            ("text/html, application/json", "text/html; charset=utf-8"),
            ("application/json;q=0, */*", "text/html; charset=utf-8"),
            (CHROMIUM, "text/html; charset=utf-8"),
            ("*/*", "text/html; charset=utf-8"),
            ("", "text/html; charset=utf-8"),
        ] {
            for (actor, path) in [(&anon, "/login"), (&asha, "/dashboard")] {
                let answer = ask(actor, path, &[("accept", accept)]).await.expect(200);
                assert_eq!(answer.header("content-type"), kind, "{path} {accept}");
            }
        }
        let away = ask(&anon, "/dashboard", &[("accept", CHROMIUM)]).await;
        assert_eq!(away.expect(303).header("location"), "/login?next=/dashboard");
    });
}

#[test]
fn head_answers_for_the_json_of_a_page_as_get_does_without_a_body() {
    block_on(async {
        let (_app, anon, asha) = TestApp::with_user().await;
        for (actor, path, status) in [
            (&asha, "/dashboard", 200),
            (&anon, "/help", 200),
            (&anon, "/dashboard", 401),
            (&anon, "/nowhere", 404),
        ] {
            let cookie = actor.cookie();
            let headers = [("accept", "application/json"), ("cookie", &*cookie)];
            let sent = actor.without_token();
            let head = sent.send(Method::HEAD, path, &headers, None).await;
            let head = head.expect(status);
            assert!(head.body.is_empty(), "{path}");
            let get = as_json(actor, path).await;
            for name in ["content-type", "content-length", "cache-control", "vary"] {
                assert_eq!(head.header(name), get.header(name), "{path}: {name}");
            }
        }
    });
}

#[test]
fn text_that_another_site_chose_is_not_compressed_with_a_customers_data() {
    block_on(async {
        let (app, anon, asha) = TestApp::with_user().await;
        for (actor, path, site, coding) in [
            (&asha, "/bookings?q=asha", "cross-site", ""),
            (&asha, "/bookings?q=asha", "same-site", ""),
            (&asha, "/bookings?q=asha", "", ""),
            (&asha, "/calculate?weight=1", "cross-site", ""),
            (&asha, "/nowhere/asha", "cross-site", ""),
            (&asha, "/bookings?q=asha", "same-origin", "gzip"),
            (&asha, "/bookings?q=asha", "none", "gzip"),
            (&asha, "/dashboard", "cross-site", "gzip"),
            (&asha, "/dashboard", "", "gzip"),
            (&anon, "/login?next=/courier", "cross-site", "gzip"),
        ] {
            for accept in ["text/html", "application/json"] {
                let headers =
                    [("accept", accept), ("accept-encoding", "gzip"), ("sec-fetch-site", site)];
                let answer = ask(actor, path, &headers).await;
                assert_eq!(answer.header("content-encoding"), coding, "{path} {site} {accept}");
            }
        }
        // Old browsers tell the origin of the page before, if anything.
        for (referer, coding) in [
            (format!("{}/", app.url), "gzip"),
            (app.url.clone(), "gzip"),
            (format!("{}/bookings?q=a", app.url), "gzip"),
            (format!("{}.evil.example/", app.url), ""),
            (format!("https://evil.example/{}/", app.url), ""),
            (app.url.replace("http://", "http://evil@"), ""),
            ("null".to_owned(), ""),
        ] {
            let headers = [("accept-encoding", "gzip"), ("referer", &*referer)];
            let answer = ask(&asha, "/bookings?q=asha", &headers).await;
            assert_eq!(answer.header("content-encoding"), coding, "{referer}");
            let elsewhere = [&headers[..], &[("sec-fetch-site", "cross-site")]].concat();
            let answer = ask(&asha, "/bookings?q=asha", &elsewhere).await;
            assert_eq!(answer.header("content-encoding"), "", "{referer}");
        }
        let search = "/api/v1/shipping/bookings?q=asha";
        let answer = asha.send(Method::GET, search, &[("accept-encoding", "gzip")], None).await;
        assert_eq!(answer.expect(200).header("content-encoding"), "");
    });
}

#[test]
fn the_json_of_a_page_is_compressed_in_every_coding() {
    block_on(async {
        let (_app, anon, asha) = TestApp::with_user().await;
        for (actor, path) in [(&asha, "/dashboard"), (&anon, "/login")] {
            let plain = as_json(actor, path).await.expect(200);
            for (accepted, coding) in [("br", "br"), ("gzip", "gzip"), ("br, zstd", "zstd")] {
                let headers = [("accept", "application/json"), ("accept-encoding", accepted)];
                let packed = ask(actor, path, &headers).await.expect(200);
                assert_eq!(packed.header("content-encoding"), coding);
                assert!(packed.body.len() < plain.body.len(), "{path} {coding}");
                assert_eq!(decode(coding, &packed.body), plain.text(), "{path} {coding}");
            }
        }
    });
}

#[test]
fn the_json_of_a_page_is_in_the_language_of_the_cookie_else_of_the_browser() {
    block_on(async {
        let app = TestApp::start().await;
        for path in ["/login", "/track/DK1719216000123", "/nowhere"] {
            for (cookie, asked, expected) in [
                ("", "", "en"),
                ("", "hi-IN,hi;q=0.9,en;q=0.8", "hi"),
                ("dakiya_language=hi", "en-IN", "hi"),
                ("dakiya_language=en", "hi-IN", "en"),
            ] {
                let headers = [
                    ("accept", "application/json"),
                    ("cookie", cookie),
                    ("accept-language", asked),
                ];
                let page = app.anon().send(Method::GET, path, &headers, None).await;
                assert_eq!(page.json()["language"], expected, "{path} {headers:?}");
            }
        }
    });
}

#[test]
fn the_json_of_a_page_whose_data_cannot_be_loaded_has_none_as_its_document() {
    block_on(async {
        let (app, _, asha) = TestApp::with_user().await;
        let gone = app.tamper("alter table presets rename to presets_gone").await;
        gone.expect("renamed");
        assert_same(&asha, "/addresses", 200).await;
        let page = as_json(&asha, "/addresses").await.expect(200).json();
        assert_eq!(page["data"], Value::Null);
    });
}
