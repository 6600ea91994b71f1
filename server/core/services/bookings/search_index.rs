//! The search index: some 35 rows for each booking, each at another position of the index. A search
//! reads bookings without them one by one, so they are added only for customers with many such
//! bookings, and then to all of these.

use tokio::task::spawn_blocking;

use super::Bookings;
use crate::error::{Error, Result};
use crate::limits;
use crate::store::bookings::search_words::{self, BookingTerms};

impl Bookings {
    /// Indexes the bookings of noted customers who have many without index.
    pub async fn add_terms_of_many(&self) -> Result<()> {
        for user_id in self.unindexed.take() {
            let mut conn = self.core.store.read().await?;
            let many = limits::BOOKINGS_UNINDEXED_MAX + 1;
            let missing = search_words::count_missing(&mut conn, &user_id, many).await?;
            drop(conn);
            if missing == many {
                self.add_terms(&user_id).await?;
            }
        }
        Ok(())
    }

    /// Indexes a customer's bookings. Concurrent bookings wait for one transaction at most.
    pub async fn add_terms(&self, user_id: &str) -> Result<()> {
        for _ in 0..limits::BOOKINGS_WORDED_TURNS_MAX {
            if !self.add_some_terms(user_id).await? {
                return Ok(());
            }
        }
        self.unindexed.note(user_id);
        Ok(())
    }

    /// Returns `false` when there were none.
    async fn add_some_terms(&self, user_id: &str) -> Result<bool> {
        let mut conn = self.core.store.read().await?;
        let most = limits::BOOKINGS_WORDED_AT_ONCE_MAX;
        let missing = search_words::unindexed_bookings(&mut conn, user_id, most).await?;
        drop(conn);
        if missing.is_empty() {
            return Ok(false);
        }
        let terms =
            spawn_blocking(|| missing.into_iter().map(BookingTerms::of).collect::<Vec<_>>());
        let (terms, user_id) = (terms.await.map_err(Error::internal)?, user_id.to_owned());
        let add = self.core.store.write(move |conn| {
            Box::pin(async move { search_words::add(conn, &user_id, &terms).await })
        });
        add.await?;
        Ok(true)
    }
}
