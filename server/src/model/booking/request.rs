//! The booking form: what must be filled in, and what of it decides anything.

use serde::Deserialize;

use crate::error::{Error, FieldError, Result};
use crate::model::kyc::RawKycInfo;
use crate::model::shipping::shipment::{RawShipment, Shipment};
use crate::model::wire::Text;

/// What is inside (`shipment_dimensions`).
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct RawContents {
    pub item_description: Text,
    pub value: Text,
    pub quantity: Text,
    pub weight: Text,
    pub length: Text,
    pub breadth: Text,
    pub height: Text,
}

/// The parts of the booking payload that decide something. The rest
/// of the form is kept as it came.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct RawBooking {
    pub quote_id: Text,
    pub courier_id: Text,
    pub booking_type: Text,
    pub origin_pincode: Text,
    pub destination_pincode: Text,
    pub destination_country_id: Text,
    pub shipment_type: Text,
    pub weight: Text,
    pub description: Text,
    pub consigner_name: Text,
    pub consigner_mobile: Text,
    pub consigner_email: Text,
    pub consigner_address_1: Text,
    pub consignee_name: Text,
    pub consignee_mobile: Text,
    pub consignee_address_1: Text,
    pub consignee_city: Text,
    pub shipment_dimensions: Vec<RawContents>,
    pub kyc_info: RawKycInfo,
    pub otp: Text,
}

/// A booking form in order, with the raw text that came.
#[derive(Clone, Debug)]
pub struct Order {
    pub quote_id: String,
    pub product_id: i64,
    pub shipment: Shipment,
    pub consigner_mobile: String,
    pub consigner_email: String,
    pub consignee_name: String,
    /// The code the consignor was sent, or nothing.
    pub otp: String,
    /// The identity documents it names, if any.
    pub kyc_info: RawKycInfo,
    /// The whole form as it came.
    pub details: String,
}

impl Order {
    /// Reads and checks the JSON body of create-booking.
    pub fn parse(body: &str) -> Result<Order> {
        let raw: RawBooking = serde_json::from_str(body)
            .map_err(|_| Error::Malformed("The booking is not valid JSON.".into()))?;
        Error::check(missing(&raw))?;
        let shipment = Shipment::parse(&raw_shipment(&raw))?;
        Ok(Order {
            quote_id: raw.quote_id.as_str().to_owned(),
            product_id: raw.courier_id.as_str().parse().unwrap_or(0),
            shipment,
            consigner_mobile: raw.consigner_mobile.as_str().to_owned(),
            consigner_email: raw.consigner_email.as_str().to_owned(),
            consignee_name: raw.consignee_name.as_str().to_owned(),
            otp: raw.otp.as_str().to_owned(),
            kyc_info: raw.kyc_info,
            details: body.to_owned(),
        })
    }
}

fn missing(raw: &RawBooking) -> Vec<FieldError> {
    let is_document = raw.shipment_type.as_str() == "2";
    let contents = raw.shipment_dimensions.first().cloned().unwrap_or_default();
    let mut required = vec![
        ("quote_id", &raw.quote_id),
        ("consigner_name", &raw.consigner_name),
        ("consigner_mobile", &raw.consigner_mobile),
        ("consigner_address_1", &raw.consigner_address_1),
        ("consignee_name", &raw.consignee_name),
        ("consignee_mobile", &raw.consignee_mobile),
        ("consignee_address_1", &raw.consignee_address_1),
        ("consignee_city", &raw.consignee_city),
        ("description", &raw.description),
    ];
    if !is_document {
        required.extend([
            ("shipment_dimensions.quantity", &contents.quantity),
            ("shipment_dimensions.length", &contents.length),
            ("shipment_dimensions.breadth", &contents.breadth),
            ("shipment_dimensions.height", &contents.height),
            ("shipment_dimensions.value", &contents.value),
        ]);
    }
    let mut wrong: Vec<FieldError> = required
        .iter()
        .filter(|(_, text)| text.is_empty())
        .map(|(name, _)| FieldError::new(*name, "This field is required."))
        .collect();
    let long = required
        .iter()
        .filter(|(_, text)| text.as_str().chars().count() > 200);
    wrong.extend(long.map(|(name, _)| FieldError::new(*name, "Use at most 200 letters.")));
    wrong
}

fn raw_shipment(raw: &RawBooking) -> RawShipment {
    let contents = raw.shipment_dimensions.first().cloned().unwrap_or_default();
    RawShipment {
        booking_type: raw.booking_type.clone(),
        origin_pincode: raw.origin_pincode.clone(),
        destination_pincode: raw.destination_pincode.clone(),
        destination_country: raw.destination_country_id.clone(),
        shipment_type: raw.shipment_type.clone(),
        weight: raw.weight.clone(),
        length: contents.length,
        width: contents.breadth,
        height: contents.height,
        quantity: contents.quantity,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_form_names_every_required_field() {
        let error = Order::parse("{}").unwrap_err();
        let names: Vec<&str> = error.fields().iter().map(|f| f.path.as_ref()).collect();
        for name in [
            "quote_id",
            "consignee_name",
            "consignee_city",
            "shipment_dimensions.value",
        ] {
            assert!(names.contains(&name), "{name} not in {names:?}");
        }
    }
}
