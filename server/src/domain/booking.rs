//! Booking a courier: check the form, charge the quoted price once, give an AWB.

use serde::{Deserialize, Serialize};
use serde_json::value::{RawValue, to_raw_value};

use super::booking_form::Order;
use super::charge::{Charge, Parts};
use super::ids::{random_id, sha256_hex};
use super::money::Paise;
use super::page::{Listed, Paging};
use super::quote::{self, StoredQuote};
use super::rate::{Grams, Product};
use super::session::CurrentUser;
use super::tracking::Event;
use super::{awb, kyc, place};
use crate::app::App;
use crate::error::{Error, Result};
use crate::limits;
use crate::store;
use crate::store::Conn;
use crate::store::ledger::Posted;

/// A courier booked.
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

/// Counts over all bookings of a user.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Stats {
    pub total: i64,
    pub amount: Paise,
    pub pending: i64,
    pub delivered: i64,
}

/// The answer given to an idempotency key.
#[derive(Clone, Debug)]
pub struct Answer {
    pub request_hash: String,
    pub status: i64,
    pub body: String,
}

/// A booking in the history (specification section 3, Booking).
#[derive(Clone, Debug, Serialize)]
pub struct HistoryRow {
    pub id: String,
    pub awb_number: String,
    pub consignee_name: String,
    pub consignee_pincode: String,
    pub rate: Paise,
    pub amount: Paise,
    pub status: String,
    pub booking_date: i64,
    pub created_at: i64,
    pub origin_city: String,
    pub origin: String,
    pub destination_city: String,
    pub destination: String,
    /// Kilograms.
    pub weight: Box<RawValue>,
    pub product_name: String,
}

/// A page of bookings with counts over all of them.
#[derive(Clone, Debug, Serialize)]
pub struct History {
    pub results: Vec<HistoryRow>,
    pub count: i64,
    pub stats: Stats,
}

/// What a booking answers (specification section 3, Booking result).
#[derive(Serialize)]
struct Booked<'a> {
    message: &'a str,
    data: [BookedItem<'a>; 1],
}

#[derive(Serialize)]
struct BookedItem<'a> {
    airwaybilno: &'a str,
    booking_id: &'a str,
    pickup_id: &'a str,
    dispatch_url: &'a str,
    invoice_url: &'a str,
    amount: Paise,
    balance: Paise,
}

/// Charges the quote and books, once for each key: the same key and body get the same answer.
///
/// # Errors
/// `Fields` for a wrong form, `QuoteChanged` with the fresh price when the quote expired or is for
/// another shipment, `ShortOfMoney`, `KeyReused` when the key was used for another body.
pub async fn confirm(app: &App, user: &CurrentUser, key: &str, body: &str) -> Result<Answer> {
    let request_hash = sha256_hex(body.as_bytes());
    let mut conn = app.store.read().await?;
    if let Some(answer) = answered(&mut conn, user.id(), key, &request_hash).await? {
        return Ok(answer);
    }
    let order = Order::parse(body)?;
    let quote = store::quotes::find(&mut conn, user.id(), &order.quote_id).await?;
    drop(conn);
    let now_ms = app.clock.now_ms();
    let quote = match quote {
        Some(quote) if holds(&quote, &order, now_ms) => quote,
        _ => return Err(requote(app, user, &order).await?),
    };
    let product = product(app, quote.product_id).await?;
    if order.shipment.is_international() || product.needs_kyc {
        kyc::check(&mut *app.store.read().await?, user.id(), &order.kyc_info).await?;
    }
    let booking = booking(&order, &quote, &product, now_ms)?;
    let (user_id, key) = (user.id().to_owned(), key.to_owned());
    app.store
        .write(move |conn| {
            Box::pin(async move {
                let claimed =
                    store::bookings::claim_key(conn, &user_id, &key, &request_hash, now_ms);
                if !claimed.await? {
                    // Two confirmations read "no answer yet"; the other one was first.
                    let answer = answered(conn, &user_id, &key, &request_hash).await?;
                    let lost = || Error::internal(anyhow::anyhow!("a claimed key has no answer"));
                    return answer.ok_or_else(lost);
                }
                let answer = charge(conn, &user_id, booking, &quote, request_hash).await?;
                store::bookings::keep_answer(conn, &user_id, &key, &answer).await?;
                Ok(answer)
            })
        })
        .await
}

