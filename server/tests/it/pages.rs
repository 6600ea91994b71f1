//! Pages as delivered: complete without a script, compressed, cached, protected by headers.

mod drawn;
mod json;
mod kept_assets;
mod scripts;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use dakiya_core::assets::ASSETS;
use dakiya_core::model::digest::sha256;
use reqwest::Method;
use serde_json::json;

use crate::app::{Actor, Answer, PASSWORD, TestApp, block_on, registration};
use crate::documents::book;
use crate::language::VARY;

const POLICIES: [&str; 4] =
    ["/terms-and-conditions", "/privacy-policy", "/refund-cancellation-policy", "/shipping-policy"];

#[test]
fn policy_pages_are_complete_without_a_script() {
    block_on(async {
        let app = TestApp::start().await;
        for path in POLICIES {
            let page = app.anon().get(path).await.expect(200);
            let html = page.text();
            assert!(html.starts_with("<!doctype html>"), "{path}");
            assert!(html.contains("<h1") && html.contains("Sample Couriers"), "{path}: {html}");
            // Structured data for search engines is data, not a script.
            let running = html.replace("<script type=\"application/ld+json\">", "");
            assert!(!running.contains("<script"), "{path}");
            assert!(page.header("content-security-policy").contains("script-src 'none'"));
            assert!(html.contains(&format!("rel=\"canonical\" href=\"{}{path}\"", app.url)));
        }
    });
}

#[test]
fn public_pages_come_in_every_coding_with_an_etag() {
    block_on(async {
        let app = TestApp::start().await;
        let anon = app.anon();
        let plain = anon.get("/shipping-policy").await.expect(200);
        let mut etags = std::collections::BTreeSet::new();
        for (accepted, coding) in [
            ("gzip, deflate, br, zstd", "br"),
            ("zstd", "zstd"),
            ("gzip", "gzip"),
            ("identity", ""),
        ] {
            let headers = [("accept-encoding", accepted)];
            let page = anon.send(Method::GET, "/shipping-policy", &headers, None).await;
            assert_eq!(page.header("content-encoding"), coding);
            assert_eq!(decode(coding, &page.body), plain.text());
            assert_eq!(page.header("vary"), VARY);
            let etag = page.header("etag").to_owned();
            let again = [headers[0], ("if-none-match", etag.as_str())];
            let same = anon.send(Method::GET, "/shipping-policy", &again, None).await;
            assert!(same.expect(304).body.is_empty());
            etags.insert(etag);
        }
        assert_eq!(etags.len(), 4, "each coding has its own strong ETag");
    });
}

fn decode(coding: &str, body: &[u8]) -> String {
    use std::io::Read;
    let mut text = String::new();
    match coding {
        "br" => brotli::Decompressor::new(body, 4_096).read_to_string(&mut text),
        "zstd" => zstd::stream::read::Decoder::new(body).unwrap().read_to_string(&mut text),
        "gzip" => flate2::read::GzDecoder::new(body).read_to_string(&mut text),
        _ => (&mut &body[..]).read_to_string(&mut text),
    }
    .unwrap();
    text
}

#[test]
fn the_dashboard_is_in_the_html_for_whoever_has_the_cookie() {
    block_on(async {
        let (app, anon, asha) = TestApp::with_user().await;
        app.recharge(&asha, 1_234).await;
        let page = asha.page("/dashboard").await.expect(200);
        let html = page.text();
        assert!(html.contains("1,234.00"), "{html}");
        assert!(html.contains("Total Bookings") && html.contains("No bookings found"));
        assert!(html.contains("Asha Rao"));
        assert_eq!(page.header("cache-control"), "no-store");
        let to_login = anon.get("/dashboard?tab=bookings").await.expect(303);
        assert_eq!(to_login.header("location"), "/login?next=/dashboard%3Ftab%3Dbookings");
    });
}

