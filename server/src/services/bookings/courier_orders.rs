//! Asking a courier, so that every booking ends as exactly one of: charged with one AWB, or not
//! charged with none (reliability.md M8, M9).
//!
//! The money is held and the order written down before the courier is asked. It is asked at most
//! once. When its answer is lost, the order is looked up under our reference until its fate is
//! known; in between the money is neither spent nor free.

use std::time::Duration;

use tokio::time::Instant;

use super::Bookings;
use super::courier_form::courier_form;
use crate::clock::moment_in_figures;
use crate::error::{Error, Result};
use crate::model::booking::Booking;
use crate::model::booking::courier_order::{CourierOrder, State};
use crate::model::money::paise::Paise;
use crate::providers::courier::order::{Booked, Order};
use crate::providers::courier::{Courier, CourierError};
use crate::services::each::each;
use crate::{limits, mutant, store};

/// What a courier's answer, or the lack of one, means for an order.
enum Fate {
    Booked(Booked),
    Rejected(String),
    Unknown(String),
}

impl Bookings {
    /// Asks the courier for a booking whose money is held, and ends it if the answer is clear.
    /// Whoever calls this second finds that it was done.
    pub async fn place_order(&self, booking_id: &str) -> Result<()> {
        let Some((order, booking)) = self.read_order(booking_id).await? else {
            return Ok(());
        };
        mutant::point("read", &order.user_id).await;
        let courier = self.couriers.of(&order.courier)?;
        let ask = self.courier_request(&order, &booking).await?;
        // Counted from before the permission: whoever comes too late after it does not ask.
        let deadline = Instant::now() + Duration::from_millis(limits::PROVIDER_TOTAL_MS_MAX);
        let (asked, now_ms) = (order.clone(), self.core.clock.now_ms());
        let due_ms = now_ms + limits::COURIER_CALL_MS_MAX;
        let ours = self
            .core
            .store
            .write(move |conn| {
                Box::pin(async move {
                    let id = &asked.booking_id;
                    let ours = store::courier_orders::begin_call(conn, id, now_ms, due_ms).await;
                    mutant::point("permitting", &asked.user_id).await;
                    ours
                })
            })
            .await?;
        if !ours {
            return Ok(());
        }
        mutant::point("calling", &order.user_id).await;
        let answer = courier.book(&ask, deadline).await;
        mutant::point("called", &order.user_id).await;
        let fate = match answer {
            Ok(booked) => Fate::Booked(booked),
            Err(CourierError::Unknown(reason)) => {
                self.put_off_order(&order, &reason, limits::COURIER_LOOK_UP_MS[0])
                    .await?;
                mutant::point("put off", &order.user_id).await;
                tokio::time::sleep(Duration::from_millis(limits::COURIER_LOOK_UP_SOON_MS)).await;
                look_up(&*courier, &ask, false).await
            }
            Err(error) => Fate::Rejected(error.to_string()),
        };
        self.end_order(&order, &booking, fate).await
    }

    /// Goes on with what was left: by a process that died, or an answer that was lost.
    pub async fn resume_order(&self, booking_id: &str) -> Result<()> {
        let Some((order, booking)) = self.read_order(booking_id).await? else {
            return Ok(());
        };
        match order.state {
            State::Held => return self.place_order(booking_id).await,
            State::Calling if mutant::on("courier-asked-twice") => {
                return self.place_order(booking_id).await;
            }
            State::Calling | State::Unknown => {}
            State::Booked | State::Rejected => return Ok(()),
        }
        let courier = self.couriers.of(&order.courier)?;
        let ask = self.courier_request(&order, &booking).await?;
        let asked_ago = self.core.clock.now_ms() - order.called_ms;
        let settled = asked_ago >= limits::COURIER_SETTLED_MS && order.looked_up > 0;
        let fate = look_up(&*courier, &ask, settled).await;
        mutant::point("looked up", &order.user_id).await;
        self.end_order(&order, &booking, fate).await
    }

    /// Goes on with every order that is due, several at a time. Answers how many wait longer than
    /// they should: those need a person.
    pub async fn resume_due(&self) -> Result<i64> {
        let now_ms = self.core.clock.now_ms();
        let mut conn = self.core.store.read().await?;
        let due = store::courier_orders::due(&mut conn, now_ms, limits::SWEEP_BATCH).await?;
        let overdue_ms = now_ms - limits::COURIER_UNKNOWN_MS_MAX;
        let overdue = store::courier_orders::overdue(&mut conn, overdue_ms).await?;
        drop(conn);
        each(due, limits::SWEEP_ASKED_MAX, |order: CourierOrder| {
            let service = self.clone();
            async move {
                if let Err(error) = service.resume_order(&order.booking_id).await {
                    tracing::error!(booking = order.booking_id, "a courier order stays: {error}");
                }
            }
        })
        .await;
        Ok(overdue)
    }

