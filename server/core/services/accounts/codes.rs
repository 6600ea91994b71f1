//! Codes of two-step login: they are checked, wrong ones are counted, and right ones used up.

use super::Accounts;
use crate::error::{Error, Result};
use crate::limits;
use crate::model::account::security_event::{Origin, SecurityAct, SecurityEvent};
use crate::model::account::totp::{self, TotpSecret};
use crate::model::account::two_step::{RecoveryCode, TypedCode};
use crate::model::account::user::User;
use crate::services::accounts::login_throttle::{Guess, Guesser};
use crate::services::accounts::new_device::{from_where, india};
use crate::services::notifications::letter::Letter;
use crate::store;
use crate::store::guesses::GuessResult;

pub(super) struct CodeAttempt<'a> {
    pub user: &'a User,
    /// The sender's key for counting attempts: the hash of a browser used with the account before,
    /// or of a session; empty for an unknown sender.
    pub by: &'a str,
    pub code: &'a str,
    /// The event recorded when the code is wrong.
    pub act: SecurityAct,
    pub origin: &'a Origin,
}

impl Accounts {
    /// Uses up one of the account's codes: from the app, or a recovery code. The use of a recovery
    /// code is reported to the owner. Returns the guess, which was right, for the caller to end.
    ///
    /// # Errors
    /// `Fields` naming the code when it is malformed, wrong or already used; `TooMany` after too
    /// many wrong ones.
    pub(super) async fn use_code(&self, attempt: &CodeAttempt<'_>) -> Result<Guess> {
        let Some(typed_code) = TypedCode::parse(attempt.code) else { return Err(no_code()) };
        let guesser = Guesser::Code { user_id: &attempt.user.user_id, by: attempt.by };
        let mut guess = self.login_throttle.begin(guesser, &self.core.clock).await?;
        let used = match &typed_code {
            TypedCode::Totp(code) => self.use_totp(attempt.user, code).await,
            TypedCode::Recovery(code) => self.use_recovery_code(attempt, code).await,
        };
        match used {
            Ok(true) => {
                guess.note(GuessResult::Right);
                Ok(guess)
            }
            Ok(false) => {
                guess.end().await?;
                self.note_wrong_code(attempt).await;
                Err(wrong_code())
            }
            Err(error) => {
                guess.note(GuessResult::Unchecked);
                Err(error)
            }
        }
    }

    /// Tries twice, because the secret may be resealed under another key at the same time.
    async fn use_totp(&self, user: &User, code: &str) -> Result<bool> {
        for _ in 0..2 {
            let mut conn = self.core.store.read().await?;
            let app = store::authenticators::find(&mut conn, &user.user_id).await?;
            drop(conn);
            let Some(app) = app else { return Ok(false) };
            let secret = self.open_secret(&user.user_id, &app.sealed_secret);
            let now_ms = self.core.clock.now_ms();
            let step = secret.and_then(|secret| totp::step_of(&secret, code, now_ms));
            let Some(step) = step else { return Ok(false) };
            let user_id = user.user_id.clone();
            let used = self.core.store.write(move |conn| {
                Box::pin(async move {
                    let sealed = &app.sealed_secret;
                    let used =
                        store::authenticators::use_step(conn, &user_id, sealed, step).await?;
                    let now = store::authenticators::find(conn, &user_id).await?;
                    Ok((used, now.is_some_and(|now| now.sealed_secret != *sealed)))
                })
            });
            match used.await? {
                (false, true) => {}
                (used, _) => return Ok(used),
            }
        }
        Ok(false)
    }

    /// Returns the secret of an app; `None` when it cannot be opened, as after a change of the key.
    pub(super) fn open_secret(&self, user_id: &str, sealed: &str) -> Option<TotpSecret> {
        let opened = self.vault.open_text(&place(user_id), sealed);
        let opened =
            opened.inspect_err(|error| tracing::error!("an app's secret was not opened: {error}"));
        totp::from_base32(&opened.ok()?)
    }

    pub(super) fn seal_secret(&self, user_id: &str, secret: &TotpSecret) -> Result<String> {
        let sealed = self.vault.seal_text(&place(user_id), &totp::in_base32(secret));
        sealed.map_err(Error::internal)
    }

