//! Knows if this process may work on its database: a restored one waits until an operator says so.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use crate::error::Result;
use crate::store::{self, Store};
use crate::{failpoints, limits};

#[derive(Debug)]
pub struct GoAhead {
    store: Store,
    is_given: AtomicBool,
}

impl GoAhead {
    pub async fn load(store: Store) -> Result<GoAhead> {
        let go_ahead = GoAhead { store, is_given: AtomicBool::new(false) };
        go_ahead.look().await?;
        if !go_ahead.is_given() {
            tracing::warn!("this database was restored: `dakiya resume` lets servers work on it");
        }
        Ok(go_ahead)
    }

    /// True if customers are served and tasks are run. Once given, it stays.
    pub fn is_given(&self) -> bool {
        self.is_given.load(Ordering::Relaxed)
    }

    async fn look(&self) -> Result<()> {
        let restored = store::restored::find(&mut *self.store.read().await?).await?;
        let is_given = restored.is_none() || failpoints::on("restored-works-at-once");
        self.is_given.store(is_given, Ordering::Relaxed);
        Ok(())
    }

    /// Waits until it is given. Returns false if `stop` came first.
    pub async fn wait(&self, stop: &CancellationToken) -> bool {
        while !self.is_given() {
            tokio::select! {
                () = stop.cancelled() => return false,
                () = sleep(Duration::from_millis(limits::GO_AHEAD_EVERY_MS)) => {}
            }
            if let Err(error) = self.look().await {
                tracing::error!("the mark of a restored database was not read: {error}");
            }
        }
        true
    }
}
