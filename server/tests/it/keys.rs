//! Encryption keys: identified by ids, and rotated while the program runs.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use dakiya::app::App;
use dakiya_core::config::Config;
use dakiya_core::model::settings::files_place::FilesPlace;
use dakiya_core::model::task::TaskKind;
use reqwest::Method;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::app::{Actor, TestApp, block_on, inbox};
use crate::databases::fresh_database;
use crate::operators::{Ran, dakiya_with, rows};
use crate::two_step::{Phone, log_in, switched_on};
use crate::{documents, kyc};

pub const A: &str = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
pub const B: &str = "ICEiIyQlJicoKSorLC0uLzAxMjM0NTY3ODk6Ozw9Pj8=";
const PAN: &str = "ABCPE1234F";
const DRAFT: &str = "/api/v1/booking/draft/";
const PRESETS: &str = "/api/v1/booking/presets/";

/// An installation with a key file, and a customer with data in every encrypted column.
struct Sealed {
    app: TestApp,
    folder: TempDir,
    asha: Actor,
    phone: Phone,
    papers: [String; 2],
    booking: String,
}

impl Sealed {
    async fn start(keys: &str) -> Sealed {
        let folder = TempDir::new().expect("a folder");
        std::fs::write(key_file(folder.path()), keys).expect("a file");
        let named = key_file(folder.path()).display().to_string();
        let app = TestApp::start_with(&[("DAKIYA_FILES_KEY_FILE", &named)]).await;
        let asha = app.user("asha").await;
        app.recharge(&asha, 5_000).await;
        let told = json!({"consigner_doc_type": "2", "consigner_doc_number": PAN});
        let booking = documents::book(&asha, &told).await.id;
        let papers = kyc::uploaded(&asha).await;
        for preset in presets() {
            asha.post(PRESETS, preset).await.expect(200);
        }
        let draft = json!({"revision": 0, "content": draft()}).to_string();
        let kept = asha.send(Method::PUT, DRAFT, &[], Some(draft)).await;
        kept.expect(200);
        let phone = switched_on(&app, &asha).await;
        Sealed { app, folder, asha, phone, papers, booking }
    }

    /// Replaces the key file, as an operator does.
    async fn keys(&self, keys: &str) {
        std::fs::write(key_file(self.folder.path()), keys).expect("a file");
        self.app.app.read_keys().await;
    }

    fn run(&self, line: &str, more: &[(&str, &str)]) -> Ran {
        let file = key_file(self.folder.path()).display().to_string();
        let file = [("DAKIYA_FILES_KEY_FILE", file.as_str())];
        dakiya_with(&self.app, line, &[&file, more].concat())
    }

    fn reseal(&self, more: &[(&str, &str)]) -> Ran {
        let line = "keys reseal --reason yearly --as ravi --json";
        self.run(line, more)
    }

    /// Number of values still sealed with a key; `None` if the key is not listed.
    fn left(&self, key: &str) -> Option<i64> {
        let shown = self.run("keys show --json", &[]).json();
        let of_key = |it: &&Value| it["key"] == key;
        let found = shown.as_array().expect("a list").iter().find(of_key)?;
        let numbers = found.as_object().expect("a record").values();
        Some(numbers.filter_map(Value::as_i64).sum())
    }

    /// Asserts that the owner can read all encrypted data, and that nothing is duplicated.
    async fn all_opens(&self, when: &str) {
        let asha = &self.asha;
        for path in &self.papers {
            let paper = asha.get(path).await.expect(200).body;
            let known = paper.starts_with(b"\xff\xd8\xff") || paper.starts_with(b"%PDF-");
            assert!(known, "{when}: {path}");
        }
        let kept = asha.get(DRAFT).await.expect(200).json();
        assert_eq!(kept["content"]["details"], draft()["details"], "{when}");
        let again = format!("{DRAFT}?again={}", self.booking);
        let again = asha.get(&again).await.expect(200).json();
        let number = &again["content"]["details"]["consigner_doc_number"];
        assert_eq!(number, PAN, "{when}");
        let presets = asha.get(PRESETS).await.expect(200).json();
        let presets = presets["results"].as_array().expect("a list").clone();
        let names: Vec<&str> = presets.iter().filter_map(|it| it["name"].as_str()).collect();
        assert_eq!(names, ["Office", "Ravi Kumar, Bengaluru"], "{when}");
        log_in(asha, &self.phone.code(&self.app)).await.expect(200);
    }

    /// Saves address book entries that exist already.
    async fn save_again(&self, presets: &[Value]) {
        for preset in presets {
            self.asha.post(PRESETS, preset.clone()).await.expect(200);
        }
    }
}

fn key_file(folder: &Path) -> PathBuf {
    folder.join("keys")
}

