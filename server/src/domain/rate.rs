//! What a shipment costs: zones, chargeable weight, slabs, fuel surcharge and GST.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};

use super::money::Paise;
use super::place::Pin;
use super::shipment::{Kind, Shipment};

/// GST on courier services, SAC 996812: 18 % (domain-facts section 6), in basis points.
const GST_BP: i64 = 1_800;

/// A weight in whole grams.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Grams(pub i64);

/// How far a domestic shipment goes (domain-facts section 1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Zone {
    City,
    State,
    Metro,
    Rest,
    Special,
}

impl Zone {
    pub const ALL: [Zone; 5] = [
        Zone::City,
        Zone::State,
        Zone::Metro,
        Zone::Rest,
        Zone::Special,
    ];

    /// The letter that rate cards use.
    pub fn letter(self) -> &'static str {
        match self {
            Zone::City => "a",
            Zone::State => "b",
            Zone::Metro => "c",
            Zone::Rest => "d",
            Zone::Special => "e",
        }
    }

    pub fn from_letter(letter: &str) -> Option<Zone> {
        Zone::ALL.into_iter().find(|zone| zone.letter() == letter)
    }

    /// What customers read.
    pub fn label(self) -> &'static str {
        match self {
            Zone::City => "Within city",
            Zone::State => "Within state",
            Zone::Metro => "Metro to metro",
            Zone::Rest => "Rest of India",
            Zone::Special => "North East, J&K and other special areas",
        }
    }
}

/// Which cities and states have a zone of their own.
#[derive(Clone, Debug, Default)]
pub struct ZoneMap {
    pub metros: HashSet<String>,
    pub special_states: HashSet<String>,
}

impl ZoneMap {
    /// The zone between two PIN codes. City and state come first, so a parcel inside Guwahati is
    /// local, not special.
    pub fn zone(&self, from: &Pin, to: &Pin) -> Zone {
        let special = |pin: &Pin| self.special_states.contains(&pin.state_code);
        let metro = |pin: &Pin| self.metros.contains(&pin.city_area);
        match () {
            () if from.state_code == to.state_code && from.city_area == to.city_area => Zone::City,
            () if from.state_code == to.state_code => Zone::State,
            () if special(from) || special(to) => Zone::Special,
            () if metro(from) && metro(to) => Zone::Metro,
            () => Zone::Rest,
        }
    }
}

/// A service one can choose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Product {
    pub product_id: i64,
    pub product_name: String,
    pub parent_vendor: String,
    pub international: bool,
    pub takes_parcels: bool,
    pub takes_documents: bool,
    /// Cubic centimetres that count as one kilogram.
    pub volumetric_divisor: i64,
    pub minimum: Grams,
    pub maximum: Grams,
    pub needs_kyc: bool,
    pub needs_otp: bool,
}

impl Product {
    pub fn takes(&self, kind: Kind) -> bool {
        match kind {
            Kind::Parcel => self.takes_parcels,
            Kind::Document => self.takes_documents,
        }
    }
}

/// A price for the first grams and one for each further step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slab {
    pub first: Grams,
    pub first_price: Paise,
    pub step: Grams,
    pub step_price: Paise,
}

/// A product's conditions for one zone and month.
#[derive(Clone, Debug)]
pub struct Card {
    pub product: Product,
    pub tat_days: i64,
    pub slab: Slab,
    /// Fuel surcharge in basis points of freight.
    pub fuel_bp: i64,
}

/// One line of an itemised price.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Line {
    pub label: String,
    pub amount: Paise,
}

/// A price with everything that explains it. The lines add up to the total to the paisa.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Price {
    pub zone: String,
    pub actual_grams: i64,
    pub volumetric_grams: i64,
    pub chargeable_grams: i64,
    pub lines: Vec<Line>,
    pub taxable: Paise,
    pub gst: Paise,
    pub total: Paise,
}

/// Whether customer and operator are in the same state for GST (place of supply).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Supply {
    /// CGST and SGST, half each.
    WithinState,
    /// IGST.
    BetweenStates,
}

