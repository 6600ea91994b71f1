//! Every command, as the program lists them: its help, its refusal without a name or a reason, the
//! effect of a dry run, and its entry in the record.

use std::collections::BTreeSet;

use dakiya_core::model::operator::{ActionFilter, OperatorAction};
use dakiya_core::services::operators::events;
use serde_json::{Value, json};
use tempfile::TempDir;

use super::orders::booked;
use super::payments::{called_back, credited, disputed};
use super::stuck::left_at;
use super::{Ran, dakiya, rows, unchanged};
use crate::app::{TestApp, block_on};
use crate::books::reconciliation::{report, today};
use crate::couriers::Rig;
use crate::{kyc, two_step};

/// The subcommands of a command, as its help lists them.
fn below(app: &TestApp, line: &str) -> Vec<String> {
    let help = dakiya(app, format!("{line} --help").trim()).out;
    let listed = help.split_once("Commands:\n").map_or("", |(_, rest)| rest);
    let listed = listed.split("\n\n").next().unwrap_or_default();
    let names = listed.lines().filter_map(|line| line.split_whitespace().next());
    let names = names.filter(|name| !["help", "sandbox"].contains(name));
    names.map(|name| format!("{line} {name}").trim().to_owned()).collect()
}

/// All commands without subcommands.
fn leaves(app: &TestApp) -> BTreeSet<String> {
    let (mut waiting, mut leaves) = (below(app, ""), BTreeSet::new());
    while let Some(line) = waiting.pop() {
        let more = below(app, &line);
        if more.is_empty() {
            leaves.insert(line);
        }
        waiting.extend(more);
    }
    leaves
}

/// The commands that were tried, each on the same database as those before it.
struct Tried {
    rig: Rig,
    commands: BTreeSet<String>,
}

impl Tried {
    fn run(&self, line: &str) -> Ran {
        dakiya(&self.rig.app, line)
    }

    async fn record(&self) -> Vec<OperatorAction> {
        let filter = ActionFilter { limit: 1, ..ActionFilter::default() };
        let newest = events::actions(&self.rig.app.app.core.store, &filter).await;
        newest.expect("a record")
    }

    /// Checks that a command's help has an example, and that a usage error is answered as JSON.
    fn help(&mut self, command: &str) -> String {
        let help = self.run(&format!("{command} --help"));
        assert_eq!(help.code, 0, "{help:?}");
        let example = format!("dakiya {command}");
        for part in ["Usage: dakiya ", "Examples:", &example, "--json"] {
            assert!(help.out.contains(part), "{command}: no {part}: {help:?}");
        }
        let senseless = self.run(&format!("{command} --json --as"));
        assert_eq!((senseless.code, &senseless.error()["code"]), (2, &json!("usage")));
        assert!(self.commands.insert(command.to_owned()), "{command} twice");
        help.out
    }

    /// Runs a command that changes nothing.
    async fn reads(&mut self, command: &str, rest: &str) -> Value {
        let help = self.help(command);
        assert!(!help.contains("--reason"), "{command} needs no reason");
        let before = rows(&self.rig.app).await;
        let told = self.run(format!("{command} {rest}").trim()).json();
        unchanged(&self.rig.app, &before).await;
        told
    }

    /// Runs a command that shows personal data: it needs a name, but no reason, and is recorded.
    async fn looks_up(&mut self, command: &str, rest: &str) -> Value {
        let help = self.help(command);
        assert!(!help.contains("--reason"), "{command} needs no reason");
        let line = format!("{command} {rest} --json");
        self.needs_a_name(command, &line).await;
        let told = self.run(&format!("{line} --as ravi")).json();
        let newest = self.record().await.remove(0);
        assert_eq!((&*newest.command, &*newest.actor), (command, "ravi"));
        told
    }

    /// Checks that a command line without a name is refused and changes nothing.
    async fn needs_a_name(&self, command: &str, line: &str) {
        let before = rows(&self.rig.app).await;
        let nobody = self.run(line);
        let name = nobody.error()["message"].to_string();
        assert!(name.contains("Say who you are"), "{command}: {nobody:?}");
        unchanged(&self.rig.app, &before).await;
    }

