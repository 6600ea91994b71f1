//! The carrier accounts of the pretend Karrio, and their prices.

use serde_json::{Value, json};

use super::super::records::{PartnerOffer, PartnerSettings};
use super::super::tariff::{Tariff, abroad, is_served};
use super::rate_request::RateRequest;

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

const fn service(
    [carrier_id, carrier_name]: [&'static str; 2],
    service: &'static str,
    days: Option<i64>,
    [first_step, further_step]: [i64; 2],
) -> CarrierService {
    CarrierService {
        carrier_id,
        carrier_name,
        service,
        days,
        price: Tariff {
            step_grams: 500,
            first_step,
            further_step,
        },
    }
}

const DHL: [&str; 2] = ["dhl-account", "mydhl"];
const FEDEX: [&str; 2] = ["fedex-account", "fedex"];
const UPS: [&str; 2] = ["ups-account", "ups"];

const SERVICES: &[CarrierService] = &[
    service(DHL, "mydhl_express_worldwide", Some(3), [215_000, 62_500]),
    service(DHL, "mydhl_express_12_00", Some(2), [289_900, 74_000]),
    service(
        FEDEX,
        "fedex_international_priority",
        Some(3),
        [198_050, 58_025],
    ),
    service(
        FEDEX,
        "fedex_international_economy",
        Some(6),
        [161_200, 47_310],
    ),
    service(
        FEDEX,
        "fedex_international_connect_plus",
        None,
        [149_990, 44_999],
    ),
    service(UPS, "ups_express_saver", Some(4), [189_925, 55_575]),
    service(UPS, "ups_worldwide_expedited", None, [158_000, 46_250]),
];

impl CarrierService {
    /// Returns the name in Karrio's form: `FEDEX INTERNATIONAL ECONOMY`.
    pub fn name(&self) -> String {
        self.service.replace('_', " ").to_uppercase()
    }
}

/// Finds a service by its name.
pub(super) fn by_name(name: &str) -> Option<&'static CarrierService> {
    SERVICES.iter().find(|service| service.service == name)
}

/// Returns any service of a carrier.
pub(super) fn by_carrier(carrier_name: &str) -> Option<&'static CarrierService> {
    let mut services = SERVICES.iter();
    services.find(|service| service.carrier_name == carrier_name)
}

/// Returns the AWB of a shipment in its carrier's format.
pub(super) fn awb(service: &CarrierService, number: u64) -> String {
    match service.carrier_name {
        "mydhl" => format!("{:010}", 4_271_000_000 + number),
        "fedex" => format!("{:012}", 794_618_000_000 + number),
        _ => format!("1Z999AA1{number:010}"),
    }
}

/// Returns the present price of a service.
pub(super) fn paise(
    settings: &PartnerSettings,
    request: &RateRequest,
    service: &CarrierService,
) -> i64 {
    let zone = abroad(&request.country);
    let percents = [zone.percent, settings.price_percent];
    service.price.paise(request.grams, percents)
}

/// Returns the offers, cheapest first, and the errors of the accounts without one. `None` if no
/// account is chosen.
pub(super) fn offers(
    settings: &PartnerSettings,
    request: &RateRequest,
) -> Option<(Vec<PartnerOffer>, Vec<Value>)> {
    let (mut offers, mut messages) = (Vec::new(), Vec::new());
    let mut asked = false;
    let all = |list: &[String], name: &str| list.is_empty() || list.iter().any(|it| it == name);
    for [carrier_id, carrier_name] in [DHL, FEDEX, UPS] {
        if !all(&request.carrier_ids, carrier_id) {
            continue;
        }
        asked = true;
        if let Some(problem) = problem(settings, request, carrier_id) {
            messages.push(message([carrier_id, carrier_name], problem));
            continue;
        }
        let services = SERVICES.iter().filter(|it| it.carrier_id == carrier_id);
        let services = services.filter(|it| all(&request.services, it.service));
        offers.extend(services.map(|service| PartnerOffer {
            service: service.service.to_owned(),
            paise: paise(settings, request, service),
        }));
    }
    offers.sort_by_key(|offer| offer.paise);
    asked.then_some((offers, messages))
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
    } else {
        None
    }
}

/// Returns a carrier's message in Karrio's format.
pub(super) fn message([carrier_id, carrier_name]: [&str; 2], [code, message]: [&str; 2]) -> Value {
    json!({
        "carrier_id": carrier_id,
        "carrier_name": carrier_name,
        "code": code,
        "message": message,
        "details": {},
    })
}

/// Returns Karrio's message for a carrier that does not respond.
pub(super) fn silence(service: &CarrierService) -> Value {
    let carrier = [service.carrier_id, service.carrier_name];
    message(carrier, SILENCE)
}
