//! A fair queue: permits are given to waiting customers in turn, one each, so that many requests of
//! one customer delay mostly their own.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard};

use tokio::sync::oneshot;

use crate::error::{Error, Result};
use crate::services::rate_limiter::note_refusal;

/// Permits for one kind of work. A clone shares them.
#[derive(Clone, Debug)]
pub struct FairQueue(Arc<Inner>);

/// The limits of a queue (counts).
#[derive(Clone, Copy, Debug)]
pub struct QueueRules {
    /// Label in the metric of refusals.
    pub kind: &'static str,
    /// The message of a refusal.
    pub refusal: &'static str,
    pub places: usize,
    /// Maximum permits of one customer.
    pub each: usize,
    /// Maximum waiting requests of one customer.
    pub waiting_each: usize,
}

/// The refusal of one more document for a customer who waits for others.
pub const MANY_PAPERS: &str =
    "You asked for many documents at once. Please wait until the first ones are there.";

#[derive(Debug)]
struct Inner {
    rules: QueueRules,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    free: usize,
    lanes: HashMap<String, Lane>,
    /// Customers with waiting requests, in the order of their turns.
    turns: VecDeque<String>,
}

#[derive(Debug, Default)]
struct Lane {
    working: usize,
    waiting: VecDeque<oneshot::Sender<Permit>>,
}

/// A permit, until it is dropped.
#[derive(Debug)]
pub struct Permit {
    lanes: FairQueue,
    owner: Option<String>,
}

impl FairQueue {
    pub fn new(rules: QueueRules) -> FairQueue {
        FairQueue(Arc::new(Inner {
            rules,
            state: Mutex::new(State { free: rules.places, ..State::default() }),
        }))
    }

    /// Waits for a permit.
    ///
    /// # Errors
    /// `TooMany` when too many requests of this customer wait already.
    pub async fn enter(&self, owner: &str) -> Result<Permit> {
        let QueueRules { kind, refusal, each, waiting_each, .. } = self.0.rules;
        let turn = {
            let mut state = self.state();
            let free = state.free;
            let lane = state.lanes.entry(owner.to_owned()).or_default();
            if free > 0 && lane.working < each && lane.waiting.is_empty() {
                lane.working += 1;
                state.free -= 1;
                return Ok(self.place(owner));
            }
            lane.waiting.retain(|waiting| !waiting.is_closed());
            if lane.waiting.len() >= waiting_each {
                note_refusal(kind);
                return Err(Error::TooMany { message: refusal.into(), retry_after_s: 5 });
            }
            let (given, turn) = oneshot::channel();
            lane.waiting.push_back(given);
            if !state.turns.iter().any(|waiting| waiting == owner) {
                state.turns.push_back(owner.to_owned());
            }
            turn
        };
        turn.await.map_err(Error::internal)
    }

    fn place(&self, owner: &str) -> Permit {
        Permit { lanes: self.clone(), owner: Some(owner.to_owned()) }
    }

    fn leave(&self, owner: &str) {
        let mut state = self.state();
        state.free += 1;
        if let Some(lane) = state.lanes.get_mut(owner) {
            lane.working -= 1;
        }
        self.give(&mut state);
        if let Some(lane) = state.lanes.get(owner)
            && lane.working == 0
            && lane.waiting.is_empty()
        {
            state.lanes.remove(owner);
        }
    }

    /// Gives free permits to the next customers.
    fn give(&self, state: &mut State) {
        let State { free, lanes, turns } = state;
        // Visits each customer once; one at the maximum of permits keeps its turn.
        for _ in 0..turns.len() {
            if *free == 0 {
                return;
            }
            let Some(owner) = turns.pop_front() else { return };
            let Some(lane) = lanes.get_mut(&owner) else { continue };
            while lane.working < self.0.rules.each {
                let Some(waiting) = lane.waiting.pop_front() else { break };
                match waiting.send(self.place(&owner)) {
                    Ok(()) => {
                        lane.working += 1;
                        *free -= 1;
                        break;
                    }
                    // The caller is gone: this permit was not counted for it.
                    Err(mut place) => place.owner = None,
                }
            }
            if !lane.waiting.is_empty() {
                turns.push_back(owner);
            } else if lane.working == 0 {
                lanes.remove(&owner);
            }
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().expect("no holder panics")
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        if let Some(owner) = self.owner.take() {
            self.lanes.leave(&owner);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::task::JoinHandle;

    use super::*;

    fn lanes(places: usize, each: usize) -> FairQueue {
        FairQueue::new(QueueRules { kind: "test", refusal: "", places, each, waiting_each: 5 })
    }

    async fn waits(lanes: &FairQueue, owner: &'static str) -> JoinHandle<Result<Permit>> {
        let lanes = lanes.clone();
        let waiting = tokio::spawn(async move { lanes.enter(owner).await });
        tokio::time::sleep(Duration::from_millis(5)).await;
        waiting
    }

    #[tokio::test]
    async fn a_flood_of_one_waits_behind_everybody_elses_single_request() {
        let lanes = lanes(1, 1);
        let first = lanes.enter("flood").await.unwrap();
        let second = waits(&lanes, "flood").await;
        let third = waits(&lanes, "flood").await;
        let asha = waits(&lanes, "asha").await;
        let ravi = waits(&lanes, "ravi").await;
        drop(first);
        let second = second.await.unwrap().unwrap();
        assert!(!asha.is_finished());
        drop(second);
        drop(asha.await.unwrap().unwrap());
        drop(ravi.await.unwrap().unwrap());
        drop(third.await.unwrap().unwrap());
        assert!(lanes.state().lanes.is_empty() && lanes.state().free == 1);
    }

    #[tokio::test]
    async fn one_customer_never_has_all_places() {
        let lanes = lanes(3, 2);
        let held = [lanes.enter("flood").await.unwrap(), lanes.enter("flood").await.unwrap()];
        let third = waits(&lanes, "flood").await;
        let asha = lanes.enter("asha").await.unwrap();
        assert!(!third.is_finished());
        drop(asha);
        tokio::time::sleep(Duration::from_millis(5)).await;
        assert!(!third.is_finished(), "two are enough");
        drop(held);
        drop(third.await.unwrap().unwrap());
    }

    #[tokio::test]
    async fn who_hung_up_keeps_nobody_waiting() {
        let lanes = lanes(1, 1);
        let first = lanes.enter("flood").await.unwrap();
        for _ in 0..20 {
            let gone = waits(&lanes, "flood").await;
            gone.abort();
            let _ = gone.await;
        }
        let asha = waits(&lanes, "asha").await;
        drop(first);
        drop(asha.await.unwrap().unwrap());
        assert!(lanes.state().lanes.is_empty() && lanes.state().free == 1);
    }

    #[tokio::test]
    async fn only_so_many_requests_of_one_customer_wait() {
        let lanes = lanes(1, 1);
        let _first = lanes.enter("flood").await.unwrap();
        for _ in 0..5 {
            drop(waits(&lanes, "flood").await);
        }
        assert_eq!(lanes.enter("flood").await.unwrap_err().status(), 429);
    }
}
