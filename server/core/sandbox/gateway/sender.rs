//! Sends callbacks to the merchant: as PhonePe does, or in one of the ways that a merchant must be
//! ready for (late, twice, with a wrong hash, with another amount).

use std::time::Duration;

use serde::Serialize;
use serde_json::{Value, json};
use tokio::time::sleep;

use super::super::callback_client::CallbackClient;
use super::super::log::Log;
use super::answers::CallbackNotice;
use super::settings::{CallbackMode, GatewaySettings};
use crate::limits::SANDBOX_CALLBACK_PAUSE_MS;
use crate::model::digest::sha256_hex;
use crate::model::settings::secret::Secret;

/// Sends callbacks and logs the merchant's responses. Cheap to clone.
#[derive(Clone, Debug)]
pub(super) struct PaymentCallbackSender {
    pub username: String,
    pub password: Secret,
    pub client: CallbackClient,
    pub sent: Log<SentCallback>,
}

#[derive(Clone, Debug, Serialize)]
pub(super) struct SentCallback {
    pub event: String,
    pub merchant_order_id: String,
    pub url: String,
    pub mode: CallbackMode,
    /// The status of the merchant's response; `None` if there was none.
    pub status: Option<u16>,
    pub error: Option<String>,
}

impl PaymentCallbackSender {
    /// Sends these callbacks in the background, as the settings say.
    pub fn send_soon(&self, settings: GatewaySettings, notices: Vec<CallbackNotice>) {
        if notices.is_empty() || settings.callbacks == CallbackMode::Never {
            return;
        }
        let sender = self.clone();
        let pause = match settings.callbacks {
            CallbackMode::Delayed => settings.callback_delay_ms,
            CallbackMode::BeforeRedirect => 0,
            _ => SANDBOX_CALLBACK_PAUSE_MS,
        };
        tokio::spawn(async move {
            sleep(Duration::from_millis(pause)).await;
            sender.send_all(&settings, &notices).await;
            if settings.callbacks == CallbackMode::Twice {
                sleep(Duration::from_millis(settings.callback_delay_ms)).await;
                sender.send_all(&settings, &notices).await;
            }
        });
    }

    /// Sends callbacks before the browser is redirected; with `before_redirect` it waits for the
    /// merchant's response.
    pub async fn send_with_redirect(
        &self,
        settings: GatewaySettings,
        notices: Vec<CallbackNotice>,
    ) {
        if settings.callbacks == CallbackMode::BeforeRedirect {
            self.send_all(&settings, &notices).await;
        } else {
            self.send_soon(settings, notices);
        }
    }

    async fn send_all(&self, settings: &GatewaySettings, notices: &[CallbackNotice]) {
        for notice in notices {
            self.send(settings, notice).await;
        }
    }

    /// Sends one callback now; `None` if no address is set.
    pub async fn send(
        &self,
        settings: &GatewaySettings,
        notice: &CallbackNotice,
    ) -> Option<SentCallback> {
        let url = settings.callback_url.clone()?;
        let (event, payload) = body_parts(settings.callbacks, notice);
        let body = json!({"event": event, "payload": payload});
        let credential = self.authorization(settings);
        let reply = self.client.post(&url, "authorization", &credential, &body);
        let reply = reply.await;
        let callback = SentCallback {
            event,
            merchant_order_id: notice.merchant_order_id.clone(),
            url,
            mode: settings.callbacks,
            status: reply.as_ref().ok().copied(),
            error: reply.err(),
        };
        self.sent.push(callback.clone());
        Some(callback)
    }

    fn authorization(&self, settings: &GatewaySettings) -> Secret {
        let username = match settings.callbacks {
            CallbackMode::WrongHash => "someone-else",
            _ => self.username.as_str(),
        };
        let hex = sha256_hex(format!("{username}:{}", self.password.expose()).as_bytes());
        match settings.callback_scheme {
            true => Secret::new(format!("SHA256 {hex}")),
            false => Secret::new(hex),
        }
    }
}

fn body_parts(mode: CallbackMode, notice: &CallbackNotice) -> (String, Value) {
    let (mut event, mut payload) = (notice.event.to_owned(), notice.payload.clone());
    match mode {
        CallbackMode::UnknownEvent => event = "checkout.order.reviewed".to_owned(),
        CallbackMode::WrongAmount => {
            let amount = payload["amount"].as_i64().unwrap_or_default() + 100_000;
            payload["amount"] = json!(amount);
            let attempts = payload["paymentDetails"].as_array_mut();
            for attempt in attempts.into_iter().flatten() {
                attempt["amount"] = json!(amount);
            }
        }
        _ => {}
    }
    (event, payload)
}
