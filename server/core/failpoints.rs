//! Failpoints: deliberate faults, with which tests prove that they notice a broken promise, and
//! points at which a test lets a task panic or stall. All are no-ops without the feature `faults`,
//! as in the product.

/// True if this fault is chosen by the environment variable `DAKIYA_FAULT`.
#[cfg(feature = "faults")]
pub fn on(name: &str) -> bool {
    use std::sync::LazyLock;
    static CHOSEN: LazyLock<Option<String>> = LazyLock::new(|| std::env::var("DAKIYA_FAULT").ok());
    CHOSEN.as_deref() == Some(name)
}

/// Returns false: there are no faults in this build.
#[cfg(not(feature = "faults"))]
#[inline(always)]
pub fn on(_name: &str) -> bool {
    false
}

/// Changes of SQL by faults: the fault, the words removed, and their replacement.
#[cfg(feature = "faults")]
pub const IN_SQL: &[(&str, &str, &str)] = &[
    (
        "body-claimed-twice",
        "k.created_ms <= excluded.created_ms",
        "k.created_ms > 0 or k.created_ms > excluded.created_ms",
    ),
    ("charge-ends-twice", "user_id = $2 and state = 'held'", "user_id = $2"),
    ("courier-asked-twice", "booking_id = $1 and state = 'held'", "booking_id = $1"),
    ("guesses-uncounted", "wrong = wrong * $2 + $3", "wrong = wrong * $2 + 0 * $3"),
    ("invoice-number-skips", "set last = $4, issued_ms", "set last = $4 + 1, issued_ms"),
    (
        "invoice-dated-alone",
        "select code, last, issued_ms from",
        "select code, last, 0 * issued_ms as issued_ms from",
    ),
    ("messages-unlimited", "message_counts.sent < $7 or", "message_counts.sent < 1000 * $7 or"),
    ("off-sale-sold", "product_id = it.column2 and active <> 0", "product_id = it.column2"),
    ("otp-tries-uncounted", "tries = tries + 1", "tries = 1"),
    ("otp-used-twice", " and used_ms is null", ""),
    ("passkeys-stay", "user_id = $1 and created_ms >= $2", "user_id = $1 and created_ms < $2 * 0"),
    ("refund-unguarded", "and refunded_paise + $3 <= taxable_paise + gst_paise", ""),
    ("reset-used-twice", " and ended_ms is null and expires_ms > $3", ""),
    (
        "sealed-by-id",
        "order by u.wallet_seq",
        "where u.transaction_id > coalesce((select max(transaction_id) from ledger_seals), '')
         order by u.wallet_seq",
    ),
    ("told-twice", "set is_open = 0 where", "set is_open = 1 where"),
    ("undo-ends-older", "since_ms > $3", "(since_ms > 0 or since_ms > $3)"),
];

/// Returns the statement as the chosen fault changes it.
#[cfg(feature = "faults")]
pub fn sql(statement: &'static str) -> &'static str {
    let changes = IN_SQL.iter().filter(|(name, ..)| on(name));
    changes.fold(statement, |statement, (_, words, others)| {
        match statement.contains(words) {
            // Leaks only a few statements per test process.
            true => statement.replace(words, others).leak(),
            false => statement,
        }
    })
}

/// Returns the statement unchanged: there are no faults in this build.
#[cfg(not(feature = "faults"))]
#[inline(always)]
pub fn sql(statement: &'static str) -> &'static str {
    statement
}

/// The effect on a task that reaches an armed point.
#[cfg(feature = "faults")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FailAction {
    /// The task panics.
    Panic,
    /// The task sleeps for so many milliseconds.
    Stall(u64),
}

#[cfg(feature = "faults")]
static ARMED: std::sync::Mutex<Vec<(String, String, FailAction)>> =
    std::sync::Mutex::new(Vec::new());

/// Arms a point for the first task of this user that reaches it.
#[cfg(feature = "faults")]
pub fn arm(point: &str, user_id: &str, strike: FailAction) {
    let mut armed = ARMED.lock().expect("no code panics while holding it");
    armed.push((point.to_owned(), user_id.to_owned(), strike));
}

/// True if this point is armed and no task has reached it yet.
#[cfg(feature = "faults")]
pub fn armed(point: &str) -> bool {
    let armed = ARMED.lock().expect("no code panics while holding it");
    armed.iter().any(|it| it.0 == point)
}

/// A point in a task that a test may arm.
#[cfg(feature = "faults")]
pub async fn point(point: &str, user_id: &str) {
    let strike = {
        let mut armed = ARMED.lock().expect("no code panics while holding it");
        let here = |it: &(String, String, FailAction)| it.0 == point && it.1 == user_id;
        let position = armed.iter().position(here);
        position.map(|at| armed.remove(at).2)
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

/// Kills the process as a power cut would: nothing is finished, flushed or closed.
#[cfg(feature = "faults")]
async fn die() {
    let kill = std::process::Command::new("sh").args(["-c", "kill -KILL $PPID"]).status();
    panic!("still alive: {kill:?}");
}

/// Initial offset of the process's clock, from the variable `DAKIYA_CLOCK_AHEAD_MS`, so that a test
/// can restart a process at a later time.
pub fn clock_ahead_ms() -> i64 {
    milliseconds("DAKIYA_CLOCK_AHEAD_MS")
}

/// Initial error of the machine's clock, from the variable `DAKIYA_CLOCK_WRONG_MS`.
pub fn clock_wrong_ms() -> i64 {
    milliseconds("DAKIYA_CLOCK_WRONG_MS")
}

#[cfg(feature = "faults")]
fn milliseconds(variable: &str) -> i64 {
    let value = std::env::var(variable).ok();
    value.and_then(|value| value.parse().ok()).unwrap_or(0)
}

/// Returns zero: tests change no clock of this build.
#[cfg(not(feature = "faults"))]
#[inline(always)]
fn milliseconds(_variable: &str) -> i64 {
    0
}

/// A point in a task; does nothing in this build.
#[cfg(not(feature = "faults"))]
#[inline(always)]
pub async fn point(_point: &str, _user_id: &str) {}
