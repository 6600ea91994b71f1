//! Messages to people: e-mail by SMTP and SMS over HTTP, or both into the sandbox's inbox.
//!
//! A message is sent once, without retries: a customer who waits for an OTP can request another
//! one, and a separate job repeats notices about bookings. Neither the text nor the receiver is
//! ever logged.

pub mod inbox;
mod mail;
mod sms;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use self::inbox::Inbox;
use self::mail::Mail;
use self::sms::Sms;
use super::breaker::Breaker;
use super::http::ClientError;
use crate::limits::{NOTIFY_MS_MAX, PROVIDER_CONNECT_MS_MAX};
use crate::model::settings::notify::NotifyConfig;

/// The channel of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Channel {
    Email,
    Sms,
}

impl fmt::Display for Channel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Channel::Email => "email",
            Channel::Sms => "sms",
        })
    }
}

/// One message to one person.
#[derive(Clone, Copy, Default)]
pub struct OutgoingMessage<'a> {
    /// An e-mail address, or a phone number with its country code: `+919876543210`.
    pub to: &'a str,
    /// Not used in an SMS.
    pub subject: &'a str,
    pub text: &'a str,
    /// The HTML part of an e-mail, with the same content as the text.
    pub html: Option<&'a str>,
    /// The address that unsubscribes the receiver from such e-mails with one click (RFC 8058).
    pub unsubscribe: Option<&'a str>,
    /// The kind of text of an SMS.
    pub template: Template,
}

/// The kinds of text that we registered with Indian telecom operators, each separately (TRAI DLT).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Template {
    #[default]
    Otp,
    /// To the consignee: the shipment that is coming, and the address of its tracking page.
    Tracking,
}

/// The reason why a message was not sent. The texts are for logs and do not name the receiver.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotSent {
    /// The server refused this message, or the channel is not configured.
    #[error("refused: {0}")]
    Refused(String),
    /// Certainly nothing was sent; a later try may succeed.
    #[error("unavailable: {0}")]
    Unavailable(String),
    /// No usable answer in time. The message may have been sent all the same.
    #[error("lost: {0}")]
    Lost(String),
}

/// A configuration with which no messages can be sent.
#[derive(Debug, thiserror::Error)]
pub enum NotifierError {
    #[error("DAKIYA_MAIL_FROM is no e-mail address")]
    From,
    #[error("cannot use TLS with the mail server: {0}")]
    Tls(String),
    #[error(transparent)]
    Client(#[from] ClientError),
}

/// The time limits of one message. The defaults are in `limits.rs`.
#[derive(Clone, Copy, Debug)]
pub struct NotifyLimits {
    pub connect: Duration,
    /// The whole message: connecting, sending and the answer.
    pub total: Duration,
}

impl Default for NotifyLimits {
    fn default() -> NotifyLimits {
        NotifyLimits {
            connect: Duration::from_millis(PROVIDER_CONNECT_MS_MAX),
            total: Duration::from_millis(NOTIFY_MS_MAX),
        }
    }
}

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

/// The destination of the messages of one channel.
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
        let kept = || {
            inbox
                .clone()
                .map_or(Destination::Nowhere, Destination::Inbox)
        };
        let email = match &config.mail {
            Some(mail) => Destination::Mail(Box::new(Mail::new(mail, limits)?)),
            None => kept(),
        };
        let sms = match &config.sms {
            Some(sms) => Destination::Sms(Sms::new(sms, limits)?),
            None => kept(),
        };
        let outlet = |destination| Outlet {
            destination,
            breaker: Breaker::default(),
        };
        Ok(Notifier {
            email: outlet(email),
            sms: outlet(sms),
        })
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
        let sent = self.outlet(channel).send(channel, message).await;
        let outcome = match &sent {
            Ok(()) => "sent",
            Err(NotSent::Refused(_)) => "refused",
            Err(NotSent::Unavailable(_)) => "unavailable",
            Err(NotSent::Lost(_)) => "lost",
        };
        let labels = [
            ("channel", channel.to_string()),
            ("outcome", outcome.to_owned()),
        ];
        metrics::counter!("dakiya_messages_total", &labels).increment(1);
        if let Err(reason) = &sent {
            tracing::warn!(%channel, "a message was not sent: {reason}");
        }
        sent
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
        let sent = match &self.destination {
            Destination::Mail(mail) => mail.send(message).await,
            Destination::Sms(sms) => sms.send(message).await,
            Destination::Inbox(inbox) => {
                inbox.put(channel, message);
                Ok(())
            }
            Destination::Nowhere => Err(NotSent::Refused("not configured".to_owned())),
        };
        match sent {
            Err(NotSent::Unavailable(_) | NotSent::Lost(_)) => self.breaker.failed(),
            Ok(()) | Err(NotSent::Refused(_)) => self.breaker.answered(),
        }
        sent
    }
}
