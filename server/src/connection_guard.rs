//! A debug check that a task holds no database connection while it calls another company, which may
//! take half a minute to respond, as connections are few. Active with debug assertions, so in all
//! tests.

use std::collections::HashMap;
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

use tokio::task::{Id, try_id};

static HELD: LazyLock<Mutex<HashMap<Id, usize>>> = LazyLock::new(Mutex::default);

/// Marks the current task as holding a connection, until dropped.
#[derive(Debug)]
pub struct ConnectionGuard {
    /// `None` without debug assertions.
    task: Option<Id>,
}

impl ConnectionGuard {
    /// Marks the current task as holding one more connection.
    pub fn hold() -> ConnectionGuard {
        let task = this_task();
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

fn this_task() -> Option<Id> {
    if cfg!(debug_assertions) { try_id() } else { None }
}

fn held() -> MutexGuard<'static, HashMap<Id, usize>> {
    HELD.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Checks that the current task holds no connection, before a call to another company.
///
/// # Panics
/// With debug assertions, if the current task holds a connection.
pub fn assert_none_held() {
    if let Some(task) = this_task() {
        let count = held().get(&task).copied();
        assert_eq!(count, None, "a connection is held across a provider's call");
    }
}

#[cfg(all(test, debug_assertions))]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_task_that_holds_a_connection_may_call_nobody() {
        let other = tokio::spawn(async {
            let guard = ConnectionGuard::hold();
            let result = std::panic::catch_unwind(assert_none_held);
            drop(guard);
            assert_none_held();
            result.is_err()
        });
        assert_none_held();
        assert!(other.await.unwrap());
    }
}
