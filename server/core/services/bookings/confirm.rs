//! Confirming a booking: check the request, hold the quoted price, send the booking to the courier,
//! and return the result.

use std::time::Duration;

use tokio::time::{Instant, sleep, timeout_at};
use tracing::Instrument as _;

use super::Bookings;
use super::addresses::check_label;
use super::booked_drafts::{in_flight, refuse_booked_draft};
use super::charge;
use super::document_numbers::seal;
use super::prepared::{HeldOrder, Placed, Prepared};
use super::price::BookedPrice;
use crate::error::{Error, Result};
use crate::model::account::session::CurrentUser;
use crate::model::booking::booking;
use crate::model::booking::form::request::BookingRequest;
use crate::model::booking::order::confirmation::{
    Claim, Confirmation, Confirmed, KnownConfirmation,
};
use crate::model::booking::order::courier_order::{CourierOrder, CourierOrderState};
use crate::model::booking::order::status::BookingStatus;
use crate::model::calendar::date_in_india;
use crate::model::courier::HOUSE;
use crate::model::courier::order::RefusedPart;
use crate::model::kyc;
use crate::model::shipping::place;
use crate::random::row_id;
use crate::services::accounts::refuse_frozen;
use crate::services::customer_limits::Budget;
use crate::services::{identity_documents, printable};
use crate::{failpoints, limits, store, trace_context};

const ADDRESS_NOT_TAKEN: &str = "The courier does not collect at this address. Nothing was \
                                 charged. Please check it: house, flat or road, and its number.";

impl Bookings {
    /// Holds the price and books the courier, once for each key: the same key and body give the
    /// same result. Without a key the same body does so for two minutes, unless its courier refused
    /// it: then nothing was booked, and the request is processed again.
    ///
    /// # Errors
    /// `Fields` for a wrong form, pickup or OTP, `OtpRequired` when one was sent, `QuoteChanged`
    /// with the fresh price when the quote expired, is for something else at another price, or was
    /// rejected by its courier, `DraftBooked` when its draft was booked under another key,
    /// `ShortOfMoney`, `KeyReused` when the key was used for another body, `Conflict` with
    /// `in_flight` while the courier has not answered.
    pub async fn confirm(
        &self,
        user: &CurrentUser,
        key: Option<&str>,
        body: &str,
    ) -> Result<Confirmed> {
        let until = Instant::now() + Duration::from_millis(limits::CONFIRM_MS_MAX);
        let claim = Claim::of(user.id(), key, body);
        let known = self.find_confirmation(&claim).await?;
        if let Some(confirmation) = known.filter(|it| !self.is_free(it, &claim)) {
            let outcome = self.outcome_of_other(confirmation, &claim, until).await?;
            self.tell_refused_address(&claim, &outcome).await?;
            return Ok(Confirmed { outcome, repeated: claim.is_body });
        }
        refuse_frozen(user.frozen_ms)?;
        let now_ms = self.core.clock.now_ms();
        self.core.budgets.take(Budget::Bookings, user.id(), now_ms)?;
        let prepared = self.prepare(user, body, &claim).await?;
        // A task of its own, which continues if the customer disconnects.
        let bookings = self.clone();
        let work = async move { bookings.charge_and_place(prepared).await };
        let work = tokio::spawn(work.in_current_span());
        let result = timeout_at(until, work).await.map_err(|_| in_flight())?;
        let Placed { is_ours, outcome } = result.map_err(Error::internal)??;
        let outcome = match outcome {
            Some(outcome) => outcome,
            // Another request was first under this key, or the courier's answer is looked up later.
            None => {
                let lost = || Error::internal(anyhow::anyhow!("a claimed key is gone"));
                let confirmation = self.find_confirmation(&claim).await?.ok_or_else(lost)?;
                self.outcome_of_other(confirmation, &claim, until).await?
            }
        };
        self.tell_refused_address(&claim, &outcome).await?;
        Ok(Confirmed { outcome, repeated: claim.is_body && !is_ours })
    }

    /// Fails with the field if the courier refused only the address where it collects.
    async fn tell_refused_address(&self, claim: &Claim, outcome: &Confirmation) -> Result<()> {
        if *outcome != Confirmation::Refused {
            return Ok(());
        }
        let (user_id, key) = (&claim.user_id, &claim.idempotency_key);
        let mut conn = self.core.store.read().await?;
        let rejection = store::courier_orders::rejection(&mut conn, user_id, key).await?;
        let Some((id, _)) = rejection.filter(|(_, part)| *part == RefusedPart::Address) else {
            return Ok(());
        };
        let booking = store::bookings::find(&mut conn, user_id, &id).await?;
        let field = booking.map(|booking| booking.form.read().pickup.address_field());
        field.map_or(Ok(()), |field| Err(Error::field(field, ADDRESS_NOT_TAKEN)))
    }

    /// Returns true if an OTP for this quote of the user was sent that can still be entered.
    pub async fn has_sent_otp(&self, user_id: &str, token: &str) -> Result<bool> {
        self.consents.has_sent_code(user_id, token).await
    }

    /// Returns true if a body may be booked again.
    fn is_free(&self, confirmation: &KnownConfirmation, claim: &Claim) -> bool {
        let age_ms = self.core.clock.now_ms() - confirmation.claimed_ms;
        claim.is_body
            && match confirmation.outcome {
                None => false,
                Some(Confirmation::Refused) => true,
                Some(Confirmation::Booked(_)) => age_ms >= limits::BODY_KEY_MS,
            }
    }

