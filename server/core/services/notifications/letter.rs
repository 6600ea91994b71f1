//! A letter to a customer: composed in both languages, sent in the reader's.

use tracing::Instrument as _;

use super::Notifications;
use crate::error::{Error, Result};
use crate::limits;
use crate::model::account::user::LetterRecipient;
use crate::model::language::Language;
use crate::model::letter::{LetterFact, LetterPart, LetterSheet, LetterTopic};
use crate::model::message::MessageKind;
use crate::model::money::paise::Paise;
use crate::model::task::TaskEnd;
use crate::providers::notify::message::{Channel, NotSent, OutgoingMessage};
use crate::services::message_budgets::{MessagePermit, PlannedMessage};
use crate::ssr::shell;

/// One email. Free text of customers, such as names, must not be in it: a sender could make us
/// mail their text to a stranger's address.
#[derive(Clone, Debug)]
pub struct Letter {
    to: LetterRecipient,
    subject: String,
    heading: String,
    parts: Vec<LetterPart>,
    topic: Option<LetterTopic>,
    kind: MessageKind,
}

/// Subject and first paragraph of a letter, each in English and in Hindi.
pub struct LetterText {
    pub subject: (&'static str, &'static str),
    pub text: (&'static str, &'static str),
}

impl Letter {
    /// Starts a letter with its subject and its first paragraph.
    pub fn from_text(
        to: impl Into<LetterRecipient>,
        LetterText { subject, text }: &LetterText,
    ) -> Letter {
        Letter::new(to, subject.0, subject.1).text(text.0, text.1)
    }

    /// Starts a letter with this subject, also its first line, in English and in Hindi. It is
    /// counted as a letter about an account.
    pub fn new(to: impl Into<LetterRecipient>, english: &str, hindi: &str) -> Letter {
        let to = to.into();
        let subject = to.language.of_two(english, hindi).to_owned();
        Letter {
            heading: subject.clone(),
            to,
            subject,
            parts: Vec::new(),
            topic: None,
            kind: MessageKind::AccountLetter,
        }
    }

    /// Counts it as a letter of this kind.
    pub fn of_kind(mut self, kind: MessageKind) -> Letter {
        self.kind = kind;
        self
    }

    /// Sends it to another address than the account's.
    pub fn sent_to(mut self, email: &str) -> Letter {
        email.clone_into(&mut self.to.email);
        self
    }

    /// Sends it to an address that the account had, and says how the account is taken back.
    pub fn for_earlier_address(self, email: &str) -> Letter {
        let days = limits::EMAIL_UNDO_MS_MAX / limits::DAY_MS;
        self.sent_to(email).text(
            format!(
                "You get this because the account had your email address until a few days ago. If \
                 the change of the address was not yours, open the link in our earlier email about \
                 it: it works for {days} days, and takes the account back."
            ),
            format!(
                "यह आपको इसलिए मिला है क्योंकि कुछ दिन पहले तक खाते में आपका ई-मेल पता था। अगर पता \
                 आपने नहीं बदला, तो उसके बारे में हमारे पिछले ई-मेल का लिंक खोलें: वह {days} दिन \
                 तक काम करता है और खाता वापस दिलाता है।"
            ),
        )
    }

    /// Prefixes the subject with the number of its shipment.
    pub fn of_shipment(mut self, awb: &str) -> Letter {
        self.subject = format!("{awb}: {}", self.subject);
        self
    }

    /// Sets the topic by which the letter can be switched off.
    pub fn about(mut self, topic: LetterTopic) -> Letter {
        self.topic = Some(topic);
        self
    }

    /// Adds a paragraph.
    pub fn text(self, english: impl AsRef<str>, hindi: impl AsRef<str>) -> Letter {
        let text = self.choose_text(english, hindi);
        self.with(LetterPart::Text { text })
    }

    /// Adds a button for the next step.
    pub fn button(self, english: &str, hindi: &str, url: impl Into<String>) -> Letter {
        let (label, url) = (self.choose_text(english, hindi), url.into());
        self.with(LetterPart::Button { label, url })
    }

    /// Adds the part of a credit that paid a debt, if any did.
    pub fn paid_debt(self, amount: Option<Paise>) -> Letter {
        let Some(amount) = amount else { return self };
        self.text(
            format!("{amount} of it was paid towards what you owed us."),
            format!("इसमें से {amount} उसमें चुकाए गए जो आपको हमें देना था।"),
        )
    }

    /// Ends a letter about an act of somebody who is perhaps not the owner.
    pub fn if_not_you(self, url: &str, help: &str) -> Letter {
        self.text(
            format!(
                "If it was not you, choose another password at once, which logs everybody out, and \
                 write to {help}."
            ),
            format!(
                "अगर यह आपने नहीं किया, तो तुरंत नया पासवर्ड चुनें, इससे सब लॉग आउट हो जाएँगे, और \
                 {help} पर लिखें।"
            ),
        )
        .choose_password(url)
    }

    /// Adds the button that leads to another password.
    pub fn choose_password(self, url: &str) -> Letter {
        let url = format!("{url}/forgot-password");
        self.button("Choose another password", "नया पासवर्ड चुनें", url)
    }

    pub fn link(self, english: &str, hindi: &str, url: impl Into<String>) -> Letter {
        let (label, url) = (self.choose_text(english, hindi), url.into());
        self.with(LetterPart::Link { label, url })
    }

