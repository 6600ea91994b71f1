//! What a courier is asked to carry, and what it reports about it.

use crate::model::money::paise::Paise;
use crate::model::shipping::shipment::Shipment;
use crate::model::shipping::status::ShipmentStatus;

/// A booking as a courier needs it. The texts are the customer's; an adapter cuts them to the
/// lengths that its courier takes.
#[derive(Clone, Debug)]
pub struct ShipmentOrder {
    /// Our number of the order. The courier is asked to book it only once, and can be asked by this
    /// number whether it did.
    pub reference: String,
    /// The courier's own name of the service.
    pub service: String,
    pub shipment: Shipment,
    pub shipper: ShipmentParty,
    pub receiver: ShipmentParty,
    pub contents: Contents,
    /// `2026-11-21 16:05:00`, in India.
    pub date: String,
    /// The most that the courier may charge, with or without tax as its prices are. If it now
    /// charges more, nothing is booked.
    pub cost_max: Paise,
}

/// The shipper or the receiver.
#[derive(Clone, Debug, Default)]
pub struct ShipmentParty {
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

/// All numbers of an order at its courier that we hold.
#[derive(Clone, Debug, Default)]
pub struct OrderNumbers {
    /// The courier's own name of the service.
    pub service: String,
    /// Ours.
    pub reference: String,
    /// The courier's id of the order; empty until it was begun there.
    pub courier_id: String,
    /// Empty until the courier has booked it.
    pub awb: String,
}

/// An order that a courier knows and does not carry yet.
#[derive(Clone, Debug)]
pub struct Begun {
    /// The courier's id of it.
    pub courier_id: String,
    /// What is to be bought, by the courier's id of the price or the parcel. Or why nothing is.
    pub choice: Result<String, String>,
}

/// Where an order stands at its courier, as far as it says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It will be carried.
    Booked(Booked),
    /// It was begun and not bought: it is not carried, and may be bought yet.
    Begun,
    /// It is to be cancelled and may still be carried.
    Cancelling,
    /// It is cancelled and will not be carried.
    Cancelled,
    /// The courier lists no such order, which proves nothing: its list may be late.
    Unlisted,
}

/// A shipment the courier has taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Booked {
    /// The courier's air waybill number.
    pub awb: String,
    /// The courier's number of the pickup; empty when it gives none.
    pub pickup_id: String,
}

/// One report of a courier about a shipment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scan {
    /// `None` for a word of the courier's that is not in our table.
    pub stage: Option<ShipmentStatus>,
    pub location: String,
    pub remarks: String,
    pub comments: String,
    /// UTC milliseconds.
    pub happened_ms: i64,
}
