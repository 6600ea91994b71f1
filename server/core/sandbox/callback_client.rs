//! Posts the callbacks of pretend providers to the merchant. A failed callback is not retried: no
//! provider publishes a retry schedule, so a merchant must not rely on one.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::Value;

use crate::limits::SANDBOX_CALLBACK_MS_MAX;
use crate::model::settings::secret::Secret;
use crate::providers::calls::CallKind;
use crate::providers::http::{Body, CONNECT, Client, Request};

/// The HTTP client of the last address, reused for the next callback. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub(super) struct CallbackClient(Arc<Mutex<Option<(String, Client)>>>);

impl CallbackClient {
    /// Posts JSON with a credential in this header; returns the status of the merchant's reply.
    pub async fn post(
        &self,
        url: &str,
        header: &'static str,
        credential: &Secret,
        body: &Value,
    ) -> Result<u16, String> {
        let request = Request {
            call: CallKind::Callback,
            url,
            authorization: Some(credential),
            body: Body::Json(body.to_string().into_bytes()),
            timeout: Duration::from_millis(SANDBOX_CALLBACK_MS_MAX),
        };
        let client = self.client(url)?;
        let reply = client.send_with_credential_in(header, request).await;
        reply.map(|reply| reply.status).map_err(|error| error.to_string())
    }

    fn client(&self, url: &str) -> Result<Client, String> {
        let mut slot = self.0.lock().expect("no code panics while holding the client");
        if let Some((_, client)) = slot.as_ref().filter(|(kept_url, _)| kept_url == url) {
            return Ok(client.clone());
        }
        let client = Client::new("sandbox", &[url], CONNECT).map_err(|error| error.to_string())?;
        *slot = Some((url.to_owned(), client.clone()));
        Ok(client)
    }
}
