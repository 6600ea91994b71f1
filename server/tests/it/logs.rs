//! Log lines about requests.

use std::fs::File;

use dakiya_core::random::random_id;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::app::{Actor, PASSWORD, block_on, registration};
use crate::databases::fresh_database;
use crate::program::{Program, Running, lasting_port};

const LOGIN: &str = "/api/v1/auth/login/";

const LOG: &str = "log";

/// The real program, logging to a file.
struct Logged {
    folder: TempDir,
    program: Running,
}

impl Logged {
    /// Starts the program with a registered customer, and returns the name. `level` as in
    /// `DAKIYA_LOG`.
    async fn start(level: &str) -> (Logged, Actor, String) {
        let folder = TempDir::new().expect("a folder");
        let more = vec![
            ("DATABASE_URL", fresh_database(folder.path()).await),
            ("DAKIYA_LOG", level.to_owned()),
            ("DAKIYA_SANDBOX_LISTEN", format!("127.0.0.1:{}", lasting_port())),
        ];
        let real = Program::new(folder.path(), more);
        let log = File::create(folder.path().join(LOG)).expect("a log");
        let mut program = real.start_into(log);
        real.ready(&mut program).await;
        let name = format!("asha-{}", random_id());
        let mut asha = Actor::from(None, &real.url);
        asha.join(&name).await;
        (Logged { folder, program }, asha, name)
    }

    /// Stops the program. Returns its log as JSON lines, which contain none of these words.
    fn lines_without(self, secrets: &[&str]) -> Vec<Value> {
        assert!(self.program.stop(), "a clean stop");
        let text = std::fs::read_to_string(self.folder.path().join(LOG)).expect("a log");
        for secret in secrets {
            assert!(!text.contains(secret), "{secret} is in the log:\n{text}");
        }
        let line = |line: &str| serde_json::from_str(line).expect(line);
        text.lines().map(line).collect()
    }
}

#[test]
fn every_line_is_json_with_its_requests_number_and_nothing_about_a_person() {
    block_on(async {
        let (logged, asha, name) = Logged::start("info").await;
        let wrong = json!({"username": name, "password": "not-it-at-all"});
        let refused = asha.post(LOGIN, wrong).await.expect(401);
        let forgot = json!({"username": name});
        asha.post("/api/v1/auth/forgot-password/", forgot).await.expect(200);
        asha.post("/api/v1/auth/register/", registration(&name)).await;
        asha.page("/track/SECRET-AWB-1?of=asha").await;
        asha.page("/no/such/page?email=asha@example.in").await;
        let secrets = ["example.in", PASSWORD, "not-it", "SECRET-AWB", "98765"];
        let lines = logged.lines_without(&[&[&*name], &secrets[..]].concat());
        let answered = |line: &&Value| line["message"] == "answered";
        let ids: Vec<&str> = lines
            .iter()
            .filter(answered)
            .map(|line| line["span"]["id"].as_str().expect("a number"))
            .collect();
        let mut different = ids.clone();
        different.sort_unstable();
        different.dedup();
        assert_eq!(different.len(), ids.len(), "each request has one of its own");
        let id = refused.header("x-request-id");
        let told = lines.iter().find(|line| line["span"]["id"] == id);
        let told = told.expect("what the answer was numbered with");
        assert_eq!((&told["route"], &told["status"]), (&json!("/api/v1/auth/login"), &json!(401)));
    });
}

#[test]
fn what_is_refused_is_logged_one_by_one_without_being_asked_for_and_says_nothing_personal() {
    block_on(async {
        let (logged, asha, name) = Logged::start("").await;
        let wrong = json!({"username": name, "password": "not-it-at-all"});
        let somebody_elses = "/api/v1/shipping/booking/SECRET-1/cancel/";
        let small = json!({"amount": "-5"});
        let refused = [
            (asha.post(LOGIN, wrong).await.expect(401), "unauthorized"),
            (asha.post(somebody_elses, json!({})).await.expect(404), "not_found"),
            (asha.without_token().get("/api/v1/wallet/balance/").await, "unauthorized"),
            (
                asha.post("/api/v1/payment/phonepe/create/", small).await.expect(400),
                "invalid_fields",
            ),
        ];
        let taken = asha.get("/api/v1/wallet/balance/").await.expect(200);
        let lines = logged.lines_without(&[&name, "not-it", "SECRET-1"]);
        let of = |id: &str| lines.iter().filter(|line| line["span"]["id"] == id).count();
        for (answer, code) in &refused {
            let id = answer.header("x-request-id");
            let line = lines.iter().find(|line| line["span"]["id"] == id);
            let line = line.unwrap_or_else(|| panic!("{code} is not in the log: {lines:?}"));
            assert_eq!((&line["message"], of(id)), (&json!("refused"), 1));
            assert_eq!(line["code"], *code);
            assert_eq!(line["status"], answer.status.as_u16());
        }
        assert_eq!(of(taken.header("x-request-id")), 0);
    });
}

#[test]
fn every_line_names_its_process_and_the_version() {
    block_on(async {
        let mut nodes = Vec::new();
        for _ in 0..2 {
            let (logged, asha, _) = Logged::start("info").await;
            asha.page("/no/such/page").await;
            let lines = logged.lines_without(&[]);
            assert!(lines.len() > 2, "{lines:?}");
            for line in &lines {
                assert_eq!(line["version"], env!("CARGO_PKG_VERSION"), "{line}");
                assert_eq!(line["node"], lines[0]["node"], "{line}");
            }
            nodes.push(lines[0]["node"].as_str().expect("a name").to_owned());
        }
        assert!(!nodes[0].is_empty());
        assert_ne!(nodes[0], nodes[1], "each process has a name of its own");
    });
}