fn draft() -> Value {
    json!({
        "step": "details", "chosen": null, "quote": null, "old_price": null, "kyc": null,
        "attempt": null,
        "rate": {
            "booking_type": "2", "destination_country": "", "shipment_type": "1",
            "origin_pincode": "110001", "destination_pincode": "560001",
            "weight": "2.5", "length": "30", "width": "20", "height": "10", "quantity": "1",
        },
        "details": {"consignee_name": "Meera", "consignee_address_1": "22 MG Road"},
    })
}

fn presets() -> [Value; 2] {
    [
        json!({"kind": "consignor", "name": "Office", "fields": {
            "consigner_name": "Asha Rao", "consigner_address_1": "14 Janpath",
            "consigner_pincode": "110001",
        }}),
        json!({"kind": "consignee", "fields": {
            "consignee_name": "Ravi Kumar", "consignee_address_1": "22 MG Road",
            "consignee_city": "Bengaluru", "destination_country_id": "97",
        }}),
    ]
}

#[test]
fn keys_are_changed_while_the_program_runs_and_nothing_that_was_sealed_is_lost() {
    block_on(async {
        let sealed = Sealed::start(A).await;
        sealed.all_opens("under the one key").await;
        sealed.save_again(&presets()).await;
        assert!(sealed.left("1").expect("some") > 0, "a key alone has an id too");

        // Every server gets the new key first; then it is used to encrypt.
        sealed.keys(&format!("1:{A},b:{B}")).await;
        sealed.all_opens("the new key is known").await;
        sealed.keys(&format!("b:{B},1:{A}")).await;
        sealed.save_again(&presets()[..1]).await;
        sealed.all_opens("the new key seals").await;
        let before = rows(&sealed.app).await;
        let dry = "keys reseal --dry-run --reason yearly --as ravi --json";
        let dry = sealed.run(dry, &[]).json();
        assert_eq!((&dry["dry_run"], &dry["resealed"]), (&json!(true), &json!(0)));
        assert_eq!(rows(&sealed.app).await, before);

        let done = sealed.reseal(&[]).json();
        assert!(done["resealed"].as_i64() > Some(6), "{done}");
        assert_eq!(done["unreadable"], 0, "{done}");
        assert_eq!((sealed.left("?"), sealed.left("1")), (None, Some(0)));
        sealed.save_again(&presets()).await;
        sealed.all_opens("resealed").await;
        sealed.keys(&format!("b:{B}")).await;
        sealed.save_again(&presets()).await;
        sealed.all_opens("the old key is gone").await;
        assert_eq!(sealed.reseal(&[]).json()["resealed"], 0);
    });
}

#[test]
fn a_key_that_is_missing_leaves_what_it_sealed_as_it_is_and_says_so() {
    block_on(async {
        let sealed = Sealed::start(&format!("a:{A}")).await;
        sealed.keys(&format!("a:{A},b:{B}")).await;
        sealed.keys(&format!("b:{B}")).await;
        let before = rows(&sealed.app).await;
        let done = sealed.reseal(&[]);
        assert_eq!(done.code, 1, "{done:?}");
        assert!(done.err.contains("open under no key"), "{done:?}");
        assert!(sealed.left("?").expect("some") > 6);
        // Only the line in the record is new.
        let after = rows(&sealed.app).await;
        let is_kept = |row: &&String| !row.starts_with("counters: ");
        let lost = before.iter().filter(is_kept).filter(|row| !after.contains(row));
        assert_eq!(lost.collect::<Vec<_>>(), [""; 0]);
        // An invalid file changes nothing.
        sealed.keys(&format!("b:{B},a:{A}")).await;
        for senseless in ["", "b:short", "b"] {
            sealed.keys(senseless).await;
        }
        sealed.all_opens("with the last good keys").await;
    });
}

#[test]
fn a_server_with_keys_or_documents_of_another_database_does_not_start() {
    block_on(async {
        let sealed = Sealed::start(&format!("a:{A}")).await;
        let start = async |keys: &str, files: Option<&Path>| {
            let mut config = (*sealed.app.app.web.config).clone();
            config.files_keys = Some(keys.parse().expect("keys"));
            let files = files.map(|files| FilesPlace::Folder(files.to_owned()));
            config.files = files.unwrap_or(config.files);
            let started = App::start(config).await;
            started.err().map_or_else(String::new, |error| format!("{error:#}"))
        };
        sealed.app.seal().await;
        let before = rows(&sealed.app).await;
        let other = start(&format!("a:{B}"), None).await;
        assert!(other.contains("the key `a` is not the one"), "{other}");
        let none = start(&format!("b:{B}"), None).await;
        assert!(none.contains("servers of this database have other keys"), "{none}");
        let elsewhere = TempDir::new().expect("a folder");
        let place = start(&format!("a:{A}"), Some(elsewhere.path())).await;
        assert!(place.contains("is not the place of this database's documents"), "{place}");
        assert_eq!(rows(&sealed.app).await, before);

        // Keys that the others do not have are not taken while the program runs, either.
        sealed.keys(&format!("b:{B}")).await;
        sealed.all_opens("under the key of the start").await;
        sealed.reseal(&[]).refused("servers of this database have other keys");

        // Documents that were moved have the mark with them.
        let moved = elsewhere.path().join("moved");
        let from = PathBuf::from(sealed.app.app.web.config.files.to_string());
        std::fs::create_dir(&moved).expect("a folder");
        std::fs::copy(from.join("mark"), moved.join("mark")).expect("a copy");
        assert_eq!(start(&format!("b:{B},a:{A}"), Some(moved.as_path())).await, "");
    });
}

