//! Answers whether requests can be served: the database answers, we work on its schema, and
//! its key opens.

use std::time::Duration;

use tokio::runtime::Handle;
use tokio::sync::Mutex;
use tokio::task::spawn_blocking;
use tokio::time::{Instant, timeout_at};

use crate::limits;
use crate::providers::vault::Vault;
use crate::services::kept_keys;
use crate::store::Store;

/// The reason why no requests can be served.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unready {
    Database,
    Schema,
    Key,
}

impl Unready {
    pub const fn word(self) -> &'static str {
        match self {
            Unready::Database => "database",
            Unready::Schema => "schema",
            Unready::Key => "key",
        }
    }
}

/// Checks the database, one at a time: all who ask within a moment get the same result.
#[derive(Debug)]
pub struct ReadyCheck {
    store: Store,
    vault: Vault,
    last: Mutex<Option<(Instant, Result<(), Unready>)>>,
}

impl ReadyCheck {
    pub fn new(store: Store, vault: Vault) -> ReadyCheck {
        ReadyCheck { store, vault, last: Mutex::default() }
    }

    /// Returns the result of a check of this moment, within a limited time.
    pub async fn check(&self) -> Result<(), Unready> {
        let due = Instant::now() + Duration::from_millis(limits::READY_MS_MAX);
        let Ok(mut last) = timeout_at(due, self.last.lock()).await else {
            return Err(Unready::Database);
        };
        let kept = Duration::from_millis(limits::READY_KEPT_MS);
        if let Some((at, found)) = *last
            && at.elapsed() < kept
        {
            return found;
        }
        let found = self.look(due).await;
        *last = Some((Instant::now(), found));
        found
    }

    /// Looks on a thread that may block: while a disk hangs, SQLite does not return.
    async fn look(&self, due: Instant) -> Result<(), Unready> {
        let (store, vault) = (self.store.clone(), self.vault.clone());
        let runtime = Handle::current();
        let looking = spawn_blocking(move || {
            runtime.block_on(async { timeout_at(due, look(&store, &vault)).await })
        });
        match timeout_at(due, looking).await {
            Ok(Ok(Ok(found))) => found,
            _ => Err(Unready::Database),
        }
    }
}

async fn look(store: &Store, vault: &Vault) -> Result<(), Unready> {
    let facts = store.facts(kept_keys::SIGNATURES).await.map_err(|_| Unready::Database)?;
    // While servers are replaced one by one, the old ones may serve beside a newer one.
    facts.schema.require().map_err(|_| Unready::Schema)?;
    match facts.sealed_key {
        Some(sealed) if !kept_keys::opens(vault, &sealed) => Err(Unready::Key),
        _ => Ok(()),
    }
}
