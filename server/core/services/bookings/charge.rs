//! Charging bookings: the money is held for a booking whose courier partner is called next, and
//! spent at once for our own courier, many bookings in one transaction.

use tracing::Instrument as _;

use super::Bookings;
use super::booked_drafts::refuse_booked_draft;
use super::prepared::{HeldOrder, Placed, Prepared};
use crate::error::{Error, Result};
use crate::model::booking::documents::invoice::{DocumentNumber, DocumentSeries, invoice};
use crate::model::booking::handover::handover;
use crate::model::courier::HOUSE;
use crate::model::courier::order::Booked;
use crate::model::notice::BookingEvent;
use crate::model::settings::company::Company;
use crate::model::shipping::awb;
use crate::random::random_bytes;
use crate::services::accounts::refuse_frozen;
use crate::services::booking_otp;
use crate::services::identity_documents;
use crate::services::notifications::{receiver_messages, wallet_letters};
use crate::services::pricing::quotes::off_sale;
use crate::store::bookings::{Added, Readiness};
use crate::store::charges::Withdrawal;
use crate::store::ledger::{IfBusy, Posted};
use crate::store::{self, Conn};
use crate::{failpoints, limits, trace_context};

impl Bookings {
    /// Stores a partner's booking, the held money and the request to the partner in one
    /// transaction. `None` if another request was first under its key.
    pub(super) async fn hold(&self, prepared: Prepared) -> Result<Option<HeldOrder>> {
        let node = self.core.node.clone();
        let work = async move |conn: &mut Conn| {
            let mut one = [prepared];
            let Some(ready) = claim_and_add(conn, &mut one).await? else {
                return Ok(None);
            };
            let planned: Vec<_> = one.iter().filter_map(Prepared::planned).collect();
            store::pickups::add_planned(conn, &planned).await?;
            let ([Prepared { hold, .. }], low_balance_limit) = (one, ready[0].low_balance_limit);
            store::bookings::add_asked(conn, &hold.booking, &hold.order, &node).await?;
            let charge = hold.charge()?;
            let Withdrawal { posted, balance } = store::charges::hold(conn, &charge).await?;
            if posted != Posted::Done {
                return Err(not_paid(posted));
            }
            wallet_letters::add_task_if_below(conn, &charge, balance, low_balance_limit).await?;
            failpoints::point("holding", &charge.user_id).await;
            Ok(Some(hold))
        };
        let store = &self.core.store;
        store.write(move |conn| Box::pin(work(conn))).await
    }

    /// Makes bookings of different customers with our own courier: all of them or none.
    ///
    /// # Errors
    /// For several, the error of any of them; for one, its own.
    pub(super) async fn book_all(
        &self,
        mut all: Vec<Prepared>,
        if_busy: IfBusy,
    ) -> Result<Vec<Placed>> {
        let seller = self.core.company.clone();
        let work = async move |conn: &mut Conn| match claim_and_add(conn, &mut all).await? {
            Some(ready) => spend(conn, &seller, all, ready, if_busy).await,
            None if all.len() == 1 => Ok(vec![Placed::by_other()]),
            None => Err(batch_error()),
        };
        let store = &self.core.store;
        store.write(move |conn| Box::pin(work(conn))).await
    }
}

/// Claims the confirmations' keys and adds their bookings. Returns the data that decides about
/// them; `None` when a key was claimed already.
async fn claim_and_add(conn: &mut Conn, all: &mut [Prepared]) -> Result<Option<Vec<Readiness>>> {
    let claims: Vec<_> = all.iter().map(|it| (&it.claim, it.hold.booking.created_ms)).collect();
    if !store::confirmations::claim(conn, &claims).await? {
        return Ok(None);
    }
    claim_drafts(conn, all).await?;
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
    for Prepared { hold: HeldOrder { order, booking, .. }, .. } in all {
        order.reference.clone_from(&booking.awb);
        let documents = &booking.form.read().kyc_info;
        identity_documents::record_use(conn, &order.user_id, documents, booking.created_ms).await?;
    }
    Ok(Some(ready))
}

/// Claims the drafts of bookings.
///
/// # Errors
/// `DraftBooked` if this draft was booked before; for several, any error.
async fn claim_drafts(conn: &mut Conn, all: &[Prepared]) -> Result<()> {
    let used: Vec<_> = all.iter().filter_map(Prepared::used_draft).collect();
    if used.is_empty() || store::drafts::claim(conn, &used).await? {
        return Ok(());
    }
    let [one] = all else { return Err(batch_error()) };
    refuse_booked_draft(conn, one.user_id(), &one.draft_id).await?;
    Err(Error::busy())
}

