//! The booking form as a courier needs it: both ends, the contents, the papers.

use crate::error::Result;
use crate::model::booking::form_text::FormText;
use crate::model::booking::request;
use crate::model::courier::order::{Contents, ShipmentParty};
use crate::model::money::paise::Paise;
use crate::model::shipping::place;
use crate::model::shipping::shipment::Shipment;

/// What a form says, in the courier's words.
#[derive(Debug)]
pub struct CourierForm {
    pub shipment: Shipment,
    pub shipper: ShipmentParty,
    pub receiver: ShipmentParty,
    pub contents: Contents,
}

/// Reads the form that a booking was made with. Couriers want an e-mail address at either end:
/// `email` stands where the form has none.
pub fn read(details: &str, email: &str) -> Result<CourierForm> {
    let shipment = request::Order::parse(details)?.shipment;
    let form = FormText::read(details);
    let (mut shipper, mut receiver) = (shipper(&form, &shipment), receiver(&form, &shipment));
    for party in [&mut shipper, &mut receiver] {
        if party.email.is_empty() {
            email.clone_into(&mut party.email);
        }
    }
    Ok(CourierForm {
        shipper,
        receiver,
        contents: contents(&form),
        shipment,
    })
}

fn shipper(form: &FormText, shipment: &Shipment) -> ShipmentParty {
    let pin = place::pin(&shipment.origin_pincode);
    let of_pin = |get: fn(&place::Pin) -> &String| pin.map(get).cloned().unwrap_or_default();
    ShipmentParty {
        name: form.get("consigner_name"),
        company: form.get("consigner_company"),
        phone: form.get("consigner_mobile"),
        email: form.get("consigner_email"),
        address_1: form.get("consigner_address_1"),
        address_2: form.get("consigner_address_2"),
        city: of_pin(|pin| &pin.city_area),
        postal_code: shipment.origin_pincode.clone(),
        state: of_pin(|pin| &pin.state),
        state_code: of_pin(|pin| &pin.state_code),
        country_code: "IN".to_owned(),
        country: "India".to_owned(),
        gstin: form.get("consigner_gst_number"),
    }
}

fn receiver(form: &FormText, shipment: &Shipment) -> ShipmentParty {
    let country = place::country(shipment.destination_country_id);
    // Within India the PIN code knows better than the form.
    let pin = place::pin(&shipment.destination_code).filter(|_| !shipment.is_international());
    let told = |name: &str, known: fn(&place::Pin) -> &String| {
        pin.map_or_else(|| form.get(name), |pin| known(pin).clone())
    };
    ShipmentParty {
        name: form.get("consignee_name"),
        company: form.get("consignee_company"),
        phone: form.get("consignee_mobile"),
        email: form.get("consignee_email"),
        address_1: form.get("consignee_address_1"),
        address_2: form.get("consignee_address_2"),
        city: form.get("consignee_city"),
        postal_code: shipment.destination_code.clone(),
        state: told("consignee_state", |pin| &pin.state),
        state_code: told("consignee_state_code", |pin| &pin.state_code),
        country_code: country.map_or_else(String::new, |it| it.country_code.clone()),
        country: country.map_or_else(String::new, |it| it.country_name.clone()),
        gstin: form.get("consignee_gst_number"),
    }
}

fn contents(form: &FormText) -> Contents {
    Contents {
        description: form.get("description"),
        hs_code: form.of_contents("hsn_code"),
        value: Paise::parse_rupees(&form.of_contents("value")).unwrap_or_default(),
        currency: form.currency().to_owned(),
        invoice_number: form.get("booking_invoice_number"),
        invoice_date: form.get("booking_invoice_date"),
    }
}
