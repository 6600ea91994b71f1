//! Quotes and offers as values, quotes packed small, as most are never booked, and the rule for a
//! customer's taxes.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::error::{Error, Result};
use crate::limits;
use crate::model::courier::address::ServiceAddresses;
use crate::model::kyc;
use crate::model::money::paise::Paise;
use crate::model::rates::price::{Price, PriceLine, Product, Supply};
use crate::model::shipping::grams::Grams;
use crate::model::shipping::place;
use crate::model::shipping::shipment::{Shipment, ShipmentKind};

/// One service with its price.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct RateOption {
    pub product_name: String,
    pub parent_vendor: String,
    pub product_id: i64,
    pub grand_total_with_gst: Paise,
    /// Not every partner tells.
    #[schema(required)]
    pub tat_days: Option<i64>,
    /// A token that the booking request sends back unchanged.
    pub quote_id: String,
    /// The hours in which its courier fetches parcels, such as `10-13 13-16`.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub pickup_hours: String,
    /// True if it takes no parcels at a counter, so that each has a pickup.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub always_fetched: bool,
    /// Where a parcel is handed in that has no pickup, in a sentence.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub hand_in: String,
    pub kyc_required: bool,
    pub otp_required: bool,
    pub breakdown: Price,
    /// The courier's limits for addresses; absent if it takes all that a form does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub addresses: Option<ServiceAddresses>,
}

#[derive(Clone, Debug)]
pub struct Offer {
    pub product: Product,
    pub tat_days: Option<i64>,
    pub price: Price,
    /// The part of the taxable value that the courier will bill us.
    pub courier: Paise,
}

/// Pickup and drop-off at the courier of a service: see the fields of [`RateOption`].
#[derive(Clone, Debug, Default)]
pub struct Intake {
    pub pickup_hours: String,
    pub always_fetched: bool,
    pub hand_in: String,
    pub addresses: Option<ServiceAddresses>,
}

#[derive(Clone, Debug, Default)]
pub struct Quoted {
    pub rates: Vec<RateOption>,
    /// Sentences for the customer when prices are missing.
    pub notes: Vec<String>,
}

/// A service as the list of couriers names it.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct CourierDetail {
    pub product_name: String,
    pub product_id: i64,
}

#[derive(Clone, Debug)]
pub struct StoredQuote {
    /// The quote's id in the database, with which its token begins.
    pub quote_id: String,
    pub product_id: i64,
    pub shipment_hash: String,
    /// The shipment as JSON.
    pub shipment: String,
    /// The price as JSON.
    pub price: String,
    pub total: Paise,
    /// The part of the taxable value that the courier will bill us.
    pub courier: Paise,
    pub gstin: String,
    /// The courier's estimate from pickup to delivery.
    pub tat_days: Option<i64>,
    pub created_ms: i64,
    pub expires_ms: i64,
}

impl StoredQuote {
    pub fn read_price(&self) -> Result<Price> {
        serde_json::from_str(&self.price).map_err(Error::internal)
    }

    pub fn read_shipment(&self) -> Result<Shipment> {
        serde_json::from_str(&self.shipment).map_err(Error::internal)
    }
}

/// Returns the sentence for couriers that returned no price.
pub fn note(missing: &[String]) -> Option<String> {
    let (last, others) = missing.split_last()?;
    let names = match others {
        [] => last.clone(),
        others => format!("{} and {last}", others.join(", ")),
    };
    Some(format!(
        "No answer from {names}. The prices shown are valid; try again in a minute for the rest."
    ))
}

/// Compares the place of supply with our state. IGST Act s. 12(8): where a registered customer is
/// registered, else where the goods are handed over. The destination does not matter.
pub fn supply(our_state: &str, gstin: &str, origin_pincode: &str) -> Supply {
    let origin = place::pin(origin_pincode).map_or("", |pin| pin.gst_state_code);
    let place = gstin.get(..2).unwrap_or(origin);
    if place == our_state { Supply::WithinState } else { Supply::BetweenStates }
}

