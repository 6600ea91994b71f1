//! Private pages are rendered only once where that is enough.

use futures_util::future::join_all;
use reqwest::Method;

use crate::app::{Actor, TestApp, block_on};
use crate::passwords::address;
use crate::patience::{forever, until};

/// Returns when the letter to a newcomer was sent.
async fn letter_is_drawn(app: &TestApp, newcomer: &Actor) {
    let to = address(newcomer);
    let inbox = &app.app.sandbox.as_ref().expect("a sandbox").inbox;
    until("the letter is sent", async || inbox.read().iter().any(|it| it.to == to)).await;
}

#[test]
fn a_page_is_drawn_once_for_the_same_data_and_anew_for_any_other() {
    block_on(async {
        let app = TestApp::start_drawing_alone().await;
        let asha = app.user("asha").await;
        letter_is_drawn(&app, &asha).await;
        let rendered = || app.app.web.renderer.stats().renders;
        let first = asha.page("/dashboard").await.expect(200);
        let drawn = rendered();
        let again = asha.page("/dashboard").await.expect(200);
        assert_eq!(again.body, first.body);
        assert_eq!(again.header("content-length"), first.body.len().to_string());
        assert_eq!(rendered(), drawn, "it was kept");
        app.recharge(&asha, 250).await;
        let richer = asha.page("/dashboard").await.expect(200);
        assert!(richer.text().contains("₹250.00"), "{}", richer.text());
        // The registration letter is rendered too.
        assert_eq!(rendered(), drawn + 1, "what changed is new");
        let ravi = app.user("ravi").await;
        letter_is_drawn(&app, &ravi).await;
        let drawn = rendered() - 1;
        let other = ravi.page("/dashboard").await.expect(200);
        assert!(other.text().contains(&ravi.username));
        assert!(!other.text().contains(&asha.username));
        assert_eq!(rendered(), drawn + 2, "all others are new");
        let headers = [("accept-encoding", "gzip")];
        let packed = asha.send(Method::GET, "/dashboard", &headers, None).await;
        assert_eq!(packed.header("content-encoding"), "gzip");
        assert!(packed.body.len() < first.body.len() / 2, "it is packed");
        assert_eq!(packed.header("cache-control"), "no-store");
    });
}

#[test]
fn a_page_that_many_ask_for_at_once_is_drawn_for_one_of_them() {
    block_on(async {
        let app = TestApp::start_drawing_alone().await;
        let asha = app.user("asha").await;
        letter_is_drawn(&app, &asha).await;
        let rendered = || app.app.web.renderer.stats().renders;
        let before = rendered();
        let pages = join_all((0..8).map(|_| asha.page("/dashboard"))).await;
        for page in &pages {
            assert_eq!(page.body, pages[0].body);
            assert!(page.text().contains(&asha.username));
        }
        assert_eq!(rendered(), before + 1);
    });
}

#[test]
fn a_page_that_cannot_be_drawn_leaves_that_to_the_browser() {
    block_on(async {
        let app = TestApp::start_drawing_alone().await;
        let asha = app.user("asha").await;
        app.app.web.renderer.stop(forever()).await;
        let page = asha.page("/dashboard").await.expect(200);
        let html = page.text();
        assert!(html.contains("<div id=\"root\"></div><noscript>"), "{html}");
        assert!(html.contains("Please load it again."), "{html}");
        let json = html.split("id=\"page\">").nth(1).expect("the page's data");
        let json = json.split("</script>").next().expect("its end");
        let data: serde_json::Value = serde_json::from_str(json).expect("JSON");
        assert_eq!(data["screen"], "dashboard");
        assert_eq!(data["user"]["username"], asha.username.as_str());
        assert!(data["data"]["bookings"]["stats"].is_object(), "{data}");
        assert!(html.contains("<script type=\"module\""), "{html}");
        let failures = app.app.web.renderer.stats().failures;
        assert_eq!(failures.engine_died, 1, "{failures:?}");
    });
}
