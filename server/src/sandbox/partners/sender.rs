//! Sends a callback to the merchant after a scan: as a real partner would, or in one of the ways in
//! which real ones fail (twice, late, forged, about an unknown shipment).

use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;
use serde_json::Value;
use tokio::time::sleep;

use super::super::callback_client::CallbackClient;
use super::super::log::Log;
use super::records::ShipmentCallbackMode;
use crate::model::settings::callbacks::CourierCallback;
use crate::model::settings::secret::Secret;

/// Sends callbacks and logs the merchant's responses.
#[derive(Debug)]
pub(super) struct ShipmentCallbackSender {
    callback: &'static CourierCallback,
    secret: Secret,
    client: CallbackClient,
    pub sent: Log<SentShipmentCallback>,
}

/// One callback that was sent.
#[derive(Clone, Debug, Serialize)]
pub(super) struct SentShipmentCallback {
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
            client: CallbackClient::default(),
            sent: Log::default(),
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
        let (wait_ms, times) = match mode {
            ShipmentCallbackMode::Never => return,
            ShipmentCallbackMode::Late => (delay_ms, 1),
            ShipmentCallbackMode::Twice => (0, 2),
            ShipmentCallbackMode::Once
            | ShipmentCallbackMode::Forged
            | ShipmentCallbackMode::Astray => (0, 1),
        };
        tokio::spawn(async move {
            sleep(Duration::from_millis(wait_ms)).await;
            for _ in 0..times {
                sender.send(&url, mode, body.clone()).await;
            }
        });
    }

    async fn send(&self, url: &str, mode: ShipmentCallbackMode, body: Value) {
        let forged = Secret::from("whoever-guesses-this");
        let secret = match mode {
            ShipmentCallbackMode::Forged => &forged,
            _ => &self.secret,
        };
        let header = self.callback.header;
        let status = self.client.post(url, header, secret, &body).await.ok();
        self.sent.push(SentShipmentCallback { body, mode, status });
    }
}
