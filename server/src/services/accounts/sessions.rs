//! Sessions: random tokens that expire, stored only as hashes.

use super::Accounts;
use super::confirm_identity::Identity;
use super::new_device::{SeenBrowser, must_be_told, token_hash};
use super::proof::Proof;
use crate::error::{Error, FieldError, Result};
use crate::model::account::security_event::{Origin, SecurityAct, SecurityEvent};
use crate::model::account::session::{
    CurrentUser, FirstStep, LoggedIn, LoggedInAt, Profile, RawLogin, SessionLifetime, SessionPlace,
    TOKEN_CHARS,
};
use crate::model::account::user::{Credentials, User};
use crate::model::digest::sha256_hex;
use crate::random::random_token;
use crate::services::accounts::login_throttle::Guesser;
use crate::services::accounts::passwords::Right;
use crate::services::accounts::rate_limits::ClientIp;
use crate::services::customer_limits::Budget;
use crate::{failpoints, limits, store};

impl Accounts {
    /// Checks the username or e-mail address and the password. Starts a session, or requests a code
    /// if two-step sign-in is on. A session in a browser new to the account is reported by e-mail.
    /// The browser's previous session ends, as the browser loses its token.
    ///
    /// # Errors
    /// `Fields` when one is empty; `LoggedOut` when they do not match, with the same message and
    /// timing for unknown users; `TooMany` after too many wrong guesses for this account, or from
    /// this client.
    pub async fn log_in(
        &self,
        client: ClientIp,
        origin: &Origin,
        browser: SeenBrowser<'_>,
        raw: &RawLogin,
    ) -> Result<FirstStep> {
        let username = raw.username.as_str();
        let mut wrong = Vec::new();
        if username.is_empty() {
            wrong.push(FieldError::new("username", "Please enter your username."));
        }
        if raw.password.is_empty() {
            wrong.push(FieldError::new("password", "Please enter your password."));
        }
        Error::check(wrong)?;
        self.rate_limits.logins.take(client, self.core.clock.now_ms())?;
        // No account has a name this long.
        if username.len() > limits::LOGIN_NAME_BYTES_MAX {
            return Err(not_right());
        }
        let hashes = [browser.device, browser.session].map(|token| token.and_then(token_hash));
        let (account, is_known) = self.account_at(username, hashes[0].as_deref()).await?;
        let guesser = match (&account, &hashes[0]) {
            (Some(account), Some(device)) if is_known => {
                Guesser::Known { user_id: &account.user.user_id, device }
            }
            // The account's username, also if it was found by its e-mail address.
            (Some(account), _) => Guesser::Stranger(&account.user.username),
            (None, _) => Guesser::Stranger(username),
        };
        let right = self.verified(guesser, account.as_ref(), &raw.password);
        let (Some(account), Some(right)) = (&account, right.await?) else {
            let act = SecurityAct::LoggedIn;
            let user = account.as_ref().map(|account| &account.user);
            self.note_refused(user, act, origin).await;
            return Err(not_right());
        };
        self.rate_limits.logins.give_back(&client);
        let (user_id, now_ms) = (&account.user.user_id, self.core.clock.now_ms());
        self.core.budgets.take(Budget::Logins, user_id, now_ms)?;
        failpoints::point("password", user_id).await;
        let step = match self.step_on(account, origin, &hashes).await? {
            Some(step) => step,
            None => {
                let account = self.known_still(username, &raw.password).await?;
                let step = self.step_on(&account, origin, &hashes).await?;
                step.ok_or_else(not_right)?
            }
        };
        if right.is_cheap {
            self.hash_again(account, raw.password.clone()).await?;
        }
        Ok(step)
    }

