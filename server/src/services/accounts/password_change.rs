//! Changing the password by a customer who knows the current one.

use serde::Deserialize;
use utoipa::ToSchema;

use super::Accounts;
use super::confirm_identity::{Identity, hold_confirmed};
use crate::error::{Error, Result};
use crate::model::account::registration::new_password_problems;
use crate::model::account::security_event::SecurityAct;
use crate::model::account::session::CurrentUser;
use crate::services::customer_limits::Budget;
use crate::{limits, store};

/// Message shown after the change.
pub const CHANGED: &str = "Your password was changed. You were logged out everywhere else.";

/// The current password and the one chosen, as they come over the wire.
#[derive(Clone, Default, Deserialize, ToSchema)]
#[serde(default)]
#[schema(as = PasswordChange)]
pub struct RawPasswordChange {
    #[schema(required)]
    pub current_password: String,
    /// Where two-step sign-in is on.
    pub code: String,
    /// A passkey's word in place of both.
    pub passkey: String,
    #[schema(required)]
    pub password: String,
    #[schema(required)]
    pub password_confirm: String,
}

impl Accounts {
    /// Sets the password, ends all other sessions and links, and notifies the owner by e-mail.
    ///
    /// # Errors
    /// `Fields` for a wrong password or code, or a new password that is not allowed; `TooMany`
    /// after too many wrong ones.
    pub async fn change_password(&self, user: &CurrentUser, raw: RawPasswordChange) -> Result<()> {
        let identity =
            Identity { password: &raw.current_password, code: &raw.code, passkey: &raw.passkey };
        let mut wrong = identity.missing(user);
        wrong.extend(new_password_problems(&raw.password, &raw.password_confirm, &user.user));
        Error::check(wrong)?;
        let act = SecurityAct::PasswordChanged;
        let current_hash = self.confirm_identity(user, identity, act).await?;
        let now_ms = self.core.clock.now_ms();
        self.core.budgets.take(Budget::Letters, user.id(), now_ms)?;
        let password_hash = self.passwords.hash(raw.password).await?;
        let (user_id, now_ms) = (user.id().to_owned(), self.core.clock.now_ms());
        let (token_hash, event) = (user.token_hash().to_owned(), self.event(user, act));
        let write = self.core.store.write(move |conn| {
            Box::pin(async move {
                hold_confirmed(conn, &user_id, &current_hash).await?;
                store::users::set_password(conn, &user_id, &password_hash).await?;
                store::sessions::end_others(conn, &user_id, &token_hash).await?;
                store::password_resets::end_all(conn, &user_id, now_ms).await?;
                store::security_events::add(conn, &event).await?;
                let since_ms = now_ms - limits::HOUR_MS;
                store::security_events::done_since(conn, &user_id, act, since_ms).await
            })
        });
        let changes = write.await?;
        // Limits the letters to one mailbox when the password is changed repeatedly.
        if changes <= limits::CHANGE_LETTERS_AN_HOUR_MAX {
            let letter = self.password_changed_letter(&user.user, now_ms);
            self.tell(&user.user, letter);
        }
        Ok(())
    }
}
