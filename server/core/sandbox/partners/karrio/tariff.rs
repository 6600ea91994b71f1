//! The carrier accounts of the pretend Karrio, the requests for their prices, and the prices.

use serde_json::{Value, json};

use super::super::super::table::table;
use super::super::super::wire::Refusal;
use super::super::json::{number, text};
use super::super::records::{PartnerOffer, PartnerSettings};
use super::super::tariff::{Tariff, counted_grams, foreign_zone, is_served};
use super::errors::{REQUIRED, invalid, no_account};
use super::schema;

/// A service of one of the operator's accounts.
#[derive(Debug)]
pub(super) struct CarrierService {
    pub carrier_id: &'static str,
    pub carrier_name: &'static str,
    pub service: &'static str,
    /// Days of transit to the usual countries; `None` for carriers that do not state them.
    pub days: Option<i64>,
    price: Tariff,
}

const fn tariff(first_step: i64, further_step: i64) -> Tariff {
    Tariff { step_grams: 500, first_step, further_step }
}

/// The operator's accounts: `carrier_id` and `carrier_name`.
const ACCOUNTS: [[&str; 2]; 3] =
    [["dhl-account", "mydhl"], ["fedex-account", "fedex"], ["ups-account", "ups"]];

const SERVICES: &[CarrierService] = table! {
    CarrierService (carrier_id, carrier_name, service, days, price):
    ("dhl-account", "mydhl", "mydhl_express_worldwide", Some(3), tariff(215_000, 62_500))
    ("dhl-account", "mydhl", "mydhl_express_12_00", Some(2), tariff(289_900, 74_000))
    ("fedex-account", "fedex", "fedex_international_priority", Some(3), tariff(198_050, 58_025))
    ("fedex-account", "fedex", "fedex_international_economy", Some(6), tariff(161_200, 47_310))
    ("fedex-account", "fedex", "fedex_international_connect_plus", None, tariff(149_990, 44_999))
    ("ups-account", "ups", "ups_express_saver", Some(4), tariff(189_925, 55_575))
    ("ups-account", "ups", "ups_worldwide_expedited", None, tariff(158_000, 46_250))
};

impl CarrierService {
    /// Returns the name in Karrio's form: `FEDEX INTERNATIONAL ECONOMY`.
    pub fn name(&self) -> String {
        self.service.replace('_', " ").to_uppercase()
    }

    pub fn account(&self) -> [&'static str; 2] {
        [self.carrier_id, self.carrier_name]
    }

    pub fn offer(&self, settings: &PartnerSettings, request: &RateRequest) -> PartnerOffer {
        let percents = [foreign_zone(&request.country).percent, settings.price_percent];
        PartnerOffer {
            service: self.service.to_owned(),
            paise: self.price.paise(request.grams, percents),
        }
    }

    /// Returns the AWB of a shipment in its carrier's format.
    pub fn awb(&self, number: u64) -> String {
        match self.carrier_name {
            "mydhl" => format!("{:010}", 4_271_000_000 + number),
            "fedex" => format!("{:012}", 794_618_000_000 + number),
            _ => format!("1Z999AA1{number:010}"),
        }
    }
}

pub(super) fn by_name(name: &str) -> Option<&'static CarrierService> {
    SERVICES.iter().find(|service| service.service == name)
}

pub(super) fn by_carrier(carrier_name: &str) -> Option<[&'static str; 2]> {
    ACCOUNTS.into_iter().find(|[_, name]| *name == carrier_name)
}

/// Returns the offers, cheapest first, and the errors of the accounts without one. Fails if no
/// account is chosen.
pub(super) fn offers(
    settings: &PartnerSettings,
    request: &RateRequest,
) -> Result<(Vec<PartnerOffer>, Vec<Value>), Refusal> {
    let (mut offers, mut messages) = (Vec::new(), Vec::new());
    let takes = |list: &[String], name: &str| list.is_empty() || list.iter().any(|it| it == name);
    let mut accounts = ACCOUNTS.to_vec();
    accounts.retain(|[carrier_id, _]| takes(&request.carrier_ids, carrier_id));
    if accounts.is_empty() {
        return Err(no_account());
    }
    for account in accounts {
        if let Some(problem) = problem(settings, request, account[0]) {
            messages.push(message(account, problem));
            continue;
        }
        let services = SERVICES.iter().filter(|it| it.account() == account);
        let services = services.filter(|it| takes(&request.services, it.service));
        offers.extend(services.map(|service| service.offer(settings, request)));
    }
    offers.sort_by_key(|offer| offer.paise);
    Ok((offers, messages))
}

