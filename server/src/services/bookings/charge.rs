//! Charging bookings: the money is held for a booking whose courier partner is called next, and
//! spent at once for our own courier, many bookings in one transaction.

use super::Bookings;
use super::held_order::HeldOrder;
use super::prepared::{Placed, Prepared};
use super::settle::{Unpaid, apart, not_paid, spend};
use crate::error::{Error, Result};
use crate::model::booking::order::courier_order::CourierOrderState;
use crate::model::booking::order::status::BookingStatus;
use crate::model::courier::HOUSE;
use crate::model::notice::BookingEvent;
use crate::model::settings::company::Company;
use crate::model::shipping::awb;
use crate::providers::courier::house;
use crate::random::random_bytes;
use crate::services::accounts::refuse_frozen;
use crate::services::booking_otp;
use crate::services::identity_documents;
use crate::services::notifications::{receiver_messages, wallet_letters};
use crate::services::pricing::quotes::off_sale;
use crate::store::bookings::{Added, Readiness};
use crate::store::charges::Withdrawal;
use crate::store::ledger::Posted;
use crate::store::{self, Conn};
use crate::{failpoints, limits};

/// The result of the charge.
pub(super) enum ChargeOutcome {
    Held(Box<HeldOrder>),
    /// Our own courier has it; or two concurrent confirmations found no earlier one, and the other
    /// was first.
    Ended(Placed),
}

impl Bookings {
    /// Stores the booking, the held money and the request to the courier in one transaction. Our
    /// own courier is not called, so its booking ends at once.
    pub(super) async fn hold(&self, mut prepared: Prepared) -> Result<ChargeOutcome> {
        let user_id = prepared.user_id().to_owned();
        let outcome = match prepared.hold.order.courier == HOUSE {
            true => {
                // Our own courier accepts every booking.
                prepared.hold.booking.status = BookingStatus::BOOKED;
                prepared.hold.order.state = CourierOrderState::Booked;
                ChargeOutcome::Ended(self.book_together(prepared).await?)
            }
            false => self.hold_one(prepared).await?,
        };
        self.unindexed.booked(&user_id);
        Ok(outcome)
    }

    async fn hold_one(&self, prepared: Prepared) -> Result<ChargeOutcome> {
        let node = self.core.node.clone();
        let work = async move |conn: &mut Conn| {
            let mut one = [prepared];
            let Some(ready) = begin(conn, &mut one).await? else {
                return Ok(ChargeOutcome::Ended(Placed::by_other()));
            };
            let ([Prepared { mut hold, .. }], told_below) = (one, ready[0].told_below);
            let HeldOrder { order, booking, .. } = &mut hold;
            order.reference.clone_from(&booking.awb);
            store::bookings::add_asked(conn, booking, order, &node).await?;
            let charge = hold.charge()?;
            let Withdrawal { posted, left: balance } = store::charges::hold(conn, &charge).await?;
            if posted != Posted::Done {
                return Err(not_paid(posted));
            }
            wallet_letters::paid(conn, &charge, balance, told_below).await?;
            failpoints::point("holding", &charge.user_id).await;
            Ok(ChargeOutcome::Held(Box::new(hold)))
        };
        let store = &self.core.store;
        store.write(move |conn| Box::pin(work(conn))).await
    }

    /// Makes bookings of different customers with our own courier: all of them or none.
    ///
    /// # Errors
    /// For several, the error of any of them; for one, its own.
    pub(super) async fn book_all(&self, mut all: Vec<Prepared>) -> Result<Vec<Placed>> {
        let seller = self.core.company.clone();
        let work = async move |conn: &mut Conn| match begin(conn, &mut all).await? {
            Some(ready) => book(conn, &seller, all, ready).await,
            None if all.len() == 1 => Ok(vec![Placed::by_other()]),
            None => Err(apart()),
        };
        let store = &self.core.store;
        store.write(move |conn| Box::pin(work(conn))).await
    }
}

