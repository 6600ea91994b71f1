//! Two-step login: switched on with an authenticator app, switched off, and recovery codes.

use super::Accounts;
use super::codes::{no_code, wrong_code};
use super::confirm_identity::{Identity, lock_confirmed};
use super::sessions::lock_session;
use crate::error::{Error, Result};
use crate::model::account::security_event::SecurityAct;
use crate::model::account::session::CurrentUser;
use crate::model::account::totp::{self, TotpSecret};
use crate::model::account::two_step::{AppSecret, RECOVERY_CODES, RecoveryCode, TypedCode};
use crate::model::account::user::User;
use crate::random::random_bytes;
use crate::services::customer_limits::Budget;
use crate::services::notifications::letter::{Letter, LetterText};
use crate::store::authenticators::{self, Authenticator};
use crate::{limits, store};

impl Accounts {
    /// Starts the set-up: returns a secret for an app, whose code proves that it was stored.
    ///
    /// # Errors
    /// `Fields` for a wrong password, `TooMany` after too many attempts; `Conflict` when it is on
    /// already.
    pub async fn begin_two_step(
        &self,
        user: &CurrentUser,
        identity: Identity<'_>,
    ) -> Result<AppSecret> {
        refuse_on(&user.user)?;
        let password_hash = self.confirm_identity(user, identity, SecurityAct::TwoStepOn).await?;
        let secret = random_bytes::<{ totp::SECRET_BYTES }>();
        let fresh = Authenticator {
            sealed_secret: self.seal_secret(user.id(), &secret)?,
            begun_ms: self.core.clock.now_ms(),
            begun_by: user.token_hash().to_owned(),
        };
        let user_id = user.id().to_owned();
        let begin = self.core.store.write(move |conn| {
            Box::pin(async move {
                lock_confirmed(conn, &user_id, &password_hash).await?;
                let now = store::users::find(conn, &user_id).await?;
                now.as_ref().map_or(Ok(()), refuse_on)?;
                authenticators::begin(conn, &user_id, &fresh).await
            })
        });
        begin.await?;
        app_secret(&secret, &user.user)
    }

    /// Returns the set-up that this session started; `None` when there is none or it has expired.
    pub async fn two_step_setup(&self, user: &CurrentUser) -> Result<Option<AppSecret>> {
        self.find_setup(user).await?.map(|(secret, _)| app_secret(&secret, &user.user)).transpose()
    }

    async fn find_setup(&self, user: &CurrentUser) -> Result<Option<(TotpSecret, String)>> {
        let mut conn = self.core.store.read().await?;
        let app = authenticators::find(&mut conn, user.id()).await?;
        drop(conn);
        let since_ms = self.core.clock.now_ms() - limits::TWO_STEP_SETUP_MS_MAX;
        let is_ours = |it: &Authenticator| {
            user.user.two_step_ms.is_none()
                && it.begun_by == user.token_hash()
                && it.begun_ms > since_ms
        };
        Ok(app.filter(is_ours).and_then(|app| {
            let secret = self.open_secret(user.id(), &app.sealed_secret)?;
            Some((secret, app.sealed_secret))
        }))
    }

    /// Switches it on with the first code of the app. Ends all other sessions, notifies the owner,
    /// and returns the recovery codes, which cannot be read again.
    ///
    /// # Errors
    /// `Fields` for a wrong code; `Conflict` when no set-up was started, or it is on already.
    pub async fn switch_two_step_on(&self, user: &CurrentUser, code: &str) -> Result<Vec<String>> {
        refuse_on(&user.user)?;
        let (secret, sealed) = self.find_setup(user).await?.ok_or_else(set_up_expired)?;
        let Some(TypedCode::Totp(code)) = TypedCode::parse(code) else { return Err(no_code()) };
        let now_ms = self.core.clock.now_ms();
        let step = totp::step_of(&secret, &code, now_ms).ok_or_else(wrong_code)?;
        self.core.budgets.take(Budget::Letters, user.id(), now_ms)?;
        let (codes, hashes) = self.fresh_recovery_codes().await?;
        let (user_id, token_hash) = (user.id().to_owned(), user.token_hash().to_owned());
        let event = self.event(user, SecurityAct::TwoStepOn);
        let on = self.core.store.write(move |conn| {
            Box::pin(async move {
                lock_session(conn, &user_id, &token_hash).await?;
                // Another tab may have restarted the set-up: only the newest secret counts.
                if !authenticators::use_step(conn, &user_id, &sealed, step).await?
                    || !authenticators::switch_on(conn, &user_id, now_ms).await?
                {
                    return Err(set_up_expired());
                }
                store::recovery_codes::replace(conn, &user_id, &hashes, now_ms).await?;
                store::sessions::end_others(conn, &user_id, &token_hash).await?;
                store::security_events::add(conn, &event).await
            })
        });
        on.await?;
        self.tell_owners(&user.user, self.two_step_letter(&user.user, &SWITCHED_ON)).await;
        Ok(codes)
    }

    /// Switches two-step login off. Ends all other sessions and notifies the owner.
    ///
    /// # Errors
    /// `Fields` for a wrong password or code, `TooMany` after too many attempts; `Conflict` when it
    /// is off.
    pub async fn switch_two_step_off(
        &self,
        user: &CurrentUser,
        identity: Identity<'_>,
    ) -> Result<()> {
        refuse_off(&user.user)?;
        let act = SecurityAct::TwoStepOff;
        let password_hash = self.confirm_identity(user, identity, act).await?;
        let (user_id, token_hash) = (user.id().to_owned(), user.token_hash().to_owned());
        let event = self.event(user, act);
        let off = self.core.store.write(move |conn| {
            Box::pin(async move {
                lock_confirmed(conn, &user_id, &password_hash).await?;
                if !authenticators::switch_off(conn, &user_id).await? {
                    return Err(is_off());
                }
                store::sessions::end_others(conn, &user_id, &token_hash).await?;
                store::security_events::add(conn, &event).await
            })
        });
        off.await?;
        self.tell_owners(&user.user, self.two_step_letter(&user.user, &SWITCHED_OFF)).await;
        Ok(())
    }

