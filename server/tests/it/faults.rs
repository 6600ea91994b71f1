//! Proofs: number of runs, seed, output, and a check that they can fail.
//!
//! A proof runs small counts from a fixed seed, and its full counts from a random one when
//! `DAKIYA_PROVE` is 1. `DAKIYA_SEED` repeats a run. `./build.sh prove` runs the full counts.

use std::env;
use std::sync::Mutex;

use serde_json::json;

/// Runs of a proof: `ci` on every commit, `full` when everything is proved.
pub fn runs(ci: usize, full: usize) -> usize {
    if is_full() { full } else { ci }
}

fn is_full() -> bool {
    env::var("DAKIYA_PROVE").is_ok_and(|value| value == "1")
}

/// One proof of one promise of server/docs/money.md, from its seed to its last line.
pub struct Proof {
    promise: &'static str,
    seed: u64,
    runs: usize,
    violations: Mutex<Vec<String>>,
}

impl Proof {
    /// Prints the seed before anything can fail.
    pub fn begin(promise: &'static str) -> Proof {
        let given = env::var("DAKIYA_SEED").ok();
        let given = given.map(|seed| seed.parse().expect("DAKIYA_SEED is a number"));
        let seed = given.unwrap_or_else(|| if is_full() { random() } else { 2_026 });
        println!("proof of {promise}: seed={seed}");
        Proof { promise, seed, runs: 0, violations: Mutex::default() }
    }

    /// The random numbers of one run, independent of other runs.
    pub fn dice(&self, run: usize) -> Dice {
        let run = u64::try_from(run).expect("64 bits");
        Dice::new(self.seed ^ Dice::new(run).next())
    }

    pub fn add_runs(&mut self, runs: usize) {
        self.runs += runs;
    }

    /// Records a violation unless the promise was kept. With a deliberate fault, the first one ends
    /// the test.
    #[track_caller]
    pub fn holds(&self, held: bool, otherwise: impl FnOnce() -> String) {
        if held {
            return;
        }
        let violation = otherwise();
        println!("violation: {violation}");
        assert!(env::var_os("DAKIYA_FAULT").is_none(), "{violation}");
        self.violations.lock().unwrap().push(violation);
    }

    /// Prints the result; fails when the promise was broken.
    #[track_caller]
    pub fn end(self) {
        let (promise, violations) = (self.promise, self.violations.into_inner().unwrap());
        let number = violations.len();
        println!("{}", json!({"promise": promise, "runs": self.runs, "violations": number}));
        let first = violations.first();
        assert!(first.is_none(), "{promise}, seed={}: {first:?}", self.seed);
    }
}

fn random() -> u64 {
    use std::hash::{BuildHasher, RandomState};
    RandomState::new().hash_one(0)
}

/// Numbers that look random and follow from a seed (SplitMix64).
#[derive(Clone, Debug)]
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Dice {
        Dice(seed)
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number from zero up to and without `end`.
    pub fn below(&mut self, end: usize) -> usize {
        let end = u64::try_from(end).expect("64 bits");
        usize::try_from(self.next() % end).expect("below a usize")
    }

    /// Independent random numbers for a concurrent task.
    pub fn fork(&mut self) -> Dice {
        Dice::new(self.next())
    }

    pub fn pick<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        &of[self.below(of.len())]
    }

    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for end in (1..items.len()).rev() {
            items.swap(end, self.below(end + 1));
        }
    }
}

/// Starts this test binary again for one test with a deliberate fault switched on, in small counts,
/// and asserts that the test fails: a proof that cannot fail proves nothing. Some faults show only
/// in a certain order of concurrent events, so a few seeds are tried.
#[cfg(feature = "faults")]
#[track_caller]
pub fn must_fail(test: &str, fault: &str) {
    let mut missed = String::new();
    for seed in 2_026..2_030 {
        let binary = env::current_exe().expect("a test binary");
        let output = std::process::Command::new(binary)
            .args([test, "--exact", "--nocapture"])
            .env("DAKIYA_FAULT", fault)
            .env("DAKIYA_SEED", seed.to_string())
            .env_remove("DAKIYA_PROVE")
            .output()
            .expect("the test binary starts");
        let said = String::from_utf8_lossy(&output.stdout);
        if !output.status.success() && said.contains("1 failed") {
            return;
        }
        missed += &said;
        missed += &String::from_utf8_lossy(&output.stderr);
    }
    panic!("{test} did not notice {fault}:\n{missed}");
}

/// A proof of the proofs: it holds, and fails with a deliberate fault.
#[test]
fn dice_stay_below_their_end_and_fall_the_same_from_the_same_seed() {
    let mut proof = Proof::begin("dice");
    for run in 0..runs(10, 1_000) {
        let (mut one, mut two) = (proof.dice(run), proof.dice(run));
        let mut cards: Vec<usize> = (0..6).collect();
        one.shuffle(&mut cards);
        let mut same: Vec<usize> = (0..6).collect();
        two.shuffle(&mut same);
        proof.holds(cards == same, || format!("{cards:?} and {same:?}"));
        let end = if dakiya_core::failpoints::on("loaded-dice") { 1 } else { 7 };
        let thrown: Vec<usize> = (0..100).map(|_| one.below(end)).collect();
        proof.holds(thrown.contains(one.pick(&[6])), || format!("{thrown:?}"));
    }
    proof.add_runs(runs(10, 1_000));
    proof.end();
}

#[cfg(feature = "faults")]
#[test]
fn a_proof_whose_promise_is_broken_fails() {
    must_fail(
        "faults::dice_stay_below_their_end_and_fall_the_same_from_the_same_seed",
        "loaded-dice",
    );
}
