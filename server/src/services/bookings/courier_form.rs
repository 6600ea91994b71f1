//! The booking form in a courier's terms: both parties, the contents, the papers.

use crate::model::booking::Booking;
use crate::model::booking::form::choices::{PickupLocation, YesNo};
use crate::model::booking::form::details::BookingDetails;
use crate::model::courier::order::{ShipmentContents, ShipmentParty};
use crate::model::shipping::place;
use crate::model::shipping::shipment::Shipment;

/// The data of a form for the courier.
#[derive(Debug)]
pub struct CourierForm {
    pub shipper: ShipmentParty,
    pub receiver: ShipmentParty,
    pub contents: ShipmentContents,
}

/// Converts the form of a booking. Couriers require an e-mail address of both parties: `email` is
/// used where the form has none.
pub fn courier_form(form: &BookingDetails, shipment: &Shipment, email: &str) -> CourierForm {
    let (mut shipper, mut receiver) = (shipper(form, shipment), receiver(form, shipment));
    for party in [&mut shipper, &mut receiver] {
        if party.email.is_empty() {
            email.clone_into(&mut party.email);
        }
    }
    CourierForm { shipper, receiver, contents: contents(form) }
}

/// Returns the place of pickup: the sender's address, or another one in the form. Couriers require
/// an e-mail address: `email` is used where the form has none.
pub fn pickup_place(booking: &Booking, email: &str) -> ShipmentParty {
    let form = booking.form.read();
    let mut sender = at_origin(form, &booking.origin_pincode);
    if sender.email.is_empty() {
        email.clone_into(&mut sender.email);
    }
    let elsewhere = &form.pickup;
    let is_elsewhere = elsewhere.required == Some(YesNo::Yes)
        && elsewhere.location == Some(PickupLocation::Different);
    if !is_elsewhere {
        return sender;
    }
    let pin = place::pin(&elsewhere.pincode);
    ShipmentParty {
        name: elsewhere.name.clone(),
        address_1: elsewhere.address_1.clone(),
        address_2: elsewhere.address_2.clone(),
        city: elsewhere.city.clone(),
        postal_code: elsewhere.pincode.clone(),
        state: elsewhere.state.clone(),
        state_code: pin.map_or("", |pin| pin.state_code).to_owned(),
        ..sender
    }
}

fn shipper(form: &BookingDetails, shipment: &Shipment) -> ShipmentParty {
    at_origin(form, &shipment.origin_pincode)
}

fn at_origin(form: &BookingDetails, pincode: &str) -> ShipmentParty {
    let pin = place::pin(pincode);
    let of_pin = |get: fn(&place::Pin) -> &str| pin.map_or("", get).to_owned();
    ShipmentParty {
        name: form.consignor.name.clone(),
        company: form.consignor.company.clone(),
        phone: form.consignor.mobile.clone(),
        email: form.consignor.email.clone(),
        address_1: form.consignor.address_1.clone(),
        address_2: form.consignor.address_2.clone(),
        city: of_pin(|pin| &pin.city_area),
        postal_code: pincode.to_owned(),
        state: of_pin(|pin| pin.state),
        state_code: of_pin(|pin| pin.state_code),
        country_code: "IN".to_owned(),
        country: "India".to_owned(),
        gstin: form.consignor.gstin.clone(),
    }
}

fn receiver(form: &BookingDetails, shipment: &Shipment) -> ShipmentParty {
    let country = place::country(shipment.destination_country_id);
    // Within India the PIN code is more reliable than the form.
    let pin = place::pin(&shipment.destination_code).filter(|_| !shipment.is_international());
    let reliable =
        |entered: &str, of_pin: fn(&place::Pin) -> &str| pin.map_or(entered, of_pin).to_owned();
    ShipmentParty {
        name: form.consignee.name.clone(),
        company: form.consignee.company.clone(),
        phone: form.consignee.phone.clone(),
        email: form.consignee.email.clone(),
        address_1: form.consignee.address_1.clone(),
        address_2: form.consignee.address_2.clone(),
        city: form.consignee.city.clone(),
        postal_code: shipment.destination_code.clone(),
        state: reliable(&form.consignee.state, |pin| pin.state),
        state_code: reliable(&form.consignee.state_code, |pin| pin.state_code),
        country_code: country.map_or_else(String::new, |it| it.country_code.clone()),
        country: country.map_or_else(String::new, |it| it.country_name.clone()),
        gstin: form.consignee.gstin.clone(),
    }
}

fn contents(form: &BookingDetails) -> ShipmentContents {
    ShipmentContents {
        description: form.description.clone(),
        hs_code: form.contents.hsn.clone(),
        value: form.value().unwrap_or_default(),
        currency: form.currency().code().to_owned(),
        invoice_number: form.invoice.number.clone(),
        invoice_date: form.invoice.date.map_or_else(String::new, |date| date.to_string()),
    }
}
