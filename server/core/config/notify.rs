//! The variables of email and SMS.

use super::reader::Reader;
use crate::model::settings::notify::{MailConfig, NotifyConfig, SmsConfig, SmsTemplates};
use crate::model::settings::secret::Secret;
use crate::model::settings::web_url::is_protected;

impl Reader<'_> {
    /// Messages of a channel without variables go to the sandbox's inbox. Production has no inbox,
    /// so it needs at least one of the two channels.
    pub(super) fn notify(&mut self, production: bool) -> NotifyConfig {
        let (mail, sms) = ("DAKIYA_SMTP_URL", "DAKIYA_SMS_URL");
        let (has_mail, has_sms) = (self.get(mail).is_some(), self.get(sms).is_some());
        if production && !has_mail && !has_sms {
            self.problems.push(format!(
                "  {mail} and {sms} are missing: one of them must send OTPs and notices"
            ));
        }
        NotifyConfig {
            mail: if has_mail { self.mail(mail) } else { None },
            sms: has_sms.then(|| self.sms(sms)),
        }
    }

    fn mail(&mut self, name: &str) -> Option<MailConfig> {
        let expected = "smtps://host or smtp://host, with a port if need be, and no password";
        let server = self.optional(name, expected);
        let from = self.required("DAKIYA_MAIL_FROM");
        let sender = from.parse().ok();
        if sender.is_none() && !from.is_empty() {
            self.add_problem("DAKIYA_MAIL_FROM", "like Dakiya <post@dakiya.example>");
        }
        let (user, password) = ("DAKIYA_SMTP_USER", "DAKIYA_SMTP_PASSWORD");
        let login = match (self.get(user).is_some(), self.get(password).is_some()) {
            (false, false) => None,
            _ => Some((self.required(user), Secret::new(self.required(password)))),
        };
        Some(MailConfig { server: server?, login, from: sender? })
    }

    fn sms(&mut self, name: &str) -> SmsConfig {
        let url = self.text(name, "");
        if !is_protected(&url) {
            self.add_problem(name, "https://… (http:// only on this machine)");
        }
        let templates = SmsTemplates {
            otp: self.get("DAKIYA_SMS_TEMPLATE").map(str::to_owned),
            booked: self.get("DAKIYA_SMS_BOOKED_TEMPLATE").map(str::to_owned),
            pickup: self.get("DAKIYA_SMS_PICKUP_TEMPLATE").map(str::to_owned),
            out_for_delivery: self.get("DAKIYA_SMS_DELIVERY_TEMPLATE").map(str::to_owned),
        };
        SmsConfig { url, token: Secret::new(self.required("DAKIYA_SMS_TOKEN")), templates }
    }
}

#[cfg(test)]
mod tests {
    use crate::config::tests::read;
    use crate::model::settings::notify::MailSecurity;

    #[test]
    fn mail_and_sms_are_read_with_their_secrets_hidden() {
        let config = read(&[
            ("DAKIYA_SMTP_URL", "smtp://mail.example.in"),
            ("DAKIYA_SMTP_USER", "post"),
            ("DAKIYA_SMTP_PASSWORD", "hunter2"),
            ("DAKIYA_MAIL_FROM", "Dakiya <post@dakiya.example>"),
            ("DAKIYA_SMS_URL", "https://sms.example.in/send"),
            ("DAKIYA_SMS_TOKEN", "hunter3"),
            ("DAKIYA_SMS_TEMPLATE", "1107160000000000000"),
            ("DAKIYA_SMS_PICKUP_TEMPLATE", "1107160000000000002"),
        ])
        .unwrap();
        let templates = &config.notify.sms.as_ref().unwrap().templates;
        assert_eq!(templates.otp.as_deref(), Some("1107160000000000000"));
        assert_eq!(templates.pickup.as_deref(), Some("1107160000000000002"));
        assert_eq!((&templates.booked, &templates.out_for_delivery), (&None, &None));
        let mail = config.notify.mail.as_ref().unwrap();
        assert_eq!(mail.server.security, MailSecurity::StartTls);
        assert_eq!(mail.login.as_ref().unwrap().1.expose(), "hunter2");
        assert!(!format!("{config:?}").contains("hunter"));
    }

    #[test]
    fn a_half_configured_channel_is_named_and_production_needs_a_whole_one() {
        for (pairs, problem) in [
            (&[("DAKIYA_PRODUCTION", "1")][..], "DAKIYA_SMTP_URL and DAKIYA_SMS_URL are missing"),
            (&[("DAKIYA_SMTP_URL", "smtps://mail.example.in")], "DAKIYA_MAIL_FROM is missing"),
            (
                &[
                    ("DAKIYA_SMTP_URL", "smtps://mail.example.in"),
                    ("DAKIYA_MAIL_FROM", "nobody"),
                    ("DAKIYA_SMTP_USER", "post"),
                ],
                "DAKIYA_SMTP_PASSWORD is missing",
            ),
            (&[("DAKIYA_SMS_URL", "http://sms.example.in")], "DAKIYA_SMS_URL must be https://"),
            (&[("DAKIYA_SMS_URL", "https://sms.example.in")], "DAKIYA_SMS_TOKEN is missing"),
        ] {
            let problems = read(pairs).unwrap_err().to_string();
            assert!(problems.contains(problem), "{problem} not in {problems}");
        }
        let one = read(&[
            ("DAKIYA_PRODUCTION", "1"),
            ("DAKIYA_SMS_URL", "https://sms.example.in"),
            ("DAKIYA_SMS_TOKEN", "secret"),
        ]);
        assert!(!one.unwrap_err().to_string().contains("DAKIYA_SMTP_URL"));
    }
}
