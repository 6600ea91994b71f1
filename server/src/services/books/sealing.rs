//! The sealing of posted transactions, which gives the books one order and one head.

use super::Books;
use crate::error::Result;
use crate::limits;
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
            let (head, transactions) = (sealed.head, sealed.count);
            tracing::info!(%head, transactions, "the books are sealed");
            if i64::try_from(transactions) != Ok(limits::SEALED_TOGETHER_MAX) {
                break;
            }
        }
        Ok(())
    }
}
