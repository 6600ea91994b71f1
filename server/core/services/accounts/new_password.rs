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
use super::new_device::{SeenBrowser, india};
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
use crate::store::ways_in::{self, EndSince};
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
    /// Filled in: passkeys and the rest that was added lately stay.
    pub keep: String,
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
    /// Filled in: passkeys, two-step login and the rest that was added lately stay.
    pub keep: String,
}

impl Accounts {
    /// Sets the password, ends all other sessions and links, and notifies the owner by email.
    /// Unless they are to be kept, the ways in end that were added within the last days, and since
    /// the passkey was that confirmed the change. A code that was typed proves two-step login to be
    /// the customer's.
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
        let confirmed = self.confirmed(user, identity, act).await?;
        let current_hash = confirmed.password_hash;
        let now_ms = self.core.clock.now_ms();
        self.core.budgets.take(Budget::Letters, user.id(), now_ms)?;
        let password_hash = self.passwords.hash(raw.password).await?;
        let (user_id, now_ms) = (user.id().to_owned(), self.core.clock.now_ms());
        let (token_hash, event) = (user.token_hash().to_owned(), self.event(user, act));
        let since = raw
            .keep
            .is_empty()
            .then(|| since_change(&user.user, confirmed.passkey_since_ms, now_ms));
        let write = self.core.store.write(move |conn| {
            Box::pin(async move {
                lock_confirmed(conn, &user_id, &current_hash).await?;
                store::users::set_password(conn, &user_id, &password_hash).await?;
                store::sessions::end_others(conn, &user_id, &token_hash).await?;
                ways_in::end_links(conn, &user_id, now_ms).await?;
                if let Some(since) = since {
                    ways_in::end(conn, &user_id, since).await?;
                }
                store::security_events::add(conn, &event).await?;
                let since_ms = now_ms - limits::HOUR_MS;
                let changes =
                    store::security_events::done_since(conn, &user_id, act, since_ms).await?;
                Ok((changes, store::users::find(conn, &user_id).await?))
            })
        });
        let (changes, after) = write.await?;
        // Limits the letters to one mailbox when the password is changed repeatedly.
        if changes <= limits::CHANGE_LETTERS_AN_HOUR_MAX {
            let after = after.as_ref().unwrap_or(&user.user);
            self.tell_owners(after, self.ways_in_letter(after, now_ms)).await;
        }
        Ok(())
    }

    /// Sends links to the matching accounts after the response. Browsers in which the account was
    /// used before have an allowance of their own, which strangers cannot use up.
    ///
    /// # Errors
    /// `Fields` for an empty form; `TooMany` for a client with too many requests; `Provider` where
    /// no email is sent at all; `Busy`.
    pub fn ask_for_reset(
        &self,
        client: ClientIp,
        origin: Origin,
        browser: SeenBrowser<'_>,
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
        let [device, _] = browser.hashes();
        let sending = async move {
            if let Err(error) = accounts.send_links(&username, &origin, device.as_deref()).await {
                tracing::error!("a password link was not sent: {error}");
            }
            drop(place);
        };
        tokio::spawn(sending.in_current_span());
        Ok(())
    }

    /// Sends a link to each match: the username of one account may be the email address of
    /// another.
    async fn send_links(
        &self,
        username: &str,
        origin: &Origin,
        device: Option<&str>,
    ) -> Result<()> {
        let users =
            store::users::find_by_name(&mut *self.core.store.read().await?, username).await?;
        // An unconfirmed address may be mistyped and belong to a stranger.
        for user in users.into_iter().filter(|user| user.email_confirmed) {
            if let Some((token, permit)) = self.fresh_reset_token(&user, origin, device).await? {
                let letter = self.reset_letter(&user, &token);
                // The result is only logged: the requester must not learn it.
                let _ = self.notifications.send_counted_letter(permit, &letter).await;
            }
        }
        Ok(())
    }

    /// Creates a token, and counts its letter; `None` when too many were made within an hour, or a
    /// budget refuses the letter. Earlier ones stay good, or strangers' requests would end the
    /// owner's.
    async fn fresh_reset_token(
        &self,
        user: &User,
        origin: &Origin,
        device: Option<&str>,
    ) -> Result<Option<(String, MessagePermit)>> {
        let (token, now_ms) = (random_token(), self.core.clock.now_ms());
        let from_known = match device {
            None => false,
            Some(device) => {
                let mut conn = self.core.store.read().await?;
                store::known_devices::is_known(&mut conn, &user.user_id, device).await?
            }
        };
        let reset = PasswordReset {
            token_hash: sha256_hex(token.as_bytes()),
            created_ms: now_ms,
            expires_ms: now_ms + limits::RESET_MS_MAX,
            from_known,
        };
        let (user_id, email) = (user.user_id.clone(), user.email.clone());
        let event = SecurityEvent::new(&user_id, SecurityAct::ResetAsked, origin, now_ms);
        let planned = self.notifications.plan(MessageKind::ResetLetter, &user.email, &user_id);
        let write = self.core.store.write(move |conn| {
            Box::pin(async move {
                store::users::lock(conn, &user_id).await?;
                let since_ms = now_ms - limits::HOUR_MS;
                let count =
                    store::password_resets::made_since(conn, &user_id, from_known, since_ms)
                        .await?;
                if count >= limits::RESETS_AN_HOUR_MAX {
                    return Ok(None);
                }
                // The address may have changed since it was read.
                let now = store::users::find(conn, &user_id).await?;
                if now.is_none_or(|now| now.email != email || !now.email_confirmed) {
                    return Ok(None);
                }
                let Ok(permit) = planned.take(conn, now_ms).await? else { return Ok(None) };
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

    /// Sets the password, uses the link up, ends all sessions and links, and notifies the owner.
    /// Unless they are to be kept, the ways in end that are younger than the account's address: all
    /// such passkeys, as the password replaces them; and the rest as long as its letter is recent,
    /// so that a mailbox alone does not replace a code for good.
    ///
    /// # Errors
    /// `Fields` for a link that cannot be used, or a password that is not allowed.
    pub async fn reset_password(&self, origin: &Origin, raw: RawReset) -> Result<()> {
        let user_id = self.check_reset(&raw.token).await?;
        let owner = store::users::find(&mut *self.core.store.read().await?, &user_id).await?;
        let owner = owner.ok_or_else(not_valid)?;
        Error::check(new_password_problems(&raw.password, &raw.password_confirm, &owner))?;
        let keeps = !raw.keep.is_empty();
        let password_hash = self.passwords.hash(raw.password).await?;
        let (token_hash, now_ms) = (sha256_hex(raw.token.as_bytes()), self.core.clock.now_ms());
        let event = SecurityEvent::new(&user_id, SecurityAct::PasswordReset, origin, now_ms);
        let strangers = self.login_throttle.strangers(&user_id);
        let write = self.core.store.write(move |conn| {
            Box::pin(async move {
                store::users::lock(conn, &user_id).await?;
                if !store::password_resets::consume(conn, &user_id, &token_hash, now_ms).await? {
                    return Err(not_valid());
                }
                store::users::set_password(conn, &user_id, &password_hash).await?;
                store::sessions::end_all(conn, &user_id).await?;
                ways_in::end_links(conn, &user_id, now_ms).await?;
                for guesser in &strangers {
                    store::guesses::forget(conn, guesser).await?;
                }
                if !keeps {
                    let address = store::users::confirmed_since(conn, &user_id).await?;
                    let since = since_reset(address.email_ms.unwrap_or(now_ms), now_ms);
                    ways_in::end(conn, &user_id, since).await?;
                }
                store::security_events::add(conn, &event).await?;
                store::users::find(conn, &user_id).await
            })
        });
        let user = write.await?;
        let user = user.ok_or_else(|| Error::internal(anyhow::anyhow!("a link without owner")))?;
        self.tell_owners(&user, self.ways_in_letter(&user, now_ms)).await;
        Ok(())
    }

    /// The letter about a changed password, with the ways in that remain beside it.
    fn ways_in_letter(&self, after: &User, now_ms: i64) -> Letter {
        let letter = self.password_changed_letter(after, now_ms);
        let language = letter.language();
        let two_step = match after.two_step_ms {
            Some(_) => language.of_two("on", "चालू"),
            None => language.of_two("off", "बंद"),
        };
        let phone = match after.phone_confirmed {
            true => language.of_two("confirmed", "पुष्टि हो चुकी है"),
            false => language.of_two("not confirmed", "पुष्टि नहीं हुई"),
        };
        letter
            .fact("Passkeys that remain", "बाकी पासकी", after.passkeys.to_string())
            .fact("Two-step login", "दो चरणों वाला लॉग इन", two_step)
            .fact("Phone number", "फ़ोन नंबर", phone)
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

/// A change of the password ends the ways in that were added since.
fn since_change(user: &User, passkey_since_ms: Option<i64>, now_ms: i64) -> EndSince {
    let recent_ms = now_ms - limits::PROTEST_MS_MAX;
    match passkey_since_ms {
        // Without the passkey that was used itself.
        Some(passkey_ms) => EndSince::all(recent_ms.max(passkey_ms + 1)),
        None => EndSince {
            two_step_ms: i64::MAX,
            // Codes that came with two-step login are as old as the app whose code was typed.
            recovery_codes_ms: user.two_step_ms.map_or(i64::MAX, |ms| recent_ms.max(ms + 1)),
            ..EndSince::all(recent_ms)
        },
    }
}

/// A reset by the address that is the account's since then ends the ways in that were added since.
fn since_reset(address_ms: i64, now_ms: i64) -> EndSince {
    let recent_ms = address_ms.max(now_ms - limits::PROTEST_MS_MAX);
    EndSince { passkeys_ms: address_ms, ..EndSince::all(recent_ms) }
}

fn not_valid() -> Error {
    Error::field("token", NOT_VALID)
}
