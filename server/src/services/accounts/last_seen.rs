//! Times at which sessions were last used. They are collected in memory and written by the
//! maintenance task every few seconds, so that no page waits for the write or fails with it.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::Accounts;
use crate::error::Result;
use crate::{limits, store};

/// Times of last use that are not in the database yet, by token hash.
#[derive(Debug, Default)]
pub struct LastSeen(Mutex<HashMap<String, i64>>);

impl LastSeen {
    fn open(&self) -> MutexGuard<'_, HashMap<String, i64>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn note(&self, token_hash: &str, now_ms: i64) {
        let mut seen = self.open();
        if seen.len() < limits::SESSIONS_NOTED_MAX || seen.contains_key(token_hash) {
            seen.insert(token_hash.to_owned(), now_ms);
        }
    }

    /// Returns the time that is only in memory.
    pub fn of(&self, token_hash: &str) -> Option<i64> {
        self.open().get(token_hash).copied()
    }
}

impl Accounts {
    /// Writes the collected times; those that cannot be written are kept for a retry.
    pub async fn write_last_seen(&self) -> Result<()> {
        let seen: Vec<(String, i64)> = self.last_seen.open().clone().into_iter().collect();
        for some in seen.chunks(limits::SESSIONS_WRITTEN_AT_ONCE) {
            let some = some.to_vec();
            let written = some.clone();
            self.core
                .store
                .write(move |conn| {
                    Box::pin(async move { store::sessions::touch(conn, &some).await })
                })
                .await?;
            let mut seen = self.last_seen.open();
            for (token_hash, seen_ms) in &written {
                // Keep the entry if the session was used again during the write.
                if seen.get(token_hash) == Some(seen_ms) {
                    seen.remove(token_hash);
                }
            }
        }
        Ok(())
    }
}
