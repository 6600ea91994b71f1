//! Wrong passwords and codes, counted per account and per guesser, for all servers together.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use tokio::runtime::Handle;
use tokio::sync::Notify;
use tokio::time::timeout;

use crate::clock::Clock;
use crate::error::{Error, Result};
use crate::limits::{self, Allowed};
use crate::providers::vault::Signer;
use crate::services::rate_limiter::{pay, refuse};
use crate::store::guesses::{self, GuessResult, Guesses};
use crate::store::{Conn, Store};

/// Slows down guessing without a long lock, which attackers could use against the owner.
///
/// After a few wrong passwords for one account each further attempt must wait, twice as long every
/// time up to a limit. Codes have a budget of wrong ones besides. An attempt counts from its start,
/// so that concurrent attempts gain nothing over sequential ones, whichever servers they ask. Only
/// keyed hashes of guessers are stored.
#[derive(Debug)]
pub struct LoginThrottle {
    store: Store,
    signer: Signer,
    /// Notified when the result of an attempt is known.
    decided: Notify,
    waiting: AtomicUsize,
}

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

/// The reason why an attempt must not be made now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Refusal {
    /// Attempts are being checked that may use up the allowance.
    Undecided,
    /// The time since the last wrong one is too short: wait so long (milliseconds).
    TooSoon(i64),
    /// The budget is used up: wait so long (milliseconds).
    Spent(i64),
}

