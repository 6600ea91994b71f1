//! One booking in full for its customer: status, sender, receiver, contents and price.

use serde::Serialize;
use utoipa::ToSchema;

use crate::error::Result;
use crate::model::booking::Booking;
use crate::model::booking::form::details::{BookingDetails, PickupDetails};
use crate::model::booking::order::cancellation::{Cancellable, cancellable};
use crate::model::booking::order::history::HistoryRow;
use crate::model::booking::order::tracking::Tracked;
use crate::model::booking::pickup::{PickupChoice, PlannedPickup};
use crate::model::calendar::date_in_india;
use crate::model::money::paise::Paise;
use crate::model::rates::price::Price;
use crate::model::rates::quote::StoredQuote;
use crate::model::shipping::place;
use crate::model::shipping::shipment::Shipment;
use crate::model::wallet::statement::Transaction;

/// One end of the way. Every text may be empty.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct BookedParty {
    pub name: String,
    pub company: String,
    /// Street and house, and then city, state and code, abroad with the country.
    pub address: Vec<String>,
    pub phone: String,
    pub email: String,
}

/// A fact of a booking's form with the form's own name for it.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct BookedFact {
    pub label: &'static str,
    pub value: String,
}

/// Where the courier fetches it.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct BookedPickup {
    pub is_wanted: bool,
    /// Another place than the sender's; empty when it is the same.
    pub place: Vec<String>,
    /// As in `09:30`; empty when it is not known.
    pub ready_from: String,
    pub ready_until: String,
}

/// One booking, whole.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct BookingView {
    pub booking: HistoryRow,
    /// Its way so far, in its courier's words; none while no courier has it.
    #[schema(required)]
    pub tracked: Option<Tracked>,
    pub sender: BookedParty,
    pub receiver: BookedParty,
    pub contents: Vec<BookedFact>,
    /// As it was quoted: every line of the price.
    pub price: Price,
    /// Wallet transactions of this booking, newest first.
    pub payments: Vec<Transaction>,
    pub pickup: BookedPickup,
    /// A sentence about its pickup or drop-off; null while no courier has accepted it, and once
    /// it was picked up or cancelled.
    #[schema(required)]
    pub handover: Option<String>,
    /// When it is fetched, once its sender has asked for that and until it is done.
    #[schema(required)]
    pub planned_pickup: Option<PlannedPickup>,
    /// The times that may be asked for now; none when it does not wait to be fetched.
    pub pickup_choices: Vec<PickupChoice>,
    /// The day of the newest of these in India, and of the oldest: the statement's filter.
    #[schema(required)]
    pub paid_between: Option<(String, String)>,
    /// True if a cancellation can be requested now.
    pub may_cancel: bool,
    /// True if our own driver may have fetched it: an operator decides about a cancellation.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub cancel_by_request: bool,
    /// True if it was cancelled, carried all the same, and charged again with a debit note.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub charged_again: bool,
    /// The part of the returned money that paid a debt; absent if none did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub debt_paid: Option<Paise>,
    /// No more than the customer's own references and the numbers' endings.
    pub references: Vec<BookedFact>,
}

/// Makes the view; `payments` are newest first.
///
/// # Errors
/// `Internal` if the stored price cannot be read.
pub fn view(
    booking: Booking,
    quote: &StoredQuote,
    tracked: Option<Tracked>,
    payments: Vec<Transaction>,
    now_ms: i64,
) -> Result<BookingView> {
    let price = quote.read_price()?;
    let shipment = quote.read_shipment()?;
    let form = booking.form.read();
    let may_cancel = cancellable(booking.status, booking.created_ms, now_ms) == Cancellable::Yes;
    let day = |it: &Transaction| date_in_india(it.created_at).to_string();
    let paid_between = payments.last().map(day).zip(payments.first().map(day));
    Ok(BookingView {
        sender: sender(&booking, form),
        receiver: receiver(&booking, form, &shipment),
        contents: contents(form, &shipment),
        references: references(form),
        pickup: pickup(&form.pickup),
        handover: None,
        planned_pickup: None,
        pickup_choices: Vec::new(),
        booking: HistoryRow::from(booking),
        tracked,
        price,
        payments,
        paid_between,
        may_cancel,
        cancel_by_request: false,
        charged_again: false,
        debt_paid: None,
    })
}

fn sender(booking: &Booking, form: &BookingDetails) -> BookedParty {
    let from = &form.consignor;
    let pincode = booking.sender_pincode();
    let pin = place::pin(pincode);
    let (city, state) = pin.as_ref().map_or(("", ""), |pin| (pin.city_or(&from.city), pin.state));
    let city = format!("{city} {pincode}");
    BookedParty {
        name: from.name.clone(),
        company: from.company.clone(),
        address: filled_lines([&from.address_1, &from.address_2, &city, state]),
        phone: from.mobile.clone(),
        email: from.email.clone(),
    }
}

fn receiver(booking: &Booking, form: &BookingDetails, shipment: &Shipment) -> BookedParty {
    let to = &form.consignee;
    let city = format!("{} {}", booking.destination_city, booking.destination_pincode);
    let abroad = shipment.is_international();
    let country = place::country(shipment.destination_country_id).filter(|_| abroad);
    let country = country.map_or("", |country| country.country_name.as_str());
    let state = match abroad {
        true => to.state.as_str(),
        false => place::pin(&booking.destination_pincode).map_or("", |pin| pin.state),
    };
    BookedParty {
        name: to.name.clone(),
        company: to.company.clone(),
        address: filled_lines([&to.address_1, &to.address_2, &city, state, country]),
        phone: to.phone.clone(),
        email: to.email.clone(),
    }
}

fn contents(form: &BookingDetails, shipment: &Shipment) -> Vec<BookedFact> {
    facts([
        ("Contents", form.description.clone()),
        ("Pieces", shipment.pieces.to_string()),
        ("Size of a piece", shipment.size()),
        ("Declared value", form.declared_value()),
        ("HSN code", form.contents.hsn.clone()),
    ])
}

/// Returns the references. Of the document's number only the last characters are stored.
fn references(form: &BookingDetails) -> Vec<BookedFact> {
    facts([
        ("Your reference", form.invoice.reference.clone()),
        ("Receiver’s reference", form.consignee.reference.clone()),
        ("Invoice number", form.invoice.number.clone()),
        ("E-way bill", form.invoice.eway_bill.clone()),
        ("Sender’s document", form.consignor.document_number.clone()),
    ])
}

fn pickup(pickup: &PickupDetails) -> BookedPickup {
    let city = format!("{} {}", pickup.city, pickup.pincode);
    BookedPickup {
        is_wanted: pickup.is_wanted(),
        place: match pickup.is_elsewhere() {
            true => filled_lines([&pickup.name, &pickup.address_1, &pickup.address_2, &city]),
            false => Vec::new(),
        },
        ready_from: pickup.ready_from.clone(),
        ready_until: pickup.ready_until.clone(),
    }
}

/// Returns the texts that are not blank, trimmed.
pub fn filled_lines<const N: usize>(texts: [&str; N]) -> Vec<String> {
    let there = texts.map(str::trim).into_iter().filter(|text| !text.is_empty());
    there.map(str::to_owned).collect()
}

fn facts<const N: usize>(all: [(&'static str, String); N]) -> Vec<BookedFact> {
    let there = all.into_iter().filter(|(_, value)| !value.is_empty());
    there.map(|(label, value)| BookedFact { label, value }).collect()
}
