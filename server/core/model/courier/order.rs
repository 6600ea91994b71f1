//! Orders at couriers, and their tracking events.

use super::time_told::TimeTold;
use crate::model::booking::pickup::PickupTime;
use crate::model::money::paise::Paise;
use crate::model::shipping::loss::Loss;
use crate::model::shipping::shipment::Shipment;
use crate::model::shipping::status::ShipmentStatus;

/// A booking as sent to a courier. The texts are the customer's; an adapter shortens them to its
/// courier's limits.
#[derive(Clone, Debug)]
pub struct ShipmentOrder {
    /// Our reference of the order. The courier is asked to book it only once, and can be asked by
    /// this reference whether it did.
    pub reference: String,
    /// The courier's own name of the service.
    pub service: String,
    pub shipment: Shipment,
    /// The sender, at the place where the parcel is collected.
    pub shipper: ShipmentParty,
    /// Who declares the contents.
    pub sender_name: String,
    pub receiver: ShipmentParty,
    pub contents: ShipmentContents,
    /// Time of the order, such as `2026-11-21 16:05:00`, in Indian time.
    pub date: String,
    /// The highest cost to accept, with or without tax as the courier's prices are. If the courier
    /// now charges more, nothing is booked.
    pub cost_max: Paise,
    /// When it is collected; `None` if the sender hands it in: then nobody is sent.
    pub pickup_time: Option<PickupTime>,
}

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

/// The contents, for the courier and customs.
#[derive(Clone, Debug, Default)]
pub struct ShipmentContents {
    pub description: String,
    pub hs_code: String,
    /// Declared value, in hundredths of the currency.
    pub value: Paise,
    /// ISO 4217.
    pub currency: String,
    pub invoice_number: String,
    pub invoice_date: String,
    /// Within India; may be empty.
    pub eway_bill: String,
}

/// The part of an order that its courier refused.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RefusedPart {
    #[default]
    All,
    /// Only the address where it collects the parcel.
    Address,
}

impl RefusedPart {
    const ALL: [RefusedPart; 2] = [RefusedPart::All, RefusedPart::Address];

    /// The part's name in the database.
    pub fn word(self) -> &'static str {
        match self {
            RefusedPart::All => "",
            RefusedPart::Address => "address",
        }
    }

    pub fn parse(word: &str) -> Option<RefusedPart> {
        RefusedPart::ALL.into_iter().find(|part| part.word() == word)
    }
}

/// The ids of an order at its courier that we have stored.
#[derive(Clone, Debug, Default)]
pub struct OrderNumbers {
    pub service: String,
    pub reference: String,
    /// The courier's id of the order; empty before it was created there.
    pub courier_id: String,
    /// Empty until the courier has booked it.
    pub awb: String,
}

/// An order created at a courier and not booked yet.
#[derive(Clone, Debug)]
pub struct Begun {
    /// The courier's id of the order.
    pub courier_id: String,
    /// The courier's id of the price or parcel to buy, or the reason why nothing is bought.
    pub choice: Result<String, String>,
}

/// The state of an order at its courier, as far as it reports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Standing {
    /// The courier will carry it.
    Booked(Booked),
    /// The order was created and not bought: it is not carried, and may still be bought.
    Begun,
    /// Cancellation was requested; the order may still be carried.
    Cancelling,
    /// The order is cancelled and will not be carried.
    Cancelled,
    /// The courier lists no such order, which proves nothing: its list may be outdated.
    Unlisted,
}

/// An order in a courier's own list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedOrder {
    /// Our reference; anything if somebody ordered it by hand.
    pub reference: String,
    pub standing: Standing,
}

impl ListedOrder {
    /// True if the courier may carry it.
    pub fn may_be_carried(&self) -> bool {
        matches!(self.standing, Standing::Booked(_) | Standing::Cancelling)
    }

    /// Its AWB; empty if it has none.
    pub fn awb(&self) -> &str {
        match &self.standing {
            Standing::Booked(booked) => &booked.awb,
            _ => "",
        }
    }
}

/// A shipment that the courier has accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Booked {
    pub awb: String,
    /// The courier's id of the pickup; empty if it gives none.
    pub pickup_id: String,
}

impl Booked {
    /// Returns the booking of our own courier, which needs no request: its AWB is our reference.
    pub fn by_house(reference: &str) -> Booked {
        Booked { awb: reference.to_owned(), pickup_id: String::new() }
    }
}

/// A tracking event reported by a courier.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scan {
    /// `None` for a status of the courier's that is not in our table.
    pub stage: Option<ShipmentStatus>,
    /// Why it is an exception, if it is one.
    pub loss: Option<Loss>,
    /// The courier's word for its status, if our table does not have it.
    pub unknown_word: String,
    pub location: String,
    pub remarks: String,
    pub comments: String,
    /// UTC milliseconds. Of a day only, midnight in India.
    pub happened_ms: i64,
    pub told: TimeTold,
}

impl Scan {
    /// Returns the label of its stage; `None` without a stage.
    pub fn label(&self) -> Option<&'static str> {
        let stage = self.stage?;
        let loss = self.loss.filter(|_| stage == ShipmentStatus::Exception);
        Some(loss.map_or(stage.label(), Loss::label))
    }
}