/// Volumetric weight of one piece, rounded up to the gram; zero unless all sides are known.
///
/// Cubic millimetres divided by the divisor (cm³ per kg) are grams.
pub fn volumetric_grams(shipment: &Shipment, divisor: i64) -> Grams {
    let cubic_mm = i128::from(shipment.length_mm)
        * i128::from(shipment.width_mm)
        * i128::from(shipment.height_mm);
    let divisor = i128::from(divisor.max(1));
    Grams(i64::try_from((cubic_mm + divisor - 1) / divisor).unwrap_or(i64::MAX))
}

/// The price of a shipment on a card, or `None` when the product does not take it.
pub fn price(card: &Card, shipment: &Shipment, zone: Zone, supply: Supply) -> Option<Price> {
    let product = &card.product;
    let actual = shipment.piece_weight.0.checked_mul(shipment.pieces)?;
    let piece_volume = volumetric_grams(shipment, product.volumetric_divisor).0;
    let volumetric = piece_volume.checked_mul(shipment.pieces)?;
    // Per piece the greater counts (domain-facts section 1); pieces of one kind are alike.
    let weight = Grams(actual.max(volumetric).max(product.minimum.0));
    if !product.takes(shipment.kind) || weight > product.maximum {
        return None;
    }
    let (chargeable, freight) = freight(card.slab, weight);
    let fuel = freight.share_bp(card.fuel_bp);
    let taxable: Paise = [freight, fuel].into_iter().sum();
    let taxes = taxes(taxable, supply);
    let gst: Paise = taxes.iter().map(|line| line.amount).sum();
    let mut lines = vec![Line {
        label: "Freight".to_owned(),
        amount: freight,
    }];
    if fuel != Paise::ZERO {
        let label = format!("Fuel surcharge {}", percent(card.fuel_bp));
        lines.push(Line {
            label,
            amount: fuel,
        });
    }
    lines.extend(taxes);
    Some(Price {
        zone: zone.label().to_owned(),
        actual_grams: actual,
        volumetric_grams: volumetric,
        chargeable_grams: chargeable.0,
        total: lines.iter().map(|line| line.amount).sum(),
        lines,
        taxable,
        gst,
    })
}

/// The weight rounded up to the slab, and what it costs.
fn freight(slab: Slab, weight: Grams) -> (Grams, Paise) {
    let over = (weight.0 - slab.first.0).max(0);
    let steps = (over + slab.step.0 - 1) / slab.step.0;
    let freight = slab.first_price.get() + steps * slab.step_price.get();
    (
        Grams(slab.first.0 + steps * slab.step.0),
        Paise::new(freight),
    )
}

fn taxes(taxable: Paise, supply: Supply) -> Vec<Line> {
    let line = |label: &str, bp: i64| Line {
        label: format!("{label} {}", percent(bp)),
        amount: taxable.share_bp(bp),
    };
    match supply {
        Supply::WithinState => vec![line("CGST", GST_BP / 2), line("SGST", GST_BP / 2)],
        Supply::BetweenStates => vec![line("IGST", GST_BP)],
    }
}

