//! Timeouts of tests. They only keep a test from hanging for ever: slowness on a busy machine is no
//! fault.

use std::sync::LazyLock;
use std::time::{Duration, Instant};

use tokio::time::sleep;

/// Slowness of this machine, relative to the one on which times were chosen: measured by build.sh,
/// and generous where it was not.
static SLOWER: LazyLock<u32> = LazyLock::new(|| {
    let measured = std::env::var("DAKIYA_TEST_PATIENCE").ok();
    measured.map_or(3, |told| told.parse().expect("DAKIYA_TEST_PATIENCE"))
});

/// Converts milliseconds on the reference machine into a duration on this one.
pub fn patient(ms: u64) -> Duration {
    Duration::from_millis(ms) * *SLOWER
}

/// A timeout that is reached only if something hangs: at low priority beside other processes, ten
/// seconds of work can take two minutes.
pub fn forever() -> Duration {
    patient(300_000)
}

/// Repeats a check until it returns a value; a background task needs a moment.
pub async fn eventually<T>(mut ask: impl AsyncFnMut() -> Option<T>) -> T {
    let until = Instant::now() + forever();
    loop {
        if let Some(answer) = ask().await {
            return answer;
        }
        assert!(Instant::now() < until, "waited in vain");
        sleep(Duration::from_millis(10)).await;
    }
}

/// Waits until the check is true.
pub async fn until(what: &str, mut is_so: impl AsyncFnMut() -> bool) {
    let until = Instant::now() + forever();
    while !is_so().await {
        assert!(Instant::now() < until, "waited in vain until {what}");
        sleep(Duration::from_millis(10)).await;
    }
}
