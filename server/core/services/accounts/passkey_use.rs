//! Using a passkey: in place of password and code at a login, in place of the code after the
//! password, or to confirm a change of the account.

use super::Accounts;
use super::new_device::{SeenBrowser, token_hash};
use super::passkeys::{handle_of, internal_error, wrong_passkey};
use super::sessions::{Proof, Proved};
use crate::error::{Error, Result};
use crate::model::account::passkey::{
    KeptPasskey, PasskeyAsked, PasskeyPurpose, RawPasskeyAnswer, TOO_LATE,
};
use crate::model::account::security_event::{Origin, SecurityAct, SecurityEvent};
use crate::model::account::session::{CurrentUser, LoggedIn};
use crate::model::account::user::User;
use crate::model::input::nul::read_json;
use crate::providers::passkeys::{NotProved, Passkeys};
use crate::services::accounts::rate_limits::ClientIp;
use crate::services::customer_limits::Budget;
use crate::store;

/// The answer that a request expects, and from which account.
struct ExpectedAnswer<'a> {
    purpose: PasskeyPurpose,
    session_hash: &'a str,
    /// `None` at a login, where any passkey is accepted and identifies its account.
    owner: Option<&'a User>,
    origin: &'a Origin,
}

impl Accounts {
    /// Creates a login request for any passkey that the browser has for this site.
    ///
    /// # Errors
    /// `TooMany` after too many requests of this client, `Busy` while very many others log in.
    pub async fn begin_passkey_login(&self, client: ClientIp) -> Result<PasskeyAsked> {
        let authenticators = self.authenticators()?;
        let now_ms = self.core.clock.now_ms();
        self.rate_limits.passkey_logins.take(client, now_ms)?;
        let request = authenticators.begin_use(&[]).map_err(internal_error)?;
        self.ask(PasskeyPurpose::Login, "", "", request).await
    }

    /// Starts a session for the owner of the passkey that answered. As the second step of a login
    /// it must belong to that account: `first_step` is the token by which the browser identifies
    /// the first step.
    ///
    /// # Errors
    /// `LoggedOut` for an invalid answer, a late one, or another account's; `TooMany` after too
    /// many requests of this client.
    pub async fn log_in_with_passkey(
        &self,
        client: ClientIp,
        origin: &Origin,
        browser: SeenBrowser<'_>,
        first_step: Option<&str>,
        raw: &RawPasskeyAnswer,
    ) -> Result<LoggedIn> {
        let now_ms = self.core.clock.now_ms();
        self.rate_limits.logins.take(client, now_ms)?;
        let first = if raw.second_step { Some(self.first_step(first_step).await?) } else { None };
        let expected = ExpectedAnswer {
            purpose: PasskeyPurpose::Login,
            session_hash: "",
            owner: first.as_ref().map(|(_, user)| user),
            origin,
        };
        let proved = self.verify_answer(&expected, raw).await?;
        let user_id = proved.passkey.user_id.clone();
        let user = store::users::find(&mut *self.core.store.read().await?, &user_id).await?;
        let user = user.ok_or_else(login_refused)?;
        self.rate_limits.logins.give_back(&client);
        self.core.budgets.take(Budget::Logins, &user_id, now_ms)?;
        let proof =
            Proof::Passkey { proved: Box::new(proved), first_step: first.map(|(hash, _)| hash) };
        let hashes = browser.hashes();
        let session = self.start_session(&user_id, proof, origin.clone(), hashes, None);
        let (token, is_new) = session.await?.ok_or_else(login_refused)?;
        Ok(self.new_session(&user, token, is_new, origin))
    }

    /// Returns the login that waits for its second step, and its user.
    async fn first_step(&self, challenge: Option<&str>) -> Result<(String, User)> {
        let too_late = || Error::LoggedOut(TOO_LATE.into());
        let hash = challenge.and_then(token_hash).ok_or_else(too_late)?;
        let now_ms = self.core.clock.now_ms();
        let mut conn = self.core.store.read().await?;
        let owner = store::login_challenges::owner(&mut conn, &hash, now_ms).await?;
        let owner = owner.ok_or_else(too_late)?;
        let user = store::users::find(&mut conn, &owner).await?;
        Ok((hash, user.ok_or_else(too_late)?))
    }

    /// Creates a request to one of the customer's passkeys, to confirm a change.
    ///
    /// # Errors
    /// `Conflict` when the customer has no passkey.
    pub async fn begin_passkey_confirmation(&self, user: &CurrentUser) -> Result<PasskeyAsked> {
        let authenticators = self.authenticators()?;
        let credential_ids = self.credential_ids(user.id()).await?;
        if credential_ids.is_empty() {
            return Err(Error::Conflict {
                code: "passkey_state",
                message: "You have no passkey. Please use your password.".into(),
            });
        }
        let request = authenticators.begin_use(&credential_ids).map_err(internal_error)?;
        self.ask(PasskeyPurpose::Confirm, user.token_hash(), "", request).await
    }