/// Adds bookings and their quotes. An AWB that is taken is replaced by a new random one.
async fn add(conn: &mut Conn, all: &mut [Prepared]) -> Result<()> {
    let fresh: Vec<_> = all.iter().map(Prepared::new_booking).collect();
    match store::bookings::add_quoted(conn, &fresh).await? {
        Added::Done => return Ok(()),
        Added::QuoteUsed => {
            return Err(Error::Conflict {
                code: "quote_used",
                message: "This booking is already confirmed. See your dashboard.".into(),
            });
        }
        Added::AwbTaken => {}
    }
    let [one] = all else { return Err(batch_error()) };
    for _ in 1..limits::AWB_DRAWS_MAX {
        one.hold.booking.awb = fresh_awb();
        if store::bookings::add(conn, &one.new_booking()).await? {
            return Ok(());
        }
    }
    Err(Error::busy())
}

/// Charges bookings of different customers with our own courier, without an earlier hold. Stores
/// their orders, issues the invoices, sets the outcomes of the confirmations, and notifies
/// customers of wallets below their limit.
///
/// # Errors
/// `ShortOfMoney` when a wallet does not cover its booking.
async fn spend(
    conn: &mut Conn,
    seller: &Company,
    mut all: Vec<Prepared>,
    ready: Vec<Readiness>,
    if_busy: IfBusy,
) -> Result<Vec<Placed>> {
    for Prepared { hold, .. } in &mut all {
        hold.order.awb = Booked::by_house(&hold.order.reference).awb;
    }
    let booked =
        all.iter().map(|Prepared { hold: HeldOrder { order, booking, .. }, span, .. }| {
            let mut news = vec![BookingEvent::Status(booking.status)];
            news.extend(receiver_messages::receiver_event(booking, booking.status));
            (booking, order, news, trace_context::of(span))
        });
    store::bookings::add_booked(conn, &booked.collect::<Vec<_>>()).await?;
    let planned: Vec<_> = all.iter().filter_map(Prepared::planned).collect();
    store::pickups::add_planned(conn, &planned).await?;
    let (mut charges, mut drafts) = (Vec::new(), Vec::new());
    for (Prepared { hold, .. }, ready) in all.iter().zip(&ready) {
        let HeldOrder { booking, quote, .. } = hold;
        drafts.push(invoice(seller, &ready.customer, booking, quote, booking.created_ms)?);
        charges.push(hold.charge()?);
    }
    let series = drafts.first().map(DocumentSeries::of).ok_or_else(batch_error)?;
    if drafts.iter().any(|draft| DocumentSeries::of(draft) != series) {
        return Err(batch_error());
    }
    let spending = store::charges::begin_spend(conn, &charges, if_busy).await?;
    let spending = spending.map_err(not_paid)?;
    let (mut invoices, mut outcomes) = (Vec::new(), Vec::new());
    // After the wallets: no transaction waits for a wallet while it has a series.
    let mut number = store::invoices::next(conn, &series).await?;
    for ((draft, Prepared { hold, .. }), balance) in
        drafts.into_iter().zip(&all).zip(&spending.balances)
    {
        let line = hold.pickup.as_ref().map(|it| it.line(hold.booking.created_ms));
        let handover = handover(&hold.booking, HOUSE, line.as_ref(), &seller.drop_off);
        let pickup_id = hold.pickup.as_ref().map_or_else(String::new, |it| it.pickup_id.clone());
        let (filed, outcome) =
            hold.number_invoice(draft, (&series, number), (pickup_id, handover), *balance);
        number = DocumentNumber::next_after(&filed);
        invoices.push(filed);
        outcomes.push((&*hold.order.idempotency_key, outcome));
    }
    let balances = spending.balances.clone();
    spending.capture(conn, &invoices, &outcomes).await?;
    for (((charge, balance), ready), one) in charges.iter().zip(balances).zip(&ready).zip(&all) {
        wallet_letters::add_task_if_below(conn, charge, balance, ready.low_balance_limit)
            .instrument(one.span.clone())
            .await?;
        failpoints::point("booking", &charge.user_id).await;
    }
    let placed = |(_, outcome)| Placed { is_ours: true, outcome: Some(outcome) };
    Ok(outcomes.into_iter().map(placed).collect())
}

/// Returns the error for bookings that cannot share a batch but may succeed one by one.
fn batch_error() -> Error {
    Error::internal(anyhow::anyhow!("these bookings do not go together"))
}

/// Returns the error for money that cannot be taken for a new booking.
fn not_paid(posted: Posted) -> Error {
    match posted {
        Posted::Refused => Error::insufficient_balance(),
        Posted::Done | Posted::Already => {
            Error::internal(anyhow::anyhow!("a fresh booking was paid"))
        }
    }
}

pub(super) fn fresh_awb() -> String {
    awb::number(u64::from_le_bytes(random_bytes()))
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
