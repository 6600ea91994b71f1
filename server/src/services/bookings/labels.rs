//! The label of a booking: our own, or fetched from the courier that made it.

use std::time::Duration;

use bytes::Bytes;
use moka::future::Cache;

use super::Bookings;
use crate::error::{Error, Result};
use crate::model::booking::documents::invoice::DocumentKind;
use crate::model::booking::documents::label::{Label, label};
use crate::model::booking::no_such_booking;
use crate::model::booking::order::courier_order::CourierOrder;
use crate::model::booking::order::status::BookingStatus;
use crate::providers::courier::CourierError;
use crate::services::fair_queue::{FairQueue, QueueRules};
use crate::{limits, store};

/// The label to stick on the shipment.
#[derive(Clone, Debug)]
pub enum Paper {
    /// Ours, drawn by us.
    Ours(Box<Label>),
    /// The courier's own, as PDF.
    Couriers { awb: String, pdf: Bytes },
}

/// Couriers' labels: fetched once for concurrent requests, and cached for a while.
#[derive(Clone, Debug)]
pub struct CourierLabels {
    /// Keyed by booking id.
    kept: Cache<String, Option<Bytes>>,
    /// Limits each customer, so that requests to a slow courier leave room for others.
    lanes: FairQueue,
}

impl Default for CourierLabels {
    fn default() -> CourierLabels {
        let weight = |id: &String, pdf: &Option<Bytes>| {
            let bytes = id.len() + pdf.as_ref().map_or(0, Bytes::len);
            u32::try_from(bytes).unwrap_or(u32::MAX)
        };
        let kept = Cache::builder()
            .weigher(weight)
            .max_capacity(limits::LABELS_BYTES_MAX)
            .time_to_live(Duration::from_millis(limits::LABEL_KEPT_MS));
        CourierLabels {
            kept: kept.build(),
            lanes: FairQueue::new(QueueRules {
                kind: "labels",
                places: limits::LABELS_FETCHED_AT_ONCE_MAX,
                each: limits::CUSTOMER_LABELS_FETCHED_AT_ONCE_MAX,
                waiting_each: limits::CUSTOMER_PAPERS_WAITING_MAX,
            }),
        }
    }
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
        let booking = store::bookings::find(&mut conn, user_id, id_or_awb).await?;
        let booking = booking.ok_or_else(no_such_booking)?;
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
            let awb = booking.awb;
            return Ok(Paper::Couriers { awb, pdf });
        }
        let mut conn = self.core.store.read().await?;
        let quote = store::quotes::booked(&mut conn, user_id, &booking.quote_id).await?;
        let quote = quote.ok_or_else(|| Error::internal(anyhow::anyhow!("a quote is gone")))?;
        let id = &booking.booking_id;
        let invoices = store::invoices::find(&mut conn, user_id, id, DocumentKind::Invoice).await?;
        drop(conn);
        let number = invoices.into_iter().next().map(|invoice| invoice.number);
        let operator = &self.core.company.name;
        let sandbox = self.sandbox;
        let label = label(&booking, &quote, number, operator, sandbox)?;
        Ok(Paper::Ours(Box::new(label)))
    }

    /// Returns the label that a partner made; `None` where we draw it.
    async fn partner_label(&self, order: &CourierOrder) -> Result<Option<Bytes>> {
        let courier = self.couriers.of(&order.courier)?;
        if let Some(kept) = self.labels.kept.get(&order.booking_id).await {
            return Ok(kept);
        }
        let _place = self.labels.lanes.enter(&order.user_id).await?;
        let fetch = async {
            let label = courier.label(&order.numbers()).await?;
            Ok::<_, CourierError>(label.map(Bytes::from))
        };
        let id = order.booking_id.clone();
        let label = self.labels.kept.try_get_with(id, fetch).await;
        label.map_err(|error| {
            tracing::warn!(courier = order.courier, "no label: {error}");
            Error::Provider(
                "The courier did not send the label. Please try again in a minute.".into(),
            )
        })
    }
}
