//! Orders at couriers: every booking ends either charged with one AWB, or not charged with none
//! (promises M8 and M9 of server/docs/money.md).
//!
//! The money is held and the order stored before the courier is called. It is called at most once.
//! When its response is lost, the order is looked up under our reference until its outcome is
//! known; until then the money is neither spent nor free.

use std::time::Duration;

use tokio::time::Instant;

use super::Bookings;
use super::courier_form::shipment_order;
use super::prepared::HeldOrder;
use crate::error::Result;
use crate::model::booking::order::confirmation::Confirmation;
use crate::model::booking::order::courier_order::{CourierOrder, CourierOrderState};
use crate::model::courier::order::{Booked, RefusedPart, Standing};
use crate::model::money::paise::Paise;
use crate::model::task::TaskEnd;
use crate::providers::courier::Courier;
use crate::providers::courier::error::CourierError;
use crate::store::{self, Conn};
use crate::{failpoints, limits};

#[derive(Debug)]
pub enum OrderOutcome {
    Booked(Booked),
    Rejected(RefusedPart, String),
    Unknown(String),
}

impl Bookings {
    /// Calls the courier for a booking whose money is held, and ends it if the response is clear.
    /// `None` when it is not, or another worker has called.
    pub(super) async fn place_order(&self, hold: HeldOrder) -> Result<Option<Confirmation>> {
        let user_id = hold.order.user_id.clone();
        failpoints::point("placing", &user_id).await;
        let courier = self.couriers.of(&hold.order.courier)?;
        let terms = self.couriers.terms(&hold.order.courier);
        let cost_max =
            terms.map_or(Paise::ZERO, |terms| terms.in_partner_terms(hold.quote.courier));
        let addresses = courier.addresses(&hold.order.service);
        let email = &self.core.company.email;
        let ask = shipment_order(&hold, cost_max, email, addresses)?;
        // Counted from before the permission: a worker that is late after it does not call.
        let deadline = Instant::now() + Duration::from_millis(limits::PROVIDER_TOTAL_MS_MAX);
        if !self.begin_call(&hold.order).await? {
            return Ok(None);
        }
        failpoints::point("calling", &user_id).await;
        let begun_order = match courier.begin(&ask, deadline).await {
            Ok(begun_order) => begun_order,
            Err(error) => {
                // In every case nothing was bought, and nothing will be.
                note(&hold.order.courier, &error);
                let outcome = OrderOutcome::Rejected(error.refused_part(), error.to_string());
                return self.end_order(hold, outcome).await;
            }
        };
        failpoints::point("begun", &user_id).await;
        let Some(hold) = self.keep_courier_id(hold, &begun_order.courier_id).await? else {
            return Ok(None);
        };
        failpoints::point("kept", &user_id).await;
        let answer = courier.buy(&ask, &begun_order, deadline).await;
        failpoints::point("called", &user_id).await;
        let outcome = match answer {
            Ok(booked) => OrderOutcome::Booked(booked),
            Err(error @ (CourierError::Unknown(_) | CourierError::NoAccess(_))) => {
                note(&hold.order.courier, &error);
                let due_ms = self.core.clock.now_ms() + limits::COURIER_LOOK_UP_MS[0];
                self.put_off_order(&hold.order, &error.to_string(), false, due_ms).await?;
                failpoints::point("put off", &user_id).await;
                tokio::time::sleep(Duration::from_millis(limits::COURIER_LOOK_UP_SOON_MS)).await;
                reconcile(&*courier, &hold.order, false).await
            }
            // A refusal may answer a request that was retried with a new token.
            Err(error) => match courier.look_up(&hold.order.numbers()).await {
                Ok(Standing::Booked(booked)) => OrderOutcome::Booked(booked),
                _ => OrderOutcome::Rejected(error.refused_part(), error.to_string()),
            },
        };
        self.end_order(hold, outcome).await
    }

    /// Stores the courier's id of the started order, which finds it again independent of the
    /// courier's search. `None` when the order has ended meanwhile: then it is not bought.
    async fn keep_courier_id(&self, mut hold: HeldOrder, id: &str) -> Result<Option<HeldOrder>> {
        hold.order.courier_id = id.to_owned();
        let order = hold.order.clone();
        let write = self.core.store.write_statement(move |conn| {
            Box::pin(async move {
                let (id, courier_id) = (&order.booking_id, &order.courier_id);
                let is_kept = store::courier_orders::keep_courier_id(conn, id, courier_id).await;
                failpoints::point("keeping", &order.user_id).await;
                is_kept
            })
        });
        Ok(write.await?.then_some(hold))
    }

    /// Takes the single permission to call the courier; `false` when it was taken before.
    async fn begin_call(&self, order: &CourierOrder) -> Result<bool> {
        let (order, now_ms) = (order.clone(), self.core.clock.now_ms());
        let write = self.core.store.write_statement(move |conn| {
            Box::pin(async move {
                let id = &order.booking_id;
                let ours = store::courier_orders::begin_call(conn, id, now_ms).await;
                failpoints::point("permitting", &order.user_id).await;
                ours
            })
        });
        write.await
    }

