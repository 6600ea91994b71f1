//! Wrong passwords, counted for each username.

use std::collections::HashMap;
use std::sync::Mutex;

use crate::error::{Error, Result};
use crate::limits;

/// Slows down guessing without locking anybody out for long: a lock would be a weapon.
///
/// After a few wrong passwords for one username each further try must wait, twice as long every
/// time up to a limit. Kept in memory: a restart forgives.
#[derive(Debug, Default)]
pub struct LoginThrottle(Mutex<HashMap<String, WrongPasswords>>);

#[derive(Clone, Copy, Debug)]
struct WrongPasswords {
    wrong: u32,
    last_ms: i64,
}

impl LoginThrottle {
    /// `TooMany` while the username must wait.
    pub fn may_try(&self, username: &str, now_ms: i64) -> Result<()> {
        let throttle = self.0.lock().expect("no holder panics");
        let Some(guessed) = throttle.get(&username.to_lowercase()) else {
            return Ok(());
        };
        let wait_ms = guessed.last_ms + delay_ms(guessed.wrong) - now_ms;
        if wait_ms <= 0 {
            return Ok(());
        }
        let retry_after_s = u64::try_from(wait_ms).unwrap_or(0).div_ceil(1_000);
        let message = format!("Too many wrong passwords. Please try again in {retry_after_s} s.");
        Err(Error::TooMany {
            message: message.into(),
            retry_after_s,
        })
    }

    pub fn failed(&self, username: &str, now_ms: i64) {
        let mut throttle = self.0.lock().expect("no holder panics");
        if throttle.len() >= limits::GUESSED_USERNAMES_MAX {
            throttle.retain(|_, guessed| now_ms - guessed.last_ms < limits::GUESS_DELAY_MS_MAX);
        }
        let guessed = throttle
            .entry(username.to_lowercase())
            .or_insert(WrongPasswords {
                wrong: 0,
                last_ms: now_ms,
            });
        guessed.wrong = guessed.wrong.saturating_add(1);
        guessed.last_ms = now_ms;
    }

    pub fn succeeded(&self, username: &str) {
        self.0
            .lock()
            .expect("no holder panics")
            .remove(&username.to_lowercase());
    }
}

fn delay_ms(wrong: u32) -> i64 {
    match wrong.checked_sub(limits::GUESSES_FREE) {
        None => 0,
        Some(over) => (1_000i64 << over.min(10)).min(limits::GUESS_DELAY_MS_MAX),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn guessing_gets_slower_and_a_right_password_ends_it() {
        let throttle = LoginThrottle::default();
        for _ in 0..limits::GUESSES_FREE {
            throttle.may_try("asha", 0).unwrap();
            throttle.failed("Asha", 0);
        }
        assert!(matches!(
            throttle.may_try("asha", 0),
            Err(Error::TooMany { .. })
        ));
        throttle.may_try("asha", 2_000).unwrap();
        throttle.may_try("ravi", 0).unwrap();
        throttle.failed("asha", 2_000);
        assert!(throttle.may_try("asha", 3_000).is_err());
        throttle.succeeded("asha");
        throttle.may_try("asha", 3_000).unwrap();
    }
}
