//! The price calculation: chargeable weight, slabs, extras, fuel surcharge and GST.
//!
//! The one rounding rule: every percentage (margin, fuel, each tax) is rounded half away from
//! zero to the paisa by itself ([`Paise::share_bp`]), and then amounts are only added. So the
//! lines of a price add up to its total to the paisa. Weights are only ever rounded up.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};
use time::Date;
use utoipa::ToSchema;

use crate::model::money::paise::Paise;
use crate::model::openapi_schema::decimal;
use crate::model::shipping::grams::Grams;
use crate::model::shipping::shipment::{Shipment, ShipmentKind};

/// GST on courier services, SAC 996812: 18 %, in basis points.
pub const GST_BP: i64 = 1_800;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Product {
    pub product_id: i64,
    pub product_name: String,
    pub parent_vendor: String,
    /// The courier's code, and its own name for the service.
    pub courier: String,
    pub service: String,
    pub international: bool,
    pub takes_parcels: bool,
    pub takes_documents: bool,
    /// Cubic centimetres that count as one kilogram.
    pub volumetric_divisor: i64,
    pub minimum: Grams,
    pub maximum: Grams,
    pub needs_kyc: bool,
    pub needs_otp: bool,
    pub zoning: String,
    pub active: bool,
}

impl Product {
    /// True if this is the product's name, ignoring case and spaces.
    pub fn is_called(&self, name: &str) -> bool {
        let words = |text: &str| text.to_lowercase().split_whitespace().collect::<String>();
        words(&self.product_name) == words(name)
    }

    fn takes(&self, kind: ShipmentKind) -> bool {
        match kind {
            ShipmentKind::Parcel => self.takes_parcels,
            ShipmentKind::Document => self.takes_documents,
        }
    }
}

/// A product's conditions from a first day.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Card {
    pub from: Date,
    /// The last day; without one the card applies until the next begins.
    pub until: Option<Date>,
    /// Step in grams to which a piece's weight is rounded up.
    pub round: Grams,
    /// Minimum freight, before the margin.
    pub minimum_freight: Paise,
    /// The operator's margin on freight, in basis points. Part of the freight that customers see.
    pub margin_bp: i64,
    /// Step to which freight with margin is rounded up.
    pub round_freight: Paise,
    /// True if the fuel surcharge applies to freight and extras, false for freight only.
    pub fuel_on_extras: bool,
    /// Charge for each end in a remote area: per started kilogram, with a minimum.
    pub remote_per_kg: Paise,
    pub remote_minimum: Paise,
    pub zones: HashMap<String, ZoneRate>,
    pub oversize: Vec<Oversize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ZoneRate {
    pub tat_days: i64,
    pub slab: Slab,
}

/// A price for the first grams, one for each further step, and one for each kilogram above.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slab {
    pub first: Grams,
    pub first_price: Paise,
    pub step: Grams,
    pub step_price: Paise,
    pub above: Option<Above>,
}

/// The weight above which started kilograms are charged instead of steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Above {
    pub over: Grams,
    pub kg_price: Paise,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Oversize {
    pub over: Size,
    pub effect: Effect,
}

/// The measured size, and its limit without an extra charge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    LongestSideMm(i64),
    Weight(Grams),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    Charge(Paise),
    /// The percentage of its weight that the piece counts as.
    WeightPercent(i64),
    Refuse,
}

/// A shipment's zone and remote ends under a product's zoning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lane<'a> {
    pub zone: &'a str,
    /// The zone's name for customers.
    pub label: String,
    pub remote_pickup: bool,
    pub remote_delivery: bool,
}

/// Place of supply for GST: customer and operator in one state or in two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Supply {
    /// CGST and SGST, half each.
    WithinState,
    /// IGST.
    BetweenStates,
    /// IGST at 0 %: to a unit in a special economic zone, under a letter of undertaking.
    ZeroRated,
}

/// One line of an itemised price.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = RateLine)]
pub struct PriceLine {
    pub label: String,
    pub amount: Paise,
    /// Comes on top of the taxable value.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub tax: bool,
}

/// A price with everything that explains it. The lines add up to the total to the paisa.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = RateBreakdown)]
pub struct Price {
    pub zone: String,
    /// Prices that were kept before they told it are of one.
    #[serde(default = "one")]
    pub pieces: i64,
    /// Of all pieces, as the other weights.
    pub actual_grams: i64,
    pub volumetric_grams: i64,
    pub chargeable_grams: i64,
    pub lines: Vec<PriceLine>,
    pub taxable: Paise,
    pub gst: Paise,
    pub total: Paise,
}

