//! What a courier is asked to carry, and what it answers.

use crate::model::money::paise::Paise;
use crate::model::shipping::shipment::Shipment;
use crate::model::shipping::status::ShipmentStatus;

/// A booking as a courier needs it. Texts are the customer's: an adapter cuts them to what its
/// courier takes.
#[derive(Clone, Debug)]
pub struct Order {
    /// Ours. The courier is asked once under it, and can be asked about it.
    pub reference: String,
    /// The courier's own word for the service.
    pub service: String,
    pub shipment: Shipment,
    pub shipper: Party,
    pub receiver: Party,
    pub contents: Contents,
    /// `2026-11-21 16:05:00`, in India.
    pub date: String,
    /// The most the courier may ask for it, as it names prices: for more it is not booked.
    pub cost_max: Paise,
}

/// One end of a shipment.
#[derive(Clone, Debug, Default)]
pub struct Party {
    pub name: String,
    pub company: String,
    pub phone: String,
    pub email: String,
    pub address_1: String,
    pub address_2: String,
    pub city: String,
    pub postal_code: String,
    pub state: String,
    pub state_code: String,
    /// ISO 3166-1 alpha-2.
    pub country_code: String,
    pub country: String,
    pub gstin: String,
}

/// What is inside, for the courier and the customs.
#[derive(Clone, Debug, Default)]
pub struct Contents {
    pub description: String,
    pub hs_code: String,
    /// Declared, in hundredths of the currency.
    pub value: Paise,
    /// ISO 4217.
    pub currency: String,
    pub invoice_number: String,
    pub invoice_date: String,
}

/// A shipment the courier has taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Booked {
    /// The courier's air waybill number.
    pub awb: String,
    /// Of the pickup, when the courier gives one.
    pub pickup_id: String,
}

/// What a courier reports of a shipment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scan {
    /// `None` for a word that nobody here knows.
    pub stage: Option<ShipmentStatus>,
    pub location: String,
    pub remarks: String,
    pub comments: String,
    /// UTC milliseconds.
    pub happened_ms: i64,
}
