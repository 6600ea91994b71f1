//! Cancelling a booking before its pickup: the courier is told, and the wallet gets everything
//! back with a credit note, in one transaction.

use super::booking::{Booking, PENDING};
use super::courier_order::CourierOrder;
use super::invoice;
use super::stage::Stage;
use super::tracking::Event;
use crate::app::App;
use crate::error::{Error, Result};
use crate::limits;
use crate::providers::courier::CourierError;
use crate::store::{self, Conn};

/// What the customer reads afterwards.
pub const CANCELLED: &str = "The booking was cancelled. The money is back in your wallet.";

/// Why a booking is not cancelled: it is on its way, or too old.
pub const TOO_LATE: &str = "This booking cannot be cancelled any more: it is with the courier, or \
                            older than 15 days.";
/// Nobody knows yet whether there is anything to cancel.
pub const TOO_EARLY: &str =
    "The courier has not confirmed this booking yet. Try again in a minute.";
/// The courier could not be told.
pub const NOT_TOLD: &str = "The courier did not answer. Nothing was changed; please try again.";

/// Names the one refund of a booking that was cancelled.
const REFUND: &str = "cancel";

/// Cancels the user's booking. Cancelled before, it stays as it is.
///
/// # Errors
/// `NotFound`, `Conflict` with `in_flight` while the courier has not confirmed it or with
/// `not_cancellable` once it is under way, `Provider` when the courier does not answer.
pub async fn cancel(app: &App, user_id: &str, id: &str) -> Result<()> {
    let mut conn = app.store.read().await?;
    let booking = store::bookings::find(&mut conn, user_id, id).await?;
    let booking = booking.ok_or_else(|| Error::NotFound("There is no such booking.".into()))?;
    let order = store::courier_orders::find(&mut conn, &booking.booking_id).await?;
    drop(conn);
    if booking.status == Stage::Cancelled.word() {
        return Ok(());
    }
    may_be_cancelled(&booking, app.clock.now_ms())?;
    if let Some(order) = order {
        tell(app, &order).await?;
    }
    let (user_id, now_ms) = (user_id.to_owned(), app.clock.now_ms());
    app.store
        .write(move |conn| {
            Box::pin(async move { give_back(conn, &user_id, &booking, now_ms).await })
        })
        .await
}

fn may_be_cancelled(booking: &Booking, now_ms: i64) -> Result<()> {
    let is_late = now_ms - booking.created_ms > limits::CANCEL_MS_MAX;
    match booking.status.as_str() {
        PENDING => Err(Error::Conflict {
            code: "in_flight",
            message: TOO_EARLY.into(),
        }),
        status if status == Stage::Booked.word() && !is_late => Ok(()),
        _ => Err(too_late()),
    }
}

fn too_late() -> Error {
    Error::Conflict {
        code: "not_cancellable",
        message: TOO_LATE.into(),
    }
}

/// The courier must know before the money goes back. Told twice, it is cancelled once.
async fn tell(app: &App, order: &CourierOrder) -> Result<()> {
    let courier = app.couriers.of(&order.courier)?;
    match courier.cancel(&order.reference).await {
        Ok(()) => Ok(()),
        Err(CourierError::Refused(reason)) => {
            tracing::warn!(
                courier = order.courier,
                "a cancellation was refused: {reason}"
            );
            Err(too_late())
        }
        Err(error) => {
            tracing::warn!(
                courier = order.courier,
                "a cancellation is not known: {error}"
            );
            Err(Error::Provider(NOT_TOLD.into()))
        }
    }
}

/// Status, refund, credit note and event: all of it or nothing, once.
async fn give_back(conn: &mut Conn, user_id: &str, booking: &Booking, now_ms: i64) -> Result<()> {
    let id = &booking.booking_id;
    if !store::bookings::cancel(conn, user_id, id).await? {
        // Somebody was first: with the same, or with a pickup.
        let now = store::bookings::find(conn, user_id, id).await?;
        let cancelled = now.is_some_and(|it| it.status == Stage::Cancelled.word());
        return cancelled.then_some(()).ok_or_else(too_late);
    }
    store::charges::refund(conn, user_id, id, REFUND, booking.amount, now_ms).await?;
    invoice::credit_note(conn, user_id, id, REFUND, booking.amount, now_ms).await?;
    store::courier_orders::track_at(conn, &booking.awb, 0).await?;
    let event = Event {
        status: Stage::Cancelled.label().to_owned(),
        courier_code: booking.courier_code.clone(),
        location: booking.origin_city.clone(),
        remarks: "Cancelled by the sender before pickup".to_owned(),
        comments: String::new(),
        happened_ms: now_ms,
    };
    store::bookings::add_event(conn, &booking.awb, &event).await?;
    store::notices::add(conn, &booking.awb, Stage::Cancelled.word(), now_ms).await
}
