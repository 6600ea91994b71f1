//! Tracking of our own couriers' shipments, reported by operators.

use serde::Serialize;
use serde_json::json;

use super::{ActOutcome, Operators, reason};
use crate::error::{Error, Result};
use crate::model::booking::order::status::BookingStatus;
use crate::model::courier::order::Scan;
use crate::model::operator::ActResult;
use crate::model::shipping::status::ShipmentStatus;
use crate::services::bookings::tracking;
use crate::store;

/// A shipment after a report.
#[derive(Debug, Serialize)]
pub struct ShipmentTracked {
    pub awb: String,
    pub booking: String,
    /// Its current status: an older report does not change it.
    pub status: BookingStatus,
}

impl Operators {
    /// Adds an event of a shipment. A cancelled one is refunded.
    ///
    /// # Errors
    /// `NotFound` when there is no such shipment.
    pub async fn track(
        &self,
        awb: &str,
        scan: Scan,
        why: &str,
    ) -> Result<ActResult<ShipmentTracked>> {
        let (awb, why, now_ms) = (awb.to_owned(), reason(why)?, self.core.clock.now_ms());
        let status = scan.stage.map(ShipmentStatus::label);
        let arguments = json!({"awb": awb, "status": status, "reason": why});
        let action = self.act("track add", arguments, move |conn| {
            Box::pin(async move {
                tracking::add(conn, &awb, &[scan], now_ms).await?;
                let shipment = store::bookings::shipment(conn, &awb).await?;
                let lost = || Error::internal(anyhow::anyhow!("a shipment is gone"));
                let (booking, _) = shipment.ok_or_else(lost)?;
                let stands = booking.status.shipment().map_or("", ShipmentStatus::label);
                Ok(ActOutcome {
                    reference: booking.booking_id.clone(),
                    outcome: format!("{awb}: {stands}."),
                    result: ShipmentTracked {
                        awb,
                        booking: booking.booking_id,
                        status: booking.status,
                    },
                })
            })
        });
        action.await
    }
}
