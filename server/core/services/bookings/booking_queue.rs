//! Bookings that wait for the next batch.

use std::collections::{HashSet, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::oneshot;

use super::prepared::{Placed, Prepared};
use crate::error::{Error, Result};
use crate::limits;

#[derive(Debug, Default)]
pub(super) struct BookingQueue {
    waiting: Mutex<VecDeque<QueuedBooking>>,
    /// Held while committing a batch: one committer at a time.
    pub turn: tokio::sync::Mutex<()>,
}

#[derive(Debug)]
pub(super) struct QueuedBooking {
    pub prepared: Prepared,
    answer: oneshot::Sender<Result<QueueAnswer>>,
}

/// The answer to a queued booking.
#[derive(Debug)]
pub(super) enum QueueAnswer {
    Placed(Placed),
    /// Not made: another transaction has its wallet, and only its own request waits for that.
    WalletBusy(Box<Prepared>),
}

impl QueuedBooking {
    /// Sends the result; the receiver may have been dropped.
    pub fn answer(self, placed: Result<Placed>) {
        let _ = self.answer.send(placed.map(QueueAnswer::Placed));
    }

    /// Gives the booking back to its request.
    pub fn give_back(self) {
        let _ = self.answer.send(Ok(QueueAnswer::WalletBusy(Box::new(self.prepared))));
    }
}

impl BookingQueue {
    fn waiting(&self) -> MutexGuard<'_, VecDeque<QueuedBooking>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn push(&self, prepared: Prepared) -> Result<oneshot::Receiver<Result<QueueAnswer>>> {
        let mut waiting = self.waiting();
        if waiting.len() >= limits::WRITES_WAITING_MAX {
            return Err(Error::busy());
        }
        let (answer, answered) = oneshot::channel();
        waiting.push_back(QueuedBooking { prepared, answer });
        Ok(answered)
    }

    /// Removes a queued booking; `false` if a committer has already taken it.
    pub fn withdraw(&self, booking_id: &str) -> bool {
        let mut waiting = self.waiting();
        let is_it = |one: &QueuedBooking| one.prepared.hold.booking.booking_id == booking_id;
        let at = waiting.iter().position(is_it);
        at.and_then(|at| waiting.remove(at)).is_some()
    }

    /// Takes the oldest bookings, one per customer. The batch size is a power of two, so that a
    /// database prepares few statements. Rows are locked in the order of customers, which prevents
    /// deadlocks with other servers' batches.
    pub fn take(&self) -> Vec<QueuedBooking> {
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
