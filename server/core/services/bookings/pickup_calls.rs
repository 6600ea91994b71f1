//! Calls to couriers that request a pickup, move it to another time, or cancel it.
//!
//! The customer's request is stored first, with a task. The courier is called outside any
//! transaction, and a pickup is requested once: where a second request would make a second pickup,
//! one with unknown result is looked up under our reference. A response ends only the request that
//! it belongs to.

use super::Bookings;
use super::courier_form::{in_lines, pickup_place};
use super::courier_orders::note;
use crate::error::{Error, Result};
use crate::model::booking::order::status::BookingStatus;
use crate::model::booking::pickup::{Pickup, PickupState};
use crate::model::task::{TaskEnd, TaskKind};
use crate::providers::courier::Courier;
use crate::providers::courier::error::CourierError;
use crate::providers::courier::pickup::{PickupAsk, PickupTaken};
use crate::store::{self, Conn};
use crate::{failpoints, limits};

enum Answer {
    Agreed(PickupTaken),
    /// No pickup takes place.
    Off,
    Refused(String),
    /// The result is unknown: retry or look up.
    Unknown,
}

impl Bookings {
    /// Resumes a pickup until its courier has accepted or refused the customer's latest request.
    ///
    /// # Errors
    /// `Provider` while the courier does not answer, `Conflict` when it is no longer configured.
    pub async fn pickup_task(&self, pickup_id: &str) -> Result<TaskEnd> {
        let pickup = store::pickups::find(&mut *self.core.store.read().await?, pickup_id).await?;
        let Some(pickup) = pickup else {
            return Ok(TaskEnd::Done);
        };
        let answer = match pickup.state {
            PickupState::Requested => self.request_from_courier(&pickup).await?,
            PickupState::CallingOff => self.cancel_at_courier(&pickup).await?,
            PickupState::Confirmed | PickupState::Refused | PickupState::CalledOff => {
                return Ok(TaskEnd::Done);
            }
            PickupState::Unknown => return Err(Error::newer()),
        };
        failpoints::point("pickup answered", &pickup.user_id).await;
        if matches!(answer, Answer::Unknown) {
            let message = "the courier has not answered about its pickup yet";
            return Err(Error::Provider(message.into()));
        }
        let (id, now_ms) = (pickup.pickup_id.clone(), self.core.clock.now_ms());
        let write = self.core.store.write(move |conn| {
            Box::pin(async move {
                match answer {
                    Answer::Agreed(courier_pickup) => {
                        let numbers = (&*courier_pickup.courier_id, &*courier_pickup.confirmation);
                        store::pickups::set_confirmed(conn, &pickup, numbers).await.map(drop)
                    }
                    Answer::Off => store::pickups::end(conn, &pickup, now_ms).await,
                    Answer::Refused(reason) => store::pickups::refuse(conn, &pickup, &reason).await,
                    Answer::Unknown => Ok(()),
                }
            })
        });
        write.await?;
        // The customer may have changed the request meanwhile.
        let now = store::pickups::find(&mut *self.core.store.read().await?, &id).await?;
        let waits = [PickupState::Requested, PickupState::CallingOff];
        match now.is_some_and(|pickup| waits.contains(&pickup.state)) {
            true => Ok(TaskEnd::Again(now_ms)),
            false => Ok(TaskEnd::Done),
        }
    }

    /// Runs `pickup_task` at once, for a task that the caller has just added and leased. The result
    /// is in the database.
    pub(super) async fn run_pickup_task(&self, pickup_id: &str) -> Result<()> {
        let kind = TaskKind::Pickup;
        let end = self.pickup_task(pickup_id).await.unwrap_or_else(|error| {
            tracing::warn!("a pickup request failed and is repeated: {error}");
            TaskEnd::Again(self.core.clock.now_ms() + kind.rules().pauses_ms[0])
        });
        let (id, node) = (pickup_id.to_owned(), self.core.node.clone());
        let write = self.core.store.write(move |conn| {
            Box::pin(async move {
                match end {
                    TaskEnd::Done => store::tasks::complete(conn, kind, &id, &node).await,
                    TaskEnd::Again(due_ms) => {
                        store::tasks::reschedule(conn, kind, &id, &node, due_ms).await
                    }
                }
            })
        });
        write.await
    }

    /// Requests a pickup, or moves it if its courier has it already.
    async fn request_from_courier(&self, pickup: &Pickup) -> Result<Answer> {
        let courier = self.couriers.of(&pickup.courier)?;
        let Some(mut ask) = self.pickup_ask(pickup).await? else {
            return Ok(match self.is_being_cancelled(pickup).await? {
                true => Answer::Unknown,
                false => Answer::Refused("nothing is left to fetch".to_owned()),
            });
        };
        let age_ms = self.core.clock.now_ms() - pickup.asked_ms;
        if ask.courier_id.is_empty() && pickup.asked_ms > 0 && !courier.may_ask_again() {
            match courier.find(&pickup.pickup_id).await {
                Ok(Some(courier_pickup)) => {
                    ask.courier_id = courier_pickup.courier_id;
                    ask.confirmation = courier_pickup.confirmation;
                }
                Ok(None) if age_ms >= limits::COURIER_SETTLED_MS => {}
                Ok(None) => return Ok(Answer::Unknown),
                Err(error) => return Ok(log_unknown(&pickup.courier, &error)),
            }
        }
        if !ask.courier_id.is_empty() {
            return Ok(answer(&*courier, courier.move_to(&ask).await));
        }
        let (asked, now_ms) = (pickup.clone(), self.core.clock.now_ms());
        let begin = self.core.store.write(move |conn| {
            Box::pin(async move { store::pickups::begin_ask(conn, &asked, now_ms).await })
        });
        // The single permission to request the pickup as it was read.
        if !begin.await? {
            return Ok(Answer::Unknown);
        }
        failpoints::point("asking for a pickup", &pickup.user_id).await;
        Ok(answer(&*courier, courier.ask(&ask).await))
    }

