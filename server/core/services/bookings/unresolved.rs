//! Orders that wait for an operator, and functions to end them. Each belongs in an operator's
//! transaction, with its entry in the record; money moves as after a courier's response.

use super::cancel::{give_back, keep_booking, too_late};
use super::courier_orders::read_order;
use super::prepared::HeldOrder;
use super::settle::{give_up, take_booked, take_rejected};
use crate::error::{Error, Result};
use crate::limits;
use crate::model::booking::order::courier_order::{CourierOrderState, StuckOrder};
use crate::model::courier::order::{Booked, RefusedPart};
use crate::model::settings::company::Company;
use crate::model::shipping::awb;
use crate::model::task::TaskKind;
use crate::store::{self, Conn};

/// Returns orders and cancellations that are left to an operator, or open for too long; the oldest
/// first.
pub async fn list(conn: &mut Conn, now_ms: i64) -> Result<Vec<StuckOrder>> {
    let before_ms = now_ms - limits::COURIER_UNKNOWN_MS_MAX;
    store::courier_orders::list_stuck(conn, before_ms, limits::TASKS_SHOWN_MAX).await
}

/// Returns one order, stuck or not, by its booking, its AWB or our reference.
///
/// # Errors
/// `NotFound` when there is none.
pub async fn show(conn: &mut Conn, name: &str) -> Result<StuckOrder> {
    let order = store::courier_orders::find_by_any_id(conn, name).await?;
    order.ok_or_else(no_order)
}

/// Ends an order that the courier has under this AWB, as an operator learnt: it is charged and
/// booked as if the courier had responded. Returns the AWB as stored.
///
/// # Errors
/// `NotFound`, `Malformed` for an invalid AWB, `Conflict` when the order has ended, its courier was
/// never called, or the AWB is another booking's.
pub async fn resolve_booked(
    conn: &mut Conn,
    seller: &Company,
    booking_id: &str,
    typed_awb: &str,
    now_ms: i64,
) -> Result<String> {
    let awb = awb::normalise(typed_awb)
        .ok_or_else(|| Error::Malformed("This is no AWB number.".into()))?;
    let hold = open(conn, booking_id).await?;
    if hold.order.state == CourierOrderState::Held {
        return Err(Error::Conflict {
            code: "never_asked",
            message: "Its courier was never asked, so it cannot have it.".into(),
        });
    }
    let booked = Booked { awb: awb.clone(), pickup_id: String::new() };
    let ended = take_booked(conn, seller, hold, booked, now_ms).await?;
    ended.map(|_| awb).ok_or_else(has_ended)
}

/// Ends an order that the courier does not have, as an operator learnt: releases the held money and
/// notifies the customer.
///
/// # Errors
/// `NotFound`, `Conflict` when the order has ended.
pub async fn resolve_not_booked(
    conn: &mut Conn,
    booking_id: &str,
    reason: &str,
    now_ms: i64,
) -> Result<()> {
    let order = open(conn, booking_id).await?.order;
    let is_ended = match order.state {
        CourierOrderState::Held => give_up(conn, &order, reason, now_ms).await?,
        _ => {
            let refusal = (RefusedPart::All, reason);
            take_rejected(conn, &order, refusal, true, now_ms).await?.is_some()
        }
    };
    is_ended.then_some(()).ok_or_else(has_ended)
}

/// Ends a cancellation as an operator learnt from the courier: the booking is refunded, or stays
/// booked.
///
/// # Errors
/// `NotFound`, `Conflict` when it is not being cancelled.
pub(crate) async fn resolve_cancellation(
    conn: &mut Conn,
    booking_id: &str,
    is_cancelled: bool,
    now_ms: i64,
) -> Result<()> {
    let owner = store::bookings::owner(conn, booking_id).await?;
    let owner = owner.ok_or_else(no_order)?;
    let booking = store::bookings::being_cancelled(conn, &owner, booking_id).await?;
    let booking = booking.ok_or_else(|| Error::Conflict {
        code: "nothing_to_do",
        message: "This booking is not being cancelled.".into(),
    })?;
    if !is_cancelled {
        return keep_booking(conn, &booking, now_ms).await;
    }
    give_back(conn, &owner, &booking, now_ms).await?.then_some(()).ok_or_else(too_late)
}

/// Leaves an order to operators: it is not looked up until it is retried or resolved.
///
/// # Errors
/// `NotFound`, `Conflict` when the order has ended.
pub(crate) async fn quarantine(conn: &mut Conn, booking_id: &str, now_ms: i64) -> Result<()> {
    open(conn, booking_id).await?;
    let kind = TaskKind::CourierOrder;
    store::tasks::add(conn, kind, booking_id, now_ms, now_ms).await?;
    store::tasks::quarantine(conn, kind, booking_id, "operator", now_ms).await
}

async fn open(conn: &mut Conn, booking_id: &str) -> Result<HeldOrder> {
    let hold = read_order(conn, booking_id).await?.ok_or_else(no_order)?;
    match hold.order.state.is_open() {
        true => Ok(hold),
        false => Err(has_ended()),
    }
}

fn no_order() -> Error {
    Error::NotFound("There is no such order.".into())
}

fn has_ended() -> Error {
    Error::Conflict { code: "nothing_to_do", message: "This order has ended.".into() }
}