async fn answered(
    conn: &mut Conn,
    user_id: &str,
    key: &str,
    request_hash: &str,
) -> Result<Option<Answer>> {
    match store::bookings::answer(conn, user_id, key).await? {
        Some(answer) if answer.request_hash != request_hash => Err(Error::KeyReused),
        answer => Ok(answer),
    }
}

fn holds(quote: &StoredQuote, order: &Order, now_ms: i64) -> bool {
    quote.expires_ms > now_ms && quote.shipment_hash == order.shipment.fingerprint()
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

async fn product(app: &App, product_id: i64) -> Result<Product> {
    let book = app.rates.book(&app.store).await?;
    let product = book.product(product_id).filter(|product| product.active);
    product
        .cloned()
        .ok_or_else(|| Error::NotFound("This service is not on sale any more.".into()))
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
        status: "booked".to_owned(),
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

/// Booking, charge, first tracking event: all of it or nothing.
async fn charge(
    conn: &mut Conn,
    user_id: &str,
    booking: Booking,
    quote: &StoredQuote,
    request_hash: String,
) -> Result<Answer> {
    let booking = &add(conn, user_id, booking).await?;
    let (id, awb) = (&booking.booking_id, &booking.awb);
    let charge = Charge {
        charge_id: id.clone(),
        user_id: user_id.to_owned(),
        description: format!("Courier booking {awb}"),
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
    // Our own couriers take every booking, so nothing can fail between the two.
    store::charges::capture(conn, user_id, id, booking.created_ms).await?;
    store::bookings::add_event(conn, awb, &first_event(booking)).await?;
    let balance = store::ledger::available(conn, user_id).await?;
    let item = BookedItem {
        airwaybilno: awb,
        booking_id: id,
        pickup_id: "",
        dispatch_url: "",
        invoice_url: "",
        amount: booking.amount,
        balance,
    };
    let booked = Booked {
        message: "Booking created successfully!",
        data: [item],
    };
    let body = serde_json::to_string(&booked).map_err(Error::internal)?;
    Ok(Answer {
        request_hash,
        status: 200,
        body,
    })
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

/// Taxable value and GST of the kept price. Our own couriers bill us nothing.
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
        courier: Paise::ZERO,
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

/// A page of the user's bookings, newest first, with counts over all.
pub async fn history(app: &App, user_id: &str, paging: Paging) -> Result<History> {
    let mut conn = app.store.read().await?;
    let Listed { results, count } = store::bookings::list(&mut conn, user_id, paging).await?;
    let stats = store::bookings::stats(&mut conn, user_id).await?;
    Ok(History {
        results: results.into_iter().map(HistoryRow::from).collect(),
        count,
        stats,
    })
}

/// One of the user's bookings by id or AWB.
pub async fn find(app: &App, user_id: &str, id_or_awb: &str) -> Result<HistoryRow> {
    let mut conn = app.store.read().await?;
    let found = store::bookings::find(&mut conn, user_id, id_or_awb).await?;
    found
        .map(HistoryRow::from)
        .ok_or_else(|| Error::NotFound("There is no such booking.".into()))
}

impl From<Booking> for HistoryRow {
    fn from(booking: Booking) -> HistoryRow {
        HistoryRow {
            id: booking.booking_id,
            awb_number: booking.awb,
            consignee_name: booking.consignee_name,
            consignee_pincode: booking.destination_pincode.clone(),
            rate: booking.amount,
            amount: booking.amount,
            status: booking.status,
            booking_date: booking.created_ms,
            created_at: booking.created_ms,
            origin_city: booking.origin_city,
            origin: booking.origin_pincode,
            destination_city: booking.destination_city,
            destination: booking.destination_pincode,
            weight: kilograms(booking.weight),
            product_name: booking.product_name,
        }
    }
}

/// Grams as a JSON number of kilograms, made from the integer.
fn kilograms(weight: Grams) -> Box<RawValue> {
    let text = format!("{}.{:03}", weight.0 / 1_000, weight.0 % 1_000);
    let text = text.trim_end_matches('0').trim_end_matches('.').to_owned();
    RawValue::from_string(text).expect("a decimal is JSON")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grams_are_shown_as_kilograms() {
        assert_eq!(kilograms(Grams(2_500)).get(), "2.5");
        assert_eq!(kilograms(Grams(10_000)).get(), "10");
        assert_eq!(kilograms(Grams(1)).get(), "0.001");
    }
}
