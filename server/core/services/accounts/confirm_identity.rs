//! Confirming the customer's identity again before a change that cannot be undone: by the password
//! and, with two-step login on, a code; or by a passkey, which replaces both. Every permanent
//! change of an account is confirmed here.

use serde::Deserialize;
use utoipa::ToSchema;

use super::Accounts;
use super::codes::{CodeAttempt, no_code};
use crate::error::{Error, FieldError, Result};
use crate::model::account::security_event::SecurityAct;
use crate::model::account::session::CurrentUser;
use crate::services::accounts::login_throttle::Guesser;
use crate::services::customer_limits::Budget;
use crate::store::{self, Conn};

/// An identity check as it comes over the wire.
#[derive(Clone, Default, Deserialize, ToSchema)]
#[serde(default)]
#[schema(as = Identity)]
pub struct RawIdentity {
    #[schema(required)]
    pub current_password: String,
    /// Where two-step login is on.
    pub code: String,
    /// A passkey's word in place of both: what `auth/passkeys/confirm` asked for, as JSON.
    pub passkey: String,
}

impl RawIdentity {
    pub fn identity(&self) -> Identity<'_> {
        Identity { password: &self.current_password, code: &self.code, passkey: &self.passkey }
    }
}

/// The proof of identity that a logged-in customer enters again.
#[derive(Clone, Copy)]
pub struct Identity<'a> {
    pub password: &'a str,
    /// From the app, or a recovery code; ignored while two-step login is off.
    pub code: &'a str,
    /// A passkey's answer. If it is set, password and code are ignored.
    pub passkey: &'a str,
}

impl Identity<'_> {
    /// Returns an error for each missing field.
    pub fn missing(self, user: &CurrentUser) -> Vec<FieldError> {
        let mut missing = Vec::new();
        if !self.passkey.is_empty() {
            return missing;
        }
        if self.password.is_empty() {
            let message = "Please enter your current password.";
            missing.push(FieldError::new("current_password", message));
        }
        if user.user.two_step_ms.is_some() && self.code.is_empty() {
            missing.extend_from_slice(no_code().fields());
        }
        missing
    }
}

/// Identity that was confirmed just now.
pub(super) struct ConfirmedIdentity {
    /// The present one of the account.
    pub password_hash: String,
    /// When the passkey was added that stands for password and code; `None` if those were typed.
    pub passkey_since_ms: Option<i64>,
}

impl Accounts {
    /// Checks identity as `confirmed` does, and returns the password's hash.
    ///
    /// # Errors
    /// As `confirmed`.
    pub async fn confirm_identity(
        &self,
        user: &CurrentUser,
        identity: Identity<'_>,
        act: SecurityAct,
    ) -> Result<String> {
        Ok(self.confirmed(user, identity, act).await?.password_hash)
    }

    /// Checks that the logged-in customer knows the password too, and has the second factor; or has
    /// a passkey of the account. A right code is used up. Wrong guesses of strangers at the login
    /// do not count here.
    ///
    /// # Errors
    /// `Fields` for each missing or wrong field; `TooMany` after too many wrong guesses, or too
    /// many confirmations in a short time: each costs the work of a login.
    pub(super) async fn confirmed(
        &self,
        user: &CurrentUser,
        identity: Identity<'_>,
        act: SecurityAct,
    ) -> Result<ConfirmedIdentity> {
        Error::check(identity.missing(user))?;
        let now_ms = self.core.clock.now_ms();
        self.core.budgets.take(Budget::Confirmations, user.id(), now_ms)?;
        let mut conn = self.core.store.read().await?;
        let credentials = store::users::credentials_of(&mut conn, user.id()).await?;
        drop(conn);
        if !identity.passkey.is_empty() {
            let credentials = credentials.ok_or_else(wrong_password)?;
            let since_ms = self.confirm_with_passkey(user, identity.passkey).await?;
            let password_hash = credentials.password_hash;
            return Ok(ConfirmedIdentity { password_hash, passkey_since_ms: Some(since_ms) });
        }
        let token_hash = user.token_hash();
        let guesser = Guesser::Session { token_hash };
        let right = self.verify_password(guesser, credentials.as_ref(), identity.password);
        let (Some((_, guess)), Some(credentials)) = (right.await?, credentials) else {
            self.note_refused(Some(&user.user), act, &user.origin).await;
            return Err(wrong_password());
        };
        guess.end().await?;
        if credentials.user.two_step_ms.is_some() {
            let attempt = CodeAttempt {
                user: &credentials.user,
                by: token_hash,
                code: identity.code,
                act: SecurityAct::ConfirmingCode,
                origin: &user.origin,
            };
            self.use_code(&attempt).await?.end().await?;
        }
        Ok(ConfirmedIdentity { password_hash: credentials.password_hash, passkey_since_ms: None })
    }
}

/// Locks the account's row. Fails if another request has changed the password since it was
/// confirmed, or the account was taken back and has none.
pub(super) async fn lock_confirmed(
    conn: &mut Conn,
    user_id: &str,
    password_hash: &str,
) -> Result<()> {
    store::users::lock(conn, user_id).await?;
    let is_kept = password_hash != store::users::NO_PASSWORD
        && store::users::has_password(conn, user_id, password_hash).await?;
    if is_kept { Ok(()) } else { Err(wrong_password()) }
}

fn wrong_password() -> Error {
    Error::field("current_password", "This is not your current password.")
}
