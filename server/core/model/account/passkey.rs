//! Passkeys: keys stored on a customer's devices, and their challenges.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use crate::error::{Error, Result};
use crate::limits;
use crate::model::account::two_step;
use crate::model::openapi_schema::Text;

pub const ADDED: &str = "Your passkey was added. You can log in with it from now on.";

pub const REMOVED: &str = "The passkey was removed. Nobody can log in with it any more.";

/// Shown when the form was sent without its script.
pub const NEEDS_SCRIPT: &str = "Adding a passkey needs JavaScript.";

pub const TOO_LATE: &str = two_step::TOO_LATE;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PasskeyPurpose {
    Login,
    /// Confirms a change of an account.
    Confirm,
    Add,
}

impl PasskeyPurpose {
    /// The word in the database.
    pub fn word(self) -> &'static str {
        match self {
            PasskeyPurpose::Login => "login",
            PasskeyPurpose::Confirm => "confirm",
            PasskeyPurpose::Add => "add",
        }
    }
}

/// A passkey as its owner sees it.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = Passkey)]
pub struct KeptPasskey {
    #[serde(rename = "id")]
    pub passkey_id: String,
    #[serde(skip)]
    pub user_id: String,
    /// The authenticator's id of the passkey, in base64url.
    #[serde(skip)]
    pub credential_id: String,
    pub name: String,
    /// Public key, counter and flags, as JSON.
    #[serde(skip)]
    pub credential: String,
    #[serde(rename = "created_at")]
    pub created_ms: i64,
    #[serde(rename = "last_used_at")]
    #[schema(required)]
    pub used_ms: Option<i64>,
}

/// Options that a browser passes on to an authenticator.
#[derive(Debug, Serialize, ToSchema)]
pub struct PasskeyAsked {
    /// To be sent back with the answer, within five minutes; good for one.
    pub challenge: String,
    /// `PublicKeyCredentialCreationOptions` or `…RequestOptions` of WebAuthn, as JSON.
    #[schema(value_type = Object)]
    pub options: Value,
}

/// An authenticator's answer.
#[derive(Clone, Default, Deserialize, ToSchema)]
#[serde(default)]
#[schema(as = PasskeyAnswer)]
pub struct RawPasskeyAnswer {
    #[schema(required)]
    pub challenge: String,
    /// A `PublicKeyCredential` of WebAuthn, as JSON.
    #[schema(required, value_type = Object)]
    pub credential: Value,
    /// It is the second step of a login, whose password was right in this browser.
    pub second_step: bool,
}

/// A passkey that is to be added, and who asks.
#[derive(Clone, Default, Deserialize, ToSchema)]
#[serde(default)]
#[schema(as = NewPasskey)]
pub struct RawNewPasskey {
    /// The name its owner gave it.
    #[schema(required)]
    pub name: Text,
    #[schema(required)]
    pub current_password: String,
    /// Where two-step login is on.
    pub code: String,
    /// A passkey's word in place of both.
    pub passkey: String,
}

impl RawNewPasskey {
    /// # Errors
    /// `Fields` if the name is empty, too long, or has control characters.
    pub fn parsed_name(&self) -> Result<String> {
        let name = self.name.as_str().trim();
        let count = name.chars().count();
        if count == 0
            || count > limits::PASSKEY_NAME_CHARS_MAX
            || name.chars().any(char::is_control)
        {
            let message = "Please give the passkey a name of at most 40 letters.";
            return Err(Error::field("name", message));
        }
        Ok(name.to_owned())
    }
}
