//! Shipments on their way: what our own drivers pick up, events that operators report, and
//! receivers who asked to be called.

use serde::Serialize;
use serde_json::json;
use serde_json::value::RawValue;
use time::Date;

use super::{ActOutcome, Operators, nothing_to_do, reason};
use crate::error::{Error, Result};
use crate::limits;
use crate::model::booking::order::status::BookingStatus;
use crate::model::booking::pickup::PickupTime;
use crate::model::courier::HOUSE;
use crate::model::courier::finding::TrackingFinding;
use crate::model::courier::order::Scan;
use crate::model::operator::ActResult;
use crate::model::shipping::status::ShipmentStatus;
use crate::services::bookings::courier_form::pickup_place;
use crate::services::bookings::pickups::lines;
use crate::services::bookings::tracking;
use crate::store::{self, Store};

/// A parcel that waits for a driver.
#[derive(Debug, Serialize)]
pub struct PickupShown {
    /// Parcels with one number are picked up together.
    pub pickup: String,
    /// Time such as `10:00`.
    pub from: String,
    pub until: String,
    /// The hours in which the sender has the parcel ready, as entered; empty if not.
    pub ready_from: String,
    pub ready_until: String,
    pub awb: String,
    pub place: String,
    pub phone: String,
    /// Kilograms.
    pub weight: Box<RawValue>,
}

#[derive(Debug, Serialize)]
pub struct ShipmentTracked {
    pub awb: String,
    pub booking: String,
    /// Its current status: an older report does not change it.
    pub status: BookingStatus,
    /// Set if the report contradicts the books.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub warning: Option<&'static str>,
}

/// The warning about a report that a cancelled parcel moved.
const CARRIED: &str =
    "It was cancelled and paid back, and is carried all the same: see orders charge-again.";

/// A receiver who waits for a call.
#[derive(Debug, Serialize)]
pub struct CallWaiting {
    pub awb: String,
    pub receiver: String,
    pub phone: String,
    /// `in_transit`, `out_for_delivery`, …
    pub status: &'static str,
    pub asked_at: i64,
}

#[derive(Debug, Serialize)]
pub struct FindingSettled {
    pub finding: String,
    pub awb: String,
}

/// Returns what couriers reported and an operator must look at, the oldest first.
pub async fn findings(store: &Store) -> Result<Vec<TrackingFinding>> {
    let mut conn = store.read().await?;
    store::tracking_findings::open(&mut conn, limits::FINDINGS_SHOWN_MAX).await
}

#[derive(Debug, Serialize)]
pub struct CompletedCall {
    pub awb: String,
}

impl Operators {
    /// Returns our drivers' pickups on a day in India, by hour and customer. The look-up itself is
    /// recorded.
    pub async fn pickups(&self, day: Date) -> Result<Vec<PickupShown>> {
        let day = PickupTime { day, from: 0, until: 0 }.day_text();
        let mut conn = self.core.store.read().await?;
        let most = limits::PICKUPS_SHOWN_MAX;
        let pickups = store::pickups::of_day(&mut conn, HOUSE, &day, most).await?;
        drop(conn);
        let shown = pickups.into_iter().map(|(pickup, booking)| {
            let (place, (from, until)) = (pickup_place(&booking, ""), pickup.time.hours());
            let form = &booking.form.read().pickup;
            let [ready_from, ready_until] = [&form.ready_from, &form.ready_until].map(Clone::clone);
            PickupShown {
                pickup: pickup.pickup_id,
                from,
                until,
                ready_from,
                ready_until,
                place: lines(&place).join(", "),
                phone: place.phone,
                weight: booking.weight.kilograms(),
                awb: booking.awb,
            }
        });
        self.record_view("pickups", json!({"day": day}), shown.collect()).await
    }