    /// Continues a login after a right password; `None` when the password was changed meanwhile.
    async fn step_on(
        &self,
        account: &Credentials,
        origin: &Origin,
        hashes: &[Option<String>; 2],
    ) -> Result<Option<FirstStep>> {
        let user = &account.user;
        if user.two_step_ms.is_some() {
            let token = self.ask_for_code(account).await?;
            return Ok(token.map(|token| FirstStep::CodeWanted { token }));
        }
        let proof = Proof::Password(account.password_hash.clone());
        let session = self.start_session(&user.user_id, proof, origin.clone(), hashes.clone());
        let Some((token, is_new)) = session.await? else {
            return Ok(None);
        };
        let logged_in = self.welcome(user, token, is_new, origin);
        Ok(Some(FirstStep::LoggedIn(Box::new(logged_in))))
    }

    /// Returns the new session, and sends the letter about a new browser.
    pub(super) fn welcome(
        &self,
        user: &User,
        token: String,
        is_new: bool,
        origin: &Origin,
    ) -> LoggedIn {
        if is_new {
            let letter = self.new_device_letter(user, origin, self.core.clock.now_ms());
            self.tell(user, letter);
        }
        LoggedIn { token, user: user.clone() }
    }

    /// Returns the account of this name, and true if this browser was used with it before.
    async fn account_at(
        &self,
        name: &str,
        device_hash: Option<&str>,
    ) -> Result<(Option<Credentials>, bool)> {
        let mut conn = self.core.store.read().await?;
        let account = store::users::credentials(&mut conn, name).await?;
        // An unknown name makes the same queries, so that it takes as long.
        let user_id = account.as_ref().map_or("", |account| &account.user.user_id);
        let is_known = match device_hash {
            Some(hash) => store::known_devices::is_known(&mut conn, user_id, hash).await?,
            None => false,
        };
        Ok((account, is_known))
    }

    /// Returns `Some` if the password is that of this account. Each wrong one delays the next
    /// attempt of this guesser.
    pub(super) async fn verified(
        &self,
        guesser: Guesser<'_>,
        account: Option<&Credentials>,
        password: &str,
    ) -> Result<Option<Right>> {
        let guess = self.login_throttle.begin(guesser, &self.core.clock).await?;
        let hash = account.map(|account| account.password_hash.clone());
        let too_long = password.len() > limits::PASSWORD_BYTES_MAX;
        let password = if too_long { "" } else { password };
        match self.passwords.verify(password.to_owned(), hash).await {
            Ok(None) => Ok(None),
            Ok(right) => {
                guess.right();
                Ok(right)
            }
            Err(error) => {
                guess.not_looked_at();
                Err(error)
            }
        }
    }

    /// Records a refusal, which stands even if this fails. An unknown name is not stored.
    pub(super) async fn note_refused(
        &self,
        user: Option<&User>,
        act: SecurityAct,
        origin: &Origin,
    ) {
        let now_ms = self.core.clock.now_ms();
        let event = SecurityEvent::done("", act, origin, now_ms).refused();
        let event = SecurityEvent { user_id: user.map(|user| user.user_id.clone()), ..event };
        if let Err(error) = self.note(event).await {
            tracing::error!("a refused login or change was not written down: {error}");
        }
    }

    /// Records an event that has no other change in its transaction.
    pub(super) async fn note(&self, event: SecurityEvent) -> Result<()> {
        let note = self.core.store.write(move |conn| {
            Box::pin(async move { store::security_events::add(conn, &event).await })
        });
        note.await
    }

    /// Checks again an account whose right password was changed meanwhile, or rehashed by another
    /// login.
    async fn known_still(&self, name: &str, password: &str) -> Result<Credentials> {
        let account = store::users::credentials(&mut *self.core.store.read().await?, name).await?;
        let hash = account.as_ref().map(|it| it.password_hash.clone());
        let right = self.passwords.verify(password.to_owned(), hash).await?;
        account.filter(|_| right.is_some()).ok_or_else(not_right)
    }

    /// Rehashes a right password at the current cost, unless it was changed meanwhile.
    async fn hash_again(&self, account: &Credentials, password: String) -> Result<()> {
        let dear = self.passwords.hash(password).await?;
        let (user_id, cheap) = (account.user.user_id.clone(), account.password_hash.clone());
        let write = self.core.store.write(move |conn| {
            Box::pin(async move {
                store::users::hold(conn, &user_id).await?;
                if store::users::has_password(conn, &user_id, &cheap).await? {
                    store::users::set_password(conn, &user_id, &dear).await?;
                }
                Ok(())
            })
        });
        write.await
    }