/// Basis points as people read them: `18 %`, `22.5 %`.
fn percent(bp: i64) -> String {
    let decimal = Paise::new(bp).decimal();
    format!("{} %", decimal.trim_end_matches('0').trim_end_matches('.'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::place;
    use proptest::prelude::*;

    fn card() -> Card {
        Card {
            product: Product {
                product_id: 1,
                product_name: "Surface".into(),
                parent_vendor: "dakiya".into(),
                international: false,
                takes_parcels: true,
                takes_documents: false,
                volumetric_divisor: 5_000,
                minimum: Grams(500),
                maximum: Grams(50_000),
                needs_kyc: false,
                needs_otp: false,
            },
            tat_days: 4,
            slab: Slab {
                first: Grams(500),
                first_price: Paise::rupees(46),
                step: Grams(500),
                step_price: Paise::rupees(24),
            },
            fuel_bp: 1_400,
        }
    }

    fn parcel(grams: i64, (length_mm, width_mm, height_mm): (i64, i64, i64)) -> Shipment {
        Shipment {
            origin_pincode: "110001".into(),
            destination_code: "560001".into(),
            destination_country_id: place::INDIA,
            kind: Kind::Parcel,
            piece_weight: Grams(grams),
            length_mm,
            width_mm,
            height_mm,
            pieces: 1,
        }
    }

    #[test]
    fn a_price_is_itemised_and_adds_up() {
        // 2.5 kg: 46 + 4 x 24 = 142.00; fuel 14 % 19.88; taxable 161.88; IGST 18 % 29.14.
        let shipment = parcel(2_500, (0, 0, 0));
        let price = price(&card(), &shipment, Zone::Metro, Supply::BetweenStates).unwrap();
        let lines: Vec<(String, i64)> = price
            .lines
            .iter()
            .map(|line| (line.label.clone(), line.amount.get()))
            .collect();
        assert_eq!(
            lines,
            [
                ("Freight".to_owned(), 14_200),
                ("Fuel surcharge 14 %".to_owned(), 1_988),
                ("IGST 18 %".to_owned(), 2_914)
            ]
        );
        assert_eq!((price.total.get(), price.chargeable_grams), (19_102, 2_500));
    }

    #[test]
    fn within_the_state_gst_is_split_in_two() {
        let shipment = parcel(500, (0, 0, 0));
        let price = price(&card(), &shipment, Zone::City, Supply::WithinState).unwrap();
        // Taxable 52.44; 9 % is 4.7196, so 4.72 twice.
        assert_eq!(price.gst.get(), 944);
        assert_eq!(price.lines[2].label, "CGST 9 %");
    }

    #[test]
    fn a_large_light_parcel_is_charged_by_volume() {
        // 40 x 30 x 50 cm / 5000 = 12 kg, Shiprocket's worked example [H12].
        let shipment = parcel(1_000, (400, 300, 500));
        assert_eq!(volumetric_grams(&shipment, 5_000), Grams(12_000));
        let price = price(&card(), &shipment, Zone::Metro, Supply::BetweenStates).unwrap();
        assert_eq!(price.chargeable_grams, 12_000);
    }

    #[test]
    fn what_is_too_heavy_or_of_the_wrong_kind_is_not_taken() {
        let heavy = parcel(50_001, (0, 0, 0));
        assert_eq!(
            price(&card(), &heavy, Zone::Metro, Supply::BetweenStates),
            None
        );
        let papers = Shipment {
            kind: Kind::Document,
            ..parcel(500, (0, 0, 0))
        };
        assert_eq!(
            price(&card(), &papers, Zone::Metro, Supply::BetweenStates),
            None
        );
    }

    #[test]
    fn zones_follow_city_state_special_and_metro() {
        let map = ZoneMap {
            metros: ["New Delhi", "Bengaluru"].map(str::to_owned).into(),
            special_states: ["AS".to_owned()].into(),
        };
        let zone =
            |from: &str, to: &str| map.zone(place::pin(from).unwrap(), place::pin(to).unwrap());
        assert_eq!(zone("560001", "560034"), Zone::City);
        assert_eq!(zone("560001", "570001"), Zone::State);
        assert_eq!(zone("110001", "560001"), Zone::Metro);
        assert_eq!(zone("110001", "781001"), Zone::Special);
        assert_eq!(zone("781001", "781001"), Zone::City);
        assert_eq!(zone("110001", "302001"), Zone::Rest);
    }

    proptest! {
        #[test]
        fn heavier_never_costs_less_and_the_parts_add_up(
            grams in 1i64..49_000, more in 0i64..1_000, fuel_bp in 0i64..5_000, within: bool,
        ) {
            let card = Card { fuel_bp, ..card() };
            let supply = if within { Supply::WithinState } else { Supply::BetweenStates };
            let of = |grams| price(&card, &parcel(grams, (0, 0, 0)), Zone::Metro, supply).unwrap();
            let (light, heavy) = (of(grams), of(grams + more));
            prop_assert!(light.total <= heavy.total);
            prop_assert_eq!(light.lines.iter().map(|l| l.amount).sum::<Paise>(), light.total);
            prop_assert_eq!([light.taxable, light.gst].into_iter().sum::<Paise>(), light.total);
        }
    }
}
