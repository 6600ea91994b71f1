//! The letters that a customer gets: chosen on the account page, or switched off by the link in a
//! letter. That link needs no login, so it is sealed and can do nothing else.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::Deserialize;
use utoipa::ToSchema;

use super::Notifications;
use crate::error::{Error, Result};
use crate::limits;
use crate::model::account::session::CurrentUser;
use crate::model::account::user::LetterRecipient;
use crate::model::input::amount::rupees;
use crate::model::letter::{LetterChoices, LetterTopic};
use crate::model::money::paise::Paise;
use crate::store;
use crate::store::letter_choices::Through;

pub const SAVED: &str = "Preferences saved.";

const OFF_LINK: &str = "This link is not complete. You can choose your emails in your account.";

/// The parameters of a link that switches letters off.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct OffLink {
    pub of: String,
    pub account: String,
    pub seal: String,
}

/// The form of the account's page: what is not ticked is switched off.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(default)]
pub struct RawChoices {
    pub booked: String,
    pub progress: String,
    pub trouble: String,
    pub low_balance: String,
    /// Rupees.
    pub low_balance_below: String,
}

impl RawChoices {
    fn wants(&self, topic: LetterTopic) -> bool {
        let ticked = match topic {
            LetterTopic::Booked => &self.booked,
            LetterTopic::Progress => &self.progress,
            LetterTopic::Trouble => &self.trouble,
            LetterTopic::LowBalance => &self.low_balance,
        };
        !ticked.is_empty()
    }
}

impl Notifications {
    /// Returns the customer's choices.
    pub async fn choices(&self, user: &CurrentUser) -> Result<LetterChoices> {
        let mut conn = self.core.store.read().await?;
        store::letter_choices::find(&mut conn, user.id()).await
    }

    /// Saves the customer's choices.
    ///
    /// # Errors
    /// `Fields` for an invalid amount.
    pub async fn choose(&self, user: &CurrentUser, raw: &RawChoices) -> Result<()> {
        let below = parse_low_balance(raw)?;
        let choices = LetterTopic::ALL.map(|topic| (topic, raw.wants(topic)));
        let (user_id, now_ms) = (user.id().to_owned(), self.core.clock.now_ms());
        let keep = self.core.store.write(move |conn| {
            Box::pin(async move {
                for (topic, is_wanted) in choices {
                    match is_wanted {
                        true => store::letter_choices::accept(conn, &user_id, topic).await?,
                        false => {
                            let through = Through::Page;
                            store::letter_choices::decline(conn, &user_id, topic, through, now_ms)
                                .await?;
                        }
                    }
                }
                match below {
                    Some(below) => {
                        store::letter_choices::set_low_balance_limit(conn, &user_id, below).await
                    }
                    None => Ok(()),
                }
            })
        });
        keep.await
    }

    /// Returns the topic and the account id of a link that switches letters off.
    ///
    /// # Errors
    /// `Fields` naming the link when its seal is not ours, or it was sent to another address than
    /// the account has now.
    pub async fn check_off(&self, link: &OffLink) -> Result<(LetterTopic, String)> {
        let refused = || Error::field("seal", OFF_LINK);
        let topic = LetterTopic::parse(&link.of).ok_or_else(refused)?;
        let seal = URL_SAFE_NO_PAD.decode(&link.seal).map_err(|_| refused())?;
        if !link.account.bytes().all(is_of_id) {
            return Err(refused());
        }
        let user = store::users::find(&mut *self.core.store.read().await?, &link.account).await?;
        let user = user.ok_or_else(refused)?;
        let sealed = sealed_text(topic, &LetterRecipient::from(&user));
        match self.seal.verify(&sealed, &seal) {
            true => Ok((topic, link.account.clone())),
            false => Err(refused()),
        }
    }

    /// Switches off the letters of a link's topic. A repeated call changes nothing.
    ///
    /// # Errors
    /// As `check_off`.
    pub async fn switch_off(&self, link: &OffLink) -> Result<LetterTopic> {
        let (topic, user_id) = self.check_off(link).await?;
        let now_ms = self.core.clock.now_ms();
        let decline = self.core.store.write(move |conn| {
            Box::pin(async move {
                store::letter_choices::decline(conn, &user_id, topic, Through::Link, now_ms).await
            })
        });
        decline.await?;
        Ok(topic)
    }

    pub(super) fn switch_off_url(&self, to: &LetterRecipient, topic: LetterTopic) -> String {
        let seal = self.seal.sign(&sealed_text(topic, to));
        let seal = URL_SAFE_NO_PAD.encode(seal);
        let (url, topic, account) = (&self.core.public_url, topic.word(), &to.user_id);
        format!("{url}/letters-off?of={topic}&account={account}&seal={seal}")
    }
}

/// A link works only while the account has the address that the letter went to. A thief who read
/// letters at another address cannot use their links later.
fn sealed_text(topic: LetterTopic, to: &LetterRecipient) -> String {
    format!("off {} {} {}", topic.word(), to.user_id, to.email)
}

fn is_of_id(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-_".contains(&byte)
}

/// Parses the amount; `None` when letters about a low balance are off.
fn parse_low_balance(raw: &RawChoices) -> Result<Option<Paise>> {
    let text = raw.low_balance_below.trim();
    if !raw.wants(LetterTopic::LowBalance) {
        return Ok(None);
    }
    let (least, most) = (Paise::rupees(1), Paise::rupees(limits::LOW_BALANCE_RUPEES_MAX));
    match rupees(text) {
        Some(below) if below >= least && below <= most => Ok(Some(below)),
        _ => Err(Error::field("low_balance_below", "Please enter an amount from ₹1 to ₹1,00,000.")),
    }
}
