//! Pickups at couriers: asked for, moved, called off.

use async_trait::async_trait;

use super::CourierError;
use crate::model::booking::pickup::{PickupSlot, PickupTime};
use crate::model::courier::order::{OrderNumbers, ShipmentParty};

/// Parcels of one courier to be fetched at one place.
#[derive(Clone, Debug)]
pub struct PickupAsk {
    /// Ours.
    pub reference: String,
    /// The courier's id of the pickup; empty until it is known.
    pub courier_id: String,
    /// The courier's number of the pickup for people, or empty.
    pub confirmation: String,
    pub time: PickupTime,
    pub place: ShipmentParty,
    /// All of one service's carrier; at least one.
    pub parcels: Vec<OrderNumbers>,
}

/// A pickup that a courier has agreed to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PickupTaken {
    /// The courier's id of it; never empty.
    pub courier_id: String,
    /// The courier's number of it for people; empty when it gives none.
    pub confirmation: String,
}

/// How a courier comes to fetch parcels.
#[async_trait]
pub trait Pickups: Sync {
    /// When it comes; none when it fetches nothing.
    fn slots(&self) -> &'static [PickupSlot];

    /// Whom it sends for parcels of this service, where it has several; they share no pickup.
    fn carrier<'a>(&self, service: &'a str) -> &'a str;

    /// Whether a pickup can be called off while its parcels stay booked.
    fn calls_off(&self) -> bool;

    /// Whether asking twice makes no second pickup, so that one of unknown fate is asked for again.
    fn may_ask_again(&self) -> bool;

    /// Asks the courier to come.
    async fn ask(&self, ask: &PickupAsk) -> Result<PickupTaken, CourierError>;

    /// The pickup of our reference, if the courier lists one that is not called off. Changes
    /// nothing there.
    async fn find(&self, _reference: &str) -> Result<Option<PickupTaken>, CourierError> {
        Ok(None)
    }

    /// Asks the courier to come at another time. Asking twice is no error.
    async fn move_to(&self, ask: &PickupAsk) -> Result<PickupTaken, CourierError> {
        self.ask(ask).await
    }

    /// Tells the courier not to come. Telling it twice is no error.
    async fn call_off(&self, ask: &PickupAsk) -> Result<(), CourierError>;
}
