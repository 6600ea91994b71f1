//! Partner couriers' prices: what a partner bills us becomes what the customer pays, and what a
//! partner offers becomes a product.

use std::sync::Arc;

use super::money::Paise;
use super::place;
use super::rate::{self, Grams, Price, Product, Supply};
use super::rate_book::RateBook;
use super::shipment::Shipment;
use crate::app::App;
use crate::error::Result;
use crate::limits;
use crate::model::courier::fares::{Cost, Fare, RateAsk};
use crate::store;

/// The volumetric divisor shown when a partner does not tell what weight it counts
/// (cubic centimetres for each kilogram; domain-facts section 1).
const USUAL_DIVISOR: i64 = 5_000;

/// What we make of a partner's prices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terms {
    /// The operator's margin, in basis points of the partner's price without tax.
    pub margin_bp: i64,
    /// Whether the partner's prices include GST.
    pub with_gst: bool,
}

impl Terms {
    /// A bill without tax as the partner names it: for comparing, so never a paisa short.
    pub fn named(self, billed: Paise) -> Paise {
        match self.with_gst {
            true => rate::with_gst(billed),
            false => billed,
        }
    }

    /// The customer's price, and of its taxable value what the partner will bill us.
    pub fn price(self, cost: &Cost, shipment: &Shipment, supply: Supply) -> (Price, Paise) {
        let billed = match self.with_gst {
            true => rate::without_gst(cost.amount),
            false => cost.amount,
        };
        let freight = [billed, billed.share_bp(self.margin_bp)].into_iter().sum();
        let actual = shipment.piece_weight.0 * shipment.pieces;
        let volumetric = rate::volumetric_grams(shipment, USUAL_DIVISOR).0 * shipment.pieces;
        let counted = cost.chargeable.unwrap_or(Grams(actual.max(volumetric)));
        let weights = [actual, volumetric, counted.0].map(Grams);
        let zone = cost.zone.clone().unwrap_or_else(|| destination(shipment));
        (rate::flat_price(zone, weights, freight, supply), billed)
    }
}

/// What stands for a zone where the partner names none.
fn destination(shipment: &Shipment) -> String {
    let country = place::country(shipment.destination_country_id);
    country.map_or_else(String::new, |country| country.country_name.clone())
}

/// A book that knows every service of these fares: those offered for the first time are added.
pub async fn know(
    app: &App,
    ask: &RateAsk,
    fares: &[(&'static str, Option<Terms>, Fare)],
) -> Result<Arc<RateBook>> {
    let (book, international) = (&ask.book, ask.shipment.is_international());
    let is_new = |(code, _, fare): &&(&'static str, Option<Terms>, Fare)| {
        book.service(code, &fare.service).is_none()
    };
    let new: Vec<Product> = fares
        .iter()
        .filter(is_new)
        .map(|(code, _, fare)| product(code, fare, international))
        .collect();
    if new.is_empty() {
        return Ok(book.clone());
    }
    app.store
        .write(move |conn| {
            Box::pin(async move {
                for product in &new {
                    store::rates::add_service(conn, product).await?;
                }
                store::rates::count_up(conn).await
            })
        })
        .await?;
    app.rates.forget();
    app.rates.book(&app.store).await
}

/// A partner's service as a product. Its number is given when it is stored.
fn product(courier: &str, fare: &Fare, international: bool) -> Product {
    Product {
        product_id: 0,
        product_name: fare.name.clone(),
        parent_vendor: fare.vendor.clone(),
        courier: courier.to_owned(),
        service: fare.service.clone(),
        international,
        takes_parcels: true,
        takes_documents: true,
        volumetric_divisor: USUAL_DIVISOR,
        minimum: Grams(1),
        maximum: Grams(limits::RATE_GRAMS_MAX),
        needs_kyc: false,
        // A DHL-type courier's booking is confirmed with an OTP (decisions.md).
        needs_otp: fare.vendor.contains("dhl"),
        zoning: "india".to_owned(),
        active: true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::shipment::Kind;

    fn shipment() -> Shipment {
        Shipment {
            origin_pincode: "110001".to_owned(),
            destination_code: "560001".to_owned(),
            destination_country_id: place::INDIA,
            kind: Kind::Parcel,
            piece_weight: Grams(2_500),
            length_mm: 300,
            width_mm: 200,
            height_mm: 500,
            pieces: 1,
        }
    }

    fn price(margin_bp: i64, with_gst: bool, rupees: i64) -> (Price, Paise) {
        let cost = Cost {
            amount: Paise::rupees(rupees),
            zone: Some("Zone D".to_owned()),
            chargeable: None,
        };
        let terms = Terms {
            margin_bp,
            with_gst,
        };
        terms.price(&cost, &shipment(), Supply::BetweenStates)
    }

    #[test]
    fn the_margin_and_the_tax_come_on_top_of_the_bill() {
        let (price, billed) = price(1_500, false, 200);
        assert_eq!(billed, Paise::rupees(200));
        assert_eq!(price.taxable, Paise::rupees(230));
        assert_eq!(price.gst, Paise::new(4_140));
        assert_eq!(price.total, Paise::new(27_140));
        assert_eq!(
            price.lines.iter().map(|line| line.amount).sum::<Paise>(),
            price.total
        );
        assert_eq!((price.actual_grams, price.volumetric_grams), (2_500, 6_000));
        assert_eq!(price.chargeable_grams, 6_000);
    }

    #[test]
    fn tax_inside_a_bill_is_taken_out_before_ours_is_added() {
        let (price, billed) = price(0, true, 118);
        assert_eq!(
            (billed, price.total),
            (Paise::rupees(100), Paise::rupees(118))
        );
    }
}
