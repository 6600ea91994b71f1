//! A booking in a courier's terms: the order, both parties, and the place of pickup, all in Latin
//! letters.

use super::prepared::HeldOrder;
use crate::error::Result;
use crate::model::booking::Booking;
use crate::model::booking::form::details::BookingDetails;
use crate::model::calendar::moment_in_figures;
use crate::model::courier::address::{AddressLimits, ServiceAddresses};
use crate::model::courier::order::{ShipmentContents, ShipmentOrder, ShipmentParty};
use crate::model::latin::latin;
use crate::model::money::paise::Paise;
use crate::model::shipping::place;
use crate::model::shipping::shipment::Shipment;

/// Returns the booking as a request to the courier, which collects it at the place of pickup, at
/// this time if a pickup is wanted, with addresses in the lines of its service. Couriers require an
/// email address of both parties: `email` is used where the form has none.
pub(super) fn shipment_order(
    hold: &HeldOrder,
    cost_max: Paise,
    email: &str,
    addresses: Option<ServiceAddresses>,
) -> Result<ShipmentOrder> {
    let HeldOrder { order, booking, quote, pickup } = hold;
    let shipment = quote.read_shipment()?;
    let form = booking.form.read();
    Ok(ShipmentOrder {
        reference: order.reference.clone(),
        service: order.service.clone(),
        shipper: in_lines(pickup_place(booking, email), addresses.map(|limits| limits.sender)),
        sender_name: latin(&form.consignor.name),
        receiver: in_lines(
            receiver(form, &shipment, email),
            addresses.map(|limits| limits.receiver),
        ),
        contents: ShipmentContents {
            description: latin(&form.description),
            hs_code: form.contents.hsn.clone(),
            value: form.value().unwrap_or_default(),
            currency: form.currency().code().to_owned(),
            invoice_number: form.invoice.number.clone(),
            invoice_date: form.invoice.date.map_or_else(String::new, |date| date.to_string()),
            eway_bill: form.invoice.eway_bill.clone(),
        },
        date: moment_in_figures(order.created_ms),
        cost_max,
        pickup_time: pickup.as_ref().map(|pickup| pickup.time),
        shipment,
    })
}

/// Returns the place of pickup: the sender's address, or another one in the form. Couriers require
/// an email address: `email` is used where the form has none.
pub fn pickup_place(booking: &Booking, email: &str) -> ShipmentParty {
    let form = booking.form.read();
    let sender = sender(form, booking.sender_pincode(), email);
    let elsewhere = &form.pickup;
    if !elsewhere.is_elsewhere() {
        return sender;
    }
    let pin = place::pin(&elsewhere.pincode);
    in_latin(ShipmentParty {
        name: elsewhere.name.clone(),
        address_1: elsewhere.address_1.clone(),
        address_2: elsewhere.address_2.clone(),
        city: elsewhere.city.clone(),
        postal_code: elsewhere.pincode.clone(),
        state: elsewhere.state.clone(),
        state_code: pin.map_or("", |pin| pin.state_code).to_owned(),
        ..sender
    })
}

/// Spells the names and the address of a party in Latin letters.
fn in_latin(party: ShipmentParty) -> ShipmentParty {
    ShipmentParty {
        name: latin(&party.name),
        company: latin(&party.company),
        address_1: latin(&party.address_1),
        address_2: latin(&party.address_2),
        city: latin(&party.city),
        state: latin(&party.state),
        state_code: latin(&party.state_code),
        ..party
    }
}

/// Breaks the address of a party over the lines that a courier takes. One that does not fit, of a
/// booking that was not checked, stays as it is.
pub(super) fn in_lines(party: ShipmentParty, limits: Option<AddressLimits>) -> ShipmentParty {
    let typed = [&*party.address_1, &*party.address_2];
    match limits.and_then(|limits| limits.lines(typed)) {
        Some([address_1, address_2]) => ShipmentParty { address_1, address_2, ..party },
        None => party,
    }
}

fn sender(form: &BookingDetails, pincode: &str, email: &str) -> ShipmentParty {
    let pin = place::pin(pincode);
    let of_pin = |get: fn(&place::Pin) -> &str| pin.as_ref().map_or("", get).to_owned();
    in_latin(ShipmentParty {
        name: form.consignor.name.clone(),
        company: form.consignor.company.clone(),
        phone: form.consignor.mobile.clone(),
        email: email_or(&form.consignor.email, email),
        address_1: form.consignor.address_1.clone(),
        address_2: form.consignor.address_2.clone(),
        city: pin.as_ref().map_or("", |pin| pin.city_or(&form.consignor.city)).to_owned(),
        postal_code: pincode.to_owned(),
        state: of_pin(|pin| pin.state),
        state_code: of_pin(|pin| pin.state_code),
        country_code: "IN".to_owned(),
        country: "India".to_owned(),
        gstin: form.consignor.gstin.clone(),
    })
}

fn receiver(form: &BookingDetails, shipment: &Shipment, email: &str) -> ShipmentParty {
    let country = place::country(shipment.destination_country_id);
    // Within India the PIN code is more reliable than the form.
    let pin = place::pin(&shipment.destination_code).filter(|_| !shipment.is_international());
    let reliable = |entered: &str, of_pin: fn(&place::Pin) -> &str| {
        pin.as_ref().map_or(entered, of_pin).to_owned()
    };
    // The name of a state that was changed comes before a code that was not.
    let code = country.and_then(|country| country.province_code(&form.consignee.state));
    let typed_code = code.unwrap_or(&form.consignee.state_code);
    in_latin(ShipmentParty {
        name: form.consignee.name.clone(),
        company: form.consignee.company.clone(),
        phone: form.consignee.phone.clone(),
        email: email_or(&form.consignee.email, email),
        address_1: form.consignee.address_1.clone(),
        address_2: form.consignee.address_2.clone(),
        city: form.consignee.city.clone(),
        postal_code: shipment.destination_code.clone(),
        state: reliable(&form.consignee.state, |pin| pin.state),
        state_code: reliable(typed_code, |pin| pin.state_code),
        country_code: country.map_or_else(String::new, |it| it.country_code.clone()),
        country: country.map_or_else(String::new, |it| it.country_name.clone()),
        gstin: form.consignee.gstin.clone(),
    })
}

fn email_or(entered: &str, email: &str) -> String {
    if entered.is_empty() { email } else { entered }.to_owned()
}
