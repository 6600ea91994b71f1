//! Operator commands at a terminal, beside a running server.

#[cfg(feature = "faults")]
mod commands;
mod money;
mod orders;
pub mod payments;
mod services;
#[cfg(feature = "faults")]
mod stuck;
mod track;
mod users;
mod weights;

use std::collections::HashSet;
use std::process::Command;

use dakiya_core::clock::Clock;
use dakiya_core::model::task::TaskKind;
use futures_util::future::join_all;
use reqwest::Method;
use serde_json::{Value, json};
use sqlx::{Column, Connection, Row, ValueRef};

use crate::app::{TestApp, block_on, inbox};
use crate::gateway::client;
use crate::program::binary;

/// The output and exit code of a command.
#[derive(Debug)]
pub struct Ran {
    pub code: i32,
    pub out: String,
    pub err: String,
}

impl Ran {
    /// The JSON output of a command that succeeded.
    pub fn json(&self) -> Value {
        assert_eq!(self.code, 0, "{self:?}");
        serde_json::from_str(&self.out).unwrap_or_else(|_| panic!("no JSON: {self:?}"))
    }

    /// The JSON error of a command that failed.
    pub fn error(&self) -> Value {
        assert!(self.code > 0 && self.out.is_empty(), "{self:?}");
        let told: Value = serde_json::from_str(&self.err).unwrap_or_default();
        for field in ["code", "message", "fields"] {
            assert!(!told[field].is_null(), "no {field}: {self:?}");
        }
        told
    }

    /// Asserts that a command was refused with these words.
    pub fn refused(&self, words: &str) {
        assert_eq!(self.code, 1, "{self:?}");
        assert!(self.err.contains(words) && self.out.is_empty(), "{self:?}");
    }
}

/// Runs a command on the database of a running server; `line` is split at its spaces, and `~` in a
/// word stands for one.
pub fn dakiya(app: &TestApp, line: &str) -> Ran {
    dakiya_with(app, line, &[])
}

/// Runs a command with more environment variables. A killed one has the code -1.
pub fn dakiya_with(app: &TestApp, line: &str, variables: &[(&str, &str)]) -> Ran {
    let words = line.split_whitespace().map(|word| word.replace('~', " "));
    let config = &app.app.web.config;
    let ahead_ms = app.app.core.clock.now_ms() - Clock::default().now_ms();
    let output = Command::new(binary())
        .args(words)
        .env("DATABASE_URL", &config.database_url)
        .env("DAKIYA_DATA_DIR", &config.data_dir)
        .env("DAKIYA_CLOCK_AHEAD_MS", ahead_ms.to_string())
        .env_remove("DAKIYA_OPERATOR")
        .envs(variables.iter().copied())
        .output()
        .expect("the program");
    Ran {
        code: output.status.code().unwrap_or(-1),
        out: String::from_utf8(output.stdout).expect("text"),
        err: String::from_utf8(output.stderr).expect("text"),
    }
}

/// A request to the control API of the sandbox providers.
pub async fn sim(app: &TestApp, method: Method, path: &str, body: Value) -> Value {
    let sandbox = app.app.sandbox.as_ref().expect("a sandbox");
    let url = format!("{}/__sim/{path}", sandbox.base_url);
    let answer = client().request(method, url).json(&body);
    let answer = answer.send().await.expect("the sandbox");
    assert!(answer.status().is_success(), "{path}: {answer:?}");
    let text = answer.text().await.expect("a body");
    serde_json::from_str(&text).unwrap_or_default()
}

/// Sends the waiting letters and returns the subjects of all, newest first.
pub async fn letters(app: &TestApp, kind: TaskKind) -> Vec<String> {
    app.round(kind).await;
    let kept = inbox(&app.app);
    kept.into_iter().map(|letter| letter.subject).collect()
}

/// Every row of every table, to detect any change.
pub async fn rows(app: &TestApp) -> Vec<String> {
    let url = &app.app.web.config.database_url;
    let mut conn = sqlx::AnyConnection::connect(url).await.expect("a database");
    let tables = match url.starts_with("sqlite:") {
        true => {
            "select name from sqlite_master where type = 'table' and name not like 'sqlite%'
                 order by 1"
        }
        false => {
            "select cast(tablename as text) from pg_tables where schemaname = 'public' order by 1"
        }
    };
    let tables: Vec<String> =
        sqlx::query_scalar(tables).fetch_all(&mut conn).await.expect("tables");
    let mut all = Vec::new();
    // The heartbeat of processes changes whatever operators do, and the browser's files are large.
    let others = ["kept_assets", "nodes", "_sqlx_migrations"];
    for table in tables.iter().filter(|table| !others.contains(&&***table)) {
        let query = sqlx::AssertSqlSafe(format!("select * from {table}"));
        let mut of_table: Vec<String> = Vec::new();
        for row in sqlx::query(query).fetch_all(&mut conn).await.expect("rows") {
            let cell = |column: &<sqlx::Any as sqlx::Database>::Column| {
                let at = column.ordinal();
                let number = row.try_get::<Option<i64>, _>(at).map(|n| format!("{n:?}"));
                let text = || row.try_get::<Option<String>, _>(at).map(|text| format!("{text:?}"));
                let bytes = || row.try_get::<Option<Vec<u8>>, _>(at).map(|it| format!("{it:?}"));
                let is_null = row.try_get_raw(at).expect("a cell").is_null();
                let known = number.or_else(|_| text()).or_else(|_| bytes());
                if is_null { "null".to_owned() } else { known.expect("a known type") }
            };
            let cells: Vec<String> = row.columns().iter().map(cell).collect();
            of_table.push(format!("{table}: {}", cells.join(" ")));
        }
        of_table.sort();
        all.extend(of_table);
    }
    conn.close().await.expect("closed");
    all
}

