//! Choosing another password: by a customer who knows the current one, or by a link.
//!
//! Who forgot the password has a link sent to the account's email address. It works once, and for
//! a short time. The response does not reveal if an account exists: its text and timing are always
//! the same, because the lookup and the email follow after the response.

use serde::Deserialize;
use tracing::Instrument as _;
use utoipa::ToSchema;

use super::Accounts;
use super::confirm_identity::{Identity, lock_confirmed};
use super::login_throttle::Guesser;
use super::new_device::india;
use super::rate_limits::ClientIp;
use crate::error::{Error, Result};
use crate::model::account::registration::new_password_problems;
use crate::model::account::security_event::{Origin, SecurityAct, SecurityEvent};
use crate::model::account::session::{CurrentUser, TOKEN_CHARS};
use crate::model::account::user::User;
use crate::model::digest::sha256_hex;
use crate::model::message::MessageKind;
use crate::model::openapi_schema::Text;
use crate::providers::notify::message::Channel;
use crate::random::random_token;
use crate::services::customer_limits::Budget;
use crate::services::message_budgets::MessagePermit;
use crate::services::notifications::letter::Letter;
use crate::store::password_resets::PasswordReset;
use crate::{limits, store};

pub const CHANGED: &str = "Your password was changed. You were logged out everywhere else.";

/// The current password and the one chosen, as they come over the wire.
#[derive(Clone, Default, Deserialize, ToSchema)]
#[serde(default)]
#[schema(as = PasswordChange)]
pub struct RawPasswordChange {
    #[schema(required)]
    pub current_password: String,
    /// Where two-step login is on.
    pub code: String,
    /// A passkey's word in place of both.
    pub passkey: String,
    #[schema(required)]
    pub password: String,
    #[schema(required)]
    pub password_confirm: String,
}

/// The response to every request for a link.
pub const ASKED: &str = "If an account with a confirmed email address matches, we have \
                         emailed a reset link. It is valid for 30 minutes.";

/// Message shown after the reset, here and on the login page.
pub const RESET: &str = "Your password was changed. Please log in with the new one.";

const NOT_VALID: &str = "This link was used already, is too old, or is not complete. \
                         Please ask for another.";

/// The request for a reset link, as it comes over the wire.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(default)]
#[schema(as = ForgottenPassword)]
pub struct RawForgotten {
    /// Or the email address.
    #[schema(required)]
    pub username: Text,
}

/// The link's token and the password chosen.
#[derive(Clone, Default, Deserialize, ToSchema)]
#[serde(default)]
#[schema(as = PasswordReset)]
pub struct RawReset {
    #[schema(required)]
    pub token: String,
    #[schema(required)]
    pub password: String,
    #[schema(required)]
    pub password_confirm: String,
}

