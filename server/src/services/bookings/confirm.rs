//! Booking a courier: check the form, charge the quoted price once, give an AWB.

use std::time::Duration;

use serde_json::json;
use serde_json::value::to_raw_value;
use tokio::sync::oneshot;
use tokio::time::{Instant, sleep};

use super::{Bookings, invoices};
use crate::error::{Error, Result};
use crate::model::account::session::CurrentUser;
use crate::model::booking::courier_order::{CourierOrder, State};
use crate::model::booking::request::BookingRequest;
use crate::model::booking::status::BookingStatus;
use crate::model::booking::{Answer, Booking, booked_body, booking, first_event, parts};
use crate::model::digest::sha256_hex;
use crate::model::money::charge::Charge;
use crate::model::rates::quote::StoredQuote;
use crate::model::rates::terms::HOUSE;
use crate::model::shipping::awb;
use crate::providers::courier::order::Booked;
use crate::services::consents::{self, Consent};
use crate::services::identity_documents;
use crate::store::ledger::Posted;
use crate::store::{self, Conn};
use crate::{limits, mutant};

impl Bookings {
    /// Holds the quoted price and has the courier book, once for each key: the same key and body
    /// get the same answer.
    ///
    /// # Errors
    /// `Fields` for a wrong form or OTP, `OtpRequired` when one was sent, `QuoteChanged` with the
    /// fresh price when the quote expired, is for another shipment or GSTIN, or was turned down by
    /// its courier, `ShortOfMoney`, `KeyReused` when the key was used for another body, `Conflict`
    /// with `in_flight` while the courier has not answered.
    pub async fn confirm(&self, user: &CurrentUser, key: &str, body: &str) -> Result<Answer> {
        let request_hash = sha256_hex(body.as_bytes());
        let waiting = Waiting {
            bookings: self,
            user_id: user.id(),
            key,
            request_hash: &request_hash,
            until: Instant::now() + Duration::from_millis(limits::CONFIRM_MS_MAX),
        };
        if let Some(answer) = waiting.answer().await? {
            return Ok(answer);
        }
        let request = BookingRequest::parse(body)?;
        let mut conn = self.core.store.read().await?;
        let quote = store::quotes::find(&mut conn, user.id(), &request.quote_id).await?;
        let turned_down =
            store::bookings::was_turned_down(&mut conn, user.id(), &request.quote_id).await?;
        drop(conn);
        let now_ms = self.core.clock.now_ms();
        let quote = match quote {
            Some(quote) if holds(&quote, user, &request, now_ms) && !turned_down => quote,
            _ => return Err(self.requote(user, &request).await?),
        };
        let product = self.pricing.product(quote.product_id).await?;
        if request.shipment.is_international() || product.needs_kyc {
            identity_documents::check(
                &mut *self.core.store.read().await?,
                user.id(),
                &request.details.kyc_info,
            )
            .await?;
        }
        let consent = self
            .consents
            .check(user, &request, &quote, &product)
            .await?;
        let booking = booking(&request, &quote, &product, now_ms)?;
        let courier_order = CourierOrder {
            booking_id: booking.booking_id.clone(),
            user_id: user.id().to_owned(),
            courier: product.courier,
            service: product.service,
            reference: booking.awb.clone(),
            idempotency_key: key.to_owned(),
            request_hash: request_hash.clone(),
            state: State::Held,
            looked_up: 0,
            due_ms: now_ms + limits::COURIER_CALL_MS_MAX,
            called_ms: 0,
            created_ms: now_ms,
            awb: String::new(),
            cancel_wanted: false,
        };
        self.begin(booking, quote, courier_order, consent).await?;
        let lost = || Error::internal(anyhow::anyhow!("a claimed key is gone"));
        waiting.answer().await?.ok_or_else(lost)
    }

