//! The regular audit of the books.

use std::time::Duration;

use tokio::time::{Instant, sleep};

use super::Books;
use crate::error::{Error, Result};
use crate::store::audit::Walk;
use crate::store::audit_rounds;
use crate::{failpoints, limits};

impl Books {
    /// Audits the books for some minutes, from where the last piece ended. Returns the audit if it
    /// is done.
    ///
    /// # Errors
    /// `Internal` if another server audits, because the lease of this one is over.
    pub async fn audit(&self) -> Result<Option<Walk>> {
        let (store, node) = (&self.core.store, &self.core.node);
        let mut rounds = audit_rounds::find(&mut *store.read().await?).await?;
        let mut walk = rounds.next(self.core.clock.now_ms());
        let turn = Instant::now();
        loop {
            let piece = Instant::now();
            walk = store.audit_piece(walk).await?;
            rounds.take(&walk, self.core.clock.now_ms());
            let (kept, leased_by) = (rounds.clone(), node.clone());
            let keep = store.write(move |conn| {
                Box::pin(async move { audit_rounds::keep(conn, &kept, &leased_by).await })
            });
            if !keep.await? {
                return Err(Error::internal(anyhow::anyhow!("another server audits the books")));
            }
            rounds.pieces += 1;
            failpoints::point("audit_piece", node).await;
            if walk.is_done() {
                return Ok(Some(walk));
            }
            if turn.elapsed() >= Duration::from_millis(limits::AUDIT_TURN_MS) {
                return Ok(None);
            }
            // At most half of the time is spent with the database, so that others are served.
            sleep(piece.elapsed().min(Duration::from_millis(limits::AUDIT_PAUSE_MS_MAX))).await;
        }
    }
}