    /// Adds a table row; consecutive facts are one table.
    pub fn fact(self, english: &str, hindi: &str, value: impl Into<String>) -> Letter {
        self.line(english, hindi, value.into(), false)
    }

    /// Adds the total of the rows above.
    pub fn total(self, english: &str, hindi: &str, value: impl Into<String>) -> Letter {
        self.line(english, hindi, value.into(), true)
    }

    pub fn language(&self) -> Language {
        self.to.language
    }

    fn choose_text(&self, english: impl AsRef<str>, hindi: impl AsRef<str>) -> String {
        let language = self.to.language;
        language.of_two(english.as_ref(), hindi.as_ref()).to_owned()
    }

    fn line(mut self, english: &str, hindi: &str, value: String, is_total: bool) -> Letter {
        let fact = LetterFact { label: self.choose_text(english, hindi), value, is_total };
        match self.parts.last_mut() {
            Some(LetterPart::Facts { facts }) => facts.push(fact),
            _ => self.parts.push(LetterPart::Facts { facts: vec![fact] }),
        }
        self
    }

    fn with(mut self, part: LetterPart) -> Letter {
        self.parts.push(part);
        self
    }
}

impl Notifications {
    /// Sends a letter as plain text with its HTML version, or as plain text alone when no engine
    /// renders the HTML. The result is counted and logged.
    pub async fn send_letter(&self, letter: &Letter) -> std::result::Result<(), NotSent> {
        let permit = self.permit(self.plan_letter(letter)).await?;
        self.send_counted_letter(permit, letter).await
    }

    pub(super) fn plan_letter(&self, letter: &Letter) -> PlannedMessage {
        self.plan(letter.kind, &letter.to.email, &letter.to.user_id)
    }

    /// Sends a letter that was counted before.
    pub(in crate::services) async fn send_counted_letter(
        &self,
        permit: MessagePermit,
        letter: &Letter,
    ) -> std::result::Result<(), NotSent> {
        let off = letter.topic.map(|it| self.switch_off_url(&letter.to, it));
        let sheet = self.sheet(letter, off.as_deref());
        let (text, html) = (sheet.plain(), self.html(letter, &sheet).await);
        let message = OutgoingMessage {
            to: &letter.to.email,
            subject: &letter.subject,
            text: &text,
            html: html.as_deref(),
            unsubscribe: off.as_deref(),
            ..OutgoingMessage::default()
        };
        self.send(permit, message).await
    }

    /// Sends a letter in the background.
    pub fn post_letter(&self, letter: Letter) {
        let notifications = self.clone();
        let sending = async move {
            let _ = notifications.send_letter(&letter).await;
        };
        tokio::spawn(sending.in_current_span());
    }

    /// Sends a letter that was counted before, in the background.
    pub(in crate::services) fn post_counted_letter(&self, permit: MessagePermit, letter: Letter) {
        let notifications = self.clone();
        let sending = async move {
            let _ = notifications.send_counted_letter(permit, &letter).await;
        };
        tokio::spawn(sending.in_current_span());
    }

    /// Sends a task's letter. A crash before the task is completed sends it again, which does no
    /// harm.
    ///
    /// # Errors
    /// `Provider` when no mail server accepts it now.
    pub(super) async fn send_for_task(&self, letter: &Letter) -> Result<TaskEnd> {
        match self.send_letter(letter).await {
            Err(NotSent::Unavailable(_)) if self.notifier.has(Channel::Email) => Err(no_server()),
            _ => Ok(TaskEnd::Done),
        }
    }

    /// Sends a task's letter, which is given up a day after its cause.
    ///
    /// # Errors
    /// `Provider` when no mail server accepts it now, within that day.
    pub(super) async fn send_within_a_day(
        &self,
        letter: &Letter,
        since_ms: i64,
    ) -> Result<TaskEnd> {
        let result = self.send_for_task(letter).await;
        match self.core.clock.now_ms() - since_ms < limits::NOTICE_MS_MAX {
            true => result,
            false => Ok(TaskEnd::Done),
        }
    }

    fn sheet(&self, letter: &Letter, off: Option<&str>) -> LetterSheet {
        let company = &self.core.company;
        let footer = off.map(|url| {
            let reason = letter.choose_text(
                "You get this because emails of this kind are on for your Dakiya account.",
                "यह आपको इसलिए मिला है क्योंकि आपके Dakiya खाते में इस तरह के ई-मेल चालू हैं।",
            );
            let label = letter.choose_text("Switch them off", "इन्हें बंद करें");
            let url = url.to_owned();
            vec![LetterPart::Text { text: reason }, LetterPart::Link { label, url }]
        });
        LetterSheet {
            language: letter.to.language,
            heading: letter.heading.clone(),
            parts: letter.parts.clone(),
            company: company.name.clone(),
            email: company.email.clone(),
            footer: footer.unwrap_or_default(),
        }
    }

    /// Returns `None` if rendering fails: the plain text is sent anyway.
    async fn html(&self, letter: &Letter, sheet: &LetterSheet) -> Option<String> {
        let json = serde_json::json!({ "letter": sheet }).to_string();
        match self.renderer.render(json).await {
            Ok(rendered) => {
                let tag = letter.to.language.tag();
                Some(shell::letter(tag, &letter.subject, &rendered.html))
            }
            Err(error) => {
                tracing::warn!(%error, "a letter is sent as plain text");
                metrics::counter!("dakiya_letters_undrawn_total").increment(1);
                None
            }
        }
    }
}

pub(super) fn no_server() -> Error {
    Error::Provider("No mail server takes letters.".into())
}
