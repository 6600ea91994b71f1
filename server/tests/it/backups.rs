//! Backups of a server that works, and the way back from them.

mod buckets;
mod drill;
mod many;
mod proof_load;
#[cfg(feature = "faults")]
mod recover;

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use dakiya_core::model::task::TaskKind;
use dakiya_core::store::{self, Backend};
use serde_json::{Value, json};
use sqlx::Connection as _;
use tempfile::TempDir;
use tokio::time::sleep;

use crate::app::{Actor, TestApp, block_on};
use crate::databases::{disarm, empty_database, run_sql};
use crate::documents::{book, number};
use crate::keys::{A, B};
use crate::kyc;
use crate::operators::Ran;
use crate::patience::{patient, until};
use crate::payments::shop::borrowed;
use crate::program::{Program, Running, binary};

/// A database and a folder, for a server or to restore to.
#[derive(Clone)]
struct Place {
    url: String,
    folder: PathBuf,
    /// More settings.
    more: Vec<(&'static str, String)>,
}

impl Place {
    fn of(app: &TestApp) -> Place {
        let config = &app.app.web.config;
        Place {
            url: config.database_url.clone(),
            folder: config.data_dir.clone(),
            more: Vec::new(),
        }
    }

    /// An empty place below a folder.
    async fn empty(folder: &Path, name: &str) -> Place {
        let folder = folder.join(name);
        fs::create_dir(&folder).expect("a folder");
        Place { url: empty_database(&folder).await, folder, more: Vec::new() }
    }

    /// Puts the key of a server here, as an operator does who kept it elsewhere.
    fn bring_key(&self, from: &Place) {
        let key = |place: &Place| place.folder.join("kyc").join("key");
        fs::create_dir_all(self.folder.join("kyc")).expect("a folder");
        fs::copy(key(from), key(self)).expect("a key");
    }

