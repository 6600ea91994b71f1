//! Shiprocket's couriers: their lanes and prices.

use std::collections::HashMap;

use axum::extract::{Query, State};
use axum::response::Response;
use serde_json::{Map, Value, json};
use time::macros::format_description;

use super::super::json::{kilograms, number, rupees};
use super::super::records::{PartnerOffer, PartnerSettings};
use super::super::tariff::{Tariff, TariffZone, abroad, counted_grams, domestic, is_served};
use super::{Shiprocket, fields, invalid, written};

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
    rating: &'static str,
    price: Tariff,
}

const fn courier(
    id: u64,
    [name, awb_start, rating]: [&'static str; 3],
    is_surface: bool,
    days: i64,
    [step_grams, first_step, further_step]: [i64; 3],
) -> SandboxCourier {
    SandboxCourier {
        id,
        name,
        awb_start,
        is_surface,
        days,
        rating,
        price: Tariff {
            step_grams,
            first_step,
            further_step,
        },
    }
}

const COURIERS: &[SandboxCourier] = &[
    courier(
        43,
        ["Delhivery Surface", "1490", "4.2"],
        true,
        3,
        [500, 4_150, 3_375],
    ),
    courier(
        33,
        ["Xpressbees Air", "1411", "4.0"],
        false,
        1,
        [500, 5_240, 4_610],
    ),
    courier(
        55,
        ["Blue Dart Air", "7788", "4.6"],
        false,
        1,
        [500, 6_985, 5_990],
    ),
    courier(
        29,
        ["Ekart Surface", "EKAP", "3.8"],
        true,
        3,
        [1_000, 5_625, 3_550],
    ),
    courier(
        18,
        ["DTDC Surface", "D300", "3.7"],
        true,
        4,
        [500, 3_890, 3_210],
    ),
];

const INTERNATIONAL: &[SandboxCourier] = &[
    courier(
        140,
        ["SRX Priority", "SRXP", "4.1"],
        false,
        6,
        [500, 148_500, 43_200],
    ),
    courier(
        142,
        ["SRX Economy", "SRXE", "3.9"],
        false,
        12,
        [500, 98_350, 30_125],
    ),
];

/// Finds a courier by its name.
pub(super) fn by_name(name: &str) -> Option<&'static SandboxCourier> {
    COURIERS.iter().find(|courier| courier.name == name)
}

/// A parcel's weight, and its two places.
#[derive(Debug)]
pub(super) struct SandboxLane {
    pub from: String,
    pub to: String,
    pub grams: i64,
}