    /// Verifies the customer's passkey answer from a form field. Returns when the passkey was
    /// added.
    ///
    /// # Errors
    /// `Fields` naming the passkey when the answer is not valid.
    pub(super) async fn confirm_with_passkey(
        &self,
        user: &CurrentUser,
        answer: &str,
    ) -> Result<i64> {
        let raw: RawPasskeyAnswer = read_json(answer).map_err(|_| wrong_passkey())?;
        let expected = ExpectedAnswer {
            purpose: PasskeyPurpose::Confirm,
            session_hash: user.token_hash(),
            owner: Some(&user.user),
            origin: &user.origin,
        };
        let Proved { passkey, credential } = self.verify_answer(&expected, &raw).await?;
        let (created_ms, now_ms) = (passkey.created_ms, self.core.clock.now_ms());
        let keep = self.core.store.write(move |conn| {
            Box::pin(async move {
                store::passkeys::record_use(conn, &passkey, &credential, now_ms).await
            })
        });
        if keep.await? { Ok(created_ms) } else { Err(wrong_passkey()) }
    }

    /// Returns the passkey that answered the request. An answer that proves nothing is recorded.
    async fn verify_answer(
        &self,
        expected: &ExpectedAnswer<'_>,
        raw: &RawPasskeyAnswer,
    ) -> Result<Proved> {
        let authenticators = self.authenticators()?;
        let (_, state) =
            self.consume_challenge(expected.purpose, expected.session_hash, &raw.challenge).await?;
        let passkey = self.find_passkey(expected, raw).await?;
        let Some(passkey) = passkey else {
            return Err(self.note_refused_passkey(expected, None, NotProved::Wrong).await);
        };
        match authenticators.finish_use(&raw.credential, &state, &passkey.credential) {
            Ok(credential) => Ok(Proved { passkey, credential }),
            Err(error @ NotProved::Ours(_)) => Err(internal_error(error)),
            Err(error) => Err(self.note_refused_passkey(expected, Some(&passkey), error).await),
        }
    }

    /// Returns the passkey named in an answer, if it belongs to the expected owner.
    async fn find_passkey(
        &self,
        expected: &ExpectedAnswer<'_>,
        raw: &RawPasskeyAnswer,
    ) -> Result<Option<KeptPasskey>> {
        let Ok(claim) = Passkeys::claimed_identity(&raw.credential) else { return Ok(None) };
        let mut conn = self.core.store.read().await?;
        let passkey = store::passkeys::by_credential(&mut conn, &claim.credential_id).await?;
        drop(conn);
        let Some(passkey) = passkey else { return Ok(None) };
        let is_owners = match (&claim.handle, expected.owner) {
            (Some(handle), _) => handle[..] == handle_of(&passkey.user_id)?,
            // The answer need not repeat the owner if the request named one.
            (None, owner) => owner.is_some(),
        };
        let is_expected = expected.owner.is_none_or(|owner| owner.user_id == passkey.user_id);
        Ok(Some(passkey).filter(|_| is_owners && is_expected))
    }

    async fn note_refused_passkey(
        &self,
        expected: &ExpectedAnswer<'_>,
        passkey: Option<&KeptPasskey>,
        error: NotProved,
    ) -> Error {
        let act = match (error, expected.purpose) {
            (NotProved::Copied, _) => SecurityAct::PasskeyCopied,
            (_, PasskeyPurpose::Login) => SecurityAct::PasskeyLogin,
            _ => SecurityAct::PasskeyConfirming,
        };
        let now_ms = self.core.clock.now_ms();
        let event = SecurityEvent::new("", act, expected.origin, now_ms).refused();
        let owner = expected.owner.map(|owner| owner.user_id.clone());
        let event = SecurityEvent {
            user_id: passkey.map(|passkey| passkey.user_id.clone()).or(owner),
            subject_id: passkey.map_or_else(String::new, |passkey| passkey.passkey_id.clone()),
            ..event
        };
        if let Err(error) = self.core.note(event).await {
            tracing::error!("a refused passkey was not recorded: {error}");
        }
        match expected.purpose {
            PasskeyPurpose::Login => login_refused(),
            _ => wrong_passkey(),
        }
    }
}

fn login_refused() -> Error {
    Error::LoggedOut("This passkey does not log in to Dakiya. Please use your password.".into())
}
