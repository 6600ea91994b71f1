//! Settling a courier order: the courier has the booking and the money is spent, or it has not and
//! the money is released. Each happens once, in one transaction.

use super::courier_orders::OrderOutcome;
use super::held_order::HeldOrder;
use super::{Bookings, invoices, late_orders};
use crate::error::{Error, Result};
use crate::model::booking::documents::invoice::{
    DocumentFiling, DocumentNumber, DocumentSeries, Invoice, invoice,
};
use crate::model::booking::order::confirmation::{BookedShipment, Confirmation};
use crate::model::booking::order::courier_order::{CourierOrder, CourierOrderState};
use crate::model::booking::order::status::BookingStatus;
use crate::model::booking::order::tracking::first_event;
use crate::model::courier::HOUSE;
use crate::model::courier::order::Booked;
use crate::model::money::paise::Paise;
use crate::model::notice::BookingEvent;
use crate::model::settings::company::Company;
use crate::model::task::TaskKind;
use crate::services::notifications::{receiver_messages, wallet_letters};
use crate::store::bookings::Readiness;
use crate::store::ledger::Posted;
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
        let ended = match outcome {
            OrderOutcome::Booked(booked) => {
                let ended = self.book(hold, booked).await?;
                if ended.is_none() {
                    self.call_off_again(&order.booking_id).await?;
                }
                ended
            }
            OrderOutcome::Rejected(reason) => {
                let courier = order.courier.clone();
                metrics::counter!("dakiya_courier_rejections_total", "courier" => courier)
                    .increment(1);
                tracing::warn!(courier = order.courier, "a booking was rejected: {reason}");
                self.reject(order, reason).await?
            }
            OrderOutcome::Unknown(reason) => {
                let due_ms = look_up_ms(&order, self.core.clock.now_ms());
                self.put_off_order(&order, &reason, true, due_ms).await?;
                None
            }
        };
        failpoints::point("ended", &user_id).await;
        Ok(ended)
    }

    /// Ends an accepted order: captures the held money, stores the AWB and the first event, and
    /// sets the confirmation's outcome.
    async fn book(&self, hold: HeldOrder, booked: Booked) -> Result<Option<Confirmation>> {
        let (seller, now_ms) = (self.core.company.clone(), self.core.clock.now_ms());
        self.core
            .store
            .write(move |conn| {
                Box::pin(async move { take_booked(conn, &seller, hold, booked, now_ms).await })
            })
            .await
    }

    /// Ends a rejected order: releases the held money.
    async fn reject(&self, order: CourierOrder, reason: String) -> Result<Option<Confirmation>> {
        let now_ms = self.core.clock.now_ms();
        self.core
            .store
            .write(move |conn| {
                Box::pin(async move {
                    // After a long time no request may be waiting for the outcome any more.
                    let is_told = order.state != CourierOrderState::Held;
                    take_rejected(conn, &order, &reason, is_told, now_ms).await
                })
            })
            .await
    }

    /// Ends an order never sent to its courier: releases the money and notifies the customer.
    pub(super) async fn give_up(&self, order: CourierOrder, reason: &'static str) -> Result<()> {
        tracing::warn!(courier = order.courier, "a booking was given up: {reason}");
        let now_ms = self.core.clock.now_ms();
        self.core
            .store
            .write(move |conn| {
                Box::pin(async move { give_up(conn, &order, reason, now_ms).await.map(drop) })
            })
            .await
    }

    /// Schedules the next look-up of the order at `due_ms`.
    pub(super) async fn put_off_order(
        &self,
        order: &CourierOrder,
        reason: &str,
        looked_up: bool,
        due_ms: i64,
    ) -> Result<()> {
        tracing::warn!(courier = order.courier, "a booking's outcome is not known: {reason}");
        let (order, reason) = (order.clone(), reason.to_owned());
        self.core
            .store
            .write(move |conn| {
                Box::pin(async move {
                    let id = &order.booking_id;
                    if store::courier_orders::put_off(conn, id, &reason, looked_up).await? {
                        store::tasks::put_off(conn, TaskKind::CourierOrder, id, due_ms).await?;
                    }
                    failpoints::point("putting off", &order.user_id).await;
                    Ok(())
                })
            })
            .await
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

/// Ends an open order that the courier accepted: captures the held money, stores the AWB and the
/// first event, and sets the confirmation's outcome. `None` when it has ended before.
pub(super) async fn take_booked(
    conn: &mut Conn,
    seller: &Company,
    hold: HeldOrder,
    booked: Booked,
    now_ms: i64,
) -> Result<Option<Confirmation>> {
    let HeldOrder { order, mut booking, quote } = hold;
    let is_renumbered = booked.awb != booking.awb;
    booking.awb.clone_from(&booked.awb);
    let (id, user_id, awb) = (&order.booking_id, &order.user_id, &booking.awb);
    let state = CourierOrderState::Booked;
    let Some(cancel_wanted) = store::courier_orders::end(conn, &order, state, (awb, "")).await?
    else {
        return Ok(None);
    };
    if is_renumbered && store::bookings::is_awb_of_other(conn, id, awb).await? {
        return Err(awb_taken());
    }
    store::bookings::set_booked(conn, id, awb).await?;
    store::tasks::remove(conn, TaskKind::CourierOrder, id).await?;
    // Our own couriers are not called: operators report where shipments are.
    if order.courier != HOUSE {
        let track_ms = now_ms + limits::TRACK_EVERY_MS;
        store::tasks::add(conn, TaskKind::Tracking, id, track_ms, now_ms).await?;
    }
    if cancel_wanted {
        store::bookings::begin_cancel(conn, user_id, id).await?;
        store::tasks::add(conn, TaskKind::Cancellation, id, now_ms, now_ms).await?;
    } else {
        receiver_messages::note(conn, &booking, BookingStatus::BOOKED, now_ms).await?;
    }
    let hold = HeldOrder { order, booking, quote };
    let id = &hold.order.booking_id;
    store::tracking_events::add(conn, id, &first_event(&hold.booking)).await?;
    let news = BookingEvent::Status(BookingStatus::BOOKED);
    store::notices::add(conn, id, news, now_ms).await?;
    let end = BookedEnd::begin(conn, seller, &hold, now_ms).await?;
    let outcome = end.capture(conn, &hold, booked.pickup_id, now_ms).await?;
    Ok(Some(outcome))
}

/// A booking that our own courier has, and that must be charged.
pub(super) struct Unpaid {
    pub hold: HeldOrder,
    pub pickup_id: String,
    pub ready: Readiness,
}

/// Charges bookings of different customers with our own courier, without an earlier hold. Issues
/// the invoices, sets the outcomes of the confirmations, and notifies customers of wallets below
/// their limit.
///
/// # Errors
/// `ShortOfMoney` when a wallet does not cover its booking.
pub(super) async fn spend(
    conn: &mut Conn,
    seller: &Company,
    unpaid: Vec<Unpaid>,
) -> Result<Vec<Confirmation>> {
    let (mut charges, mut ends) = (Vec::new(), Vec::new());
    for Unpaid { hold, ready, .. } in &unpaid {
        let HeldOrder { booking, quote, .. } = hold;
        let now_ms = booking.created_ms;
        let invoice = invoice(seller, &ready.customer, booking, quote, now_ms)?;
        ends.push(BookedEnd { invoice });
        charges.push(hold.charge()?);
    }
    let series = ends.first().map(|end| DocumentSeries::of(&end.invoice));
    let series = series.ok_or_else(apart)?;
    let is_of_series = |end: &BookedEnd| DocumentSeries::of(&end.invoice) == series;
    if !ends.iter().all(is_of_series) {
        return Err(apart());
    }
    let spending = store::charges::begin_spend(conn, &charges, &series).await?;
    let spending = spending.map_err(not_paid)?;
    let (mut invoices, mut outcomes) = (Vec::new(), Vec::new());
    let mut number = spending.number;
    for ((end, unpaid), balance) in ends.into_iter().zip(&unpaid).zip(&spending.left) {
        let Unpaid { hold, pickup_id, .. } = unpaid;
        let (filed, outcome) = end.numbered(hold, (&series, number), pickup_id.clone(), *balance);
        number = DocumentNumber::after(&filed);
        invoices.push(filed);
        outcomes.push((&*hold.order.idempotency_key, outcome));
    }
    let balances = spending.left.clone();
    let spent = spending.invoiced(conn, &series, &invoices, &outcomes);
    spent.await?;
    for ((charge, balance), unpaid) in charges.iter().zip(balances).zip(&unpaid) {
        wallet_letters::paid(conn, charge, balance, unpaid.ready.told_below).await?;
        failpoints::point("booking", &charge.user_id).await;
    }
    Ok(outcomes.into_iter().map(|(_, outcome)| outcome).collect())
}

/// Returns the error for bookings that cannot share a batch but may succeed one by one.
pub(super) fn apart() -> Error {
    Error::internal(anyhow::anyhow!("these bookings do not go together"))
}

/// The work after a courier accepted a booking: the invoice is prepared before its money is spent,
/// and numbered with that. The books are locked meanwhile for all other writers, so everything
/// possible is prepared before.
struct BookedEnd {
    invoice: Invoice,
}

impl BookedEnd {
    /// Prepares the invoice; the caller spends the money next.
    async fn begin(
        conn: &mut Conn,
        seller: &Company,
        hold: &HeldOrder,
        now_ms: i64,
    ) -> Result<BookedEnd> {
        let (booking, quote, user_id) = (&hold.booking, &hold.quote, &hold.order.user_id);
        let invoice = invoices::of_booking(conn, seller, user_id, booking, quote, now_ms).await?;
        Ok(BookedEnd { invoice })
    }

    /// Captures the held money, stores the invoice and sets the confirmation's outcome.
    async fn capture(
        self,
        conn: &mut Conn,
        hold: &HeldOrder,
        pickup_id: String,
        now_ms: i64,
    ) -> Result<Confirmation> {
        let (id, user_id) = (&hold.order.booking_id, &hold.order.user_id);
        let spent = store::charges::capture(conn, user_id, id, now_ms).await?;
        spent.or_fail(id)?;
        let balance = store::ledger::available(conn, user_id).await?;
        let series = DocumentSeries::of(&self.invoice);
        let number = (&series, store::invoices::next(conn, &series).await?);
        let (invoice, outcome) = self.numbered(hold, number, pickup_id, balance);
        let key = &hold.order.idempotency_key;
        store::confirmations::keep_booked(conn, &invoice, key, &outcome).await?;
        failpoints::point("booking", user_id).await;
        Ok(outcome)
    }

    /// Numbers the invoice, and returns the outcome with the remaining balance.
    fn numbered(
        self,
        hold: &HeldOrder,
        (series, number): (&DocumentSeries, DocumentNumber),
        pickup_id: String,
        balance: Paise,
    ) -> ((DocumentFiling, Invoice), Confirmation) {
        let HeldOrder { order, booking, .. } = hold;
        let about = (&*order.user_id, &*order.booking_id, &*order.booking_id, "");
        let invoice = series.numbered(self.invoice, number, about);
        let shipment = BookedShipment::of(booking, pickup_id, balance);
        (invoice, Confirmation::Booked(shipment))
    }
}

/// Ends an order that the courier rejected: releases the held money. `None` when it has ended
/// before.
pub(super) async fn take_rejected(
    conn: &mut Conn,
    order: &CourierOrder,
    reason: &str,
    is_told: bool,
    now_ms: i64,
) -> Result<Option<Confirmation>> {
    let state = CourierOrderState::Rejected;
    let ended = store::courier_orders::end(conn, order, state, ("", reason)).await?;
    if ended.is_none() {
        return Ok(None);
    }
    late_orders::begin(conn, order, now_ms).await?;
    let outcome = free(conn, order, is_told, now_ms).await?;
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
        free(conn, order, true, now_ms).await?;
    }
    Ok(ours)
}

