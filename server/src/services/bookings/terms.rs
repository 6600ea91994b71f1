//! The words that bookings are found by. They are a third of what a booking writes, so they are
//! added a little later, many at once.

use tokio::task::spawn_blocking;

use super::Bookings;
use crate::error::{Error, Result};
use crate::store::bookings::terms::BookingTerms;
use crate::{limits, store};

impl Bookings {
    /// Adds the words of bookings that have none, a few with each transaction: customers who book
    /// meanwhile wait for one of them at most.
    pub async fn add_terms(&self) -> Result<()> {
        for _ in 0..limits::BOOKINGS_WORDED_TURNS_MAX {
            if !self.add_some_terms().await? {
                break;
            }
        }
        Ok(())
    }

    /// `false` when there were none.
    async fn add_some_terms(&self) -> Result<bool> {
        let mut conn = self.core.store.read().await?;
        let most = limits::BOOKINGS_WORDED_AT_ONCE_MAX;
        let missing = store::bookings::terms::missing(&mut conn, most).await?;
        drop(conn);
        if missing.is_empty() {
            return Ok(false);
        }
        let terms = spawn_blocking(|| {
            let missing = missing.into_iter();
            let terms = missing.map(|(user_id, booking)| BookingTerms::of(user_id, booking));
            terms.collect::<Vec<_>>()
        });
        let terms = terms.await.map_err(Error::internal)?;
        let add = self.core.store.write(move |conn| {
            Box::pin(async move { store::bookings::terms::add(conn, &terms).await })
        });
        add.await?;
        Ok(true)
    }
}
