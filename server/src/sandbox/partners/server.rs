//! The common parts of every pretend partner: its records, an interceptor, a callback sender, a
//! clock.

use std::io;
use std::sync::{Arc, Mutex, MutexGuard};

use serde_json::Value;
use time::macros::format_description;
use time::{Date, Duration, OffsetDateTime};

use super::super::SandboxOptions;
use super::super::interceptor::{Interceptor, Protocol};
use super::records::{PartnerRecords, PartnerShipment};
use super::sender::{ShipmentCallbackMode, ShipmentCallbackSender};
use crate::clock::Clock;
use crate::model::calendar::date_in_india;
use crate::model::settings::callbacks::CourierCallback;

/// The state behind a pretend partner. Cheap to clone.
#[derive(Clone, Debug)]
pub(super) struct PartnerServer {
    records: Arc<Mutex<PartnerRecords>>,
    pub interceptor: Interceptor,
    pub sender: Arc<ShipmentCallbackSender>,
    profile: &'static PartnerProfile,
    clock: Clock,
}

/// The differences between partners.
#[derive(Debug)]
pub(super) struct PartnerProfile {
    /// Its state file in the couriers' folder.
    pub file: &'static str,
    pub protocol: &'static Protocol,
    /// The address and the header of its callbacks.
    pub callback: &'static CourierCallback,
    /// Returns the body of a callback about a shipment.
    pub callback_body: fn(&PartnerShipment) -> Value,
    /// Cancels a shipment at this time.
    pub make_cancelled: fn(&mut PartnerRecords, &mut PartnerShipment, i64),
}

impl PartnerServer {
    /// Reads its state file in the couriers' folder; without a folder its records are only in
    /// memory.
    pub fn open(
        options: &SandboxOptions,
        profile: &'static PartnerProfile,
        clock: &Clock,
    ) -> io::Result<PartnerServer> {
        let folder = options.couriers_folder.as_deref();
        let path = folder.map(|folder| folder.join(profile.file));
        let secret = options.courier_callback_secret.clone();
        Ok(PartnerServer {
            records: Arc::new(Mutex::new(PartnerRecords::open(path.as_deref())?)),
            interceptor: Interceptor::new(profile.protocol),
            sender: Arc::new(ShipmentCallbackSender::new(profile.callback, secret)),
            profile,
            clock: clock.clone(),
        })
    }

    /// Sets the base address of its callbacks.
    pub fn set_callbacks(&self, base: &str) {
        let mut records = self.records();
        let mut settings = records.settings.clone();
        settings.callback_base = Some(base.to_owned());
        records.set_settings(settings);
    }

    /// Sends the callback about a shipment, as the settings say.
    pub fn call_back(&self, mut shipment: PartnerShipment) {
        let settings = self.records().settings.clone();
        let Some(base) = &settings.callback_base else {
            return;
        };
        if let (ShipmentCallbackMode::Astray, Some(bought)) =
            (settings.callbacks, &mut shipment.bought)
        {
            bought.awb = format!("{}0", bought.awb);
        }
        let body = (self.profile.callback_body)(&shipment);
        let (mode, delay_ms) = (settings.callbacks, settings.callback_delay_ms);
        self.sender.send_soon(base, mode, delay_ms, body);
    }

    /// Locks the records, after it has made the cancellations that are due.
    pub fn records(&self) -> MutexGuard<'_, PartnerRecords> {
        let mut records = self
            .records
            .lock()
            .expect("no code panics while holding the records");
        for mut shipment in records.to_cancel(self.now_ms()) {
            (self.profile.make_cancelled)(&mut records, &mut shipment, self.now_ms());
            records.save(shipment);
        }
        records
    }

    /// Cancels a shipment, or only stores the request if cancellations are delayed.
    pub fn cancel(&self, records: &mut PartnerRecords, shipment: &mut PartnerShipment) {
        let now_ms = self.now_ms();
        match records.settings.cancel_lag_ms {
            0 => (self.profile.make_cancelled)(records, shipment, now_ms),
            _ => shipment.cancel_asked_ms = shipment.cancel_asked_ms.or(Some(now_ms)),
        }
        records.save(shipment.clone());
    }

    pub fn now_ms(&self) -> i64 {
        self.clock.now_ms()
    }

    /// Returns the date in India this many days from now.
    pub fn day_in(&self, days: i64) -> Date {
        date_in_india(self.now_ms()).saturating_add(Duration::days(days))
    }

    /// Returns true if this reply gets undocumented fields or types of fields.
    pub fn is_odd(&self) -> bool {
        self.records().settings.unknown_fields && self.interceptor.is_odd()
    }
}

/// Formats a date: `2030-01-20`.
pub(super) fn iso_date(date: Date) -> String {
    let format = format_description!("[year]-[month]-[day]");
    date.format(format).unwrap_or_default()
}

/// Returns UTC milliseconds as a date and time.
pub(super) fn moment(ms: i64) -> OffsetDateTime {
    OffsetDateTime::UNIX_EPOCH.saturating_add(Duration::milliseconds(ms))
}