#[test]
fn every_screen_renders_on_the_server() {
    block_on(async {
        let app = TestApp::start_drawing_alone().await;
        let anon = app.anon();
        let asha = app.user("asha").await;
        for screen in dakiya::http::screens::all().iter().filter(|s| s.path.starts_with('/')) {
            use dakiya::http::screens::Access;
            let page = match screen.access {
                Access::Guest => anon.get(&screen.path).await,
                Access::Public | Access::Private => asha.page(&screen.path).await,
            };
            let page = page.expect(200);
            let html = page.text();
            let root = html.split("<div id=\"root\">").nth(1).expect("a root");
            assert!(root.starts_with("<"), "{} was not rendered: {root:.80}", screen.path);
            assert!(html.contains(&escaped(&screen.title)), "{}", screen.path);
        }
        assert_eq!(app.app.web.renderer.stats().failures, Default::default());
    });
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
}

#[test]
fn a_page_that_does_not_exist_says_so() {
    block_on(async {
        let app = TestApp::start().await;
        let page = app.anon().get("/nowhere").await.expect(404);
        assert!(page.text().contains("<h1"), "{}", page.text());
        let page = app.anon().get("/track/DK0000").await.expect(404);
        assert!(page.text().contains("no shipment with this AWB"), "{}", page.text());
    });
}

#[test]
fn scripts_are_files_of_ours_and_nothing_within_a_page_runs() {
    block_on(async {
        let (_app, _, asha) = TestApp::with_user().await;
        let page = asha.page("/dashboard").await.expect(200);
        let policy = page.header("content-security-policy");
        assert!(policy.contains("script-src 'self' ;"), "{policy}");
        assert!(!policy.contains("unsafe"), "{policy}");
        let mut scripts = page.text().split("<script").skip(1);
        let inert = |script: &str| {
            script.starts_with(" type=\"application/json\"")
                || script.starts_with(" type=\"module\" src=\"/assets/")
        };
        assert!(scripts.all(inert), "{}", page.text());
        assert!(!page.text().contains(" style="), "inline styles are not allowed");
    });
}

#[test]
fn logging_in_registering_and_out_work_with_plain_forms() {
    block_on(async {
        let app = TestApp::start().await;
        let mut asha = app.anon();
        let fields = registration("plain.asha");
        let form: Vec<(&str, &str)> = fields
            .as_object()
            .unwrap()
            .iter()
            .map(|(k, v)| (k.as_str(), v.as_str().unwrap()))
            .collect();
        let mut wrong = form.clone();
        wrong.retain(|(name, _)| *name != "phone");
        let page = asha.form("/register", &wrong).await.expect(400);
        assert!(page.text().contains("phone number of 10 digits"), "{}", page.text());
        assert!(page.text().contains("value=\"plain.asha\""), "what was typed is kept");
        assert!(!page.text().contains(PASSWORD), "a password is never sent back");
        let done = asha.form("/register", &form).await.expect(303);
        assert_eq!(done.header("location"), "/login?registered=1&username=plain.asha");

        let bad = [("username", "plain.asha"), ("password", "wrong-one")];
        let page = asha.form("/login", &bad).await.expect(401);
        assert!(page.text().contains("Wrong username or password."));
        for (next, leads_to) in
            [("/recharge", "/recharge"), ("//evil.example", "/dashboard"), ("", "/dashboard")]
        {
            let good = [("username", "plain.asha"), ("password", PASSWORD), ("next", next)];
            let done = asha.form("/login", &good).await.expect(303);
            assert_eq!(done.header("location"), leads_to);
            let cookie = done.header("set-cookie");
            let token = cookie.split(['=', ';']).nth(1).unwrap().to_owned();
            asha.token = Some(token);
        }
        asha.page("/login").await.expect(303);
        let page = asha.form("/recharge", &[("amount", "5")]).await.expect(400);
        assert!(page.text().contains("Minimum recharge amount is ₹10"));
        let to_gateway = asha.form("/recharge", &[("amount", "500")]).await.expect(303);
        assert!(to_gateway.header("location").contains("token="));
        asha.form("/logout", &[]).await.expect(303);
        let away = asha.page("/dashboard").await.expect(303);
        assert_eq!(away.header("location"), "/login?next=/dashboard&expired=1");
    });
}

