//! When sessions were last used. It is collected here and written by the upkeep every few seconds,
//! so that no page waits for it or fails with it.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::Accounts;
use crate::error::Result;
use crate::{limits, store};

/// By the hash of a token, the time of its last use that the database does not know yet.
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

    /// What only we know.
    pub fn of(&self, token_hash: &str) -> Option<i64> {
        self.open().get(token_hash).copied()
    }
}

impl Accounts {
    /// Writes down what was collected. What cannot be written is kept for the next time.
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
                // Unless it was used again meanwhile.
                if seen.get(token_hash) == Some(seen_ms) {
                    seen.remove(token_hash);
                }
            }
        }
        Ok(())
    }
}
