//! From a server on SQLite to two on Postgres with documents in a bucket, by the commands of the
//! handbook.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::{Value, json};
use tempfile::TempDir;

use super::drill::read;
use super::{Place, at, database_copy};
use crate::app::{Actor, block_on};
use crate::databases::{empty_database, texts_in};
use crate::documents::book;
use crate::kyc;
use crate::kyc::s3::S3;
use crate::operators::Ran;
use crate::program::{Program, Running};

/// Tables that the restoring itself writes to.
const CHANGED: [&str; 2] = ["counters", "operator_actions"];

/// The commands of the handbook, in their order.
fn commands() -> Vec<String> {
    let handbook = read("server/docs/operating.md");
    let (_, text) = handbook.split_once("\n### From one machine to many\n").expect("the section");
    let text = text.split("\n### ").next().expect("its text");
    text.lines().filter_map(|line| line.strip_prefix("       ")).map(str::to_owned).collect()
}

/// The rows of a table, each as JSON.
async fn rows(url: &str, query: String) -> BTreeSet<String> {
    let rows = texts_in(url, &query).await;
    let all = rows.iter().map(|row| serde_json::from_str::<Value>(row).expect("JSON").to_string());
    all.collect()
}

async fn assert_same_rows(copy: &Path, url: &str) {
    let copy = format!("sqlite://{}", copy.display());
    let tables = "select name from sqlite_schema
                  where type = 'table' and name not like 'sqlite%' and name <> '_sqlx_migrations'";
    let tables = texts_in(&copy, tables).await;
    assert!(tables.len() > 50, "{tables:?}");
    let mut filled = 0;
    for table in tables.iter().filter(|table| !CHANGED.contains(&table.as_str())) {
        let columns = format!("select name from pragma_table_info('{table}')");
        let columns = texts_in(&copy, &columns).await;
        let pairs: Vec<String> = columns.iter().map(|it| format!("'{it}', {it}")).collect();
        let here = format!("select json_object({}) from {table}", pairs.join(", "));
        let there = format!("select cast(row_to_json(t) as text) from {table} t");
        let here = rows(&copy, here).await;
        assert_eq!(here, rows(url, there).await, "{table}");
        filled += usize::from(!here.is_empty());
    }
    assert!(filled > 25, "{filled} tables have rows");
}

fn succeed(line: &str, ran: Ran) {
    assert_eq!(ran.code, 0, "{line}: {ran:?}");
}

#[test]
fn a_server_on_sqlite_becomes_two_on_postgres_by_the_commands_of_the_handbook() {
    if std::env::var("DAKIYA_TEST_DATABASE_URL").is_err() {
        return; // it needs a Postgres
    }
    block_on(async {
        let (s3, folder) = (S3::start().await, TempDir::new().expect("a folder"));
        let machine = |number: usize| {
            let folder = folder.path().join(format!("machine-{number}"));
            std::fs::create_dir_all(&folder).expect("a folder");
            folder
        };
        let bucket = s3.settings("kyc");
        let key = bucket.iter().filter(|(name, _)| *name == "DAKIYA_FILES_KEY");
        let mut place = Place {
            url: format!("sqlite://{}", machine(0).join("dakiya.sqlite").display()),
            folder: machine(0),
            more: key.cloned().collect(),
        };
        let (old, running) = place.serve().await;
        let mut asha = Actor::at(&old.url);
        asha.join("asha").await;
        asha.recharge(500).await;
        let papers = kyc::uploaded(&asha).await;
        let booked = book(&asha, &json!({})).await;

        let backup = folder.path().join("backup");
        let mut running: Vec<Running> = vec![running];
        let mut programs: Vec<Program> = Vec::new();
        for line in commands() {
            let line = line
                .replace("/var/backups/dakiya/move", &backup.display().to_string())
                .replace("NAME", "ravi")
                .replace("TEXT", "more-machines");
            if line == "systemctl stop dakiya" {
                assert!(running.remove(0).stop());
            } else if line == "systemctl start dakiya" {
                place.folder = machine(1 + programs.len());
                let (program, process) = place.serve().await;
                programs.push(program);
                running.push(process);
            } else if line.starts_with("DATABASE_URL=postgres://") {
                place.url = empty_database(folder.path()).await;
            } else if line.starts_with("DAKIYA_FILES=s3://") {
                place.more.clone_from(&bucket);
            } else {
                let command = line.strip_prefix("dakiya ").expect("a command");
                let listen = programs.last().map(|program| program.url.replace("http://", ""));
                let listen = listen.map(|address| ("DAKIYA_LISTEN", address));
                succeed(&line, place.run_with(command, listen.into_iter().collect()).await);
                if command.starts_with("restore") {
                    assert_same_rows(&database_copy(&backup), &place.url).await;
                }
            }
        }

        let [first, second] = &programs[..] else { panic!("two servers") };
        for program in [first, second] {
            let asha = at(&asha, &program.url);
            let path = format!("/api/v1/shipping/booking/{}/", booked.awb);
            asha.get(&path).await.expect(200);
            for paper in &papers {
                assert!(asha.get(paper).await.expect(200).body.starts_with(b"\xff\xd8\xff"));
            }
        }
        at(&asha, &first.url).recharge(1_000).await;
        let next = book(&at(&asha, &second.url), &json!({})).await;
        let path = format!("/api/v1/shipping/booking/{}/", next.awb);
        at(&asha, &first.url).get(&path).await.expect(200);
        assert_eq!(place.count("select count(distinct number) from invoices").await, 2);
        for process in running {
            assert!(process.stop());
        }
        succeed("audit", place.run("audit").await);
    });
}

#[test]
fn a_backup_of_postgres_does_not_go_into_sqlite() {
    if std::env::var("DAKIYA_TEST_DATABASE_URL").is_err() {
        return; // it needs a Postgres
    }
    block_on(async {
        let (app, _, _) = crate::app::TestApp::with_money(100).await;
        let folder = TempDir::new().expect("a folder");
        let (place, backup) = (Place::of(&app), folder.path().join("backup"));
        place.back_up(&backup).await;
        let mut other = Place::empty(folder.path(), "other").await;
        other.bring_key(&place);
        other.url = format!("sqlite://{}", other.folder.join("dakiya.sqlite").display());
        let refused = other.restore(&backup, "").await;
        refused.refused("the backup is of Postgres, and DATABASE_URL is of SQLite");
        other.is_empty().await;
    });
}
