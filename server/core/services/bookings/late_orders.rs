//! Orders that ended without a shipment: rejected, or cancelled here. A courier may still accept
//! one late, so each is looked up from time to time for some days and cancelled if it appears.

use super::Bookings;
use super::courier_orders::note;
use crate::error::{Error, Result};
use crate::model::booking::order::courier_order::CourierOrder;
use crate::model::courier::HOUSE;
use crate::model::courier::order::Standing;
use crate::model::task::{TaskEnd, TaskKind};
use crate::providers::courier::error::CourierError;
use crate::store::{self, Conn};
use crate::{failpoints, limits};

/// Records that the courier must not keep the order. Belongs in the transaction that ends it.
pub(super) async fn schedule_call_off(
    conn: &mut Conn,
    order: &CourierOrder,
    now_ms: i64,
) -> Result<()> {
    if order.courier == HOUSE || failpoints::on("late-orders-forgotten") {
        return Ok(());
    }
    let (id, due_ms) = (&order.booking_id, now_ms + limits::CALL_OFF_MS[0]);
    store::courier_orders::set_abandoned(conn, id, now_ms).await?;
    store::tasks::add(conn, TaskKind::CallOff, id, due_ms, now_ms).await
}

impl Bookings {
    /// Looks up an order that ended without a shipment, and cancels it if it exists.
    ///
    /// # Errors
    /// `Provider` while its courier refuses to cancel it or does not answer.
    pub async fn call_off_task(&self, booking_id: &str) -> Result<TaskEnd> {
        let Some(order) = self.order_of(booking_id).await?.filter(|it| it.abandoned_ms > 0) else {
            return Ok(TaskEnd::Done);
        };
        failpoints::point("calling off", &order.user_id).await;
        let was_there = self.call_off(&order).await.map_err(|error| {
            note(&order.courier, &error);
            tracing::warn!(courier = order.courier, "an ended order was not cancelled: {error}");
            Error::Provider("the courier has not cancelled it yet".into())
        })?;
        let now_ms = self.core.clock.now_ms();
        if was_there {
            // An order that appeared late once may appear again.
            let id = booking_id.to_owned();
            let write = self.core.store.write(move |conn| {
                Box::pin(
                    async move { store::courier_orders::set_abandoned(conn, &id, now_ms).await },
                )
            });
            write.await?;
            return Ok(TaskEnd::Again(now_ms + limits::CALL_OFF_MS[1]));
        }
        let mut looks = limits::CALL_OFF_MS.iter();
        let next = looks.find(|wait_ms| order.abandoned_ms + **wait_ms > now_ms);
        Ok(next.map_or(TaskEnd::Done, |wait_ms| TaskEnd::Again(order.abandoned_ms + wait_ms)))
    }

    /// Cancels the order at its courier; returns true if it still existed.
    async fn call_off(&self, order: &CourierOrder) -> std::result::Result<bool, CourierError> {
        let courier = self.couriers.of(&order.courier);
        let courier = courier.map_err(|error| CourierError::NotDone(error.to_string()))?;
        let numbers = order.numbers();
        match courier.look_up(&numbers).await? {
            Standing::Cancelled | Standing::Unlisted => return Ok(false),
            Standing::Cancelling => return Ok(true),
            Standing::Booked(_) => {
                tracing::error!(courier = order.courier, "a courier carries an ended order");
            }
            Standing::Begun => {}
        }
        let cancelled = courier.cancel(&numbers).await;
        if let Err(CourierError::Refused(_)) = &cancelled {
            let courier = order.courier.clone();
            metrics::counter!("dakiya_courier_kept_orders_total", "courier" => courier)
                .increment(1);
        }
        cancelled.map(|()| true)
    }

    /// Cancels an order at its courier if it has ended here meanwhile: at once, without waiting for
    /// the next look-up.
    pub(super) async fn call_off_again(&self, booking_id: &str) -> Result<()> {
        let (kind, id) = (TaskKind::CallOff, booking_id.to_owned());
        let now_ms = self.core.clock.now_ms();
        let hurry = self.core.store.write(move |conn| {
            Box::pin(async move { store::tasks::make_due(conn, kind, &id, now_ms).await })
        });
        hurry.await.map(drop)
    }
}
