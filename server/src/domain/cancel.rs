//! Cancelling a booking: before its pickup by the customer, when the courier is told first, or by
//! the courier itself. Either way the wallet gets everything back with a credit note, in the
//! transaction that cancels the booking. What a customer wants is written down first, and a courier
//! that does not answer is asked again until it does.

use super::booking::{Booking, PENDING};
use super::courier_order::CourierOrder;
use super::each::each;
use super::invoice;
use super::stage::Stage;
use super::tracking::Event;
use crate::app::App;
use crate::error::{Error, Result};
use crate::limits;
use crate::mutant;
use crate::providers::courier::CourierError;
use crate::store::{self, Conn};

/// The status of a booking whose courier has not said yet whether it lets go of it.
pub const CANCELLING: &str = "cancelling";

/// What the customer reads afterwards.
pub const CANCELLED: &str = "The booking was cancelled. The money is back in your wallet.";
/// What the customer reads while the courier is silent.
pub const ASKED: &str = "The courier has not answered yet. We keep asking, and your money comes \
                         back as soon as it agrees.";

/// Why a booking is not cancelled: it is on its way, or too old.
pub const TOO_LATE: &str = "This booking cannot be cancelled any more: it is with the courier, or \
                            older than 15 days.";

/// Names the one refund of a booking that was cancelled.
const REFUND: &str = "cancel";

/// How far a cancellation came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    Cancelled,
    /// The courier did not answer; it is asked again until it does.
    Asked,
}

/// Cancels the user's booking, or has it cancelled as soon as its courier has confirmed it.
/// Cancelled before, it stays as it is.
///
/// # Errors
/// `NotFound`, `Conflict` with `not_cancellable` once it is under way.
pub async fn cancel(app: &App, user_id: &str, id: &str) -> Result<Outcome> {
    let booking = find(app, user_id, id).await?;
    if booking.status == Stage::Cancelled.word() {
        return Ok(Outcome::Cancelled);
    }
    may_be_cancelled(&booking, app.clock.now_ms())?;
    let (owner, id) = (user_id.to_owned(), booking.booking_id.clone());
    let due_ms = app.clock.now_ms() + limits::CANCEL_AGAIN_MS;
    // Written down before the courier hears of it, so that it is done whatever becomes of us.
    let must_wait = app.store.write(move |conn| {
        Box::pin(async move {
            if store::courier_orders::want_cancel(conn, &id).await? {
                return Ok(true);
            }
            store::bookings::begin_cancel(conn, &owner, &id).await?;
            store::courier_orders::due_at(conn, &id, due_ms).await?;
            Ok(false)
        })
    });
    match must_wait.await? {
        true => Ok(Outcome::Asked),
        false => go_on(app, user_id, &booking.booking_id).await,
    }
}

async fn find(app: &App, user_id: &str, id: &str) -> Result<Booking> {
    let found = store::bookings::find(&mut *app.store.read().await?, user_id, id).await?;
    found.ok_or_else(|| Error::NotFound("There is no such booking.".into()))
}

/// Goes on with cancellations whose courier did not answer, several at a time.
pub async fn sweep(app: &App) -> Result<()> {
    let now_ms = app.clock.now_ms();
    let mut conn = app.store.read().await?;
    let due = store::courier_orders::to_cancel(&mut conn, now_ms, limits::SWEEP_BATCH).await?;
    drop(conn);
    each(due, limits::SWEEP_ASKED_MAX, |order: CourierOrder| {
        let app = app.clone();
        async move {
            match cancel(&app, &order.user_id, &order.booking_id).await {
                Ok(_) | Err(Error::Conflict { .. }) => {}
                Err(error) => {
                    tracing::error!(booking = order.booking_id, "a cancellation stays: {error}");
                }
            }
        }
    })
    .await;
    Ok(())
}

/// One that was begun in time is ended, however long the courier takes.
fn may_be_cancelled(booking: &Booking, now_ms: i64) -> Result<()> {
    let is_late = now_ms - booking.created_ms > limits::CANCEL_MS_MAX;
    let status = booking.status.as_str();
    let is_early = [PENDING, Stage::Booked.word()].contains(&status);
    match status == CANCELLING || (is_early && !is_late) {
        true => Ok(()),
        false => Err(too_late()),
    }
}

fn too_late() -> Error {
    Error::Conflict {
        code: "not_cancellable",
        message: TOO_LATE.into(),
    }
}

/// The courier must know before the money goes back. Told twice, it is cancelled once.
async fn go_on(app: &App, user_id: &str, id: &str) -> Result<Outcome> {
    // As it stands now: the courier may have given it another number since, or somebody was first.
    let booking = find(app, user_id, id).await?;
    match booking.status.as_str() {
        CANCELLING => {}
        status if status == Stage::Cancelled.word() => return Ok(Outcome::Cancelled),
        _ => return Err(too_late()),
    }
    let (id, now_ms) = (booking.booking_id.clone(), app.clock.now_ms());
    let order = store::courier_orders::find(&mut *app.store.read().await?, &id).await?;
    if let Some(order) = order {
        mutant::point("cancelling", user_id).await;
        let courier = app.couriers.of(&order.courier)?;
        if let Err(error) = courier.cancel(&order.reference).await {
            tracing::warn!(courier = order.courier, "not cancelled: {error}");
            let CourierError::Refused(_) = error else {
                return Ok(Outcome::Asked);
            };
            let stop = app.store.write(move |conn| {
                Box::pin(async move { store::bookings::stop_cancel(conn, &id).await })
            });
            stop.await?;
            return Err(too_late());
        }
        mutant::point("called off", user_id).await;
    }
    let user_id = user_id.to_owned();
    app.store
        .write(move |conn| {
            Box::pin(async move { give_back(conn, &user_id, &booking, now_ms).await })
        })
        .await?;
    Ok(Outcome::Cancelled)
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
    pay_back(conn, user_id, booking, now_ms).await?;
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

/// Gives the whole price of a booking back, once, with its credit note. Belongs into the
/// transaction that cancels the booking.
///
/// # Errors
/// `Internal` when it was never paid: nothing of that transaction may stay.
pub async fn pay_back(
    conn: &mut Conn,
    user_id: &str,
    booking: &Booking,
    now_ms: i64,
) -> Result<()> {
    let (id, amount) = (&booking.booking_id, booking.amount);
    let refunded = store::charges::refund(conn, user_id, id, REFUND, amount, now_ms).await?;
    refunded.surely(id)?;
    invoice::credit_note(conn, user_id, id, REFUND, amount, now_ms).await?;
    store::courier_orders::track_at(conn, &booking.awb, 0).await
}
