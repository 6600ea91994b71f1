//! A shipment to be sent: route, kind, weight, dimensions and pieces.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::error::{Error, FieldError, Result};
use crate::limits;
use crate::model::account::gstin;
use crate::model::digest::sha256_hex;
use crate::model::input::characters::code;
use crate::model::input::{measure, postal_code};
use crate::model::openapi_schema::{Text, decimal, one_or_two_schema};
use crate::model::shipping::grams::Grams;
use crate::model::shipping::place;

/// A rate request as it comes over the wire (`calculate-rate`).
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(default)]
#[schema(as = RateRequest)]
pub struct RawShipment {
    /// 1 abroad, 2 within India.
    #[schema(required, schema_with = one_or_two_schema)]
    pub booking_type: Text,
    #[schema(required)]
    pub origin_pincode: Text,
    /// Where the courier collects it, if that is not at the origin: the price is from there.
    pub pickup_pincode: Text,
    /// A PIN code, or a postal code where the country has them.
    pub destination_pincode: Text,
    /// By its number, its code or its name; needed abroad.
    pub destination_country: Text,
    /// The destination country under the name that bookings use.
    pub destination_country_id: Text,
    /// The city of a destination without a postal code: some couriers price by it.
    pub city: Text,
    /// 1 a parcel, 2 documents; 1 if absent.
    #[schema(schema_with = one_or_two_schema)]
    pub shipment_type: Text,
    /// Of one piece, in kg.
    #[schema(required)]
    pub weight: Text,
    /// The longest side of a piece, in cm. Width and height may be left out.
    pub length: Text,
    pub width: Text,
    pub height: Text,
    /// Pieces; 1 if absent.
    pub quantity: Text,
    /// For whom the tax invoice will be, where that is not the account.
    pub consigner_gst_number: Text,
}

impl RawShipment {
    /// The GSTIN for the price: the request's, otherwise the account's.
    ///
    /// # Errors
    /// `Fields` for a text that is not a GSTIN.
    pub fn gstin(&self, of_account: &str) -> Result<String> {
        match code(self.consigner_gst_number.as_str()) {
            gstin if gstin.is_empty() => Ok(of_account.to_owned()),
            gstin if gstin::is_gstin(&gstin) => Ok(gstin),
            _ => Err(Error::field("consigner_gst_number", gstin::WRONG)),
        }
    }
}

/// A parcel has contents and dimensions; a document is only papers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ShipmentKind {
    Parcel,
    Document,
}

/// A valid shipment, all values in range. Weight and dimensions are per piece.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shipment {
    /// The place where it is collected or handed in.
    pub origin_pincode: String,
    /// An Indian PIN code, or a postal code of `destination_country_id`.
    pub destination_code: String,
    /// The country's id; 97 for domestic shipments.
    pub destination_country_id: i64,
    /// Only of a destination without a postal code.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub destination_city: String,
    pub kind: ShipmentKind,
    pub piece_weight: Grams,
    /// Length in millimetres; 0 if not given.
    pub length_mm: i64,
    pub width_mm: i64,
    pub height_mm: i64,
    pub pieces: i64,
}

impl Shipment {
    /// Checks all fields, then the places one by one, because people read one message at a time:
    /// the origin first, then the destination.
    pub fn parse(raw: &RawShipment) -> Result<Shipment> {
        let mut wrong = Vec::new();
        let international = raw.booking_type.as_str() == "1";
        if !["1", "2"].contains(&raw.booking_type.as_str()) {
            let message = "Please choose Domestic or International.";
            wrong.push(FieldError::new("booking_type", message));
        }
        let kind = match raw.shipment_type.or("1") {
            "2" => ShipmentKind::Document,
            "1" => ShipmentKind::Parcel,
            _ => {
                wrong.push(FieldError::new("shipment_type", "Please choose Parcel or Document."));
                ShipmentKind::Parcel
            }
        };
        let country = destination_country(raw, international, &mut wrong);
        let origin_pincode = postal_code::pin(raw.origin_pincode.as_str());
        check_pin(&origin_pincode, "origin_pincode", &mut wrong);
        let pickup = postal_code::pin(raw.pickup_pincode.as_str());
        if !pickup.is_empty() {
            check_pin(&pickup, "pickup_pincode", &mut wrong);
        }
        let destination_code = place::normalise(country, raw.destination_pincode.as_str());
        if country == place::INDIA {
            check_pin(&destination_code, "destination_pincode", &mut wrong);
        }
        let is_parcel = kind == ShipmentKind::Parcel;
        let has_code = country == place::INDIA || !destination_code.is_empty();
        let shipment = Shipment {
            origin_pincode: if pickup.is_empty() { origin_pincode.clone() } else { pickup },
            destination_code,
            destination_country_id: country,
            destination_city: if has_code { String::new() } else { city(raw, &mut wrong) },
            kind,
            piece_weight: weight(raw.weight.as_str(), &mut wrong),
            length_mm: if is_parcel { side(raw.length.or("0"), "length", &mut wrong) } else { 0 },
            width_mm: if is_parcel { side(raw.width.or("0"), "width", &mut wrong) } else { 0 },
            height_mm: if is_parcel { side(raw.height.or("0"), "height", &mut wrong) } else { 0 },
            pieces: if is_parcel { pieces(raw.quantity.or("1"), &mut wrong) } else { 1 },
        };
        Error::check(wrong)?;
        if place::pin(&origin_pincode).is_none() {
            return Err(Error::field("origin_pincode", "Origin pincode is not serviceable."));
        }
        shipment.check_places()?;
        Ok(shipment)
    }