    /// Runs a command that changes something: it needs a name and a reason, and is recorded.
    async fn changes(&mut self, command: &str, rest: &str) -> Value {
        self.help(command);
        self.changed(command, rest, 0).await
    }

    /// Runs a command that changes something and ends with this exit code.
    async fn changed(&mut self, command: &str, rest: &str, code: i32) -> Value {
        let line = format!("{command} {rest} --json");
        let before = rows(&self.rig.app).await;
        self.needs_a_name(command, &format!("{line} --reason why")).await;
        assert_eq!(self.run(&format!("{line} --as ravi")).error()["code"], "usage");
        unchanged(&self.rig.app, &before).await;
        let done = self.run(&format!("{line} --reason why --as ravi"));
        assert_eq!(done.code, code, "{command}: {done:?}");
        let newest = self.record().await.remove(0);
        assert_eq!((&*newest.command, &*newest.actor), (command, "ravi"));
        assert!(newest.arguments.get().contains("why"), "{newest:?}");
        let told: Value = serde_json::from_str(&done.out).expect("JSON");
        assert_eq!(told["action"], newest.action, "{command}: {told}");
        told
    }

    /// Runs a command that moves money: a dry run without effect, then for real, and never twice.
    async fn moves(&mut self, command: &str, rest: &str) -> Value {
        let help = self.help(command);
        assert!(help.contains("--dry-run"), "{command} cannot be rehearsed");
        let line = format!("{command} {rest} --reason why --as ravi --json");
        let before = rows(&self.rig.app).await;
        let dry = self.run(&format!("{line} --dry-run")).json();
        unchanged(&self.rig.app, &before).await;
        assert_eq!(dry["dry_run"], json!(true));
        assert!(!dry["entries"].is_null(), "{command} moves money: {dry}");
        let told = self.changed(command, rest, 0).await;
        assert_eq!(told["entries"], dry["entries"], "{command}");
        let after = rows(&self.rig.app).await;
        let again = self.run(&line);
        match again.code {
            0 => assert!(again.json()["entries"].is_null(), "{command}: {again:?}"),
            _ => {
                again.error();
                unchanged(&self.rig.app, &after).await;
            }
        }
        told
    }
}

fn id<'a>(told: &'a Value, name: &str) -> &'a str {
    told[name].as_str().expect("an id")
}

