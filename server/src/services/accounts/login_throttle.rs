//! Wrong passwords, counted per account and per guesser.

use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::sync::Notify;

use crate::clock::Clock;
use crate::error::{Error, Result};
use crate::limits;
use crate::model::digest::sha256;

/// Slows down guessing without a long lock, which attackers could use against the owner.
///
/// After a few wrong passwords for one account each further attempt must wait, twice as long every
/// time up to a limit. An attempt counts as wrong from its start, so that concurrent attempts gain
/// nothing over sequential ones. Kept in memory, as hashes, and lost at a restart.
#[derive(Debug, Default)]
pub struct LoginThrottle {
    guessed: Mutex<HashMap<Key, Guessed>>,
    /// Notified when the result of an attempt is known.
    decided: Notify,
    waiting: AtomicUsize,
}

type Key = [u8; 32];

/// The origin of a password or code attempt. Each is counted separately, so that a stranger's
/// guesses block only strangers.
#[derive(Clone, Copy, Debug)]
pub enum Guesser<'a> {
    /// An unknown browser; by the id of the account, or a name that nobody has.
    Stranger(&'a str),
    /// A device on which the account was logged in before.
    Known { user_id: &'a str, device: &'a str },
    /// The holder of this live session.
    Session { token_hash: &'a str },
    /// A person who knew the password and types codes, identified as in `CodeAttempt::by`.
    Code { user_id: &'a str, by: &'a str },
}

impl Guesser<'_> {
    fn key(self) -> Key {
        match self {
            Guesser::Stranger(name) => sha256(&[b"name\0", name.to_lowercase().as_bytes()]),
            Guesser::Known { user_id, device } => {
                sha256(&[b"device\0", user_id.as_bytes(), b"\0", device.as_bytes()])
            }
            Guesser::Session { token_hash } => sha256(&[b"session\0", token_hash.as_bytes()]),
            Guesser::Code { user_id, by } => {
                sha256(&[b"code\0", user_id.as_bytes(), b"\0", by.as_bytes()])
            }
        }
    }

    fn too_many(self, wait_ms: i64) -> Error {
        let retry_after_s = wait_ms.unsigned_abs().div_ceil(1_000);
        let message = match self {
            Guesser::Code { .. } => {
                format!("Too many wrong codes. Please try again in {retry_after_s} s.")
            }
            _ => format!("Too many wrong passwords. Please try again in {retry_after_s} s."),
        };
        Error::TooMany { message: message.into(), retry_after_s }
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct Guessed {
    wrong: u32,
    /// Attempts whose result is not known yet.
    undecided: u32,
    last_ms: i64,
}

impl LoginThrottle {
    /// Returns the permission to try one password. Waits while attempts are undecided that may use
    /// up the allowance.
    ///
    /// # Errors
    /// `TooMany` while this guesser must wait, `Busy` when too many requests wait already.
    pub async fn begin(&self, guesser: Guesser<'_>, clock: &Clock) -> Result<Guess<'_>> {
        let key = guesser.key();
        let mut place = None;
        loop {
            let decided = self.decided.notified();
            let now_ms = clock.now_ms();
            if self.take(guesser, key, now_ms)? {
                return Ok(Guess { throttle: self, key, now_ms, is_right: Some(false) });
            }
            if place.is_none() {
                place = Some(QueuePosition::join(&self.waiting)?);
            }
            decided.await;
        }
    }

    /// Returns true if the attempt was counted, false while undecided attempts may exceed the
    /// limit.
    fn take(&self, guesser: Guesser<'_>, key: Key, now_ms: i64) -> Result<bool> {
        let mut all = self.guessed.lock().expect("no holder panics");
        if all.len() >= limits::GUESSED_USERNAMES_MAX && !all.contains_key(&key) {
            let is_recent = |it: &Guessed| now_ms - it.last_ms < limits::GUESS_DELAY_MS_MAX;
            all.retain(|_, it| it.undecided > 0 || is_recent(it));
            if all.len() >= limits::GUESSED_USERNAMES_MAX {
                return Err(busy());
            }
        }
        let guessed = all.entry(key).or_default();
        if guessed.wrong + guessed.undecided >= limits::GUESSES_FREE {
            if guessed.undecided > 0 {
                return Ok(false);
            }
            let delay_ms = delay_ms(guessed.wrong);
            // At most the delay itself, even if the clock was wrong earlier.
            let wait_ms = (guessed.last_ms + delay_ms - now_ms).min(delay_ms);
            if wait_ms > 0 {
                return Err(guesser.too_many(wait_ms));
            }
        }
        guessed.undecided += 1;
        Ok(true)
    }

    fn decide(&self, key: Key, now_ms: i64, is_right: Option<bool>) {
        let mut all = self.guessed.lock().expect("no holder panics");
        if let Some(guessed) = all.get_mut(&key) {
            guessed.undecided -= 1;
            match is_right {
                Some(true) => guessed.wrong = 0,
                None => {}
                Some(false) => {
                    guessed.wrong = guessed.wrong.saturating_add(1);
                    guessed.last_ms = now_ms;
                }
            }
            if guessed.wrong == 0 && guessed.undecided == 0 {
                all.remove(&key);
            }
        }
        drop(all);
        self.decided.notify_waiters();
    }

    /// Forgets the wrong passwords of this guesser.
    pub fn forgive(&self, guesser: Guesser<'_>) {
        let mut all = self.guessed.lock().expect("no holder panics");
        if let Some(guessed) = all.get_mut(&guesser.key()) {
            guessed.wrong = 0;
        }
    }
}

/// A password attempt in progress. It counts as wrong unless the caller reports another result.
#[derive(Debug)]
pub struct Guess<'a> {
    throttle: &'a LoginThrottle,
    key: Key,
    now_ms: i64,
    /// `None` if it was not checked.
    is_right: Option<bool>,
}

impl Guess<'_> {
    /// Reports the result of the check; `None` if it was not made.
    pub fn end(mut self, is_right: Option<bool>) {
        self.is_right = is_right;
    }
}

impl Drop for Guess<'_> {
    fn drop(&mut self) {
        self.throttle.decide(self.key, self.now_ms, self.is_right);
    }
}

