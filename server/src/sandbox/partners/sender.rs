//! Sends a callback to the merchant after a scan: as a real partner would, or in one of the ways in
//! which real ones fail (twice, late, forged, about an unknown shipment).

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio::time::sleep;

use crate::limits::{SANDBOX_CALLBACK_MS_MAX, SANDBOX_LOG_ENTRIES_MAX};
use crate::model::settings::callbacks::CourierCallback;
use crate::model::settings::secret::Secret;
use crate::providers::http::{Body, Client, ClientLimits, Request};

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

/// Sends callbacks and logs the merchant's responses.
#[derive(Debug)]
pub(super) struct ShipmentCallbackSender {
    callback: &'static CourierCallback,
    secret: Secret,
    sent: Mutex<VecDeque<SentShipmentCallback>>,
}

/// One callback that was sent.
#[derive(Clone, Debug, Serialize)]
struct SentShipmentCallback {
    body: Value,
    mode: ShipmentCallbackMode,
    /// The status of the merchant's response; `None` if there was none.
    status: Option<u16>,
}

impl ShipmentCallbackSender {
    pub fn new(callback: &'static CourierCallback, secret: Secret) -> ShipmentCallbackSender {
        ShipmentCallbackSender {
            callback,
            secret,
            sent: Mutex::default(),
        }
    }

    /// Sends a callback in the background to an address below this base.
    pub fn send_soon(
        self: &Arc<Self>,
        base: &str,
        mode: ShipmentCallbackMode,
        delay_ms: u64,
        body: Value,
    ) {
        let sender = Arc::clone(self);
        let url = format!("{base}{}", self.callback.path);
        tokio::spawn(async move {
            let (wait_ms, times) = match mode {
                ShipmentCallbackMode::Never => return,
                ShipmentCallbackMode::Late => (delay_ms, 1),
                ShipmentCallbackMode::Twice => (0, 2),
                ShipmentCallbackMode::Once
                | ShipmentCallbackMode::Forged
                | ShipmentCallbackMode::Astray => (0, 1),
            };
            sleep(Duration::from_millis(wait_ms)).await;
            for _ in 0..times {
                sender.send(&url, mode, &body).await;
            }
        });
    }

    async fn send(&self, url: &str, mode: ShipmentCallbackMode, body: &Value) {
        let secret = match mode {
            ShipmentCallbackMode::Forged => Secret::from("whoever-guesses-this"),
            _ => self.secret.clone(),
        };
        let request = Request {
            url,
            authorization: Some(&secret),
            body: Body::Json(body.to_string().into_bytes()),
            timeout: Duration::from_millis(SANDBOX_CALLBACK_MS_MAX),
        };
        let reply = match Client::new(&[url], ClientLimits::default()) {
            Ok(client) => client
                .send_with_credential_in(self.callback.header, request)
                .await
                .ok(),
            Err(_) => None,
        };
        let mut log = self.sent();
        if log.len() >= SANDBOX_LOG_ENTRIES_MAX {
            log.pop_front();
        }
        log.push_back(SentShipmentCallback {
            body: body.clone(),
            mode,
            status: reply.map(|reply| reply.status),
        });
    }

    /// Returns the callbacks sent so far as JSON, oldest first.
    pub fn log(&self) -> Value {
        serde_json::to_value(&*self.sent()).unwrap_or_default()
    }

    fn sent(&self) -> MutexGuard<'_, VecDeque<SentShipmentCallback>> {
        self.sent
            .lock()
            .expect("no code panics while holding the log")
    }
}