    /// Returns the receivers who wait for a call, the longest waiting first. The look-up itself is
    /// recorded.
    pub async fn calls_waiting(&self) -> Result<Vec<CallWaiting>> {
        let mut conn = self.core.store.read().await?;
        let open = store::call_requests::open(&mut conn, limits::CALLS_SHOWN_MAX).await?;
        let mut waiting = Vec::new();
        for (awb, asked_at) in open {
            if let Some((booking, _)) = store::bookings::shipment(&mut conn, &awb).await? {
                let receiver = booking.form.read().consignee.clone();
                waiting.push(CallWaiting {
                    awb,
                    receiver: receiver.name,
                    phone: receiver.phone,
                    status: booking.status.word(),
                    asked_at,
                });
            }
        }
        drop(conn);
        self.record_view("calls list", json!({}), waiting).await
    }

    /// Adds an event of a shipment. A cancelled one is refunded. An event that a cancelled shipment
    /// moved is kept with a warning, and listed among the findings.
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
        let has_moved = scan.stage.is_some_and(ShipmentStatus::has_moved);
        let status = scan.label();
        let arguments = json!({"awb": awb, "status": status, "reason": why});
        let action = self.act("track add", arguments, move |conn| {
            Box::pin(async move {
                tracking::add_by_operator(conn, &awb, scan, now_ms).await?;
                let shipment = store::bookings::shipment(conn, &awb).await?;
                let lost = || Error::internal(anyhow::anyhow!("a shipment is gone"));
                let (booking, _) = shipment.ok_or_else(lost)?;
                let stands = booking.status.shipment().map_or("", ShipmentStatus::label);
                let is_carried = has_moved && booking.status == BookingStatus::CANCELLED;
                let warning = is_carried.then_some(CARRIED);
                let outcome = format!("{awb}: {stands}. {}", warning.unwrap_or_default());
                Ok(ActOutcome {
                    reference: booking.booking_id.clone(),
                    outcome: outcome.trim_end().to_owned(),
                    result: ShipmentTracked {
                        awb,
                        booking: booking.booking_id,
                        status: booking.status,
                        warning,
                    },
                })
            })
        });
        action.await
    }

    /// Settles a finding about a shipment or a word: it leaves the list, and moves no money.
    ///
    /// # Errors
    /// `Conflict` when there is no such open finding.
    pub async fn settle_finding(&self, id: &str, why: &str) -> Result<ActResult<FindingSettled>> {
        let (id, why, now_ms) = (id.to_owned(), reason(why)?, self.core.clock.now_ms());
        let arguments = json!({"finding": id, "reason": why});
        let action = self.act("track settle", arguments, move |conn| {
            Box::pin(async move {
                let settled = store::tracking_findings::settle(conn, &id, now_ms).await?;
                let nothing = || nothing_to_do("There is no such open finding.");
                let settled = settled.ok_or_else(nothing)?;
                Ok(ActOutcome {
                    reference: settled.finding.clone(),
                    outcome: format!("{}: settled.", settled.awb),
                    result: FindingSettled { finding: settled.finding, awb: settled.awb },
                })
            })
        });
        action.await
    }

    /// Completes a request: the receiver was called.
    ///
    /// # Errors
    /// `NotFound` when there is no such shipment, `Conflict` when no receiver waits for a call.
    pub async fn complete_call(&self, awb: &str, why: &str) -> Result<ActResult<CompletedCall>> {
        let (awb, why, now_ms) = (awb.to_owned(), reason(why)?, self.core.clock.now_ms());
        let action = self.act("calls done", json!({"awb": awb, "reason": why}), move |conn| {
            Box::pin(async move {
                let shipment = store::bookings::shipment(conn, &awb).await?;
                let unknown = || Error::NotFound("There is no such shipment.".into());
                let (booking, _) = shipment.ok_or_else(unknown)?;
                if !store::call_requests::close(conn, &booking.booking_id, now_ms).await? {
                    return Err(nothing_to_do("Nobody waits for a call about this parcel."));
                }
                Ok(ActOutcome {
                    reference: booking.booking_id,
                    outcome: format!("{awb}: the receiver was called."),
                    result: CompletedCall { awb },
                })
            })
        });
        action.await
    }
}
