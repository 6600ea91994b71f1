//! Logged-in users and their sessions.

use serde::Serialize;
use utoipa::ToSchema;

use crate::model::account::security_event::Origin;
use crate::model::account::user::User;
use crate::model::money::paise::Paise;
use crate::model::openapi_schema::Text;

pub const ENDED: &str = "That session was ended.";

pub const OTHERS_ENDED: &str = "You are logged out everywhere else.";

/// The length of a token: 32 bytes in unpadded base64 (characters).
pub const TOKEN_CHARS: usize = 43;

/// A user with a checked credential. As a handler's argument it is the permission.
#[derive(Clone, Debug)]
pub struct CurrentUser {
    pub user: User,
    /// The wallet's balance when the session was read.
    pub balance: Paise,
    /// Time since which an operator blocks bookings and recharges.
    pub frozen_ms: Option<i64>,
    pub origin: Origin,
    token_hash: String,
}

impl CurrentUser {
    pub fn new(session: Session, token_hash: String, origin: Origin) -> CurrentUser {
        CurrentUser {
            user: session.user,
            balance: session.balance,
            frozen_ms: session.frozen_ms,
            origin,
            token_hash,
        }
    }

    pub fn id(&self) -> &str {
        &self.user.user_id
    }

    /// Identifies this session among those of the same user.
    pub fn token_hash(&self) -> &str {
        &self.token_hash
    }
}

impl Profile {
    pub fn of(user: &User, balance: Paise) -> Profile {
        Profile {
            first_name: user.first_name.clone(),
            last_name: user.last_name.clone(),
            username: user.username.clone(),
            email: user.email.clone(),
            phone: user.phone.clone(),
            company_name: user.company_name.clone(),
            gstin: user.gstin.clone(),
            unconfirmed_email: user.unconfirmed_email().map(str::to_owned),
            phone_confirmed: user.phone_confirmed,
            two_step_at: user.two_step_ms,
            passkeys: user.passkeys,
            balance,
        }
    }
}

/// The user as the API and the pages show it.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = User)]
pub struct Profile {
    pub first_name: String,
    pub last_name: String,
    pub username: String,
    pub email: String,
    pub phone: String,
    pub company_name: String,
    pub gstin: String,
    /// The address that waits for the link to be opened that was sent there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unconfirmed_email: Option<String>,
    /// A code came back that was sent to the number.
    pub phone_confirmed: bool,
    /// Since when two-step login is on; left out while it is off.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub two_step_at: Option<i64>,
    /// Number of passkeys that log in to the account.
    pub passkeys: i64,
    pub balance: Paise,
}

/// A login as it comes over the wire.
#[derive(Clone, Debug, Default, serde::Deserialize, ToSchema)]
#[serde(default)]
#[schema(as = Login)]
pub struct RawLogin {
    #[schema(required)]
    pub username: Text,
    #[schema(required)]
    pub password: String,
}

#[derive(Debug)]
pub enum FirstStep {
    LoggedIn(Box<LoggedIn>),
    /// A code is required; the token links the second step to the first.
    CodeWanted {
        token: String,
    },
}

/// A new session: the only time when the server has the token itself.
#[derive(Debug)]
pub struct LoggedIn {
    pub token: String,
    pub user: User,
}

/// One place where the user is logged in.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct LoggedInAt {
    /// Names the session and is no credential.
    pub id: String,
    pub device: String,
    pub created_at: i64,
    /// True to the minute.
    pub last_seen_at: i64,
    /// The one that asks.
    pub current: bool,
}

#[derive(Clone, Debug)]
pub struct Session {
    pub user: User,
    pub balance: Paise,
    pub last_seen_ms: i64,
    /// Time since which an operator blocks bookings and recharges.
    pub frozen_ms: Option<i64>,
}

#[derive(Clone, Debug)]
pub struct SessionPlace {
    pub token_hash: String,
    pub device: String,
    pub created_ms: i64,
    pub last_seen_ms: i64,
}

#[derive(Clone, Copy, Debug)]
pub struct SessionLifetime {
    pub created_ms: i64,
    pub expires_ms: i64,
}
