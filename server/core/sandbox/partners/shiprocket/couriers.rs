//! Shiprocket's couriers: their lanes and prices.

use std::collections::HashMap;

use axum::extract::{Query, State};
use serde_json::{Value, json};
use time::macros::format_description;

use super::super::super::table::table;
use super::super::super::wire::{Answer, Refusal};
use super::super::json::{kilograms, number, rupees};
use super::super::partner::Partner;
use super::super::records::{PartnerOffer, PartnerSettings};
use super::super::tariff::{Tariff, TariffZone, counted_grams, domestic, foreign_zone, is_served};
use super::errors::{invalid, missing};

/// A courier with its invented tariff.
#[derive(Debug)]
pub(super) struct SandboxCourier {
    pub id: u64,
    pub name: &'static str,
    /// The prefix of its AWBs.
    pub awb_start: &'static str,
    is_surface: bool,
    /// Days of transit in the nearest zone.
    days: i64,
    rating: f64,
    price: Tariff,
}

const fn tariff(step_grams: i64, first_step: i64, further_step: i64) -> Tariff {
    Tariff { step_grams, first_step, further_step }
}

const COURIERS: &[SandboxCourier] = table! {
    SandboxCourier (id, name, awb_start, rating, is_surface, days, price):
    (43, "Delhivery Surface", "1490", 4.2, true, 3, tariff(500, 4_150, 3_375))
    (33, "Xpressbees Air", "1411", 4.0, false, 1, tariff(500, 5_240, 4_610))
    (55, "Blue Dart Air", "7788", 4.6, false, 1, tariff(500, 6_985, 5_990))
    (29, "Ekart Surface", "EKAP", 3.8, true, 3, tariff(1_000, 5_625, 3_550))
    (18, "DTDC Surface", "D300", 3.7, true, 4, tariff(500, 3_890, 3_210))
};

const INTERNATIONAL: &[SandboxCourier] = table! {
    SandboxCourier (id, name, awb_start, rating, is_surface, days, price):
    (140, "SRX Priority", "SRXP", 4.1, false, 6, tariff(500, 148_500, 43_200))
    (142, "SRX Economy", "SRXE", 3.9, false, 12, tariff(500, 98_350, 30_125))
};

pub(super) fn by_name(name: &str) -> Option<&'static SandboxCourier> {
    COURIERS.iter().find(|courier| courier.name == name)
}

