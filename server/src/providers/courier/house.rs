//! Our own couriers: priced by our rate cards, no network.

use tokio::time::Instant;

use super::order::{Booked, Order, Scan};
use super::{Amount, Courier, CourierError, Fare, RateAsk, Rates};
use crate::model::rates::book::HouseOffer;
use crate::model::rates::terms::HOUSE;
use crate::providers::Later;

/// Our own couriers.
#[derive(Clone, Copy, Debug)]
pub struct House;

impl Courier for House {
    fn code(&self) -> &'static str {
        HOUSE
    }

    fn called(&self) -> &'static str {
        "our own couriers"
    }

    fn rates<'a>(&'a self, ask: &'a RateAsk) -> Later<'a, Result<Rates, CourierError>> {
        Box::pin(async { Ok(rates(ask)) })
    }

    /// Our couriers take everything that is on our cards, and number it as we do.
    fn book<'a>(&'a self, order: &'a Order, _: Instant) -> Later<'a, Result<Booked, CourierError>> {
        Box::pin(async { Ok(booked(order)) })
    }

    fn find<'a>(&'a self, order: &'a Order) -> Later<'a, Result<Option<Booked>, CourierError>> {
        Box::pin(async { Ok(Some(booked(order))) })
    }

    /// Operators report these themselves.
    fn track<'a>(&'a self, _: &'a str, _: &'a str) -> Later<'a, Result<Vec<Scan>, CourierError>> {
        Box::pin(async { Ok(Vec::new()) })
    }

    fn label<'a>(
        &'a self,
        _: &'a str,
        _: &'a str,
    ) -> Later<'a, Result<Option<Vec<u8>>, CourierError>> {
        Box::pin(async { Ok(None) })
    }

    fn cancel<'a>(&'a self, _: &'a str) -> Later<'a, Result<(), CourierError>> {
        Box::pin(async { Ok(()) })
    }
}

fn booked(order: &Order) -> Booked {
    Booked {
        awb: order.reference.clone(),
        pickup_id: String::new(),
    }
}

fn rates(ask: &RateAsk) -> Rates {
    let offers = ask.book.offers(&ask.shipment, ask.day, ask.supply);
    Rates {
        fares: offers.into_iter().map(fare).collect(),
        silent: Vec::new(),
    }
}

fn fare(offer: HouseOffer<'_>) -> Fare {
    let product = offer.product;
    Fare {
        service: product.service.clone(),
        name: product.product_name.clone(),
        vendor: product.parent_vendor.clone(),
        tat_days: Some(offer.tat_days),
        amount: Amount::Price(offer.price),
    }
}
