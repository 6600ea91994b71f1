//! Batches of bookings of different customers. Bookings that arrive during a write of this process
//! wait in a queue, and then share one transaction, which costs less than one each.

use std::time::Duration;

use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use tokio::time::{Instant, sleep_until};

use super::Bookings;
use super::booking_queue::{QueueAnswer, QueuedBooking};
use super::prepared::{Placed, Prepared};
use crate::error::{Error, Result};
use crate::store::ledger::{IfBusy, WalletBusy};
use crate::{failpoints, limits};

impl Bookings {
    /// Makes a booking with our own courier, alone or in a batch with others.
    ///
    /// # Errors
    /// As for a single booking; `Busy` when the queue does not reach it in time.
    pub(super) async fn book_together(&self, prepared: Prepared) -> Result<Placed> {
        match self.book_in_turn(prepared).await? {
            QueueAnswer::Placed(placed) => Ok(placed),
            QueueAnswer::WalletBusy(prepared) => {
                let placed = self.book_all(vec![*prepared], IfBusy::Wait).await?.pop();
                placed.ok_or_else(cut_off)
            }
        }
    }

    /// Makes a booking in the next batch that takes it.
    async fn book_in_turn(&self, prepared: Prepared) -> Result<QueueAnswer> {
        let booking_id = prepared.hold.booking.booking_id.clone();
        let mut answered = self.queue.push(prepared)?;
        let until = Instant::now() + Duration::from_millis(limits::DATABASE_WAIT_MS_MAX);
        loop {
            tokio::select! {
                biased;
                answer = &mut answered => return answer.unwrap_or_else(|_| Err(cut_off())),
                _turn = self.queue.turn.lock() => {
                    let group = self.queue.take();
                    if group.is_empty() {
                        // Another committer took this booking.
                        break;
                    }
                    self.book_group(group).await;
                }
                () = sleep_until(until) => match self.queue.withdraw(&booking_id) {
                    true => return Err(Error::busy()),
                    false => break,
                },
            }
        }
        answered.await.unwrap_or_else(|_| Err(cut_off()))
    }

    /// Makes bookings in one transaction, and sends each result. If the batch fails, it is split
    /// into halves, down to the booking that is refused, or whose wallet is in use: no batch waits
    /// for a wallet while it has others.
    fn book_group(&self, mut group: Vec<QueuedBooking>) -> BoxFuture<'_, ()> {
        async move {
            let together = u32::try_from(group.len()).unwrap_or(u32::MAX);
            metrics::histogram!("dakiya_bookings_together").record(together);
            let all = group.iter().map(|one| one.prepared.clone()).collect();
            match self.book_all(all, IfBusy::Fail).await {
                Ok(mut placed) => {
                    if failpoints::on("group-answers-swapped") {
                        placed.reverse();
                    }
                    let all = group.into_iter().zip(placed);
                    all.for_each(|(one, placed)| one.answer(Ok(placed)));
                }
                Err(error) if group.len() == 1 && WalletBusy::is_cause_of(&error) => {
                    group.remove(0).give_back();
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
