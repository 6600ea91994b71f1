//! Logging in by a password and, with two-step login on, a code. The state between the two steps
//! is not a session, expires soon, and belongs to the browser of the first step.

use super::Accounts;
use super::codes::{CodeAttempt, no_code};
use super::login_throttle::{Guess, Guesser};
use super::new_device::{SeenBrowser, token_hash};
use super::passwords::Right;
use super::rate_limits::ClientIp;
use super::sessions::Proof;
use crate::error::{Error, FieldError, Result};
use crate::model::account::security_event::{Origin, SecurityAct, SecurityEvent};
use crate::model::account::session::{FirstStep, LoggedIn, RawLogin};
use crate::model::account::two_step::{TOO_LATE, TypedCode};
use crate::model::account::user::{Credentials, User};
use crate::model::digest::sha256_hex;
use crate::random::random_token;
use crate::services::customer_limits::Budget;
use crate::store::guesses::GuessResult;
use crate::{failpoints, limits, store};

/// A login by a password.
struct LoginAttempt<'a> {
    client: ClientIp,
    origin: &'a Origin,
    /// Of the browser, and of its earlier session.
    hashes: [Option<String>; 2],
    raw: &'a RawLogin,
}

impl Accounts {
    /// Checks the username or confirmed email address and the password. Starts a session, or
    /// requests a code if two-step login is on. A session in a browser new to the account is
    /// reported by email. The browser's previous session ends, as the browser loses its token.
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
        let login = LoginAttempt { client, origin, hashes: browser.hashes(), raw };
        let mut conn = self.core.store.read().await?;
        let owner = store::users::credentials(&mut conn, username).await?;
        let claimant = match username.contains('@') {
            true => store::users::claimant(&mut conn, username).await?,
            false => None,
        };
        drop(conn);
        if claimant.is_none() {
            return self.log_in_to(&login, owner).await;
        }
        // All is done twice in any case: the time of an answer must not tell that an address,
        // which a stranger chose as username, is a customer's.
        match self.log_in_to(&login, owner).await {
            Err(Error::LoggedOut(_)) => {}
            Err(Error::TooMany { .. }) => {
                self.passwords.verify(bounded(&raw.password), None).await?;
            }
            result => return result,
        }
        self.log_in_to(&login, claimant).await
    }

    /// Checks the password of one account; `None` for a name that nobody has.
    async fn log_in_to(
        &self,
        login: &LoginAttempt<'_>,
        account: Option<Credentials>,
    ) -> Result<FirstStep> {
        let LoginAttempt { client, origin, hashes, raw } = login;
        let is_known = self.is_known_device(account.as_ref(), hashes[0].as_deref()).await?;
        let guesser = match (&account, &hashes[0]) {
            (Some(account), Some(device)) if is_known => {
                Guesser::Known { user_id: &account.user.user_id, device }
            }
            // One count for all names of the account.
            (Some(account), _) => Guesser::Stranger(&account.user.user_id),
            (None, _) => Guesser::Stranger(raw.username.as_str()),
        };
        let right = self.verify_password(guesser, account.as_ref(), &raw.password);
        let (Some(account), Some((right, guess))) = (&account, right.await?) else {
            let act = SecurityAct::LoggedIn;
            self.note_refused(account.as_ref().map(|account| &account.user), act, origin).await;
            return Err(not_right());
        };
        self.rate_limits.logins.give_back(client);
        let (user_id, now_ms) = (&account.user.user_id, self.core.clock.now_ms());
        self.core.budgets.take(Budget::Logins, user_id, now_ms)?;
        failpoints::point("password", user_id).await;
        let step = match self.continue_login(account, origin, hashes, Some(guess)).await? {
            Some(step) => step,
            None => {
                let account = self.verify_again(user_id, &raw.password).await?;
                let step = self.continue_login(&account, origin, hashes, None).await?;
                step.ok_or_else(not_right)?
            }
        };
        if right.is_cheap {
            self.hash_again(account, raw.password.clone()).await?;
        }
        Ok(step)
    }

    /// Continues a login after a right password, whose guess it ends; `None` when the password was
    /// changed meanwhile.
    async fn continue_login(
        &self,
        account: &Credentials,
        origin: &Origin,
        hashes: &[Option<String>; 2],
        guess: Option<Guess>,
    ) -> Result<Option<FirstStep>> {
        let user = &account.user;
        if user.two_step_ms.is_some() {
            let token = self.ask_for_code(account, guess).await?;
            return Ok(token.map(|token| FirstStep::CodeWanted { token }));
        }
        let proof = Proof::Password(account.password_hash.clone());
        let (from, hashes) = (origin.clone(), hashes.clone());
        let session = self.start_session(&user.user_id, proof, from, hashes, guess);
        let Some((token, is_new)) = session.await? else { return Ok(None) };
        let logged_in = self.new_session(user, token, is_new, origin);
        Ok(Some(FirstStep::LoggedIn(Box::new(logged_in))))
    }

    /// Returns the new session, and sends the letter about a new browser.
    pub(super) fn new_session(
        &self,
        user: &User,
        token: String,
        is_new: bool,
        origin: &Origin,
    ) -> LoggedIn {
        if is_new {
            self.send_letter_to(
                user,
                self.new_device_letter(user, origin, self.core.clock.now_ms()),
            );
        }
        LoggedIn { token, user: user.clone() }
    }

    /// True if this browser was used with the account before.
    async fn is_known_device(
        &self,
        account: Option<&Credentials>,
        device_hash: Option<&str>,
    ) -> Result<bool> {
        let Some(hash) = device_hash else { return Ok(false) };
        // An unknown name makes the same query, so that it takes as long.
        let user_id = account.map_or("", |account| &account.user.user_id);
        let mut conn = self.core.store.read().await?;
        store::known_devices::is_known(&mut conn, user_id, hash).await
    }

    /// Returns `Some` if the password is that of this account, with the guess for the caller to
    /// end. Each wrong one delays the next attempt of this guesser.
    pub(super) async fn verify_password(
        &self,
        guesser: Guesser<'_>,
        account: Option<&Credentials>,
        password: &str,
    ) -> Result<Option<(Right, Guess)>> {
        self.passwords.require_room()?;
        let mut guess = self.login_throttle.begin(guesser, &self.core.clock).await?;
        let hash = account.map(|account| account.password_hash.clone());
        match self.passwords.verify(bounded(password), hash).await {
            Ok(Some(right)) => {
                guess.note(GuessResult::Right);
                Ok(Some((right, guess)))
            }
            Ok(None) => {
                guess.end().await?;
                Ok(None)
            }
            Err(error) => {
                guess.note(GuessResult::Unchecked);
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
        let event = SecurityEvent::new("", act, origin, now_ms).refused();
        let event = SecurityEvent { user_id: user.map(|user| user.user_id.clone()), ..event };
        if let Err(error) = self.core.note(event).await {
            tracing::error!("a refused login or change was not recorded: {error}");
        }
    }

    /// Checks again an account whose right password was changed meanwhile, or rehashed by another
    /// login.
    async fn verify_again(&self, user_id: &str, password: &str) -> Result<Credentials> {
        let mut conn = self.core.store.read().await?;
        let account = store::users::credentials_of(&mut conn, user_id).await?;
        drop(conn);
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
                store::users::lock(conn, &user_id).await?;
                if store::users::has_password(conn, &user_id, &cheap).await? {
                    store::users::set_password(conn, &user_id, &dear).await?;
                }
                Ok(())
            })
        });
        write.await
    }

    /// Stores a login that waits for its code, and returns its token; `None` when the password was
    /// changed meanwhile.
    async fn ask_for_code(
        &self,
        account: &Credentials,
        guess: Option<Guess>,
    ) -> Result<Option<String>> {
        let token = random_token();
        let (user_id, password) = (account.user.user_id.clone(), account.password_hash.clone());
        let (hash, now_ms) = (sha256_hex(token.as_bytes()), self.core.clock.now_ms());
        let expires_ms = now_ms + limits::LOGIN_CHALLENGE_MS_MAX;
        let write = self.core.store.write(move |conn| {
            Box::pin(async move {
                store::users::lock(conn, &user_id).await?;
                if let Some(guess) = guess {
                    guess.end_in(conn).await?;
                }
                let still = store::users::has_password(conn, &user_id, &password).await?;
                if still {
                    store::login_challenges::add(conn, &user_id, &hash, now_ms, expires_ms).await?;
                }
                Ok(still)
            })
        });
        let is_asked = write.await;
        self.login_throttle.look_again();
        Ok(is_asked?.then_some(token))
    }

    /// Checks the code and starts the session.
    ///
    /// # Errors
    /// `LoggedOut` when the first step has expired or was made by another browser; `Fields` for a
    /// wrong code; `TooMany` after too many attempts.
    pub async fn log_in_with_code(
        &self,
        client: ClientIp,
        origin: &Origin,
        browser: SeenBrowser<'_>,
        challenge: &str,
        code: &str,
    ) -> Result<LoggedIn> {
        if TypedCode::parse(code).is_none() {
            return Err(no_code());
        }
        let challenge_hash = token_hash(challenge).ok_or_else(too_late)?;
        let hashes = browser.hashes();
        let now_ms = self.core.clock.now_ms();
        let mut conn = self.core.store.read().await?;
        let owner = store::login_challenges::owner(&mut conn, &challenge_hash, now_ms).await?;
        let owner = owner.ok_or_else(too_late)?;
        let user = store::users::find(&mut conn, &owner).await?.ok_or_else(too_late)?;
        let device = hashes[0].clone().unwrap_or_default();
        let is_known = store::known_devices::is_known(&mut conn, &owner, &device).await?;
        drop(conn);
        self.rate_limits.logins.take(client, now_ms)?;
        let mut guess = None;
        // If it was switched off meanwhile, the right password is enough.
        if user.two_step_ms.is_some() {
            let attempt = CodeAttempt {
                user: &user,
                by: if is_known { &device } else { "" },
                code,
                act: SecurityAct::LoginCode,
                origin,
            };
            guess = Some(self.use_code(&attempt).await?);
        }
        self.rate_limits.logins.give_back(&client);
        let proof = Proof::Challenge(challenge_hash);
        let session = self.start_session(&user.user_id, proof, origin.clone(), hashes, guess);
        let (token, is_new) = session.await?.ok_or_else(too_late)?;
        Ok(self.new_session(&user, token, is_new, origin))
    }
}

/// Returns a password that can be compared: no account has a longer one.
fn bounded(password: &str) -> String {
    let is_long = password.len() > limits::PASSWORD_BYTES_MAX;
    if is_long { String::new() } else { password.to_owned() }
}

fn not_right() -> Error {
    Error::LoggedOut("Wrong username or password.".into())
}

fn too_late() -> Error {
    Error::LoggedOut(TOO_LATE.into())
}