/// Asserts that every row of every table is unchanged.
pub async fn unchanged(app: &TestApp, before: &[String]) {
    let now = rows(app).await;
    let of = |rows: &[String], others: &[String]| -> Vec<String> {
        let others: HashSet<&String> = others.iter().collect();
        let new = rows.iter().filter(|row| !others.contains(row));
        new.cloned().collect()
    };
    assert_eq!(of(before, &now), of(&now, before));
    assert_eq!(before.len(), now.len());
}

#[test]
fn a_line_that_makes_no_sense_ends_with_2_and_names_what_is_wrong() {
    block_on(async {
        let app = TestApp::start().await;
        for (line, words) in [
            ("nothing", "unrecognized subcommand 'nothing'"),
            ("users freeze", "<USER>"),
            ("users freeze asha", "--reason"),
            ("services off three --reason x", "invalid value 'three'"),
            ("actions list --limit many", "invalid value 'many'"),
        ] {
            let ran = dakiya(&app, line);
            assert_eq!(ran.code, 2, "{line}: {ran:?}");
            assert!(ran.err.contains(words), "{line}: {ran:?}");
            let told = dakiya(&app, &format!("{line} --json")).error();
            assert_eq!(told["code"], "usage");
            assert!(told["message"].as_str().unwrap().contains(words), "{told}");
        }
    });
}

#[test]
fn an_operator_has_a_plain_name_and_a_reason() {
    block_on(async {
        let (app, _, asha) = TestApp::with_user().await;
        let before = rows(&app).await;
        let line = format!("users freeze {} --reason", asha.username);
        dakiya(&app, &format!("{line} fraud")).refused("Say who you are: --as NAME");
        dakiya(&app, &format!("{line} fraud --as <ravi>")).refused("operator's name");
        dakiya(&app, &format!("{line} ~ --as ravi")).refused("Say why");
        unchanged(&app, &before).await;
    });
}

#[test]
fn what_was_done_is_written_down_and_the_database_keeps_it() {
    block_on(async {
        let (app, _, asha) = TestApp::with_user().await;
        let name = &asha.username;
        let frozen = dakiya(&app, &format!("users freeze {name} --reason a~loss --as ravi --json"));
        let user = frozen.json()["user"].clone();
        dakiya(&app, "services off 1 --reason strike --as meena --json").json();
        let list = dakiya(&app, "actions list --json").json();
        let first = &list[1];
        assert_eq!(list[0]["actor"], "meena");
        assert_eq!([&first["action"], &first["actor"]], [&json!(1), &json!("ravi")]);
        assert_eq!(first["command"], "users freeze");
        assert_eq!(first["arguments"], json!({"reason": "a loss"}));
        assert_eq!(first["reference"], user);
        assert_eq!(first["outcome"], "Frozen; 1 session ended.");
        assert!(!first.to_string().contains(&**name), "{first}");
        let of = |filter: &str| dakiya(&app, &format!("actions list {filter} --json")).json();
        assert_eq!(of("--by meena").as_array().unwrap().len(), 1);
        assert_eq!(of(&format!("--about {}", user.as_str().unwrap()))[0]["action"], 1);
        assert!(dakiya(&app, "actions list").out.contains("users freeze"));
        for statement in
            ["update operator_actions set actor = 'somebody'", "delete from operator_actions"]
        {
            let refused = app.tamper(statement).await.expect_err(statement);
            assert!(refused.to_string().contains("append-only"), "{refused}");
        }
    });
}

#[cfg(feature = "faults")]
#[test]
fn an_act_without_its_record_is_noticed() {
    let test = "operators::what_was_done_is_written_down_and_the_database_keeps_it";
    crate::faults::must_fail(test, "act-unrecorded");
}

#[test]
fn commands_work_beside_a_server_that_is_busy_writing() {
    block_on(async {
        let (app, _, asha) = TestApp::with_user().await;
        let config = app.app.web.config.clone();
        let line = |round: usize| match round % 2 {
            0 => "services off 1 --reason busy --as ravi",
            _ => "services on 1 --reason busy --as ravi",
        };
        let commands = async {
            for round in 0..6 {
                let (url, line) = (config.database_url.clone(), line(round));
                let ran = tokio::task::spawn_blocking(move || {
                    let mut program = Command::new(binary());
                    let program = program.args(line.split(' ')).env("DATABASE_URL", url);
                    program.output().expect("the program")
                });
                let ran = ran.await.expect("a command");
                assert!(ran.status.success(), "{ran:?}");
            }
        };
        let customers = join_all((0..4).map(|_| async {
            for _ in 0..5 {
                app.recharge(&asha, 10).await;
            }
        }));
        let ((), _) = tokio::join!(commands, customers);
        assert_eq!(app.balance(&asha).await.get(), 4 * 5 * 10 * 100);
        assert_eq!(dakiya(&app, "actions list --json").json()[0]["action"], 6);
        app.audit().await;
    });
}
