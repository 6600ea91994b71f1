//! Cancelling a booking: before its pickup by the customer, after notifying the courier partner, or
//! by the partner itself. Once our own driver may have fetched it, only an operator cancels it.
//! In each case the whole price is refunded to the wallet with a credit note, in the transaction
//! that cancels the booking. The customer's request is stored first, and the partner is called
//! again until it answers.

use super::courier_orders::note;
use super::history::own_booking;
use super::{Bookings, invoices, late_orders, pickup_calls};
use crate::error::{Error, Result};
use crate::model::account::security_event::{SecurityAct, SecurityEvent};
use crate::model::account::session::CurrentUser;
use crate::model::booking::Booking;
use crate::model::booking::order::cancellation::{self, Cancellable, TOO_LATE, cancellable};
use crate::model::booking::order::courier_order::CourierOrder;
use crate::model::booking::order::status::BookingStatus;
use crate::model::booking::order::tracking::{CANCELLED_BY_SENDER, own_event};
use crate::model::courier::HOUSE;
use crate::model::money::paise::Paise;
use crate::model::notice::BookingEvent;
use crate::model::shipping::status::ShipmentStatus;
use crate::model::task::{TaskEnd, TaskKind};
use crate::providers::courier::error::CourierError;
use crate::services::customer_limits::Budget;
use crate::store::{self, Conn};
use crate::{failpoints, limits};

/// The id of the one refund of a cancelled booking.
pub(crate) const REFUND: &str = "cancel";

/// The code of a cancellation that is left to an operator.
const PICKUP_BEGUN: &str = "pickup_begun";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cancellation {
    Cancelled,
    /// The courier did not answer; the request is retried until it does.
    Asked,
    /// Our own driver may have fetched it: an operator looks.
    Requested,
}

impl Bookings {
    /// Cancels the user's booking, or requests it: for when the courier has confirmed it, or from
    /// an operator. A cancelled booking stays as it is.
    ///
    /// # Errors
    /// `NotFound`, `Conflict` with `not_cancellable` when it is too late.
    pub async fn cancel(&self, user: &CurrentUser, id: &str) -> Result<Cancellation> {
        let user_id = user.id();
        let booking = own_booking(&mut *self.core.store.read().await?, user_id, id).await?;
        if booking.status == BookingStatus::CANCELLED {
            return Ok(Cancellation::Cancelled);
        }
        let now_ms = self.core.clock.now_ms();
        if cancellable(booking.status, booking.created_ms, now_ms) == Cancellable::No {
            return Err(too_late());
        }
        self.core.budgets.take(Budget::Cancellations, user_id, now_ms)?;
        let order = self.order_of(&booking.booking_id).await?;
        if self.is_left_to_operator(user_id, &booking, order.as_ref()).await? {
            return self.request_cancellation(user, booking).await;
        }
        if let Some(order) = order.filter(|order| !order.state.is_open()) {
            // Fails if the courier can no longer be reached.
            self.couriers.of(&order.courier)?;
        }
        let (owner, id) = (user_id.to_owned(), booking.booking_id.clone());
        let (node, now_ms) = (self.core.node.clone(), self.core.clock.now_ms());
        let act = SecurityAct::CancellationAsked;
        let event = SecurityEvent::new(user_id, act, &user.origin, now_ms).with_subject(&id);
        // Stored before the courier is called, so that it completes even after a crash.
        let must_wait = self.core.store.write(move |conn| {
            Box::pin(async move {
                store::security_events::add(conn, &event).await?;
                if store::courier_orders::want_cancel(conn, &id).await? {
                    return Ok(true);
                }
                store::bookings::begin_cancel(conn, &owner, &id).await?;
                store::tasks::add_leased(conn, TaskKind::Cancellation, &id, &node, now_ms).await?;
                Ok(false)
            })
        });
        if must_wait.await? {
            return Ok(Cancellation::Asked);
        }
        let id = booking.booking_id;
        let come = self.resume_cancellation(user_id, &id).await?.ok_or_else(too_late)?;
        if come == Cancellation::Asked {
            let kind = TaskKind::Cancellation;
            let due_ms = self.core.clock.now_ms() + kind.rules().pauses_ms[0];
            let put_off = self.core.store.write(move |conn| {
                Box::pin(async move { store::tasks::put_off(conn, kind, &id, due_ms).await })
            });
            put_off.await?;
        }
        Ok(come)
    }

