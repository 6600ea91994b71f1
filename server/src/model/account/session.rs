//! Who is logged in, and where.

use serde::Serialize;
use utoipa::ToSchema;

use crate::model::account::security_event::Origin;
use crate::model::account::user::User;
use crate::model::money::paise::Paise;
use crate::model::openapi_schema::Text;

/// Shown when a session was ended from another one.
pub const ENDED: &str = "That session was ended.";

/// Shown when all others were.
pub const OTHERS_ENDED: &str = "You are logged out everywhere else.";

/// The length of a token: 32 bytes in unpadded base64 (characters).
pub const TOKEN_CHARS: usize = 43;

/// Somebody whose credential was checked. Its presence in a signature is the permission.
#[derive(Clone, Debug)]
pub struct CurrentUser {
    pub user: User,
    /// What the wallet had when the session was found.
    pub balance: Paise,
    /// Since when an operator keeps them from booking and recharging.
    pub frozen_ms: Option<i64>,
    /// Where the request comes from that carries the session.
    pub origin: Origin,
    token_hash: String,
}

impl CurrentUser {
    /// Whoever's live session has a token of this hash.
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

    /// Tells this session from others of the same user.
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
    /// Since when two-step sign-in is on; left out while it is off.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub two_step_at: Option<i64>,
    /// How many passkeys log in to the account.
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

/// What a right password leads to.
#[derive(Debug)]
pub enum FirstStep {
    LoggedIn(Box<LoggedIn>),
    /// A code is asked for: the token by which the second step knows the first.
    CodeWanted {
        token: String,
    },
}

/// A fresh session: the only time the token itself exists on our side.
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

/// A live session with its owner.
#[derive(Clone, Debug)]
pub struct Session {
    pub user: User,
    /// What the wallet has.
    pub balance: Paise,
    pub last_seen_ms: i64,
    /// Since when an operator keeps them from booking and recharging.
    pub frozen_ms: Option<i64>,
}

/// One place where a user is logged in.
#[derive(Clone, Debug)]
pub struct SessionPlace {
    pub token_hash: String,
    pub device: String,
    pub created_ms: i64,
    pub last_seen_ms: i64,
}

/// The limits of one session.
#[derive(Clone, Copy, Debug)]
pub struct SessionLifetime {
    pub created_ms: i64,
    pub expires_ms: i64,
}
