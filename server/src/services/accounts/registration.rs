//! Registration: a new account with an empty wallet.

use super::Accounts;
use super::email::TAKEN;
use crate::error::{Error, FieldError, Result};
use crate::model::account::agreement::Agreement;
use crate::model::account::registration::{RawRegistration, new_user};
use crate::model::account::security_event::{Origin, SecurityAct, SecurityEvent};
use crate::model::account::user::{NewUser, User};
use crate::model::language::Language;
use crate::random::random_id;
use crate::services::accounts::rate_limits::ClientIp;
use crate::services::printable;
use crate::store::email_links::EmailLinkPurpose;
use crate::store::{self, Conn};

impl Accounts {
    /// Creates an account with an empty wallet, for a customer who reads this language.
    ///
    /// # Errors
    /// `Fields` with all errors at once, including a username or email that is taken; `TooMany`
    /// for a client that registers too often.
    pub async fn register(
        &self,
        client: ClientIp,
        origin: &Origin,
        language: Language,
        raw: &RawRegistration,
    ) -> Result<User> {
        self.rate_limits.registrations.take(client, self.core.clock.now_ms())?;
        let user = new_user(raw, random_id(), language);
        let user = match user.and_then(|user| printable::check_names(&user).map(|()| user)) {
            Ok(user) => user,
            Err(error) => return Err(self.with_taken(client, raw, error).await?),
        };
        let password_hash = self.passwords.hash(raw.password.clone()).await?;
        let now_ms = self.core.clock.now_ms();
        let event = SecurityEvent::new(&user.user_id, SecurityAct::Registered, origin, now_ms);
        let agreements = Agreement::to_all(origin, now_ms);
        let fresh = self.fresh_link(&user.user_id, EmailLinkPurpose::Confirm, &user.email);
        let link = fresh.link;
        let new = NewUser { user: user.clone(), password_hash, created_ms: now_ms };
        let write = self.core.store.write(move |conn| {
            Box::pin(async move {
                if store::users::add(conn, &new).await? {
                    store::ledger::open_wallet(conn, &new.user.user_id).await?;
                    store::email_links::add(conn, &link).await?;
                    for agreement in &agreements {
                        store::agreements::add(conn, &new.user.user_id, agreement).await?;
                    }
                    return store::security_events::add(conn, &event).await;
                }
                Error::check(check_names(conn, &new.user.username, &new.user.email).await?)
            })
        });
        write.await?;
        self.post_confirmation(&user, &user.email, &fresh.token, true);
        Ok(user)
    }

    /// Adds errors for taken names to those of the form. A request that reveals no existing account
    /// counts as a look-up of names only.
    async fn with_taken(
        &self,
        client: ClientIp,
        raw: &RawRegistration,
        error: Error,
    ) -> Result<Error> {
        self.rate_limits.name_lookups.take(client, self.core.clock.now_ms())?;
        let mut conn = self.core.store.read().await?;
        let name_errors = check_names(&mut conn, raw.username.as_str(), raw.email.as_str()).await?;
        if name_errors.is_empty() {
            self.rate_limits.registrations.give_back(&client);
        }
        let wrong = [error.fields(), &name_errors].concat();
        Ok(Error::check(wrong).err().unwrap_or(error))
    }
}

/// Returns an error for each of the two names that is taken.
async fn check_names(conn: &mut Conn, username: &str, email: &str) -> Result<Vec<FieldError>> {
    let (username, email) = store::users::are_names_taken(conn, username, email).await?;
    let username = username.then(|| FieldError::new("username", "This username is taken."));
    let email = email.then(|| FieldError::new("email", TAKEN));
    Ok(username.into_iter().chain(email).collect())
}