    /// Returns how much of the money that the user's booking gave back paid a debt; `None` if none
    /// did.
    ///
    /// # Errors
    /// `NotFound` when the user has no such booking.
    pub async fn debt_paid(&self, user_id: &str, id_or_awb: &str) -> Result<Option<Paise>> {
        let mut conn = self.core.store.read().await?;
        let booking = own_booking(&mut conn, user_id, id_or_awb).await?;
        store::debts::paid_by_booking(&mut conn, user_id, &booking.booking_id).await
    }

    /// Returns true if only an operator cancels the user's booking: our own driver may have fetched
    /// it, or an operator was asked before.
    pub(super) async fn is_left_to_operator(
        &self,
        user_id: &str,
        booking: &Booking,
        order: Option<&CourierOrder>,
    ) -> Result<bool> {
        let Some(order) = order.filter(|order| order.courier == HOUSE) else {
            return Ok(false);
        };
        let mut conn = self.core.store.read().await?;
        let (kind, id) = (TaskKind::Cancellation, &booking.booking_id);
        let is_asked = booking.status == BookingStatus::Cancelling
            && store::tasks::is_quarantined(&mut conn, kind, id).await?;
        Ok(is_asked || self.may_be_fetched(&mut conn, user_id, order).await?)
    }

    /// Returns true if our own driver may have fetched the user's parcel.
    pub(super) async fn may_be_fetched(
        &self,
        conn: &mut Conn,
        user_id: &str,
        order: &CourierOrder,
    ) -> Result<bool> {
        if order.courier != HOUSE {
            return Ok(false);
        }
        let now_ms = self.core.clock.now_ms();
        store::pickups::has_begun(conn, user_id, &order.booking_id, now_ms).await
    }

    /// Stores the customer's request in the operators' list of orders.
    async fn request_cancellation(
        &self,
        user: &CurrentUser,
        booking: Booking,
    ) -> Result<Cancellation> {
        let (owner, id) = (user.id().to_owned(), booking.booking_id);
        let now_ms = self.core.clock.now_ms();
        let act = SecurityAct::CancellationAsked;
        let event = SecurityEvent::new(&owner, act, &user.origin, now_ms).with_subject(&id);
        let request = self.core.store.write(move |conn| {
            Box::pin(async move {
                if store::bookings::begin_cancel(conn, &owner, &id).await? {
                    store::security_events::add(conn, &event).await?;
                    let kind = TaskKind::Cancellation;
                    store::tasks::add(conn, kind, &id, now_ms, now_ms).await?;
                    store::tasks::quarantine(conn, kind, &id, PICKUP_BEGUN, now_ms).await?;
                    // Told again, if an operator decided about an earlier request.
                    for told in [BookingEvent::CancelRequested, BookingEvent::CancelRefused] {
                        store::notices::forget(conn, &id, told).await?;
                    }
                    let news = BookingEvent::CancelRequested;
                    store::notices::add(conn, &id, news, now_ms).await?;
                    return Ok(true);
                }
                let now = store::bookings::find(conn, &owner, &id).await?;
                Ok(now.is_some_and(|it| it.status == BookingStatus::Cancelling))
            })
        });
        request.await?.then_some(Cancellation::Requested).ok_or_else(too_late)
    }

    /// Resumes a cancellation whose courier did not answer.
    pub async fn cancel_task(&self, booking_id: &str) -> Result<TaskEnd> {
        let owner = store::bookings::owner(&mut *self.core.store.read().await?, booking_id).await?;
        let Some(owner) = owner else {
            return Ok(TaskEnd::Done);
        };
        match self.resume_cancellation(&owner, booking_id).await? {
            Some(Cancellation::Cancelled) | None => Ok(TaskEnd::Done),
            Some(Cancellation::Asked) => {
                Err(Error::Provider("the courier has not cancelled it yet".into()))
            }
            Some(Cancellation::Requested) => Err(Error::NeedsOperator {
                code: PICKUP_BEGUN,
                message: cancellation::REQUESTED.into(),
            }),
        }
    }

