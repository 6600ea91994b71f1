//! A database of each release, `server/tests/fixtures/databases/VERSION.sqlite`, upgraded by this
//! program.

use std::fs;
use std::path::{Path, PathBuf};

use dakiya_core::store::Backend;
use serde_json::json;
use tempfile::TempDir;

use crate::app::{TestApp, block_on};
use crate::bookings::book_to;

/// The customer's recharge (rupees).
const PAID: i64 = 5_000;

fn databases() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/server/tests/fixtures/databases"))
}

/// Makes the folder of documents of all these databases, without documents: its key and its mark.
fn files(folder: &Path) -> String {
    let files = folder.join("files");
    fs::create_dir(&files).expect("a folder");
    let key = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
    fs::write(files.join("key"), key).expect("a key");
    fs::write(files.join("mark"), "of the fixtures").expect("a mark");
    files.display().to_string()
}

/// Asserts that the customer of the database can log in and finds the money and the booking.
async fn serves_its_customer(app: &TestApp) {
    let mut conn = app.app.core.store.read().await.expect("a connection");
    let kept = "select u.username, b.awb from users u join bookings b on b.user_id = u.user_id";
    let kept = sqlx::query_as(kept).fetch_one(&mut *conn).await;
    let (username, awb): (String, String) = kept.expect("a booking");
    drop(conn);
    let mut asha = app.anon();
    asha.username = username;
    asha.log_in().await;
    let history = asha.get("/api/v1/shipping/history/").await.expect(200);
    let booking = history.json()["results"][0].clone();
    assert_eq!(booking["awb_number"], awb.as_str());
    let spent = booking["amount"].as_f64().expect("an amount");
    let left = app.balance(&asha).await.get() as f64 / 100.0;
    assert!(spent > 0.0 && (left + spent - PAID as f64).abs() < 0.001);
    app.audit().await;
    // It goes on: another booking, and its cancellation.
    let another = book_to(&asha, "Meera").await;
    let cancel = format!("/api/v1/shipping/booking/{}/cancel/", another.id);
    asha.post(&cancel, json!({})).await.expect(200);
    app.audit().await;
}

#[test]
fn a_database_of_each_release_is_upgraded_and_serves_its_customer() {
    block_on(async {
        let all = fs::read_dir(databases()).expect("the databases");
        for entry in all {
            let folder = TempDir::new().expect("a folder");
            let file = folder.path().join("dakiya.sqlite");
            fs::copy(entry.expect("a file").path(), &file).expect("a copy");
            let url = format!("sqlite://{}", file.display());
            let files = files(folder.path());
            let variables = [("DATABASE_URL", &*url), ("DAKIYA_FILES", &*files)];
            let app = TestApp::start_with(&variables).await;
            serves_its_customer(&app).await;
        }
    });
}

/// Writes the database of this version, once for a release: `cargo test --all-features --test it --
/// --ignored the_database_of_this_version`.
#[test]
#[ignore = "run by hand for a release"]
fn the_database_of_this_version_is_written() {
    block_on(async {
        let folder = TempDir::new().expect("a folder");
        let app = TestApp::start_with(&[("DAKIYA_FILES", &files(folder.path()))]).await;
        let asha = app.user("asha").await;
        app.recharge(&asha, PAID).await;
        assert_eq!(app.app.core.store.backend(), Backend::Sqlite);
        book_to(&asha, "Ravi").await;
        app.tamper("delete from kept_assets").await.expect("no files of the browser's");
        let name = concat!(env!("CARGO_PKG_VERSION"), ".sqlite");
        let file = databases().join(name);
        fs::create_dir_all(databases()).expect("a folder");
        // Small pages, as most tables have a row or none.
        let write = format!("pragma page_size = 1024; vacuum into '{}'", file.display());
        app.tamper(&write).await.expect("written");
        let size = fs::metadata(&file).expect("a file").len();
        assert!(size < 400_000, "{size} bytes");
    });
}
