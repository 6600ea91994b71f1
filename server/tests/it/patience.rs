//! How long tests wait for what must happen. These limits only keep a test from hanging for ever:
//! what takes long on a busy machine is no fault.

use std::sync::LazyLock;
use std::time::{Duration, Instant};

use tokio::time::sleep;

/// How many times slower than the machine on which times were chosen this one may be: measured by
/// build.sh, and generous where it was not.
static SLOWER: LazyLock<u32> = LazyLock::new(|| {
    let measured = std::env::var("DAKIYA_TEST_PATIENCE").ok();
    measured.map_or(3, |told| told.parse().expect("DAKIYA_TEST_PATIENCE"))
});

/// As long on this machine as so many milliseconds on the one on which they were chosen.
pub fn patient(ms: u64) -> Duration {
    Duration::from_millis(ms) * *SLOWER
}

/// Nobody waits so long unless something hangs.
pub fn forever() -> Duration {
    patient(60_000)
}

/// Asks again and again until the answer is there; a background task needs a moment.
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

/// Waits until it is so.
pub async fn until(what: &str, mut is_so: impl AsyncFnMut() -> bool) {
    let until = Instant::now() + forever();
    while !is_so().await {
        assert!(Instant::now() < until, "waited in vain until {what}");
        sleep(Duration::from_millis(10)).await;
    }
}