impl Accounts {
    /// Sets the password, ends all other sessions and links, and notifies the owner by email.
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
                lock_confirmed(conn, &user_id, &current_hash).await?;
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
            self.send_letter_to(&user.user, self.password_changed_letter(&user.user, now_ms));
        }
        Ok(())
    }

    /// Sends links to the matching accounts after the response.
    ///
    /// # Errors
    /// `Fields` for an empty form; `TooMany` for a client with too many requests; `Provider` where
    /// no email is sent at all; `Busy`.
    pub fn ask_for_reset(
        &self,
        client: ClientIp,
        origin: Origin,
        raw: &RawForgotten,
    ) -> Result<()> {
        if raw.username.is_empty() {
            return Err(Error::field("username", "Please enter your username or email address."));
        }
        self.notifications.require(Channel::Email)?;
        self.rate_limits.resets.take(client, self.core.clock.now_ms())?;
        let busy = "Too many requests. Please try again later.";
        let place = self.resets.clone().try_acquire_owned();
        let place = place.map_err(|_| Error::Busy(busy.into()))?;
        let (accounts, username) = (self.clone(), raw.username.as_str().to_owned());
        let sending = async move {
            if let Err(error) = accounts.send_links(&username, &origin).await {
                tracing::error!("a password link was not sent: {error}");
            }
            drop(place);
        };
        tokio::spawn(sending.in_current_span());
        Ok(())
    }

    /// Sends a link to each match: the username of one account may be the email address of
    /// another.
    async fn send_links(&self, username: &str, origin: &Origin) -> Result<()> {
        let users =
            store::users::find_by_name(&mut *self.core.store.read().await?, username).await?;
        // An unconfirmed address may be mistyped and belong to a stranger.
        for user in users.into_iter().filter(|user| user.email_confirmed) {
            if let Some((token, permit)) = self.fresh_reset_token(&user, origin).await? {
                let letter = self.reset_letter(&user, &token);
                // The result is only logged: the requester must not learn it.
                let _ = self.notifications.send_counted_letter(permit, &letter).await;
            }
        }
        Ok(())
    }

    /// Creates a token that replaces all earlier ones, and counts its letter; `None` when too many
    /// were made within an hour, or a budget refuses the letter.
    async fn fresh_reset_token(
        &self,
        user: &User,
        origin: &Origin,
    ) -> Result<Option<(String, MessagePermit)>> {
        let (token, now_ms) = (random_token(), self.core.clock.now_ms());
        let reset = PasswordReset {
            token_hash: sha256_hex(token.as_bytes()),
            created_ms: now_ms,
            expires_ms: now_ms + limits::RESET_MS_MAX,
        };
        let user_id = user.user_id.clone();
        let event = SecurityEvent::new(&user_id, SecurityAct::ResetAsked, origin, now_ms);
        let planned = self.notifications.plan(MessageKind::ResetLetter, &user.email, &user_id);
        let write = self.core.store.write(move |conn| {
            Box::pin(async move {
                store::users::lock(conn, &user_id).await?;
                let since_ms = now_ms - limits::HOUR_MS;
                let count = store::password_resets::made_since(conn, &user_id, since_ms).await?;
                if count >= limits::RESETS_AN_HOUR_MAX {
                    return Ok(None);
                }
                let Ok(permit) = planned.take(conn, now_ms).await? else { return Ok(None) };
                store::password_resets::end_all(conn, &user_id, now_ms).await?;
                store::password_resets::add(conn, &user_id, &reset).await?;
                store::security_events::add(conn, &event).await?;
                Ok(Some(permit))
            })
        });
        let permit = write.await?;
        Ok(permit.map(|permit| (token, permit)))
    }

    fn reset_letter(&self, user: &User, token: &str) -> Letter {
        let (url, minutes) = (&self.core.public_url, limits::RESET_MS_MAX / 60_000);
        let username = &user.username;
        Letter::new(
            user,
            "Choose a new password for Dakiya",
            "Dakiya के लिए नया पासवर्ड चुनें",
        )
        .text(
            format!(
                "Someone asked for a new password for your Dakiya account {username}. To choose \
                 one, open this link within {minutes} minutes. It works once."
            ),
            format!(
                "किसी ने आपके Dakiya खाते {username} के लिए नया पासवर्ड माँगा है। इसे चुनने के लिए \
                 यह लिंक {minutes} मिनट के अंदर खोलें। यह एक ही बार काम करता है।"
            ),
        )
        .button(
            "Choose a new password",
            "नया पासवर्ड चुनें",
            format!("{url}/reset-password?token={token}"),
        )
        .text(
            "If it was not you, nothing has changed, and you need not do anything.",
            "अगर यह आप नहीं थे, तो कुछ नहीं बदला है, और कुछ करने की ज़रूरत नहीं।",
        )
    }

    /// Checks that a link can be used. Returns the id of its owner.
    ///
    /// # Errors
    /// `Fields` naming the token when it cannot.
    pub async fn check_reset(&self, token: &str) -> Result<String> {
        if token.len() != TOKEN_CHARS {
            return Err(not_valid());
        }
        let token_hash = sha256_hex(token.as_bytes());
        let mut conn = self.core.store.read().await?;
        let owner =
            store::password_resets::owner(&mut conn, &token_hash, self.core.clock.now_ms()).await?;
        owner.ok_or_else(not_valid)
    }

    /// Sets the password, uses the link up, ends all sessions and notifies the owner.
    ///
    /// # Errors
    /// `Fields` for a link that cannot be used, or a password that is not allowed.
    pub async fn reset_password(&self, origin: &Origin, raw: RawReset) -> Result<()> {
        let user_id = self.check_reset(&raw.token).await?;
        let owner = store::users::find(&mut *self.core.store.read().await?, &user_id).await?;
        let owner = owner.ok_or_else(not_valid)?;
        Error::check(new_password_problems(&raw.password, &raw.password_confirm, &owner))?;
        let password_hash = self.passwords.hash(raw.password).await?;
        let (token_hash, now_ms) = (sha256_hex(raw.token.as_bytes()), self.core.clock.now_ms());
        let event = SecurityEvent::new(&user_id, SecurityAct::PasswordReset, origin, now_ms);
        let write = self.core.store.write(move |conn| {
            Box::pin(async move {
                store::users::lock(conn, &user_id).await?;
                if !store::password_resets::consume(conn, &user_id, &token_hash, now_ms).await? {
                    return Err(not_valid());
                }
                store::users::set_password(conn, &user_id, &password_hash).await?;
                store::sessions::end_all(conn, &user_id).await?;
                store::password_resets::end_all(conn, &user_id, now_ms).await?;
                store::security_events::add(conn, &event).await?;
                store::users::find(conn, &user_id).await
            })
        });
        let user = write.await?;
        let user = user.ok_or_else(|| Error::internal(anyhow::anyhow!("a link without owner")))?;
        self.login_throttle.forgive(Guesser::Stranger(&user.user_id));
        self.forgive_codes(&user.user_id);
        self.send_letter_to(&user, self.password_changed_letter(&user, now_ms));
        Ok(())
    }

    /// Returns the letter that tells the owner of a changed password.
    pub fn password_changed_letter(&self, user: &User, now_ms: i64) -> Letter {
        let (username, when) = (&user.username, india(now_ms));
        let (url, email) = (&self.core.public_url, &self.core.company.email);
        Letter::new(user, "Your Dakiya password was changed", "आपका Dakiya पासवर्ड बदल दिया गया")
            .text(
                format!(
                    "The password of your Dakiya account {username} was changed on {when}, and you \
                 were logged out everywhere else."
                ),
                format!(
                    "आपके Dakiya खाते {username} का पासवर्ड {when} को बदला गया, और आप बाकी हर जगह \
                     से लॉग आउट हो गए हैं।"
                ),
            )
            .text(
                format!("If it was not you, choose another at once, and write to {email}."),
                format!("अगर यह आप नहीं थे, तो तुरंत दूसरा पासवर्ड चुनें और {email} पर लिखें।"),
            )
            .choose_password(url)
    }
}

fn not_valid() -> Error {
    Error::field("token", NOT_VALID)
}
