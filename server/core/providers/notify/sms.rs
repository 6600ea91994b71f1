//! SMS over HTTP. SMS gateways have no common protocol, so this is a small one of our own, which a
//! few lines in front of any gateway can translate:
//!
//! `POST` to the configured URL with `Authorization: Bearer TOKEN` and the JSON body
//! `{"to": "+919876543210", "text": "…", "template_id": "…"}`, the last only if configured. Any 2xx
//! means that the message was accepted; 4xx, except 408 and 429, means that it never will be.

use std::time::Duration;

use serde::Serialize;

use super::limits::NotifyLimits;
use super::message::{NotSent, NotifierError, OutgoingMessage, Template};
use crate::model::settings::notify::{SmsConfig, SmsTemplates};
use crate::model::settings::secret::Secret;
use crate::providers::calls::CallKind;
use crate::providers::http::{Body, Client, NoReply, Request};

#[derive(Debug)]
pub struct Sms {
    client: Client,
    url: String,
    authorization: Secret,
    templates: SmsTemplates,
    total: Duration,
}

#[derive(Serialize)]
struct SmsRequest<'a> {
    to: &'a str,
    text: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    template_id: Option<&'a str>,
}

impl Sms {
    pub fn new(config: &SmsConfig, limits: NotifyLimits) -> Result<Sms, NotifierError> {
        Ok(Sms {
            client: Client::new("sms", &[&config.url], limits.connect)?,
            url: config.url.clone(),
            authorization: Secret::new(format!("Bearer {}", config.token.expose())),
            templates: config.templates.clone(),
            total: limits.total,
        })
    }

    pub async fn send(&self, message: OutgoingMessage<'_>) -> Result<(), NotSent> {
        let template_id = match message.template {
            Template::Otp => &self.templates.otp,
            Template::Booked => &self.templates.booked,
            Template::Pickup => &self.templates.pickup,
            Template::OutForDelivery => &self.templates.out_for_delivery,
        };
        let wire =
            SmsRequest { to: message.to, text: message.text, template_id: template_id.as_deref() };
        let body =
            serde_json::to_vec(&wire).map_err(|error| NotSent::Refused(error.to_string()))?;
        let request = Request {
            call: CallKind::Message,
            url: &self.url,
            authorization: Some(&self.authorization),
            body: Body::Json(body),
            timeout: self.total,
        };
        // The reply's text may name the receiver, so only its status is logged.
        match self.client.send(request).await.map(|reply| reply.status) {
            Ok(200..=299) => Ok(()),
            Ok(status @ (408 | 429)) => Err(NotSent::Unavailable(format!("HTTP {status}"))),
            Ok(status @ 400..=499) => Err(NotSent::Refused(format!("HTTP {status}"))),
            Ok(status) => Err(NotSent::Unavailable(format!("HTTP {status}"))),
            Err(none @ NoReply::NotSent(_)) => Err(NotSent::Unavailable(none.to_string())),
            Err(lost @ NoReply::Lost(_)) => Err(NotSent::Lost(lost.to_string())),
        }
    }
}