    async fn read_order(&self, booking_id: &str) -> Result<Option<(CourierOrder, Booking)>> {
        let mut conn = self.core.store.read().await?;
        let Some(order) = store::courier_orders::find(&mut conn, booking_id).await? else {
            return Ok(None);
        };
        let booking = store::bookings::find(&mut conn, &order.user_id, booking_id).await?;
        Ok(booking.map(|booking| (order, booking)))
    }

    /// The booking in the courier's words.
    async fn courier_request(&self, order: &CourierOrder, booking: &Booking) -> Result<Order> {
        let mut conn = self.core.store.read().await?;
        let quote = store::quotes::find(&mut conn, &order.user_id, &booking.quote_id).await?;
        let quote =
            quote.ok_or_else(|| Error::internal(anyhow::anyhow!("a booking has no quote")))?;
        let shipment = serde_json::from_str(&quote.shipment).map_err(Error::internal)?;
        let form = courier_form(&booking.form(), &shipment, &self.core.company.email);
        let terms = self.couriers.terms(&order.courier);
        Ok(Order {
            reference: order.reference.clone(),
            service: order.service.clone(),
            shipment,
            shipper: form.shipper,
            receiver: form.receiver,
            contents: form.contents,
            date: moment_in_figures(order.created_ms),
            cost_max: terms.map_or(Paise::ZERO, |terms| terms.named(quote.courier)),
        })
    }

    async fn end_order(&self, order: &CourierOrder, booking: &Booking, fate: Fate) -> Result<()> {
        let (order, booking) = (order.clone(), booking.clone());
        let user_id = order.user_id.clone();
        mutant::point("ending", &user_id).await;
        match fate {
            Fate::Booked(booked) => {
                let ended = self.book(order.clone(), booking, booked).await?;
                if !ended {
                    self.call_off_late_order(&order).await?;
                }
            }
            Fate::Rejected(reason) => {
                metrics::counter!("dakiya_courier_rejections", "courier" => order.courier.clone())
                    .increment(1);
                tracing::warn!(courier = order.courier, "a booking was rejected: {reason}");
                self.reject(order, reason).await?;
            }
            Fate::Unknown(reason) => {
                let tried = usize::try_from(order.looked_up).unwrap_or(usize::MAX);
                let waits = limits::COURIER_LOOK_UP_MS;
                self.put_off_order(&order, &reason, waits[tried.min(waits.len() - 1)])
                    .await?;
            }
        }
        mutant::point("ended", &user_id).await;
        Ok(())
    }

    /// An order that was rejected because the courier did not know it, and then did after all.
    async fn call_off_late_order(&self, order: &CourierOrder) -> Result<()> {
        let Some((now, _)) = self.read_order(&order.booking_id).await? else {
            return Ok(());
        };
        if now.state == State::Rejected {
            tracing::error!(courier = order.courier, "a rejected booking was made late");
            let courier = self.couriers.of(&order.courier)?;
            if let Err(error) = courier.cancel(&order.reference).await {
                tracing::error!(
                    reference = order.reference,
                    "and cannot be cancelled: {error}"
                );
            }
        }
        Ok(())
    }

    async fn put_off_order(&self, order: &CourierOrder, reason: &str, wait_ms: i64) -> Result<()> {
        tracing::warn!(
            courier = order.courier,
            "a booking's fate is not known: {reason}"
        );
        let (order, reason) = (order.clone(), reason.to_owned());
        let due_ms = self.core.clock.now_ms() + wait_ms;
        self.core
            .store
            .write(move |conn| {
                Box::pin(async move {
                    let id = &order.booking_id;
                    store::courier_orders::put_off(conn, id, &reason, due_ms).await?;
                    mutant::point("putting off", &order.user_id).await;
                    Ok(())
                })
            })
            .await
    }
}

/// What the courier knows of our reference. That it knows nothing counts only when it had time:
/// the lost request may still be on its way.
async fn look_up(courier: &dyn Courier, ask: &Order, settled: bool) -> Fate {
    match courier.find(ask).await {
        Ok(Some(booked)) => Fate::Booked(booked),
        Ok(None) if settled => Fate::Rejected("the courier has no such order".to_owned()),
        Ok(None) => Fate::Unknown("the courier has no such order yet".to_owned()),
        Err(error) => Fate::Unknown(error.to_string()),
    }
}