    /// Holds the money and has the courier asked, in a task of its own: it goes on when the
    /// customer hangs up. Returns when the money is held, or somebody was first under this key.
    async fn begin(
        &self,
        booking: Booking,
        quote: StoredQuote,
        order: CourierOrder,
        consent: Consent,
    ) -> Result<()> {
        let (bookings, id) = (self.clone(), booking.booking_id.clone());
        let (user_id, now_ms) = (order.user_id.clone(), booking.created_ms);
        let (tell, told) = oneshot::channel();
        tokio::spawn(async move {
            let held = bookings
                .core
                .store
                .write(move |conn| {
                    Box::pin(async move {
                        let (user_id, key) = (&order.user_id, &order.idempotency_key);
                        let hash = &order.request_hash;
                        if !store::bookings::claim_key(conn, user_id, key, hash, now_ms).await? {
                            // Two confirmations read "no answer yet"; the other one was first.
                            return Ok(false);
                        }
                        consents::consume(conn, user_id, &consent, now_ms).await?;
                        let struck = user_id.clone();
                        hold(conn, booking, &quote, order).await?;
                        mutant::point("holding", &struck).await;
                        Ok(true)
                    })
                })
                .await;
            let is_held = matches!(held, Ok(true));
            // Nobody listens when the customer has gone.
            let _ = tell.send(held.map(drop));
            if is_held {
                mutant::point("held", &user_id).await;
                if let Err(error) = bookings.place_order(&id).await {
                    tracing::error!(booking = id, "a booking stays: {error}");
                }
            }
        });
        told.await.map_err(Error::internal)?
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

    /// The courier took it: the held money is spent, the AWB and the first event are there, and the
    /// confirmation has its answer. Nothing happens when the order has ended before.
    pub async fn book(
        &self,
        order: CourierOrder,
        booking: Booking,
        booked: Booked,
    ) -> Result<bool> {
        let (seller, now_ms) = (self.core.company.clone(), self.core.clock.now_ms());
        self.core
            .store
            .write(move |conn| {
                Box::pin(async move {
                    let (id, user_id) = (&order.booking_id, &order.user_id);
                    if !store::courier_orders::end(conn, id, State::Booked, "").await? {
                        return Ok(false);
                    }
                    let booking = Booking {
                        awb: booked.awb,
                        ..booking
                    };
                    store::bookings::set_booked(conn, id, &booking.awb).await?;
                    // Our own couriers are not asked: operators tell where their shipments are.
                    let track_ms = match order.courier.as_str() {
                        HOUSE => 0,
                        _ => now_ms + limits::TRACK_EVERY_MS,
                    };
                    store::courier_orders::set_awb(conn, id, &booking.awb, track_ms).await?;
                    let spent = store::charges::capture(conn, user_id, id, now_ms).await?;
                    spent.surely(id)?;
                    invoices::issue(conn, &seller, user_id, id, now_ms).await?;
                    store::bookings::add_event(conn, &booking.awb, &first_event(&booking)).await?;
                    let status = BookingStatus::BOOKED;
                    store::notices::add(conn, &booking.awb, status, now_ms).await?;
                    let order_now = store::courier_orders::find(conn, id).await?;
                    if order_now.is_some_and(|it| it.cancel_wanted) {
                        store::bookings::begin_cancel(conn, user_id, id).await?;
                    }
                    let balance = store::ledger::available(conn, user_id).await?;
                    let body = booked_body(&booking, &booked.pickup_id, balance)?;
                    answer(conn, &order, 200, body).await?;
                    mutant::point("booking", user_id).await;
                    Ok(true)
                })
            })
            .await
    }

    /// The courier did not take it: the held money is free again. Nothing happens when the order
    /// has ended before.
    pub async fn reject(&self, order: CourierOrder, reason: String) -> Result<bool> {
        let now_ms = self.core.clock.now_ms();
        self.core.store
        .write(move |conn| {
            Box::pin(async move {
                let (id, user_id) = (&order.booking_id, &order.user_id);
                if !store::courier_orders::end(conn, id, State::Rejected, &reason).await? {
                    return Ok(false);
                }
                store::bookings::set_status(conn, id, BookingStatus::Failed).await?;
                let freed = store::charges::release(conn, user_id, id, now_ms).await?;
                freed.surely(id)?;
                if order.state != State::Held {
                    // It took so long that nobody may be waiting for the answer.
                    store::notices::add(conn, &order.reference, BookingStatus::Failed, now_ms).await?;
                }
                let refusal = json!({
                    "message": "The courier did not take this booking, and nothing was charged. \
                                Please try again or choose another service.",
                    "code": "courier_refused",
                });
                answer(conn, &order, 409, refusal.to_string()).await?;
                mutant::point("rejecting", user_id).await;
                Ok(true)
            })
        })
        .await
    }
}

/// A confirmation that waits for the answer under its key.
struct Waiting<'a> {
    bookings: &'a Bookings,
    user_id: &'a str,
    key: &'a str,
    request_hash: &'a str,
    until: Instant,
}

