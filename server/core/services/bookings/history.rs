//! A user's bookings: listed, counted, with the statement, found, and one with its details.

use super::Bookings;
use crate::error::Result;
use crate::model::booking::order::history::{History, HistoryRow, HistoryStart};
use crate::model::booking::order::status::BookingStatus;
use crate::model::booking::order::view::{BookingView, view};
use crate::model::booking::{Booking, no_such_booking};
use crate::model::calendar::date_in_india;
use crate::model::money::charge::Charge;
use crate::model::paging::{Listed, Paging};
use crate::model::wallet::statement::Transaction;
use crate::store::{self, Conn};

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

    /// Returns the first page of the user's bookings and of the wallet's lines, in one query.
    pub async fn overview(
        &self,
        user_id: &str,
        rows: i64,
    ) -> Result<(History, Listed<Transaction>)> {
        let mut conn = self.core.store.read().await?;
        let now_ms = self.core.clock.now_ms();
        let (page, lines) = store::overview::newest(&mut conn, user_id, rows, now_ms).await?;
        drop(conn);
        let results = lines.results.into_iter().map(Transaction::from).collect();
        let transactions = Listed { results, count: lines.count };
        Ok((History::of(page, date_in_india(now_ms)), transactions))
    }

    /// Returns one of the user's bookings by id or AWB.
    pub async fn history_row(&self, user_id: &str, id_or_awb: &str) -> Result<HistoryRow> {
        let mut conn = self.core.store.read().await?;
        own_booking(&mut conn, user_id, id_or_awb).await.map(HistoryRow::from)
    }

    /// Returns one of the user's bookings, by id or AWB. No courier is called: the tracking is read
    /// from the database.
    ///
    /// # Errors
    /// `NotFound` when the user has no such booking, or no courier accepted it.
    pub async fn view(&self, user_id: &str, id_or_awb: &str) -> Result<BookingView> {
        let mut conn = self.core.store.read().await?;
        let booking = own_booking(&mut conn, user_id, id_or_awb).await?;
        let quote = store::quotes::find_booked(&mut conn, user_id, &booking.quote_id).await?;
        let lines = store::statement::of_booking(&mut conn, user_id, &booking.booking_id).await?;
        let way = store::tracking_events::find_view(&mut conn, &booking, quote.tat_days).await?;
        let (mut planned_pickup, mut pickup_choices) = (None, Vec::new());
        let mut cancel_by_request = false;
        let now_ms = self.core.clock.now_ms();
        if booking.status == BookingStatus::BOOKED {
            let id = &booking.booking_id;
            planned_pickup = self.find_planned(&mut conn, user_id, &booking).await?;
            let order = store::courier_orders::find(&mut conn, id).await?;
            if let Some(order) = order {
                cancel_by_request = self.may_be_fetched(&mut conn, user_id, &order).await?;
                pickup_choices = self.choices(&order.courier);
            }
        }
        let drop_off = &self.core.company.drop_off;
        let handover = store::pickups::handover(&mut conn, &booking, drop_off, now_ms).await?;
        let debt_paid = match booking.status {
            BookingStatus::CANCELLED => {
                store::debts::paid_by_booking(&mut conn, user_id, &booking.booking_id).await?
            }
            _ => None,
        };
        drop(conn);
        let charge_again = Charge::again_id(&booking.booking_id);
        let charged_again = lines.iter().any(|line| line.reference == charge_again);
        let payments = lines.into_iter().map(Transaction::from).collect();
        Ok(BookingView {
            handover: handover.map(|(_, sentence)| sentence),
            planned_pickup,
            pickup_choices,
            cancel_by_request,
            charged_again,
            debt_paid,
            ..view(booking, &quote, way, payments, now_ms)?
        })
    }
}

pub(super) async fn own_booking(
    conn: &mut Conn,
    user_id: &str,
    id_or_awb: &str,
) -> Result<Booking> {
    let booking = store::bookings::find(conn, user_id, id_or_awb).await?;
    booking.ok_or_else(no_such_booking)
}
