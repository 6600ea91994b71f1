//! Settling a courier order: the courier has the booking and the money is spent, or it has not and
//! the money is released. Each happens once, in one transaction.

use super::courier_orders::OrderOutcome;
use super::prepared::HeldOrder;
use super::{Bookings, late_orders};
use crate::error::{Error, Result};
use crate::model::booking::documents::invoice::{DocumentSeries, invoice};
use crate::model::booking::handover::handover;
use crate::model::booking::order::confirmation::Confirmation;
use crate::model::booking::order::courier_order::{CourierOrder, CourierOrderState};
use crate::model::booking::order::status::BookingStatus;
use crate::model::booking::pickup::PickupLine;
use crate::model::courier::HOUSE;
use crate::model::courier::order::{Booked, RefusedPart};
use crate::model::notice::BookingEvent;
use crate::model::settings::company::Company;
use crate::model::task::TaskKind;
use crate::services::notifications::receiver_messages;
use crate::store::courier_orders::EndedOrder;
use crate::store::{self, Conn};
use crate::{failpoints, limits};

impl Bookings {
    /// Ends the order by its courier's response, or postpones the look-up. `None` while it is not
    /// known, or when the order has ended before.
    pub(super) async fn end_order(
        &self,
        hold: HeldOrder,
        outcome: OrderOutcome,
    ) -> Result<Option<Confirmation>> {
        let (order, user_id) = (hold.order.clone(), hold.order.user_id.clone());
        failpoints::point("ending", &user_id).await;
        let now_ms = self.core.clock.now_ms();
        let ended = match outcome {
            OrderOutcome::Booked(booked) => {
                let seller = self.core.company.clone();
                let end = self.core.store.write(move |conn| {
                    Box::pin(async move { take_booked(conn, &seller, hold, booked, now_ms).await })
                });
                let ended = end.await?;
                if ended.is_none() {
                    self.call_off_again(&order.booking_id).await?;
                }
                ended
            }
            OrderOutcome::Rejected(part, reason) => {
                let courier = order.courier.clone();
                metrics::counter!("dakiya_courier_rejections_total", "courier" => courier)
                    .increment(1);
                tracing::warn!(courier = order.courier, "a booking was rejected: {reason}");
                // After a long time no request may be waiting for the outcome any more.
                let is_told = order.state != CourierOrderState::Held;
                let end = self.core.store.write(move |conn| {
                    Box::pin(async move {
                        take_rejected(conn, &order, (part, &reason), is_told, now_ms).await
                    })
                });
                end.await?
            }
            OrderOutcome::Unknown(reason) => {
                self.put_off_order(&order, &reason, true, look_up_ms(&order, now_ms)).await?;
                None
            }
        };
        failpoints::point("ended", &user_id).await;
        Ok(ended)
    }

    /// Ends an order never sent to its courier: releases the money and notifies the customer.
    pub(super) async fn give_up(&self, order: CourierOrder, reason: &'static str) -> Result<()> {
        tracing::warn!(courier = order.courier, "a booking was ended without a request: {reason}");
        let now_ms = self.core.clock.now_ms();
        let write = self.core.store.write(move |conn| {
            Box::pin(async move { give_up(conn, &order, reason, now_ms).await.map(drop) })
        });
        write.await
    }

    pub(super) async fn put_off_order(
        &self,
        order: &CourierOrder,
        reason: &str,
        looked_up: bool,
        due_ms: i64,
    ) -> Result<()> {
        tracing::warn!(courier = order.courier, "a booking's result is unknown: {reason}");
        let (order, reason) = (order.clone(), reason.to_owned());
        let write = self.core.store.write(move |conn| {
            Box::pin(async move {
                let id = &order.booking_id;
                if store::courier_orders::put_off(conn, id, &reason, looked_up).await? {
                    store::tasks::put_off(conn, TaskKind::CourierOrder, id, due_ms).await?;
                }
                failpoints::point("putting off", &order.user_id).await;
                Ok(())
            })
        });
        write.await
    }
}

/// Returns the time of the next look-up: after a pause, and not later than the moment when a
/// courier's "not found" counts.
fn look_up_ms(order: &CourierOrder, now_ms: i64) -> i64 {
    let tried = usize::try_from(order.looked_up).unwrap_or(usize::MAX);
    let waits = limits::COURIER_LOOK_UP_MS;
    let due_ms = now_ms + waits[tried.min(waits.len() - 1)];
    let settled_ms = order.called_ms + limits::COURIER_SETTLED_MS;
    match settled_ms > now_ms {
        true => due_ms.min(settled_ms),
        false => due_ms,
    }
}

/// Continues with the pickup that was stored with the booking: the courier has agreed to it with
/// the booking itself and told its number, or is asked by its task. Returns the number to show,
/// which is empty if the parcel is handed in, and the pickup.
async fn begin_pickup(
    conn: &mut Conn,
    user_id: &str,
    booking_id: &str,
    number: String,
    now_ms: i64,
) -> Result<(String, Option<PickupLine>)> {
    let Some(pickup) = store::pickups::of_booking(conn, user_id, booking_id).await? else {
        return Ok((number, None));
    };
    let id = pickup.pickup_id.as_str();
    let line = |state| Some(PickupLine::of(state, &pickup.time, now_ms));
    if number.is_empty() {
        store::tasks::add(conn, TaskKind::Pickup, id, now_ms, now_ms).await?;
        return Ok((id.to_owned(), line(pickup.state)));
    }
    let state = store::pickups::set_confirmed(conn, &pickup, (id, &number)).await?;
    Ok((number, line(state)))
}