const SILENCE: [&str; 2] = ["SHIPPING_SDK_HTTP_ERROR", "The carrier did not answer."];

/// Returns the reason why an account has no offer.
fn problem(
    settings: &PartnerSettings,
    request: &RateRequest,
    carrier_id: &str,
) -> Option<[&'static str; 2]> {
    if settings.is_silent(carrier_id) {
        Some(SILENCE)
    } else if request.origin_country == request.country {
        Some(["1033", "No domestic service on this account."])
    } else if !is_served(&request.origin) {
        Some(["1031", "The origin postal code is not serviced."])
    } else if carrier_id == "dhl-account" && !request.is_located {
        // DHL's rate request takes a destination by its postal code or its city.
        Some(["420504", "The destination location is invalid."])
    } else {
        None
    }
}

/// Returns a carrier's message in Karrio's format.
pub(super) fn message([carrier_id, carrier_name]: [&str; 2], [code, message]: [&str; 2]) -> Value {
    json!({
        "carrier_id": carrier_id, "carrier_name": carrier_name,
        "code": code, "message": message, "details": {},
    })
}

/// Returns Karrio's message for a carrier that does not respond.
pub(super) fn silence(account: [&str; 2]) -> Value {
    message(account, SILENCE)
}

/// The fields that the price depends on.
#[derive(Debug)]
pub(super) struct RateRequest {
    pub origin: String,
    pub origin_country: String,
    pub country: String,
    /// The destination has a postal code or a city.
    pub is_located: bool,
    pub grams: i64,
    /// The accounts and services to quote; all of them if empty.
    pub carrier_ids: Vec<String>,
    pub services: Vec<String>,
}

/// Reads a request for rates or for a shipment; fails with all fields that are invalid.
pub(super) fn read(body: &Value) -> Result<RateRequest, Refusal> {
    let mut wrong = schema::problems(body);
    let mut country = |party: &str| {
        let code = text(&body[party], "country_code").unwrap_or_default();
        if code.len() != 2 {
            let problem = if code.is_empty() { REQUIRED } else { "is not a valid choice." };
            wrong.insert(party.to_owned(), json!({"country_code": [problem]}));
        }
        code.to_owned()
    };
    let (origin_country, country) = (country("shipper"), country("recipient"));
    let grams: Result<i64, Value> = match &body["parcels"] {
        Value::Array(parcels) if !parcels.is_empty() => parcels.iter().map(weight).sum(),
        _ => Err(json!([REQUIRED])),
    };
    let grams = grams.unwrap_or_else(|problem| {
        wrong.insert("parcels".to_owned(), problem);
        0
    });
    if !wrong.is_empty() {
        return Err(invalid(&Value::Object(wrong)));
    }
    let origin = text(&body["shipper"], "postal_code").unwrap_or_default();
    let service = body["service"].as_str().map(str::to_owned);
    let is_filled = |name: &str| text(&body["recipient"], name).is_some_and(|it| !it.is_empty());
    Ok(RateRequest {
        is_located: is_filled("postal_code") || is_filled("city"),
        origin: origin.to_owned(),
        origin_country,
        country,
        grams,
        carrier_ids: texts(&body["carrier_ids"]),
        services: service.map_or_else(|| texts(&body["services"]), |service| vec![service]),
    })
}

fn texts(list: &Value) -> Vec<String> {
    let texts = list.as_array().into_iter().flatten();
    texts.filter_map(Value::as_str).map(str::to_owned).collect()
}

/// Returns the chargeable weight of one parcel (grams).
fn weight(parcel: &Value) -> Result<i64, Value> {
    let kilograms = match parcel["weight_unit"].as_str() {
        Some("KG") => 1.0,
        Some("G") => 0.001,
        Some("LB") => 0.453_592_37,
        Some("OZ") => 0.028_349_523,
        Some(other) => {
            let problem = format!("\"{other}\" is not a valid choice.");
            return Err(json!([{"weight_unit": [problem]}]));
        }
        None => return Err(json!([{"weight_unit": [REQUIRED]}])),
    };
    let Some(weight) = number(&parcel["weight"]).filter(|weight| *weight > 0.0) else {
        return Err(json!([{"weight": ["A valid number is required."]}]));
    };
    let centimetres = match parcel["dimension_unit"].as_str() {
        Some("IN") => 2.54,
        _ => 1.0,
    };
    let sides = ["length", "width", "height"];
    let sides = sides.map(|side| number(&parcel[side]).unwrap_or(0.0) * centimetres);
    Ok(counted_grams(weight * kilograms, sides))
}
