//! Orders at couriers, listed and ended by operators.

use serde::Serialize;
use serde_json::json;

use super::users::{find_user, mask_words};
use super::{ActOutcome, Operators, check_posted_once, nothing_to_do, reason};
use crate::error::{Error, Result};
use crate::limits;
use crate::model::booking::order::courier_order::{CourierOrderState, StuckOrder};
use crate::model::booking::order::status::BookingStatus;
use crate::model::booking::{Booking, no_such_booking};
use crate::model::money::charge::Charge;
use crate::model::money::paise::Paise;
use crate::model::operator::ActResult;
use crate::services::bookings::unresolved;
use crate::services::books::carried;
use crate::store::{self, Conn, Store};

/// The order's state at the courier, as an operator learnt it.
#[derive(Clone, Debug)]
pub enum Fate {
    /// The courier has the order, under this AWB.
    Booked(String),
    /// The courier does not have the order.
    NotBooked,
    /// The courier accepts the cancellation of the booking.
    Cancelled,
    /// The courier refuses the cancellation.
    NotCancelled,
}

#[derive(Debug, Serialize)]
pub struct OrderEnded {
    pub booking: String,
    pub awb: String,
    pub status: String,
}

/// A cancelled booking that was charged again.
#[derive(Debug, Serialize)]
pub struct ChargedAgain {
    pub booking: String,
    pub user: String,
    pub amount: Paise,
    /// The amount that the customer owes us now.
    pub owed: Paise,
}

/// A booking in a list, with personal data masked.
#[derive(Debug, Serialize)]
pub struct BookingListed {
    pub booking: String,
    pub awb: String,
    pub status: BookingStatus,
    pub service: String,
    pub user: String,
    pub consignee: String,
    pub to: String,
    pub amount: Paise,
    pub created_at: i64,
}

/// Filters for bookings, newest first; a field that is `None` does not filter.
#[derive(Clone, Debug, Default)]
pub struct BookingFilter {
    /// The customer: an account's id, username or email address.
    pub user: Option<String>,
    pub status: Option<String>,
    pub limit: i64,
}

/// Returns the newest bookings, stuck or not.
///
/// # Errors
/// `NotFound` when there is no such account, `Malformed` when there is no such status.
pub async fn list(store: &Store, filter: &BookingFilter) -> Result<Vec<BookingListed>> {
    let status = filter.status.as_deref().unwrap_or_default();
    if !status.is_empty() && BookingStatus::parse(status).is_none() {
        let words = BookingStatus::words();
        return Err(Error::Malformed(format!("{status} is none of {words}.").into()));
    }
    let mut conn = store.read().await?;
    let user = match &filter.user {
        None => String::new(),
        Some(name) => find_user(&mut conn, name).await?.user_id,
    };
    let limit = filter.limit.clamp(1, limits::OPERATOR_LINES_MAX);
    let bookings = store::bookings::search(&mut conn, &user, status, limit).await?;
    Ok(bookings.into_iter().map(list_entry).collect())
}

fn list_entry((user, booking): (String, Booking)) -> BookingListed {
    BookingListed {
        booking: booking.booking_id,
        awb: booking.awb,
        status: booking.status,
        service: booking.product_name,
        user,
        consignee: mask_words(&booking.consignee_name),
        to: booking.destination_city,
        amount: booking.amount,
        created_at: booking.created_ms,
    }
}

/// Returns orders that are left to an operator or open for too long, the oldest first.
pub async fn stuck_orders(store: &Store, now_ms: i64) -> Result<Vec<StuckOrder>> {
    unresolved::list(&mut *store.read().await?, now_ms).await
}

/// Returns one order, by its booking, its AWB or our reference.
///
/// # Errors
/// `NotFound` when there is none.
pub async fn show(store: &Store, id: &str) -> Result<StuckOrder> {
    unresolved::show(&mut *store.read().await?, id).await
}

