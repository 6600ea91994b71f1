//! One partner's shipments and how it behaves. No HTTP, no waiting. Amounts are paise, times are
//! UTC milliseconds.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::super::journal::Journal;
use super::sender::Callbacks;

/// What a developer or a test may change while the sandbox runs.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Settings {
    /// Accounts of Karrio or couriers of Shiprocket that do not answer, by `carrier_id` or
    /// `courier_name`.
    pub silent_carriers: Vec<String>,
    /// What prices are now, of the tariff's: to let one change after it was quoted (percent).
    pub price_percent: i64,
    /// Fields no document names, and numbers written as texts, in every second reply.
    pub unknown_fields: bool,
    /// What is left in the shipper's wallet (Shiprocket only).
    pub wallet_paise: i64,
    /// The life of a token (seconds; Shiprocket only).
    pub token_life_s: i64,
    /// Written behind every new AWB, so that it is none.
    pub awb_suffix: String,
    /// Below which address the merchant is called back; not at all without it.
    pub callback_base: Option<String>,
    pub callbacks: Callbacks,
    /// The wait of `late` (milliseconds).
    pub callback_delay_ms: u64,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            silent_carriers: Vec::new(),
            price_percent: 100,
            unknown_fields: true,
            wallet_paise: 10_000_000,
            token_life_s: 10 * 86_400,
            awb_suffix: String::new(),
            callback_base: None,
            callbacks: Callbacks::default(),
            callback_delay_ms: 2_000,
        }
    }
}

impl Settings {
    pub fn is_silent(&self, carrier: &str) -> bool {
        self.silent_carriers.iter().any(|silent| silent == carrier)
    }
}

/// A shipment, from the draft to the door.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Shipment {
    /// 1, 2, 3…: a partner makes its ids of it.
    pub number: u64,
    /// What the shipper calls it.
    pub reference: String,
    /// What was asked for.
    pub asked: Value,
    /// The prices at that time.
    pub offers: Vec<Offer>,
    /// What couriers said instead of a price.
    pub messages: Vec<Value>,
    pub created_ms: i64,
    pub bought: Option<Bought>,
    pub pickup_ordered: bool,
    pub cancelled: bool,
    /// As they arrived, which need not be as they happened.
    pub scans: Vec<Scan>,
}

impl Shipment {
    /// The AWB, once there is one.
    pub fn awb(&self) -> Option<&str> {
        self.bought.as_ref().map(|bought| bought.awb.as_str())
    }

    /// The partner's word for where it is: what it heard last.
    pub fn last_status(&self) -> Option<&str> {
        self.scans.last().map(|scan| scan.status.as_str())
    }

    /// The newest first.
    pub fn history(&self) -> Vec<&Scan> {
        let mut scans: Vec<&Scan> = self.scans.iter().collect();
        scans.sort_by_key(|scan| std::cmp::Reverse(scan.at_ms));
        scans
    }

    /// When a scan of this status happened.
    pub fn scanned_ms(&self, status: &str) -> Option<i64> {
        let scan = self.scans.iter().find(|scan| scan.status == status)?;
        Some(scan.at_ms)
    }
}

/// A service at a price.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Offer {
    /// The service's name in the partner's table.
    pub service: String,
    pub paise: i64,
}

/// What a bought shipment has.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Bought {
    pub awb: String,
    pub offer: Offer,
    pub at_ms: i64,
}

/// What a courier reports of a shipment.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Scan {
    pub status: String,
    pub location: String,
    pub remarks: String,
    pub at_ms: i64,
}

/// One line of the state file.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Record {
    Settings(Settings),
    Shipment(Box<Shipment>),
    /// A place to pick up from, as the shipper entered it (Shiprocket only).
    Place(Value),
}

/// Everything a partner remembers.
#[derive(Debug, Default)]
pub(super) struct Book {
    pub settings: Settings,
    shipments: BTreeMap<u64, Shipment>,
    places: Vec<Value>,
    journal: Journal,
}

impl Book {
    /// A book in memory, or what the state file holds.
    pub fn open(path: Option<&Path>) -> io::Result<Book> {
        let mut book = Book::default();
        let Some(path) = path else { return Ok(book) };
        for record in Journal::read(path)? {
            match record {
                Record::Settings(settings) => book.settings = settings,
                Record::Shipment(shipment) => {
                    book.shipments.insert(shipment.number, *shipment);
                }
                Record::Place(place) => book.places.push(place),
            }
        }
        let mut records = vec![Record::Settings(book.settings.clone())];
        let shipments = book.shipments.values().cloned().map(Box::new);
        records.extend(shipments.map(Record::Shipment));
        records.extend(book.places.iter().cloned().map(Record::Place));
        book.journal = Journal::rewrite(path, &records)?;
        Ok(book)
    }

    pub fn set_settings(&mut self, settings: Settings) {
        self.settings = settings;
        self.journal
            .append(&Record::Settings(self.settings.clone()));
    }

    /// Takes from the wallet, or gives back what is below zero; false when too little is left.
    pub fn pay(&mut self, paise: i64) -> bool {
        if paise > self.settings.wallet_paise {
            return false;
        }
        let mut settings = self.settings.clone();
        settings.wallet_paise -= paise;
        self.set_settings(settings);
        true
    }

    /// Stores a new shipment under the next number.
    pub fn create(
        &mut self,
        reference: String,
        asked: Value,
        offers: Vec<Offer>,
        messages: Vec<Value>,
        created_ms: i64,
    ) -> Shipment {
        let shipment = Shipment {
            number: self
                .shipments
                .last_key_value()
                .map_or(1, |(last, _)| last + 1),
            reference,
            asked,
            offers,
            messages,
            created_ms,
            bought: None,
            pickup_ordered: false,
            cancelled: false,
            scans: Vec::new(),
        };
        self.save(shipment.clone());
        shipment
    }

    pub fn save(&mut self, shipment: Shipment) {
        let record = Record::Shipment(Box::new(shipment.clone()));
        self.journal.append(&record);
        self.shipments.insert(shipment.number, shipment);
    }

    /// Oldest first.
    pub fn shipments(&self) -> impl DoubleEndedIterator<Item = &Shipment> {
        self.shipments.values()
    }

    pub fn shipment(&self, number: u64) -> Option<&Shipment> {
        self.shipments.get(&number)
    }

    pub fn by_awb(&self, awb: &str) -> Option<&Shipment> {
        self.shipments()
            .find(|shipment| shipment.awb() == Some(awb))
    }

    pub fn places(&self) -> &[Value] {
        &self.places
    }

    pub fn add_place(&mut self, place: Value) {
        self.journal.append(&Record::Place(place.clone()));
        self.places.push(place);
    }
}