pub fn quote_id(calculation_id: &str, product_id: i64) -> String {
    format!("{calculation_id}-{product_id}")
}

/// Splits a quote's id into its calculation and product; `None` if it is no quote id.
pub fn parse_quote_id(quote_id: &str) -> Option<(&str, i64)> {
    let (calculation_id, product_id) = quote_id.rsplit_once('-')?;
    Some((calculation_id, product_id.parse().ok()?))
}

impl RateOption {
    pub fn of(offer: Offer, token: String, intake: Intake) -> RateOption {
        let product = offer.product;
        RateOption {
            product_name: product.product_name,
            parent_vendor: product.parent_vendor,
            product_id: product.product_id,
            grand_total_with_gst: offer.price.total,
            tat_days: offer.tat_days,
            quote_id: token,
            pickup_hours: intake.pickup_hours,
            always_fetched: intake.always_fetched,
            hand_in: intake.hand_in,
            kyc_required: kyc::is_needed(product.international, product.needs_kyc),
            otp_required: product.needs_otp,
            breakdown: offer.price,
            addresses: intake.addresses,
        }
    }
}

/// All parts of a quote that a booking needs, except its id. CBOR without field names.
#[derive(Serialize, Deserialize)]
pub struct PackedQuote(i64, String, PackedShipment, PackedOffer);

/// Origin, destination, its country and city, kind, grams of a piece, millimetres, pieces.
#[derive(Serialize, Deserialize)]
struct PackedShipment(String, String, i64, String, ShipmentKind, i64, [i64; 3], i64);

/// Days, the courier's paise, the zone, grams (actual, volumetric, chargeable), lines without sums.
#[derive(Serialize, Deserialize)]
struct PackedOffer(Option<i64>, i64, String, [i64; 3], Vec<PackedLine>);

/// Label, paise, and true if it is a tax.
#[derive(Serialize, Deserialize)]
struct PackedLine(String, i64, bool);

impl PackedQuote {
    /// Packs an offer for a shipment of the customer with this GSTIN. `now_ms` is UTC.
    pub fn of(offer: &Offer, shipment: &Shipment, gstin: &str, now_ms: i64) -> PackedQuote {
        let price = &offer.price;
        let weights = [price.actual_grams, price.volumetric_grams, price.chargeable_grams];
        let line = |line: &PriceLine| PackedLine(line.label.clone(), line.amount.get(), line.tax);
        let lines = price.lines.iter().map(line).collect();
        PackedQuote(
            now_ms,
            gstin.to_owned(),
            PackedShipment::of(shipment),
            PackedOffer(offer.tat_days, offer.courier.get(), price.zone.clone(), weights, lines),
        )
    }

    pub fn to_bytes(&self) -> Vec<u8> {
        serde_cbor_2::ser::to_vec_packed(self).expect("a quote is plain data")
    }

    /// Reads a packed quote; `None` unless the bytes are in today's format.
    pub fn from_bytes(bytes: &[u8]) -> Option<PackedQuote> {
        serde_cbor_2::from_slice(bytes).ok()
    }

    /// Returns the quote with this id; `None` if the id is invalid.
    pub fn unpack(self, quote_id: &str) -> Option<StoredQuote> {
        let PackedQuote(created_ms, gstin, shipment, offer) = self;
        let PackedOffer(tat_days, courier, zone, weights, lines) = offer;
        let (_, product_id) = parse_quote_id(quote_id)?;
        let shipment = shipment.unpack();
        let line =
            |PackedLine(label, paise, tax)| PriceLine { label, amount: Paise::new(paise), tax };
        let lines = lines.into_iter().map(line).collect();
        let price = Price::of(zone, (shipment.pieces, weights.map(Grams)), lines);
        Some(StoredQuote {
            quote_id: quote_id.to_owned(),
            product_id,
            shipment_hash: shipment.fingerprint(),
            shipment: shipment.to_json(),
            price: serde_json::to_string(&price).expect("a price is plain data"),
            total: price.total,
            courier: Paise::new(courier),
            gstin,
            tat_days,
            created_ms,
            expires_ms: created_ms + limits::QUOTE_MS_MAX,
        })
    }
}

