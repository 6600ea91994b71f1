//! Changes that customers make to their profile.

use super::confirm_identity::Identity;
use super::email::{FreshLink, add_link, is_free};
use super::sessions::lock_session;
use super::{Accounts, refuse_frozen_data};
use crate::error::Result;
use crate::model::account::profile::{RawProfile, apply_changes, has_power};
use crate::model::account::security_event::SecurityAct;
use crate::model::account::session::CurrentUser;
use crate::model::account::user::User;
use crate::model::language::Language;
use crate::services::customer_limits::Budget;
use crate::services::printable;
use crate::store;
use crate::store::email_links::EmailLinkPurpose;

impl Accounts {
    /// Sets the language of the customer's letters, receipts and statements. The first one is the
    /// language of the registration.
    pub async fn set_language(&self, user: &CurrentUser, language: Language) -> Result<()> {
        let user_id = user.id().to_owned();
        let write = self.core.store.write(move |conn| {
            Box::pin(async move { store::users::set_language(conn, &user_id, language).await })
        });
        write.await
    }

    /// Changes the profile. Open quotes made with another GSTIN become invalid (see `quote.rs`). A
    /// new email address gets a link and takes effect when that is opened; the response does not
    /// reveal if another account has it. A new phone number is unconfirmed, and reported by email.
    ///
    /// # Errors
    /// `Fields` for each invalid field, and for a wrong password or code; `TooMany` after too many
    /// wrong ones, or too many changes of the address; `Conflict` for a frozen account.
    pub async fn change_profile(&self, user: &CurrentUser, raw: &RawProfile) -> Result<User> {
        let before = &user.user;
        let profile = apply_changes(before, raw)?;
        printable::check_names(&profile)?;
        let moved = before.email != profile.email;
        let called = before.phone != profile.phone;
        let act = if moved { SecurityAct::EmailChangeAsked } else { SecurityAct::PhoneChanged };
        if has_power(before, &profile) {
            let identity = Identity {
                password: &raw.current_password,
                code: &raw.code,
                passkey: &raw.passkey,
            };
            self.confirm_identity(user, identity, act).await?;
        }
        if moved || called {
            let now_ms = self.core.clock.now_ms();
            self.core.budgets.take(Budget::Letters, user.id(), now_ms)?;
        }
        let new_email = moved.then(|| profile.email.clone());
        let after = User {
            email: before.email.clone(),
            new_email: new_email.clone().or(before.new_email.clone()),
            ..profile
        };
        let changes = [(moved, SecurityAct::EmailChangeAsked), (called, SecurityAct::PhoneChanged)];
        let changes = changes.into_iter().filter(|(is_so, _)| *is_so);
        let events: Vec<_> = changes.map(|(_, act)| self.event(user, act)).collect();
        let fresh =
            new_email.map(|email| self.fresh_link(user.id(), EmailLinkPurpose::Confirm, &email));
        let stored_user = after.clone();
        let planned = fresh
            .as_ref()
            .map(|FreshLink { link, .. }| (link.clone(), self.plan_asked(user, &link.email)));
        let token_hash = user.token_hash().to_owned();
        let write = self.core.store.write(move |conn| {
            Box::pin(async move {
                lock_session(conn, &stored_user.user_id, &token_hash).await?;
                refuse_frozen_data(conn, &stored_user.user_id).await?;
                store::users::update(conn, &stored_user).await?;
                for event in &events {
                    store::security_events::add(conn, event).await?;
                }
                let Some((link, planned)) = planned else { return Ok(None) };
                let permit = add_link(conn, &link, &planned).await?;
                Ok(Some((permit, is_free(conn, &stored_user.user_id, &link.email).await?)))
            })
        });
        let counted = write.await?;
        if called {
            self.tell_owners(before, self.phone_changed_letter(&after)).await;
        }
        if let (Some(FreshLink { link, token }), Some((permit, is_free))) = (fresh, counted) {
            let letter = self.confirmation(&after, &link.email, &token, is_free);
            self.notifications.post_counted_letter(permit, letter);
        }
        Ok(after)
    }
}
