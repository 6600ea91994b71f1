//! One partner's shipments and settings, in memory and in the state file. Amounts are paise, times
//! are UTC milliseconds.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::super::journal::Journal;

/// The mode of a partner's callbacks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum ShipmentCallbackMode {
    Never,
    #[default]
    Once,
    Twice,
    /// After `callback_delay_ms`, so that a later scan may be reported before it.
    Late,
    /// With a wrong secret.
    Forged,
    /// About an unknown shipment.
    Astray,
}

/// The settings that a developer or a test may change while the sandbox runs.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct PartnerSettings {
    /// Accounts of Karrio or couriers of Shiprocket that do not respond, by `carrier_id` or
    /// `courier_name`.
    pub silent_carriers: Vec<String>,
    /// Present prices in percent of the tariff: changes a price after it was quoted.
    pub price_percent: i64,
    /// Set to add undocumented fields, and to write numbers as texts, in every second reply.
    pub unknown_fields: bool,
    /// The balance of the shipper's wallet (Shiprocket only).
    pub wallet_paise: i64,
    /// The lifetime of a token (seconds; Shiprocket only).
    pub token_life_s: i64,
    /// The delay until the search lists a new order (milliseconds).
    pub search_lag_ms: i64,
    /// The delay between the request and the cancellation itself (milliseconds).
    pub cancel_lag_ms: i64,
    /// Set to accept a purchase that comes after the cancellation.
    pub buys_cancelled: bool,
    /// Appended to every new AWB, to make it invalid.
    pub awb_suffix: String,
    /// Written before every label.
    pub label_prefix: String,
    /// Returned as the address of every label, in place of our own (Shiprocket only).
    pub label_address: Option<String>,
    /// The base address of the callbacks to the merchant; without it there are none.
    pub callback_base: Option<String>,
    pub callbacks: ShipmentCallbackMode,
    /// The delay of `late` (milliseconds).
    pub callback_delay_ms: u64,
    /// Set to report the status of shipments without their events.
    pub hides_events: bool,
}

impl Default for PartnerSettings {
    fn default() -> PartnerSettings {
        PartnerSettings {
            silent_carriers: Vec::new(),
            price_percent: 100,
            unknown_fields: true,
            wallet_paise: 10_000_000,
            token_life_s: 10 * 86_400,
            search_lag_ms: 0,
            cancel_lag_ms: 0,
            buys_cancelled: false,
            awb_suffix: String::new(),
            label_prefix: String::new(),
            label_address: None,
            callback_base: None,
            callbacks: ShipmentCallbackMode::default(),
            callback_delay_ms: 2_000,
            hides_events: false,
        }
    }
}

impl PartnerSettings {
    pub fn is_silent(&self, carrier: &str) -> bool {
        self.silent_carriers.iter().any(|silent| silent == carrier)
    }
}

/// A shipment, from the draft to the delivery.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct PartnerShipment {
    /// 1, 2, 3…: the ids are derived from it.
    pub number: u64,
    pub reference: String,
    /// The body of the request that created it.
    pub asked: Value,
    /// The prices at its creation.
    pub offers: Vec<PartnerOffer>,
    /// The errors of couriers without a price.
    pub messages: Vec<Value>,
    pub created_ms: i64,
    pub bought: Option<Bought>,
    pub pickup_ordered: bool,
    /// The number of accepted requests for its pickup (Shiprocket only).
    #[serde(default)]
    pub pickup_requests: u32,
    /// The requested day of its pickup, as in `2026-11-26`; `None` for the next day (Shiprocket
    /// only).
    #[serde(default)]
    pub pickup_day: Option<String>,
    pub cancelled: bool,
    /// The time when its cancellation was requested, while it is not cancelled yet.
    #[serde(default)]
    pub cancel_asked_ms: Option<i64>,
    /// The scans in the order of the reports, which may differ from the order of the events.
    pub scans: Vec<PartnerScan>,
}

impl PartnerShipment {
    /// Returns true if its courier will carry it.
    pub fn is_carried(&self) -> bool {
        self.bought.is_some() && !self.cancelled
    }

    /// Returns true if its courier knows its number: of a cancelled one, if it was carried all the
    /// same.
    pub fn is_tracked(&self) -> bool {
        self.is_carried() || (self.bought.is_some() && !self.scans.is_empty())
    }