#[test]
fn of_two_first_servers_with_different_keys_one_starts() {
    block_on(async {
        let folder = TempDir::new().expect("a folder");
        let database = fresh_database(folder.path()).await;
        let config = |key: String| {
            let variables = [
                ("DAKIYA_DATA_DIR", folder.path().display().to_string()),
                ("DATABASE_URL", database.clone()),
                ("DAKIYA_SANDBOX_LISTEN", "127.0.0.1:0".to_owned()),
                ("DAKIYA_FILES_KEY", key),
            ];
            let variables = variables.map(|(name, value)| (name.to_owned(), value));
            Config::from_map(&HashMap::from(variables)).expect("a configuration")
        };
        let (a, b) = (App::start(config(format!("a:{A}"))), App::start(config(format!("b:{B}"))));
        let (a, b) = tokio::join!(a, b);
        assert_eq!([a.is_ok(), b.is_ok()].iter().filter(|it| **it).count(), 1);
        let error = a.err().or(b.err()).expect("a refusal");
        assert!(format!("{error:#}").contains("other keys"), "{error:#}");
    });
}

#[test]
fn links_in_letters_and_counted_numbers_outlive_a_change_of_keys_and_a_restart() {
    block_on(async {
        let sealed = Sealed::start(&format!("a:{A}")).await;
        sealed.app.round(TaskKind::Notices).await;
        let letters = inbox(&sealed.app.app);
        let link = letters.iter().find_map(|letter| letter.unsubscribe.clone());
        let link = link.expect("a link").replace(&sealed.app.url, "");
        sealed.asha.form("/account/phone/send", &[]).await.expect(303);
        let asks = "action=\"/account/phone/confirm\"";
        assert!(sealed.asha.page("/account").await.text().contains(asks));

        sealed.keys(&format!("b:{B},a:{A}")).await;
        assert!(sealed.asha.page("/account").await.text().contains(asks));
        let shown = sealed.run("keys show --json", &[]).json();
        assert_eq!((&shown[0]["kept_keys"], &shown[1]["kept_keys"]), (&json!(0), &json!(1)));
        sealed.reseal(&[]).json();
        assert_eq!(sealed.left("a"), Some(0));
        sealed.keys(&format!("b:{B}")).await;

        // Another server that never knew the old key.
        let database = sealed.app.app.web.config.database_url.clone();
        let keys = key_file(sealed.folder.path()).display().to_string();
        let files = sealed.app.app.web.config.files.to_string();
        let variables = [
            ("DATABASE_URL", &*database),
            ("DAKIYA_FILES", &*files),
            ("DAKIYA_FILES_KEY_FILE", &*keys),
        ];
        let fresh = TestApp::start_with(&variables).await;
        let mut asha = sealed.asha.clone();
        asha.url.clone_from(&fresh.url);
        assert!(asha.page("/account").await.text().contains(asks));
        let page = fresh.anon().page(&link).await.expect(200);
        assert!(page.text().contains("When a booking is confirmed"), "{link}");
        for end in ["A", "AAAA"] {
            fresh.anon().page(&format!("{link}{end}")).await.expect(404);
        }
        let one_click = [("List-Unsubscribe", "One-Click")];
        let done = fresh.anon().form(&link, &one_click).await.expect(200);
        assert_eq!(done.text(), "These emails are switched off.\n");
    });
}

#[cfg(feature = "faults")]
#[test]
fn resealing_that_is_killed_in_the_middle_loses_nothing_and_continues_later() {
    block_on(async {
        let sealed = Sealed::start(&format!("a:{A}")).await;
        sealed.keys(&format!("b:{B},a:{A}")).await;
        let mut left = sealed.left("a").expect("some");
        // Each run dies after its first step, so the next one begins with another.
        for run in 1..=7 {
            let killed = sealed.reseal(&[("DAKIYA_STRIKE", "keys-reseal")]);
            assert_eq!(killed.code, -1, "{killed:?}");
            let now_left = sealed.left("a").expect("a count");
            assert!(now_left < left, "run {run}: {now_left} of {left}");
            left = now_left;
            sealed.all_opens(&format!("after run {run}")).await;
        }
        sealed.reseal(&[]).json();
        assert_eq!(sealed.left("a"), Some(0));
        sealed.keys(&format!("b:{B}")).await;
        sealed.all_opens("under the new key alone").await;
    });
}
