//! Passkeys: customers add and remove them after confirming their identity, and use them at a login
//! and before a change. One counts as both steps: the customer has the device, and the device
//! verifies its user.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

use super::Accounts;
use super::confirm_identity::{Identity, lock_confirmed};
use super::new_device::token_hash;
use super::sessions::lock_session;
use crate::error::{Error, Result};
use crate::model::account::passkey::{
    KeptPasskey, PasskeyAsked, PasskeyPurpose, RawNewPasskey, RawPasskeyAnswer, TOO_LATE,
};
use crate::model::account::security_event::SecurityAct;
use crate::model::account::session::CurrentUser;
use crate::model::account::user::User;
use crate::model::digest::sha256_hex;
use crate::providers::passkeys::{HANDLE_BYTES, NotProved, PasskeyRequest, Passkeys};
use crate::random::{random_id, random_token};
use crate::services::customer_limits::Budget;
use crate::services::notifications::letter::{Letter, LetterText};
use crate::store;
use crate::store::passkey_challenges::PasskeyChallenge;
use crate::{failpoints, limits};

impl Accounts {
    /// Returns true if passkeys are supported: browsers create none for sites without a host name.
    pub fn has_passkeys(&self) -> bool {
        self.passkeys.is_some()
    }

    pub(super) fn authenticators(&self) -> Result<&Passkeys> {
        self.passkeys.as_ref().ok_or_else(|| Error::Conflict {
            code: "no_passkeys",
            message: "There are no passkeys at this address. Please use your password.".into(),
        })
    }

    /// Returns the customer's passkeys, oldest first.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn passkeys(&self, user: &CurrentUser) -> Result<Vec<KeptPasskey>> {
        let mut conn = self.core.store.read().await?;
        store::passkeys::list(&mut conn, user.id()).await
    }

    /// Creates a request to the customer's authenticator for a new passkey.
    ///
    /// # Errors
    /// `Fields` for an invalid name, a wrong password or code, `TooMany` after too many attempts;
    /// `Conflict` when the account has the maximum number of passkeys.
    pub async fn begin_passkey(
        &self,
        user: &CurrentUser,
        raw: &RawNewPasskey,
    ) -> Result<PasskeyAsked> {
        let authenticators = self.authenticators()?;
        let identity =
            Identity { password: &raw.current_password, code: &raw.code, passkey: &raw.passkey };
        let name = raw.parsed_name()?;
        refuse_more(user.user.passkeys)?;
        self.confirm_identity(user, identity, SecurityAct::PasskeyAdded).await?;
        let credential_ids = self.credential_ids(user.id()).await?;
        let handle = handle_of(user.id())?;
        let request = authenticators.begin_adding(handle, &user.user.username, &credential_ids);
        let session = user.token_hash();
        self.ask(PasskeyPurpose::Add, session, &name, request.map_err(internal_error)?).await
    }

    /// Stores the passkey that the authenticator made, and notifies the owner.
    ///
    /// # Errors
    /// `Fields` naming the passkey when it is not valid; `Conflict` when an account has it already.
    pub async fn add_passkey(&self, user: &CurrentUser, raw: &RawPasskeyAnswer) -> Result<()> {
        let authenticators = self.authenticators()?;
        let (name, state) =
            self.consume_challenge(PasskeyPurpose::Add, user.token_hash(), &raw.challenge).await?;
        let act = SecurityAct::PasskeyAdded;
        let fresh = match authenticators.finish_adding(&raw.credential, &state) {
            Ok(fresh) => fresh,
            Err(error @ NotProved::Ours(_)) => return Err(internal_error(error)),
            Err(_) => {
                self.note_refused(Some(&user.user), act, &user.origin).await;
                return Err(wrong_passkey());
            }
        };
        let now_ms = self.core.clock.now_ms();
        self.core.budgets.take(Budget::Letters, user.id(), now_ms)?;
        let letter = self.passkey_letter(&user.user, &ADDED);
        let passkey = KeptPasskey {
            passkey_id: random_id(),
            user_id: user.id().to_owned(),
            credential_id: fresh.credential_id,
            name,
            credential: fresh.credential,
            created_ms: now_ms,
            used_ms: None,
        };
        let event = self.event(user, act).with_subject(&passkey.passkey_id);
        let token_hash = user.token_hash().to_owned();
        failpoints::point("passkey", user.id()).await;
        let keep = self.core.store.write(move |conn| {
            Box::pin(async move {
                lock_session(conn, &passkey.user_id, &token_hash).await?;
                let now = store::users::find(conn, &passkey.user_id).await?;
                refuse_more(now.map_or(0, |now| now.passkeys))?;
                if !store::passkeys::add(conn, &passkey).await? {
                    return Err(not_now("This passkey is in use already."));
                }
                store::security_events::add(conn, &event).await
            })
        });
        keep.await?;
        self.tell_owners(&user.user, letter).await;
        Ok(())
    }

    /// Removes a passkey, which can no longer be used to log in. Notifies the owner.
    ///
    /// # Errors
    /// `Fields` for a wrong password or code, `TooMany` after too many attempts; `NotFound` when
    /// the customer has no such passkey.
    pub async fn remove_passkey(
        &self,
        user: &CurrentUser,
        identity: Identity<'_>,
        passkey_id: &str,
    ) -> Result<()> {
        let all = self.passkeys(user).await?;
        let passkey = all.into_iter().find(|passkey| passkey.passkey_id == passkey_id);
        let passkey = passkey.ok_or_else(no_such_passkey)?;
        let act = SecurityAct::PasskeyRemoved;
        let password_hash = self.confirm_identity(user, identity, act).await?;
        let (user_id, passkey_id) = (user.id().to_owned(), passkey.passkey_id);
        let event = self.event(user, act).with_subject(&passkey_id);
        let remove = self.core.store.write(move |conn| {
            Box::pin(async move {
                lock_confirmed(conn, &user_id, &password_hash).await?;
                if !store::passkeys::remove(conn, &user_id, &passkey_id).await? {
                    return Err(no_such_passkey());
                }
                store::security_events::add(conn, &event).await
            })
        });
        remove.await?;
        self.tell_owners(&user.user, self.passkey_letter(&user.user, &REMOVED)).await;
        Ok(())
    }

    pub(super) async fn credential_ids(&self, user_id: &str) -> Result<Vec<String>> {
        let mut conn = self.core.store.read().await?;
        let passkeys = store::passkeys::list(&mut conn, user_id).await?;
        Ok(passkeys.into_iter().map(|it| it.credential_id).collect())
    }

    /// Stores a challenge until its answer arrives.
    pub(super) async fn ask(
        &self,
        purpose: PasskeyPurpose,
        session_hash: &str,
        name: &str,
        request: PasskeyRequest,
    ) -> Result<PasskeyAsked> {
        let challenge = random_token();
        let fresh = PasskeyChallenge {
            token_hash: sha256_hex(challenge.as_bytes()),
            purpose,
            session_hash: session_hash.to_owned(),
            name: name.to_owned(),
            state: request.state,
            created_ms: self.core.clock.now_ms(),
        };
        let keep = self.core.store.write(move |conn| {
            Box::pin(async move { store::passkey_challenges::add(conn, &fresh).await })
        });
        match keep.await? {
            true => Ok(PasskeyAsked { challenge, options: request.options }),
            false => Err(Error::Busy(
                "Many people are logging in just now. Please try again in a minute.".into(),
            )),
        }
    }

    /// Returns the stored challenge of this token, which is valid for one answer.
    pub(super) async fn consume_challenge(
        &self,
        purpose: PasskeyPurpose,
        session_hash: &str,
        challenge: &str,
    ) -> Result<(String, String)> {
        let too_late = || match purpose {
            PasskeyPurpose::Login => Error::LoggedOut(TOO_LATE.into()),
            _ => Error::field("passkey", "That took too long. Please try again."),
        };
        let hash = token_hash(challenge).ok_or_else(too_late)?;
        let (session, now_ms) = (session_hash.to_owned(), self.core.clock.now_ms());
        let take = self.core.store.write(move |conn| {
            Box::pin(async move {
                store::passkey_challenges::consume(conn, &hash, purpose, &session, now_ms).await
            })
        });
        take.await?.ok_or_else(too_late)
    }

    fn passkey_letter(&self, user: &User, change: &LetterText) -> Letter {
        let (url, email) = (&self.core.public_url, &self.core.company.email);
        self.change_letter(user, change)
            .text(
                format!(
                    "If it was not you, choose another password at once, look at your passkeys, \
                     and write to {email}."
                ),
                format!(
                    "अगर यह आपने नहीं किया, तो तुरंत नया पासवर्ड चुनें, अपनी पासकी देखें और \
                     {email} पर लिखें।"
                ),
            )
            .choose_password(url)
            .link("Look at your passkeys", "अपनी पासकी देखें", format!("{url}/account/passkeys"))
    }
}

