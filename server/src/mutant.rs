//! Deliberate faults: each proof of a promise must fail while the fault that breaks the promise is
//! switched on, or it proves nothing. And points at which a proof lets a task die or stall. None
//! exists without the feature `mutants`, as in the product.

/// Whether this fault is switched on, by the variable `DAKIYA_MUTANT` of the process.
#[cfg(feature = "mutants")]
pub fn on(name: &str) -> bool {
    use std::sync::LazyLock;
    static CHOSEN: LazyLock<Option<String>> = LazyLock::new(|| std::env::var("DAKIYA_MUTANT").ok());
    CHOSEN.as_deref() == Some(name)
}

/// Whether this fault is switched on: never.
#[cfg(not(feature = "mutants"))]
#[inline(always)]
pub fn on(_name: &str) -> bool {
    false
}

/// What happens to whoever comes to a point.
#[cfg(feature = "mutants")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strike {
    /// The task dies.
    Panic,
    /// Nothing goes on for so many milliseconds.
    Stall(u64),
}

#[cfg(feature = "mutants")]
static ARMED: std::sync::Mutex<Vec<(String, String, Strike)>> = std::sync::Mutex::new(Vec::new());

/// Strikes the first task that comes to a point for this user.
#[cfg(feature = "mutants")]
pub fn arm(point: &str, user_id: &str, strike: Strike) {
    let mut armed = ARMED.lock().expect("no code panics while holding it");
    armed.push((point.to_owned(), user_id.to_owned(), strike));
}

/// Whether a strike at this point still waits for somebody to come.
#[cfg(feature = "mutants")]
pub fn armed(point: &str) -> bool {
    let armed = ARMED.lock().expect("no code panics while holding it");
    armed.iter().any(|it| it.0 == point)
}

/// A place in a task where a proof may strike.
#[cfg(feature = "mutants")]
pub async fn point(point: &str, user_id: &str) {
    let strike = {
        let mut armed = ARMED.lock().expect("no code panics while holding it");
        let here = |it: &(String, String, Strike)| it.0 == point && it.1 == user_id;
        let found = armed.iter().position(here);
        found.map(|at| armed.remove(at).2)
    };
    if STRUCK_AT.as_deref() == Some(point) {
        die().await;
    }
    match strike {
        None => {}
        Some(Strike::Panic) => panic!("struck at {point}"),
        Some(Strike::Stall(ms)) => {
            tokio::time::sleep(std::time::Duration::from_millis(ms)).await;
        }
    }
}

/// The point, named by the variable `DAKIYA_STRIKE`, at which the whole process dies.
#[cfg(feature = "mutants")]
static STRUCK_AT: std::sync::LazyLock<Option<String>> =
    std::sync::LazyLock::new(|| std::env::var("DAKIYA_STRIKE").ok());

/// Dies as by a power cut: nothing is finished, flushed or closed.
#[cfg(feature = "mutants")]
async fn die() {
    let kill = std::process::Command::new("sh")
        .args(["-c", "kill -KILL $PPID"])
        .status();
    panic!("still alive: {kill:?}");
}

/// How far ahead the process's clock begins, by the variable `DAKIYA_CLOCK_AHEAD_MS`: a process
/// that is started again can be told that time went by.
#[cfg(feature = "mutants")]
pub fn clock_ahead_ms() -> i64 {
    let ahead = std::env::var("DAKIYA_CLOCK_AHEAD_MS").ok();
    ahead.and_then(|ahead| ahead.parse().ok()).unwrap_or(0)
}

/// How far ahead the process's clock begins: it does not.
#[cfg(not(feature = "mutants"))]
#[inline(always)]
pub fn clock_ahead_ms() -> i64 {
    0
}

/// A place in a task where a proof may strike: none does.
#[cfg(not(feature = "mutants"))]
#[inline(always)]
pub async fn point(_point: &str, _user_id: &str) {}
