//! Metrics of the real program, as Prometheus reads them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use dakiya_core::limits::{CONFIRM_AGAIN_LETTERS, CONFIRM_LETTERS};
use dakiya_core::random::random_id;
use regex::Regex;
use reqwest::Method;
use serde_json::json;
use tempfile::TempDir;

use crate::app::{Actor, block_on};
use crate::databases::{fresh_database, run_sql};
use crate::email::leads;
use crate::gateway::client;
use crate::patience::{eventually, until};
use crate::program::{Program, Running, lasting_port};
use crate::{bookings, couriers};

const HANDBOOK: &str = include_str!("../../docs/operating.md");

/// Counters with labels, which appear with their first event: a refusal or a failure.
const RARE: [&str; 9] = [
    "dakiya_connections_cut_total",
    "dakiya_connections_refused_total",
    "dakiya_courier_access_refused_total",
    "dakiya_courier_failures_total",
    "dakiya_courier_kept_orders_total",
    "dakiya_courier_rejections_total",
    "dakiya_database_given_up_total",
    "dakiya_messages_over_budget_total",
    "dakiya_refused_total",
];

/// A program with its operators' address: servers in one process would share their metrics.
pub struct Server {
    program: Program,
    pub running: Running,
    pub operators: Actor,
    /// The address of its pretend providers.
    sandbox: String,
}

/// One line of a scrape.
#[derive(Debug)]
pub struct Sample {
    name: String,
    labels: BTreeMap<String, String>,
    value: f64,
}

impl Server {
    pub async fn start(folder: &Path, database: &str) -> Server {
        Server::start_with(folder, database, &[]).await
    }