    fn with(mut self, more: &[(&'static str, String)]) -> Place {
        self.more.extend_from_slice(more);
        self
    }

    fn variables(&self) -> Vec<(&'static str, String)> {
        let mut variables = vec![
            ("DATABASE_URL", self.url.clone()),
            ("DAKIYA_DATA_DIR", self.folder.display().to_string()),
            ("DAKIYA_SANDBOX_LISTEN", "127.0.0.1:0".to_owned()),
            ("DAKIYA_COURIERS", "house".to_owned()),
        ];
        variables.extend(self.more.iter().cloned());
        variables
    }

    /// Runs a command, away from the threads that serve.
    async fn run(&self, line: &str) -> Ran {
        self.run_with(line, Vec::new()).await
    }

    /// Runs a command with more variables.
    async fn run_with(&self, line: &str, more: Vec<(&'static str, String)>) -> Ran {
        let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        let mut variables = self.variables();
        variables.extend(more);
        let running = tokio::task::spawn_blocking(move || {
            let mut command = Command::new(binary());
            command.args(words).env_remove("DAKIYA_OPERATOR").envs(variables);
            command.output().expect("the program")
        });
        let output = running.await.expect("a command");
        Ran {
            code: output.status.code().unwrap_or(-1),
            out: String::from_utf8(output.stdout).expect("text"),
            err: String::from_utf8(output.stderr).expect("text"),
        }
    }

    async fn back_up(&self, to: &Path) -> Value {
        let line = format!("backup --to {} --as ravi --json", to.display());
        self.run(&line).await.json()
    }

    async fn restore(&self, from: &Path, more: &str) -> Ran {
        let line = format!("restore --from {} --as ravi --json{more}", from.display());
        self.run(&line).await
    }

    async fn resume(&self) -> Value {
        self.run("resume --invoice-gap 100 --reason restored --as ravi --json").await.json()
    }

    /// Starts a server here, and waits until it answers.
    async fn serve(&self) -> (Program, Running) {
        let program = Program::new(&self.folder, self.variables());
        let mut running = program.start();
        program.ready(&mut running).await;
        (program, running)
    }

    async fn count(&self, query: &str) -> i64 {
        let mut conn = sqlx::AnyConnection::connect(&self.url).await.expect("a database");
        let count = sqlx::query_scalar(sqlx::AssertSqlSafe(query.to_owned()));
        let count = count.fetch_one(&mut conn).await.expect("a number");
        conn.close().await.expect("closed");
        count
    }

    /// Asserts that nothing was restored here.
    async fn is_empty(&self) {
        if self.url.starts_with("sqlite:") {
            assert!(!self.folder.join("dakiya.sqlite").exists());
            return;
        }
        let tables = "select count(*) from pg_tables where schemaname = 'public'";
        assert_eq!(self.count(tables).await, 0);
    }
}

/// A customer at another server.
fn at(actor: &Actor, url: &str) -> Actor {
    let mut actor = actor.clone();
    url.clone_into(&mut actor.url);
    actor
}

/// The files of a backup's identity documents.
fn sealed(backup: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(backup.join("kyc")).expect("a folder");
    entries.map(|entry| entry.expect("an entry").path()).collect()
}

/// The path of the copy of the database.
fn database_copy(backup: &Path) -> PathBuf {
    ["dakiya.sqlite", "dakiya.dump"]
        .map(|name| backup.join(name))
        .into_iter()
        .find(|path| path.exists())
        .expect("a copy")
}

#[test]
fn a_backup_has_the_documents_sealed_and_no_key_and_the_head_of_the_books() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(500).await;
        kyc::uploaded(&asha).await;
        book(&asha, &json!({})).await;
        let (folder, place) = (TempDir::new().expect("a folder"), Place::of(&app));
        let backup = folder.path().join("backup");
        // An upload that did not end: no row names it.
        fs::write(place.folder.join("kyc/left.bin"), "sealed").expect("written");
        // A folder that others of this machine see.
        fs::create_dir(&backup).expect("a folder");
        let made = place.back_up(&backup).await;
        let rights = fs::metadata(database_copy(&backup)).expect("a copy").permissions().mode();
        assert_eq!(rights & 0o077, 0, "{rights:o}");
        let audited = place.run("audit --json").await.json();
        assert_eq!(made["head"], audited["head"]);
        assert_eq!((&made["files"], &made["keys"]), (&json!(3), &json!(["1"])));
        assert_eq!(sealed(&backup).len(), 2);
        assert!(!backup.join("kyc/key").exists());
        let list = fs::read_to_string(backup.join("manifest.json")).expect("a list");
        let list: Value = serde_json::from_str(&list).expect("JSON");
        assert_eq!((&list["rows"]["users"], &list["rows"]["bookings"]), (&json!(1), &json!(1)));
        let mark = place.folder.join("kyc").join("mark");
        let mark = fs::read_to_string(mark).expect("a mark");
        assert_eq!(list["shared"]["files"], mark.as_str());
        assert!(list["shared"]["key 1"].is_string(), "{list}");
        let elsewhere = [("DAKIYA_FILES", folder.path().join("elsewhere").display().to_string())];
        let line = format!("backup --to {}-3 --as ravi", backup.display());
        let refused = place.clone().with(&elsewhere).run(&line).await;
        refused.refused("elsewhere is not the place of this database's documents");
        let done = "select count(*) from operator_actions where command = 'backup'";
        assert_eq!(number(&app, done.to_owned()).await, 1);
        // A refused backup leaves nothing in the way of the next one.
        let again = place.run(&line).await;
        assert_eq!(again.code, 0, "{again:?}");
        let to = backup.display();
        let again = place.run(&format!("backup --to {to} --as ravi")).await;
        again.refused("is not empty: a backup needs a new folder");
        place.run(&format!("backup --to {to}-2")).await.refused("Say who you are");
    });
}

#[test]
fn a_restored_server_waits_for_an_operator_and_moves_nothing_until_then() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(1_000).await;
        let booked = book(&asha, &json!({})).await;
        let folder = TempDir::new().expect("a folder");
        let (place, backup) = (Place::of(&app), folder.path().join("backup"));
        // The server removes the task of a booking that is not there.
        let add = app.app.core.store.write(move |conn| {
            Box::pin(async move { store::tasks::add(conn, TaskKind::Tracking, "gone", 1, 1).await })
        });
        add.await.expect("a task");
        place.back_up(&backup).await;

        let other = Place::empty(folder.path(), "other").await;
        other.bring_key(&place);
        let restored = other.restore(&backup, "").await.json();
        assert_eq!((&restored["faults"], &restored["missing"]), (&json!([]), &json!([])));
        if app.app.core.store.backend() == Backend::Postgres {
            let statistics = "select count(*) from pg_stats where tablename = 'ledger_entries'";
            assert!(other.count(statistics).await > 0, "the audit was planned without them");
        }
        let waiting = "select count(*) from tasks where subject = 'gone' and attempts = 0";
        let moved = "select count(*) from ledger_transactions";
        let (program, _running) = other.serve().await;
        let before = other.count(moved).await;
        let asha = at(&asha, &program.url);
        assert_eq!(asha.get("/livez").await.expect(200).text(), "ok");
        assert_eq!(asha.get("/readyz").await.expect(503).text(), "restored");
        let page = asha.page("/dashboard").await.expect(503);
        assert!(page.text().contains("Dakiya is being restored") && page.text().contains("हम"));
        assert_eq!(page.header("retry-after"), "60");
        let path = format!("/api/v1/shipping/booking/{}/cancel/", booked.id);
        for (path, body) in [
            ("/api/v1/auth/login/", json!({"username": asha.username, "password": "x"})),
            ("/api/v1/payment/phonepe/create/", json!({"amount": 100})),
            (path.as_str(), json!({})),
        ] {
            let refused = asha.post(path, body).await.expect(503).json();
            assert_eq!(
                [&refused["code"], &refused["retry_after_s"]],
                [&json!("restoring"), &json!(60)]
            );
        }
        sleep(patient(1_000)).await;
        assert_eq!((other.count(waiting).await, other.count(moved).await), (1, before));
        let copy = other.run(&format!("backup --to {}-2 --as ravi", backup.display())).await;
        copy.refused("waits for `dakiya resume`");

