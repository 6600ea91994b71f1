//! The browser's files of other versions, which every server serves while servers are replaced.

use dakiya::jobs;
use dakiya_core::assets::{ASSETS, Asset};
use dakiya_core::clock::Clock;
use dakiya_core::limits::ASSETS_KEPT_MS;
use dakiya_core::services::kept_assets::KeptAsset;
use reqwest::Method;

use crate::app::{Actor, TestApp, block_on};

const NAME: &str = "client-Fu7uRe00.js";

/// Keeps a file as a server of another version does at its start.
async fn keep(app: &TestApp, is_packed: bool, bytes: &[u8]) {
    let file = KeptAsset {
        name: NAME.to_owned(),
        content_type: "text/javascript; charset=utf-8".to_owned(),
        hash: "abc".to_owned(),
        is_packed,
        bytes: bytes.to_owned(),
    };
    app.app.web.kept_assets.add(vec![file]).await.expect("a file");
}

/// The files of this version with a hash in their names, if the front end is built.
fn ours() -> Vec<&'static Asset> {
    ASSETS.iter().filter(|asset| asset.path.starts_with("assets/")).collect()
}

async fn count(app: &TestApp) -> usize {
    let mut conn = app.app.core.store.read().await.expect("a connection");
    let count = sqlx::query_scalar("select count(*) from kept_assets");
    let count: i64 = count.fetch_one(&mut *conn).await.expect("a number");
    usize::try_from(count).expect("a count")
}

#[test]
fn a_file_of_another_version_is_served_by_every_server() {
    block_on(async {
        let app = TestApp::start().await;
        let (_, url) = app.second_server().await;
        let all = [app.anon(), Actor::at(&url)];
        let path = format!("/assets/{NAME}");
        for anon in &all {
            anon.get(&path).await.expect(404);
        }
        // Another server of a newer version starts.
        keep(&app, false, b"console.log(1)").await;
        for anon in &all {
            let file = anon.get(&path).await.expect(200);
            assert_eq!(file.text(), "console.log(1)");
            assert_eq!(file.header("content-type"), "text/javascript; charset=utf-8");
            assert_eq!(file.header("cache-control"), "public, max-age=31536000, immutable");
            let etag = file.header("etag").to_owned();
            let headers = [("if-none-match", etag.as_str())];
            anon.send(Method::GET, &path, &headers, None).await.expect(304);
            anon.get("/assets/client-Fu7uRe01.js").await.expect(404);
            anon.get("/assets/client.js").await.expect(404);
        }
    });
}

#[test]
fn a_compressed_file_is_unpacked_for_clients_that_do_not_take_it() {
    block_on(async {
        let app = TestApp::start().await;
        let Some(asset) = ours().into_iter().find(|asset| asset.br.is_some()) else {
            return; // the front end is not built
        };
        keep(&app, true, asset.br.expect("bytes")).await;
        let (anon, path) = (app.anon(), format!("/assets/{NAME}"));
        let packed = [("accept-encoding", "br")];
        let packed = anon.send(Method::GET, &path, &packed, None).await.expect(200);
        assert_eq!(packed.header("content-encoding"), "br");
        assert!(packed.body == asset.br.expect("bytes") || packed.body == asset.identity);
        let plain = [("accept-encoding", "identity")];
        let plain = anon.send(Method::GET, &path, &plain, None).await.expect(200);
        assert!(plain.body == asset.identity);
        assert_ne!(plain.header("etag"), packed.header("etag"));
    });
}

#[test]
fn a_file_that_none_of_our_servers_wrote_is_not_served() {
    block_on(async {
        let app = TestApp::start().await;
        keep(&app, false, b"console.log(1)").await;
        // By somebody with the database's password.
        let evil = "update kept_assets set content = 'ZXZpbCgp' where hash = 'abc'";
        app.tamper(evil).await.expect("another script");
        let path = format!("/assets/{NAME}");
        app.anon().get(&path).await.expect(404);
        keep(&app, false, b"console.log(1)").await;
        app.anon().get(&path).await.expect(200);
        let renamed = "update kept_assets set name = 'start-Fu7uRe00.js' where hash = 'abc'";
        app.tamper(renamed).await.expect("another name");
        app.anon().get("/assets/start-Fu7uRe00.js").await.expect(404);
    });
}

#[test]
fn a_server_keeps_its_files_and_those_that_nobody_serves_are_deleted() {
    block_on(async {
        let app = TestApp::start().await;
        assert_eq!(count(&app).await, ours().len());
        app.tamper("delete from kept_assets").await.expect("none");
        app.second_server().await;
        assert_eq!(count(&app).await, ours().len());
        keep(&app, false, b"old").await;
        let old = Clock::default().now_ms() - ASSETS_KEPT_MS - 1_000;
        let age = format!("update kept_assets set seen_ms = {old} where name = '{NAME}'");
        app.tamper(&age).await.expect("an old file");
        jobs::delete_expired(&app.app).await.expect("tidied");
        assert_eq!(count(&app).await, ours().len());
    });
}