    fn check_places(&self) -> Result<()> {
        if place::pin(&self.origin_pincode).is_none() {
            return Err(Error::field("pickup_pincode", "This PIN code is not serviceable."));
        }
        let (country_id, code) = (self.destination_country_id, &self.destination_code);
        if place::find_normalised(country_id, code).is_none() {
            let message = match self.is_international() {
                false => "Destination pincode is not serviceable.",
                true => "Destination postal code is not serviceable for the selected country.",
            };
            return Err(Error::field("destination_pincode", message));
        }
        Ok(())
    }

    pub fn is_international(&self) -> bool {
        self.destination_country_id != place::INDIA
    }

    /// Returns the sides of a piece, such as `30 × 20 × 10.5 cm`; empty if one is not given.
    pub fn size(&self) -> String {
        let sides = [self.length_mm, self.width_mm, self.height_mm];
        match sides.contains(&0) {
            true => String::new(),
            false => format!("{} cm", sides.map(|mm| decimal(mm, 1).to_string()).join(" × ")),
        }
    }

    /// A hash of the shipment; two that differ in anything priced have different ones.
    pub fn fingerprint(&self) -> String {
        sha256_hex(self.to_json().as_bytes())
    }

    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("a shipment is plain data")
    }
}

fn destination_country(raw: &RawShipment, international: bool, wrong: &mut Vec<FieldError>) -> i64 {
    let mut country_id = None;
    for (field, text) in [
        ("destination_country_id", &raw.destination_country_id),
        ("destination_country", &raw.destination_country),
    ] {
        if text.is_empty() {
            continue;
        }
        let country = place::country_named(text.as_str()).map(|it| it.country_id);
        let message = match (country, country_id) {
            (None, _) => "We do not know this country. Choose from the list.",
            (Some(id), Some(other)) if id != other => {
                "This is another country than destination_country_id."
            }
            (Some(place::INDIA), _) if international => "Please choose Domestic for India.",
            (Some(id), _) if !international && id != place::INDIA => {
                "Please choose International for another country."
            }
            (Some(id), _) => {
                country_id = Some(id);
                continue;
            }
        };
        wrong.push(FieldError::new(field, message));
        return 0;
    }
    match (international, country_id) {
        (false, _) => place::INDIA,
        (true, Some(id)) => id,
        (true, None) => {
            let message = "Please choose the destination country.";
            wrong.push(FieldError::new("destination_country", message));
            0
        }
    }
}

fn check_pin(pincode: &str, field: &'static str, wrong: &mut Vec<FieldError>) {
    if !postal_code::is_pin(pincode) {
        wrong.push(FieldError::new(field, "Please enter a PIN code of 6 digits."));
    }
}

fn city(raw: &RawShipment, wrong: &mut Vec<FieldError>) -> String {
    if raw.city.as_str().chars().count() > limits::CITY_CHARS_MAX {
        let message = format!("A city has at most {} letters.", limits::CITY_CHARS_MAX);
        wrong.push(FieldError::new("city", message));
    }
    raw.city.as_str().to_owned()
}

fn weight(text: &str, wrong: &mut Vec<FieldError>) -> Grams {
    let range = limits::WEIGHT_GRAMS_MIN..=limits::WEIGHT_GRAMS_MAX;
    let grams = measure::grams(text).filter(|grams| range.contains(grams));
    if grams.is_none() {
        wrong.push(FieldError::new("weight", measure::WRONG_WEIGHT));
    }
    Grams(grams.unwrap_or(0))
}

/// Returns the millimetres of a length, rounded up.
fn side(length: &str, field: &'static str, wrong: &mut Vec<FieldError>) -> i64 {
    match measure::length(length).map(|thousandths| (thousandths + 99) / 100) {
        Some(mm) if mm <= limits::SIDE_MM_MAX => mm,
        _ => {
            let most = limits::SIDE_MM_MAX / 10;
            let message = format!("Please enter centimetres, at most {most}.");
            wrong.push(FieldError::new(field, message));
            0
        }
    }
}

