//! Calls the merchant back when a shipment moved, rightly and in every wrong way (integration.md
//! section 5).

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio::time::sleep;

use crate::limits::{SANDBOX_CALLBACK_MS_MAX, SANDBOX_LOG_ENTRIES_MAX};
use crate::model::settings::secret::Secret;
use crate::providers::http::{Body, Client, ClientLimits, Request};

/// Whether, when and how wrongly a partner calls back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Callbacks {
    Never,
    #[default]
    Once,
    Twice,
    /// After `callback_delay_ms`; what moved later may be told before.
    Late,
    /// By somebody who does not know the secret.
    Forged,
    /// Of a shipment that nobody knows.
    Astray,
}

/// Where and with which header a partner calls back.
#[derive(Debug)]
pub(super) struct Line {
    pub path: &'static str,
    pub header: &'static str,
}

/// Sends callbacks and remembers how they were taken.
#[derive(Debug)]
pub(super) struct Sender {
    line: &'static Line,
    secret: Secret,
    sent: Mutex<VecDeque<Sent>>,
}

/// One callback that left.
#[derive(Clone, Debug, Serialize)]
struct Sent {
    body: Value,
    mode: Callbacks,
    /// What the merchant answered; `None` when it did not.
    status: Option<u16>,
}

impl Sender {
    pub fn new(line: &'static Line, secret: Secret) -> Sender {
        Sender {
            line,
            secret,
            sent: Mutex::default(),
        }
    }

    /// Sends in the background, below this base address.
    pub fn send_soon(self: &Arc<Self>, base: &str, mode: Callbacks, delay_ms: u64, body: Value) {
        let sender = Arc::clone(self);
        let url = format!("{base}{}", self.line.path);
        tokio::spawn(async move {
            let (wait_ms, times) = match mode {
                Callbacks::Never => return,
                Callbacks::Late => (delay_ms, 1),
                Callbacks::Twice => (0, 2),
                Callbacks::Once | Callbacks::Forged | Callbacks::Astray => (0, 1),
            };
            sleep(Duration::from_millis(wait_ms)).await;
            for _ in 0..times {
                sender.send(&url, mode, &body).await;
            }
        });
    }

    async fn send(&self, url: &str, mode: Callbacks, body: &Value) {
        let secret = match mode {
            Callbacks::Forged => Secret::from("whoever-guesses-this"),
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
                .send_with_credential_in(self.line.header, request)
                .await
                .ok(),
            Err(_) => None,
        };
        let mut log = self.sent();
        if log.len() >= SANDBOX_LOG_ENTRIES_MAX {
            log.pop_front();
        }
        log.push_back(Sent {
            body: body.clone(),
            mode,
            status: reply.map(|reply| reply.status),
        });
    }

    /// What was sent so far, oldest first.
    pub fn log(&self) -> Value {
        serde_json::to_value(&*self.sent()).unwrap_or_default()
    }

    fn sent(&self) -> MutexGuard<'_, VecDeque<Sent>> {
        self.sent
            .lock()
            .expect("no code panics while holding the log")
    }
}