impl Waiting<'_> {
    /// The answer, once there is one; `None` when nobody is at it.
    async fn answer(&self) -> Result<Option<Answer>> {
        let mut pause = Duration::from_millis(limits::CONFIRM_LOOK_MS / 10);
        loop {
            let mut conn = self.bookings.core.store.read().await?;
            let found = store::bookings::answer(&mut conn, self.user_id, self.key).await?;
            drop(conn);
            match found {
                None => return Ok(None),
                Some(answer) if answer.request_hash != self.request_hash => {
                    return Err(Error::KeyReused);
                }
                Some(answer) if answer.status != 0 => return Ok(Some(answer)),
                Some(_) if Instant::now() + pause > self.until => return Err(in_flight()),
                Some(_) => sleep(pause).await,
            }
            pause = (pause * 2).min(Duration::from_millis(limits::CONFIRM_LOOK_MS));
        }
    }
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
    let same_taxpayer = quote.gstin == user.user.gstin || mutant::on("quote-outlives-gstin");
    quote.expires_ms > now_ms && same_shipment && same_taxpayer
}

/// Booking, held money and what the courier will be asked: all of it or nothing.
async fn hold(
    conn: &mut Conn,
    booking: Booking,
    quote: &StoredQuote,
    mut order: CourierOrder,
) -> Result<()> {
    let booking = &add(conn, &order.user_id, booking).await?;
    let charge = Charge {
        charge_id: booking.booking_id.clone(),
        user_id: order.user_id.clone(),
        description: format!("Courier booking {}", booking.awb),
        parts: parts(quote)?,
        created_ms: booking.created_ms,
    };
    match store::charges::hold(conn, &charge).await? {
        Posted::Done => {}
        Posted::Refused => {
            return Err(Error::ShortOfMoney(
                "Insufficient balance. Please recharge your wallet first.".into(),
            ));
        }
        Posted::Already => {
            return Err(Error::internal(anyhow::anyhow!("a fresh booking was paid")));
        }
    }
    order.reference.clone_from(&booking.awb);
    store::courier_orders::add(conn, &order).await
}

pub async fn answer(
    conn: &mut Conn,
    order: &CourierOrder,
    status: i64,
    body: String,
) -> Result<()> {
    let answer = Answer {
        request_hash: order.request_hash.clone(),
        status,
        body,
    };
    store::bookings::keep_answer(conn, &order.user_id, &order.idempotency_key, &answer).await
}

/// Adds the booking. An AWB that is taken is drawn again; a quote that is used is refused.
async fn add(conn: &mut Conn, user_id: &str, mut booking: Booking) -> Result<Booking> {
    for _ in 0..limits::AWB_DRAWS_MAX {
        if store::bookings::add(conn, user_id, &booking).await? {
            return Ok(booking);
        }
        if store::bookings::quote_is_used(conn, user_id, &booking.quote_id).await? {
            let message = "This quote was booked already. See your dashboard.".into();
            return Err(Error::Conflict {
                code: "quote_used",
                message,
            });
        }
        booking.awb = awb::fresh(booking.created_ms);
    }
    Err(Error::Busy("We are very busy. Please try again.".into()))
}