type CourierOffer = (&'static SandboxCourier, PartnerOffer);

/// A parcel's weight, and its two places.
#[derive(Debug)]
pub(super) struct SandboxLane {
    pub from: String,
    pub to: String,
    pub grams: i64,
}

impl SandboxLane {
    /// Returns the couriers that serve the lane, cheapest first.
    pub fn offers(&self, settings: &PartnerSettings) -> Vec<CourierOffer> {
        if !is_served(&self.from) || !is_served(&self.to) {
            return Vec::new();
        }
        let zone = domestic(&self.from, &self.to);
        offers(COURIERS, settings, self.grams, zone)
    }
}

fn offers(
    couriers: &'static [SandboxCourier],
    settings: &PartnerSettings,
    grams: i64,
    zone: TariffZone,
) -> Vec<CourierOffer> {
    let serving = couriers.iter().filter(|it| !settings.is_silent(it.name));
    let percents = [zone.percent, settings.price_percent];
    let offers = serving.map(|courier| {
        let offer = PartnerOffer {
            service: courier.name.to_owned(),
            paise: courier.price.paise(grams, percents),
        };
        (courier, offer)
    });
    let mut offers: Vec<_> = offers.collect();
    offers.sort_by_key(|(_, offer)| offer.paise);
    offers
}

/// Returns the chargeable weight of a parcel, from its weight (kg) and sides (cm).
pub(super) fn parcel_grams(fields: &Value) -> Option<i64> {
    let weight = number(&fields["weight"]).filter(|weight| *weight > 0.0)?;
    let sides = ["length", "breadth", "height"];
    let sides = sides.map(|side| number(&fields[side]).unwrap_or(0.0));
    Some(counted_grams(weight, sides))
}

type Params = Query<HashMap<String, String>>;

pub(super) async fn rates(State(partner): State<Partner>, Query(query): Params) -> Answer {
    let query = json!(query);
    let names = "pickup_postcode delivery_postcode cod weight";
    let mut problems = missing(&query, names);
    for name in ["pickup_postcode", "delivery_postcode"] {
        let code = query[name].as_str().unwrap_or_default();
        if !code.is_empty() && (code.len() != 6 || number(&query[name]).is_none()) {
            problems.push((name, "The postcode must be 6 digits.".to_owned()));
        }
    }
    let lane = lane(&query, "delivery_postcode", &problems)?;
    let mut offers = lane.offers(&partner.records().settings);
    if let Some(mode) = query["mode"].as_str() {
        offers.retain(|(courier, _)| courier.is_surface == (mode == "Surface"));
    }
    let zone = domestic(&lane.from, &lane.to);
    let is_odd = partner.is_odd();
    offers_reply(&partner, &offers, |courier, offer| {
        let mut row = row(&partner, courier, &lane, zone, offer);
        row["postcode"] = json!(lane.to);
        if is_odd {
            numbers_as_texts(&mut row);
        }
        row
    })
}

pub(super) async fn international_rates(
    State(partner): State<Partner>,
    Query(query): Params,
) -> Answer {
    let query = json!(query);
    let names = "pickup_postcode delivery_country cod weight";
    let problems = missing(&query, names);
    let lane = lane(&query, "delivery_country", &problems)?;
    let zone = foreign_zone(&lane.to);
    let settings = partner.records().settings.clone();
    let offers = match is_served(&lane.from) && lane.to != "IN" {
        true => offers(INTERNATIONAL, &settings, lane.grams, zone),
        false => Vec::new(),
    };
    offers_reply(&partner, &offers, |courier, offer| {
        let mut row = row(&partner, courier, &lane, zone, offer);
        // For shipments abroad Shiprocket sends the price as an object.
        let price = rupees(offer.paise);
        row["rate"] = json!({"rate": price, "total": price, "zone": zone.name});
        row
    })
}

/// Reads the parameters of a lane; fails if some are invalid.
fn lane(fields: &Value, to: &str, problems: &[(&str, String)]) -> Result<SandboxLane, Refusal> {
    let text = |name: &str| fields[name].as_str().unwrap_or_default().to_owned();
    match parcel_grams(fields).filter(|_| problems.is_empty()) {
        Some(grams) => Ok(SandboxLane { from: text("pickup_postcode"), to: text(to), grams }),
        None => Err(invalid("Required field missing", problems)),
    }
}

fn offers_reply(
    partner: &Partner,
    offers: &[CourierOffer],
    row: impl Fn(&SandboxCourier, &PartnerOffer) -> Value,
) -> Answer {
    let Some((cheapest, _)) = offers.first() else {
        let message = "No courier companies available for this pincode pair";
        return Err(Refusal(404, json!({"message": message, "status": 404})));
    };
    let rows = offers.iter().map(|(courier, offer)| row(courier, offer));
    Ok(partner.ok(json!({
        "status": 200, "currency": "INR",
        "company_auto_shipment_insurance_setting": false,
        "data": {
            "available_courier_companies": rows.collect::<Vec<Value>>(),
            "recommended_courier_company_id": cheapest.id,
            "shiprocket_recommended_courier_id": cheapest.id,
        },
    })))
}

fn row(
    partner: &Partner,
    courier: &SandboxCourier,
    lane: &SandboxLane,
    zone: TariffZone,
    offer: &PartnerOffer,
) -> Value {
    let days = courier.days + zone.days;
    let etd = format_description!("[month repr:short] [day], [year]");
    let etd = partner.day_in(days).format(etd).unwrap_or_default();
    json!({
        "courier_company_id": courier.id, "courier_name": courier.name,
        "rate": rupees(offer.paise), "freight_charge": rupees(offer.paise),
        "cod_charges": 0, "other_charges": 0, "coverage_charges": "0.00",
        "rto_charges": rupees(offer.paise * 9 / 10),
        "etd": etd, "estimated_delivery_days": days.to_string(), "etd_hours": days * 24,
        "charge_weight": kilograms(courier.price.charged_grams(lane.grams)),
        "min_weight": kilograms(courier.price.step_grams),
        "zone": zone.name, "rating": courier.rating,
        "is_surface": courier.is_surface, "mode": i32::from(!courier.is_surface),
        "cod": 1, "blocked": 0, "cutoff_time": "11:00", "suppress_date": "",
    })
}

/// Writes these fields as texts: Shiprocket sends them as numbers or as texts.
fn numbers_as_texts(row: &mut Value) {
    for name in ["rate", "freight_charge", "charge_weight", "rating"] {
        row[name] = json!(row[name].to_string());
    }
}
