//! The core of every pretend partner: its records and their rules, an interceptor, a callback
//! sender, a clock and the account of the shipper. The adapters only read and write each partner's
//! JSON.

use std::io;
use std::sync::{Arc, Mutex, MutexGuard};

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};
use time::macros::format_description;
use time::{Date, Duration, OffsetDateTime};

use super::super::interceptor::{Interceptor, Protocol};
use super::super::options::SandboxOptions;
use super::super::tokens::GrantedTokens;
use super::records::{PartnerRecords, PartnerScan, PartnerShipment, ShipmentCallbackMode};
use super::sender::ShipmentCallbackSender;
use crate::clock::Clock;
use crate::model::calendar::date_in_india;
use crate::model::settings::callbacks::CourierCallback;
use crate::model::settings::secret::Secret;

/// A pretend partner. Cheap to clone.
#[derive(Clone, Debug)]
pub(super) struct Partner {
    profile: &'static PartnerProfile,
    records: Arc<Mutex<PartnerRecords>>,
    pub interceptor: Interceptor,
    pub sender: Arc<ShipmentCallbackSender>,
    pub account: PartnerAccount,
    pub tokens: GrantedTokens,
    clock: Clock,
}

/// The differences between partners.
#[derive(Debug)]
pub(super) struct PartnerProfile {
    /// The first part of its paths, and its state file in the couriers' folder.
    pub name: &'static str,
    pub protocol: &'static Protocol,
    pub account: fn(&SandboxOptions) -> PartnerAccount,
    /// The address and the header of its callbacks.
    pub callback: &'static CourierCallback,
    /// Returns the body of a callback about a shipment.
    pub callback_body: fn(&PartnerShipment) -> Value,
    /// Status and remarks of the scan that a cancelled shipment gets, whose price is credited to
    /// the wallet; `None` for a partner without a wallet.
    pub cancelled_scan: Option<[&'static str; 2]>,
}

/// The only API user of a partner.
#[derive(Clone, Debug)]
pub(super) struct PartnerAccount {
    /// Empty for a partner that knows its user by an API key alone.
    pub email: String,
    /// The password or the API key.
    pub secret: Secret,
}

impl Partner {
    /// Reads its state file in the couriers' folder; without a folder its records are only in
    /// memory.
    pub fn open(
        options: &SandboxOptions,
        profile: &'static PartnerProfile,
        clock: &Clock,
    ) -> io::Result<Partner> {
        let folder = options.couriers_folder.as_deref();
        let path = folder.map(|folder| folder.join(format!("{}.jsonl", profile.name)));
        let secret = options.courier_callback_secret.clone();
        let partner = Partner {
            profile,
            records: Arc::new(Mutex::new(PartnerRecords::open(path.as_deref())?)),
            interceptor: Interceptor::new(profile.protocol),
            sender: Arc::new(ShipmentCallbackSender::new(profile.callback, secret)),
            account: (profile.account)(options),
            tokens: GrantedTokens::default(),
            clock: clock.clone(),
        };
        if let Some(base) = &options.courier_callbacks {
            let mut records = partner.records();
            let mut settings = records.settings.clone();
            settings.callback_base = Some(base.clone());
            records.set_settings(settings);
        }
        Ok(partner)
    }

    /// Returns the path below which it serves its protocol.
    pub fn path(&self) -> String {
        format!("/{}", self.profile.name)
    }

    /// Stores a courier's report about an AWB and sends the callback; false if there is no such.
    pub fn scan(&self, awb: &str, scan: PartnerScan) -> bool {
        let shipment = {
            let mut records = self.records();
            let Some(mut shipment) = records.by_awb(awb).cloned() else {
                return false;
            };
            shipment.scans.push(scan);
            records.save(shipment.clone());
            shipment
        };
        self.call_back(shipment);
        true
    }

    /// Sends the callback about a shipment, as the settings say.
    pub fn call_back(&self, mut shipment: PartnerShipment) {
        let settings = self.records().settings.clone();
        let (mode, delay_ms) = (settings.callbacks, settings.callback_delay_ms);
        let Some(base) = settings.callback_base else {
            return;
        };
        if let (ShipmentCallbackMode::Astray, Some(bought)) = (mode, &mut shipment.bought) {
            bought.awb.push('0');
        }
        let body = (self.profile.callback_body)(&shipment);
        self.sender.send_soon(&base, mode, delay_ms, body);
    }

    /// Locks the records, after it has made the cancellations that are due.
    pub fn records(&self) -> MutexGuard<'_, PartnerRecords> {
        let mut records = self.records.lock().expect("no code panics while holding the records");
        for mut shipment in records.to_cancel(self.now_ms()) {
            self.make_cancelled(&mut records, &mut shipment);
        }
        records
    }

    /// Cancels a shipment, or only stores the request if cancellations are delayed.
    pub fn cancel(&self, records: &mut PartnerRecords, shipment: &mut PartnerShipment) {
        if records.settings.cancel_lag_ms == 0 {
            return self.make_cancelled(records, shipment);
        }
        shipment.cancel_asked_ms = shipment.cancel_asked_ms.or(Some(self.now_ms()));
        records.save(shipment.clone());
    }

    fn make_cancelled(&self, records: &mut PartnerRecords, shipment: &mut PartnerShipment) {
        shipment.cancelled = true;
        shipment.cancel_asked_ms = None;
        if let (Some([status, remarks]), Some(bought)) =
            (self.profile.cancelled_scan, &shipment.bought)
        {
            records.pay(-bought.offer.paise);
            shipment.scans.push(PartnerScan {
                status: status.to_owned(),
                location: String::new(),
                remarks: remarks.to_owned(),
                at_ms: self.now_ms(),
            });
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

    /// Returns a successful reply.
    pub fn ok(&self, answer: Value) -> Response {
        self.reply(StatusCode::OK, answer)
    }

    /// Returns a reply; some get undocumented fields.
    pub fn reply(&self, status: StatusCode, mut answer: Value) -> Response {
        if self.is_odd() {
            add_unknown(&mut answer);
            if let Value::Object(fields) = &mut answer {
                let lists = fields.values_mut().filter_map(Value::as_array_mut);
                lists.flatten().for_each(add_unknown);
            }
        }
        (status, Json(answer)).into_response()
    }
}

fn add_unknown(value: &mut Value) {
    if let Value::Object(fields) = value {
        let unknown = json!({"kind": "none", "nested": {"deep": [1, null, "x"]}});
        fields.insert("introduced_yesterday".to_owned(), unknown);
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
