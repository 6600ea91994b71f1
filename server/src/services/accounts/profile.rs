//! Changing what customers say about themselves.

use super::Accounts;
use crate::error::{Error, Result};
use crate::limits;
use crate::model::account::profile::{RawProfile, changed};
use crate::model::account::security_event::SecurityAct;
use crate::model::account::session::CurrentUser;
use crate::model::account::user::User;
use crate::services::notifications::letter::Letter;
use crate::store::{self, Conn};

impl Accounts {
    /// Changes the profile. Open quotes made with another GSTIN hold no longer (see `quote.rs`).
    ///
    /// # Errors
    /// `Fields` for what is wrong, for an e-mail address that is taken, and for a wrong password;
    /// `TooMany` after many wrong ones.
    pub async fn change_profile(&self, user: &CurrentUser, raw: &RawProfile) -> Result<User> {
        let before = &user.user;
        let after = changed(before, raw)?;
        let moved = before.email != after.email;
        if moved {
            self.confirm_password(user, &raw.current_password, SecurityAct::EmailChanged)
                .await?;
        }
        let (now_ms, kept) = (self.core.clock.now_ms(), after.clone());
        let changes = [
            (moved, SecurityAct::EmailChanged),
            (before.phone != after.phone, SecurityAct::PhoneChanged),
        ];
        let changes = changes.into_iter().filter(|(is_so, _)| *is_so);
        let events: Vec<_> = changes.map(|(_, act)| self.event(user, act)).collect();
        self.core
            .store
            .write(move |conn| {
                Box::pin(async move {
                    store::users::hold(conn, &kept.user_id).await?;
                    if moved {
                        refuse_often(conn, &kept.user_id, now_ms).await?;
                    }
                    if !store::users::update(conn, &kept).await? {
                        let message = "There is an account with this e-mail address.";
                        return Err(Error::field("email", message));
                    }
                    if moved {
                        // They lie in the mailbox that this account no longer trusts.
                        store::password_resets::end_all(conn, &kept.user_id, now_ms).await?;
                    }
                    for event in &events {
                        store::security_events::add(conn, event).await?;
                    }
                    Ok(())
                })
            })
            .await?;
        if moved {
            self.notifications
                .post_letter(self.email_changed_letter(before));
        }
        Ok(after)
    }

    /// To the address that is no longer the account's.
    fn email_changed_letter(&self, before: &User) -> Letter {
        let (username, help) = (&before.username, &self.core.company.email);
        let text = format!(
            "The e-mail address of your Dakiya account {username} was changed. Messages no longer \
         come to this one.\n\n\
         If it was not you, write to {help} at once.\n"
        );
        Letter {
            to: before.email.clone(),
            subject: "Your Dakiya e-mail address was changed",
            text,
        }
    }
}

/// Each change of the address sends a letter.
async fn refuse_often(conn: &mut Conn, user_id: &str, now_ms: i64) -> Result<()> {
    let (act, since_ms) = (SecurityAct::EmailChanged, now_ms - limits::HOUR_MS);
    let changes = store::security_events::done_since(conn, user_id, act, since_ms).await?;
    if changes < limits::EMAIL_CHANGES_AN_HOUR_MAX {
        return Ok(());
    }
    Err(Error::TooMany {
        message: "You changed your e-mail address often. Please try again in an hour.".into(),
        retry_after_s: 3_600,
    })
}
