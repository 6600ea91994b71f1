//! Expensive work for one caller, on a low-priority thread, so that one customer's thousand labels
//! do not slow down everybody's pages.

use std::io::{Error, Result};
use std::thread;

use tokio::sync::oneshot;

use crate::limits;

/// Runs the work on a background thread and returns its result.
///
/// # Errors
/// Fails if no thread can be started, or the work panicked.
pub async fn run_low_priority<T, W>(work: W) -> Result<T>
where
    T: Send + 'static,
    W: FnOnce() -> T + Send + 'static,
{
    let (answer, answered) = oneshot::channel();
    let thread = thread::Builder::new().name("low-priority".into());
    thread.spawn(move || {
        // Niceness is per thread on Linux and per process elsewhere. The work also runs without it.
        #[cfg(target_os = "linux")]
        let _ = rustix::process::nice(limits::BACKGROUND_NICE);
        // The receiver may have been dropped.
        let _ = answer.send(work());
    })?;
    answered.await.map_err(Error::other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn work_is_done_behind_others_and_a_panic_is_an_error() {
        let nice = || rustix::process::nice(0).expect("a nice value");
        let before = nice();
        let behind = run_low_priority(nice).await.expect("work");
        if cfg!(target_os = "linux") {
            assert_eq!(behind, (before + limits::BACKGROUND_NICE).min(19));
        }
        assert_eq!(nice(), before);
        let died: Result<()> = run_low_priority(|| panic!("on purpose")).await;
        assert!(died.is_err());
    }
}