/// A position in a queue for passwords, until dropped.
pub(super) struct QueuePosition<'a>(&'a AtomicUsize);

impl QueuePosition<'_> {
    /// Adds one to the count of waiting requests.
    ///
    /// # Errors
    /// `Busy` when too many wait already.
    pub fn join(count: &AtomicUsize) -> Result<QueuePosition<'_>> {
        let waiting = QueuePosition(count);
        match count.fetch_add(1, Ordering::Relaxed) < limits::PASSWORD_QUEUE_MAX {
            true => Ok(waiting),
            false => Err(busy()),
        }
    }
}

impl Drop for QueuePosition<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

fn busy() -> Error {
    Error::Busy("Many people are logging in. Please try again.".into())
}

fn delay_ms(wrong: u32) -> i64 {
    match wrong.checked_sub(limits::GUESSES_FREE) {
        None => 0,
        Some(over) => (1_000i64 << over.min(10)).min(limits::GUESS_DELAY_MS_MAX),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    const ASHA: Guesser<'static> = Guesser::Stranger("asha");

    async fn wrong(throttle: &LoginThrottle, guesser: Guesser<'_>, clock: &Clock) -> Result<()> {
        throttle.begin(guesser, clock).await.map(drop)
    }

    #[tokio::test]
    async fn guessing_gets_slower_and_a_right_password_ends_it() {
        let (throttle, clock) = (LoginThrottle::default(), Clock::default());
        for _ in 0..limits::GUESSES_FREE {
            wrong(&throttle, Guesser::Stranger("Asha"), &clock).await.unwrap();
        }
        let refused = wrong(&throttle, ASHA, &clock).await;
        assert!(matches!(refused, Err(Error::TooMany { .. })));
        wrong(&throttle, Guesser::Stranger("ravi"), &clock).await.unwrap();
        clock.advance_ms(2_000);
        wrong(&throttle, ASHA, &clock).await.unwrap();
        clock.advance_ms(1_000);
        assert!(wrong(&throttle, ASHA, &clock).await.is_err());
        clock.advance_ms(2_000);
        throttle.begin(ASHA, &clock).await.unwrap().end(Some(true));
        wrong(&throttle, ASHA, &clock).await.unwrap();
    }

    #[tokio::test]
    async fn tries_at_once_are_no_more_than_tries_one_after_the_other() {
        let (throttle, clock) = (LoginThrottle::default(), Clock::default());
        let mut guesses = Vec::new();
        for _ in 0..limits::GUESSES_FREE {
            guesses.push(throttle.begin(ASHA, &clock).await.unwrap());
        }
        let mut next = Box::pin(throttle.begin(ASHA, &clock));
        let soon = Duration::from_millis(20);
        assert!(tokio::time::timeout(soon, &mut next).await.is_err());
        // A right password frees all places, an unchecked one only its own.
        guesses.pop().unwrap().end(None);
        let sixth = next.await.unwrap();
        let mut next = Box::pin(throttle.begin(ASHA, &clock));
        drop((guesses, sixth));
        assert!(matches!((&mut next).await, Err(Error::TooMany { .. })));
    }

    #[tokio::test]
    async fn strangers_guesses_keep_out_strangers_only() {
        let (throttle, clock) = (LoginThrottle::default(), Clock::default());
        for _ in 0..limits::GUESSES_FREE {
            wrong(&throttle, ASHA, &clock).await.unwrap();
        }
        assert!(wrong(&throttle, ASHA, &clock).await.is_err());
        let (user_id, device) = ("asha", "phone");
        let customer = Guesser::Known { user_id, device };
        wrong(&throttle, customer, &clock).await.unwrap();
        let session = Guesser::Session { token_hash: "asha" };
        wrong(&throttle, session, &clock).await.unwrap();
        throttle.forgive(ASHA);
        wrong(&throttle, ASHA, &clock).await.unwrap();
    }
}