    async fn start_with(folder: &Path, database: &str, more: &[(&'static str, &str)]) -> Server {
        let address = format!("127.0.0.1:{}", lasting_port());
        let sandbox = format!("127.0.0.1:{}", lasting_port());
        let mut settings = vec![
            ("DATABASE_URL", database.to_owned()),
            ("DAKIYA_METRICS_LISTEN", address.clone()),
            ("DAKIYA_SANDBOX_LISTEN", sandbox.clone()),
            ("DAKIYA_GATEWAY_REPORTS", folder.display().to_string()),
        ];
        settings.extend(more.iter().map(|&(name, value)| (name, value.to_owned())));
        let program = Program::new(folder, settings);
        let mut running = program.start();
        program.ready(&mut running).await;
        let operators = Actor::at(&format!("http://{address}"));
        Server { program, running, operators, sandbox: format!("http://{sandbox}") }
    }

    fn visitor(&self) -> Actor {
        Actor::at(&self.program.url)
    }

    pub async fn scrape(&self) -> Vec<Sample> {
        samples(self.operators.get("/metrics").await.expect(200).text())
    }
}

fn samples(text: &str) -> Vec<Sample> {
    let line = Regex::new(r"(?m)^([a-z_]+)(?:\{(.*)\})? (\S+)$").expect("a pattern");
    let label = Regex::new(r#"([a-z_]+)="([^"]*)""#).expect("a pattern");
    let sample = |found: regex::Captures<'_>| {
        let labels = found.get(2).map_or("", |labels| labels.as_str());
        let labels = label.captures_iter(labels);
        Sample {
            name: found[1].to_owned(),
            labels: labels.map(|it| (it[1].to_owned(), it[2].to_owned())).collect(),
            value: found[3].parse().expect("a number"),
        }
    };
    line.captures_iter(text).map(sample).collect()
}

/// The sum of the samples with this name and these labels.
pub fn total(samples: &[Sample], name: &str, labels: &[(&str, &str)]) -> f64 {
    let has = |sample: &&Sample| {
        let mut labels = labels.iter();
        sample.name == name
            && labels.all(|(label, value)| sample.labels.get(*label).is_some_and(|it| it == value))
    };
    samples.iter().filter(has).map(|sample| sample.value).sum()
}

/// The names in the handbook's table.
fn documented() -> BTreeSet<&'static str> {
    let row = Regex::new(r"(?m)^\| `((?:dakiya|process)_[a-z_]+)` *\|").expect("a pattern");
    row.captures_iter(HANDBOOK).map(|found| found.extract::<1>().1[0]).collect()
}

#[test]
fn times_of_requests_are_histograms_that_add_up_over_servers() {
    block_on(async {
        let folder = TempDir::new().expect("a folder");
        let database = fresh_database(folder.path()).await;
        let start = async || Server::start(folder.path(), &database).await;
        let servers = [start().await, start().await];
        for (server, times) in servers.iter().zip([3, 4]) {
            for _ in 0..times {
                server.visitor().get("/login").await.expect(200);
            }
            server.visitor().get("/api/v1/wallet/balance/").await.expect(401);
            // A client can send any method, which must not become a label.
            let odd = Method::from_bytes(b"BREW").expect("a method");
            let odd = client().request(odd, format!("{}/login", server.program.url)).send().await;
            assert_eq!(odd.expect("an answer").status(), 405);
        }
        let mut all = Vec::new();
        for server in &servers {
            let text = server.operators.get("/metrics").await.expect(200);
            assert!(text.text().contains("# TYPE dakiya_request_seconds histogram\n"));
            assert!(!text.text().contains(" summary\n"), "a summary cannot be added up");
            all.extend(samples(text.text()));
        }
        let count = "dakiya_request_seconds_count";
        let of_login = [("route", "/login"), ("method", "GET"), ("status", "2xx")];
        assert_eq!(total(&all, count, &of_login), 7.0);
        let balance = ("route", "/api/v1/wallet/balance");
        assert_eq!(total(&all, count, &[balance, ("status", "4xx")]), 2.0);
        assert_eq!(total(&all, count, &[("route", "/login"), ("method", "other")]), 2.0);
        assert_eq!(total(&all, count, &[("method", "BREW")]), 0.0);
        assert_eq!(total(&all, "dakiya_requests_total", &[("route", "/login")]), 9.0);
        let mut before = 0.0;
        for upto in ["0.005", "0.02", "0.05", "0.1", "0.2", "0.5", "1", "2", "5", "10", "30"] {
            let bucket = [&of_login[..], &[("le", upto)]].concat();
            let series = all.iter().filter(|it| {
                it.name == "dakiya_request_seconds_bucket"
                    && bucket.iter().all(|(label, value)| it.labels[*label] == *value)
            });
            assert_eq!(series.count(), 2, "{upto}: one for each server");
            let within = total(&all, "dakiya_request_seconds_bucket", &bucket);
            assert!(within >= before, "{upto}: {within} after {before}");
            before = within;
        }
        let whole = [&of_login[..], &[("le", "+Inf")]].concat();
        assert_eq!(total(&all, "dakiya_request_seconds_bucket", &whole), 7.0);
    });
}

/// Registers, fills the wallet, and books with our own courier and with a partner. Returns texts
/// about this customer.
async fn shop(server: &Server) -> Vec<String> {
    let mut asha = server.visitor();
    asha.join("asha").await;
    asha.recharge(20_000).await;
    let rates = asha.post("/api/v1/shipping/calculate-rate", couriers::parcel("2.5")).await;
    let rates = rates.expect(200).json();
    let all = rates["data"].as_array().expect("rates").iter();
    let own = all.filter(|rate| rate["product_id"].as_i64() < Some(1_000_000)).take(1).cloned();
    let partners = couriers::of_partners(&rates);
    let partners = partners.into_iter().filter(|rate| rate["otp_required"] == false).take(1);
    let mut personal = vec![asha.username.clone(), "example.in".to_owned(), "98765".to_owned()];
    for service in own.chain(partners).collect::<Vec<_>>() {
        let booked = bookings::confirm(&asha, &random_id(), &bookings::form(&service)).await;
        let booked = couriers::item(&booked.expect(200));
        let text = |name: &str| booked[name].as_str().expect("a text").to_owned();
        let (awb, label) = (text("airwaybilno"), text("dispatch_url"));
        asha.page(&label).await.expect(200);
        asha.get(&format!("/track/{awb}")).await.expect(200);
        personal.extend([awb, label]);
    }
    asha.page(&format!("/no/such/page/{}?email=asha@example.in", asha.username)).await.expect(404);
    asha.post("/api/v1/no/such/98765/", json!({})).await.expect(404);
    personal
}

#[test]
fn after_a_booking_each_metric_is_there_and_no_label_names_anybody() {
    block_on(async {
        let folder = TempDir::new().expect("a folder");
        let database = fresh_database(folder.path()).await;
        let server = Server::start(folder.path(), &database).await;
        let personal = shop(&server).await;
        let base = |name: &str| {
            let series = ["_bucket", "_sum", "_count"].iter();
            let base = series.filter_map(|suffix| name.strip_suffix(*suffix)).next();
            base.unwrap_or(name).to_owned()
        };
        // The letter and the regular tasks need a moment.
        let shown = eventually(async || {
            let shown = server.scrape().await;
            let names: BTreeSet<String> = shown.iter().map(|it| base(&it.name)).collect();
            let mut missing = documented().into_iter().filter(|it| !names.contains(*it));
            missing.all(|name| RARE.contains(&name)).then_some(shown)
        });
        let shown = shown.await;
        let plain = Regex::new(r"^[A-Za-z0-9_ ./{}*+-]{0,80}$").expect("a pattern");
        for (label, value) in shown.iter().flat_map(|sample| &sample.labels) {
            assert!(plain.is_match(value), "{label} is {value}");
            let about = personal.iter().find(|text| value.contains(*text));
            assert!(about.is_none(), "{label} is {value}");
        }
        let told = |name| total(&shown, name, &[]);
        assert_eq!(
            total(&shown, "dakiya_build_info", &[("version", env!("CARGO_PKG_VERSION"))]),
            1.0
        );
        for op in ["read", "write", "audit"] {
            assert!(total(&shown, "dakiya_db_seconds_count", &[("op", op)]) > 0.0, "{op}");
        }
        // A recharge, and a booking with each courier.
        assert!(told("dakiya_ledger_lock_seconds_count") >= 3.0);
        let checks = [("pool", "checks")];
        assert_eq!(total(&shown, "dakiya_db_pool_waiting", &checks), 0.0);
        let bytes = 1024.0 * f64::from(i32::try_from(server.running.resident_kib()).expect("KiB"));
        let resident = told("process_resident_memory_bytes");
        assert!(resident > bytes / 4.0 && resident < bytes * 4.0, "{resident} of {bytes}");
        assert!(told("process_open_fds") > 5.0);
        assert!(told("process_start_time_seconds") > 1.6e9);
    });
}

#[test]
fn calls_of_providers_are_measured_with_their_outcomes() {
    block_on(async {
        let folder = TempDir::new().expect("a folder");
        let database = fresh_database(folder.path()).await;
        let nobody = [
            ("DAKIYA_SMTP_URL", "smtp://127.0.0.1:9"),
            ("DAKIYA_MAIL_FROM", "post@dakiya.example"),
        ];
        let server = Server::start_with(folder.path(), &database, &nobody).await;
        let mut asha = server.visitor();
        asha.join("asha").await;
        asha.recharge(1_000).await;
        let count = async |partner: &str, call: &str, outcome: &str| -> f64 {
            let labels = [("partner", partner), ("call", call), ("outcome", outcome)];
            total(&server.scrape().await, "dakiya_provider_seconds_count", &labels)
        };
        for call in ["token", "pay", "payment_status"] {
            assert!(count("phonepe", call, "ok").await >= 1.0, "{call}");
        }
        let letter = async || count("mail", "message", "not_sent").await >= 1.0;
        until("a letter is tried", letter).await;
        // Prices are kept for a while, so each parcel has a weight of its own.
        let ask = async |weight: &str| {
            let rates = asha.post("/api/v1/shipping/calculate-rate", couriers::parcel(weight));
            rates.await.expect(200);
        };
        ask("1").await;
        assert_eq!(count("shiprocket", "rates", "ok").await, 1.0);
        assert_eq!(count("shiprocket", "token", "ok").await, 1.0);
        let faults = [
            ("2", "internal_error", "failed"),
            ("3", "redirect", "failed"),
            ("4", "too_many", "refused"),
            ("5", "drop", "lost"),
        ];
        for (weight, kind, outcome) in faults {
            let fault = json!({"operation": "rates", "kind": kind});
            let control = format!("{}/__sim/shiprocket/faults", server.sandbox);
            let set = client().post(control).json(&fault).send().await;
            assert!(set.expect("the sandbox").status().is_success());
            let before = count("shiprocket", "rates", outcome).await;
            ask(weight).await;
            assert_eq!(count("shiprocket", "rates", outcome).await, before + 1.0, "{kind}");
        }
        assert_eq!(count("shiprocket", "rates", "ok").await, 1.0);
        let failures = [("courier", "shiprocket")];
        let shown = server.scrape().await;
        assert_eq!(total(&shown, "dakiya_courier_failures_total", &failures), 4.0);
    });
}

#[test]
fn a_letter_is_over_budget_only_if_no_other_budget_allows_it() {
    block_on(async {
        let folder = TempDir::new().expect("a folder");
        let database = fresh_database(folder.path()).await;
        let server = Server::start(folder.path(), &database).await;
        let mut asha = server.visitor();
        asha.join("asha").await;
        let used_up = format!(
            "update message_counts set sent = {}
             where kind = 'confirm_letter' and scope = 'receiver'",
            CONFIRM_LETTERS.receiver
        );
        run_sql(&database, &used_up).await.expect("a count");
        let refused = async |labels: &[(&str, &str)]| {
            total(&server.scrape().await, "dakiya_messages_over_budget_total", labels)
        };
        for _ in 0..CONFIRM_AGAIN_LETTERS.receiver {
            leads(asha.form("/account/email/send", &[]).await, "/account?saved=link");
            assert_eq!(refused(&[]).await, 0.0);
        }
        asha.form("/account/email/send", &[]).await;
        assert_eq!(refused(&[]).await, 1.0);
        assert_eq!(refused(&[("kind", "confirm_again_letter")]).await, 1.0);
    });
}

/// The faults of the books that a server shows, once it shows this number.
async fn shows_faults(server: &Server, faults: f64) {
    let what = format!("{} shows {faults} faults", server.program.url);
    let is_so = async || {
        let shown = server.scrape().await;
        let told = shown.iter().find(|sample| sample.name == "dakiya_books_faults");
        told.is_some_and(|sample| sample.value == faults)
    };
    until(&what, is_so).await;
}

#[test]
fn a_fault_of_the_books_is_shown_by_all_servers_and_ends_at_all() {
    block_on(async {
        let folder = TempDir::new().expect("a folder");
        let database = fresh_database(folder.path()).await;
        let start = async || Server::start(folder.path(), &database).await;
        let count = async |by: &str| {
            let change = format!("update counters set value = value {by} where counter = 'ledger'");
            run_sql(&database, &change).await.expect("changed");
        };
        // A transaction that was counted is missing among the seals, and in its wallet.
        count("+ 1").await;
        let first = start().await;
        shows_faults(&first, 2.0).await;
        count("- 1").await;
        run_sql(&database, "update tasks set due_ms = 0 where kind = 'audit'").await.expect("due");
        // Either server makes the audit, and the other learns of it from the database.
        let second = start().await;
        shows_faults(&second, 0.0).await;
        shows_faults(&first, 0.0).await;
        let audited = total(
            &second.scrape().await,
            "dakiya_audited_timestamp_seconds",
            &[("of", "everything")],
        );
        assert!(audited > 0.0);
    });
}

#[cfg(feature = "faults")]
#[test]
fn the_difference_of_a_machines_clock_to_the_databases_is_shown() {
    block_on(async {
        let folder = TempDir::new().expect("a folder");
        let database = fresh_database(folder.path()).await;
        for (wrong_ms, seconds) in [("7200000", 7_200.0), ("-7200000", -7_200.0)] {
            let wrong = [("DAKIYA_CLOCK_WRONG_MS", wrong_ms)];
            let server = Server::start_with(folder.path(), &database, &wrong).await;
            let is_shown = async || {
                let told = total(&server.scrape().await, "dakiya_clock_skew_seconds", &[]);
                (told - seconds).abs() < 2.0
            };
            until("the difference is shown", is_shown).await;
        }
    });
}
