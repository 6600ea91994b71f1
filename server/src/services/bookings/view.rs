//! One booking with its details, for its customer.

use super::Bookings;
use crate::error::{Error, Result};
use crate::model::booking::no_such_booking;
use crate::model::booking::order::status::BookingStatus;
use crate::model::booking::order::tracking::tracked;
use crate::model::booking::order::view::{BookingView, view};
use crate::model::wallet::statement::Transaction;
use crate::store;

impl Bookings {
    /// Returns one of the user's bookings, by id or AWB. No courier is called: the tracking is read
    /// from the database.
    ///
    /// # Errors
    /// `NotFound` when the user has no such booking, or no courier accepted it.
    pub async fn view(&self, user_id: &str, id_or_awb: &str) -> Result<BookingView> {
        let mut conn = self.core.store.read().await?;
        let booking = store::bookings::find(&mut conn, user_id, id_or_awb).await?;
        let booking = booking.ok_or_else(no_such_booking)?;
        let quote = store::quotes::booked(&mut conn, user_id, &booking.quote_id).await?;
        let quote = quote.ok_or_else(|| Error::internal(anyhow::anyhow!("a quote is gone")))?;
        let lines = store::statement::of_booking(&mut conn, user_id, &booking.booking_id).await?;
        let way = match booking.status.shipment() {
            Some(_) => {
                let events = store::tracking_events::all(&mut conn, &booking.booking_id).await?;
                Some(tracked(&booking, quote.tat_days, events))
            }
            None => None,
        };
        let (mut planned_pickup, mut pickup_choices) = (None, Vec::new());
        if booking.status == BookingStatus::BOOKED {
            let id = &booking.booking_id;
            planned_pickup = self.planned(&mut conn, user_id, id).await?;
            let order = store::courier_orders::find(&mut conn, id).await?;
            pickup_choices = order.map_or(Vec::new(), |order| self.choices(&order.courier));
        }
        drop(conn);
        let payments = lines.into_iter().map(Transaction::from).collect();
        let now_ms = self.core.clock.now_ms();
        Ok(BookingView {
            planned_pickup,
            pickup_choices,
            ..view(booking, &quote, way, payments, now_ms)?
        })
    }
}