impl PackedShipment {
    fn of(shipment: &Shipment) -> PackedShipment {
        PackedShipment(
            shipment.origin_pincode.clone(),
            shipment.destination_code.clone(),
            shipment.destination_country_id,
            shipment.destination_city.clone(),
            shipment.kind,
            shipment.piece_weight.0,
            [shipment.length_mm, shipment.width_mm, shipment.height_mm],
            shipment.pieces,
        )
    }

    fn unpack(self) -> Shipment {
        let PackedShipment(origin, destination, country, city, kind, grams, sides, pieces) = self;
        let [length_mm, width_mm, height_mm] = sides;
        Shipment {
            origin_pincode: origin,
            destination_code: destination,
            destination_country_id: country,
            destination_city: city,
            kind,
            piece_weight: Grams(grams),
            length_mm,
            width_mm,
            height_mm,
            pieces,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn couriers_without_a_price_are_named() {
        let names = |all: &[&str]| note(&all.iter().map(|&name| name.into()).collect::<Vec<_>>());
        assert_eq!(names(&[]), None);
        assert!(names(&["UPS"]).unwrap().starts_with("No answer from UPS."));
        let three = names(&["DHL", "FedEx", "UPS"]).unwrap();
        assert!(three.starts_with("No answer from DHL, FedEx and UPS."), "{three}");
    }

    #[test]
    fn a_quotes_name_says_its_calculation_and_service() {
        let name = quote_id("a-b_c", 12);
        assert_eq!(parse_quote_id(&name), Some(("a-b_c", 12)));
        for strange in ["", "a", "a-", "a-b", "-", "a-99999999999999999999"] {
            assert_eq!(parse_quote_id(strange), None, "{strange}");
        }
    }

    #[test]
    fn the_place_of_supply_is_the_registration_else_the_origin() {
        assert_eq!(supply("07", "", "110001"), Supply::WithinState);
        assert_eq!(supply("07", "", "560001"), Supply::BetweenStates);
        let registered = supply("07", "29AAACD1234E1Z9", "110001");
        assert_eq!(registered, Supply::BetweenStates);
    }

    #[test]
    fn a_quote_is_what_was_packed_or_none() {
        let quote = PackedQuote(
            1_764_000_000_000,
            "29AAACD1234E1Z9".into(),
            PackedShipment(
                "110001".into(),
                "560001".into(),
                0,
                String::new(),
                ShipmentKind::Parcel,
                2_500,
                [300, 200, 0],
                3,
            ),
            PackedOffer(
                None,
                41_000,
                "Metro to metro".into(),
                [7_500, 0, 8_000],
                vec![
                    PackedLine("Freight".into(), 50_000, false),
                    PackedLine("IGST (18%)".into(), 9_000, true),
                ],
            ),
        );
        let bytes = quote.to_bytes();
        let name = "AZrBqmQALxkUcHUSpm7rVA-12";
        let unpacked = PackedQuote::from_bytes(&bytes).unwrap().unpack(name);
        let unpacked = unpacked.unwrap();
        assert_eq!(unpacked.total, Paise::new(59_000));
        assert_eq!(unpacked.courier, Paise::new(41_000));
        assert_eq!((unpacked.product_id, unpacked.tat_days), (12, None));
        for length in 0..bytes.len() {
            assert!(PackedQuote::from_bytes(&bytes[..length]).is_none(), "{length}");
        }
        // The JSON that quotes were packed as before.
        let json = serde_json::to_vec(&quote).unwrap();
        assert!(PackedQuote::from_bytes(&json).is_none());
    }
}
