//! Confirming a booking: check the request, hold the quoted price, have the courier book, and
//! answer what became of it. One way down and one way up.

use std::time::Duration;

use serde_json::value::to_raw_value;
use tokio::time::{Instant, sleep, timeout_at};

use super::Bookings;
use super::courier_orders::HeldOrder;
use crate::error::{Error, Result};
use crate::model::account::session::CurrentUser;
use crate::model::booking::confirmation::{Confirmation, KnownConfirmation};
use crate::model::booking::courier_order::{CourierOrder, CourierOrderState};
use crate::model::booking::request::BookingRequest;
use crate::model::booking::{Booking, booking, parts};
use crate::model::digest::sha256_hex;
use crate::model::money::charge::Charge;
use crate::model::rates::quote::StoredQuote;
use crate::model::shipping::awb;
use crate::random::{random_bytes, random_id};
use crate::services::consents::{self, Consent};
use crate::services::identity_documents;
use crate::store::ledger::Posted;
use crate::store::{self, Conn};
use crate::{fault, limits};

/// Whose confirmation it is, and what makes a repeated one the same.
#[derive(Clone, Debug)]
struct Claim {
    user_id: String,
    idempotency_key: String,
    request_hash: String,
}

/// A booking that may be made, once its money is held.
struct Prepared {
    held: HeldOrder,
    consent: Consent,
}

impl Bookings {
    /// Holds the quoted price and has the courier book, once for each key: the same key and body
    /// come to the same end.
    ///
    /// # Errors
    /// `Fields` for a wrong form or OTP, `OtpRequired` when one was sent, `QuoteChanged` with the
    /// fresh price when the quote expired, is for another shipment or GSTIN, or was turned down by
    /// its courier, `ShortOfMoney`, `KeyReused` when the key was used for another body, `Conflict`
    /// with `in_flight` while the courier has not answered.
    pub async fn confirm(&self, user: &CurrentUser, key: &str, body: &str) -> Result<Confirmation> {
        let until = Instant::now() + Duration::from_millis(limits::CONFIRM_MS_MAX);
        let claim = Claim {
            user_id: user.id().to_owned(),
            idempotency_key: key.to_owned(),
            request_hash: sha256_hex(body.as_bytes()),
        };
        if let Some(known) = self.known(&claim).await? {
            return self.outcome_of_other(known, &claim, until).await;
        }
        let prepared = self.prepare(user, body, &claim).await?;
        // On a task of its own: it goes on when the customer hangs up.
        let bookings = self.clone();
        let work = tokio::spawn(async move { bookings.hold_and_place(prepared).await });
        let done = timeout_at(until, work).await.map_err(|_| in_flight())?;
        match done.map_err(Error::internal)?? {
            Some(outcome) => Ok(outcome),
            // Somebody else was first under this key, or the courier's answer is looked up later.
            None => {
                let lost = || Error::internal(anyhow::anyhow!("a claimed key is gone"));
                let known = self.known(&claim).await?.ok_or_else(lost)?;
                self.outcome_of_other(known, &claim, until).await
            }
        }
    }

    /// The booking of this request under its quote, if all is as it must be.
    async fn prepare(&self, user: &CurrentUser, body: &str, claim: &Claim) -> Result<Prepared> {
        let request = BookingRequest::parse(body)?;
        let quote_id = &request.quote_id;
        let mut conn = self.core.store.read().await?;
        let quote = store::quotes::find(&mut conn, user.id(), quote_id).await?;
        let turned_down = store::bookings::was_turned_down(&mut conn, user.id(), quote_id).await?;
        drop(conn);
        let now_ms = self.core.clock.now_ms();
        let quote = match quote {
            Some(quote) if holds(&quote, user, &request, now_ms) && !turned_down => quote,
            _ => return Err(self.requote(user, &request).await?),
        };
        let product = self.pricing.product(quote.product_id).await?;
        if request.shipment.is_international() || product.needs_kyc {
            let mut conn = self.core.store.read().await?;
            identity_documents::check(&mut conn, user.id(), &request.details.kyc_info).await?;
        }
        let consent = self
            .consents
            .check(user, &request, &quote, &product)
            .await?;
        let numbers = (random_id(), fresh_awb(now_ms));
        let booking = booking(&request, &quote, &product, numbers, now_ms);
        let order = CourierOrder {
            booking_id: booking.booking_id.clone(),
            user_id: claim.user_id.clone(),
            courier: product.courier,
            service: product.service,
            reference: booking.awb.clone(),
            idempotency_key: claim.idempotency_key.clone(),
            request_hash: claim.request_hash.clone(),
            state: CourierOrderState::Held,
            looked_up: 0,
            due_ms: now_ms + limits::COURIER_CALL_MS_MAX,
            called_ms: 0,
            created_ms: now_ms,
            awb: String::new(),
            cancel_wanted: false,
        };
        let held = HeldOrder {
            order,
            booking,
            quote,
        };
        Ok(Prepared { held, consent })
    }

    /// Holds the money, then has the courier asked. `None` when somebody was first under this key,
    /// or the courier's answer is not known yet.
    async fn hold_and_place(&self, prepared: Prepared) -> Result<Option<Confirmation>> {
        let Some(held) = self.hold(prepared).await? else {
            return Ok(None);
        };
        let (booking_id, user_id) = (held.order.booking_id.clone(), held.order.user_id.clone());
        fault::point("held", &user_id).await;
        match self.place_order(held).await {
            Ok(outcome) => Ok(outcome),
            Err(error) => {
                // The money is held, so it is not over: the sweep goes on with it.
                tracing::error!(booking = booking_id, "a booking stays: {error}");
                Ok(None)
            }
        }
    }