impl Price {
    /// Makes a price of these lines. The weights are actual, volumetric and chargeable.
    pub fn of(zone: String, (pieces, weights): (i64, [Grams; 3]), lines: Vec<PriceLine>) -> Price {
        let [actual, volumetric, chargeable] = weights.map(|weight| weight.0);
        let sum = |tax: bool| {
            let of_kind = lines.iter().filter(|line| line.tax == tax);
            of_kind.map(|line| line.amount).sum()
        };
        let (taxable, gst): (Paise, Paise) = (sum(false), sum(true));
        Price {
            zone,
            pieces,
            actual_grams: actual,
            volumetric_grams: volumetric,
            chargeable_grams: chargeable,
            total: [taxable, gst].into_iter().sum(),
            lines,
            taxable,
            gst,
        }
    }

    /// True if its taxes are those of this supply.
    pub fn is_taxed_as(&self, supply: Supply) -> bool {
        let labels = |line: PriceLine| line.label;
        let own = self.lines.iter().filter(|line| line.tax).cloned();
        own.map(labels).eq(taxes(Paise::ZERO, supply).into_iter().map(labels))
    }
}

fn one() -> i64 {
    1
}

/// Returns a piece's volumetric weight, rounded up to the gram; zero unless all sides are known.
///
/// Cubic millimetres divided by the divisor (cm³ per kg) are grams.
pub fn volumetric_grams(shipment: &Shipment, divisor: i64) -> Grams {
    let cubic_mm = i128::from(shipment.length_mm)
        * i128::from(shipment.width_mm)
        * i128::from(shipment.height_mm);
    let divisor = i128::from(divisor.max(1));
    Grams(i64::try_from((cubic_mm + divisor - 1) / divisor).unwrap_or(i64::MAX))
}

/// Returns the price of a shipment on a card, or `None` if the product does not accept it.
pub fn price(
    (product, card): (&Product, &Card),
    shipment: &Shipment,
    lane: &Lane<'_>,
    fuel_bp: i64,
    supply: Supply,
) -> Option<Price> {
    let rate = card.zones.get(lane.zone)?;
    let actual = shipment.piece_weight.0.checked_mul(shipment.pieces)?;
    let piece_volume = volumetric_grams(shipment, product.volumetric_divisor);
    let volumetric = piece_volume.0.checked_mul(shipment.pieces)?;
    let oversize: Vec<Oversize> = card.oversize_of(shipment).collect();
    let weight = card.weight(shipment, piece_volume, &oversize)?;
    let weight = weight.max(product.minimum);
    if !product.takes(shipment.kind) || weight > product.maximum {
        return None;
    }
    let (chargeable, freight) = rate.slab.freight(weight);
    let freight = card.customer_price(freight);
    let extras = card.extras(shipment, chargeable, lane, &oversize);
    let fuelled = if card.fuel_on_extras { &extras[..] } else { &[] };
    let fuel = [freight, sum(fuelled)].into_iter().sum::<Paise>().share_bp(fuel_bp);
    let mut lines = vec![line("Freight", freight)];
    lines.extend(extras);
    if fuel != Paise::ZERO {
        lines.push(line(format!("Fuel surcharge {}", percent(fuel_bp)), fuel));
    }
    lines.extend(taxes(sum(&lines), supply));
    let weights = [Grams(actual), Grams(volumetric), chargeable];
    Some(Price::of(lane.label.clone(), (shipment.pieces, weights), lines))
}

/// Returns a price of one line and its taxes: a partner's price with margin.
pub fn flat_price(
    zone: String,
    (pieces, weights): (i64, [Grams; 3]),
    freight: Paise,
    supply: Supply,
) -> Price {
    let mut lines = vec![line("Freight", freight)];
    lines.extend(taxes(freight, supply));
    Price::of(zone, (pieces, weights), lines)
}

/// Returns an amount with GST, plus a paisa that removing GST may have rounded away.
pub fn with_gst(amount: Paise) -> Paise {
    [amount, amount.share_bp(GST_BP), Paise::new(1)].into_iter().sum()
}

pub fn without_gst(amount: Paise) -> Paise {
    amount.fraction(Paise::new(10_000), Paise::new(10_000 + GST_BP))
}

impl Card {
    fn oversize_of(&self, shipment: &Shipment) -> impl Iterator<Item = Oversize> {
        let longest = shipment.length_mm.max(shipment.width_mm).max(shipment.height_mm);
        let weight = shipment.piece_weight;
        self.oversize.iter().copied().filter(move |rule| match rule.over {
            Size::LongestSideMm(most) => longest > most,
            Size::Weight(most) => weight > most,
        })
    }

