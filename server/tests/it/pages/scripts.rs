//! Pages without use for scripts have none.

use super::POLICIES;
use crate::app::{Answer, TestApp, block_on};
use crate::patience::forever;

/// True if a document has a script or loads one.
fn has_script(page: &Answer) -> bool {
    // Structured data for search engines is no script.
    let html = page.text().replace("<script type=\"application/ld+json\">", "");
    let has = html.contains("<script") || html.contains("modulepreload");
    let policy = page.header("content-security-policy");
    assert_eq!(policy.contains("script-src 'none'"), !has, "{policy}");
    assert_eq!(policy.contains("script-src 'self'"), has, "{policy}");
    has
}

#[test]
fn a_page_that_gains_nothing_by_scripts_has_none_for_anybody() {
    block_on(async {
        let (_app, anon, asha) = TestApp::with_user().await;
        let mut pages = POLICIES.map(|path| (path, 200)).to_vec();
        pages.extend([
            ("/help", 200),
            ("/letters-off", 200),
            ("/letters-off?of=shipments&account=1&seal=none", 404),
            ("/letters-off?done=shipments", 200),
            ("/undo-email", 200),
            ("/undo-email?token=none", 404),
            ("/reset-password", 200),
            ("/reset-password?token=none", 404),
        ]);
        for (path, status) in pages {
            for actor in [&anon, &asha] {
                let page = actor.page(path).await.expect(status);
                assert!(page.text().contains("<h1"), "{path}: {}", page.text());
                assert!(!has_script(&page), "{path}: {}", page.text());
            }
        }
    });
}

#[test]
fn tracking_and_what_does_not_exist_have_scripts_for_members_alone() {
    block_on(async {
        let (_app, anon, asha) = TestApp::with_user().await;
        for (path, status) in
            [("/track", 200), ("/track?call=late", 200), ("/track/DK0000", 404), ("/nowhere", 404)]
        {
            let page = anon.page(path).await.expect(status);
            assert!(!has_script(&page), "{path}: {}", page.text());
            let page = asha.page(path).await.expect(status);
            assert!(has_script(&page), "{path}: {}", page.text());
        }
        // A session that has ended counts as a guest's.
        asha.form("/logout", &[]).await.expect(303);
        assert!(!has_script(&asha.page("/track").await.expect(200)));
    });
}

#[test]
fn a_page_without_scripts_that_cannot_be_drawn_is_drawn_by_the_browser() {
    block_on(async {
        let app = TestApp::start_drawing_alone().await;
        app.app.web.renderer.stop(forever()).await;
        for (path, status) in [("/help", 200), ("/track", 200), ("/nowhere", 404)] {
            let page = app.anon().page(path).await.expect(status);
            assert!(has_script(&page), "{path}");
            assert!(page.text().contains("id=\"page\">"), "{path}");
        }
    });
}
