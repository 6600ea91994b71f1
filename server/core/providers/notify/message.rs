//! A message to one person, its channel, and the reasons why it, or any message, cannot be sent.

use std::fmt;

use crate::providers::http::ClientError;

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

#[derive(Clone, Copy, Default)]
pub struct OutgoingMessage<'a> {
    /// An email address, or a phone number with its country code: `+919876543210`.
    pub to: &'a str,
    /// Not used in an SMS.
    pub subject: &'a str,
    pub text: &'a str,
    /// The HTML part of an email, with the same content as the text.
    pub html: Option<&'a str>,
    /// The address that unsubscribes the receiver from such emails with one click (RFC 8058).
    pub unsubscribe: Option<&'a str>,
    /// The kind of text of an SMS.
    pub template: Template,
}

/// The kinds of text that we registered with Indian telecom operators, each separately (TRAI DLT).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Template {
    #[default]
    Otp,
    /// To the consignee: a shipment is coming.
    Booked,
    /// To the consignee: a shipment is coming, and the time of its pickup is agreed.
    Pickup,
    /// To the consignee: the shipment comes today.
    OutForDelivery,
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
    #[error("DAKIYA_MAIL_FROM is no email address")]
    From,
    #[error("cannot use TLS with the mail server: {0}")]
    Tls(String),
    #[error(transparent)]
    Client(#[from] ClientError),
}
