//! A check that a task holds no database connection while it calls another company, which may take
//! half a minute to respond, as connections are few. With debug assertions, so in all tests, it
//! panics; the product logs and counts it.
//!
//! Each connection taken costs two locks of a small map: by estimate 0.1 µs, where its cheapest
//! statement costs 20.

use std::collections::HashMap;
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

use tokio::task::{Id, try_id};

static HELD: LazyLock<Mutex<HashMap<Id, usize>>> = LazyLock::new(Mutex::default);

/// Marks the current task as holding a connection, until dropped.
#[derive(Debug)]
pub struct ConnectionGuard {
    /// `None` outside of tasks.
    task: Option<Id>,
}

impl ConnectionGuard {
    /// Marks the current task as holding one more connection.
    pub fn hold() -> ConnectionGuard {
        let task = try_id();
        if let Some(task) = task {
            *held().entry(task).or_default() += 1;
        }
        ConnectionGuard { task }
    }
}

impl Drop for ConnectionGuard {
    fn drop(&mut self) {
        let Some(task) = self.task else { return };
        let mut counts = held();
        if let Some(count) = counts.get_mut(&task) {
            *count -= 1;
            if *count == 0 {
                counts.remove(&task);
            }
        }
    }
}

fn held() -> MutexGuard<'static, HashMap<Id, usize>> {
    HELD.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Checks that the current task holds no connection, before a call to another company.
///
/// # Panics
/// With debug assertions, if the current task holds a connection.
pub fn check_none_held() {
    let Some(task) = try_id() else { return };
    if held().contains_key(&task) {
        metrics::counter!("dakiya_connections_held_total").increment(1);
        tracing::error!("a database connection is held across a provider's call");
        if cfg!(debug_assertions) {
            panic!("a connection is held across a provider's call");
        }
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use metrics_exporter_prometheus::PrometheusBuilder;

    use super::*;

    #[tokio::test]
    async fn a_task_that_holds_a_connection_may_call_nobody() {
        let recorder = PrometheusBuilder::new().build_recorder();
        let figures = recorder.handle();
        let other = tokio::spawn(async move {
            let check = || metrics::with_local_recorder(&recorder, check_none_held);
            let guard = ConnectionGuard::hold();
            let second = ConnectionGuard::hold();
            drop(second);
            let result = catch_unwind(AssertUnwindSafe(check));
            drop(guard);
            check();
            result.is_err()
        });
        check_none_held();
        assert_eq!(other.await.unwrap(), cfg!(debug_assertions));
        let text = figures.render();
        assert!(text.contains("dakiya_connections_held_total 1"), "{text}");
    }

    #[tokio::test]
    async fn a_connection_counts_for_the_task_that_took_it_wherever_it_is_dropped() {
        let guard = tokio::spawn(async { ConnectionGuard::hold() }).await.unwrap();
        let task = guard.task.expect("a task");
        assert!(held().contains_key(&task));
        drop(guard);
        assert!(!held().contains_key(&task));
    }
}