    async fn use_recovery_code(
        &self,
        attempt: &CodeAttempt<'_>,
        code: &RecoveryCode,
    ) -> Result<bool> {
        let user_id = attempt.user.user_id.clone();
        let mut conn = self.core.store.read().await?;
        let hash = store::recovery_codes::unused_hash(&mut conn, &user_id, code.place()).await?;
        drop(conn);
        let text = code.as_str().to_owned();
        let right = self.passwords.verify(text, hash.clone()).await?;
        let (Some(_), Some(hash)) = (right, hash) else { return Ok(false) };
        let now_ms = self.core.clock.now_ms();
        let act = SecurityAct::RecoveryCodeUsed;
        let event = SecurityEvent::new(&user_id, act, attempt.origin, now_ms);
        let used = self.core.store.write(move |conn| {
            Box::pin(async move {
                if !store::recovery_codes::use_up(conn, &user_id, &hash, now_ms).await? {
                    return Ok(None);
                }
                store::security_events::add(conn, &event).await?;
                store::recovery_codes::count_unused(conn, &user_id).await.map(Some)
            })
        });
        let Some(remaining) = used.await? else { return Ok(false) };
        let letter = self.recovery_code_letter(attempt.user, remaining, now_ms);
        self.tell_owners(attempt.user, letter).await;
        Ok(true)
    }

    /// Records a wrong code. A person at this step of a login knew the password, so after several
    /// wrong codes the owner is notified, once a day.
    async fn note_wrong_code(&self, attempt: &CodeAttempt<'_>) {
        let CodeAttempt { user, act, .. } = *attempt;
        self.note_refused(Some(user), act, attempt.origin).await;
        if act != SecurityAct::LoginCode {
            return;
        }
        match self.must_tell_of_codes(attempt).await {
            Ok(false) => {}
            Ok(true) => self.send_letter_to(user, self.wrong_codes_letter(user, attempt.origin)),
            Err(error) => tracing::error!("a letter about wrong codes was not sent: {error}"),
        }
    }

    async fn must_tell_of_codes(&self, attempt: &CodeAttempt<'_>) -> Result<bool> {
        let (user_id, now_ms) = (attempt.user.user_id.clone(), self.core.clock.now_ms());
        let (act, letter) = (SecurityAct::LoginCode, SecurityAct::WrongCodesTold);
        let event = SecurityEvent::new(&user_id, letter, attempt.origin, now_ms);
        let must = self.core.store.write(move |conn| {
            Box::pin(async move {
                store::users::lock(conn, &user_id).await?;
                let (hour, day) = (now_ms - limits::HOUR_MS, now_ms - limits::DAY_MS);
                let wrong = store::security_events::refused_since(conn, &user_id, act, hour);
                if wrong.await? < limits::WRONG_CODES_TOLD
                    || store::security_events::done_since(conn, &user_id, letter, day).await? > 0
                {
                    return Ok(false);
                }
                store::security_events::add(conn, &event).await?;
                Ok(true)
            })
        });
        must.await
    }

    fn recovery_code_letter(&self, user: &User, remaining: i64, now_ms: i64) -> Letter {
        let (username, when) = (&user.username, india(now_ms));
        let (url, email) = (&self.core.public_url, &self.core.company.email);
        Letter::new(
            user,
            "A recovery code of your Dakiya account was used",
            "आपके Dakiya खाते का एक रिकवरी कोड इस्तेमाल हुआ",
        )
        .text(
            format!(
                "A recovery code of your Dakiya account {username} was used on {when}. \
                 {remaining} of your recovery codes are left."
            ),
            format!(
                "आपके Dakiya खाते {username} का एक रिकवरी कोड {when} को इस्तेमाल हुआ है। \
                 {remaining} कोड बचे हैं।"
            ),
        )
        .link("Make new recovery codes", "नए रिकवरी कोड बनाएँ", format!("{url}/account/two-step"))
        .if_not_you(url, email)
    }

    fn wrong_codes_letter(&self, user: &User, origin: &Origin) -> Letter {
        let (username, url) = (&user.username, &self.core.public_url);
        let email = &self.core.company.email;
        let letter = Letter::new(
            user,
            "Someone knows your Dakiya password",
            "कोई आपका Dakiya पासवर्ड जानता है",
        )
        .text(
            format!(
                "Someone tried to log in to your Dakiya account {username}, gave the right \
                 password, and several wrong codes. The login was refused."
            ),
            format!(
                "किसी ने आपके Dakiya खाते {username} में सही पासवर्ड लिखा, पर कई बार गलत कोड। किसी \
                 को अंदर नहीं आने दिया गया।"
            ),
        );
        from_where(letter, origin)
            .text(
                format!(
                    "If it was not you, someone knows your password. Choose another at once, and \
                     write to {email}."
                ),
                format!(
                    "अगर यह आप नहीं थे, तो कोई आपका पासवर्ड जानता है। तुरंत नया पासवर्ड चुनें और \
                     {email} पर लिखें।"
                ),
            )
            .choose_password(url)
    }
}

/// Returns the context under which an account's secret is sealed.
pub(in crate::services) fn place(user_id: &str) -> String {
    format!("authenticator of {user_id}")
}

pub(super) fn no_code() -> Error {
    Error::field("code", "Please enter the 6 digits of your app, or a recovery code.")
}

pub(super) fn wrong_code() -> Error {
    Error::field("code", "This code is not right, or was used already. Wait for the next one.")
}
