//! The heads of the books in this process's log: one a minute at most, and none is left out that
//! stays the newest.

use std::sync::{Mutex, PoisonError};

use crate::limits;
use crate::model::money::hash_chain::ChainHead;

#[derive(Debug, Default)]
pub(super) struct LoggedHeads(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    /// The time of the last one (UTC milliseconds).
    logged_ms: i64,
    /// The newest head, if the log does not have it yet.
    unlogged: Option<ChainHead>,
}

impl LoggedHeads {
    /// Takes a new head, if there is one, and returns the head that is to be logged now.
    pub fn next_to_log(&self, new: Option<ChainHead>, now_ms: i64) -> Option<ChainHead> {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.unlogged = new.or(state.unlogged.take());
        if (0..limits::HEAD_LOGGED_EVERY_MS).contains(&(now_ms - state.logged_ms)) {
            return None;
        }
        let head = state.unlogged.take()?;
        state.logged_ms = now_ms;
        Some(head)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_head_of_a_busy_minute_is_logged_when_the_minute_is_over() {
        let heads = LoggedHeads::default();
        let head = |seq| ChainHead { seq, hash: "0".repeat(64) };
        let begin_ms = limits::HEAD_LOGGED_EVERY_MS;
        assert_eq!(heads.next_to_log(None, begin_ms), None);
        assert_eq!(heads.next_to_log(Some(head(1)), begin_ms), Some(head(1)));
        assert_eq!(heads.next_to_log(Some(head(2)), begin_ms + 1), None);
        assert_eq!(heads.next_to_log(Some(head(3)), 2 * begin_ms - 1), None);
        assert_eq!(heads.next_to_log(None, 2 * begin_ms), Some(head(3)));
        assert_eq!(heads.next_to_log(None, 4 * begin_ms), None);
    }
}