    /// Cancels at the courier before the refund. A repeated call cancels once. `None` if it is too
    /// late: the courier refused, or has the parcel. `Requested` if our own driver may have it.
    async fn resume_cancellation(&self, user_id: &str, id: &str) -> Result<Option<Cancellation>> {
        // Read again: the courier may have changed the number, or another request was first.
        let booking = own_booking(&mut *self.core.store.read().await?, user_id, id).await?;
        match booking.status {
            BookingStatus::Cancelling => {}
            BookingStatus::CANCELLED => return Ok(Some(Cancellation::Cancelled)),
            _ => return Ok(None),
        }
        let (id, now_ms) = (booking.booking_id.clone(), self.core.clock.now_ms());
        if let Some(order) = self.order_of(&id).await? {
            failpoints::point("cancelling", user_id).await;
            let mut conn = self.core.store.read().await?;
            let may_be_fetched = self.may_be_fetched(&mut conn, user_id, &order).await?;
            drop(conn);
            if may_be_fetched {
                return Ok(Some(Cancellation::Requested));
            }
            let courier = self.couriers.of(&order.courier)?;
            if let Err(error) = courier.cancel(&order.numbers()).await {
                note(&order.courier, &error);
                tracing::warn!(courier = order.courier, "a booking was not cancelled: {error}");
                let CourierError::Refused(_) = error else {
                    return Ok(Some(Cancellation::Asked));
                };
                let stop = self.core.store.write(move |conn| {
                    Box::pin(async move { keep_booking(conn, &booking, now_ms).await })
                });
                stop.await?;
                return Ok(None);
            }
            failpoints::point("called off", user_id).await;
        }
        let user_id = user_id.to_owned();
        let given_back = self.core.store.write(move |conn| {
            Box::pin(async move { give_back(conn, &user_id, &booking, now_ms).await })
        });
        Ok(given_back.await?.then_some(Cancellation::Cancelled))
    }
}

pub(super) fn too_late() -> Error {
    Error::Conflict { code: "not_cancellable", message: TOO_LATE.as_str().into() }
}

/// Stores status, refund, credit note and event once, in one transaction. `false` if a pickup came
/// first.
pub(super) async fn give_back(
    conn: &mut Conn,
    user_id: &str,
    booking: &Booking,
    now_ms: i64,
) -> Result<bool> {
    let id = &booking.booking_id;
    if !store::bookings::cancel(conn, user_id, id).await? {
        // Another cancellation, or a pickup, came first.
        let now = store::bookings::find(conn, user_id, id).await?;
        return Ok(now.is_some_and(|it| it.status == BookingStatus::CANCELLED));
    }
    pay_back(conn, user_id, booking, now_ms).await?;
    if let Some(order) = store::courier_orders::find(conn, id).await? {
        late_orders::schedule_call_off(conn, &order, now_ms).await?;
    }
    let event = own_event(booking, ShipmentStatus::Cancelled, CANCELLED_BY_SENDER, now_ms);
    store::tracking_events::add(conn, id, &event).await?;
    let news = BookingEvent::Status(BookingStatus::CANCELLED);
    store::notices::add(conn, id, news, now_ms).await?;
    Ok(true)
}

/// Keeps a booking that the courier still carries. Its customer, who may have been promised that we
/// retry until the courier agrees, is notified.
pub(super) async fn keep_booking(conn: &mut Conn, booking: &Booking, now_ms: i64) -> Result<()> {
    let id = &booking.booking_id;
    if !store::bookings::stop_cancel(conn, id).await? {
        return Ok(());
    }
    store::tasks::remove(conn, TaskKind::Cancellation, id).await?;
    let event = own_event(booking, ShipmentStatus::Booked, cancellation::REFUSED, now_ms);
    store::tracking_events::add(conn, id, &event).await?;
    store::notices::add(conn, id, BookingEvent::CancelRefused, now_ms).await
}

/// Refunds the rest of a booking's price, with its credit note; removes the courier's charge, the
/// pickup and an open request to cancel. Belongs in the transaction that cancels the booking.
///
/// # Errors
/// `Internal` when it was never paid: the transaction must be rolled back.
pub(crate) async fn pay_back(
    conn: &mut Conn,
    user_id: &str,
    booking: &Booking,
    now_ms: i64,
) -> Result<()> {
    let id = &booking.booking_id;
    // Before the wallet, in the order of a confirmation that begins a pickup.
    pickup_calls::remove_parcel(conn, user_id, id, now_ms).await?;
    let amount = store::charges::call_off(conn, user_id, id, REFUND, now_ms).await?;
    if amount > Paise::ZERO {
        invoices::credit_note(conn, user_id, id, REFUND, amount, now_ms).await?;
    }
    store::tasks::remove(conn, TaskKind::Cancellation, id).await?;
    watch(conn, id, now_ms).await
}

/// Goes on to track a cancelled booking for some days at its partner, which may have agreed to the
/// cancellation and carry it all the same.
async fn watch(conn: &mut Conn, id: &str, now_ms: i64) -> Result<()> {
    let order = store::courier_orders::find(conn, id).await?;
    let is_tracked = order.is_some_and(|order| order.courier != HOUSE && !order.awb.is_empty());
    match is_tracked {
        true => {
            let due_ms = now_ms + limits::TRACK_ARRIVED_EVERY_MS;
            store::tasks::add(conn, TaskKind::Tracking, id, due_ms, now_ms).await
        }
        false => store::tasks::remove(conn, TaskKind::Tracking, id).await,
    }
}