#[test]
fn a_return_from_the_gateway_credits_without_a_script() {
    block_on(async {
        let (app, _, asha) = TestApp::with_user().await;
        let body = json!({"amount": 321});
        let created = asha.post("/api/v1/payment/phonepe/create/", body).await.expect(200).json();
        app.pay(&created).await;
        let id = created["payment_data"]["merchant_order_id"].as_str().unwrap();
        let path = format!("/recharge/callback?merchantTransactionId={id}");
        let page = asha.page(&path).await.expect(200);
        assert!(page.text().contains("Payment Successful!"), "{}", page.text());
        let ravi = app.user("ravi").await;
        let page = ravi.page(&path).await.expect(200);
        assert!(page.text().contains("Payment Failed"), "{}", page.text());
        assert!(!page.text().contains("321.00"));
    });
}

#[test]
fn assets_are_immutable_and_compressed_beforehand() {
    block_on(async {
        let app = TestApp::start().await;
        let page = app.anon().get("/login").await.expect(200);
        let at = page.text().find("/assets/").expect("an asset");
        let path: String = page.text()[at..].chars().take_while(|c| *c != '"').collect();
        let headers = [("accept-encoding", "br")];
        let asset = app.anon().send(Method::GET, &path, &headers, None).await.expect(200);
        assert_eq!(asset.header("cache-control"), "public, max-age=31536000, immutable");
        assert_eq!(asset.header("content-encoding"), "br");
        app.anon().get("/assets/../Cargo.toml").await.expect(404);
    });
}

#[test]
fn the_help_page_names_the_officer_for_complaints_and_leads_to_each_answer() {
    block_on(async {
        let app = TestApp::start_with(&[
            ("DAKIYA_GRIEVANCE_OFFICER", "Meera Iyer"),
            ("DAKIYA_GRIEVANCE_OFFICER_EMAIL", "grievances@rao.example.in"),
            ("DAKIYA_GRIEVANCE_OFFICER_PHONE", "+91 80 4123 4568"),
        ])
        .await;
        for language in ["en-IN", "hi-IN"] {
            let headers = [("accept-language", language)];
            let page = app.anon().send(Method::GET, "/help", &headers, None).await.expect(200);
            for part in [
                "Meera Iyer",
                "href=\"mailto:grievances@rao.example.in\"",
                "href=\"tel:+918041234568\"",
                "href=\"#late\"",
                "id=\"late\"",
            ] {
                assert!(page.text().contains(part), "{language} lacks {part}");
            }
        }
    });
}

