//! Messages to people: email by SMTP and SMS over HTTP, or both into the sandbox's inbox.
//!
//! A message is sent once, without retries: a customer who waits for an OTP can request another
//! one, and a separate job repeats notices about bookings. Neither the text nor the receiver is
//! ever logged.

pub mod inbox;
pub mod limits;
mod mail;
pub mod message;
mod sms;

use std::sync::Arc;

use self::inbox::Inbox;
use self::limits::NotifyLimits;
use self::mail::Mail;
use self::message::{Channel, NotSent, NotifierError, OutgoingMessage};
use self::sms::Sms;
use super::breaker::Breaker;
use crate::model::settings::notify::NotifyConfig;

/// Sends messages. Messages of an unconfigured channel are stored in the inbox, if there is one.
#[derive(Debug)]
pub struct Notifier {
    email: Outlet,
    sms: Outlet,
}

/// One channel with its breaker.
#[derive(Debug)]
struct Outlet {
    destination: Destination,
    breaker: Breaker,
}

#[derive(Debug)]
enum Destination {
    Mail(Box<Mail>),
    Sms(Sms),
    Inbox(Arc<Inbox>),
    Nowhere,
}

impl Notifier {
    pub fn new(
        config: &NotifyConfig,
        inbox: Option<Arc<Inbox>>,
        limits: NotifyLimits,
    ) -> Result<Notifier, NotifierError> {
        let unconfigured = || inbox.clone().map_or(Destination::Nowhere, Destination::Inbox);
        let email = match &config.mail {
            Some(mail) => Destination::Mail(Box::new(Mail::new(mail, limits)?)),
            None => unconfigured(),
        };
        let sms = match &config.sms {
            Some(sms) => Destination::Sms(Sms::new(sms, limits)?),
            None => unconfigured(),
        };
        let outlet = |destination| Outlet { destination, breaker: Breaker::default() };
        Ok(Notifier { email: outlet(email), sms: outlet(sms) })
    }

    /// True if messages of this channel have a destination.
    pub fn has(&self, channel: Channel) -> bool {
        !matches!(self.outlet(channel).destination, Destination::Nowhere)
    }

    /// Sends a message; counts and logs the outcome.
    pub async fn send(
        &self,
        channel: Channel,
        message: OutgoingMessage<'_>,
    ) -> Result<(), NotSent> {
        let result = self.outlet(channel).send(channel, message).await;
        let outcome = match &result {
            Ok(()) => "sent",
            Err(NotSent::Refused(_)) => "refused",
            Err(NotSent::Unavailable(_)) => "unavailable",
            Err(NotSent::Lost(_)) => "lost",
        };
        let labels = [("channel", channel.to_string()), ("outcome", outcome.to_owned())];
        metrics::counter!("dakiya_messages_total", &labels).increment(1);
        if let Err(reason) = &result {
            tracing::warn!(%channel, "a message was not sent: {reason}");
        }
        result
    }

    fn outlet(&self, channel: Channel) -> &Outlet {
        match channel {
            Channel::Email => &self.email,
            Channel::Sms => &self.sms,
        }
    }
}

impl Outlet {
    async fn send(&self, channel: Channel, message: OutgoingMessage<'_>) -> Result<(), NotSent> {
        if !self.breaker.allows() {
            return Err(NotSent::Unavailable("left alone for a moment".to_owned()));
        }
        let result = match &self.destination {
            Destination::Mail(mail) => mail.send(message).await,
            Destination::Sms(sms) => sms.send(message).await,
            Destination::Inbox(inbox) => {
                inbox.put(channel, message);
                Ok(())
            }
            Destination::Nowhere => Err(NotSent::Refused("not configured".to_owned())),
        };
        match result {
            Err(NotSent::Unavailable(_) | NotSent::Lost(_)) => self.breaker.failed(),
            Ok(()) | Err(NotSent::Refused(_)) => self.breaker.answered(),
        }
        result
    }
}
