//! The end of a courier order: the courier has the booking and the money is spent, or it has not
//! and the money is free again. Each happens once, in one transaction.

use super::courier_orders::{HeldOrder, Outcome};
use super::{Bookings, call_offs, invoices};
use crate::error::Result;
use crate::model::booking::confirmation::{BookedShipment, Confirmation};
use crate::model::booking::courier_order::{CourierOrder, CourierOrderState};
use crate::model::booking::status::BookingStatus;
use crate::model::booking::{Booking, first_event};
use crate::model::courier::HOUSE;
use crate::model::courier::order::Booked;
use crate::model::notice::News;
use crate::{fault, limits, store};

impl Bookings {
    /// Ends the order as its courier answered, or puts off looking for the answer. `None` while
    /// it is not known, or when the order has ended before.
    pub(super) async fn end_order(
        &self,
        held: HeldOrder,
        outcome: Outcome,
    ) -> Result<Option<Confirmation>> {
        let (order, user_id) = (held.order.clone(), held.order.user_id.clone());
        fault::point("ending", &user_id).await;
        let ended = match outcome {
            Outcome::Booked(booked) => {
                let ended = self.book(held, booked).await?;
                if ended.is_none() {
                    // It may have been rejected meanwhile: then it has no business there.
                    self.call_off_again(&order.booking_id).await?;
                }
                ended
            }
            Outcome::Rejected(reason) => {
                let courier = order.courier.clone();
                metrics::counter!("dakiya_courier_rejections_total", "courier" => courier)
                    .increment(1);
                tracing::warn!(courier = order.courier, "a booking was rejected: {reason}");
                let ended = self.reject(order.clone(), reason).await?;
                if ended.is_some() {
                    // The customer need not wait for it, and a later round would do it as well.
                    let bookings = self.clone();
                    tokio::spawn(async move { bookings.call_off(order).await });
                }
                ended
            }
            Outcome::Unknown(reason) => {
                let tried = usize::try_from(order.looked_up).unwrap_or(usize::MAX);
                let waits = limits::COURIER_LOOK_UP_MS;
                let wait_ms = waits[tried.min(waits.len() - 1)];
                self.put_off_order(&order, &reason, wait_ms).await?;
                None
            }
        };
        fault::point("ended", &user_id).await;
        Ok(ended)
    }

    /// The courier took it: the held money is spent, the AWB and the first event are there, and
    /// the confirmation has its outcome.
    async fn book(&self, held: HeldOrder, booked: Booked) -> Result<Option<Confirmation>> {
        let (seller, now_ms) = (self.core.company.clone(), self.core.clock.now_ms());
        let HeldOrder {
            order,
            booking,
            quote,
        } = held;
        let booking = Booking {
            awb: booked.awb,
            ..booking
        };
        // Our own couriers are not asked: operators tell where their shipments are.
        let track_ms = match order.courier.as_str() {
            HOUSE => 0,
            _ => now_ms + limits::TRACK_EVERY_MS,
        };
        self.core
            .store
            .write(move |conn| {
                Box::pin(async move {
                    let (id, user_id, awb) = (&order.booking_id, &order.user_id, &booking.awb);
                    let state = CourierOrderState::Booked;
                    let Some(cancel_wanted) =
                        store::courier_orders::end(conn, &order, state, "").await?
                    else {
                        return Ok(None);
                    };
                    store::bookings::set_booked(conn, id, awb).await?;
                    store::courier_orders::set_awb(conn, id, awb, track_ms).await?;
                    let spent = store::charges::capture(conn, user_id, id, now_ms).await?;
                    spent.surely(id)?;
                    invoices::issue(conn, &seller, user_id, &booking, &quote, now_ms).await?;
                    store::bookings::add_event(conn, awb, &first_event(&booking)).await?;
                    let news = News::Status(BookingStatus::BOOKED);
                    store::notices::add(conn, awb, news, now_ms).await?;
                    if cancel_wanted {
                        store::bookings::begin_cancel(conn, user_id, id).await?;
                    }
                    let balance = store::ledger::available(conn, user_id).await?;
                    let shipment = BookedShipment::of(&booking, booked.pickup_id, balance);
                    let outcome = Confirmation::Booked(shipment);
                    let key = &order.idempotency_key;
                    store::bookings::keep_confirmation(conn, user_id, key, &outcome).await?;
                    fault::point("booking", user_id).await;
                    Ok(Some(outcome))
                })
            })
            .await
    }

    /// The courier did not take it: the held money is free again.
    async fn reject(&self, order: CourierOrder, reason: String) -> Result<Option<Confirmation>> {
        let now_ms = self.core.clock.now_ms();
        self.core
            .store
            .write(move |conn| {
                Box::pin(async move {
                    let (id, user_id) = (&order.booking_id, &order.user_id);
                    let state = CourierOrderState::Rejected;
                    let ended = store::courier_orders::end(conn, &order, state, &reason).await?;
                    if ended.is_none() {
                        return Ok(None);
                    }
                    store::bookings::set_status(conn, id, BookingStatus::Failed).await?;
                    let freed = store::charges::release(conn, user_id, id, now_ms).await?;
                    freed.surely(id)?;
                    if order.state != CourierOrderState::Held {
                        // It took so long that nobody may be waiting for the outcome.
                        let news = News::Status(BookingStatus::Failed);
                        store::notices::add(conn, &order.reference, news, now_ms).await?;
                    }
                    call_offs::begin(conn, &order, now_ms).await?;
                    let (key, outcome) = (&order.idempotency_key, Confirmation::Refused);
                    store::bookings::keep_confirmation(conn, user_id, key, &outcome).await?;
                    fault::point("rejecting", user_id).await;
                    Ok(Some(outcome))
                })
            })
            .await
    }

    /// Looks for the courier's answer again after a while.
    pub(super) async fn put_off_order(
        &self,
        order: &CourierOrder,
        reason: &str,
        wait_ms: i64,
    ) -> Result<()> {
        tracing::warn!(
            courier = order.courier,
            "a booking's outcome is not known: {reason}"
        );
        let (order, reason) = (order.clone(), reason.to_owned());
        let due_ms = self.core.clock.now_ms() + wait_ms;
        self.core
            .store
            .write(move |conn| {
                Box::pin(async move {
                    let id = &order.booking_id;
                    store::courier_orders::put_off(conn, id, &reason, due_ms).await?;
                    fault::point("putting off", &order.user_id).await;
                    Ok(())
                })
            })
            .await
    }
}
