//! Promise D6 for the real program on SQLite: its disk fills up or fails, at any write or sync,
//! under load. It still reads, reports the failure, writes again without a restart once the disk
//! works, and loses nothing that it has acknowledged.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use futures_util::future::join_all;
use serde_json::json;
use tokio::task::JoinHandle;

use super::shoppers::{Onlooker, Shopper, compare};
use crate::app::block_on;
use crate::faults::{Dice, Proof, runs};
use crate::gateway::Rig;
use crate::patience::forever;
use crate::payments::shop::{CALLBACK, variables};
use crate::program::{Program, Running};

const SHOPPERS: usize = 6;

/// The greatest number of calls before the one that fails.
const NTH_MAX: usize = 500;

/// Faults, as `enum mode` in `faulty_disk.c` numbers them; true if the fault lasts until the disk
/// is repaired and makes every write fail.
const MODES: [(i64, &str, bool); 5] = [
    (1, "the disk is full", true),
    (2, "one write or sync errs", false),
    (3, "writes and syncs err", true),
    (4, "syncs err", true),
    (5, "reads err", false),
];

/// The control file of the program's faulty disk.
struct FaultyDisk(File);

impl FaultyDisk {
    /// Compiles the preloaded library, and returns the variables that load it into the program.
    fn build(folder: &Path, files: &Path) -> (FaultyDisk, Vec<(&'static str, String)>) {
        let source = concat!(env!("CARGO_MANIFEST_DIR"), "/server/tests/it/store/faulty_disk.c");
        let (library, control) = (folder.join("faulty_disk.so"), folder.join("control"));
        let built = Command::new("cc")
            .args(["-O1", "-shared", "-fPIC", "-o"])
            .args([library.as_os_str(), source.as_ref(), "-ldl".as_ref()])
            .status();
        assert!(built.expect("a C compiler").success());
        std::fs::write(&control, [0; 32]).expect("a control file");
        let file = File::options().read(true).write(true).open(&control);
        let text = |path: &Path| path.display().to_string();
        let variables = vec![
            ("LD_PRELOAD", text(&library)),
            ("FAULTY_DISK_CONTROL", text(&control)),
            ("FAULTY_DISK_FILES", text(files)),
        ];
        (FaultyDisk(file.expect("a control file")), variables)
    }

    fn set(&self, place: u64, value: i64) {
        let written = self.0.write_all_at(&value.to_ne_bytes(), 8 * place);
        written.expect("a control file");
    }

    /// Makes the `nth` call from now on fail.
    fn arm(&self, mode: i64, nth: i64) {
        for (place, value) in [(1, nth), (2, 0), (3, 0), (0, mode)] {
            self.set(place, value);
        }
    }

    fn cure(&self) {
        self.set(0, 0);
    }

    /// Counts the calls that failed since the fault was armed.
    fn failed(&self) -> i64 {
        let mut value = [0; 8];
        let read = self.0.read_exact_at(&mut value, 24);
        read.expect("a control file");
        i64::from_ne_bytes(value)
    }
}

/// The running program, with customers.
struct Market {
    rig: Arc<Rig>,
    program: Program,
    running: Running,
    onlooker: Onlooker,
    stop: Arc<AtomicBool>,
    shopping: Vec<JoinHandle<Shopper>>,
}

impl Market {
    async fn open(folder: &Path, more: Vec<(&'static str, String)>, dice: &mut Dice) -> Market {
        let rig = Arc::new(Rig::start().await);
        let mut settings = Vec::from(variables(&rig.sandbox.base_url));
        settings.extend(more);
        settings.push(("DAKIYA_COURIERS", "house".to_owned()));
        let program = Program::new(folder, settings);
        rig.sandbox.set_callback_url(format!("{}{CALLBACK}", program.url));
        rig.set(json!({"callback_delay_ms": 100})).await;
        let mut running = program.start();
        program.ready(&mut running).await;
        let names: Vec<String> = (0..SHOPPERS).map(|n| format!("shopper-{n}")).collect();
        let arriving = names.iter().map(|name| Shopper::arrive(&program.url, name));
        let shoppers = join_all(arriving).await;
        let onlooker = Onlooker(Shopper::arrive(&program.url, "onlooker").await.actor);
        let stop = Arc::new(AtomicBool::new(false));
        let shopping = shoppers
            .into_iter()
            .map(|it| tokio::spawn(it.shop(rig.clone(), stop.clone(), dice.fork())))
            .collect();
        Market { rig, program, running, onlooker, stop, shopping }
    }

    /// Waits until `done`; false after a timeout.
    async fn wait(&self, mut done: impl AsyncFnMut() -> bool) -> bool {
        let until = Instant::now() + forever();
        while Instant::now() < until {
            if done().await {
                return true;
            }
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
        false
    }

    /// Ends the run: the program still lives, its audit finds no fault, and all customers find
    /// everything that was acknowledged to them.
    async fn close(mut self, proof: &Proof, folder: &Path) {
        self.stop.store(true, Ordering::Relaxed);
        let shoppers = join_all(self.shopping).await;
        let shoppers: Vec<Shopper> = shoppers.into_iter().map(Result::unwrap).collect();
        proof.holds(!self.running.is_dead(), || "the program died".to_owned());
        drop(self.running);
        let (clean, said) = self.program.audit();
        proof.holds(clean, || said);
        self.rig.set(json!({"callbacks": "never"})).await;
        compare(proof, &self.rig, shoppers, folder).await;
    }
}

/// Runs one fault of the disk, from its beginning to its repair; an error if the program behaved
/// wrongly.
async fn trouble(market: &Market, disk: &FaultyDisk, mode: usize, nth: i64) -> Result<(), String> {
    let (number, _, lasts) = MODES[mode];
    disk.arm(number, nth);
    let begun = market.wait(async || disk.failed() > 0).await;
    let ill = match begun && lasts {
        true => market.onlooker.while_ill().await,
        false => Ok(()),
    };
    disk.cure();
    if !begun {
        return Err("it never came to that".to_owned());
    }
    if !market.onlooker.sees_it_heal().await {
        return Err("it does not heal".to_owned());
    }
    ill
}

#[test]
fn a_disk_that_fails_at_any_write_or_sync_and_is_cured_loses_nothing_that_was_answered() {
    block_on(async {
        let mut proof = Proof::begin("D6 on a faulty disk");
        let folder = tempfile::TempDir::new().expect("a folder");
        let data = folder.path().join("data");
        let (disk, more) = FaultyDisk::build(folder.path(), &data.join("dakiya.sqlite"));
        let mut dice = proof.dice(0);
        let market = Market::open(&data, more, &mut dice).await;
        let all = (0..MODES.len()).flat_map(|mode| (1..=NTH_MAX).map(move |nth| (mode, nth)));
        let mut all: Vec<(usize, usize)> = all.collect();
        dice.shuffle(&mut all);
        // A small run has some of each mode.
        all.truncate(runs(2 * MODES.len(), all.len()));
        if all.len() == 2 * MODES.len() {
            for (at, trouble) in all.iter_mut().enumerate() {
                trouble.0 = at % MODES.len();
            }
        }
        for (mode, nth) in &all {
            let number = i64::try_from(*nth).expect("64 bits");
            let went = trouble(&market, &disk, *mode, number).await;
            let is_over = went.as_ref().is_err_and(|it| it == "it does not heal");
            proof.holds(went.is_ok(), || {
                format!("{}, from call {nth} on: {went:?}", MODES[*mode].1)
            });
            proof.add_runs(1);
            if is_over {
                break;
            }
        }
        market.close(&proof, &data).await;
        proof.end();
    });
}

#[cfg(feature = "faults")]
#[test]
fn the_proof_on_a_faulty_disk_fails_when_the_commit_is_not_looked_at() {
    let proof = "store::proof_disk::\
        a_disk_that_fails_at_any_write_or_sync_and_is_cured_loses_nothing_that_was_answered";
    crate::faults::must_fail(proof, "commit-unchecked");
}

/// Set in a process that may mount file systems.
const OWN_MOUNTS: &str = "DAKIYA_TEST_OWN_MOUNTS";

#[test]
fn a_file_system_that_is_really_full_and_is_emptied_loses_nothing_that_was_answered() {
    if std::env::var(OWN_MOUNTS).is_err() {
        return again_with_own_mounts(
            "store::proof_disk::\
             a_file_system_that_is_really_full_and_is_emptied_loses_nothing_that_was_answered",
        );
    }
    block_on(async {
        let mut proof = Proof::begin("D6 on a full file system");
        let folder = tempfile::TempDir::new().expect("a folder");
        let mounted = Command::new("mount")
            .args(["-t", "tmpfs", "-o", "size=24m", "tmpfs"])
            .arg(folder.path())
            .status();
        assert!(mounted.expect("mount").success());
        let data = folder.path().join("data");
        let mut dice = proof.dice(0);
        let market = Market::open(&data, Vec::new(), &mut dice).await;
        for run in 0..runs(2, 40) {
            let ballast = folder.path().join("ballast");
            fill(&ballast, 4_096 * dice.below(64) as u64);
            // A successful write found space in existing files: the rest of the space is filled
            // too, until there is none.
            let mut ill = Ok(());
            let is_ill = async || {
                ill = market.onlooker.while_ill().await;
                if ill.is_err() {
                    fill(&ballast, 0);
                }
                ill.is_ok()
            };
            let full = market.wait(is_ill).await;
            std::fs::remove_file(&ballast).expect("a ballast");
            let healed = market.onlooker.sees_it_heal().await;
            proof.holds(full && healed, || {
                format!("run {run}: full {full}, healed {healed}, {ill:?}")
            });
            proof.add_runs(1);
        }
        market.close(&proof, &data).await;
        proof.end();
    });
}

/// Fills the file system's free space, and frees `spare` bytes again.
fn fill(ballast: &Path, spare: u64) {
    use std::io::Write;
    let file = File::options().create(true).append(true).open(ballast);
    let mut file = file.expect("a ballast");
    while let Ok(1..) = file.write(&[7; 4_096]) {}
    let length = file.metadata().expect("a ballast").len();
    file.set_len(length.saturating_sub(spare)).expect("shorter");
}

/// Runs this test in its own mount namespace, which ends with it. Without the right to one the test
/// is skipped, with a message.
fn again_with_own_mounts(test: &str) {
    let may = Command::new("unshare").args(["--mount", "true"]).output();
    if !may.is_ok_and(|output| output.status.success()) {
        println!("skipped: no mount namespace without root");
        return;
    }
    let output = Command::new("unshare")
        .arg("--mount")
        .arg(std::env::current_exe().expect("a test binary"))
        .args([test, "--exact", "--nocapture"])
        .env(OWN_MOUNTS, "1")
        .output()
        .expect("unshare");
    let said = String::from_utf8_lossy(&output.stdout);
    print!("{said}");
    assert!(
        output.status.success() && said.contains("1 passed"),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}