/// Claims the confirmations' keys and adds their bookings. Returns the data that decides about
/// them; `None` when a key was claimed already.
async fn begin(conn: &mut Conn, all: &mut [Prepared]) -> Result<Option<Vec<Readiness>>> {
    let claims: Vec<_> = all.iter().map(|it| (&it.claim, it.hold.booking.created_ms)).collect();
    if !store::confirmations::claim(conn, &claims).await? {
        return Ok(None);
    }
    let requests = all.iter().map(|it| (it.user_id(), it.hold.quote.product_id));
    let ready = store::bookings::readiness(conn, &requests.collect::<Vec<_>>()).await?;
    for (prepared, ready) in all.iter().zip(&ready) {
        refuse_frozen(ready.frozen_ms)?;
        if !ready.is_on_sale {
            return Err(off_sale());
        }
        let now_ms = prepared.hold.booking.created_ms;
        booking_otp::consume(conn, prepared.user_id(), &prepared.consent, now_ms).await?;
    }
    add(conn, all).await?;
    for prepared in &*all {
        let (user_id, booking) = (prepared.user_id(), &prepared.hold.booking);
        let documents = &booking.form.read().kyc_info;
        identity_documents::used(conn, user_id, documents, booking.created_ms).await?;
    }
    Ok(Some(ready))
}

/// Adds bookings and their quotes. An AWB that is taken is replaced by a new random one.
async fn add(conn: &mut Conn, all: &mut [Prepared]) -> Result<()> {
    let fresh: Vec<_> = all.iter().map(Prepared::fresh).collect();
    match store::bookings::add_quoted(conn, &fresh).await? {
        Added::Done => return Ok(()),
        Added::QuoteUsed => return Err(quote_used()),
        Added::AwbTaken => {}
    }
    let [one] = all else { return Err(apart()) };
    for _ in 1..limits::AWB_DRAWS_MAX {
        one.hold.booking.awb = fresh_awb();
        if store::bookings::add(conn, &one.fresh()).await? {
            return Ok(());
        }
    }
    Err(Error::busy())
}

/// Charges bookings that our own courier has.
async fn book(
    conn: &mut Conn,
    seller: &Company,
    all: Vec<Prepared>,
    ready: Vec<Readiness>,
) -> Result<Vec<Placed>> {
    let mut unpaid = Vec::new();
    for (Prepared { mut hold, .. }, ready) in all.into_iter().zip(ready) {
        let HeldOrder { order, booking, .. } = &mut hold;
        let booked = house::booked(&booking.awb);
        order.reference.clone_from(&booking.awb);
        order.awb = booked.awb;
        unpaid.push(Unpaid { hold, pickup_id: booked.pickup_id, ready });
    }
    let booked = unpaid.iter().map(|Unpaid { hold, .. }| {
        let HeldOrder { order, booking, .. } = hold;
        let mut news = vec![BookingEvent::Status(booking.status)];
        news.extend(receiver_messages::news(booking, booking.status));
        (booking, order, news)
    });
    store::bookings::add_booked(conn, &booked.collect::<Vec<_>>()).await?;
    let outcomes = spend(conn, seller, unpaid).await?;
    let placed = |outcome| Placed { is_ours: true, outcome: Some(outcome) };
    Ok(outcomes.into_iter().map(placed).collect())
}

pub(super) fn fresh_awb() -> String {
    awb::number(u64::from_le_bytes(random_bytes()))
}

fn quote_used() -> Error {
    Error::Conflict {
        code: "quote_used",
        message: "This quote was booked already. See your dashboard.".into(),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn the_numbers_of_a_busy_second_are_all_different_and_do_not_follow_each_other() {
        let all: Vec<String> = (0..100_000).map(|_| fresh_awb()).collect();
        assert_eq!(all.iter().collect::<HashSet<_>>().len(), all.len());
        // Numbers that can be guessed from each other have the same beginning.
        let begins: HashSet<&str> = all.iter().map(|awb| &awb[..6]).collect();
        assert!(begins.len() > 9_900, "{} of 10,000", begins.len());
    }
}
