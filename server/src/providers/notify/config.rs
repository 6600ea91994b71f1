//! How to reach the mail server and the SMS gateway, and who we are there.

use std::str::FromStr;

use lettre::message::Mailbox;

use crate::providers::http::{is_loopback, is_web_url};
use crate::providers::secret::Secret;

/// The ways that are configured.
#[derive(Clone, Debug, Default)]
pub struct NotifyConfig {
    pub mail: Option<MailConfig>,
    pub sms: Option<SmsConfig>,
}

/// A mail server and the sender it knows us as.
#[derive(Clone, Debug)]
pub struct MailConfig {
    pub server: MailServer,
    /// User and password, when the server wants them.
    pub login: Option<(String, Secret)>,
    /// `Dakiya <post@dakiya.example>`, or the bare address (see [`is_mailbox`]).
    pub from: String,
}

/// An SMS gateway, which takes `POST {"to", "text", "template_id"}` (see `sms.rs`).
#[derive(Clone, Debug)]
pub struct SmsConfig {
    /// See [`is_sms_url`].
    pub url: String,
    /// Sent as a bearer token.
    pub token: Secret,
    /// The OTP's text as registered with the operators, who drop an SMS without (TRAI's DLT).
    pub template_id: Option<String>,
}

/// Where the mail server is and how the way there is kept secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MailServer {
    pub host: String,
    pub port: u16,
    pub secrecy: Secrecy,
}

/// How nobody on the way reads along.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Secrecy {
    /// TLS from the first byte.
    Tls,
    /// TLS before anything of interest is said; a server without it gets nothing.
    StartTls,
    /// The server is this machine.
    SameMachine,
}

/// A text that is no address of a mail server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not smtps://host or smtp://host")]
pub struct NotAMailServer;

impl FromStr for MailServer {
    type Err = NotAMailServer;

    /// `smtps://host` for TLS at once (port 465), `smtp://host` for STARTTLS (port 587), each
    /// with another port if need be. Credentials do not belong into an address.
    fn from_str(text: &str) -> Result<MailServer, NotAMailServer> {
        let url = reqwest::Url::parse(text).map_err(|_| NotAMailServer)?;
        let bare = url.username().is_empty()
            && url.password().is_none()
            && matches!(url.path(), "" | "/")
            && url.query().is_none()
            && url.fragment().is_none();
        let host = url.host_str().filter(|host| bare && !host.is_empty());
        let host = host.ok_or(NotAMailServer)?;
        let (port, secrecy) = match url.scheme() {
            "smtps" => (465, Secrecy::Tls),
            "smtp" if is_loopback(text) => (587, Secrecy::SameMachine),
            "smtp" => (587, Secrecy::StartTls),
            _ => return Err(NotAMailServer),
        };
        Ok(MailServer {
            host: host.trim_matches(['[', ']']).to_owned(),
            port: url.port().unwrap_or(port),
            secrecy,
        })
    }
}

/// Whether a text is an e-mail address with or without a name.
pub fn is_mailbox(text: &str) -> bool {
    text.parse::<Mailbox>().is_ok()
}

/// Whether a token and codes may be sent there: https, or this machine.
pub fn is_sms_url(url: &str) -> bool {
    is_web_url(url) && (url.starts_with("https://") || is_loopback(url))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_says_where_the_mail_server_is_and_how_the_way_is_kept_secret() {
        for (text, host, port, secrecy) in [
            (
                "smtps://mail.example.in",
                "mail.example.in",
                465,
                Secrecy::Tls,
            ),
            (
                "smtps://mail.example.in:4650",
                "mail.example.in",
                4650,
                Secrecy::Tls,
            ),
            (
                "smtp://mail.example.in/",
                "mail.example.in",
                587,
                Secrecy::StartTls,
            ),
            ("smtp://localhost:25", "localhost", 25, Secrecy::SameMachine),
            ("smtp://127.0.0.1", "127.0.0.1", 587, Secrecy::SameMachine),
            ("smtps://localhost", "localhost", 465, Secrecy::Tls),
            ("smtp://[::1]:2525", "::1", 2525, Secrecy::SameMachine),
        ] {
            let host = host.to_owned();
            let server = MailServer {
                host,
                port,
                secrecy,
            };
            assert_eq!(text.parse(), Ok(server), "{text}");
        }
        for text in [
            "mail.example.in",
            "https://mail.example.in",
            "smtp://",
            "smtp://me:secret@mail.example.in",
            "smtp://mail.example.in/?tls=none",
            "smtp://mail.example.in/x",
        ] {
            assert_eq!(text.parse::<MailServer>(), Err(NotAMailServer), "{text}");
        }
    }

    #[test]
    fn codes_are_sent_in_secret_or_not_off_this_machine() {
        for url in [
            "https://sms.example.in/v1/send",
            "http://127.0.0.1:9000/sms",
        ] {
            assert!(is_sms_url(url), "{url}");
        }
        for url in [
            "http://sms.example.in/send",
            "sms.example.in",
            "ftp://x/y",
            "",
        ] {
            assert!(!is_sms_url(url), "{url}");
        }
    }
}
