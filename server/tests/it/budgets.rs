//! Bytes that a phone on a slow network loads before a page is shown and before it works, on the
//! wire with brotli.

use std::collections::BTreeSet;
use std::io::Read;

use reqwest::Method;

use crate::app::{Actor, TestApp, block_on};

/// Most bytes of a page's HTML, of its style sheets and of all scripts that start it.
struct Budget {
    path: &'static str,
    html: usize,
    css: usize,
    js: usize,
}

/// Bytes that a page loads.
struct Loaded {
    html: usize,
    css: usize,
    js: usize,
    /// Of `js`, the file of React and its router: one for all pages, kept across releases.
    react: usize,
    /// The HTML for a browser with an empty cache.
    first: usize,
}

const KB: usize = 1_000;

const BUDGETS: &[Budget] = &[
    Budget { path: "/terms-and-conditions", html: 8 * KB, css: 10 * KB, js: 0 },
    Budget { path: "/privacy-policy", html: 8 * KB, css: 10 * KB, js: 0 },
    Budget { path: "/refund-cancellation-policy", html: 8 * KB, css: 10 * KB, js: 0 },
    Budget { path: "/shipping-policy", html: 8 * KB, css: 10 * KB, js: 0 },
    Budget { path: "/help", html: 8 * KB, css: 10 * KB, js: 0 },
    Budget { path: "/login", html: 6 * KB, css: 10 * KB, js: 96 * KB },
    Budget { path: "/register", html: 6 * KB, css: 10 * KB, js: 96 * KB },
    Budget { path: "/forgot-password", html: 6 * KB, css: 10 * KB, js: 96 * KB },
    Budget { path: "/account", html: 14 * KB, css: 10 * KB, js: 100 * KB },
    Budget { path: "/track", html: 6 * KB, css: 10 * KB, js: 95 * KB },
    Budget { path: "/dashboard", html: 14 * KB, css: 10 * KB, js: 100 * KB },
    Budget { path: "/calculate", html: 14 * KB, css: 10 * KB, js: 110 * KB },
    Budget { path: "/courier", html: 14 * KB, css: 10 * KB, js: 122 * KB },
    Budget { path: "/addresses", html: 14 * KB, css: 10 * KB, js: 95 * KB },
    Budget { path: "/bookings", html: 14 * KB, css: 10 * KB, js: 100 * KB },
    Budget { path: "/recharge", html: 14 * KB, css: 10 * KB, js: 95 * KB },
    Budget { path: "/wallet/weight-differences", html: 14 * KB, css: 10 * KB, js: 95 * KB },
];

/// A page's scripts but for React and its router.
const OURS: usize = 40 * KB;

/// All bytes of a policy page, or of the login page until it can be read and filled in.
const READABLE_WITHOUT_SCRIPT: usize = 14 * KB;
const READABLE_LOGIN: usize = 20 * KB;

#[test]
fn every_page_keeps_its_budget_of_bytes() {
    block_on(async {
        let (app, anon, asha) = TestApp::with_user().await;
        let mut over = Vec::new();
        println!("{:<32}{:>8}{:>8}{:>8}", "bytes, brotli", "html", "css", "js");
        for budget in BUDGETS {
            let page = match budget.path {
                "/login" | "/register" | "/forgot-password" => {
                    measure(&anon, budget.path, "en").await
                }
                path => measure(&asha, path, "en").await,
            };
            println!("{:<32}{:>8}{:>8}{:>8}", budget.path, page.html, page.css, page.js);
            let readable = match (budget.js, budget.path) {
                (0, _) => READABLE_WITHOUT_SCRIPT,
                (_, "/login") => READABLE_LOGIN,
                _ => budget.html + budget.css,
            };
            for (what, is, may) in [
                ("html", page.html, budget.html),
                ("css", page.css, budget.css),
                ("html and css", page.html + page.css, readable),
                // A first visit gets the style within the page.
                ("a first page", page.first, readable),
                ("js", page.js, budget.js),
                ("js of ours", page.js - page.react, OURS),
            ] {
                if is > may {
                    over.push(format!("{}: {is} bytes of {what}, budget {may}", budget.path));
                }
            }
        }
        assert_eq!(over, Vec::<String>::new());
        drop(app);
    });
}

#[test]
fn hindi_costs_its_words_and_nothing_else() {
    block_on(async {
        let (app, anon, asha) = TestApp::with_user().await;
        for (actor, path, words) in [
            (&anon, "/login", 6 * KB),
            (&asha, "/dashboard", 6 * KB),
            (&asha, "/courier", 15 * KB + 500),
        ] {
            let english = measure(actor, path, "en").await;
            let hindi = measure(actor, path, "hi").await;
            println!(
                "{path} in Hindi: {} of html, {} more of js",
                hindi.html,
                hindi.js - english.js
            );
            assert!(hindi.js > english.js + KB, "{path}: the words are not fetched early");
            assert!(hindi.js <= english.js + words, "{path}: {} of js", hindi.js);
            let budget = BUDGETS.iter().find(|budget| budget.path == path);
            let may = budget.map_or(0, |budget| budget.js);
            assert!(hindi.js <= may, "{path}: {} of js, budget {may}", hindi.js);
            assert!(hindi.html <= english.html + 2 * KB, "{path}: {} of html", hindi.html);
            assert_eq!(hindi.css, english.css, "{path}");
        }
        drop(app);
    });
}

async fn measure(actor: &Actor, path: &str, language: &str) -> Loaded {
    let html = wired(actor, path, language, "empty").await;
    let first = wired(actor, path, language, "document").await.len();
    let mut text = String::new();
    brotli::Decompressor::new(html.as_slice(), 4_096).read_to_string(&mut text).expect("brotli");
    let mut links: BTreeSet<&str> = BTreeSet::new();
    for piece in text.split('"').filter(|piece| piece.starts_with("/assets/")) {
        links.insert(piece);
    }
    let (mut css, mut js, mut react) = (0, 0, 0);
    for link in links {
        let bytes = wired(actor, link, language, "empty").await.len();
        match link.ends_with(".css") {
            true => css += bytes,
            false => js += bytes,
        }
        if link.starts_with("/assets/react-") {
            react += bytes;
        }
    }
    Loaded { html: html.len(), css, js, react, first }
}

/// The body as it is on the wire.
async fn wired(actor: &Actor, path: &str, language: &str, fetched_as: &str) -> Vec<u8> {
    let cookie = format!("{}; dakiya_language={language}", actor.cookie());
    let headers =
        [("accept-encoding", "br"), ("cookie", cookie.as_str()), ("sec-fetch-dest", fetched_as)];
    let answer = actor.without_token().send(Method::GET, path, &headers, None).await.expect(200);
    assert_eq!(answer.header("content-encoding"), "br", "{path}");
    answer.body.clone()
}