    pub fn awb(&self) -> Option<&str> {
        self.bought.as_ref().map(|bought| bought.awb.as_str())
    }

    /// Returns the partner's word for its status: the status of the scan reported last.
    pub fn last_status(&self) -> Option<&str> {
        self.scans.last().map(|scan| scan.status.as_str())
    }

    /// Returns the scans, newest first.
    pub fn history(&self) -> Vec<&PartnerScan> {
        let mut scans: Vec<&PartnerScan> = self.scans.iter().collect();
        scans.sort_by_key(|scan| scan.at_ms);
        scans.reverse();
        scans
    }

    /// Returns the time of a scan of this status.
    pub fn scanned_ms(&self, status: &str) -> Option<i64> {
        let scan = self.scans.iter().find(|scan| scan.status == status)?;
        Some(scan.at_ms)
    }
}

/// A service at a price.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct PartnerOffer {
    /// The service's name in the partner's table.
    pub service: String,
    pub paise: i64,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Bought {
    pub awb: String,
    pub offer: PartnerOffer,
    pub at_ms: i64,
}

/// One report of a courier about a shipment.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct PartnerScan {
    pub status: String,
    pub location: String,
    pub remarks: String,
    pub at_ms: i64,
    #[serde(default)]
    pub told: ScanTold,
    /// The day and time as written at the place of the scan, as in `2026-11-21 16:05`, without a
    /// zone.
    #[serde(default)]
    pub local: Option<String>,
    /// The carrier's code instead of a status (Karrio only).
    #[serde(default)]
    pub code: Option<String>,
    /// The reason of an incident (Karrio only).
    #[serde(default)]
    pub reason: Option<String>,
}

/// The precision in which a partner tells a scan's time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum ScanTold {
    #[default]
    Moment,
    Day,
    Nothing,
}

/// A pickup of some shipments (Karrio only).
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct PartnerPickup {
    /// 1, 2, 3…: the ids are derived from it.
    pub number: u64,
    pub carrier_name: String,
    /// The body of the request that created it, with all later changes.
    pub asked: Value,
    pub cancelled: bool,
}

/// One line of the state file.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum PartnerRecord {
    Settings(PartnerSettings),
    Shipment(Box<PartnerShipment>),
    Pickup(Box<PartnerPickup>),
    /// A place to pick up from, as the shipper entered it (Shiprocket only).
    Place(Value),
}

#[derive(Debug, Default)]
pub(super) struct PartnerRecords {
    pub settings: PartnerSettings,
    shipments: BTreeMap<u64, PartnerShipment>,
    /// The numbers of shipments by the client's reference and by the AWB.
    by_reference: HashMap<String, u64>,
    by_awb: HashMap<String, u64>,
    /// The numbers of shipments whose cancellation was requested and is not done.
    to_cancel: BTreeSet<u64>,
    pub pickups: BTreeMap<u64, PartnerPickup>,
    pub places: Vec<Value>,
    journal: Journal,
}

impl PartnerRecords {
    /// Returns the records of the state file, or empty ones in memory.
    pub fn open(path: Option<&Path>) -> io::Result<PartnerRecords> {
        let mut records = PartnerRecords::default();
        let Some(path) = path else {
            return Ok(records);
        };
        for record in Journal::read(path)? {
            records.replay(record);
        }
        let mut lines = vec![PartnerRecord::Settings(records.settings.clone())];
        let shipments = records.shipments.values().cloned().map(Box::new);
        lines.extend(shipments.map(PartnerRecord::Shipment));
        let pickups = records.pickups.values().cloned().map(Box::new);
        lines.extend(pickups.map(PartnerRecord::Pickup));
        lines.extend(records.places.iter().cloned().map(PartnerRecord::Place));
        records.journal = Journal::rewrite(path, &lines)?;
        Ok(records)
    }

    fn replay(&mut self, record: PartnerRecord) {
        match record {
            PartnerRecord::Settings(settings) => self.settings = settings,
            PartnerRecord::Shipment(shipment) => self.keep(*shipment),
            PartnerRecord::Pickup(pickup) => {
                self.pickups.insert(pickup.number, *pickup);
            }
            PartnerRecord::Place(place) => self.places.push(place),
        }
    }

