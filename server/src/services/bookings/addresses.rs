//! Checks that a courier takes the addresses of a booking, before it has a price.

use tokio::task::spawn_blocking;

use super::Bookings;
use super::courier_form::first_pickup_line;
use crate::error::{Error, FieldError, Result};
use crate::model::booking::Booking;
use crate::model::booking::documents::invoice::DocumentKind;
use crate::model::booking::documents::label::label;
use crate::model::booking::form::choices::{PickupLocation, YesNo};
use crate::model::booking::form::details::BookingDetails;
use crate::model::courier::address::{AddressLimits, NO_NUMBER};
use crate::model::latin::latin;
use crate::model::rates::price::Product;
use crate::model::rates::quote::StoredQuote;
use crate::pdf::{Overfull, overfull};

impl Bookings {
    /// Refuses addresses that are too long for the courier of a service.
    ///
    /// # Errors
    /// `Fields` with each address that does not fit.
    pub async fn check_addresses(&self, details: &BookingDetails, product_id: i64) -> Result<()> {
        let product = self.pricing.product(product_id).await?;
        self.check_addresses_for(details, &product)
    }

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
        let mut wrong = vec![
            too_long(limits.sender, "consigner", [&from.address_1, &from.address_2]),
            too_long(limits.receiver, "consignee", [&to.address_1, &to.address_2]),
        ];
        if pickup.required == Some(YesNo::Yes) && pickup.location == Some(PickupLocation::Different)
        {
            wrong.push(too_long(limits.sender, "pickup", [&pickup.address_1, &pickup.address_2]));
        }
        // A partner wants this address also of a parcel that is dropped off.
        if limits.lacks_number(&first_pickup_line(details, limits.sender)) {
            wrong.push(Some(FieldError::new(pickup.address_field(), NO_NUMBER)));
        }
        Error::check(wrong.into_iter().flatten().collect())
    }
}

const TOO_LONG: &str = "This is too long for the label: please shorten the address.";

/// Refuses a booking whose label, drawn by us, has no room for an address in legible type. Other
/// requests go on while a long address is measured.
///
/// # Errors
/// `Fields` with the address.
pub(super) async fn check_label(
    booking: &Booking,
    quote: &StoredQuote,
    operator: &str,
    sandbox: bool,
) -> Result<()> {
    // The label will name an invoice.
    let number = Some(DocumentKind::Invoice.number("26-27", 1));
    let label = label(booking, quote, number, operator, sandbox)?;
    let party = spawn_blocking(move || overfull(&label)).await.map_err(Error::internal)?;
    match party {
        None => Ok(()),
        Some(Overfull::Receiver) => Err(Error::field("consignee_address_1", TOO_LONG)),
        Some(Overfull::Sender) => Err(Error::field("consigner_address_1", TOO_LONG)),
    }
}

/// Returns the error for an address that does not fit, beside the line that is too much.
fn too_long(limits: AddressLimits, party: &str, typed: [&str; 2]) -> Option<FieldError> {
    let typed = typed.map(latin);
    let [first, second] = [&*typed[0], &*typed[1]];
    if limits.lines([first, second]).is_some() {
        return None;
    }
    let line = match limits.lines([first, ""]) {
        None => 1,
        Some(_) => 2,
    };
    Some(FieldError::new(format!("{party}_address_{line}"), limits.sentence()))
}