    /// Creates recovery codes that replace all earlier ones, and notifies the owner.
    ///
    /// # Errors
    /// `Fields` for a wrong password or code, `TooMany` after too many attempts; `Conflict` when it
    /// is off.
    pub async fn new_recovery_codes(
        &self,
        user: &CurrentUser,
        identity: Identity<'_>,
    ) -> Result<Vec<String>> {
        refuse_off(&user.user)?;
        let act = SecurityAct::RecoveryCodesMade;
        let password_hash = self.confirm_identity(user, identity, act).await?;
        let now_ms = self.core.clock.now_ms();
        self.core.budgets.take(Budget::Letters, user.id(), now_ms)?;
        let (codes, hashes) = self.fresh_recovery_codes().await?;
        let (user_id, event) = (user.id().to_owned(), self.event(user, act));
        let keep = self.core.store.write(move |conn| {
            Box::pin(async move {
                lock_confirmed(conn, &user_id, &password_hash).await?;
                let now = store::users::find(conn, &user_id).await?;
                now.as_ref().map_or(Ok(()), refuse_off)?;
                store::recovery_codes::replace(conn, &user_id, &hashes, now_ms).await?;
                store::security_events::add(conn, &event).await
            })
        });
        keep.await?;
        self.tell_owners(&user.user, self.two_step_letter(&user.user, &NEW_CODES)).await;
        Ok(codes)
    }

    /// Returns the logged-in user with the account as it is stored now.
    pub async fn reload_user(&self, mut user: CurrentUser) -> Result<CurrentUser> {
        let mut conn = self.core.store.read().await?;
        if let Some(now) = store::users::find(&mut conn, user.id()).await? {
            user.user = now;
        }
        Ok(user)
    }

    /// Returns the number of unused recovery codes.
    pub async fn recovery_codes_left(&self, user: &CurrentUser) -> Result<i64> {
        store::recovery_codes::count_unused(&mut *self.core.store.read().await?, user.id()).await
    }

    /// Returns new codes in readable form, and the id and hash of each.
    async fn fresh_recovery_codes(&self) -> Result<(Vec<String>, Vec<(String, String)>)> {
        let (mut shown, mut hashes) = (Vec::new(), Vec::new());
        for place in 0..RECOVERY_CODES {
            let code = RecoveryCode::new(place, random_bytes());
            let hash = self.passwords.hash(code.as_str().to_owned()).await?;
            hashes.push((code.place().to_owned(), hash));
            shown.push(code.in_groups());
        }
        Ok((shown, hashes))
    }

    fn two_step_letter(&self, user: &User, change: &LetterText) -> Letter {
        let (url, email) = (&self.core.public_url, &self.core.company.email);
        self.change_letter(user, change).if_not_you(url, email)
    }
}

const SWITCHED_ON: LetterText = LetterText {
    subject: (
        "Two-step login is on for your Dakiya account",
        "आपके Dakiya खाते में दो चरणों वाला लॉग इन चालू है",
    ),
    text: (
        "Two-step login was switched on: from now on a login asks for a code from your phone \
         besides the password. Keep your recovery codes in a safe place.",
        "दो चरणों वाला लॉग इन चालू किया गया: अब पासवर्ड के साथ आपके फ़ोन का कोड भी माँगा जाएगा। \
         अपने रिकवरी कोड सुरक्षित रखें।",
    ),
};

const SWITCHED_OFF: LetterText = LetterText {
    subject: (
        "Two-step login is off for your Dakiya account",
        "आपके Dakiya खाते में दो चरणों वाला लॉग इन बंद है",
    ),
    text: (
        "Two-step login was switched off: a login asks for the password alone.",
        "दो चरणों वाला लॉग इन बंद किया गया: अब केवल पासवर्ड माँगा जाएगा।",
    ),
};

const NEW_CODES: LetterText = LetterText {
    subject: ("New recovery codes for your Dakiya account", "आपके Dakiya खाते के नए रिकवरी कोड"),
    text: (
        "New recovery codes were made. The old codes no longer work.",
        "नए रिकवरी कोड बनाए गए, और पुराने अब काम नहीं करेंगे।",
    ),
};

fn app_secret(secret: &[u8], user: &User) -> Result<AppSecret> {
    let shown = AppSecret::new(secret, &user.username);
    shown.ok_or_else(|| Error::internal(anyhow::anyhow!("no QR code holds this name")))
}

fn refuse_on(user: &User) -> Result<()> {
    match user.two_step_ms {
        None => Ok(()),
        Some(_) => Err(not_now("Two-step login is on already.")),
    }
}

fn refuse_off(user: &User) -> Result<()> {
    if user.two_step_ms.is_some() { Ok(()) } else { Err(is_off()) }
}

fn is_off() -> Error {
    not_now("Two-step login is off.")
}

fn set_up_expired() -> Error {
    not_now("The set-up took too long. Please begin again.")
}

fn not_now(message: &'static str) -> Error {
    Error::Conflict { code: "two_step_state", message: message.into() }
}