impl Operators {
    /// Ends an order, or a cancellation, by its state at the courier.
    ///
    /// # Errors
    /// `NotFound` when there is none, `Malformed` for an invalid AWB, `Conflict` when it has ended.
    pub async fn resolve(&self, id: &str, fate: Fate, why: &str) -> Result<ActResult<OrderEnded>> {
        let (id, why) = (id.to_owned(), reason(why)?);
        let (seller, now_ms) = (self.core.company.clone(), self.core.clock.now_ms());
        let fate_json = match &fate {
            Fate::Booked(awb) => json!({"booked": awb}),
            Fate::NotBooked => json!("not booked"),
            Fate::Cancelled => json!("cancelled"),
            Fate::NotCancelled => json!("not cancelled"),
        };
        let arguments = json!({"order": id, "fate": fate_json, "reason": why});
        let action = self.act("orders resolve", arguments, move |conn| {
            Box::pin(async move {
                let booking = unresolved::show(conn, &id).await?.booking_id;
                let outcome = match fate {
                    Fate::Booked(awb) => {
                        unresolved::resolve_booked(conn, &seller, &booking, &awb, now_ms).await?;
                        "Booked and charged."
                    }
                    Fate::NotBooked => {
                        unresolved::resolve_not_booked(conn, &booking, OPERATOR, now_ms).await?;
                        "Not booked; the money is free again."
                    }
                    Fate::Cancelled => {
                        unresolved::resolve_cancellation(conn, &booking, true, now_ms).await?;
                        "Cancelled and paid back."
                    }
                    Fate::NotCancelled => {
                        unresolved::resolve_cancellation(conn, &booking, false, now_ms).await?;
                        "Not cancelled; it stays booked."
                    }
                };
                ended_outcome(conn, booking, outcome).await
            })
        });
        action.await
    }

    /// Releases the money held for an order that was certainly never sent to its courier.
    ///
    /// # Errors
    /// `NotFound` when there is none, `Conflict` when it has ended or its courier may have it.
    pub async fn release(&self, id: &str, why: &str) -> Result<ActResult<OrderEnded>> {
        let (id, why, now_ms) = (id.to_owned(), reason(why)?, self.core.clock.now_ms());
        let action = self.act("orders release", json!({"order": id, "reason": why}), move |conn| {
            Box::pin(async move {
                let order = unresolved::show(conn, &id).await?;
                if order.state != CourierOrderState::Held.word() && order.called_ms > 0 {
                    return Err(nothing_to_do(
                        "Its courier was asked and may have it. Ask there, then resolve it.",
                    ));
                }
                let booking = order.booking_id;
                unresolved::resolve_not_booked(conn, &booking, OPERATOR, now_ms).await?;
                ended_outcome(conn, booking, "Not booked; the money is free again.").await
            })
        });
        action.await
    }

    /// Charges a cancelled booking again whose parcel was carried all the same, with a debit note.
    /// The customer owes what the wallet does not cover.
    ///
    /// # Errors
    /// `NotFound` when there is none, `Conflict` without a report that it was carried, or when it
    /// was charged again before.
    pub async fn charge_again(&self, id: &str, why: &str) -> Result<ActResult<ChargedAgain>> {
        let (id, by) = (id.to_owned(), self.instruction(why)?);
        let arguments = json!({"order": id, "reason": by.note});
        let action = self.act("orders charge-again", arguments, move |conn| {
            Box::pin(async move {
                let booking = store::bookings::find_id(conn, &id).await?;
                let booking = booking.ok_or_else(no_such_booking)?;
                check_posted_once(carried::charge_again(conn, &by, &booking).await)?;
                let user = store::charges::owner(conn, &booking).await?;
                let user = user.ok_or_else(no_such_booking)?;
                let charge = Charge::again_id(&booking);
                let parts = store::charges::parts_of(conn, &user, &charge).await?;
                let amount = parts.ok_or_else(no_such_booking)?.total();
                let owed = store::debts::owed(conn, &user).await?;
                Ok(ActOutcome {
                    reference: booking.clone(),
                    outcome: format!(
                        "Charged {amount} again, with a debit note; the customer owes {owed}."
                    ),
                    result: ChargedAgain { booking, user, amount, owed },
                })
            })
        });
        action.await
    }

    /// Leaves an order to operators: it is not looked up until it is retried or resolved.
    ///
    /// # Errors
    /// `NotFound` when there is none, `Conflict` when it has ended.
    pub async fn quarantine(&self, id: &str, why: &str) -> Result<ActResult<OrderEnded>> {
        let (id, why, now_ms) = (id.to_owned(), reason(why)?, self.core.clock.now_ms());
        let arguments = json!({"order": id, "reason": why});
        let action = self.act("orders quarantine", arguments, move |conn| {
            Box::pin(async move {
                let booking = unresolved::show(conn, &id).await?.booking_id;
                unresolved::quarantine(conn, &booking, now_ms).await?;
                ended_outcome(conn, booking, "Left to operators.").await
            })
        });
        action.await
    }
}

/// The reason stored with the order.
const OPERATOR: &str = "ended by an operator";

async fn ended_outcome(
    conn: &mut Conn,
    booking: String,
    outcome: &str,
) -> Result<ActOutcome<OrderEnded>> {
    let now = unresolved::show(conn, &booking).await?;
    Ok(ActOutcome {
        reference: booking.clone(),
        outcome: outcome.to_owned(),
        result: OrderEnded { booking, awb: now.awb, status: now.status },
    })
}
