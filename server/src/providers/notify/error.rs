//! Configurations with which no messages can be sent.

use crate::providers::http::ClientError;

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
