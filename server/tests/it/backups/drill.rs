//! The drill: the way back by the steps of the handbook, in a script.

use std::fs;
use std::path::Path;
use std::process::Command;

use regex::Regex;
use serde_json::json;
use tempfile::TempDir;

use super::Place;
use crate::app::{TestApp, block_on};
use crate::documents::book;
use crate::kyc;
use crate::program::{binary, lasting_port};

const DRILL: &str = "server/packaging/backup/drill";

pub(super) fn read(path: &str) -> String {
    let path = format!("{}/{path}", env!("CARGO_MANIFEST_DIR"));
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

#[test]
fn the_drill_restores_a_backup_with_the_program_and_the_keys_alone() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(500).await;
        kyc::uploaded(&asha).await;
        book(&asha, &json!({})).await;
        let folder = TempDir::new().expect("a folder");
        let (place, backup) = (Place::of(&app), folder.path().join("backup"));
        place.back_up(&backup).await;
        let other = Place::empty(folder.path(), "other").await;
        other.bring_key(&place);

        let program = binary();
        let program = Path::new(&program).parent().expect("a folder");
        let path = std::env::var("PATH").unwrap_or_default();
        let path = format!("{}:{path}", program.display());
        let mut variables = other.variables();
        variables.extend([
            ("PATH", path),
            ("DAKIYA_LISTEN", format!("127.0.0.1:{}", lasting_port())),
            ("DAKIYA_SSR_THREADS", "1".to_owned()),
        ]);
        let script = format!("{}/{DRILL}", env!("CARGO_MANIFEST_DIR"));
        let running = tokio::task::spawn_blocking(move || {
            let mut drill = Command::new(script);
            drill.arg(backup).envs(variables).output().expect("a shell")
        });
        let output = running.await.expect("a drill");
        assert!(output.status.success(), "{output:?}");
        let written = String::from_utf8_lossy(&output.stdout);
        assert!(written.contains("The books are in order"), "{written}");
        assert!(written.contains("\nRestored in "), "{written}");
        let waiting = "select count(*) from counters where counter = 'restored'";
        assert_eq!(other.count(waiting).await, 0);
        assert_eq!(other.count("select count(*) from bookings").await, 1);
    });
}

#[test]
fn the_drill_has_the_steps_of_the_handbook_in_their_order() {
    let command = Regex::new(r"dakiya (restore|healthcheck|audit|resume)(?: --[a-z]+)?").unwrap();
    let steps = |text: &str| -> Vec<String> {
        command.captures_iter(text).map(|found| found[0].to_owned()).collect()
    };
    let script = read(DRILL);
    let script: Vec<&str> = script.lines().filter(|line| !line.starts_with('#')).collect();
    let handbook = read("server/docs/backups.md");
    let (_, handbook) = handbook.split_once("\n## After a loss\n").expect("the section");
    let handbook = handbook.split("\n## ").next().expect("its text");
    assert_eq!(steps(&script.join("\n")), steps(handbook), "left: script, right: handbook");
}