    /// Starts a session for a proven identity; `None` when the proof is no longer valid. Beyond the
    /// limit the least recently used session ends. The flag is true if a letter must report the
    /// browser.
    pub(super) async fn start_session(
        &self,
        user_id: &str,
        proof: Proof,
        origin: Origin,
        [device_hash, replaced_hash]: [Option<String>; 2],
    ) -> Result<Option<(String, bool)>> {
        let token = random_token();
        let token_hash = sha256_hex(token.as_bytes());
        let user_id = user_id.to_owned();
        let created_ms = self.core.clock.now_ms();
        let life = SessionLifetime { created_ms, expires_ms: created_ms + limits::SESSION_MS_MAX };
        self.core
            .store
            .write(move |conn| {
                Box::pin(async move {
                    store::users::hold(conn, &user_id).await?;
                    if !proof.holds(conn, &user_id, created_ms).await? {
                        return Ok(None);
                    }
                    store::sessions::add(conn, &user_id, &token_hash, &origin.device, life).await?;
                    if let Some(replaced) = &replaced_hash {
                        store::sessions::end(conn, replaced).await?;
                    }
                    store::sessions::end_oldest(conn, &user_id, limits::SESSIONS_MAX).await?;
                    let hash = device_hash.as_deref();
                    let is_new = must_be_told(conn, &user_id, hash, &origin, created_ms).await?;
                    let act = SecurityAct::LoggedIn;
                    let event = SecurityEvent::done(&user_id, act, &origin, created_ms);
                    store::security_events::add(conn, &event).await?;
                    if let Proof::Passkey { proved, .. } = &proof {
                        let act = SecurityAct::PasskeyLogin;
                        let event = SecurityEvent::done(&user_id, act, &origin, created_ms);
                        let event = event.about(&proved.passkey.passkey_id);
                        store::security_events::add(conn, &event).await?;
                    }
                    Ok(Some((token, is_new)))
                })
            })
            .await
    }

    /// Returns the user of a token; `None` when it is unknown, expired or was idle too long.
    pub async fn current_user(&self, token: &str, origin: Origin) -> Result<Option<CurrentUser>> {
        if token.len() != TOKEN_CHARS {
            return Ok(None);
        }
        let now_ms = self.core.clock.now_ms();
        let token_hash = sha256_hex(token.as_bytes());
        let idle_since = now_ms - limits::SESSION_IDLE_MS_MAX;
        let seen_ms = self.last_seen.of(&token_hash).unwrap_or(0);
        // Used recently, but the time is not in the database yet.
        let idle_since = if seen_ms > idle_since { 0 } else { idle_since };
        let mut conn = self.core.store.read().await?;
        let Some(session) =
            store::sessions::find(&mut conn, &token_hash, now_ms, idle_since).await?
        else {
            return Ok(None);
        };
        drop(conn);
        if now_ms - session.last_seen_ms.max(seen_ms) > limits::SESSION_TOUCH_MS {
            self.last_seen.note(&token_hash, now_ms);
        }
        Ok(Some(CurrentUser::new(session, token_hash, origin)))
    }

    /// Writes the collected times; those that cannot be written are kept for a retry.
    pub async fn write_last_seen(&self) -> Result<()> {
        let times: Vec<(String, i64)> = self.last_seen.open().clone().into_iter().collect();
        for some in times.chunks(limits::SESSIONS_WRITTEN_AT_ONCE) {
            let some = some.to_vec();
            let written = some.clone();
            self.core
                .store
                .write(move |conn| {
                    Box::pin(async move { store::sessions::touch(conn, &some).await })
                })
                .await?;
            let mut times = self.last_seen.open();
            for (token_hash, seen_ms) in &written {
                // Keep the entry if the session was used again during the write.
                if times.get(token_hash) == Some(seen_ms) {
                    times.remove(token_hash);
                }
            }
        }
        Ok(())
    }

