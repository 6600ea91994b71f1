//! Orders that ended without a shipment: rejected or cancelled here. A courier may take one late all
//! the same, so each is looked up now and then for some days and called off whenever it turns up.

use super::Bookings;
use super::courier_orders::note;
use crate::error::Result;
use crate::model::booking::courier_order::{CourierOrder, CourierOrderState};
use crate::model::booking::status::BookingStatus;
use crate::model::courier::HOUSE;
use crate::model::courier::order::Standing;
use crate::providers::courier::CourierError;
use crate::services::each::each;
use crate::store::{self, Conn};
use crate::{fault, limits};

/// Writes down that an order is to be called off. Belongs into the transaction that ends it.
pub(super) async fn begin(conn: &mut Conn, order: &CourierOrder, now_ms: i64) -> Result<()> {
    if order.courier == HOUSE || fault::on("late-orders-forgotten") {
        return Ok(());
    }
    let due_ms = now_ms + limits::CALL_OFF_MS[0];
    store::courier_orders::call_off_at(conn, &order.booking_id, 0, due_ms).await
}

impl Bookings {
    /// Looks up every order that is due, several at a time. Answers how many are carried although
    /// they ended here, and do not let themselves be called off: those need a person.
    pub async fn call_off_due(&self) -> Result<()> {
        let now_ms = self.core.clock.now_ms();
        let mut conn = self.core.store.read().await?;
        let due = store::courier_orders::to_call_off(&mut conn, now_ms, limits::SWEEP_BATCH);
        let due = due.await?;
        drop(conn);
        each(due, limits::SWEEP_ASKED_MAX, |order: CourierOrder| {
            let bookings = self.clone();
            async move { bookings.call_off(order).await }
        })
        .await;
        Ok(())
    }

    /// An order turned up of which we are told that it is carried: should it have ended here, it is
    /// called off at once.
    pub(super) async fn call_off_again(&self, booking_id: &str) -> Result<()> {
        let Some(now) = self.read_order(booking_id).await? else {
            return Ok(());
        };
        let is_over = now.order.state == CourierOrderState::Rejected
            || now.booking.status == BookingStatus::CANCELLED;
        if is_over {
            let (order, now_ms) = (now.order.clone(), self.core.clock.now_ms());
            let again = self
                .core
                .store
                .write(move |conn| Box::pin(async move { begin(conn, &order, now_ms).await }));
            again.await?;
            self.call_off(now.order).await;
        }
        Ok(())
    }

    /// Looks an order up that ended, and calls it off if it is there. What fails is tried again.
    pub(super) async fn call_off(&self, order: CourierOrder) {
        if order.courier == HOUSE {
            return;
        }
        if let Err(error) = self.try_to_call_off(&order).await {
            tracing::error!(
                booking = order.booking_id,
                "it is called off later: {error}"
            );
        }
    }

    async fn try_to_call_off(&self, order: &CourierOrder) -> Result<()> {
        fault::point("calling off", &order.user_id).await;
        let courier = self.couriers.of(&order.courier)?;
        let numbers = order.numbers();
        let gone = match courier.look_up(&numbers).await {
            Ok(Standing::Cancelled | Standing::Unlisted) => Ok(true),
            Ok(Standing::Booked(_)) => {
                tracing::error!(courier = order.courier, "an order that ended is carried");
                courier.cancel(&numbers).await.map(|()| false)
            }
            Ok(Standing::Begun) => courier.cancel(&numbers).await.map(|()| false),
            Ok(Standing::Cancelling) => Ok(false),
            Err(error) => Err(error),
        };
        fault::point("looked for", &order.user_id).await;
        let waits = limits::CALL_OFF_MS;
        let tries = match &gone {
            // Seen alive: from now on it is looked up as often as at first.
            Ok(false) => 1,
            Ok(true) | Err(_) => order.call_off_tries + 1,
        };
        if let Err(error) = &gone {
            note(&order.courier, error);
            tracing::warn!(courier = order.courier, "not called off: {error}");
            let courier = order.courier.clone();
            if matches!(error, CourierError::Refused(_)) {
                metrics::counter!("dakiya_courier_kept_orders_total", "courier" => courier)
                    .increment(1);
            }
        }
        let at = usize::try_from(tries).unwrap_or(usize::MAX);
        let wait_ms = waits.get(at).copied();
        // What was not seen to be gone is never given up.
        let wait_ms = wait_ms.or(gone.is_err().then_some(waits[waits.len() - 1]));
        let due_ms = wait_ms.map_or(0, |wait_ms| self.core.clock.now_ms() + wait_ms);
        let id = order.booking_id.clone();
        let put_off = self.core.store.write(move |conn| {
            Box::pin(
                async move { store::courier_orders::call_off_at(conn, &id, tries, due_ms).await },
            )
        });
        put_off.await
    }
}
