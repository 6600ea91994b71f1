//! Times at which sessions were last used. They are collected in memory and written by the
//! maintenance task every few seconds, so that no page waits for the write or fails with it.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::limits;

/// Times of last use that are not in the database yet, by token hash.
#[derive(Debug, Default)]
pub struct LastSeen(Mutex<HashMap<String, i64>>);

impl LastSeen {
    pub fn open(&self) -> MutexGuard<'_, HashMap<String, i64>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn note(&self, token_hash: &str, now_ms: i64) {
        let mut times = self.open();
        if times.len() < limits::SESSIONS_NOTED_MAX || times.contains_key(token_hash) {
            times.insert(token_hash.to_owned(), now_ms);
        }
    }

    /// Returns the time that is only in memory.
    pub fn of(&self, token_hash: &str) -> Option<i64> {
        self.open().get(token_hash).copied()
    }
}