impl Guesser<'_> {
    fn text(self) -> String {
        match self {
            Guesser::Stranger(name) => format!("name\n{}", name.to_lowercase()),
            Guesser::Known { user_id, device } => format!("device\n{user_id}\n{device}"),
            Guesser::Session { token_hash } => format!("session\n{token_hash}"),
            Guesser::Code { user_id, by } => format!("code\n{user_id}\n{by}"),
        }
    }

    /// The budget of wrong guesses, if there is one.
    fn budget(self) -> Option<Allowed> {
        matches!(self, Guesser::Code { .. }).then_some(limits::WRONG_CODES)
    }

    fn too_soon(self, wait_ms: i64) -> Error {
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

impl LoginThrottle {
    pub fn new(store: Store, signer: Signer) -> LoginThrottle {
        LoginThrottle { store, signer, decided: Notify::new(), waiting: AtomicUsize::new(0) }
    }

    /// Returns the permission to try one password or code. Waits while attempts are undecided that
    /// may use up the allowance.
    ///
    /// # Errors
    /// `TooMany` while this guesser must wait, `Busy` when too many requests wait already,
    /// `Storage` when the attempt cannot be counted.
    pub async fn begin(self: &Arc<Self>, guesser: Guesser<'_>, clock: &Clock) -> Result<Guess> {
        let (key, budget) = (self.key(guesser), guesser.budget());
        let mut place = None;
        loop {
            let decided = self.decided.notified();
            let now_ms = clock.now_ms();
            let counted = match self.refusal(&key, budget, now_ms).await? {
                Some(refusal) => Err(refusal),
                None => self.count(&key, budget, now_ms).await?,
            };
            match counted {
                Ok(mut guess) => {
                    guess.note(GuessResult::Wrong);
                    return Ok(guess);
                }
                Err(Refusal::TooSoon(wait_ms)) => return Err(guesser.too_soon(wait_ms)),
                Err(Refusal::Spent(wait_ms)) => {
                    let sentence = "Too many wrong codes. Please try again in {wait}.";
                    return Err(refuse("wrong_codes", sentence, wait_ms));
                }
                Err(Refusal::Undecided) => {}
            }
            if place.is_none() {
                place = Some(QueuePosition::join(&self.waiting)?);
            }
            // Other servers' attempts notify nobody here.
            let patience = Duration::from_millis(limits::GUESS_LOOKS_AGAIN_MS);
            let _ = timeout(patience, decided).await;
        }
    }

    fn key(&self, guesser: Guesser<'_>) -> String {
        URL_SAFE_NO_PAD.encode(self.signer.sign(&guesser.text()))
    }

    /// Returns why an attempt must not be made now, if this needs no write: guesses that are
    /// refused must not keep the writes of others waiting.
    async fn refusal(
        &self,
        key: &str,
        budget: Option<Allowed>,
        now_ms: i64,
    ) -> Result<Option<Refusal>> {
        let mut conn = self.store.read().await?;
        let Some(before) = guesses::find(&mut conn, key).await? else { return Ok(None) };
        let mut after = before;
        let refusal = begin_one(&mut after, budget, now_ms).err();
        Ok(refusal.filter(|_| after == before))
    }

    /// Counts an attempt, if it may be made now. It is dropped, and so ends unchecked, if the
    /// caller has gone before the answer.
    async fn count(
        self: &Arc<Self>,
        key: &str,
        budget: Option<Allowed>,
        now_ms: i64,
    ) -> Result<std::result::Result<Guess, Refusal>> {
        let (throttle, key) = (self.clone(), key.to_owned());
        let write = self.store.write(move |conn| {
            Box::pin(async move {
                let refusal = count(conn, &key, budget, now_ms).await?;
                let cost_ms = budget.map_or(0, |allowed| allowed.pause_ms);
                Ok(match refusal {
                    Some(refusal) => Err(refusal),
                    None => Ok(Guess {
                        throttle,
                        key,
                        cost_ms,
                        result: GuessResult::Unchecked,
                        is_ended: false,
                    }),
                })
            })
        });
        write.await
    }

    async fn end(&self, key: String, result: GuessResult, back_ms: i64) -> Result<()> {
        let write = self.store.write(move |conn| {
            Box::pin(async move { guesses::end(conn, &key, result, back_ms).await })
        });
        write.await?;
        self.look_again();
        Ok(())
    }

    /// Lets attempts that wait look at the results again.
    pub fn look_again(&self) {
        self.decided.notify_waiters();
    }

    /// Returns the keys under which strangers guess the password and the codes of an account.
    pub fn strangers(&self, user_id: &str) -> [String; 2] {
        [Guesser::Stranger(user_id), Guesser::Code { user_id, by: "" }].map(|it| self.key(it))
    }
}

/// Counts an attempt of this guesser, if it may be made now.
async fn count(
    conn: &mut Conn,
    key: &str,
    budget: Option<Allowed>,
    now_ms: i64,
) -> Result<Option<Refusal>> {
    let mut first = Guesses::default();
    if let Err(refusal) = begin_one(&mut first, budget, now_ms) {
        return Ok(Some(refusal));
    }
    if guesses::add(conn, key, first).await? {
        return Ok(None);
    }
    // Removed meanwhile: it is looked at again.
    let Some(before) = guesses::lock(conn, key).await? else {
        return Ok(Some(Refusal::Undecided));
    };
    let mut after = before;
    let refusal = begin_one(&mut after, budget, now_ms).err();
    if after != before {
        guesses::set(conn, key, after).await?;
    }
    Ok(refusal)
}

/// Begins an attempt, if it may be made now. Times in the future were written by a clock that was
/// wrong: what they delay is counted from now.
fn begin_one(
    it: &mut Guesses,
    budget: Option<Allowed>,
    now_ms: i64,
) -> std::result::Result<(), Refusal> {
    it.last_ms = it.last_ms.min(now_ms);
    if now_ms - it.last_ms >= limits::GUESS_CHECKED_MS_MAX {
        it.wrong += it.undecided;
        it.undecided = 0;
    }
    let mut paid_ms = it.paid_ms;
    if let Some(allowed) = budget {
        let paid = pay(allowed, &mut paid_ms, now_ms);
        if let Err(wait_ms) = paid {
            it.paid_ms = paid_ms;
            return Err(Refusal::Spent(wait_ms));
        }
    }
    if it.wrong + it.undecided >= limits::GUESSES_FREE {
        if it.undecided > 0 {
            return Err(Refusal::Undecided);
        }
        let wait_ms = it.last_ms + delay_ms(it.wrong) - now_ms;
        if wait_ms > 0 {
            return Err(Refusal::TooSoon(wait_ms));
        }
    }
    *it = Guesses { undecided: it.undecided + 1, last_ms: now_ms, paid_ms, ..*it };
    Ok(())
}

/// A password or code attempt in progress. For its caller it is wrong until another result is
/// noted. If it is dropped, its result is written in the background.
#[derive(Debug)]
pub struct Guess {
    throttle: Arc<LoginThrottle>,
    key: String,
    /// Taken from the budget, and given back unless the attempt was wrong.
    cost_ms: i64,
    result: GuessResult,
    is_ended: bool,
}

impl Guess {
    /// Notes the result of the check.
    pub fn note(&mut self, result: GuessResult) {
        self.result = result;
    }

    /// Writes the noted result.
    pub async fn end(mut self) -> Result<()> {
        self.is_ended = true;
        self.throttle.end(self.key.clone(), self.result, self.back_ms()).await
    }

    /// Writes the noted result in a transaction that follows from it. `look_again` must be called
    /// after its commit.
    pub async fn end_in(mut self, conn: &mut Conn) -> Result<()> {
        self.is_ended = true;
        guesses::end(conn, &self.key, self.result, self.back_ms()).await
    }

    fn back_ms(&self) -> i64 {
        if self.result == GuessResult::Wrong { 0 } else { self.cost_ms }
    }
}

impl Drop for Guess {
    fn drop(&mut self) {
        let runtime = Handle::try_current();
        let (false, Ok(runtime)) = (self.is_ended, runtime) else { return };
        let (throttle, key) = (self.throttle.clone(), self.key.clone());
        let (result, back_ms) = (self.result, self.back_ms());
        runtime.spawn(async move {
            if let Err(error) = throttle.end(key, result, back_ms).await {
                tracing::error!("the result of a guess was not written: {error}");
            }
        });
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

fn delay_ms(wrong: i64) -> i64 {
    match wrong - limits::GUESSES_FREE {
        ..0 => 0,
        over => (1_000i64 << over.min(10)).min(limits::GUESS_DELAY_MS_MAX),
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt as _;
    use futures_util::future::BoxFuture;
    use tempfile::TempDir;
    use tokio::sync::oneshot;

    use super::*;
    use crate::model::settings::files_key::{FilesKey, KEY_BYTES};
    use crate::providers::vault::Keyring;

    const BUDGET: Option<Allowed> = Some(Allowed { at_once: 7, pause_ms: limits::HOUR_MS });

    /// A guesser whose free guesses were wrong, the last one at 0.
    fn warned() -> Guesses {
        Guesses { wrong: limits::GUESSES_FREE, ..Guesses::default() }
    }

    fn at(now_ms: i64, mut guesses: Guesses) -> std::result::Result<Guesses, Refusal> {
        begin_one(&mut guesses, None, now_ms).map(|()| guesses)
    }

    const ASHA: Guesser<'static> = Guesser::Stranger("asha");

    async fn throttle(folder: &TempDir) -> Arc<LoginThrottle> {
        let url = format!("sqlite://{}", folder.path().join("some.sqlite").display());
        let store = Store::connect(&url).await.expect("a database");
        let keys = Keyring::new(FilesKey::new([7; KEY_BYTES]).into());
        Arc::new(LoginThrottle::new(store, keys.signer("guessers")))
    }

    /// Begins a write that ends when the other value is used. Later writes wait for it.
    fn hold_writes(store: &Store) -> (BoxFuture<'_, Result<()>>, oneshot::Sender<()>) {
        let (go, wait) = oneshot::channel();
        let mut held = store
            .write(move |_| {
                Box::pin(async move {
                    let _ = wait.await;
                    Ok(())
                })
            })
            .boxed();
        assert!((&mut held).now_or_never().is_none());
        (held, go)
    }

    #[tokio::test]
    async fn an_attempt_whose_caller_has_gone_is_not_left_undecided() {
        let folder = TempDir::new().expect("a folder");
        let throttle = throttle(&folder).await;
        let key = throttle.key(ASHA);
        let (held, go) = hold_writes(&throttle.store);
        let decided = throttle.decided.notified();
        assert!(throttle.count(&key, None, 0).now_or_never().is_none());
        go.send(()).expect("it waits");
        held.await.expect("a write");
        timeout(Duration::from_secs(60), decided).await.expect("it ends");
        let mut conn = throttle.store.read().await.expect("a connection");
        let guesses = guesses::find(&mut conn, &key).await.expect("an answer");
        assert_eq!(guesses, Some(Guesses::default()));
    }

    #[tokio::test]
    async fn an_attempt_is_refused_without_a_write() {
        let folder = TempDir::new().expect("a folder");
        let (throttle, clock) = (throttle(&folder).await, Clock::default());
        let key = throttle.key(ASHA);
        let wrong = Guesses { wrong: 99, last_ms: clock.now_ms(), ..Guesses::default() };
        let write = throttle
            .store
            .write(move |conn| Box::pin(async move { guesses::add(conn, &key, wrong).await }));
        assert!(write.await.expect("a row"));
        let (held, go) = hold_writes(&throttle.store);
        let refused = throttle.begin(ASHA, &clock).await;
        assert!(matches!(refused, Err(Error::TooMany { .. })), "{refused:?}");
        go.send(()).expect("it still waits");
        held.await.expect("a write");
    }

    #[test]
    fn the_wait_begins_after_the_free_guesses_and_doubles_up_to_a_minute() {
        let few = Guesses { wrong: limits::GUESSES_FREE - 1, ..Guesses::default() };
        assert_eq!(at(0, few), Ok(Guesses { undecided: 1, ..few }));
        for (more, delay_ms) in [(0, 1_000), (1, 2_000), (5, 32_000), (6, 60_000), (99, 60_000)] {
            let guesses = Guesses { wrong: limits::GUESSES_FREE + more, ..Guesses::default() };
            assert_eq!(at(1, guesses), Err(Refusal::TooSoon(delay_ms - 1)));
            let begun = Guesses { undecided: 1, last_ms: delay_ms, ..guesses };
            assert_eq!(at(delay_ms, guesses), Ok(begun));
        }
    }

    #[test]
    fn undecided_guesses_are_waited_for_until_their_server_must_have_died() {
        let half = Guesses { wrong: 3, undecided: limits::GUESSES_FREE - 3, ..Guesses::default() };
        let long_ms = limits::GUESS_CHECKED_MS_MAX;
        assert_eq!(at(long_ms - 1, half), Err(Refusal::Undecided));
        let all_wrong = Guesses { undecided: 1, last_ms: long_ms, ..warned() };
        assert_eq!(at(long_ms, half), Ok(all_wrong));
        // One more was free, and is being checked: the next one waits for it.
        assert_eq!(at(long_ms, all_wrong), Err(Refusal::Undecided));
    }

    #[test]
    fn a_budget_is_spent_before_the_wait_is_looked_at_and_only_by_guesses_that_begin() {
        let mut guesses = Guesses::default();
        for number in 0..7 {
            let now_ms = number * limits::GUESS_DELAY_MS_MAX;
            begin_one(&mut guesses, BUDGET, now_ms).unwrap();
            guesses = Guesses { wrong: guesses.wrong + 1, undecided: 0, ..guesses };
            let paid_ms = guesses.paid_ms;
            if guesses.wrong == limits::GUESSES_FREE {
                assert_eq!(begin_one(&mut guesses, BUDGET, now_ms), Err(Refusal::TooSoon(1_000)));
            }
            assert_eq!(guesses.paid_ms, paid_ms);
        }
        let late_ms = limits::HOUR_MS - 1;
        assert_eq!(begin_one(&mut guesses, BUDGET, late_ms), Err(Refusal::Spent(1)));
        begin_one(&mut guesses, BUDGET, late_ms + 1).unwrap();
    }

    #[test]
    fn a_clock_that_was_a_year_ahead_keeps_nobody_out() {
        let year_ms = 365 * limits::DAY_MS;
        let mut guesses = Guesses { last_ms: year_ms, paid_ms: year_ms, ..warned() };
        assert_eq!(begin_one(&mut guesses, BUDGET, 5), Err(Refusal::Spent(limits::HOUR_MS)));
        assert_eq!(guesses.paid_ms, 5 + 7 * limits::HOUR_MS);
        assert_eq!(begin_one(&mut guesses, None, 9), Err(Refusal::TooSoon(996)));
        begin_one(&mut guesses, BUDGET, 5 + limits::HOUR_MS).unwrap();
    }
}
