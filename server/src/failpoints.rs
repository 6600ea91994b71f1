//! Deliberate faults: each proof of a promise must fail while the fault that breaks the promise is
//! switched on, or it proves nothing. And points at which a proof lets a task die or stall. None
//! exists without the feature `faults`, as in the product.

/// Whether this fault is switched on, by the variable `DAKIYA_FAULT` of the process.
#[cfg(feature = "faults")]
pub fn on(name: &str) -> bool {
    use std::sync::LazyLock;
    static CHOSEN: LazyLock<Option<String>> = LazyLock::new(|| std::env::var("DAKIYA_FAULT").ok());
    CHOSEN.as_deref() == Some(name)
}

/// Whether this fault is switched on: never.
#[cfg(not(feature = "faults"))]
#[inline(always)]
pub fn on(_name: &str) -> bool {
    false
}

/// What faults change in a statement: the words that are taken out of it, and those put there.
#[cfg(feature = "faults")]
pub const IN_SQL: &[(&str, &str, &str)] = &[
    (
        "body-claimed-twice",
        "k.created_ms <= excluded.created_ms",
        "k.created_ms > 0 or k.created_ms > excluded.created_ms",
    ),
    (
        "charge-ends-twice",
        "user_id = $2 and state = 'held'",
        "user_id = $2",
    ),
    (
        "courier-asked-twice",
        "booking_id = $1 and state = 'held'",
        "booking_id = $1",
    ),
    (
        "invoice-number-skips",
        "counters.value + excluded.value",
        "counters.value + excluded.value + 1",
    ),
    (
        "invoice-dated-alone",
        "select issued_ms from invoices where kind",
        "select 0 * issued_ms from invoices where kind",
    ),
    (
        "off-sale-sold",
        "product_id = it.column2 and active <> 0",
        "product_id = it.column2",
    ),
    ("otp-tries-uncounted", "tries = tries + 1", "tries = 1"),
    ("otp-used-twice", " and used_ms is null", ""),
    (
        "refund-unguarded",
        "and refunded_paise + $3 <= taxable_paise + gst_paise",
        "",
    ),
    (
        "reset-used-twice",
        " and ended_ms is null and expires_ms > $3",
        "",
    ),
    (
        "told-twice",
        "set is_open = 0 where",
        "set is_open = 1 where",
    ),
];

/// A statement as the fault that is switched on wants it.
#[cfg(feature = "faults")]
pub fn sql(statement: &'static str) -> &'static str {
    let changes = IN_SQL.iter().filter(|(name, ..)| on(name));
    changes.fold(statement, |statement, (_, words, others)| {
        match statement.contains(words) {
            // A few statements in the life of one process of a proof.
            true => statement.replace(words, others).leak(),
            false => statement,
        }
    })
}

/// A statement as it stands: no fault is there.
#[cfg(not(feature = "faults"))]
#[inline(always)]
pub fn sql(statement: &'static str) -> &'static str {
    statement
}

/// What happens to whoever comes to a point.
#[cfg(feature = "faults")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FailAction {
    /// The task dies.
    Panic,
    /// Nothing goes on for so many milliseconds.
    Stall(u64),
}

#[cfg(feature = "faults")]
static ARMED: std::sync::Mutex<Vec<(String, String, FailAction)>> =
    std::sync::Mutex::new(Vec::new());

/// Strikes the first task that comes to a point for this user.
#[cfg(feature = "faults")]
pub fn arm(point: &str, user_id: &str, strike: FailAction) {
    let mut armed = ARMED.lock().expect("no code panics while holding it");
    armed.push((point.to_owned(), user_id.to_owned(), strike));
}

/// Whether a strike at this point still waits for somebody to come.
#[cfg(feature = "faults")]
pub fn armed(point: &str) -> bool {
    let armed = ARMED.lock().expect("no code panics while holding it");
    armed.iter().any(|it| it.0 == point)
}

/// A place in a task where a proof may strike.
#[cfg(feature = "faults")]
pub(crate) async fn point(point: &str, user_id: &str) {
    let strike = {
        let mut armed = ARMED.lock().expect("no code panics while holding it");
        let here = |it: &(String, String, FailAction)| it.0 == point && it.1 == user_id;
        let found = armed.iter().position(here);
        found.map(|at| armed.remove(at).2)
    };
    if STRUCK_AT.as_deref() == Some(point) {
        die().await;
    }
    match strike {
        None => {}
        Some(FailAction::Panic) => panic!("struck at {point}"),
        Some(FailAction::Stall(ms)) => {
            tokio::time::sleep(std::time::Duration::from_millis(ms)).await;
        }
    }
}

/// The point, named by the variable `DAKIYA_STRIKE`, at which the whole process dies.
#[cfg(feature = "faults")]
static STRUCK_AT: std::sync::LazyLock<Option<String>> =
    std::sync::LazyLock::new(|| std::env::var("DAKIYA_STRIKE").ok());

/// Dies as by a power cut: nothing is finished, flushed or closed.
#[cfg(feature = "faults")]
async fn die() {
    let kill = std::process::Command::new("sh")
        .args(["-c", "kill -KILL $PPID"])
        .status();
    panic!("still alive: {kill:?}");
}

/// How far ahead the process's clock begins, by the variable `DAKIYA_CLOCK_AHEAD_MS`: a process
/// that is started again can be told that time went by.
#[cfg(feature = "faults")]
pub fn clock_ahead_ms() -> i64 {
    let ahead = std::env::var("DAKIYA_CLOCK_AHEAD_MS").ok();
    ahead.and_then(|ahead| ahead.parse().ok()).unwrap_or(0)
}

/// How far ahead the process's clock begins: it does not.
#[cfg(not(feature = "faults"))]
#[inline(always)]
pub fn clock_ahead_ms() -> i64 {
    0
}

/// A place in a task where a proof may strike: none does.
#[cfg(not(feature = "faults"))]
#[inline(always)]
pub(crate) async fn point(_point: &str, _user_id: &str) {}
