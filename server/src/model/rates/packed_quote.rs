//! Compact quotes: a customer's phone gets one for each service, and most are never booked.

use serde::{Deserialize, Serialize};

use crate::limits;
use crate::model::money::paise::Paise;
use crate::model::rates::price::{Price, PriceLine};
use crate::model::rates::quote::{Offer, StoredQuote, parse_quote_id};
use crate::model::shipping::grams::Grams;
use crate::model::shipping::shipment::{Shipment, ShipmentKind};

/// All parts of a quote that a booking needs, except its id. CBOR without field names.
#[derive(Serialize, Deserialize)]
pub struct PackedQuote(i64, String, PackedShipment, PackedOffer);

/// Origin, destination, its country, kind, grams of a piece, millimetres, pieces.
#[derive(Serialize, Deserialize)]
struct PackedShipment(String, String, i64, ShipmentKind, i64, [i64; 3], i64);

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
            shipment.kind,
            shipment.piece_weight.0,
            [shipment.length_mm, shipment.width_mm, shipment.height_mm],
            shipment.pieces,
        )
    }

    fn unpack(self) -> Shipment {
        let PackedShipment(origin, destination, country, kind, grams, sides, pieces) = self;
        let [length_mm, width_mm, height_mm] = sides;
        Shipment {
            origin_pincode: origin,
            destination_code: destination,
            destination_country_id: country,
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
    fn a_quote_is_what_was_packed_or_none() {
        let quote = PackedQuote(
            1_764_000_000_000,
            "29AAACD1234E1Z9".into(),
            PackedShipment(
                "110001".into(),
                "560001".into(),
                0,
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
