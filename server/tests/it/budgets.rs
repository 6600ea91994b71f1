//! What a phone on a slow network has to load before a page stands and before it works: bytes
//! on the wire with brotli (specification of the fifth issue; design.md, "The phone is the judge").

use std::collections::BTreeSet;

use reqwest::Method;

use crate::app::{Actor, TestApp, block_on};

/// Most bytes of a page's HTML, of its style sheets and of all scripts that start it.
struct Budget {
    path: &'static str,
    html: usize,
    css: usize,
    js: usize,
}

const KB: usize = 1_000;

const BUDGETS: &[Budget] = &[
    Budget {
        path: "/terms-and-conditions",
        html: 8 * KB,
        css: 10 * KB,
        js: 0,
    },
    Budget {
        path: "/privacy-policy",
        html: 8 * KB,
        css: 10 * KB,
        js: 0,
    },
    Budget {
        path: "/refund-cancellation-policy",
        html: 8 * KB,
        css: 10 * KB,
        js: 0,
    },
    Budget {
        path: "/shipping-policy",
        html: 8 * KB,
        css: 10 * KB,
        js: 0,
    },
    Budget {
        path: "/login",
        html: 6 * KB,
        css: 10 * KB,
        js: 90 * KB,
    },
    Budget {
        path: "/register",
        html: 6 * KB,
        css: 10 * KB,
        js: 90 * KB,
    },
    Budget {
        path: "/track",
        html: 6 * KB,
        css: 10 * KB,
        js: 90 * KB,
    },
    Budget {
        path: "/dashboard",
        html: 14 * KB,
        css: 10 * KB,
        js: 90 * KB,
    },
    Budget {
        path: "/calculate",
        html: 14 * KB,
        css: 10 * KB,
        js: 100 * KB,
    },
    Budget {
        path: "/courier",
        html: 14 * KB,
        css: 10 * KB,
        js: 120 * KB,
    },
    Budget {
        path: "/recharge",
        html: 14 * KB,
        css: 10 * KB,
        js: 90 * KB,
    },
];

#[test]
fn every_page_keeps_its_budget_of_bytes() {
    block_on(async {
        let (app, anon, asha) = TestApp::with_user().await;
        let mut over = Vec::new();
        println!(
            "{:<32}{:>8}{:>8}{:>8}",
            "bytes, brotli", "html", "css", "js"
        );
        for budget in BUDGETS {
            let page = match budget.path {
                "/login" | "/register" => measure(&anon, budget.path).await,
                path => measure(&asha, path).await,
            };
            println!(
                "{:<32}{:>8}{:>8}{:>8}",
                budget.path, page.html, page.css, page.js
            );
            for (what, is, may) in [
                ("html", page.html, budget.html),
                ("css", page.css, budget.css),
                ("js", page.js, budget.js),
            ] {
                if is > may {
                    over.push(format!(
                        "{}: {is} bytes of {what}, budget {may}",
                        budget.path
                    ));
                }
            }
        }
        assert_eq!(over, Vec::<String>::new());
        drop(app);
    });
}

async fn measure(actor: &Actor, path: &str) -> Budget {
    let html = actor.page(path).await.expect(200);
    let mut links: BTreeSet<&str> = BTreeSet::new();
    for piece in html
        .text()
        .split('"')
        .filter(|piece| piece.starts_with("/assets/"))
    {
        links.insert(piece);
    }
    let (mut css, mut js) = (0, 0);
    for link in links {
        let bytes = wire(actor, link).await;
        match link.ends_with(".css") {
            true => css += bytes,
            false => js += bytes,
        }
    }
    Budget {
        path: "",
        html: wire(actor, path).await,
        css,
        js,
    }
}

/// Bytes of the body on the wire.
async fn wire(actor: &Actor, path: &str) -> usize {
    let cookie = actor.cookie();
    let headers = [("accept-encoding", "br"), ("cookie", cookie.as_str())];
    let answer = actor
        .without_token()
        .send(Method::GET, path, &headers, None)
        .await
        .expect(200);
    assert_eq!(answer.header("content-encoding"), "br", "{path}");
    answer.body.len()
}
