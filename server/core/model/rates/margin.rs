//! The customer's price from a partner's price: the operator's margin and the taxes.

use crate::model::courier::fares::Cost;
use crate::model::money::paise::Paise;
use crate::model::rates::price::{self, Price, Supply};
use crate::model::shipping::grams::Grams;
use crate::model::shipping::place;
use crate::model::shipping::shipment::Shipment;

/// The usual divisor, if a partner names no charged weight (cm³ per kg; server/docs/couriers.md).
pub const USUAL_DIVISOR: i64 = 5_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terms {
    /// The operator's margin, in basis points of the partner's price without tax.
    pub margin_bp: i64,
    /// True if the partner's prices include GST.
    pub with_gst: bool,
}

impl Terms {
    /// Converts a bill without tax to the partner's terms, for comparison: never a paisa short.
    pub fn in_partner_terms(self, billed: Paise) -> Paise {
        match self.with_gst {
            true => price::with_gst(billed),
            false => billed,
        }
    }

    /// Returns the customer's price, and the amount that the partner will bill us without GST.
    pub fn price(self, cost: &Cost, shipment: &Shipment, supply: Supply) -> (Price, Paise) {
        let billed = match self.with_gst {
            true => price::without_gst(cost.amount),
            false => cost.amount,
        };
        let freight = [billed, billed.share_bp(self.margin_bp)].into_iter().sum();
        let actual = shipment.piece_weight.0 * shipment.pieces;
        let volumetric = price::volumetric_grams(shipment, USUAL_DIVISOR).0 * shipment.pieces;
        let chargeable = cost.chargeable.unwrap_or(Grams(actual.max(volumetric)));
        let weights = [actual, volumetric, chargeable.0].map(Grams);
        let zone = cost.zone.clone().unwrap_or_else(|| destination(shipment));
        (price::flat_price(zone, (shipment.pieces, weights), freight, supply), billed)
    }
}

/// The label used as the zone when the partner names none: the country.
fn destination(shipment: &Shipment) -> String {
    let country = place::country(shipment.destination_country_id);
    country.map_or_else(String::new, |country| country.country_name.clone())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::rates::price::tests::parcel;

    fn price(margin_bp: i64, with_gst: bool, rupees: i64) -> (Price, Paise) {
        let cost = Cost {
            amount: Paise::rupees(rupees),
            zone: Some("Zone D".to_owned()),
            chargeable: None,
        };
        let terms = Terms { margin_bp, with_gst };
        terms.price(&cost, &parcel(2_500, (300, 200, 500)), Supply::BetweenStates)
    }

    #[test]
    fn the_margin_and_the_tax_come_on_top_of_the_bill() {
        let (price, billed) = price(1_500, false, 200);
        assert_eq!(billed, Paise::rupees(200));
        assert_eq!(price.taxable, Paise::rupees(230));
        assert_eq!(price.gst, Paise::new(4_140));
        assert_eq!(price.total, Paise::new(27_140));
        assert_eq!(price.lines.iter().map(|line| line.amount).sum::<Paise>(), price.total);
        assert_eq!((price.actual_grams, price.volumetric_grams), (2_500, 6_000));
        assert_eq!(price.chargeable_grams, 6_000);
    }

    #[test]
    fn tax_inside_a_bill_is_taken_out_before_ours_is_added() {
        let (price, billed) = price(0, true, 118);
        assert_eq!((billed, price.total), (Paise::rupees(100), Paise::rupees(118)));
    }
}
