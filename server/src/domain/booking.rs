//! Booking a courier: check the form, charge the quoted price once, give an AWB.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::json;
use serde_json::value::{RawValue, to_raw_value};
use tokio::sync::oneshot;
use tokio::time::{Instant, sleep};

use super::booking_form::Order;
use super::charge::{Charge, Parts};
use super::courier_order::{self, CourierOrder, State};
use super::ids::{random_id, sha256_hex};
use super::money::Paise;
use super::otp::{self, Consent};
use super::quote::{self, StoredQuote};
use super::rate::{Grams, Product};
use super::session::CurrentUser;
use super::stage::Stage;
use super::tracking::Event;
use super::{awb, invoice, kyc, place};
use crate::app::App;
use crate::error::{Error, Result};
use crate::limits;
use crate::model::courier::HOUSE;
use crate::model::courier::order::Booked;
use crate::mutant;
use crate::store;
use crate::store::Conn;
use crate::store::ledger::Posted;

/// The status of a booking that waits for its courier.
pub const PENDING: &str = "pending";
/// The status of a booking that its courier did not take. Nothing was charged for it.
pub const FAILED: &str = "failed";

/// A courier booked, or about to be.
#[derive(Clone, Debug)]
pub struct Booking {
    pub booking_id: String,
    pub awb: String,
    pub status: String,
    pub quote_id: String,
    pub product_id: i64,
    pub product_name: String,
    pub courier_code: String,
    pub consignee_name: String,
    pub origin_pincode: String,
    pub origin_city: String,
    pub destination_pincode: String,
    pub destination_city: String,
    /// Actual weight of all pieces.
    pub weight: Grams,
    /// What the customer was charged, with GST.
    pub amount: Paise,
    /// The whole form as JSON.
    pub details: String,
    pub created_ms: i64,
}

/// The answer given to an idempotency key.
#[derive(Clone, Debug)]
pub struct Answer {
    pub request_hash: String,
    pub status: i64,
    pub body: String,
}

/// What a booking answers (specification section 3, Booking result).
#[derive(Serialize)]
struct BookedAnswer<'a> {
    message: &'a str,
    data: [BookedItem<'a>; 1],
}

#[derive(Serialize)]
struct BookedItem<'a> {
    airwaybilno: &'a str,
    booking_id: &'a str,
    pickup_id: &'a str,
    /// The label.
    dispatch_url: String,
    invoice_url: String,
    amount: Paise,
    balance: Paise,
}

/// Holds the quoted price and has the courier book, once for each key: the same key and body get
/// the same answer.
///
/// # Errors
/// `Fields` for a wrong form or OTP, `OtpRequired` when one was sent, `QuoteChanged` with the fresh
/// price when the quote expired, is for another shipment or GSTIN, or was turned down by its
/// courier, `ShortOfMoney`, `KeyReused` when the key was used for another body, `Conflict` with
/// `in_flight` while the courier has not answered.
pub async fn confirm(app: &App, user: &CurrentUser, key: &str, body: &str) -> Result<Answer> {
    let request_hash = sha256_hex(body.as_bytes());
    let waiting = Waiting {
        app,
        user_id: user.id(),
        key,
        request_hash: &request_hash,
        until: Instant::now() + Duration::from_millis(limits::CONFIRM_MS_MAX),
    };
    if let Some(answer) = waiting.answer().await? {
        return Ok(answer);
    }
    let order = Order::parse(body)?;
    let mut conn = app.store.read().await?;
    let quote = store::quotes::find(&mut conn, user.id(), &order.quote_id).await?;
    let turned_down =
        store::bookings::was_turned_down(&mut conn, user.id(), &order.quote_id).await?;
    drop(conn);
    let now_ms = app.clock.now_ms();
    let quote = match quote {
        Some(quote) if holds(&quote, user, &order, now_ms) && !turned_down => quote,
        _ => return Err(requote(app, user, &order).await?),
    };
    let product = quote::product(app, quote.product_id).await?;
    if order.shipment.is_international() || product.needs_kyc {
        kyc::check(&mut *app.store.read().await?, user.id(), &order.kyc_info).await?;
    }
    let consent = otp::check(app, user, &order, &quote, &product).await?;
    let booking = booking(&order, &quote, &product, now_ms)?;
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
    begin(app, booking, quote, courier_order, consent).await?;
    let lost = || Error::internal(anyhow::anyhow!("a claimed key is gone"));
    waiting.answer().await?.ok_or_else(lost)
}

