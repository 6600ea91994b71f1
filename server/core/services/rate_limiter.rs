//! A rate limiter: a burst, then one request per pause, counted per key.
//!
//! Kept in memory: a restart loses the counts, and each server counts separately. Wrong codes are
//! counted by the same rule in the database.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::Mutex;

use crate::error::{Error, Result};
use crate::limits::{self, Allowed};

/// A limit on one kind of request, counted per key.
#[derive(Debug)]
pub struct Pace<K> {
    /// Label in the metric of refusals.
    kind: &'static str,
    /// The message of a refusal, with `{wait}` in it.
    refusal: &'static str,
    /// `None` for no limit.
    allowed: Option<Allowed>,
    /// The time at which the whole burst is available again (UTC milliseconds).
    paid_ms: Mutex<HashMap<K, i64>>,
}

impl<K: Eq + Hash> Pace<K> {
    pub fn new(kind: &'static str, refusal: &'static str, allowed: Option<Allowed>) -> Pace<K> {
        Pace { kind, refusal, allowed, paid_ms: Mutex::default() }
    }

    /// Counts one request.
    ///
    /// # Errors
    /// `TooMany` when the request exceeds the limit.
    pub fn take(&self, key: K, now_ms: i64) -> Result<()> {
        let Some(allowed) = self.allowed else { return Ok(()) };
        let mut paid = self.paid_ms.lock().expect("no holder panics");
        if paid.len() >= limits::CLIENTS_MAX {
            paid.retain(|_, paid_ms| *paid_ms > now_ms);
        }
        if paid.len() >= limits::CLIENTS_MAX {
            // So many keys mean a distributed attack, which this cannot slow down.
            paid.clear();
        }
        let paid_ms = paid.entry(key).or_insert(now_ms);
        pay(allowed, paid_ms, now_ms).map_err(|over_ms| refuse(self.kind, self.refusal, over_ms))
    }

    /// Reverts the count of a request that should not count.
    pub fn give_back(&self, key: &K) {
        let Some(allowed) = self.allowed else { return };
        let mut paid = self.paid_ms.lock().expect("no holder panics");
        if let Some(paid_ms) = paid.get_mut(key) {
            *paid_ms -= allowed.pause_ms;
        }
    }
}

/// Counts one request, where `paid_ms` is the time at which the whole burst is available again.
///
/// # Errors
/// The wait, when the request exceeds the limit (milliseconds).
pub fn pay(allowed: Allowed, paid_ms: &mut i64, now_ms: i64) -> std::result::Result<(), i64> {
    // At most the full burst ahead, even if the clock was wrong earlier.
    let latest_ms = now_ms + allowed.at_once * allowed.pause_ms;
    *paid_ms = (*paid_ms).clamp(now_ms, latest_ms);
    let over_ms = *paid_ms + allowed.pause_ms - latest_ms;
    if over_ms > 0 {
        return Err(over_ms);
    }
    *paid_ms += allowed.pause_ms;
    Ok(())
}

/// Counts a request that must wait, and returns its error. The sentence has `{wait}` in it.
pub fn refuse(kind: &'static str, sentence: &str, wait_ms: i64) -> Error {
    note_refusal(kind);
    let retry_after_s = wait_ms.unsigned_abs().div_ceil(1_000);
    let message = sentence.replace("{wait}", &in_words(retry_after_s));
    Error::TooMany { message: message.into(), retry_after_s }
}

/// Counts a request refused by a rate limit of this kind.
pub fn note_refusal(kind: &'static str) {
    metrics::counter!("dakiya_refused_total", "kind" => kind).increment(1);
}

/// Formats a wait for customers.
pub fn in_words(seconds: u64) -> String {
    match seconds {
        ..=60 => format!("{seconds} s"),
        _ => format!("{} min", seconds.div_ceil(60)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pace() -> Pace<u32> {
        let allowed = Allowed { at_once: 3, pause_ms: 10_000 };
        Pace::new("test", "Too many tries. Please wait {wait}.", Some(allowed))
    }

    #[test]
    fn three_at_once_then_one_after_every_pause() {
        let pace = pace();
        for _ in 0..3 {
            pace.take(7, 0).unwrap();
        }
        assert!(matches!(pace.take(7, 4_000), Err(Error::TooMany { retry_after_s: 6, .. })));
        pace.take(8, 4_000).unwrap();
        pace.take(7, 10_000).unwrap();
        assert!(pace.take(7, 10_000).is_err());
        pace.give_back(&7);
        pace.take(7, 10_000).unwrap();
        for _ in 0..3 {
            pace.take(7, 1_000_000).unwrap();
        }
        assert!(pace.take(7, 1_000_000).is_err());
    }

    #[test]
    fn a_clock_that_was_a_year_ahead_keeps_nobody_out() {
        let pace = pace();
        pace.take(7, 365 * limits::DAY_MS).unwrap();
        assert!(pace.take(7, 0).is_err());
        pace.take(7, 10_000).unwrap();
    }

    #[test]
    fn what_is_remembered_is_bounded() {
        let pace = pace();
        for number in 0..=u32::try_from(limits::CLIENTS_MAX).unwrap() {
            pace.take(number, 0).unwrap();
        }
        assert_eq!(pace.paid_ms.lock().unwrap().len(), 1);
    }

    #[test]
    fn waits_are_told_in_seconds_or_minutes() {
        assert_eq!(in_words(60), "60 s");
        assert_eq!(in_words(61), "2 min");
    }

    #[test]
    fn without_limits_nothing_is_counted() {
        let pace = Pace::new("test", "", None);
        for _ in 0..1_000 {
            pace.take(7, 0).unwrap();
        }
        assert!(pace.paid_ms.lock().unwrap().is_empty());
    }
}