    /// Ends this session at once.
    pub async fn log_out(&self, user: &CurrentUser) -> Result<()> {
        let token_hash = user.token_hash().to_owned();
        let event = self.event(user, SecurityAct::LoggedOut);
        self.core
            .store
            .write(move |conn| {
                Box::pin(async move {
                    store::sessions::end(conn, &token_hash).await?;
                    store::security_events::add(conn, &event).await
                })
            })
            .await
    }

    /// Returns an event for an act of a logged-in customer.
    pub(super) fn event(&self, user: &CurrentUser, act: SecurityAct) -> SecurityEvent {
        SecurityEvent::done(user.id(), act, &user.origin, self.core.clock.now_ms())
    }

    /// Returns the user's sessions, this one first.
    pub async fn sessions(&self, user: &CurrentUser) -> Result<Vec<LoggedInAt>> {
        let now_ms = self.core.clock.now_ms();
        let idle_since = now_ms - limits::SESSION_IDLE_MS_MAX;
        let mut conn = self.core.store.read().await?;
        let places = store::sessions::list(&mut conn, user.id(), now_ms, idle_since).await?;
        let at = |place: SessionPlace| LoggedInAt {
            id: place.token_hash[..ID_CHARS].to_owned(),
            device: place.device,
            created_at: place.created_ms,
            last_seen_at: place.last_seen_ms.max(self.last_seen.of(&place.token_hash).unwrap_or(0)),
            current: place.token_hash == user.token_hash(),
        };
        let mut all: Vec<LoggedInAt> = places.into_iter().map(at).collect();
        all.sort_by_key(|at| !at.current);
        Ok(all)
    }

    /// Ends one session of the user at once.
    ///
    /// # Errors
    /// `Fields` for a wrong password or code; `TooMany` after too many attempts; `NotFound` when
    /// the user has no such session.
    pub async fn end_session(
        &self,
        user: &CurrentUser,
        id: &str,
        identity: Identity<'_>,
    ) -> Result<()> {
        let act = SecurityAct::SessionEnded;
        self.confirm_identity(user, identity, act).await?;
        let (user_id, id) = (user.id().to_owned(), id.to_owned());
        let event = self.event(user, act);
        let ended = self
            .core
            .store
            .write(move |conn| {
                Box::pin(async move {
                    let ended = store::sessions::end_one(conn, &user_id, &id).await?;
                    if ended {
                        store::security_events::add(conn, &event).await?;
                    }
                    Ok(ended)
                })
            })
            .await?;
        match ended {
            true => Ok(()),
            false => Err(Error::NotFound("This session has ended already.".into())),
        }
    }

    /// Ends all sessions of the user except this one.
    ///
    /// # Errors
    /// `Fields` for a wrong password or code; `TooMany` after too many attempts.
    pub async fn end_other_sessions(
        &self,
        user: &CurrentUser,
        identity: Identity<'_>,
    ) -> Result<()> {
        let act = SecurityAct::OtherSessionsEnded;
        self.confirm_identity(user, identity, act).await?;
        let (user_id, token_hash) = (user.id().to_owned(), user.token_hash().to_owned());
        let event = self.event(user, act);
        self.core
            .store
            .write(move |conn| {
                Box::pin(async move {
                    store::sessions::end_others(conn, &user_id, &token_hash).await?;
                    store::security_events::add(conn, &event).await
                })
            })
            .await
    }

    /// Returns the user with the balance of the wallet.
    pub async fn profile(&self, user: &User) -> Result<Profile> {
        let balance =
            store::ledger::available(&mut *self.core.store.read().await?, &user.user_id).await?;
        Ok(Profile::of(user, balance))
    }
}

fn not_right() -> Error {
    Error::LoggedOut("The username or the password is not right.".into())
}

/// Characters of a token's hash that identify its session.
const ID_CHARS: usize = 16;
