//! Checks that a courier takes the addresses of a booking, before it has a price.

use super::Bookings;
use crate::error::{Error, FieldError, Result};
use crate::model::booking::Booking;
use crate::model::booking::documents::invoice::DocumentKind;
use crate::model::booking::documents::label::label;
use crate::model::booking::form::details::BookingDetails;
use crate::model::courier::address::{AddressLimits, NO_NUMBER};
use crate::model::latin::latin;
use crate::model::rates::price::Product;
use crate::model::rates::quote::StoredQuote;
use crate::pdf::{Overfull, overfull};

impl Bookings {
    /// Refuses addresses that the courier of a service does not take.
    ///
    /// # Errors
    /// `Fields` with each address that does not fit, and with the one where it does not collect.
    pub(super) fn check_addresses_for(
        &self,
        details: &BookingDetails,
        product: &Product,
    ) -> Result<()> {
        let courier = self.couriers.of(&product.courier)?;
        let Some(limits) = courier.addresses(&product.service) else {
            return Ok(());
        };
        let (from, to, pickup) = (&details.consignor, &details.consignee, &details.pickup);
        let from = lines(limits.sender, "consigner", [&from.address_1, &from.address_2]);
        let to = lines(limits.receiver, "consignee", [&to.address_1, &to.address_2]);
        let elsewhere = pickup
            .is_elsewhere()
            .then(|| lines(limits.sender, "pickup", [&pickup.address_1, &pickup.address_2]));
        // A partner wants this address also of a parcel that is dropped off.
        let place = elsewhere.as_ref().unwrap_or(&from).as_ref().ok();
        let lacks_number = place.is_some_and(|[first, _]| limits.lacks_number(first));
        let unnumbered = lacks_number.then(|| FieldError::new(pickup.address_field(), NO_NUMBER));
        let elsewhere = elsewhere.and_then(std::result::Result::err);
        let wrong = [from.err(), to.err(), elsewhere, unnumbered];
        Error::check(wrong.into_iter().flatten().collect())
    }
}

const TOO_LONG: &str = "This is too long for the label: please shorten the address.";

/// Refuses a booking whose label, drawn by us, has no room for an address in legible type.
///
/// # Errors
/// `Fields` with the address.
pub(super) fn check_label(
    booking: &Booking,
    quote: &StoredQuote,
    operator: &str,
    sandbox: bool,
) -> Result<()> {
    // The label will name an invoice.
    let number = Some(DocumentKind::Invoice.number("26-27", 'A', 1));
    let label = label(booking, quote, number, operator, sandbox)?;
    match overfull(&label) {
        None => Ok(()),
        Some(Overfull::Receiver) => Err(Error::field("consignee_address_1", TOO_LONG)),
        Some(Overfull::Sender) => Err(Error::field("consigner_address_1", TOO_LONG)),
    }
}

/// Returns an address in the lines that the courier gets, or the error beside the line that is too
/// much.
fn lines(
    limits: AddressLimits,
    party: &str,
    typed: [&str; 2],
) -> std::result::Result<[String; 2], FieldError> {
    let typed = typed.map(latin);
    let [first, second] = [&*typed[0], &*typed[1]];
    limits.lines([first, second]).ok_or_else(|| {
        let line = if limits.lines([first, ""]).is_some() { 2 } else { 1 };
        FieldError::new(format!("{party}_address_{line}"), limits.sentence())
    })
}