fn pieces(count: &str, wrong: &mut Vec<FieldError>) -> i64 {
    match measure::count(count) {
        Some(count) if (1..=limits::PIECES_MAX).contains(&count) => count,
        _ => {
            let message = format!("Please enter a whole number from 1 to {}.", limits::PIECES_MAX);
            wrong.push(FieldError::new("quantity", message));
            1
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn raw() -> RawShipment {
        RawShipment {
            booking_type: "2".into(),
            origin_pincode: "110001".into(),
            destination_pincode: "560001".into(),
            shipment_type: "1".into(),
            weight: "2.5".into(),
            length: "30".into(),
            quantity: "2".into(),
            ..RawShipment::default()
        }
    }

    fn first_wrong(raw: &RawShipment) -> (String, String) {
        let error = Shipment::parse(raw).unwrap_err();
        let field = &error.fields()[0];
        (field.path.to_string(), field.message.to_string())
    }

    #[test]
    fn each_value_is_taken_or_refused_as_the_shared_list_says() {
        let values = include_str!("../../../tests/rate_values.json");
        let values: Vec<[String; 3]> = serde_json::from_str(values).expect("values");
        assert!(values.len() > 80);
        for [field, text, refused_by] in values {
            let mut form = serde_json::json!({
                "booking_type": "2", "origin_pincode": "560001", "destination_pincode": "110001",
                "shipment_type": "1", "weight": "1", "length": "10", "quantity": "1",
            });
            form[&field] = text.as_str().into();
            let raw: RawShipment = serde_json::from_value(form).expect("a request");
            let refusal = Shipment::parse(&raw).err();
            let wrong = refusal.as_ref().map_or(&[][..], Error::fields);
            let is_refused = wrong.iter().any(|it| it.path == field);
            let expected = ["both", "server"].contains(&refused_by.as_str());
            assert_eq!(is_refused, expected, "{field}: {text}: {wrong:?}");
        }
    }

    #[test]
    fn a_shipment_that_is_collected_elsewhere_begins_there() {
        let elsewhere = RawShipment { pickup_pincode: "400001".into(), ..raw() };
        assert_eq!(Shipment::parse(&elsewhere).unwrap().origin_pincode, "400001");
    }

    #[test]
    fn kilograms_and_centimetres_become_grams_and_millimetres() {
        let shipment = Shipment::parse(&raw()).unwrap();
        assert_eq!(shipment.piece_weight, Grams(2_500));
        assert_eq!((shipment.length_mm, shipment.width_mm, shipment.pieces), (300, 0, 2));
        assert_eq!(shipment.size(), "");
        let sides = Shipment { width_mm: 305, height_mm: 1, ..shipment };
        assert_eq!(sides.size(), "30 × 30.5 × 0.1 cm");
    }

    #[test]
    fn a_document_has_no_dimensions_and_is_one_piece() {
        let document = RawShipment { shipment_type: "2".into(), ..raw() };
        let shipment = Shipment::parse(&document).unwrap();
        assert_eq!((shipment.length_mm, shipment.pieces), (0, 1));
    }

    #[test]
    fn places_are_checked_origin_first() {
        let both = RawShipment {
            origin_pincode: "999999".into(),
            destination_pincode: "999998".into(),
            ..raw()
        };
        assert_eq!(first_wrong(&both).1, "Origin pincode is not serviceable.");
        let destination = RawShipment { destination_pincode: "999998".into(), ..raw() };
        assert_eq!(first_wrong(&destination).1, "Destination pincode is not serviceable.");
        let abroad = RawShipment {
            booking_type: "1".into(),
            destination_country: "233".into(),
            destination_pincode: "not a code".into(),
            ..raw()
        };
        assert_eq!(
            first_wrong(&abroad).1,
            "Destination postal code is not serviceable for the selected country."
        );
    }

    #[test]
    fn a_country_needs_its_kind_of_booking() {
        let abroad = RawShipment { destination_country: "229".into(), ..raw() };
        assert_eq!(first_wrong(&abroad).1, "Please choose International for another country.");
        let at_home =
            RawShipment { booking_type: "1".into(), destination_country: "India".into(), ..raw() };
        assert_eq!(first_wrong(&at_home).1, "Please choose Domestic for India.");
    }

    #[test]
    fn bad_values_name_their_field() {
        for (field, bad) in [
            ("weight", RawShipment { weight: "0".into(), ..raw() }),
            ("weight", RawShipment { weight: "0.099".into(), ..raw() }),
            ("weight", RawShipment { weight: "2,500".into(), ..raw() }),
            ("length", RawShipment { length: "-3".into(), ..raw() }),
            ("quantity", RawShipment { quantity: "1.5".into(), ..raw() }),
            ("origin_pincode", RawShipment { origin_pincode: "11000".into(), ..raw() }),
            ("pickup_pincode", RawShipment { pickup_pincode: "11002".into(), ..raw() }),
            ("pickup_pincode", RawShipment { pickup_pincode: "999999".into(), ..raw() }),
            ("booking_type", RawShipment { booking_type: "3".into(), ..raw() }),
            ("destination_country", RawShipment { booking_type: "1".into(), ..raw() }),
        ] {
            assert_eq!(first_wrong(&bad).0, field);
        }
    }

    #[test]
    fn the_fingerprint_changes_with_anything_priced() {
        let one = Shipment::parse(&raw()).unwrap().fingerprint();
        let other = RawShipment { weight: "2.501".into(), ..raw() };
        assert_eq!(Shipment::parse(&raw()).unwrap().fingerprint(), one);
        assert_ne!(Shipment::parse(&other).unwrap().fingerprint(), one);
    }
}
