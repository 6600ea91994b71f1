//! Batches of bookings of different customers. The books accept one transaction after another;
//! bookings that arrive during a write wait here, and then share one transaction.

use std::collections::{HashSet, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use tokio::sync::oneshot;
use tokio::time::{Instant, sleep_until};

use super::Bookings;
use super::charge::{Placed, Prepared};
use crate::error::{Error, Result};
use crate::{failpoints, limits};

/// The queue of bookings, in the order of arrival.
#[derive(Debug, Default)]
pub(super) struct Gathered {
    waiting: Mutex<VecDeque<QueuedBooking>>,
    /// Held while committing a batch: one committer at a time.
    turn: tokio::sync::Mutex<()>,
}

#[derive(Debug)]
struct QueuedBooking {
    prepared: Prepared,
    answer: oneshot::Sender<Result<Placed>>,
}

impl QueuedBooking {
    /// Sends the result; the receiver may have been dropped.
    fn answer(self, placed: Result<Placed>) {
        let _ = self.answer.send(placed);
    }
}

impl Gathered {
    fn waiting(&self) -> MutexGuard<'_, VecDeque<QueuedBooking>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn push(&self, prepared: Prepared) -> Result<oneshot::Receiver<Result<Placed>>> {
        let mut waiting = self.waiting();
        if waiting.len() >= limits::WRITES_WAITING_MAX {
            return Err(Error::busy());
        }
        let (answer, answered) = oneshot::channel();
        waiting.push_back(QueuedBooking { prepared, answer });
        Ok(answered)
    }

    /// Removes a queued booking; `false` if a committer has already taken it.
    fn withdraw(&self, booking_id: &str) -> bool {
        let mut waiting = self.waiting();
        let is_it = |one: &QueuedBooking| one.prepared.held.booking.booking_id == booking_id;
        let at = waiting.iter().position(is_it);
        at.and_then(|at| waiting.remove(at)).is_some()
    }

    /// Takes the oldest bookings, one per customer. The batch size is a power of two, so that a
    /// database prepares few statements. Rows are locked in the order of customers, which prevents
    /// deadlocks with other servers' batches.
    fn take(&self) -> Vec<QueuedBooking> {
        let mut waiting = self.waiting();
        let mut customers = HashSet::new();
        let (mut group, mut others) = (Vec::new(), VecDeque::new());
        for one in waiting.drain(..) {
            let is_full = group.len() == limits::BOOKINGS_TOGETHER_MAX;
            match !is_full && customers.insert(one.prepared.user_id().to_owned()) {
                true => group.push(one),
                false => others.push_back(one),
            }
        }
        let count = group.len().checked_ilog2().map_or(0, |power| 1 << power);
        for one in group.drain(count..).rev() {
            others.push_front(one);
        }
        *waiting = others;
        group.sort_by(|one, other| one.prepared.user_id().cmp(other.prepared.user_id()));
        group
    }
}

impl Bookings {
    /// Makes a booking with our own courier, alone or in a batch with others.
    ///
    /// # Errors
    /// As for a single booking; `Busy` when the queue does not reach it in time.
    pub(super) async fn book_together(&self, prepared: Prepared) -> Result<Placed> {
        let booking_id = prepared.held.booking.booking_id.clone();
        let mut answered = self.gathered.push(prepared)?;
        let until = Instant::now() + Duration::from_millis(limits::DATABASE_WAIT_MS_MAX);
        loop {
            tokio::select! {
                biased;
                answer = &mut answered => return answer.unwrap_or_else(|_| Err(cut_off())),
                _turn = self.gathered.turn.lock() => {
                    let group = self.gathered.take();
                    if group.is_empty() {
                        // Another committer took this booking.
                        break;
                    }
                    self.book_group(group).await;
                }
                () = sleep_until(until) => match self.gathered.withdraw(&booking_id) {
                    true => return Err(Error::busy()),
                    false => break,
                },
            }
        }
        answered.await.unwrap_or_else(|_| Err(cut_off()))
    }

    /// Makes bookings in one transaction, and sends each result. If the batch fails, it is split
    /// into halves, down to the booking that is refused.
    fn book_group(&self, mut group: Vec<QueuedBooking>) -> BoxFuture<'_, ()> {
        async move {
            let together = u32::try_from(group.len()).unwrap_or(u32::MAX);
            metrics::histogram!("dakiya_bookings_together").record(together);
            let all = group.iter().map(|one| one.prepared.clone()).collect();
            match self.book_all(all).await {
                Ok(mut placed) => {
                    if failpoints::on("group-answers-swapped") {
                        placed.reverse();
                    }
                    let all = group.into_iter().zip(placed);
                    all.for_each(|(one, placed)| one.answer(Ok(placed)));
                }
                Err(error) if group.len() == 1 => group.remove(0).answer(Err(error)),
                // An error of the whole batch, or one after which the result is unknown.
                Err(error) if is_of_all(&error) => {
                    let all = group.into_iter();
                    all.for_each(|one| one.answer(Err(error.for_another())));
                }
                Err(_) => {
                    let others = group.split_off(group.len() / 2);
                    self.book_group(group).await;
                    self.book_group(others).await;
                }
            }
        }
        .boxed()
    }
}

fn is_of_all(error: &Error) -> bool {
    matches!(error, Error::Storage { .. } | Error::Busy(_)) || failpoints::on("group-refused-whole")
}

/// Returns the error for a committer that ended without a result.
fn cut_off() -> Error {
    Error::internal(anyhow::anyhow!("a group of bookings was cut off"))
}
