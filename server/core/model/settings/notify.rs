//! The mail server's and the SMS gateway's addresses, and our accounts there.

use std::str::FromStr;

use url::Url;

use super::secret::Secret;
use super::web_url::is_loopback;

#[derive(Clone, Debug, Default)]
pub struct NotifyConfig {
    pub mail: Option<MailConfig>,
    pub sms: Option<SmsConfig>,
}

#[derive(Clone, Debug)]
pub struct MailConfig {
    pub server: MailServer,
    /// User and password, if the server requires them.
    pub login: Option<(String, Secret)>,
    pub from: Mailbox,
}

/// An SMS gateway; `providers/notify/sms.rs` describes the request that it must accept.
#[derive(Clone, Debug)]
pub struct SmsConfig {
    /// An address for which [`super::web_url::is_protected`] holds.
    pub url: String,
    /// Sent as a bearer token.
    pub token: Secret,
    pub templates: SmsTemplates,
}

/// The ids of our texts in TRAI's DLT registry. Indian operators drop an SMS without one.
#[derive(Clone, Debug, Default)]
pub struct SmsTemplates {
    pub otp: Option<String>,
    pub booked: Option<String>,
    pub pickup: Option<String>,
    pub out_for_delivery: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MailServer {
    pub host: String,
    pub port: u16,
    pub security: MailSecurity,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MailSecurity {
    /// TLS from the first byte.
    Tls,
    /// STARTTLS before logging in; nothing is sent to a server that does not offer it.
    StartTls,
    /// No protection: the server is on this machine.
    SameMachine,
}

/// The sender of an email: `Dakiya <post@dakiya.example>`, or the bare address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mailbox {
    pub name: Option<String>,
    pub address: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not an email address")]
pub struct NotAMailbox;

impl FromStr for Mailbox {
    type Err = NotAMailbox;

    fn from_str(text: &str) -> Result<Mailbox, NotAMailbox> {
        let (name, address) = match text.trim().strip_suffix('>') {
            Some(rest) => rest.split_once('<').ok_or(NotAMailbox)?,
            None => ("", text.trim()),
        };
        let name = name.trim().trim_matches('"').trim();
        let (user, host) = address.split_once('@').ok_or(NotAMailbox)?;
        let is_plain = |part: &str| {
            let odd = |c: char| c.is_whitespace() || c.is_control() || "<>@,;\"".contains(c);
            !part.is_empty() && !part.contains(odd)
        };
        match is_plain(user) && is_plain(host) && !name.chars().any(char::is_control) {
            true => Ok(Mailbox {
                name: (!name.is_empty()).then(|| name.to_owned()),
                address: address.to_owned(),
            }),
            false => Err(NotAMailbox),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not smtps://host or smtp://host")]
pub struct NotAMailServer;

impl FromStr for MailServer {
    type Err = NotAMailServer;

    /// Parses `smtps://host` for implicit TLS (port 465) or `smtp://host` for STARTTLS (port 587),
    /// optionally with another port. An address with a user or a password is refused: the password
    /// has its own variable, which is never printed.
    fn from_str(text: &str) -> Result<MailServer, NotAMailServer> {
        let url = Url::parse(text).map_err(|_| NotAMailServer)?;
        let bare = url.username().is_empty()
            && url.password().is_none()
            && matches!(url.path(), "" | "/")
            && url.query().is_none()
            && url.fragment().is_none();
        let host = url.host_str().filter(|host| bare && !host.is_empty());
        let host = host.ok_or(NotAMailServer)?;
        let (port, security) = match url.scheme() {
            "smtps" => (465, MailSecurity::Tls),
            "smtp" if is_loopback(text) => (587, MailSecurity::SameMachine),
            "smtp" => (587, MailSecurity::StartTls),
            _ => return Err(NotAMailServer),
        };
        Ok(MailServer {
            host: host.trim_matches(['[', ']']).to_owned(),
            port: url.port().unwrap_or(port),
            security,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_names_the_mail_server_and_how_its_connection_is_protected() {
        for (text, host, port, security) in [
            ("smtps://mail.example.in", "mail.example.in", 465, MailSecurity::Tls),
            ("smtps://mail.example.in:4650", "mail.example.in", 4650, MailSecurity::Tls),
            ("smtp://mail.example.in/", "mail.example.in", 587, MailSecurity::StartTls),
            ("smtp://localhost:25", "localhost", 25, MailSecurity::SameMachine),
            ("smtp://127.0.0.1", "127.0.0.1", 587, MailSecurity::SameMachine),
            ("smtps://localhost", "localhost", 465, MailSecurity::Tls),
            ("smtp://[::1]:2525", "::1", 2525, MailSecurity::SameMachine),
        ] {
            let host = host.to_owned();
            let server = MailServer { host, port, security };
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
    fn a_sender_is_an_address_with_or_without_a_name() {
        let mailbox = |name: Option<&str>| {
            let name = name.map(str::to_owned);
            let address = "post@dakiya.example".to_owned();
            Ok(Mailbox { name, address })
        };
        for (text, name) in [
            ("post@dakiya.example", None),
            ("<post@dakiya.example>", None),
            ("Dakiya <post@dakiya.example>", Some("Dakiya")),
            ("\"Dak, Iya\" <post@dakiya.example>", Some("Dak, Iya")),
            ("डाकिया <post@dakiya.example>", Some("डाकिया")),
        ] {
            assert_eq!(text.parse(), mailbox(name), "{text}");
        }
        for text in [
            "",
            "nobody",
            "Dakiya post@dakiya.example",
            "Dakiya <post@dakiya.example",
            "a@b@c",
            "a@b, c@d",
            "@dakiya.example",
            "post@",
        ] {
            assert_eq!(text.parse::<Mailbox>(), Err(NotAMailbox), "{text}");
        }
    }
}
