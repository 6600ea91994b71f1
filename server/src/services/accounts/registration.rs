//! Opening an account with an empty wallet.

use super::Accounts;
use crate::error::{Error, FieldError, Result};
use crate::model::account::registration::Registration;
use crate::model::account::user::{NewUser, User};
use crate::random::random_id;
use crate::services::accounts::rate_limits::Client;
use crate::store;

impl Accounts {
    /// Opens the account with an empty wallet.
    ///
    /// # Errors
    /// `Fields` when the username or e-mail is taken; `TooMany` for a client that registers often.
    pub async fn register(&self, client: Client, registration: Registration) -> Result<User> {
        self.rate_limits
            .registrations
            .take(client, self.core.clock.now_ms())?;
        let (user, password) = registration.into_account(random_id());
        let password_hash = self.passwords.hash(password).await?;
        let new = NewUser {
            user: user.clone(),
            password_hash,
            created_ms: self.core.clock.now_ms(),
        };
        self.core
            .store
            .write(move |conn| {
                Box::pin(async move {
                    if store::users::add(conn, &new).await? {
                        return store::ledger::open_wallet(conn, &new.user.user_id).await;
                    }
                    let (username, email) = (&new.user.username, &new.user.email);
                    let (username, email) = store::users::taken(conn, username, email).await?;
                    let mut wrong = Vec::new();
                    if username {
                        wrong.push(FieldError::new("username", "This username is taken."));
                    }
                    if email {
                        let message = "There is an account with this e-mail address.";
                        wrong.push(FieldError::new("email", message));
                    }
                    Error::check(wrong)
                })
            })
            .await?;
        Ok(user)
    }
}
