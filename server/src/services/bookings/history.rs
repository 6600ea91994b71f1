//! The bookings of a user: listed, counted, found.

use super::Bookings;
use crate::clock::{date_in_india, midnight_in_india};
use crate::error::{Error, Result};
use crate::model::booking::history::{History, HistoryRow, by_month, last_months};
use crate::model::paging::{Listed, Paging};
use crate::store;

impl Bookings {
    /// A page of the user's bookings, newest first, with counts over all.
    pub async fn history(&self, user_id: &str, paging: Paging) -> Result<History> {
        let mut conn = self.core.store.read().await?;
        let Listed { results, count } = store::bookings::list(&mut conn, user_id, paging).await?;
        let stats = store::bookings::stats(&mut conn, user_id).await?;
        let months = last_months(date_in_india(self.core.clock.now_ms()));
        let begin = midnight_in_india(months[0]);
        let days = store::bookings::days(&mut conn, user_id, begin).await?;
        Ok(History {
            results: results.into_iter().map(HistoryRow::from).collect(),
            count,
            stats,
            months: by_month(&months, &days),
        })
    }

    /// One of the user's bookings by id or AWB.
    pub async fn history_row(&self, user_id: &str, id_or_awb: &str) -> Result<HistoryRow> {
        let mut conn = self.core.store.read().await?;
        let found = store::bookings::find(&mut conn, user_id, id_or_awb).await?;
        found
            .map(HistoryRow::from)
            .ok_or_else(|| Error::NotFound("There is no such booking.".into()))
    }
}
