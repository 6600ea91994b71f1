//! Messages to people: e-mail by SMTP and SMS over HTTP, or both into the sandbox's inbox.
//!
//! A message is tried once: whoever waits for it can ask for another, and notices about bookings
//! have a sweep of their own. Neither its words nor its
//! receiver are ever logged.

pub mod config;
pub mod inbox;
mod mail;
mod sms;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use self::config::NotifyConfig;
use self::inbox::Inbox;
use self::mail::Mail;
use self::sms::Sms;
use super::breaker::Breaker;
use super::http::ClientError;
use crate::limits::{NOTIFY_MS_MAX, PROVIDER_CONNECT_MS_MAX};

/// How a message travels.
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
#[derive(Clone, Copy)]
pub struct Message<'a> {
    /// An e-mail address, or a phone number with its country code: `+919876543210`.
    pub to: &'a str,
    /// Left out of an SMS.
    pub subject: &'a str,
    pub text: &'a str,
}

/// Why a message was not sent. The texts are for logs and name nobody.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotSent {
    /// A clear no to this message, or nobody to give it to.
    #[error("refused: {0}")]
    Refused(String),
    /// Not for now: surely nothing was sent.
    #[error("unavailable: {0}")]
    Unavailable(String),
    /// No good answer in time. The message may have been sent all the same.
    #[error("lost: {0}")]
    Lost(String),
}

/// A configuration no messages can be sent with.
#[derive(Debug, thiserror::Error)]
pub enum NotifierError {
    #[error("DAKIYA_MAIL_FROM is no e-mail address")]
    From,
    #[error("cannot use TLS with the mail server: {0}")]
    Tls(String),
    #[error(transparent)]
    Client(#[from] ClientError),
}

/// The time limits of one message; the defaults are those of `limits.rs`.
#[derive(Clone, Copy, Debug)]
pub struct NotifyLimits {
    pub connect: Duration,
    /// All of it: connecting, sending and the answer.
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

/// Sends messages. A channel that is not configured goes to the inbox, if there is one.
#[derive(Debug)]
pub struct Notifier {
    email: Line,
    sms: Line,
}

/// Where the messages of a channel go.
#[derive(Debug)]
struct Line {
    way: Way,
    breaker: Breaker,
}

#[derive(Debug)]
enum Way {
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
        let kept = || inbox.clone().map_or(Way::Nowhere, Way::Inbox);
        let email = match &config.mail {
            Some(mail) => Way::Mail(Box::new(Mail::new(mail, limits)?)),
            None => kept(),
        };
        let sms = match &config.sms {
            Some(sms) => Way::Sms(Sms::new(sms, limits)?),
            None => kept(),
        };
        let line = |way| Line {
            way,
            breaker: Breaker::default(),
        };
        Ok(Notifier {
            email: line(email),
            sms: line(sms),
        })
    }

    /// Whether messages of this channel go anywhere.
    pub fn has(&self, channel: Channel) -> bool {
        !matches!(self.line(channel).way, Way::Nowhere)
    }

    /// Sends a message, and counts and logs what became of it.
    pub async fn send(&self, channel: Channel, message: Message<'_>) -> Result<(), NotSent> {
        let sent = self.line(channel).send(channel, message).await;
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

    fn line(&self, channel: Channel) -> &Line {
        match channel {
            Channel::Email => &self.email,
            Channel::Sms => &self.sms,
        }
    }
}

impl Line {
    async fn send(&self, channel: Channel, message: Message<'_>) -> Result<(), NotSent> {
        if !self.breaker.allows() {
            return Err(NotSent::Unavailable("left alone for a moment".to_owned()));
        }
        let sent = match &self.way {
            Way::Mail(mail) => mail.send(message).await,
            Way::Sms(sms) => sms.send(message).await,
            Way::Inbox(inbox) => {
                inbox.put(channel, message);
                Ok(())
            }
            Way::Nowhere => Err(NotSent::Refused("not configured".to_owned())),
        };
        match sent {
            Err(NotSent::Unavailable(_) | NotSent::Lost(_)) => self.breaker.failed(),
            Ok(()) | Err(NotSent::Refused(_)) => self.breaker.answered(),
        }
        sent
    }
}
