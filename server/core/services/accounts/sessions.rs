//! Sessions: random tokens that expire, stored only as hashes.

use std::collections::HashMap;
use std::sync::{MutexGuard, PoisonError};

use super::Accounts;
use super::confirm_identity::Identity;
use super::login_throttle::Guess;
use super::new_device::note_device;
use crate::error::{Error, Result};
use crate::limits;
use crate::model::account::passkey::KeptPasskey;
use crate::model::account::security_event::{Origin, SecurityAct, SecurityEvent};
use crate::model::account::session::{
    CurrentUser, LoggedInAt, Profile, SessionLifetime, SessionPlace, TOKEN_CHARS,
};
use crate::model::account::user::User;
use crate::model::digest::sha256_hex;
use crate::random::random_token;
use crate::store::{self, Conn};

/// The reason that a session may start, checked again in its transaction.
pub(super) enum Proof {
    /// The hash of the password, which is the only proof required.
    Password(String),
    /// The hash of the challenge whose code was right. The challenge is used up.
    Challenge(String),
    /// A verified passkey; if it was the second step, the first step's challenge is used up.
    Passkey { proved: Box<Proved>, first_step: Option<String> },
}

impl Proof {
    pub async fn holds(&self, conn: &mut Conn, user_id: &str, now_ms: i64) -> Result<bool> {
        // After the address was taken back nobody logs in until a link has set a password.
        if store::users::has_password(conn, user_id, store::users::NO_PASSWORD).await? {
            return Ok(false);
        }
        match self {
            Proof::Challenge(hash) => {
                store::login_challenges::consume(conn, user_id, hash, now_ms).await
            }
            Proof::Passkey { proved, first_step } => {
                let (passkey, credential) = (&proved.passkey, &proved.credential);
                let first_holds = match first_step {
                    None => true,
                    Some(hash) => {
                        store::login_challenges::consume(conn, user_id, hash, now_ms).await?
                    }
                };
                Ok(first_holds
                    && store::passkeys::record_use(conn, passkey, credential, now_ms).await?)
            }
            Proof::Password(hash) => {
                let now = store::users::find(conn, user_id).await?;
                let is_enough = now.is_some_and(|now| now.two_step_ms.is_none());
                Ok(is_enough && store::users::has_password(conn, user_id, hash).await?)
            }
        }
    }
}

/// Locks the account's row. Fails if the session has ended since the request began: after an
/// account was taken back, none of its earlier sessions may add anything.
pub(super) async fn lock_session(conn: &mut Conn, user_id: &str, token_hash: &str) -> Result<()> {
    store::users::lock(conn, user_id).await?;
    match store::sessions::is_open(conn, user_id, token_hash).await? {
        true => Ok(()),
        false => Err(Error::LoggedOut("Unauthorized".into())),
    }
}

/// A verified passkey, and the credential to store from now on.
pub(super) struct Proved {
    pub passkey: KeptPasskey,
    pub credential: String,
}

impl Accounts {
    /// Starts a session for a proven identity; `None` when the proof is no longer valid. Beyond the
    /// limit the least recently used session ends. The flag is true if a letter must report the
    /// browser. The guess that was right ends with it.
    pub(super) async fn start_session(
        &self,
        user_id: &str,
        proof: Proof,
        origin: Origin,
        [device_hash, replaced_hash]: [Option<String>; 2],
        guess: Option<Guess>,
    ) -> Result<Option<(String, bool)>> {
        let token = random_token();
        let token_hash = sha256_hex(token.as_bytes());
        let user_id = user_id.to_owned();
        let created_ms = self.core.clock.now_ms();
        let life = SessionLifetime { created_ms, expires_ms: created_ms + limits::SESSION_MS_MAX };
        let write = self.core.store.write(move |conn| {
            Box::pin(async move {
                store::users::lock(conn, &user_id).await?;
                if let Some(guess) = guess {
                    guess.end_in(conn).await?;
                }
                if !proof.holds(conn, &user_id, created_ms).await? {
                    return Ok(None);
                }
                store::sessions::add(conn, &user_id, &token_hash, &origin.device, life).await?;
                if let Some(replaced) = &replaced_hash {
                    store::sessions::end(conn, replaced).await?;
                }
                store::sessions::end_oldest(conn, &user_id, limits::SESSIONS_MAX).await?;
                let hash = device_hash.as_deref();
                let is_new = note_device(conn, &user_id, hash, &origin, created_ms).await?;
                let act = SecurityAct::LoggedIn;
                let event = SecurityEvent::new(&user_id, act, &origin, created_ms);
                store::security_events::add(conn, &event).await?;
                if let Proof::Passkey { proved, .. } = &proof {
                    let act = SecurityAct::PasskeyLogin;
                    let event = SecurityEvent::new(&user_id, act, &origin, created_ms);
                    let event = event.with_subject(&proved.passkey.passkey_id);
                    store::security_events::add(conn, &event).await?;
                }
                Ok(Some((token, is_new)))
            })
        });
        let started = write.await;
        self.login_throttle.look_again();
        started
    }