impl SandboxLane {
    /// Returns the couriers that serve the lane, cheapest first.
    pub fn offers(
        &self,
        settings: &PartnerSettings,
    ) -> Vec<(&'static SandboxCourier, PartnerOffer)> {
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
) -> Vec<(&'static SandboxCourier, PartnerOffer)> {
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
pub(super) fn parcel_grams(asked: &Value) -> Option<i64> {
    let weight = number(&asked["weight"]).filter(|weight| *weight > 0.0)?;
    let sides = ["length", "breadth", "height"];
    let sides = sides.map(|side| number(&asked[side]).unwrap_or(0.0));
    Some(counted_grams(weight, sides))
}

type Params = Query<HashMap<String, String>>;

/// Returns query parameters in the form of a body's fields.
fn params(Query(params): Params) -> Value {
    let fields = params.into_iter().map(|(name, value)| (name, json!(value)));
    Value::Object(fields.collect::<Map<_, _>>())
}

pub(super) async fn rates(State(shiprocket): State<Shiprocket>, query: Params) -> Response {
    let asked = params(query);
    let names = ["pickup_postcode", "delivery_postcode", "cod", "weight"];
    let mut problems = fields::missing(&asked, &names);
    let code = |name: &str| asked[name].as_str().unwrap_or_default().to_owned();
    for name in ["pickup_postcode", "delivery_postcode"] {
        let code = code(name);
        if !code.is_empty() && (code.len() != 6 || number(&json!(code)).is_none()) {
            problems.push((name, "The postcode must be 6 digits.".to_owned()));
        }
    }
    let Some(grams) = parcel_grams(&asked).filter(|_| problems.is_empty()) else {
        return invalid("Required field missing", &problems);
    };
    let lane = SandboxLane {
        from: code("pickup_postcode"),
        to: code("delivery_postcode"),
        grams,
    };
    let settings = shiprocket.server.records().settings.clone();
    let mut offers = lane.offers(&settings);
    if let Some(mode) = asked["mode"].as_str() {
        offers.retain(|(courier, _)| courier.is_surface == (mode == "Surface"));
    }
    let zone = domestic(&lane.from, &lane.to);
    let is_odd = shiprocket.server.is_odd();
    let rows = offers.iter().map(|(courier, offer)| {
        let mut row = row(&shiprocket, courier, &lane, zone, offer);
        row["postcode"] = json!(lane.to);
        if is_odd {
            numbers_as_texts(&mut row);
        }
        row
    });
    answered(&shiprocket, rows.collect(), &offers)
}

pub(super) async fn international_rates(
    State(shiprocket): State<Shiprocket>,
    query: Params,
) -> Response {
    let asked = params(query);
    let names = ["pickup_postcode", "delivery_country", "cod", "weight"];
    let problems = fields::missing(&asked, &names);
    let Some(grams) = parcel_grams(&asked).filter(|_| problems.is_empty()) else {
        return invalid("Required field missing", &problems);
    };
    let text = |name: &str| asked[name].as_str().unwrap_or_default().to_owned();
    let lane = SandboxLane {
        from: text("pickup_postcode"),
        to: text("delivery_country"),
        grams,
    };
    let zone = abroad(&lane.to);
    let settings = shiprocket.server.records().settings.clone();
    let offers = match is_served(&lane.from) && lane.to != "IN" {
        true => offers(INTERNATIONAL, &settings, grams, zone),
        false => Vec::new(),
    };
    let rows = offers.iter().map(|(courier, offer)| {
        let mut row = row(&shiprocket, courier, &lane, zone, offer);
        // For shipments abroad Shiprocket sends the price as an object.
        row["rate"] = json!({
            "rate": rupees(offer.paise),
            "total": rupees(offer.paise),
            "zone": zone.name,
        });
        row
    });
    answered(&shiprocket, rows.collect(), &offers)
}

fn answered(
    shiprocket: &Shiprocket,
    rows: Vec<Value>,
    offers: &[(&'static SandboxCourier, PartnerOffer)],
) -> Response {
    let Some((cheapest, _)) = offers.first() else {
        let message = "No courier companies available for this pincode pair";
        return written(404, &json!({"message": message, "status": 404}));
    };
    shiprocket.reply(json!({
        "status": 200,
        "currency": "INR",
        "company_auto_shipment_insurance_setting": false,
        "data": {
            "available_courier_companies": rows,
            "recommended_courier_company_id": cheapest.id,
            "shiprocket_recommended_courier_id": cheapest.id,
        },
    }))
}

fn row(
    shiprocket: &Shiprocket,
    courier: &SandboxCourier,
    lane: &SandboxLane,
    zone: TariffZone,
    offer: &PartnerOffer,
) -> Value {
    let days = courier.days + zone.days;
    let etd = format_description!("[month repr:short] [day], [year]");
    let etd = shiprocket
        .server
        .day_in(days)
        .format(etd)
        .unwrap_or_default();
    json!({
        "courier_company_id": courier.id,
        "courier_name": courier.name,
        "rate": rupees(offer.paise),
        "freight_charge": rupees(offer.paise),
        "cod_charges": 0,
        "other_charges": 0,
        "coverage_charges": "0.00",
        "rto_charges": rupees(offer.paise * 9 / 10),
        "etd": etd,
        "estimated_delivery_days": days.to_string(),
        "etd_hours": days * 24,
        "charge_weight": kilograms(courier.price.charged_grams(lane.grams)),
        "min_weight": kilograms(courier.price.step_grams),
        "zone": zone.name,
        "rating": number(&json!(courier.rating)),
        "is_surface": courier.is_surface,
        "mode": i32::from(!courier.is_surface),
        "cod": 1,
        "blocked": 0,
        "cutoff_time": "11:00",
        "suppress_date": "",
    })
}

/// Writes these fields as texts: Shiprocket sends them as numbers or as texts.
fn numbers_as_texts(row: &mut Value) {
    for name in ["rate", "freight_charge", "charge_weight", "rating"] {
        row[name] = json!(row[name].to_string());
    }
}
