//! A user's bookings: listed, counted, found.

use super::Bookings;
use crate::error::Result;
use crate::model::booking::no_such_booking;
use crate::model::booking::order::history::{History, HistoryRow, HistoryStart};
use crate::model::calendar::date_in_india;
use crate::model::paging::Paging;
use crate::store;

impl Bookings {
    /// Returns a page of the user's bookings, newest first, with counts over all.
    pub async fn history(&self, user_id: &str, paging: Paging) -> Result<History> {
        let mut conn = self.core.store.read().await?;
        let beginning = match paging.offset() {
            0 => HistoryStart::default(),
            offset => {
                let counts = store::bookings::counts::all(&mut conn, user_id).await?;
                HistoryStart::of(offset, &counts)
            }
        };
        let rows = paging.limit();
        let now_ms = self.core.clock.now_ms();
        let listed = store::bookings::list::history(&mut conn, user_id, rows, beginning, now_ms);
        Ok(History::of(listed.await?, date_in_india(now_ms)))
    }

    /// Returns one of the user's bookings by id or AWB.
    pub async fn history_row(&self, user_id: &str, id_or_awb: &str) -> Result<HistoryRow> {
        let mut conn = self.core.store.read().await?;
        let booking = store::bookings::find(&mut conn, user_id, id_or_awb).await?;
        booking.map(HistoryRow::from).ok_or_else(no_such_booking)
    }
}