    /// Returns the user of a token; `None` when it is unknown, expired or was idle too long.
    pub async fn current_user(&self, token: &str, origin: Origin) -> Result<Option<CurrentUser>> {
        if token.len() != TOKEN_CHARS {
            return Ok(None);
        }
        let now_ms = self.core.clock.now_ms();
        let token_hash = sha256_hex(token.as_bytes());
        let idle_since = now_ms - limits::SESSION_IDLE_MS_MAX;
        let seen_ms = self.last_seen().get(&token_hash).copied().unwrap_or(0);
        // Used recently, but the time is not in the database yet.
        let idle_since = if seen_ms > idle_since { 0 } else { idle_since };
        let mut conn = self.core.store.read().await?;
        let session = store::sessions::find(&mut conn, &token_hash, now_ms, idle_since).await?;
        drop(conn);
        let Some(session) = session else { return Ok(None) };
        if now_ms - session.last_seen_ms.max(seen_ms) > limits::SESSION_TOUCH_MS {
            let mut times = self.last_seen();
            if times.len() < limits::SESSIONS_NOTED_MAX || times.contains_key(&token_hash) {
                times.insert(token_hash.clone(), now_ms);
            }
        }
        Ok(Some(CurrentUser::new(session, token_hash, origin)))
    }

    /// Returns the times that are not in the database yet, by token hash.
    fn last_seen(&self) -> MutexGuard<'_, HashMap<String, i64>> {
        self.last_seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes the collected times; those that cannot be written are kept for a retry.
    pub async fn write_last_seen(&self) -> Result<()> {
        let times: Vec<(String, i64)> = self.last_seen().clone().into_iter().collect();
        for some in times.chunks(limits::SESSIONS_WRITTEN_AT_ONCE) {
            let some = some.to_vec();
            let written = some.clone();
            let write = self.core.store.write(move |conn| {
                Box::pin(async move { store::sessions::touch(conn, &some).await })
            });
            write.await?;
            let mut times = self.last_seen();
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
        let write = self.core.store.write(move |conn| {
            Box::pin(async move {
                store::sessions::end(conn, &token_hash).await?;
                store::security_events::add(conn, &event).await
            })
        });
        write.await
    }

    pub(super) fn event(&self, user: &CurrentUser, act: SecurityAct) -> SecurityEvent {
        SecurityEvent::new(user.id(), act, &user.origin, self.core.clock.now_ms())
    }

    /// Returns the user's sessions, this one first.
    pub async fn sessions(&self, user: &CurrentUser) -> Result<Vec<LoggedInAt>> {
        let now_ms = self.core.clock.now_ms();
        let idle_since = now_ms - limits::SESSION_IDLE_MS_MAX;
        let mut conn = self.core.store.read().await?;
        let places = store::sessions::list(&mut conn, user.id(), now_ms, idle_since).await?;
        let seen = self.last_seen();
        let at = |place: SessionPlace| LoggedInAt {
            id: place.token_hash[..ID_CHARS].to_owned(),
            device: place.device,
            created_at: place.created_ms,
            last_seen_at: place.last_seen_ms.max(seen.get(&place.token_hash).copied().unwrap_or(0)),
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
        let write = self.core.store.write(move |conn| {
            Box::pin(async move {
                let ended = store::sessions::end_one(conn, &user_id, &id).await?;
                if ended {
                    store::security_events::add(conn, &event).await?;
                }
                Ok(ended)
            })
        });
        let ended = write.await?;
        if ended { Ok(()) } else { Err(Error::NotFound("This session has ended already.".into())) }
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
        let write = self.core.store.write(move |conn| {
            Box::pin(async move {
                store::sessions::end_others(conn, &user_id, &token_hash).await?;
                store::security_events::add(conn, &event).await
            })
        });
        write.await
    }

    /// Returns the user with the balance of the wallet.
    pub async fn profile(&self, user: &User) -> Result<Profile> {
        let balance =
            store::ledger::available(&mut *self.core.store.read().await?, &user.user_id).await?;
        Ok(Profile::of(user, balance))
    }
}

/// Characters of a token's hash that identify its session.
const ID_CHARS: usize = 16;
