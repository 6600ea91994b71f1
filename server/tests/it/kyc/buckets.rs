//! Documents in a bucket: found by every server, kept through faults of the bucket's server, and
//! gone once they are deleted.

use std::fs;
use std::time::{Duration, SystemTime};

use dakiya::app::App;
use dakiya::jobs;
use dakiya_core::limits::{DAY_MS, KYC_KEPT_MS};
use dakiya_core::model::settings::files_place::FilesPlace;
use dakiya_core::random::random_id;
use serde_json::json;
use tempfile::TempDir;

use super::corpus::{pdf, png};
use super::s3::{BUCKET, Fault, S3, settings};
use super::{form, upload, uploaded};
use crate::app::{Actor, TestApp, block_on};
use crate::databases::fresh_database;
use crate::operators::{dakiya_with, rows};
use crate::payments::shop::borrowed;

async fn start(settings: &[(&'static str, String)]) -> (TestApp, Actor) {
    let app = TestApp::start_with(&borrowed(settings)).await;
    let asha = app.user("asha").await;
    (app, asha)
}

/// All documents of a customer can be read at this server.
async fn all_read(asha: &Actor, paths: &[String]) {
    for path in paths {
        let paper = asha.get(path).await.expect(200).body;
        assert!(paper.starts_with(b"\xff\xd8\xff"), "{path}");
    }
}

/// Uploads at one server, reads at another, changes the key, and deletes.
async fn live(settings: &[(&'static str, String)]) {
    let (app, mut asha) = start(settings).await;
    let papers = uploaded(&asha).await;
    all_read(&asha, &papers).await;
    let (_second, url) = app.second_server().await;
    let mut elsewhere = asha.clone();
    elsewhere.url = url;
    all_read(&elsewhere, &papers).await;

    let old = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
    let new = "ICEiIyQlJicoKSorLC0uLzAxMjM0NTY3ODk6Ozw9Pj8=";
    let keys = format!("1:{old},b:{new}");
    let mut changed = borrowed(settings);
    changed.push(("DAKIYA_FILES_KEY", &keys));
    let shown = dakiya_with(&app, "keys show --json", &changed).json();
    assert_eq!((&shown[0]["documents"], &shown[1]["documents"]), (&json!(2), &json!(0)));
    let checked = dakiya_with(&app, "check", &changed);
    assert!(checked.out.contains("can be written and read"), "{checked:?}");
    assert_eq!(checked.code, 0, "{checked:?}");

    // An upload that did not end: its file has no row.
    app.tamper("delete from kyc_documents where slot = 2").await.expect("deleted");
    jobs::delete_expired(&app.app).await.expect("upkeep");
    app.app.core.clock.advance_ms(DAY_MS + 60_000);
    asha.log_in().await;
    jobs::delete_expired(&app.app).await.expect("upkeep");
    all_read(&asha, &papers[..1]).await;
    app.app.core.clock.advance_ms(KYC_KEPT_MS);
    asha.log_in().await;
    jobs::delete_expired(&app.app).await.expect("upkeep");
    asha.get(&papers[0]).await.expect(404);
}

#[test]
fn documents_in_a_bucket_are_read_at_every_server_and_gone_after_their_time() {
    block_on(async {
        let s3 = S3::start().await;
        live(&s3.settings("kyc/papers")).await;
        assert_eq!(s3.documents(), [""; 0]);
        assert!(!s3.content("kyc/papers/mark").is_empty());
    });
}

#[test]
#[ignore = "needs an S3 server: ./build.sh prove buckets"]
fn a_real_s3_server_keeps_documents() {
    let Ok(endpoint) = std::env::var("DAKIYA_S3_REAL") else {
        println!("no S3 server is named");
        return;
    };
    block_on(live(&settings(&endpoint, &random_id())));
}

#[test]
fn what_a_bucket_keeps_is_sealed() {
    block_on(async {
        let s3 = S3::start().await;
        let (_app, asha) = start(&s3.settings("kyc")).await;
        uploaded(&asha).await;
        let documents = s3.documents();
        assert_eq!(documents.len(), 2);
        for name in documents {
            let content = s3.content(&name);
            assert!(content.starts_with(b"dakiya\0"), "{name}");
            assert!(!content.windows(3).any(|bytes| bytes == b"\xff\xd8\xff"), "{name}");
        }
    });
}

#[test]
fn a_bucket_whose_server_fails_refuses_an_upload_with_a_sentence_and_loses_nothing() {
    block_on(async {
        let s3 = S3::start().await;
        let (app, asha) = start(&s3.settings("kyc")).await;
        let papers = uploaded(&asha).await;
        s3.set(Fault::Down);
        let answer = upload(&asha, form(png(4, 3), pdf())).await.expect(503);
        assert_eq!(answer.json()["code"], "storage_failed");
        assert_eq!(answer.header("retry-after"), "10");
        let unread = asha.get(&papers[0]).await.expect(503);
        assert!(unread.text().contains("We cannot read this document now."));
        let earlier = asha.get("/api/v1/booking/kyc/").await.expect(200).json();
        assert_eq!(earlier["data"].as_array().map(Vec::len), Some(1), "no row without its file");
        // Two failures are tried again.
        s3.set(Fault::Failing(2));
        all_read(&asha, &papers).await;
        s3.set(Fault::Failing(2));
        uploaded(&asha).await;
        s3.set(Fault::None);
        all_read(&asha, &papers).await;
        assert_eq!(s3.documents().len(), 4);

        // Nothing counts as removed that was not: the server is down, or the bucket is another.
        let kept = "update kyc_documents set deleted_ms = 1 where slot = 1";
        app.tamper(kept).await.expect("deleted");
        for fault in [Fault::Down, Fault::NoBucket] {
            s3.set(fault);
            jobs::delete_expired(&app.app).await.expect_err("a failure");
        }
        s3.set(Fault::None);
        assert_eq!(s3.documents().len(), 4);
        jobs::delete_expired(&app.app).await.expect("upkeep");
        assert_eq!(s3.documents().len(), 2);
    });
}

#[cfg(feature = "faults")]
#[test]
fn the_test_of_failing_servers_fails_when_rows_are_written_without_their_files() {
    let test = "kyc::buckets::\
        a_bucket_whose_server_fails_refuses_an_upload_with_a_sentence_and_loses_nothing";
    crate::faults::must_fail(test, "row-without-file");
}

#[test]
fn an_upload_is_kept_though_the_answer_to_it_was_lost() {
    block_on(async {
        let s3 = S3::start().await;
        let (_app, asha) = start(&s3.settings("kyc")).await;
        s3.set(Fault::Unanswered(1));
        let papers = uploaded(&asha).await;
        all_read(&asha, &papers).await;
        assert_eq!(s3.documents().len(), 2);
    });
}

#[test]
fn files_without_rows_are_removed_after_a_day_also_when_lists_are_behind() {
    block_on(async {
        let s3 = S3::start().await;
        let (app, mut asha) = start(&s3.settings("kyc")).await;
        let papers = uploaded(&asha).await;
        s3.store("kyc/left-by-a-crash.bin", "sealed");
        s3.store("kyc/below/not-ours.bin", "of somebody else");
        s3.store("kyc-of-others/not-ours.bin", "of somebody else");
        jobs::delete_expired(&app.app).await.expect("upkeep");
        assert_eq!(s3.documents().len(), 5, "it may be an upload that is not over");
        app.app.core.clock.advance_ms(DAY_MS + 60_000);
        s3.set(Fault::ListBehind);
        jobs::delete_expired(&app.app).await.expect("upkeep");
        assert_eq!(s3.documents().len(), 5);
        s3.set(Fault::None);
        jobs::delete_expired(&app.app).await.expect("upkeep");
        let left = s3.documents();
        assert!(left.len() == 4 && !left.iter().any(|it| it.contains("left-by")), "{left:?}");
        asha.log_in().await;
        all_read(&asha, &papers).await;
    });
}

#[test]
fn files_that_were_there_before_the_database_may_be_another_ones_and_stay() {
    block_on(async {
        let folder = TempDir::new().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        let put = |name: &str, age: Duration| {
            let file = fs::File::create(at(name)).expect("a file");
            file.set_modified(SystemTime::now() - age).expect("an age");
        };
        put("of-a-lost-database.bin", Duration::from_secs(3_600));
        let (app, _) = start(&[("DAKIYA_FILES", folder.path().display().to_string())]).await;
        put("left-by-a-crash.bin", Duration::ZERO);
        app.app.core.clock.advance_ms(DAY_MS + 60_000);
        jobs::delete_expired(&app.app).await.expect("upkeep");
        assert!(!at("left-by-a-crash.bin").exists());
        assert!(at("of-a-lost-database.bin").exists());
    });
}

#[test]
fn a_new_database_does_not_take_the_documents_of_another_one() {
    block_on(async {
        let (s3, folder) = (S3::start().await, TempDir::new().expect("a folder"));
        let in_folder = vec![("DAKIYA_FILES", folder.path().display().to_string())];
        for settings in [s3.settings("kyc"), in_folder] {
            let (app, asha) = start(&settings).await;
            let papers = uploaded(&asha).await;
            let other = TempDir::new().expect("a folder");
            let mut config = (*app.app.web.config).clone();
            config.database_url = fresh_database(other.path()).await;
            let refused = App::start(config.clone()).await.err().expect("a refusal");
            let refused = format!("{refused:#}");
            let place = format!("{} has documents of another database", config.files);
            let name = config.database_url.rsplit('/').next().expect("a name");
            assert!(refused.contains(&place) && refused.contains(name), "{refused}");
            let mut changed = borrowed(&settings);
            changed.push(("DATABASE_URL", &config.database_url));
            let checked = dakiya_with(&app, "check", &changed);
            assert!(checked.code == 1 && checked.out.contains(&place), "{checked:?}");
            // Nothing was changed there: the servers of the other database go on.
            let (_second, url) = app.second_server().await;
            let mut elsewhere = asha.clone();
            elsewhere.url = url;
            all_read(&elsewhere, &papers).await;

            // Their database is lost, so the place is given to the new one.
            match &config.files {
                FilesPlace::Folder(folder) => fs::remove_file(folder.join("mark")).expect("a mark"),
                FilesPlace::Bucket(_) => s3.remove("kyc/mark"),
            }
            App::start(config).await.expect("it starts");
        }
    });
}

#[test]
fn a_check_tells_of_a_bucket_that_refuses_and_of_another_one() {
    block_on(async {
        let s3 = S3::start().await;
        let settings = s3.settings("kyc");
        let (app, _) = start(&settings).await;
        let before = rows(&app).await;
        let check = |name: &'static str, value: &str| {
            let mut changed = borrowed(&settings);
            changed.push((name, value));
            dakiya_with(&app, "check", &changed)
        };
        let other = check("DAKIYA_FILES", &format!("s3://{BUCKET}/other"));
        assert!(other.out.contains("is not the place of this database's documents"), "{other:?}");
        let refused = check("DAKIYA_S3_ACCESS_KEY_ID", "AKIAOTHER");
        assert!(refused.out.contains("the bucket's server refuses our key"), "{refused:?}");
        assert_eq!((other.code, refused.code), (1, 1));
        let reports = check("DAKIYA_GATEWAY_REPORTS", &format!("s3://{BUCKET}/reports"));
        assert!(reports.out.contains("s3://dakiya-test/reports can be read"), "{reports:?}");
        assert_eq!(rows(&app).await, before);
    });
}