/// Ends an open order that the courier accepted: captures the held money, stores the AWB and the
/// first event, issues the invoice, and sets the confirmation's outcome. `None` when it has ended
/// before.
pub(super) async fn take_booked(
    conn: &mut Conn,
    seller: &Company,
    mut hold: HeldOrder,
    booked: Booked,
    now_ms: i64,
) -> Result<Option<Confirmation>> {
    let is_renumbered = booked.awb != hold.booking.awb;
    hold.booking.awb = booked.awb;
    let HeldOrder { order, booking, quote, pickup } = &hold;
    let (id, user_id) = (&order.booking_id, &order.user_id);
    let (state, nothing) = (CourierOrderState::Booked, (RefusedPart::All, ""));
    let ended = store::courier_orders::end(conn, order, state, &booking.awb, nothing).await?;
    let Some(EndedOrder { cancel_wanted, is_awb_taken }) = ended else {
        return Ok(None);
    };
    if is_renumbered && is_awb_taken {
        // An operator must ask the courier which shipment it meant.
        return Err(Error::NeedsOperator {
            code: "awb_taken",
            message: "the courier gave the AWB number of another booking".into(),
        });
    }
    let mut news = vec![BookingEvent::Status(BookingStatus::BOOKED)];
    if !cancel_wanted {
        news.extend(receiver_messages::receiver_event(booking, BookingStatus::BOOKED));
    }
    // Our own couriers are not called: operators report where shipments are.
    let track = (TaskKind::Tracking, now_ms + limits::TRACK_EVERY_MS);
    let track = (order.courier != HOUSE).then_some(track);
    store::bookings::set_booked(conn, booking, &news, track, now_ms).await?;
    if cancel_wanted {
        store::bookings::begin_cancel(conn, user_id, id).await?;
        store::tasks::add(conn, TaskKind::Cancellation, id, now_ms, now_ms).await?;
    }
    let (number, line) = match pickup {
        Some(_) => begin_pickup(conn, user_id, id, booked.pickup_id, now_ms).await?,
        None => (booked.pickup_id, None),
    };
    let sentence = handover(booking, &order.courier, line.as_ref(), &seller.drop_off);
    let pickup = (number, sentence);
    let lost = || Error::internal(anyhow::anyhow!("booking {id} cannot be invoiced"));
    let user = store::users::find(conn, user_id).await?;
    let invoice = invoice(seller, &user.ok_or_else(lost)?, booking, quote, now_ms)?;
    let series = DocumentSeries::of(&invoice);
    // Last: from here on the wallet is locked, and then a series of invoices.
    store::charges::capture(conn, user_id, id, now_ms).await?.or_fail(id)?;
    let balance = store::ledger::available(conn, user_id).await?;
    let number = (&series, store::invoices::next(conn, &series).await?);
    let (invoice, outcome) = hold.number_invoice(invoice, number, pickup, balance);
    store::confirmations::keep_booked(conn, &invoice, &order.idempotency_key, &outcome).await?;
    failpoints::point("booking", user_id).await;
    Ok(Some(outcome))
}

/// Ends an order that the courier rejected, in part or as a whole: releases the held money. `None`
/// when it has ended before.
pub(super) async fn take_rejected(
    conn: &mut Conn,
    order: &CourierOrder,
    refusal: (RefusedPart, &str),
    is_told: bool,
    now_ms: i64,
) -> Result<Option<Confirmation>> {
    let state = CourierOrderState::Rejected;
    let ended = store::courier_orders::end(conn, order, state, "", refusal).await?;
    if ended.is_none() {
        return Ok(None);
    }
    late_orders::schedule_call_off(conn, order, now_ms).await?;
    let outcome = release_held(conn, order, is_told, now_ms).await?;
    failpoints::point("rejecting", &order.user_id).await;
    Ok(Some(outcome))
}

/// Ends an order whose courier was never called; `false` when it was.
pub(super) async fn give_up(
    conn: &mut Conn,
    order: &CourierOrder,
    reason: &str,
    now_ms: i64,
) -> Result<bool> {
    let ours = store::courier_orders::give_up(conn, &order.booking_id, reason).await?;
    if ours {
        release_held(conn, order, true, now_ms).await?;
    }
    Ok(ours)
}

/// Releases the held money of a booking that no courier accepted.
async fn release_held(
    conn: &mut Conn,
    order: &CourierOrder,
    is_told: bool,
    now_ms: i64,
) -> Result<Confirmation> {
    let (id, user_id) = (&order.booking_id, &order.user_id);
    store::bookings::set_status(conn, id, BookingStatus::Failed).await?;
    store::tasks::remove(conn, TaskKind::CourierOrder, id).await?;
    if let Some(pickup_id) =
        store::pickups::remove_parcel(conn, user_id, id, "left", now_ms).await?
    {
        store::pickups::drop_unasked(conn, &pickup_id).await?;
    }
    let freed = store::charges::release(conn, user_id, id, now_ms).await?;
    freed.or_fail(id)?;
    if is_told {
        let news = BookingEvent::Status(BookingStatus::Failed);
        store::notices::add(conn, id, news, now_ms).await?;
    }
    let (key, outcome) = (&order.idempotency_key, Confirmation::Refused);
    store::confirmations::set_outcome(conn, user_id, key, &outcome).await?;
    Ok(outcome)
}
