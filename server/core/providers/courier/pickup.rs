//! Pickups at couriers: scheduled, moved and cancelled.

use async_trait::async_trait;

use super::error::CourierResult;
use crate::model::booking::pickup::{PickupSlot, PickupTime};
use crate::model::courier::order::{OrderNumbers, ShipmentParty};

/// A request to pick up parcels of one courier at one address.
#[derive(Clone, Debug)]
pub struct PickupAsk {
    /// Our reference of the pickup.
    pub reference: String,
    /// The courier's id of the pickup; empty until it is known.
    pub courier_id: String,
    /// The courier's human-readable number of the pickup, or empty.
    pub confirmation: String,
    pub time: PickupTime,
    pub place: ShipmentParty,
    /// At least one parcel. All have the same carrier.
    pub parcels: Vec<OrderNumbers>,
}

/// A pickup that a courier has agreed to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PickupTaken {
    /// The courier's id of the pickup; never empty.
    pub courier_id: String,
    /// The courier's human-readable number of the pickup; empty if it has none.
    pub confirmation: String,
}

/// The ways in which a courier gets parcels from their senders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fetches {
    /// It collects when it is asked to, and takes parcels at its counters.
    OnRequest,
    /// It has no counters: each parcel is collected.
    Always,
}

/// The pickup calls of a courier.
#[async_trait]
pub trait Pickups: Sync {
    /// Returns the time slots; none if the courier does not pick up parcels.
    fn slots(&self) -> &'static [PickupSlot];

    /// Returns how the services of this brand get their parcels.
    fn fetches(&self, _vendor: &str) -> Fetches {
        Fetches::OnRequest
    }

    /// Returns the carrier for parcels of this service. Two carriers share no pickup.
    fn carrier<'a>(&self, service: &'a str) -> &'a str;

    /// True if a pickup can be cancelled while its parcels stay booked.
    fn calls_off(&self) -> bool {
        true
    }

    /// True if a repeated request creates no second pickup. Then an unknown outcome is retried.
    fn may_ask_again(&self) -> bool {
        false
    }

    /// Schedules a pickup.
    async fn ask(&self, ask: &PickupAsk) -> CourierResult<PickupTaken>;

    /// Returns the pickup with our reference, if the courier lists one that is not cancelled.
    /// Changes nothing at the courier.
    async fn find(&self, _reference: &str) -> CourierResult<Option<PickupTaken>> {
        Ok(None)
    }

    /// Moves a pickup to another time. Repeating the request is no error.
    async fn move_to(&self, ask: &PickupAsk) -> CourierResult<PickupTaken> {
        self.ask(ask).await
    }

    /// Cancels a pickup. Cancelling twice is no error.
    async fn call_off(&self, ask: &PickupAsk) -> CourierResult<()>;
}
