//! The label of a booking: our own, or fetched from the courier that made it.

use bytes::Bytes;

use super::Bookings;
use super::history::own_booking;
use crate::error::{Error, Result};
use crate::model::booking::documents::invoice::DocumentKind;
use crate::model::booking::documents::label::{Label, label};
use crate::model::booking::order::courier_order::CourierOrder;
use crate::model::booking::order::status::BookingStatus;
use crate::providers::courier::error::CourierError;
use crate::store;

#[derive(Clone, Debug)]
pub enum Paper {
    /// Drawn by us.
    Ours(Box<Label>),
    /// The courier's own, as PDF.
    Couriers { awb: String, pdf: Bytes },
}

impl Bookings {
    /// Returns the label of the user's own booking, by its id or AWB.
    ///
    /// # Errors
    /// `NotFound` when there is no such booking or it has no AWB; `Conflict` when it is cancelled;
    /// `Provider` when its courier makes the label and does not answer; `TooMany` while many
    /// requests wait for one.
    pub async fn label(&self, user_id: &str, id_or_awb: &str) -> Result<Paper> {
        let mut conn = self.core.store.read().await?;
        let booking = own_booking(&mut conn, user_id, id_or_awb).await?;
        if booking.status.shipment().is_none() {
            let message = "The courier has not confirmed this booking yet.";
            return Err(Error::NotFound(message.into()));
        }
        if [BookingStatus::CANCELLED, BookingStatus::Cancelling].contains(&booking.status) {
            return Err(Error::Conflict {
                code: "cancelled",
                message: "This booking is being cancelled, or was: it has no label.".into(),
            });
        }
        let order = store::courier_orders::find(&mut conn, &booking.booking_id).await?;
        drop(conn);
        if let Some(order) = order
            && let Some(pdf) = self.partner_label(&order).await?
        {
            return Ok(Paper::Couriers { awb: booking.awb, pdf });
        }
        let mut conn = self.core.store.read().await?;
        let quote = store::quotes::find_booked(&mut conn, user_id, &booking.quote_id).await?;
        let id = &booking.booking_id;
        let invoices = store::invoices::find(&mut conn, user_id, id, DocumentKind::Invoice).await?;
        drop(conn);
        let number = invoices.into_iter().next().map(|invoice| invoice.number);
        let label = label(&booking, &quote, number, &self.core.company.name, self.sandbox)?;
        Ok(Paper::Ours(Box::new(label)))
    }

    /// Returns the label that a partner made; `None` where we draw it.
    async fn partner_label(&self, order: &CourierOrder) -> Result<Option<Bytes>> {
        let courier = self.couriers.of(&order.courier)?;
        if let Some(label) = self.labels.cache.get(&order.booking_id).await {
            return Ok(label);
        }
        let _place = self.labels.lanes.enter(&order.user_id).await?;
        let fetch = async {
            let label = courier.label(&order.numbers()).await?;
            Ok::<_, CourierError>(label.map(Bytes::from))
        };
        let id = order.booking_id.clone();
        let label = self.labels.cache.try_get_with(id, fetch).await;
        label.map_err(|error| {
            tracing::warn!(courier = order.courier, "a label was not received: {error}");
            Error::Provider(
                "The courier did not send the label. Please try again in a minute.".into(),
            )
        })
    }
}
