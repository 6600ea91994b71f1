//! Backups of documents in a bucket, and their way back into a folder or another bucket.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::json;
use tempfile::TempDir;

use super::{Place, at, sealed};
use crate::app::{Actor, TestApp, block_on};
use crate::kyc;
use crate::kyc::s3::{BUCKET, Fault, S3};
use crate::payments::shop::borrowed;

/// A server with the two documents of a customer in a bucket.
struct Stored {
    s3: S3,
    app: TestApp,
    asha: Actor,
    papers: [String; 2],
    folder: TempDir,
}

impl Stored {
    async fn start() -> Stored {
        let s3 = S3::start().await;
        let app = TestApp::start_with(&borrowed(&s3.settings("kyc"))).await;
        let asha = app.user("asha").await;
        let papers = kyc::uploaded(&asha).await;
        Stored { s3, app, asha, papers, folder: TempDir::new().expect("a folder") }
    }

    fn place(&self) -> Place {
        Place::of(&self.app).with(&self.s3.settings("kyc"))
    }

    fn backup(&self) -> PathBuf {
        self.folder.path().join("backup")
    }

    /// An empty place whose documents come here.
    async fn empty(&self, name: &str, files: &str) -> Place {
        let files = [("DAKIYA_FILES", files.to_owned())];
        let place = Place::empty(self.folder.path(), name).await;
        place.with(&self.s3.settings("kyc")).with(&files)
    }
}

fn bucket(prefix: &str) -> String {
    format!("s3://{BUCKET}/{prefix}")
}

fn read(folder: &Path, name: &str) -> Vec<u8> {
    fs::read(folder.join(name)).expect("a file")
}

#[test]
fn documents_of_a_bucket_come_back_in_a_folder_and_in_another_bucket_with_their_mark() {
    block_on(async {
        let stored = Stored::start().await;
        let (s3, backup) = (&stored.s3, stored.backup());
        // The rows name the files.
        s3.set(Fault::ListBehind);
        let made = stored.place().back_up(&backup).await;
        s3.set(Fault::None);
        assert_eq!((&made["files"], sealed(&backup).len()), (&json!(3), 2));
        for name in s3.documents() {
            assert_eq!(read(&backup, &name), s3.content(&name), "{name}");
        }
        // Objects further below are of others.
        s3.store("restored/reports/2026-11-21.csv", "");
        let files = stored.folder.path().join("files");
        for (name, files) in
            [("in-a-folder", files.display().to_string()), ("in-a-bucket", bucket("restored"))]
        {
            let other = stored.empty(name, &files).await;
            let restored = other.restore(&backup, "").await.json();
            assert_eq!((&restored["missing"], &restored["faults"]), (&json!([]), &json!([])));
            other.resume().await;
            let (program, running) = other.serve().await;
            let asha = at(&stored.asha, &program.url);
            for paper in &stored.papers {
                let paper = asha.get(paper).await.expect(200).body;
                assert!(paper.starts_with(b"\xff\xd8\xff"), "{name}");
            }
            kyc::uploaded(&asha).await;
            assert!(running.stop());
        }
        assert_eq!(read(&files, "mark"), s3.content("kyc/mark"));
        assert_eq!(s3.content("restored/mark"), s3.content("kyc/mark"));
        assert_eq!(s3.documents().len(), 2 + 2 + 2);
    });
}

#[test]
fn a_bucket_with_documents_or_of_another_database_is_named_and_stays_as_it_is() {
    block_on(async {
        let stored = Stored::start().await;
        let (s3, backup) = (&stored.s3, stored.backup());
        stored.place().back_up(&backup).await;
        s3.store("other/mark", "another");
        s3.store("full/left.bin", "sealed");
        let before = s3.documents();
        let other = stored.empty("other", "").await;
        for (prefix, words) in [
            ("other", "s3://dakiya-test/other is the place of another database's documents"),
            ("kyc", "s3://dakiya-test/kyc has files already"),
            ("full", "s3://dakiya-test/full has files already"),
        ] {
            let files = [("DAKIYA_FILES", bucket(prefix))];
            for more in ["", " --incomplete"] {
                other.clone().with(&files).restore(&backup, more).await.refused(words);
            }
        }
        let files = [("DAKIYA_FILES", bucket("new"))];
        s3.set(Fault::Down);
        assert_eq!(other.clone().with(&files).restore(&backup, "").await.code, 1);
        other.is_empty().await;
        s3.set(Fault::None);
        assert_eq!(s3.documents(), before);
        assert_eq!(s3.content("other/mark"), "another");
        other.with(&files).restore(&backup, "").await.json();
    });
}

#[test]
fn a_document_that_a_bucket_does_not_have_is_named_and_a_bucket_that_fails_gives_no_backup() {
    block_on(async {
        let stored = Stored::start().await;
        let (s3, backup) = (&stored.s3, stored.backup());
        let line = |name: &str| {
            let to = stored.folder.path().join(name);
            format!("backup --to {} --as ravi", to.display())
        };
        for (fault, name) in [(Fault::Down, "down"), (Fault::NoBucket, "no-bucket")] {
            s3.set(fault);
            let ran = stored.place().run(&line(name)).await;
            assert_eq!(ran.code, 1, "{ran:?}");
            assert!(!stored.folder.path().join(name).join("manifest.json").exists());
        }
        // Two failures are tried again.
        s3.set(Fault::Failing(2));
        stored.place().back_up(&backup).await;
        s3.set(Fault::None);
        assert_eq!(sealed(&backup).len(), 2);

        let gone = s3.documents().remove(0);
        s3.remove(&gone);
        let name = gone.trim_start_matches("kyc/").trim_end_matches(".bin");
        let ran = stored.place().run(&line("less")).await;
        let words = format!("These documents have no file: {name}");
        assert!(ran.code == 1 && ran.err.contains(&words), "{ran:?}");
        let less = stored.folder.path().join("less");
        let other = stored.empty("other", &bucket("less")).await;
        let refused = other.restore(&less, "").await;
        refused.refused(&format!("The document {name} had no file before."));
        let restored = other.restore(&less, " --incomplete").await.json();
        assert_eq!(restored["missing"].as_array().map(Vec::len), Some(1), "{restored}");
    });
}