/// Holds the money and has the courier asked, in a task of its own: it goes on when the customer
/// hangs up. Returns when the money is held, or somebody was first under this key.
async fn begin(
    app: &App,
    booking: Booking,
    quote: StoredQuote,
    order: CourierOrder,
    consent: Consent,
) -> Result<()> {
    let (app, id) = (app.clone(), booking.booking_id.clone());
    let (user_id, now_ms) = (order.user_id.clone(), booking.created_ms);
    let (tell, told) = oneshot::channel();
    tokio::spawn(async move {
        let held = app
            .store
            .write(move |conn| {
                Box::pin(async move {
                    let (user_id, key) = (&order.user_id, &order.idempotency_key);
                    let hash = &order.request_hash;
                    if !store::bookings::claim_key(conn, user_id, key, hash, now_ms).await? {
                        // Two confirmations read "no answer yet"; the other one was first.
                        return Ok(false);
                    }
                    otp::consume(conn, user_id, &consent, now_ms).await?;
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
            if let Err(error) = courier_order::place(&app, &id).await {
                tracing::error!(booking = id, "a booking stays: {error}");
            }
        }
    });
    told.await.map_err(Error::internal)?
}

/// A confirmation that waits for the answer under its key.
struct Waiting<'a> {
    app: &'a App,
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
            let mut conn = self.app.store.read().await?;
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

fn holds(quote: &StoredQuote, user: &CurrentUser, order: &Order, now_ms: i64) -> bool {
    let same_shipment = quote.shipment_hash == order.shipment.fingerprint();
    // Another registration may call for other taxes, and must stand on the invoice.
    let same_taxpayer = quote.gstin == user.user.gstin || mutant::on("quote-outlives-gstin");
    quote.expires_ms > now_ms && same_shipment && same_taxpayer
}

/// The refusal that carries the price of the day.
async fn requote(app: &App, user: &CurrentUser, order: &Order) -> Result<Error> {
    let fresh = quote::calculate_one(app, user, &order.shipment, order.product_id).await?;
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

fn booking(order: &Order, quote: &StoredQuote, product: &Product, now_ms: i64) -> Result<Booking> {
    let shipment = &order.shipment;
    let city = |code: &str| {
        place::pin(code)
            .map(|pin| pin.city_area.clone())
            .unwrap_or_default()
    };
    Ok(Booking {
        booking_id: random_id(),
        awb: awb::fresh(now_ms),
        status: PENDING.to_owned(),
        quote_id: quote.quote_id.clone(),
        product_id: quote.product_id,
        product_name: product.product_name.clone(),
        courier_code: product.parent_vendor.clone(),
        consignee_name: order.consignee_name.clone(),
        origin_pincode: shipment.origin_pincode.clone(),
        origin_city: city(&shipment.origin_pincode),
        destination_pincode: shipment.destination_code.clone(),
        destination_city: city(&shipment.destination_code),
        weight: Grams(shipment.piece_weight.0 * shipment.pieces),
        amount: quote.total,
        details: order.details.clone(),
        created_ms: now_ms,
    })
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

/// The courier took it: the held money is spent, the AWB and the first event are there, and the
/// confirmation has its answer. Nothing happens when the order has ended before.
pub async fn book(
    app: &App,
    order: CourierOrder,
    booking: Booking,
    booked: Booked,
) -> Result<bool> {
    let (seller, now_ms) = (app.config.company.clone(), app.clock.now_ms());
    app.store
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
                invoice::issue(conn, &seller, user_id, id, now_ms).await?;
                store::bookings::add_event(conn, &booking.awb, &first_event(&booking)).await?;
                let status = Stage::Booked.word();
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

/// The courier did not take it: the held money is free again. Nothing happens when the order has
/// ended before.
pub async fn reject(app: &App, order: CourierOrder, reason: String) -> Result<bool> {
    let now_ms = app.clock.now_ms();
    app.store
        .write(move |conn| {
            Box::pin(async move {
                let (id, user_id) = (&order.booking_id, &order.user_id);
                if !store::courier_orders::end(conn, id, State::Rejected, &reason).await? {
                    return Ok(false);
                }
                store::bookings::set_status(conn, id, FAILED).await?;
                let freed = store::charges::release(conn, user_id, id, now_ms).await?;
                freed.surely(id)?;
                if order.state != State::Held {
                    // It took so long that nobody may be waiting for the answer.
                    store::notices::add(conn, &order.reference, FAILED, now_ms).await?;
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

async fn answer(conn: &mut Conn, order: &CourierOrder, status: i64, body: String) -> Result<()> {
    let answer = Answer {
        request_hash: order.request_hash.clone(),
        status,
        body,
    };
    store::bookings::keep_answer(conn, &order.user_id, &order.idempotency_key, &answer).await
}

fn booked_body(booking: &Booking, pickup_id: &str, balance: Paise) -> Result<String> {
    let item = BookedItem {
        airwaybilno: &booking.awb,
        booking_id: &booking.booking_id,
        pickup_id,
        dispatch_url: format!("/bookings/{}/label.pdf", booking.booking_id),
        invoice_url: format!("/bookings/{}/invoice.pdf", booking.booking_id),
        amount: booking.amount,
        balance,
    };
    let booked = BookedAnswer {
        message: "Booking created successfully!",
        data: [item],
    };
    serde_json::to_string(&booked).map_err(Error::internal)
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

/// Taxable value and GST of the kept price, and what the courier will bill us.
fn parts(quote: &StoredQuote) -> Result<Parts> {
    #[derive(Deserialize)]
    struct Kept<'a> {
        #[serde(borrow)]
        taxable: &'a RawValue,
    }
    let kept: Kept<'_> = serde_json::from_str(&quote.price).map_err(Error::internal)?;
    let taxable = Paise::parse_rupees(kept.taxable.get()).map_err(Error::internal)?;
    let gst = quote
        .total
        .checked_sub(taxable)
        .filter(|gst| !gst.is_negative());
    let gst = gst.ok_or_else(|| Error::internal(anyhow::anyhow!("a price below its parts")))?;
    Ok(Parts {
        taxable,
        gst,
        courier: quote.courier,
    })
}

fn first_event(booking: &Booking) -> Event {
    Event {
        status: "Booked".to_owned(),
        courier_code: booking.courier_code.clone(),
        location: booking.origin_city.clone(),
        remarks: "Shipment booked, waiting for pickup".to_owned(),
        comments: String::new(),
        happened_ms: booking.created_ms,
    }
}