/// Releases the held money of a booking that no courier accepted.
async fn free(
    conn: &mut Conn,
    order: &CourierOrder,
    is_told: bool,
    now_ms: i64,
) -> Result<Confirmation> {
    let (id, user_id) = (&order.booking_id, &order.user_id);
    store::bookings::set_status(conn, id, BookingStatus::Failed).await?;
    store::tasks::remove(conn, TaskKind::CourierOrder, id).await?;
    let freed = store::charges::release(conn, user_id, id, now_ms).await?;
    freed.or_fail(id)?;
    if is_told {
        let news = BookingEvent::Status(BookingStatus::Failed);
        store::notices::add(conn, id, news, now_ms).await?;
    }
    let (key, outcome) = (&order.idempotency_key, Confirmation::Refused);
    store::confirmations::keep(conn, user_id, key, &outcome).await?;
    Ok(outcome)
}

/// Returns the error for money that cannot be taken for a new booking.
pub(super) fn not_paid(posted: Posted) -> Error {
    match posted {
        Posted::Refused => {
            Error::ShortOfMoney("Insufficient balance. Please recharge your wallet first.".into())
        }
        Posted::Done | Posted::Already => {
            Error::internal(anyhow::anyhow!("a fresh booking was paid"))
        }
    }
}

/// An operator must ask the courier which shipment it meant.
fn awb_taken() -> Error {
    Error::NeedsOperator {
        code: "awb_taken",
        message: "the courier gave the AWB number of another booking".into(),
    }
}