    /// Returns the weight of all pieces before the slab: for each the greater of dead and
    /// volumetric weight (the rule of the trade), more if oversize, rounded up. Pieces of a
    /// shipment are alike.
    fn weight(&self, shipment: &Shipment, volume: Grams, oversize: &[Oversize]) -> Option<Grams> {
        let mut percent = 100;
        for rule in oversize {
            match rule.effect {
                Effect::Refuse => return None,
                Effect::WeightPercent(more) => percent = percent.max(more),
                Effect::Charge(_) => {}
            }
        }
        let piece = shipment.piece_weight.max(volume).0.checked_mul(percent)?;
        let piece = round_up((piece + 99) / 100, self.round.0)?;
        Some(Grams(piece.checked_mul(shipment.pieces)?))
    }

    /// Returns freight as customers see it: at least the minimum, with margin, rounded up.
    fn customer_price(&self, freight: Paise) -> Paise {
        let freight = freight.max(self.minimum_freight);
        let with_margin = freight.get() + freight.share_bp(self.margin_bp).get();
        let rounded = round_up(with_margin, self.round_freight.get());
        Paise::new(rounded.unwrap_or(with_margin))
    }

    fn extras(
        &self,
        shipment: &Shipment,
        chargeable: Grams,
        lane: &Lane<'_>,
        oversize: &[Oversize],
    ) -> Vec<PriceLine> {
        let mut lines = Vec::new();
        for rule in oversize {
            if let Effect::Charge(each) = rule.effect {
                let amount = Paise::new(each.get() * shipment.pieces);
                lines.push(line(rule.over.label(), amount));
            }
        }
        let by_weight = self.remote_per_kg.get() * started_kilograms(chargeable.0);
        let remote = Paise::new(by_weight).max(self.remote_minimum);
        for (is_remote, label) in [
            (lane.remote_pickup, "Remote area pickup"),
            (lane.remote_delivery, "Remote area delivery"),
        ] {
            if is_remote && remote > Paise::ZERO {
                lines.push(line(label, remote));
            }
        }
        lines
    }
}

impl Size {
    fn label(self) -> String {
        match self {
            Size::LongestSideMm(mm) => format!("Piece over {} cm", decimal(mm, 1)),
            Size::Weight(Grams(grams)) => format!("Piece over {} kg", grams / 1_000),
        }
    }
}

impl Slab {
    /// Returns the weight rounded up to the slab, and its price.
    fn freight(&self, weight: Grams) -> (Grams, Paise) {
        let (in_steps, kilograms, kg_price) = match self.above {
            Some(above) if weight > above.over => {
                let more = started_kilograms(weight.0 - above.over.0);
                (above.over, more, above.kg_price)
            }
            _ => (weight, 0, Paise::ZERO),
        };
        let steps = ((in_steps.0 - self.first.0).max(0) + self.step.0 - 1) / self.step.0;
        let freight =
            self.first_price.get() + steps * self.step_price.get() + kilograms * kg_price.get();
        let chargeable = self.first.0 + steps * self.step.0 + kilograms * 1_000;
        (Grams(chargeable), Paise::new(freight))
    }
}

fn taxes(taxable: Paise, supply: Supply) -> Vec<PriceLine> {
    let tax = |name: &str, bp: i64| {
        let label = [name, " ", &percent(bp)].concat();
        PriceLine { tax: true, ..line(label, taxable.share_bp(bp)) }
    };
    match supply {
        Supply::WithinState => vec![tax("CGST", GST_BP / 2), tax("SGST", GST_BP / 2)],
        Supply::BetweenStates => vec![tax("IGST", GST_BP)],
        Supply::ZeroRated => vec![tax("IGST", 0)],
    }
}

fn line(label: impl Into<String>, amount: Paise) -> PriceLine {
    PriceLine { label: label.into(), amount, tax: false }
}

fn sum(lines: &[PriceLine]) -> Paise {
    lines.iter().map(|line| line.amount).sum()
}

fn started_kilograms(grams: i64) -> i64 {
    (grams + 999) / 1_000
}

fn round_up(value: i64, unit: i64) -> Option<i64> {
    (value.checked_add(unit - 1)? / unit).checked_mul(unit)
}

/// Formats basis points as a percentage: `18 %`, `22.5 %`.
fn percent(bp: i64) -> String {
    let decimal = Paise::new(bp).decimal();
    [decimal.trim_end_matches('0').trim_end_matches('.'), " %"].concat()
}

#[cfg(test)]
pub(super) mod tests;