#[test]
fn every_command_explains_itself_needs_a_name_to_change_anything_and_is_written_down() {
    block_on(async {
        let rig = Rig::start().await;
        called_back(&rig.app).await;
        let (app, asha) = (rig.app.clone(), rig.asha.clone());
        let user = &*asha.username;
        let paid = credited(&asha).await;
        let of_the_day = report(&app).await;
        let unfit = disputed(&app, &asha, 49_900).await;
        let [_, carried] = booked(&asha, "carried").await;
        let [_, lost] = booked(&asha, "lost").await;
        let unanswered = left_at(&rig, "called").await;
        let unsent = left_at(&rig, "held").await;
        let folder = TempDir::new().expect("a folder");
        let file = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::write(&path, text).expect("written");
            path.display().to_string()
        };
        let cards = file("cards.csv", "#fuel,month,percent,product_id\nfuel,2026-02,20,1\n");
        let wrong = file("report.csv", &of_the_day.replace("50000.00", "50000.01"));
        let mut desk = Tried { rig, commands: BTreeSet::new() };

        let it = &mut desk;
        it.reads("orders list", "--json").await;
        it.reads("orders show", &format!("{carried} --json")).await;
        it.moves("orders refund", &format!("{carried} 50")).await;
        it.changes("orders quarantine", &unanswered).await;
        it.reads("tasks list", "--json").await;
        it.changes("tasks retry", &format!("courier_order {unanswered}")).await;
        let fate = "--booked SR123456789";
        it.moves("orders resolve", &format!("{unanswered} {fate}")).await;
        it.moves("orders release", &unsent).await;
        it.moves("track add", &format!("{lost} cancelled")).await;
        it.run(&format!("track add {lost} in_transit --reason why --as ravi"));
        it.moves("orders charge-again", &lost).await;

        it.reads("payments disputes", "--json").await;
        it.reads("payments show", &format!("{paid} --json")).await;
        it.moves("payments settle-dispute", &format!("{unfit} --credit")).await;
        it.moves("payments refund", &format!("{paid} --amount 5")).await;
        it.moves("payments settled", "900 --fee 9 --reference UTR1").await;
        let taken = format!("{paid} --amount 7 --reference CB1 --no-freeze");
        it.moves("payments chargeback", &taken).await;
        it.moves("payments chargeback-won", "CB1").await;
        it.moves("wallet adjust", &format!("{user} 5 --goodwill")).await;
        it.moves("couriers settle", "house 7 --reference UTR2").await;
        it.moves("couriers bill-differs", "house -2 --bill 77").await;

        let claim = format!(
            "{carried} --grams 90000 --taxable 100 --courier-amount 60 --courier-reference H-1 \
             --proof https://courier.example.in/1.jpg"
        );
        it.changes("weights claim", &claim).await;
        let open = it.looks_up("weights list", "").await;
        it.moves("weights decide", &format!("{} --charge", id(&open[0], "claim"))).await;

        it.help("reconciliation day");
        let day = format!("{wrong} --day {}", today(&app));
        it.changed("reconciliation day", &day, 1).await;
        let open = it.reads("reconciliation list", "--json").await;
        it.changes("reconciliation close", id(&open[0], "exception")).await;

        it.changes("keys reseal", "").await;
        it.reads("keys show", "--json").await;

        let to = folder.path().join("backup");
        it.looks_up("backup", &format!("--to {}", to.display())).await;
        it.help("restore");
        it.help("recover");
        let mark = "insert into counters (counter, value) values ('restored', 1)";
        app.tamper(mark).await.expect("as if it was restored");
        it.changes("resume", "--invoice-gap 3").await;

        it.changes("services off", "1").await;
        it.changes("services on", "1").await;
        it.reads("services list", "--json").await;
        it.changes("rates import", &cards).await;
        it.reads("rates show", "--from 110001 --to 560001 --weight 2 --length 9 --json").await;
        it.changes("pins add", "560999 Bengaluru KA").await;
        it.reads("pins unlisted", "--json").await;
        it.changes("users freeze", user).await;
        it.changes("users unfreeze", user).await;
        it.changes("users sez", &format!("{user} --gstin 07AAACR5055K1Z9")).await;
        it.changes("users sez-off", user).await;
        it.changes("users end-sessions", user).await;
        it.reads("users show", &format!("{user} --as ravi --json")).await;
        it.looks_up("users events", user).await;
        let mut meera = app.anon();
        meera.join("meera").await;
        let [path, _] = kyc::uploaded(&meera).await;
        let user = &*meera.username;
        it.reads("kyc list", &format!("{user} --as ravi --json")).await;
        let to = folder.path().join("document");
        let document = path.trim_start_matches("/kyc/");
        it.changes("kyc read", &format!("{document} --to {}", to.display())).await;
        two_step::switched_on(&app, &meera).await;
        it.changes("users two-step-off", user).await;
        it.changes("users close", user).await;
        it.reads("actions list", "--json").await;
        it.reads("audit", "--json").await;
        it.reads("migrate", "--json").await;
        it.reads("check", "--json").await;
        it.help("healthcheck");
        it.looks_up("pickups", "--day 2026-11-26").await;
        it.looks_up("calls list", "").await;
        let to = folder.path().join("return");
        it.help("e-invoices write");
        it.help("e-invoices store");
        it.looks_up("gst", &format!("--month 2026-11 --to {}", to.display())).await;
        let ask = format!("/track/{carried}/call");
        app.anon().form(&ask, &[]).await.expect(303);
        it.changes("calls done", &carried).await;
        it.run(&format!("track add {carried} lost --reason why --as ravi"));
        let found = it.reads("track list", "--json").await;
        it.changes("track settle", id(&found[0], "finding")).await;
        it.reads("openapi", "--json").await;
        assert_eq!(desk.commands, leaves(&app), "left: tried, right: there are");
    });
}
