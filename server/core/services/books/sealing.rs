//! The sealing of posted transactions, which gives the books one order and one head.

use super::Books;
use crate::error::Result;
use crate::limits;
use crate::model::money::hash_chain::ChainHead;
use crate::services::core::Core;
use crate::store::sealing;

/// Seals all transactions that are committed now, and returns the new head of the books; `None` if
/// none waited, or if another server seals.
///
/// # Errors
/// `Internal` if the end of the chain is not what the last sealing wrote.
pub(crate) async fn seal_all(core: &Core) -> Result<Option<ChainHead>> {
    let mut head = None;
    while sealing::is_due(&mut *core.store.read().await?).await? {
        let node = core.node.clone();
        let seal = core
            .store
            .write(move |conn| Box::pin(async move { sealing::seal_next(conn, &node).await }));
        let Some(sealed) = seal.await? else { break };
        head = Some(sealed.head);
        if i64::try_from(sealed.count) != Ok(limits::SEALED_TOGETHER_MAX) {
            break;
        }
    }
    Ok(head)
}

impl Books {
    /// Seals all transactions that are committed now, and logs the head of the books from time to
    /// time. Does nothing while another server seals.
    ///
    /// # Errors
    /// `Internal` if the end of the chain is not what the last sealing wrote.
    pub async fn seal(&self) -> Result<()> {
        let head = seal_all(&self.core).await?;
        if let Some(head) = self.heads.next_to_log(head, self.core.clock.now_ms()) {
            tracing::info!(target: "books", %head, "the books are sealed");
        }
        Ok(())
    }
}
