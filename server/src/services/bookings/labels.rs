//! The label of a booking: drawn here, or fetched from the courier that made it.

use super::Bookings;
use crate::error::{Error, Result};
use crate::model::booking::courier_order::CourierOrder;
use crate::model::booking::invoice::DocumentKind;
use crate::model::booking::label::{Label, label};
use crate::model::booking::status::BookingStatus;
use crate::store;

/// What goes on the shipment.
#[derive(Clone, Debug)]
pub enum Paper {
    /// Ours, to be drawn.
    Ours(Box<Label>),
    /// The one its courier made, as PDF.
    Couriers { awb: String, pdf: Vec<u8> },
}

impl Bookings {
    /// The label of the user's own booking, by its id or AWB.
    ///
    /// # Errors
    /// `NotFound` when there is no such booking or it has no AWB; `Conflict` when it is cancelled;
    /// `Provider` when its courier makes the label and does not answer.
    pub async fn label(&self, user_id: &str, id_or_awb: &str) -> Result<Paper> {
        let mut conn = self.core.store.read().await?;
        let booking = store::bookings::find(&mut conn, user_id, id_or_awb).await?;
        let booking = booking.ok_or_else(|| Error::NotFound("There is no such booking.".into()))?;
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
        if let Some(order) = order
            && let Some(pdf) = self.partner_label(&order).await?
        {
            let awb = booking.awb;
            return Ok(Paper::Couriers { awb, pdf });
        }
        let quote = store::quotes::booked(&mut conn, user_id, &booking.quote_id).await?;
        let quote = quote.ok_or_else(|| Error::internal(anyhow::anyhow!("a quote is gone")))?;
        let id = &booking.booking_id;
        let invoices = store::invoices::find(&mut conn, user_id, id, DocumentKind::Invoice).await?;
        let number = invoices.into_iter().next().map(|invoice| invoice.number);
        let operator = &self.core.company.name;
        let sandbox = self.sandbox;
        let label = label(&booking, &quote, number, operator, sandbox)?;
        Ok(Paper::Ours(Box::new(label)))
    }

    /// The label that a partner made; `None` where we draw it.
    async fn partner_label(&self, order: &CourierOrder) -> Result<Option<Vec<u8>>> {
        let courier = self.couriers.of(&order.courier)?;
        let label = courier.label(&order.numbers()).await;
        label.map_err(|error| {
            tracing::warn!(courier = order.courier, "no label: {error}");
            Error::Provider(
                "The courier did not send the label. Please try again in a minute.".into(),
            )
        })
    }
}
