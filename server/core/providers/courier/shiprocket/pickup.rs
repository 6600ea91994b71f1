//! Pickups at Shiprocket belong to its shipments: the booking schedules the one that its customer
//! wants, another day moves it, and cancelling the order ends it.

use async_trait::async_trait;
use serde_json::json;
use tokio::time::Instant;

use super::super::error::{CourierError, CourierResult};
use super::super::pickup::{Fetches, PickupAsk, PickupTaken, Pickups};
use super::super::text::redacted;
use super::super::{deadline, read};
use super::{Shiprocket, wire};
use crate::model::booking::pickup::PickupSlot;
use crate::providers::calls::CallKind;

/// The protocol has days but no hours: the couriers come at any time of the day.
const DAY: &[PickupSlot] = &[PickupSlot::hours(10, 19, 11)];

/// Brands that only collect from senders.
const WITHOUT_COUNTERS: &[&str] = &["ecom express", "shadowfax", "xpressbees"];

#[async_trait]
impl Pickups for Shiprocket {
    fn slots(&self) -> &'static [PickupSlot] {
        DAY
    }

    fn fetches(&self, vendor: &str) -> Fetches {
        match WITHOUT_COUNTERS.contains(&vendor) {
            true => Fetches::Always,
            false => Fetches::OnRequest,
        }
    }

    /// The id of the courier itself, because each courier picks up separately.
    fn carrier<'a>(&self, service: &'a str) -> &'a str {
        service
    }

    /// Shiprocket has no such call.
    fn calls_off(&self) -> bool {
        false
    }

    fn may_ask_again(&self) -> bool {
        true
    }

    /// Shipments that are already in the queue, as after their booking, are moved.
    async fn ask(&self, ask: &PickupAsk) -> CourierResult<PickupTaken> {
        let deadline = deadline();
        let shipments = self.shipments(ask, deadline).await?;
        match self.generate(ask, &shipments, None, deadline).await {
            Err(CourierError::Refused(reason)) if is_queued(&reason) => {
                self.generate(ask, &shipments, Some("retry"), deadline).await
            }
            answer => answer,
        }
    }

    /// Cancelling the orders has already cancelled their pickup.
    async fn call_off(&self, _: &PickupAsk) -> CourierResult<()> {
        Ok(())
    }
}

impl Shiprocket {
    async fn shipments(&self, ask: &PickupAsk, deadline: Instant) -> CourierResult<Vec<i64>> {
        let mut ids = Vec::with_capacity(ask.parcels.len());
        for parcel in &ask.parcels {
            let orders = self.orders(parcel, deadline).await?;
            let id = orders.iter().find_map(|it| it.shipment_of(&parcel.awb));
            let lost = || CourierError::Unknown("it lists no such shipment".to_owned());
            ids.push(id.ok_or_else(lost)?);
        }
        Ok(ids)
    }

    async fn generate(
        &self,
        ask: &PickupAsk,
        shipments: &[i64],
        status: Option<&'static str>,
        deadline: Instant,
    ) -> CourierResult<PickupTaken> {
        let mut body = json!({"shipment_id": shipments, "pickup_date": [ask.time.day_text()]});
        // `retry` for shipments that already have a pickup.
        if let Some(status) = status {
            body["status"] = json!(status);
        }
        let posted = self.api.post(CallKind::Pickup, wire::PICKUP_PATH, &body, deadline);
        let reply = posted.await?;
        let answer: wire::PickupReply = read(&reply)?;
        if let Some(reason) = answer.refusal() {
            return Err(CourierError::Refused(redacted(reason)));
        }
        Ok(PickupTaken { courier_id: ask.reference.clone(), confirmation: answer.token() })
    }
}

fn is_queued(reason: &str) -> bool {
    reason.to_lowercase().contains("already")
}