        for gap in ["-1", "1000001"] {
            let line = format!("resume --invoice-gap={gap} --reason restored --as ravi");
            other.run(&line).await.refused("The gap is 0 to 1000000 numbers");
        }
        let broken_off = "insert into counters (counter, value) values ('restoring', 1)";
        run_sql(&other.url, broken_off).await.expect("as if it was not finished");
        let refused = other.run("resume --invoice-gap 0 --reason restored --as ravi").await;
        refused.refused("The restoring of this database broke off or found faults");
        assert_eq!(asha.get("/readyz").await.expect(503).text(), "restored");
        let finished = "delete from counters where counter = 'restoring'";
        run_sql(&other.url, finished).await.expect("finished");
        let resumed = other.resume().await;
        let left_out = resumed["left_out"][0].to_string();
        assert!(left_out.contains("/000002\"") && left_out.contains("/000101\""), "{left_out}");
        until("it works", async || asha.get("/readyz").await.status == 200).await;
        until("its tasks run", async || other.count(waiting).await == 0).await;
        let path = format!("/api/v1/shipping/booking/{}/", booked.awb);
        asha.get(&path).await.expect(200);
        book(&asha, &json!({})).await;
        // The numbers that a customer may have got after the backup are not given again.
        let newest = "select max(series) from invoices where kind = 'invoice'";
        assert_eq!(other.count(newest).await, 102);
        assert_eq!(other.run("audit").await.code, 0);
        let again = other.run("resume --invoice-gap 0 --reason again --as ravi").await;
        again.refused("does not wait");
        let actions = other.run("actions list --json").await.json();
        assert_eq!([&actions[0]["command"], &actions[1]["command"]], ["resume", "restore"]);
        disarm(&other.url, "document_gaps").await;
        run_sql(&other.url, "delete from document_gaps").await.expect("deleted");
        let audited = other.run("audit").await;
        assert!(audited.code == 1 && audited.err.contains("series invoice:"), "{audited:?}");
        assert!(audited.err.contains("has a gap"), "{audited:?}");
    });
}

#[cfg(feature = "faults")]
#[test]
fn a_restored_server_that_works_at_once_is_noticed() {
    let test = "backups::a_restored_server_waits_for_an_operator_and_moves_nothing_until_then";
    crate::faults::must_fail(test, "restored-works-at-once");
}