const ADDED: LetterText = LetterText {
    subject: (
        "A passkey was added to your Dakiya account",
        "आपके Dakiya खाते में एक पासकी \
         जोड़ी गई",
    ),
    text: (
        "It can log in without the password from now on.",
        "अब उससे बिना पासवर्ड के लॉग इन हो सकता है।",
    ),
};

const REMOVED: LetterText = LetterText {
    subject: (
        "A passkey was removed from your Dakiya account",
        "आपके Dakiya खाते से एक पासकी हटाई गई",
    ),
    text: ("Nobody can log in with it any more.", "अब उससे लॉग इन नहीं हो सकता।"),
};

/// Returns the handle by which authenticators identify an account: the bytes of its id, which
/// reveals nothing.
pub(super) fn handle_of(user_id: &str) -> Result<[u8; HANDLE_BYTES]> {
    let bytes = URL_SAFE_NO_PAD.decode(user_id).map_err(Error::internal)?;
    let bytes = bytes.try_into();
    bytes.map_err(|_| Error::internal(anyhow::anyhow!("an account's id has another length")))
}

pub(super) fn internal_error(error: NotProved) -> Error {
    Error::internal(anyhow::anyhow!("passkeys: {error}"))
}

pub(super) fn wrong_passkey() -> Error {
    Error::field("passkey", "The passkey was not right. Please try again.")
}

fn refuse_more(there: i64) -> Result<()> {
    match there < limits::PASSKEYS_MAX {
        true => Ok(()),
        false => Err(not_now("You have 10 passkeys. Please remove one first.")),
    }
}

fn not_now(message: &'static str) -> Error {
    Error::Conflict { code: "passkey_state", message: message.into() }
}

fn no_such_passkey() -> Error {
    Error::NotFound("You have no such passkey.".into())
}