#[test]
fn search_engines_are_told_which_pages_to_list_and_whose_they_are() {
    block_on(async {
        let (app, anon, asha) = TestApp::with_user().await;
        let robots = anon.get("/robots.txt").await.expect(200);
        assert!(robots.text().contains("Disallow: /api/"));
        let sitemap = format!("Sitemap: {}/sitemap.xml", app.url);
        assert!(robots.text().contains(&sitemap), "{}", robots.text());
        let sitemap = anon.get("/sitemap.xml").await.expect(200);
        assert!(sitemap.header("content-type").starts_with("application/xml"));
        let listed: Vec<&str> = sitemap
            .text()
            .split("<loc>")
            .skip(1)
            .filter_map(|rest| rest.split("</loc>").next())
            .map(|url| url.strip_prefix(&app.url).expect("an address of ours"))
            .collect();
        let public = ["/login", "/register", "/track"];
        let texts = [&POLICIES[..], &["/help"]].concat();
        let hindi = |path: &&str| format!("/hi{path}");
        let both = texts.iter().flat_map(|path| [(*path).to_owned(), hindi(path)]);
        let all: Vec<String> = public.iter().map(|it| (*it).to_owned()).chain(both).collect();
        assert_eq!(listed, all);
        let changed = sitemap.text().matches("<lastmod>2026-").count();
        assert_eq!(changed, 2 * texts.len(), "{}", sitemap.text());
        for path in listed {
            let page = anon.page(path).await.expect(200);
            let html = page.text();
            assert!(!html.contains("noindex"), "{path}");
            let preview = format!("og:image\" content=\"{}/preview.png\"", app.url);
            let organisation = "\"@type\":\"Organization\"";
            for part in ["og:title", "og:description", &preview, organisation] {
                assert!(html.contains(part), "{path} lacks {part}");
            }
        }
        for path in ["/dashboard", "/courier", "/track/DK1719216000123", "/offline"] {
            let page = asha.page(path).await;
            assert!(page.text().contains("noindex"), "{path}");
            assert!(!page.text().contains("og:title"), "{path}");
        }
    });
}

#[test]
fn a_document_is_named_after_what_it_shows() {
    block_on(async {
        let (app, anon, asha) = TestApp::with_money(5_000).await;
        let booked = book(&asha, &json!({})).await;
        let page = asha.page(&format!("/bookings/{}", booked.id)).await.expect(200);
        let title = |name: &str| format!("<title>{name} · Dakiya</title>");
        assert!(page.text().contains(&title(&format!("Booking {}", booked.awb))));
        assert!(!page.text().contains("og:title"), "nobody else may see it");

        let page = anon.page(&format!("/track/{}", booked.awb)).await.expect(200);
        let (head, _) = page.text().split_once("</head>").expect("a head");
        let name = format!("Tracking {}", booked.awb);
        assert!(head.contains(&title(&name)), "{head}");
        for (property, content) in [("title", &*name), ("description", "Status: booked")] {
            let tag = format!("<meta property=\"og:{property}\" content=\"{content}");
            assert!(head.contains(&tag), "{head}");
        }
        for private in ["Bengaluru", "Delhi", "Kumar", "Asha", "₹"] {
            assert!(!head.contains(private), "{private} in {head}");
        }

        let created = json!({"amount": 700});
        let created = asha.post("/api/v1/payment/phonepe/create/", created).await.expect(200);
        let created = created.json();
        app.at_gateway(&created, &[("do", "decline"), ("code", "ZM")]).await;
        let id = created["payment_data"]["merchant_order_id"].as_str().expect("an id");
        for screen in ["callback", "success"] {
            let path = format!("/recharge/{screen}?merchantTransactionId={id}");
            let page = asha.page(&path).await.expect(200);
            assert!(page.text().contains(&title("Payment failed")), "{path}");
            assert!(page.text().contains("/recharge?amount=700"), "to try again");
        }
    });
}

#[test]
fn a_text_has_an_address_in_each_language_and_both_name_each_other() {
    block_on(async {
        let (app, anon, asha) = TestApp::with_user().await;
        for path in [&POLICIES[..], &["/help"]].concat() {
            let english = format!("{}{path}", app.url);
            let hindi = format!("{}/hi{path}", app.url);
            let alternate = |language: &str, address: &str| {
                format!("<link rel=\"alternate\" hreflang=\"{language}\" href=\"{address}\">")
            };
            for (actor, address, tag, own) in [
                (&anon, path.to_owned(), "en", &english),
                (&anon, format!("/hi{path}"), "hi", &hindi),
                (&asha, format!("/hi{path}"), "hi", &hindi),
            ] {
                let page = actor.page(&address).await.expect(200);
                let html = page.text();
                assert!(html.contains(&format!("<html lang=\"{tag}")), "{address}: {html}");
                let canonical = format!("<link rel=\"canonical\" href=\"{own}\">");
                assert!(html.contains(&canonical), "{address}");
                for (language, there) in [("en", &english), ("hi", &hindi), ("x-default", &english)]
                {
                    assert!(html.contains(&alternate(language, there)), "{address} {language}");
                }
            }
        }
        anon.get("/hi/dashboard").await.expect(404);
        anon.get("/hi/login").await.expect(404);
        assert!(!anon.page("/login").await.text().contains("hreflang"));
    });
}

