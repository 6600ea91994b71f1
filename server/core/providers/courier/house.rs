//! Our own couriers: priced by our rate cards, without a network call.

use async_trait::async_trait;
use tokio::time::Instant;

use super::Courier;
use super::error::CourierResult;
use super::pickup::{PickupAsk, PickupTaken, Pickups};
use crate::model::booking::pickup::PickupSlot;
use crate::model::courier::HOUSE;
use crate::model::courier::fares::{Fare, FareAmount, Fares, RateAsk};
use crate::model::courier::order::{Begun, Booked, OrderNumbers, Scan, ShipmentOrder, Standing};
use crate::model::rates::book::HouseOffer;

#[derive(Clone, Copy, Debug)]
pub struct House;

#[async_trait]
impl Courier for House {
    fn code(&self) -> &'static str {
        HOUSE
    }

    fn name_in_messages(&self) -> &'static str {
        "our own couriers"
    }

    async fn rates(&self, ask: &RateAsk) -> CourierResult<Fares> {
        let offers = ask.book.offers(&ask.shipment, ask.day, ask.supply);
        Ok(Fares { fares: offers.into_iter().map(fare).collect(), silent: Vec::new() })
    }

    /// Our couriers accept everything that is on our rate cards.
    async fn begin(&self, order: &ShipmentOrder, _: Instant) -> CourierResult<Begun> {
        Ok(Begun { courier_id: order.reference.clone(), choice: Ok(String::new()) })
    }

    async fn buy(&self, order: &ShipmentOrder, _: &Begun, _: Instant) -> CourierResult<Booked> {
        Ok(Booked::by_house(&order.reference))
    }

    /// Every stored order is booked.
    async fn look_up(&self, order: &OrderNumbers) -> CourierResult<Standing> {
        Ok(Standing::Booked(Booked::by_house(&order.reference)))
    }

    /// Operators enter the reports themselves (`dakiya track add`).
    async fn track(&self, _: &str, _: &str) -> CourierResult<Vec<Scan>> {
        Ok(Vec::new())
    }

    async fn label(&self, _: &OrderNumbers) -> CourierResult<Option<Vec<u8>>> {
        Ok(None)
    }

    async fn ask_to_cancel(&self, _: &OrderNumbers) -> CourierResult<()> {
        Ok(())
    }

    /// Needs no request, because we are the courier.
    async fn cancel(&self, _: &OrderNumbers) -> CourierResult<()> {
        Ok(())
    }
}

/// The three daily pickup rounds of our drivers.
const ROUNDS: &[PickupSlot] =
    &[PickupSlot::hours(10, 13, 8), PickupSlot::hours(13, 16, 11), PickupSlot::hours(16, 19, 14)];

/// Operators see the waiting pickups (`dakiya pickups`). No request is sent.
#[async_trait]
impl Pickups for House {
    fn slots(&self) -> &'static [PickupSlot] {
        ROUNDS
    }

    fn carrier<'a>(&self, _: &'a str) -> &'a str {
        ""
    }

    fn may_ask_again(&self) -> bool {
        true
    }

    async fn ask(&self, ask: &PickupAsk) -> CourierResult<PickupTaken> {
        Ok(PickupTaken { courier_id: ask.reference.clone(), confirmation: String::new() })
    }

    async fn call_off(&self, _: &PickupAsk) -> CourierResult<()> {
        Ok(())
    }
}

fn fare(offer: HouseOffer<'_>) -> Fare {
    let product = offer.product;
    Fare {
        service: product.service.clone(),
        name: product.product_name.clone(),
        vendor: product.parent_vendor.clone(),
        tat_days: Some(offer.tat_days),
        amount: FareAmount::Price(offer.price),
    }
}
