//! A person with an account.

use crate::model::language::Language;

/// A person with an account. The password's hash is only in [`Credentials`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct User {
    pub user_id: String,
    pub username: String,
    /// Empty when the account gave up an address that was not confirmed.
    pub email: String,
    /// Set when its owner opened a link that was sent there.
    pub email_confirmed: bool,
    /// The address that replaces the present one when its link is opened.
    pub new_email: Option<String>,
    pub phone: String,
    /// Set when an OTP sent there was entered. Only then is the number trusted.
    pub phone_confirmed: bool,
    pub first_name: String,
    pub last_name: String,
    pub company_name: String,
    pub gstin: String,
    /// The GSTIN that an operator confirmed as an SEZ unit's; may be empty.
    pub sez_gstin: String,
    /// Time since which a login needs a code besides the password (milliseconds); `None` if not.
    pub two_step_ms: Option<i64>,
    /// Passkeys that log in to the account (count).
    pub passkeys: i64,
    pub language: Language,
}

impl User {
    /// The first and the last name.
    pub fn name(&self) -> String {
        format!("{} {}", self.first_name, self.last_name).trim().to_owned()
    }

    /// True if this GSTIN is confirmed as an SEZ unit's, for this account.
    pub fn is_sez(&self, gstin: &str) -> bool {
        !gstin.is_empty() && gstin == self.sez_gstin
    }

    /// The address whose link has not been opened yet.
    pub fn unconfirmed_email(&self) -> Option<&str> {
        let present = (!self.email_confirmed).then_some(self.email.as_str());
        self.new_email.as_deref().or(present.filter(|email| !email.is_empty()))
    }
}

#[derive(Clone, Debug)]
pub struct Credentials {
    pub user: User,
    pub password_hash: String,
}

#[derive(Clone, Debug)]
pub struct NewUser {
    pub user: User,
    pub password_hash: String,
    pub created_ms: i64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LetterRecipient {
    pub user_id: String,
    pub email: String,
    pub language: Language,
}

impl From<&User> for LetterRecipient {
    fn from(user: &User) -> LetterRecipient {
        LetterRecipient {
            user_id: user.user_id.clone(),
            email: user.email.clone(),
            language: user.language,
        }
    }
}
