//! Email by SMTP, one connection for each message.

use std::fmt;

use lettre::Message as Letter;
use lettre::message::header::{ContentType, HeaderName, HeaderValue};
use lettre::message::{Mailbox, MultiPart};
use lettre::transport::smtp::Error as SmtpError;
use lettre::transport::smtp::authentication::{Credentials, DEFAULT_MECHANISMS};
use lettre::transport::smtp::client::{AsyncSmtpConnection, TlsParameters};
use lettre::transport::smtp::extension::ClientId;
use tokio::time::{Instant, timeout_at};

use super::limits::NotifyLimits;
use super::message::{NotSent, NotifierError, OutgoingMessage};
use crate::connection_guard;
use crate::model::settings::notify::{MailConfig, MailSecurity, MailServer};
use crate::model::settings::secret::Secret;
use crate::providers::calls::{CallKind, CallOutcome, MeasuredCall};
use crate::random::random_id;

pub struct Mail {
    server: MailServer,
    tls: Option<TlsParameters>,
    credentials: Option<Credentials>,
    from: Mailbox,
    limits: NotifyLimits,
}

impl fmt::Debug for Mail {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut mail = f.debug_struct("Mail");
        mail.field("server", &self.server).finish_non_exhaustive()
    }
}

impl Mail {
    pub fn new(config: &MailConfig, limits: NotifyLimits) -> Result<Mail, NotifierError> {
        let address = config.from.address.parse();
        let address = address.map_err(|_| NotifierError::From)?;
        let from = Mailbox::new(config.from.name.clone(), address);
        let server = config.server.clone();
        let tls = match server.security {
            MailSecurity::SameMachine => None,
            MailSecurity::Tls | MailSecurity::StartTls => {
                let built = TlsParameters::new(server.host.clone());
                Some(built.map_err(|error| NotifierError::Tls(error.to_string()))?)
            }
        };
        let credentials = |(user, password): &(String, Secret)| {
            Credentials::new(user.clone(), password.expose().to_owned())
        };
        Ok(Mail { server, tls, credentials: config.login.as_ref().map(credentials), from, limits })
    }

    /// Sends one message. If something fails before the letter is passed to the server, nothing was
    /// sent; after that only the server's answer tells whether it was.
    pub async fn send(&self, message: OutgoingMessage<'_>) -> Result<(), NotSent> {
        connection_guard::check_none_held();
        let letter = self.compose(message)?;
        let measured = MeasuredCall::begin("mail", CallKind::Message);
        let result = self.deliver(letter).await;
        measured.end(match &result {
            Ok(()) => CallOutcome::Ok,
            Err(NotSent::Refused(_)) => CallOutcome::Refused,
            Err(NotSent::Unavailable(_)) => CallOutcome::NotSent,
            Err(NotSent::Lost(_)) => CallOutcome::Lost,
        });
        result
    }

    async fn deliver(&self, letter: Letter) -> Result<(), NotSent> {
        let until = Instant::now() + self.limits.total;
        let late = || "no answer in time".to_owned();
        let mut server = match timeout_at(until, self.connect()).await {
            Ok(Ok(server)) => server,
            // A refused connection (for example a wrong password) is not a refusal of this letter.
            Ok(Err(error)) => return Err(NotSent::Unavailable(kind(&error))),
            Err(_) => return Err(NotSent::Unavailable(late())),
        };
        let whole = letter.formatted();
        let sending = server.send(letter.envelope(), &whole);
        let result = match timeout_at(until, sending).await {
            Ok(Ok(_)) => Ok(()),
            Ok(Err(error)) if error.is_permanent() => Err(NotSent::Refused(kind(&error))),
            // The server cannot accept it now, or lacks a feature that this letter needs.
            Ok(Err(error)) if error.is_transient() || error.is_client() => {
                Err(NotSent::Unavailable(kind(&error)))
            }
            Ok(Err(error)) => Err(NotSent::Lost(kind(&error))),
            Err(_) => Err(NotSent::Lost(late())),
        };
        // Sends QUIT. Its result does not matter.
        let _ = timeout_at(until, server.abort()).await;
        result
    }

    async fn connect(&self) -> Result<AsyncSmtpConnection, SmtpError> {
        let address = (self.server.host.as_str(), self.server.port);
        let name = ClientId::Domain(self.from.email.domain().to_owned());
        let (at_once, later) = match self.server.security {
            MailSecurity::StartTls => (None, self.tls.clone()),
            MailSecurity::Tls | MailSecurity::SameMachine => (self.tls.clone(), None),
        };
        let time = Some(self.limits.connect);
        let connecting = AsyncSmtpConnection::connect_tokio1(address, time, &name, at_once, None);
        let mut server = connecting.await?;
        if let Some(tls) = later {
            server.starttls(tls, &name).await?;
        }
        if let Some(credentials) = &self.credentials {
            server.auth(DEFAULT_MECHANISMS, credentials).await?;
        }
        Ok(server)
    }

    fn compose(&self, message: OutgoingMessage<'_>) -> Result<Letter, NotSent> {
        let to = message.to.parse();
        let to = to.map_err(|_| NotSent::Refused("not an email address".to_owned()))?;
        // Tells other programs not to send automatic replies (RFC 3834).
        let automatic = header("Auto-Submitted", "auto-generated".to_owned());
        let id = format!("<{}@{}>", random_id(), self.from.email.domain());
        let mut letter = Letter::builder()
            .from(self.from.clone())
            .to(Mailbox::new(None, to))
            .subject(message.subject)
            .message_id(Some(id))
            .raw_header(automatic);
        if let Some(url) = message.unsubscribe {
            letter = letter.raw_header(header("List-Unsubscribe", format!("<{url}>"))).raw_header(
                header("List-Unsubscribe-Post", "List-Unsubscribe=One-Click".to_owned()),
            );
        }
        let text = message.text.to_owned();
        let letter = match message.html {
            Some(html) => {
                letter.multipart(MultiPart::alternative_plain_html(text, html.to_owned()))
            }
            None => letter.header(ContentType::TEXT_PLAIN).body(text),
        };
        letter.map_err(|_| NotSent::Refused("cannot be written as an email".to_owned()))
    }
}

/// Builds a header without encoding. Name and value are our own plain ASCII.
fn header(name: &'static str, value: String) -> HeaderValue {
    HeaderValue::new(HeaderName::new_from_ascii_str(name), value)
}

/// Describes the error for the log. The server's own text may name the receiver, so only its status
/// code is used.
fn kind(error: &SmtpError) -> String {
    match error.status() {
        Some(code) => format!("SMTP {code}"),
        None if error.is_tls() => "no TLS with the mail server".to_owned(),
        None if error.is_client() => "the mail server offers too little".to_owned(),
        None if error.is_response() => "the mail server was not understood".to_owned(),
        None => "no connection to the mail server".to_owned(),
    }
}
