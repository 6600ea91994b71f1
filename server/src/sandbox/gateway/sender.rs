//! Sends callbacks to the merchant: as PhonePe does, or in one of the ways that a merchant must be
//! ready for (late, twice, with a wrong hash, with another amount). A failed callback is not
//! retried: PhonePe publishes no retry schedule, so a merchant must not rely on one.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use serde::Serialize;
use serde_json::{Value, json};
use tokio::time::sleep;

use super::answers::CallbackNotice;
use super::settings::{CallbackMode, GatewaySettings};
use crate::limits::{SANDBOX_CALLBACK_MS_MAX, SANDBOX_CALLBACK_PAUSE_MS, SANDBOX_LOG_ENTRIES_MAX};
use crate::model::digest::sha256_hex;
use crate::model::settings::secret::Secret;
use crate::providers::http::{Body, Client, ClientLimits, Request};

/// Sends callbacks and logs the merchant's responses.
#[derive(Debug)]
pub(super) struct PaymentCallbackSender {
    username: String,
    password: Secret,
    client: Mutex<Option<(String, Client)>>,
    sent: Mutex<VecDeque<SentCallback>>,
}

/// One callback that was sent.
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
    pub fn new(username: String, password: Secret) -> PaymentCallbackSender {
        PaymentCallbackSender {
            username,
            password,
            client: Mutex::default(),
            sent: Mutex::default(),
        }
    }

    /// Sends these callbacks in the background, as the settings say.
    pub fn send_soon(self: &Arc<Self>, settings: GatewaySettings, notices: Vec<CallbackNotice>) {
        if notices.is_empty() || settings.callbacks == CallbackMode::Never {
            return;
        }
        let sender = Arc::clone(self);
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
        self: &Arc<Self>,
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
        let body = json!({"event": event, "payload": payload}).to_string();
        let authorization = self.authorization(settings);
        let request = Request {
            url: &url,
            authorization: Some(&authorization),
            body: Body::Json(body.into_bytes()),
            timeout: Duration::from_millis(SANDBOX_CALLBACK_MS_MAX),
        };
        let reply = match self.client(&url) {
            Ok(client) => client
                .send(request)
                .await
                .map_err(|error| error.to_string()),
            Err(error) => Err(error),
        };
        let sent = SentCallback {
            event,
            merchant_order_id: notice.merchant_order_id.clone(),
            url,
            mode: settings.callbacks,
            status: reply.as_ref().ok().map(|reply| reply.status),
            error: reply.err(),
        };
        let mut log = self.sent();
        if log.len() >= SANDBOX_LOG_ENTRIES_MAX {
            log.pop_front();
        }
        log.push_back(sent.clone());
        Some(sent)
    }

    fn authorization(&self, settings: &GatewaySettings) -> Secret {
        let username = match settings.callbacks {
            CallbackMode::WrongHash => "someone-else",
            _ => self.username.as_str(),
        };
        let hex = sha256_hex(format!("{username}:{}", self.password.expose()).as_bytes());
        let scheme = if settings.callback_scheme {
            "SHA256 "
        } else {
            ""
        };
        Secret::new(format!("{scheme}{hex}"))
    }

    /// Returns the client for this address, cached for the next callback.
    fn client(&self, url: &str) -> Result<Client, String> {
        let mut kept = self
            .client
            .lock()
            .expect("no code panics while holding the client");
        if let Some((_, client)) = kept.as_ref().filter(|(kept_url, _)| kept_url == url) {
            return Ok(client.clone());
        }
        let client =
            Client::new(&[url], ClientLimits::default()).map_err(|error| error.to_string())?;
        *kept = Some((url.to_owned(), client.clone()));
        Ok(client)
    }

    /// Returns the callbacks sent so far, oldest first.
    pub fn sent(&self) -> MutexGuard<'_, VecDeque<SentCallback>> {
        self.sent
            .lock()
            .expect("no code panics while holding the log")
    }
}

/// Returns the event and payload in this mode.
fn body_parts(mode: CallbackMode, notice: &CallbackNotice) -> (String, Value) {
    let (mut event, mut payload) = (notice.event.to_owned(), notice.payload.clone());
    match mode {
        CallbackMode::UnknownEvent => event = "checkout.order.reviewed".to_owned(),
        CallbackMode::WrongAmount => {
            let amount = payload["amount"].as_i64().unwrap_or_default() + 100_000;
            payload["amount"] = json!(amount);
            for attempt in payload["paymentDetails"]
                .as_array_mut()
                .into_iter()
                .flatten()
            {
                attempt["amount"] = json!(amount);
            }
        }
        _ => {}
    }
    (event, payload)
}
