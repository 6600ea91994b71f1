//! The sealing of posted transactions, which gives the books one order and one head.

use std::sync::atomic::Ordering;

use super::Books;
use crate::error::Result;
use crate::limits;
use crate::model::money::hash_chain::ChainHead;
use crate::store::sealing;

impl Books {
    /// Seals all transactions that are committed now. Does nothing while another server does.
    ///
    /// # Errors
    /// `Internal` if the end of the chain is not what the last sealing wrote.
    pub async fn seal(&self) -> Result<()> {
        let store = &self.core.store;
        while sealing::is_due(&mut *store.read().await?).await? {
            let node = self.core.node.clone();
            let seal = store
                .write(move |conn| Box::pin(async move { sealing::seal_next(conn, &node).await }));
            let Some(sealed) = seal.await? else { break };
            self.tell(&sealed.head);
            if i64::try_from(sealed.count) != Ok(limits::SEALED_TOGETHER_MAX) {
                break;
            }
        }
        Ok(())
    }

    /// Tells the head of the books in the log, from time to time.
    fn tell(&self, head: &ChainHead) {
        let now_ms = self.core.clock.now_ms();
        let told_ms = self.head_told_ms.load(Ordering::Relaxed);
        if !(0..limits::HEAD_TOLD_EVERY_MS).contains(&(now_ms - told_ms)) {
            self.head_told_ms.store(now_ms, Ordering::Relaxed);
            tracing::info!(target: "books", %head, "the books are sealed");
        }
    }
}
