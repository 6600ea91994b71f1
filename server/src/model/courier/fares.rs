//! What couriers charge for a shipment.

use std::sync::Arc;

use time::Date;

use crate::model::money::paise::Paise;
use crate::model::rates::book::RateBook;
use crate::model::rates::price::{Grams, Price, Supply};
use crate::model::shipping::shipment::Shipment;

/// A shipment to be priced.
#[derive(Clone, Debug)]
pub struct RateAsk {
    pub shipment: Shipment,
    /// The day whose rate cards count.
    pub day: Date,
    /// Which GST the customer pays.
    pub supply: Supply,
    /// Our own rate cards.
    pub book: Arc<RateBook>,
}

/// A courier's services for a shipment. None is an answer too: it does not carry this one.
#[derive(Clone, Debug, Default)]
pub struct Fares {
    pub fares: Vec<Fare>,
    /// Brands behind this courier that were asked and did not answer.
    pub silent: Vec<String>,
}

/// What one service costs.
#[derive(Clone, Debug)]
pub struct Fare {
    /// The courier's own name of the service, under which it is booked.
    pub service: String,
    /// The name that customers read.
    pub name: String,
    /// The brand: `dhl`, `fedex`, `ups`, …
    pub vendor: String,
    pub tat_days: Option<i64>,
    pub amount: FareAmount,
}

/// Whose price a fare is.
#[derive(Clone, Debug)]
pub enum FareAmount {
    /// What the customer pays, with how it came about.
    Price(Price),
    /// What the partner will bill us.
    Cost(Cost),
}

/// A partner's bill for a shipment.
#[derive(Clone, Debug)]
pub struct Cost {
    pub amount: Paise,
    /// The partner's zone, when it names one.
    pub zone: Option<String>,
    /// The weight it charges for, when it names one.
    pub chargeable: Option<Grams>,
}