    /// Booking, held money and what the courier will be asked: all of it or nothing. `None` when
    /// two confirmations read "nothing known yet" and the other one was first.
    async fn hold(&self, prepared: Prepared) -> Result<Option<HeldOrder>> {
        let work = async move |conn: &mut Conn| {
            let Prepared { mut held, consent } = prepared;
            let HeldOrder {
                order,
                booking,
                quote,
            } = &mut held;
            let (user_id, now_ms) = (order.user_id.clone(), booking.created_ms);
            let (key, hash) = (&order.idempotency_key, &order.request_hash);
            if !store::bookings::claim_key(conn, &user_id, key, hash, now_ms).await? {
                return Ok(None);
            }
            consents::consume(conn, &user_id, &consent, now_ms).await?;
            add(conn, &user_id, booking).await?;
            hold_money(conn, &user_id, booking, quote).await?;
            order.reference.clone_from(&booking.awb);
            store::courier_orders::add(conn, order).await?;
            fault::point("holding", &user_id).await;
            Ok(Some(held))
        };
        self.core
            .store
            .write(move |conn| Box::pin(work(conn)))
            .await
    }

    /// The refusal that carries the price of the day.
    async fn requote(&self, user: &CurrentUser, request: &BookingRequest) -> Result<Error> {
        let fresh = self
            .pricing
            .calculate_one(user, &request.shipment, request.product_id)
            .await?;
        let message = match fresh.is_empty() {
            true => "This service no longer takes this shipment. Please choose another.",
            false => "The price has changed. Please check the new price and confirm again.",
        };
        let data = to_raw_value(&fresh).map_err(Error::internal)?;
        Ok(Error::QuoteChanged {
            message: message.into(),
            data,
        })
    }

    async fn known(&self, claim: &Claim) -> Result<Option<KnownConfirmation>> {
        let mut conn = self.core.store.read().await?;
        store::bookings::confirmation(&mut conn, &claim.user_id, &claim.idempotency_key).await
    }

    /// Waits for the end of a confirmation that another request began under this key.
    async fn outcome_of_other(
        &self,
        mut known: KnownConfirmation,
        claim: &Claim,
        until: Instant,
    ) -> Result<Confirmation> {
        let mut pause = Duration::from_millis(limits::CONFIRM_LOOK_MS / 10);
        loop {
            if known.request_hash != claim.request_hash {
                return Err(Error::KeyReused);
            }
            if let Some(outcome) = known.outcome {
                return Ok(outcome);
            }
            if Instant::now() + pause > until {
                return Err(in_flight());
            }
            sleep(pause).await;
            pause = (pause * 2).min(Duration::from_millis(limits::CONFIRM_LOOK_MS));
            known = self.known(claim).await?.ok_or_else(in_flight)?;
        }
    }
}

fn fresh_awb(now_ms: i64) -> String {
    awb::number(now_ms, u32::from_le_bytes(random_bytes()))
}

fn in_flight() -> Error {
    let message = "We are confirming this with the courier. Your money is set aside and not spent.";
    Error::Conflict {
        code: "in_flight",
        message: message.into(),
    }
}

fn holds(quote: &StoredQuote, user: &CurrentUser, request: &BookingRequest, now_ms: i64) -> bool {
    let same_shipment = quote.shipment_hash == request.shipment.fingerprint();
    // Another registration may call for other taxes, and must stand on the invoice.
    let same_taxpayer = quote.gstin == user.user.gstin || fault::on("quote-outlives-gstin");
    quote.expires_ms > now_ms && same_shipment && same_taxpayer
}

async fn hold_money(
    conn: &mut Conn,
    user_id: &str,
    booking: &Booking,
    quote: &StoredQuote,
) -> Result<()> {
    let charge = Charge {
        charge_id: booking.booking_id.clone(),
        user_id: user_id.to_owned(),
        description: format!("Courier booking {}", booking.awb),
        parts: parts(quote)?,
        created_ms: booking.created_ms,
    };
    match store::charges::hold(conn, &charge).await? {
        Posted::Done => Ok(()),
        Posted::Refused => Err(Error::ShortOfMoney(
            "Insufficient balance. Please recharge your wallet first.".into(),
        )),
        Posted::Already => Err(Error::internal(anyhow::anyhow!("a fresh booking was paid"))),
    }
}

/// Adds the booking. An AWB that is taken is drawn again; a quote that is used is refused.
async fn add(conn: &mut Conn, user_id: &str, booking: &mut Booking) -> Result<()> {
    for _ in 0..limits::AWB_DRAWS_MAX {
        if store::bookings::add(conn, user_id, booking).await? {
            return Ok(());
        }
        if store::bookings::quote_is_used(conn, user_id, &booking.quote_id).await? {
            let message = "This quote was booked already. See your dashboard.".into();
            return Err(Error::Conflict {
                code: "quote_used",
                message,
            });
        }
        booking.awb = fresh_awb(booking.created_ms);
    }
    Err(Error::Busy("We are very busy. Please try again.".into()))
}