    /// True while the courier has not agreed to cancel a parcel of the pickup. Then the pickup ends
    /// with the booking, or goes on with it.
    async fn is_being_cancelled(&self, pickup: &Pickup) -> Result<bool> {
        let (user_id, id) = (&pickup.user_id, &pickup.pickup_id);
        let mut conn = self.core.store.read().await?;
        for id in store::pickups::waiting_bookings(&mut conn, user_id, id).await? {
            let booking = store::bookings::find(&mut conn, user_id, &id).await?;
            if booking.is_some_and(|it| it.status == BookingStatus::Cancelling) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Cancels a pickup at its courier, if the courier may have it.
    async fn cancel_at_courier(&self, pickup: &Pickup) -> Result<Answer> {
        if pickup.asked_ms == 0 {
            return Ok(Answer::Off);
        }
        let courier = self.couriers.of(&pickup.courier)?;
        let mut ask = bare_ask(pickup);
        if ask.courier_id.is_empty() {
            let age_ms = self.core.clock.now_ms() - pickup.asked_ms;
            match courier.find(&pickup.pickup_id).await {
                Ok(Some(courier_pickup)) => ask.courier_id = courier_pickup.courier_id,
                Ok(None) if courier.may_ask_again() || age_ms >= limits::COURIER_SETTLED_MS => {
                    return Ok(Answer::Off);
                }
                Ok(None) => return Ok(Answer::Unknown),
                Err(error) => return Ok(log_unknown(&pickup.courier, &error)),
            }
        }
        match courier.call_off(&ask).await {
            Ok(()) => Ok(Answer::Off),
            Err(CourierError::Refused(reason)) => {
                tracing::warn!(courier = pickup.courier, "a pickup was not cancelled: {reason}");
                let mut conn = self.core.store.read().await?;
                let (user_id, id) = (&pickup.user_id, &pickup.pickup_id);
                let waiting = store::pickups::waiting_bookings(&mut conn, user_id, id).await?;
                // Without a waiting parcel the customer must not read that the pickup takes place.
                Ok(match waiting.is_empty() {
                    true => Answer::Off,
                    false => Answer::Refused(stored_reason(&reason)),
                })
            }
            Err(error) => Ok(log_unknown(&pickup.courier, &error)),
        }
    }

    /// Returns the request to the courier, with all parcels still waiting. `None` without any.
    async fn pickup_ask(&self, pickup: &Pickup) -> Result<Option<PickupAsk>> {
        let mut conn = self.core.store.read().await?;
        let mut ask = bare_ask(pickup);
        for id in
            store::pickups::waiting_bookings(&mut conn, &pickup.user_id, &pickup.pickup_id).await?
        {
            let booking = store::bookings::find(&mut conn, &pickup.user_id, &id).await?;
            let Some(booking) = booking.filter(|it| it.status == BookingStatus::BOOKED) else {
                continue;
            };
            let Some(order) = store::courier_orders::find(&mut conn, &id).await? else {
                continue;
            };
            if ask.parcels.is_empty() {
                let addresses = self.couriers.of(&order.courier)?.addresses(&order.service);
                let place = pickup_place(&booking, &self.core.company.email);
                ask.place = in_lines(place, addresses.map(|limits| limits.sender));
            }
            ask.parcels.push(order.numbers());
        }
        Ok(Some(ask).filter(|ask| !ask.parcels.is_empty()))
    }
}

/// Returns the part of the request that does not depend on its parcels.
fn bare_ask(pickup: &Pickup) -> PickupAsk {
    PickupAsk {
        reference: pickup.pickup_id.clone(),
        courier_id: pickup.courier_id.clone(),
        confirmation: pickup.confirmation.clone(),
        time: pickup.time,
        place: Default::default(),
        parcels: Vec::new(),
    }
}

fn answer(courier: &dyn Courier, result: std::result::Result<PickupTaken, CourierError>) -> Answer {
    match result {
        Ok(courier_pickup) => Answer::Agreed(courier_pickup),
        Err(CourierError::Refused(reason)) => {
            tracing::warn!(courier = courier.code(), "a pickup was refused: {reason}");
            Answer::Refused(stored_reason(&reason))
        }
        Err(error) => log_unknown(courier.code(), &error),
    }
}

fn log_unknown(courier: &str, error: &CourierError) -> Answer {
    note(courier, error);
    tracing::warn!(courier, "the state of a pickup is unknown: {error}");
    Answer::Unknown
}

/// Returns a reason without the customer's input, shortened to be stored; never empty.
fn stored_reason(reason: &str) -> String {
    let cut: String = reason.chars().take(limits::PICKUP_REASON_CHARS_MAX).collect();
    if cut.is_empty() { "refused".to_owned() } else { cut }
}

/// Removes a cancelled parcel from its pickup, and cancels the pickup without parcels left. Belongs
/// in the transaction that cancels the booking.
pub(super) async fn remove_parcel(
    conn: &mut Conn,
    user_id: &str,
    booking_id: &str,
    now_ms: i64,
) -> Result<()> {
    let pickup_id =
        store::pickups::remove_parcel(conn, user_id, booking_id, "left", now_ms).await?;
    let Some(pickup_id) = pickup_id else {
        return Ok(());
    };
    let waiting = store::pickups::waiting_bookings(conn, user_id, &pickup_id).await?;
    if waiting.is_empty() && store::pickups::want_off(conn, user_id, &pickup_id).await? {
        store::tasks::add(conn, TaskKind::Pickup, &pickup_id, now_ms, now_ms).await?;
    }
    Ok(())
}
