//! The core of every pretend partner: its records and their rules, an interceptor, its callbacks, a
//! clock and the API user of the shipper. The adapters only read and write each partner's
//! JSON.

use std::io;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde_json::{Value, json};
use time::{Date, OffsetDateTime};
use tokio::time::sleep;

use super::super::callback_client::CallbackClient;
use super::super::interceptor::{Interceptor, Protocol};
use super::super::log::Log;
use super::super::options::SandboxOptions;
use super::super::tokens::{ApiUser, GrantedTokens};
use super::records::{
    PartnerRecords, PartnerScan, PartnerShipment, ScanTold, ShipmentCallbackMode,
};
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
    pub user: ApiUser,
    pub tokens: GrantedTokens,
    callback_secret: Secret,
    callback_client: CallbackClient,
    pub callbacks: Log<SentShipmentCallback>,
    clock: Clock,
}

/// The differences between partners.
#[derive(Debug)]
pub(super) struct PartnerProfile {
    /// The first part of its paths, and its state file in the couriers' folder.
    pub name: &'static str,
    pub protocol: &'static Protocol,
    pub user: fn(&SandboxOptions) -> ApiUser,
    /// The address and the header of its callbacks.
    pub callback: &'static CourierCallback,
    /// Returns the body of a callback about a shipment.
    pub callback_body: fn(&PartnerShipment) -> Value,
    /// Status and remarks of the scan that a cancelled shipment gets, whose price is credited to
    /// the wallet; `None` for a partner without a wallet.
    pub cancelled_scan: Option<[&'static str; 2]>,
}

#[derive(Clone, Debug, Serialize)]
pub(super) struct SentShipmentCallback {
    body: Value,
    mode: ShipmentCallbackMode,
    /// The status of the merchant's response; `None` if there was none.
    status: Option<u16>,
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
        let partner = Partner {
            profile,
            records: Arc::new(Mutex::new(PartnerRecords::open(path.as_deref())?)),
            interceptor: Interceptor::new(profile.protocol),
            user: (profile.user)(options),
            tokens: GrantedTokens::default(),
            callback_secret: options.courier_callback_secret.clone(),
            callback_client: CallbackClient::default(),
            callbacks: Log::default(),
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

    /// Sends the callback about a shipment in the background: as a real partner would, or in one of
    /// the ways in which real ones fail.
    pub fn call_back(&self, mut shipment: PartnerShipment) {
        let settings = self.records().settings.clone();
        let mode = settings.callbacks;
        let Some(base) = settings.callback_base else {
            return;
        };
        let (wait_ms, times) = match mode {
            ShipmentCallbackMode::Never => return,
            ShipmentCallbackMode::Late => (settings.callback_delay_ms, 1),
            ShipmentCallbackMode::Twice => (0, 2),
            ShipmentCallbackMode::Once
            | ShipmentCallbackMode::Forged
            | ShipmentCallbackMode::Astray => (0, 1),
        };
        if let (ShipmentCallbackMode::Astray, Some(bought)) = (mode, &mut shipment.bought) {
            bought.awb.push('0');
        }
        let body = (self.profile.callback_body)(&shipment);
        let url = format!("{base}{}", self.profile.callback.path);
        let partner = self.clone();
        tokio::spawn(async move {
            sleep(Duration::from_millis(wait_ms)).await;
            for _ in 0..times {
                partner.send_callback(&url, mode, body.clone()).await;
            }
        });
    }

    async fn send_callback(&self, url: &str, mode: ShipmentCallbackMode, body: Value) {
        let secret = match mode {
            ShipmentCallbackMode::Forged => &Secret::from("whoever-guesses-this"),
            _ => &self.callback_secret,
        };
        let header = self.profile.callback.header;
        let status = self.callback_client.post(url, header, secret, &body).await.ok();
        self.callbacks.push(SentShipmentCallback { body, mode, status });
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
                told: ScanTold::Moment,
                local: None,
                code: None,
                reason: None,
            });
        }
        records.save(shipment.clone());
    }

    pub fn now_ms(&self) -> i64 {
        self.clock.now_ms()
    }

    /// Returns the date in India this many days from now.
    pub fn day_in(&self, days: i64) -> Date {
        date_in_india(self.now_ms()).saturating_add(time::Duration::days(days))
    }

    /// Returns true if this reply gets undocumented fields or types of fields.
    pub fn is_odd(&self) -> bool {
        self.records().settings.unknown_fields && self.interceptor.is_odd()
    }

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

pub(super) fn moment(ms: i64) -> OffsetDateTime {
    OffsetDateTime::UNIX_EPOCH.saturating_add(time::Duration::milliseconds(ms))
}