    fn keep(&mut self, shipment: PartnerShipment) {
        let number = shipment.number;
        self.by_reference.insert(shipment.reference.clone(), number);
        if let Some(awb) = shipment.awb() {
            self.by_awb.insert(awb.to_owned(), number);
        }
        match shipment.cancel_asked_ms {
            Some(_) => self.to_cancel.insert(number),
            None => self.to_cancel.remove(&number),
        };
        self.shipments.insert(number, shipment);
    }

    fn store(&mut self, record: PartnerRecord) {
        self.journal.append(&record);
        self.replay(record);
    }

    pub fn set_settings(&mut self, settings: PartnerSettings) {
        self.store(PartnerRecord::Settings(settings));
    }

    pub fn save(&mut self, shipment: PartnerShipment) {
        self.store(PartnerRecord::Shipment(Box::new(shipment)));
    }

    pub fn save_pickup(&mut self, pickup: PartnerPickup) {
        self.store(PartnerRecord::Pickup(Box::new(pickup)));
    }

    pub fn add_place(&mut self, place: Value) {
        self.store(PartnerRecord::Place(place));
    }

    /// Debits the wallet, or credits it for a negative amount; false if the balance is too low.
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
    pub fn create(&mut self, draft: PartnerShipment) -> PartnerShipment {
        let number = next_number(&self.shipments);
        let shipment = PartnerShipment { number, ..draft };
        self.save(shipment.clone());
        shipment
    }

    /// Stores the purchase of a shipment, whose AWB gets the suffix of the settings.
    pub fn buy(
        &mut self,
        mut shipment: PartnerShipment,
        awb: String,
        offer: PartnerOffer,
        at_ms: i64,
    ) -> PartnerShipment {
        let awb = awb + &self.settings.awb_suffix;
        shipment.bought = Some(Bought { awb, offer, at_ms });
        shipment.cancelled = false;
        self.save(shipment.clone());
        shipment
    }

    /// Returns the shipments whose requested cancellation is due.
    pub fn to_cancel(&self, now_ms: i64) -> Vec<PartnerShipment> {
        let lag_ms = self.settings.cancel_lag_ms;
        let is_due =
            |it: &&PartnerShipment| it.cancel_asked_ms.is_some_and(|at| at + lag_ms <= now_ms);
        let asked = self.to_cancel.iter().filter_map(|number| self.shipments.get(number));
        asked.filter(is_due).cloned().collect()
    }

    /// Returns the shipments, oldest first.
    pub fn shipments(&self) -> impl DoubleEndedIterator<Item = &PartnerShipment> {
        self.shipments.values()
    }

    /// Returns the shipments that the search lists by now and the filter takes, newest first.
    pub fn search<'a>(
        &'a self,
        now_ms: i64,
        takes: impl Fn(&PartnerShipment) -> bool + 'a,
    ) -> impl Iterator<Item = &'a PartnerShipment> {
        let until_ms = now_ms - self.settings.search_lag_ms;
        let newest_first = self.shipments().rev();
        newest_first.filter(move |it| it.created_ms <= until_ms && takes(it))
    }

    pub fn shipment(&self, number: u64) -> Option<&PartnerShipment> {
        self.shipments.get(&number)
    }

    pub fn has_reference(&self, reference: &str) -> bool {
        self.by_reference.contains_key(reference)
    }

    pub fn by_awb(&self, awb: &str) -> Option<&PartnerShipment> {
        let shipment = self.shipments.get(self.by_awb.get(awb)?);
        shipment.filter(|shipment| shipment.awb() == Some(awb))
    }

    /// Stores a new pickup under the next number.
    pub fn schedule(&mut self, carrier: &str, body: Value) -> PartnerPickup {
        let pickup = PartnerPickup {
            number: next_number(&self.pickups),
            carrier_name: carrier.to_owned(),
            asked: body,
            cancelled: false,
        };
        self.save_pickup(pickup.clone());
        pickup
    }
}

fn next_number<T>(numbered: &BTreeMap<u64, T>) -> u64 {
    numbered.last_key_value().map_or(1, |(last, _)| last + 1)
}
