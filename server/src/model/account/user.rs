//! A person with an account.

use crate::model::language::Language;

/// A person with an account. The password's hash stays behind in [`Credentials`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct User {
    pub user_id: String,
    pub username: String,
    pub email: String,
    /// Its owner opened a link that was sent there.
    pub email_confirmed: bool,
    /// The address that takes the place of this one when its link is opened.
    pub new_email: Option<String>,
    pub phone: String,
    /// A code came back that was sent there. Nothing else gives the number power over the account.
    pub phone_confirmed: bool,
    pub first_name: String,
    pub last_name: String,
    pub company_name: String,
    pub gstin: String,
    /// Since when a login asks for a code besides the password (milliseconds); `None`: it does not.
    pub two_step_ms: Option<i64>,
    /// How many passkeys log in to the account.
    pub passkeys: i64,
    /// What they are written to in.
    pub language: Language,
}

impl User {
    /// The address that waits for its link to be opened.
    pub fn unconfirmed_email(&self) -> Option<&str> {
        let present = (!self.email_confirmed).then_some(self.email.as_str());
        self.new_email.as_deref().or(present)
    }
}

/// What logging in needs.
#[derive(Clone, Debug)]
pub struct Credentials {
    pub user: User,
    pub password_hash: String,
}

/// A person to be added.
#[derive(Clone, Debug)]
pub struct NewUser {
    pub user: User,
    pub password_hash: String,
    pub created_ms: i64,
}

/// Whom letters about an account go to.
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