#[test]
fn the_files_of_an_installed_app_are_served() {
    block_on(async {
        let app = TestApp::start().await;
        let anon = app.anon();
        for (path, kind) in [
            ("/manifest.webmanifest", "application/manifest+json"),
            ("/icon-192.png", "image/png"),
            ("/icon-512.png", "image/png"),
            ("/preview.png", "image/png"),
            ("/favicon.svg", "image/svg+xml"),
            ("/sw.js", "text/javascript"),
        ] {
            let file = anon.get(path).await.expect(200);
            assert!(file.header("content-type").starts_with(kind), "{path}");
        }
        let worker = anon.get("/sw.js").await.expect(200);
        assert_eq!(worker.header("cache-control"), "no-cache");
        // The file changes with the browser's files, so that browsers fetch the offline page again.
        assert!(worker.text().starts_with("// /assets/start-"));
    });
}

#[test]
fn a_visit_begins_with_a_page_that_brings_its_style_and_goes_on_with_pages_that_name_it() {
    block_on(async {
        let (_app, anon, asha) = TestApp::with_user().await;
        for (actor, path) in [
            (&anon, "/login"),
            (&anon, "/terms-and-conditions"),
            (&asha, "/dashboard"),
            (&asha, "/no/such/page"),
        ] {
            for site in ["none", "cross-site"] {
                let first = opened(actor, path, site).await;
                let html = first.text();
                let (_, rest) = html.split_once("<style data-href=\"").expect(path);
                let (sheet, rest) = rest.split_once("\">").unwrap();
                let (style, _) = rest.split_once("</style>").unwrap();
                assert!(!html.contains("rel=\"stylesheet\""), "{path}");
                // The style is equal to the sheet, and the policy allows it only.
                assert_eq!(anon.get(sheet).await.expect(200).text(), style, "{path}");
                let hash = STANDARD.encode(sha256(&[style.as_bytes()]));
                let policy = first.header("content-security-policy");
                let allowed = format!("style-src 'self' 'sha256-{hash}';");
                assert!(policy.contains(&allowed), "{path}: {policy}");
            }
            let next = opened(actor, path, "same-origin").await;
            assert!(next.text().contains("<link rel=\"stylesheet\""), "{path}");
            assert!(!next.text().contains("<style"), "{path}");
        }
        // A client that is no browser gets links to the sheets.
        let page = anon.get("/login").await.expect(200);
        assert!(!page.text().contains("<style"));
    });
}

/// Opens a page as a browser does that comes from `site`.
async fn opened(actor: &Actor, path: &str, site: &str) -> Answer {
    let cookie = actor.cookie();
    let headers = [
        ("sec-fetch-dest", "document"),
        ("sec-fetch-site", site),
        ("accept-encoding", "identity"),
        ("cookie", cookie.as_str()),
    ];
    let actor = actor.without_token();
    actor.send(Method::GET, path, &headers, None).await
}

#[test]
fn the_page_of_parts_is_not_in_the_product() {
    block_on(async {
        let (_app, anon, asha) = TestApp::with_user().await;
        for actor in [&anon, &asha] {
            actor.get("/__parts").await.expect(404);
        }
        let scripts = ASSETS.iter().filter(|asset| asset.path.ends_with(".js"));
        for script in scripts {
            let text = String::from_utf8_lossy(script.identity);
            assert!(!text.contains("__parts"), "{}", script.path);
        }
    });
}