#[test]
fn whatever_is_missing_or_changed_in_a_backup_is_named_and_nothing_is_restored() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(500).await;
        let [paper, _] = kyc::uploaded(&asha).await;
        let folder = TempDir::new().expect("a folder");
        let (place, backup) = (Place::of(&app), folder.path().join("backup"));
        place.back_up(&backup).await;
        let other = Place::empty(folder.path(), "other").await;

        let refused = other.restore(&backup, "").await;
        refused.refused("servers of this database have other keys");
        assert!(refused.err.contains("Nothing was restored"), "{refused:?}");
        // Another key of the same name.
        let key = [("DAKIYA_FILES_KEY", A.to_owned())];
        for more in ["", " --incomplete"] {
            let refused = other.clone().with(&key).restore(&backup, more).await;
            refused.refused("the key `1` is not the one");
        }
        other.is_empty().await;
        other.bring_key(&place);
        let mark = other.folder.join("kyc").join("mark");
        fs::write(&mark, "another").expect("written");
        let refused = other.restore(&backup, "").await;
        refused.refused("kyc is the place of another database's documents");
        fs::remove_file(&mark).expect("removed");
        place.restore(&backup, "").await.refused("The database has content already");

        let copy = database_copy(&backup);
        let whole = fs::read(&copy).expect("a copy");
        let mut changed = whole.clone();
        changed[whole.len() / 2] ^= 1;
        fs::write(&copy, changed).expect("written");
        let words = "was changed since the backup was made";
        other.restore(&backup, "").await.refused(words);
        other.restore(&backup, " --incomplete").await.refused(words);
        fs::write(&copy, whole).expect("written");

        let list = backup.join("manifest.json");
        let text = fs::read_to_string(&list).expect("a list");
        fs::remove_file(&list).expect("removed");
        other.restore(&backup, "").await.refused("this is no whole backup");
        let newer = text.replace("\"schema\": ", "\"schema\": 9");
        fs::write(&list, newer).expect("written");
        other.restore(&backup, "").await.refused("was made by the newer version");
        fs::write(&list, &text).expect("written");

        let [one, two] = <[PathBuf; 2]>::try_from(sealed(&backup)).expect("two files");
        fs::remove_file(&one).expect("removed");
        fs::write(&two, b"dakiya\0").expect("written");
        let refused = other.restore(&backup, "").await;
        for (file, words) in [(&one, "is missing in the backup"), (&two, words)] {
            let name = file.file_name().expect("a name").to_string_lossy();
            refused.refused(&format!("kyc/{name} {words}"));
        }
        other.is_empty().await;

        let restored = other.restore(&backup, " --incomplete").await.json();
        assert_eq!(restored["missing"].as_array().map(Vec::len), Some(2), "{restored}");
        assert_eq!(restored["faults"], json!([]));
        other.resume().await;
        let (program, _running) = other.serve().await;
        let asha = at(&asha, &program.url);
        assert_ne!(asha.get(&paper).await.status, 200);
        asha.get("/api/v1/wallet/balance/").await.expect(200);
    });
}

#[test]
fn a_restored_server_needs_the_keys_that_sealed_and_keeps_the_mark_of_the_documents() {
    block_on(async {
        let new = [("DAKIYA_FILES_KEY", format!("b:{B}"))];
        let both = [("DAKIYA_FILES_KEY", format!("a:{A},b:{B}"))];
        let app = TestApp::start_with(&borrowed(&both)).await;
        let asha = app.user("asha").await;
        let [paper, _] = kyc::uploaded(&asha).await;
        let folder = TempDir::new().expect("a folder");
        let (place, backup) = (Place::of(&app).with(&both), folder.path().join("backup"));
        let made = place.back_up(&backup).await;
        assert_eq!(made["keys"], json!(["a"]));

        let other = Place::empty(folder.path(), "other").await;
        let refused = other.clone().with(&new).restore(&backup, "").await;
        refused.refused("The key a is not configured: what it sealed cannot be read");
        other.is_empty().await;
        let files = [("DAKIYA_FILES", folder.path().join("files").display().to_string())];
        let other = other.with(&both).with(&files);
        other.restore(&backup, "").await.json();
        let mark = |folder: &Path| fs::read_to_string(folder.join("mark")).expect("a mark");
        assert_eq!(mark(&folder.path().join("files")), mark(&place.folder.join("kyc")));
        other.resume().await;
        let (program, _running) = other.serve().await;
        at(&asha, &program.url).get(&paper).await.expect(200);
    });
}

#[test]
fn a_restored_database_that_is_not_that_of_the_list_is_found() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(500).await;
        let folder = TempDir::new().expect("a folder");
        let (place, backup) = (Place::of(&app), folder.path().join("backup"));
        let made = place.back_up(&backup).await;
        book(&asha, &json!({})).await;
        let later = folder.path().join("later");
        place.back_up(&later).await;
        // A list that belongs to an older copy, with the hash of the newer one.
        let read = |backup: &Path| -> Value {
            let text = fs::read_to_string(backup.join("manifest.json")).expect("a list");
            serde_json::from_str(&text).expect("JSON")
        };
        let (old, mut list) = (read(&backup), read(&later));
        list["head"] = old["head"].clone();
        list["rows"] = old["rows"].clone();
        fs::write(later.join("manifest.json"), list.to_string()).expect("written");
        let other = Place::empty(folder.path(), "other").await;
        other.bring_key(&place);
        let refused = other.restore(&later, "").await;
        refused.refused(&format!("and was {}", made["head"].as_str().expect("a head")));
        refused.refused("The table bookings has 1 rows and had 0");
        if other.url.starts_with("sqlite:") {
            other.is_empty().await;
        } else {
            // It stays, and no server works on it.
            let marked = "select count(*) from counters where counter = 'restored'";
            assert_eq!(other.count(marked).await, 1);
            let refused = other.run("resume --invoice-gap 0 --reason restored --as ravi").await;
            refused.refused("The restoring of this database broke off or found faults");
        }
    });
}
