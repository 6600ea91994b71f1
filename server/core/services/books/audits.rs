//! The regular audit of the books.

use std::time::Duration;

use tokio::time::{Instant, sleep};

use super::Books;
use crate::error::{Error, Result};
use crate::model::money::hash_chain::ChainHead;
use crate::providers::files::Files;
use crate::store::audit::{Chain, Walk};
use crate::store::audit_rounds::{self, AuditRounds};
use crate::{failpoints, limits};

impl Books {
    /// Audits the books for some minutes, from where the last piece ended. Logs the end of an
    /// audit, and returns it. `files` keeps the heads, if it is a bucket, and the newest of them
    /// must be in the books.
    ///
    /// # Errors
    /// `Internal` if another server audits, because the lease of this one is over.
    pub async fn audit(&self, files: &Files) -> Result<Option<Walk>> {
        let rounds = audit_rounds::find(&mut *self.core.store.read().await?).await?;
        let checked = rounds.checkpoint.as_ref().and_then(Chain::head).map_or(0, |head| head.seq);
        // Without the bucket, the rest is audited all the same.
        let kept = files.newest_head(checked).await.unwrap_or_else(|error| {
            tracing::error!("the bucket does not tell the newest head of the books: {error}");
            None
        });
        let Some(audit) = self.go_on_with_audit(rounds, kept).await? else { return Ok(None) };
        for fault in audit.findings() {
            tracing::error!("the books are wrong: {}", fault.text);
        }
        if let Some(head) = audit.chain().head().filter(|_| audit.findings().is_empty()) {
            tracing::info!(target: "books", %head, "the books are in order");
            if let Err(error) = files.keep_head(&head).await {
                tracing::error!("the bucket keeps no head of the books: {error}");
            }
        }
        Ok(Some(audit))
    }

    async fn go_on_with_audit(
        &self,
        mut rounds: AuditRounds,
        kept: Option<ChainHead>,
    ) -> Result<Option<Walk>> {
        let (store, node) = (&self.core.store, &self.core.node);
        let mut walk = rounds.next(self.core.clock.now_ms());
        let turn = Instant::now();
        loop {
            let piece = Instant::now();
            walk = store.audit_piece(walk).await?;
            if let Some(head) = kept.as_ref().filter(|_| walk.is_done()) {
                walk.compare_head(&mut *store.read().await?, head).await?;
            }
            rounds.take(&walk, self.core.clock.now_ms());
            let (stored, leased_by) = (rounds.clone(), node.clone());
            let keep = store.write(move |conn| {
                Box::pin(async move { audit_rounds::keep(conn, &stored, &leased_by).await })
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
