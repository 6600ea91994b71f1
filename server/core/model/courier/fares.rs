//! Couriers' prices for a shipment.

use std::sync::Arc;

use time::Date;

use crate::model::money::paise::Paise;
use crate::model::rates::book::RateBook;
use crate::model::rates::price::{Price, Supply};
use crate::model::shipping::grams::Grams;
use crate::model::shipping::shipment::Shipment;

/// A shipment to be priced.
#[derive(Clone, Debug)]
pub struct RateAsk {
    pub shipment: Shipment,
    /// The day whose rate cards apply.
    pub day: Date,
    /// The kind of GST that the customer pays.
    pub supply: Supply,
    pub book: Arc<RateBook>,
}

/// A courier's services for a shipment; empty if it does not carry the shipment.
#[derive(Clone, Debug, Default)]
pub struct Fares {
    pub fares: Vec<Fare>,
    /// Brands behind this courier that were asked and did not respond.
    pub silent: Vec<String>,
}

#[derive(Clone, Debug)]
pub struct Fare {
    /// The courier's own name of the service, used for booking it.
    pub service: String,
    /// The name shown to customers.
    pub name: String,
    /// The brand: `dhl`, `fedex`, `ups`, …
    pub vendor: String,
    pub tat_days: Option<i64>,
    pub amount: FareAmount,
}

/// A fare is the customer's price or our cost.
#[derive(Clone, Debug)]
pub enum FareAmount {
    /// The customer's price, with its calculation.
    Price(Price),
    /// The partner's charge to us.
    Cost(Cost),
}

/// A partner's charge for a shipment.
#[derive(Clone, Debug)]
pub struct Cost {
    pub amount: Paise,
    /// The partner's zone, if given.
    pub zone: Option<String>,
    /// The chargeable weight, if given.
    pub chargeable: Option<Grams>,
}