    /// Checks the request and returns its booking under its quote.
    async fn prepare(&self, user: &CurrentUser, body: &str, claim: &Claim) -> Result<Prepared> {
        let mut request = BookingRequest::parse(body)?;
        if failpoints::on("press-forgotten") {
            request.draft_id.clear();
        }
        request.check_invoice_day(date_in_india(self.core.clock.now_ms()))?;
        printable::check_booking(body, &request.details)?;
        if !request.draft_id.is_empty() {
            let mut conn = self.core.store.read().await?;
            refuse_booked_draft(&mut conn, user.id(), &request.draft_id).await?;
        }
        let BookedPrice { token, quote, product } = self.price(user, &request).await?;
        self.check_addresses_for(&request.details, &product)?;
        let pickup = self.first_pickup(user.id(), &product, &request.details)?;
        let now_ms = self.core.clock.now_ms();
        if kyc::is_needed(request.shipment.is_international(), product.needs_kyc) {
            let mut conn = self.core.store.read().await?;
            identity_documents::check(&mut conn, user.id(), &request.details.kyc_info).await?;
        }
        let consent = self.consents.check(user, &request, (&token, &quote), &product).await?;
        let booking_id = row_id(now_ms);
        let draft_id = std::mem::take(&mut request.draft_id);
        let sealed_numbers = seal(&self.vault, &booking_id, &mut request.details)?;
        let names = (booking_id, charge::fresh_awb());
        let mut booking = booking(request, &quote, &product, names, now_ms);
        let mut state = CourierOrderState::Held;
        if product.courier == HOUSE {
            // Our own courier accepts every booking.
            check_label(&booking, &quote, &self.core.company.name, self.sandbox)?;
            booking.status = BookingStatus::BOOKED;
            state = CourierOrderState::Booked;
        }
        let order = CourierOrder {
            booking_id: booking.booking_id.clone(),
            user_id: claim.user_id.clone(),
            courier: product.courier,
            service: product.service,
            idempotency_key: claim.idempotency_key.clone(),
            request_hash: claim.request_hash.clone(),
            state,
            created_ms: now_ms,
            ..CourierOrder::default()
        };
        let hold = HeldOrder { order, booking, quote, pickup };
        let (claim, span) = (claim.clone(), trace_context::here());
        Ok(Prepared { claim, draft_id, hold, consent, sealed_numbers, span })
    }

    /// Counts PIN codes of a paid booking that are in no list, for operators. The booking does not
    /// depend on it.
    async fn note_unlisted_pins(&self, pins: Vec<String>) {
        for pincode in pins {
            let now_ms = self.core.clock.now_ms();
            let count = self.core.store.write(move |conn| {
                Box::pin(async move {
                    let most = limits::UNLISTED_PINS_MAX;
                    store::rates::count_unlisted_pin(conn, &pincode, now_ms, most).await
                })
            });
            if let Err(error) = count.await {
                tracing::warn!(%error, "a PIN code that is in no list is not counted");
            }
        }
    }

    /// Spends the money for a booking with our own courier. Holds it for a partner, which is called
    /// then.
    async fn charge_and_place(&self, prepared: Prepared) -> Result<Placed> {
        let user_id = prepared.user_id().to_owned();
        let unlisted = unlisted_pins(&prepared.hold);
        if prepared.hold.order.courier == HOUSE {
            let placed = self.book_together(prepared).await?;
            self.unindexed.note_sample(&user_id);
            if placed.is_ours {
                self.note_unlisted_pins(unlisted).await;
            }
            return Ok(placed);
        }
        let held = self.hold(prepared).await?;
        self.unindexed.note_sample(&user_id);
        let Some(hold) = held else {
            return Ok(Placed::by_other());
        };
        self.note_unlisted_pins(unlisted).await;
        let booking_id = hold.order.booking_id.clone();
        failpoints::point("held", &user_id).await;
        let placed = self.place_order(hold).await;
        let outcome = placed.unwrap_or_else(|error| {
            // The money is still held: the task will resume the order.
            tracing::error!(booking = booking_id, "a booking is left to its task: {error}");
            None
        });
        Ok(Placed { is_ours: true, outcome })
    }

    async fn find_confirmation(&self, claim: &Claim) -> Result<Option<KnownConfirmation>> {
        let mut conn = self.core.store.read().await?;
        store::confirmations::find(&mut conn, &claim.user_id, &claim.idempotency_key).await
    }

    /// Waits for the result of a confirmation that another request started under this key.
    async fn outcome_of_other(
        &self,
        mut confirmation: KnownConfirmation,
        claim: &Claim,
        until: Instant,
    ) -> Result<Confirmation> {
        let mut pause = Duration::from_millis(limits::CONFIRM_LOOK_MS / 10);
        loop {
            if confirmation.request_hash != claim.request_hash {
                return Err(Error::KeyReused);
            }
            if let Some(outcome) = confirmation.outcome {
                return Ok(outcome);
            }
            if Instant::now() + pause > until {
                return Err(in_flight());
            }
            sleep(pause).await;
            pause = (pause * 2).min(Duration::from_millis(limits::CONFIRM_LOOK_MS));
            confirmation = self.find_confirmation(claim).await?.ok_or_else(in_flight)?;
        }
    }
}

/// Returns the Indian PIN codes of a booking that are in no list.
fn unlisted_pins(hold: &HeldOrder) -> Vec<String> {
    let booking = &hold.booking;
    let abroad = hold.quote.read_shipment().is_ok_and(|it| it.is_international());
    let (from, to) = (&booking.origin_pincode, &booking.destination_pincode);
    let pins = [Some(from), Some(to).filter(|_| !abroad)];
    let is_unlisted = |code: &&String| place::pin(code).is_some_and(|pin| !pin.is_listed());
    pins.into_iter().flatten().filter(is_unlisted).cloned().collect()
}