    /// Resumes an order after a crash or a lost response.
    pub async fn resume_order(&self, booking_id: &str) -> Result<TaskEnd> {
        let hold = read_order(&mut *self.core.store.read().await?, booking_id).await?;
        let Some(hold) = hold else {
            return Ok(TaskEnd::Done);
        };
        match hold.order.state {
            CourierOrderState::Held => match self.reason_not_to_send(&hold.order) {
                Some(reason) => self.give_up(hold.order, reason).await?,
                None => self.place_order(hold).await.map(drop)?,
            },
            CourierOrderState::Calling if failpoints::on("courier-asked-twice") => {
                self.place_order(hold).await.map(drop)?;
            }
            CourierOrderState::Calling | CourierOrderState::Unknown => self.look_up(hold).await?,
            CourierOrderState::Booked | CourierOrderState::Rejected => {}
        }
        let order = self.order_of(booking_id).await?;
        let wait_ms = limits::COURIER_LOOK_UP_MS[0];
        match order.is_some_and(|order| order.state.is_open()) {
            // Ignored if the task has another time already.
            true => Ok(TaskEnd::Again(self.core.clock.now_ms() + wait_ms)),
            false => Ok(TaskEnd::Done),
        }
    }

    pub(super) async fn order_of(&self, booking_id: &str) -> Result<Option<CourierOrder>> {
        store::courier_orders::find(&mut *self.core.store.read().await?, booking_id).await
    }

    /// Returns the reason if an order unknown to its courier must not be sent any more.
    fn reason_not_to_send(&self, order: &CourierOrder) -> Option<&'static str> {
        let age_ms = self.core.clock.now_ms() - order.created_ms;
        if failpoints::on("held-for-ever") {
            return None;
        }
        if age_ms >= limits::HELD_MS_MAX {
            return Some("it was not sent to the courier in time");
        }
        if order.cancel_wanted {
            return Some("its customer no longer wants it");
        }
        let is_offered = self.couriers.is_offered(&order.courier);
        (!is_offered).then_some("its courier is not offered any more")
    }

    async fn look_up(&self, hold: HeldOrder) -> Result<()> {
        let courier = self.couriers.of(&hold.order.courier)?;
        let asked_ago = self.core.clock.now_ms() - hold.order.called_ms;
        let settled = asked_ago >= limits::COURIER_SETTLED_MS && hold.order.looked_up > 0;
        let outcome = reconcile(&*courier, &hold.order, settled).await;
        failpoints::point("looked up", &hold.order.user_id).await;
        self.end_order(hold, outcome).await.map(drop)
    }

    /// Logs couriers that are no longer offered but have open bookings, and if they can still be
    /// called.
    pub async fn warn_of_gone_couriers(&self) -> Result<()> {
        let mut conn = self.core.store.read().await?;
        for (courier, bookings) in store::courier_orders::unfinished(&mut conn).await? {
            if self.couriers.of(&courier).is_err() {
                let warning = "a courier is not set up any more, and its bookings need an operator";
                tracing::warn!(courier, bookings, warning);
            } else if !self.couriers.is_offered(&courier) {
                let warning = "a courier is not offered any more; it is asked about its bookings";
                tracing::warn!(courier, bookings, warning);
            }
        }
        Ok(())
    }

    /// Returns the number of orders open for longer than allowed.
    pub async fn count_overdue(&self) -> Result<i64> {
        let overdue_ms = self.core.clock.now_ms() - limits::COURIER_UNKNOWN_MS_MAX;
        store::courier_orders::count_overdue(&mut *self.core.store.read().await?, overdue_ms).await
    }
}

pub(super) async fn read_order(conn: &mut Conn, booking_id: &str) -> Result<Option<HeldOrder>> {
    let Some(order) = store::courier_orders::find(conn, booking_id).await? else {
        return Ok(None);
    };
    let user_id = &order.user_id;
    let Some(booking) = store::bookings::find(conn, user_id, booking_id).await? else {
        return Ok(None);
    };
    let quote = store::quotes::find_booked(conn, user_id, &booking.quote_id).await?;
    let pickup = store::pickups::of_booking(conn, user_id, booking_id).await?;
    Ok(Some(HeldOrder { order, booking, quote, pickup }))
}

/// Looks up the order at its courier. Until `settled` it is only read, because the lost request may
/// still arrive. After that an order started and not bought is cancelled, and one that was never
/// started counts as not bought.
async fn reconcile(courier: &dyn Courier, order: &CourierOrder, settled: bool) -> OrderOutcome {
    let settled = settled || failpoints::on("look-up-cancels");
    let numbers = order.numbers();
    let standing = match courier.look_up(&numbers).await {
        Ok(standing) => standing,
        Err(error) => {
            note(courier.code(), &error);
            return OrderOutcome::Unknown(error.to_string());
        }
    };
    match standing {
        Standing::Booked(booked) => OrderOutcome::Booked(booked),
        Standing::Cancelled if settled => {
            OrderOutcome::Rejected(RefusedPart::All, "it is cancelled there".to_owned())
        }
        Standing::Begun if settled => match courier.cancel(&numbers).await {
            Ok(()) => OrderOutcome::Rejected(
                RefusedPart::All,
                "it was not bought, and is called off".to_owned(),
            ),
            Err(error) => OrderOutcome::Unknown(error.to_string()),
        },
        Standing::Unlisted if settled && numbers.courier_id.is_empty() => {
            OrderOutcome::Rejected(RefusedPart::All, "the courier has no such order".to_owned())
        }
        standing => OrderOutcome::Unknown(format!("it stands at {standing:?}")),
    }
}

/// Reports a courier that denies us access: this lasts until an operator acts.
pub(super) fn note(courier: &str, error: &CourierError) {
    if let CourierError::NoAccess(reason) = error {
        let courier = courier.to_owned();
        tracing::error!(courier, "a courier refuses our credentials: {reason}");
        metrics::counter!("dakiya_courier_access_refused_total", "courier" => courier).increment(1);
    }
}
