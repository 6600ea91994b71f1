//! Karrio's JSON: requests, and the fields that we read of its responses.

use serde::{Deserialize, Serialize, Serializer};
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::super::awb_of;
use super::super::error::{CourierError, CourierResult};
use super::super::text::{beginning, plain};
use crate::model::courier::address::{AddressLimits, ServiceAddresses};
use crate::model::courier::order::{Booked, ShipmentOrder, ShipmentParty, Standing};
use crate::model::openapi_schema::{Text, decimal};
use crate::model::shipping::place;
use crate::model::shipping::shipment::{self, ShipmentKind};

/// The longest texts in Karrio's published schema (characters).
const SHORT_CHARS_MAX: usize = 50;
const NAME_CHARS_MAX: usize = 100;
const CONTENTS_CHARS_MAX: usize = 200;

/// `POST /v1/proxy/rates`.
#[derive(Serialize)]
pub(super) struct RatesAsk {
    shipper: Value,
    recipient: Value,
    parcels: Vec<Parcel>,
    services: [&'static str; 0],
    options: Value,
}

/// `POST /v1/shipments`, without a service: a draft with prices.
#[derive(Serialize)]
pub(super) struct ShipmentAsk<'a> {
    shipper: Value,
    recipient: Value,
    parcels: Vec<Parcel>,
    carrier_ids: [&'a str; 1],
    label_type: &'static str,
    reference: &'a str,
    metadata: Value,
    options: Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    customs: Option<Customs<'a>>,
}

#[derive(Serialize)]
struct Customs<'a> {
    commodities: Vec<Commodity<'a>>,
    content_type: &'static str,
    incoterm: &'static str,
    #[serde(skip_serializing_if = "str::is_empty")]
    #[serde(serialize_with = "beginning_of::<SHORT_CHARS_MAX, _>")]
    invoice: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    invoice_date: &'a str,
    commercial_invoice: bool,
    certify: bool,
    #[serde(serialize_with = "beginning_of::<SHORT_CHARS_MAX, _>")]
    signer: &'a str,
    duty: Duty<'a>,
}

/// The contents of pieces of one value; the quantity is the number of these pieces.
#[derive(Serialize)]
struct Commodity<'a> {
    weight: Box<RawValue>,
    weight_unit: &'static str,
    #[serde(serialize_with = "beginning_of::<CONTENTS_CHARS_MAX, _>")]
    title: &'a str,
    #[serde(serialize_with = "beginning_of::<CONTENTS_CHARS_MAX, _>")]
    description: &'a str,
    quantity: i64,
    #[serde(skip_serializing_if = "str::is_empty")]
    hs_code: &'a str,
    value_amount: Box<RawValue>,
    value_currency: &'a str,
    origin_country: &'static str,
}

#[derive(Serialize)]
struct Duty<'a> {
    paid_by: &'static str,
    currency: &'a str,
    declared_value: Box<RawValue>,
}

/// One piece. All of its sides are sent or none: some carriers refuse one or two of them.
#[derive(Clone, Serialize)]
struct Parcel {
    weight: Box<RawValue>,
    weight_unit: &'static str,
    is_document: bool,
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    sides: Option<Sides>,
}

#[derive(Clone, Serialize)]
struct Sides {
    length: Box<RawValue>,
    width: Box<RawValue>,
    height: Box<RawValue>,
    dimension_unit: &'static str,
}

pub(super) fn rate_ask(shipment: &shipment::Shipment) -> RatesAsk {
    let pin = place::pin(&shipment.origin_pincode);
    let country = place::country(shipment.destination_country_id);
    RatesAsk {
        shipper: address_of(
            "IN",
            &[
                ("postal_code", &shipment.origin_pincode),
                ("city", pin.as_ref().map_or("", |pin| pin.pricing_city())),
                ("state_code", pin.as_ref().map_or("", |pin| pin.state_code)),
            ],
        ),
        recipient: address_of(
            country.map_or("", |country| &country.country_code),
            &[("postal_code", &shipment.destination_code), ("city", &shipment.destination_city)],
        ),
        parcels: parcels(shipment),
        services: [],
        options: json!({"currency": "INR"}),
    }
}

pub(super) fn shipment_ask<'a>(order: &'a ShipmentOrder, carrier_id: &'a str) -> ShipmentAsk<'a> {
    let shipment = &order.shipment;
    ShipmentAsk {
        shipper: address(&order.shipper),
        recipient: address(&order.receiver),
        parcels: parcels(shipment),
        carrier_ids: [carrier_id],
        label_type: "PDF",
        reference: &order.reference,
        metadata: json!({"reference": order.reference}),
        options: json!({"currency": "INR"}),
        customs: is_declared(shipment).then(|| customs(order)),
    }
}

pub(super) fn address(party: &ShipmentParty) -> Value {
    address_of(
        &party.country_code,
        &[
            ("postal_code", &party.postal_code),
            ("city", &party.city),
            ("state_code", &party.state_code),
            ("person_name", &party.name),
            ("company_name", &party.company),
            ("address_line1", &party.address_1),
            ("address_line2", &party.address_2),
            ("phone_number", &party.phone),
            ("email", &party.email),
            ("federal_tax_id", &party.gstin),
        ],
    )
}

/// Returns an address without its empty fields, in the form that Karrio's schema requires.
fn address_of(country_code: &str, fields: &[(&str, &str)]) -> Value {
    let mut address = json!({"country_code": country_code});
    for &(name, value) in fields.iter().filter(|(_, value)| !value.is_empty()) {
        let value = &*without_markup(value);
        address[name] = match (name, country_code) {
            ("postal_code", "US") => json!(value.replace(' ', "-")),
            ("city" | "state_code", _) => json!(beginning(value, SHORT_CHARS_MAX)),
            ("person_name" | "company_name", _) => json!(beginning(value, NAME_CHARS_MAX)),
            _ => json!(value),
        };
    }
    address
}

/// Replaces the signs of XML. Karrio fills some labels' drawings with texts as they are, and an `&`
/// in a name fails the purchase.
fn without_markup(text: &str) -> String {
    text.replace('&', "+").replace('<', "(").replace('>', ")")
}

/// Writes the beginning of a text, for fields that take no more characters.
fn beginning_of<const CHARS: usize, S: Serializer>(
    text: &&str,
    json: S,
) -> Result<S::Ok, S::Error> {
    json.serialize_str(&without_markup(beginning(text, CHARS)))
}

/// True if the contents are declared to customs.
fn is_declared(shipment: &shipment::Shipment) -> bool {
    shipment.is_international() && shipment.kind == ShipmentKind::Parcel
}

fn customs(order: &ShipmentOrder) -> Customs<'_> {
    let contents = &order.contents;
    let commodity = |(quantity, value): (i64, i64)| Commodity {
        weight: order.shipment.piece_weight.kilograms(),
        weight_unit: "KG",
        title: &contents.description,
        description: &contents.description,
        quantity,
        hs_code: &contents.hs_code,
        value_amount: decimal(value, 2),
        value_currency: &contents.currency,
        origin_country: "IN",
    };
    let values = piece_values(contents.value.get(), order.shipment.pieces);
    Customs {
        commodities: values.into_iter().map(commodity).collect(),
        content_type: "merchandise",
        incoterm: "DAP",
        invoice: &contents.invoice_number,
        invoice_date: &contents.invoice_date,
        commercial_invoice: true,
        certify: true,
        signer: &order.sender_name,
        duty: Duty {
            paid_by: "recipient",
            currency: &contents.currency,
            declared_value: decimal(contents.value.get(), 2),
        },
    }
}

/// Divides a value into pieces that differ by at most a hundredth: quantities with the value of one
/// piece, which add up to the whole value.
fn piece_values(value: i64, pieces: i64) -> Vec<(i64, i64)> {
    let pieces = pieces.max(1);
    let (each, rest) = (value / pieces, value % pieces);
    let mut lines = vec![(pieces - rest, each), (rest, each + 1)];
    lines.retain(|(quantity, _)| *quantity > 0);
    lines
}

fn parcels(shipment: &shipment::Shipment) -> Vec<Parcel> {
    let pieces = usize::try_from(shipment.pieces).unwrap_or(1);
    vec![parcel(shipment); pieces]
}

fn parcel(shipment: &shipment::Shipment) -> Parcel {
    let sides = [shipment.length_mm, shipment.width_mm, shipment.height_mm];
    let [length, width, height] = sides.map(|mm| decimal(mm, 1));
    Parcel {
        weight: shipment.piece_weight.kilograms(),
        weight_unit: "KG",
        is_document: shipment.kind == ShipmentKind::Document,
        sides: sides.iter().all(|&mm| mm > 0).then_some(Sides {
            length,
            width,
            height,
            dimension_unit: "CM",
        }),
    }
}

/// The answer to a [`RatesAsk`].
#[derive(Debug, Deserialize)]
pub(super) struct Rates {
    #[serde(default)]
    pub messages: Vec<CarrierMessage>,
    #[serde(default)]
    pub rates: Vec<Rate>,
}

/// An error of one carrier.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct CarrierMessage {
    pub carrier_name: String,
}

/// A shipment as Karrio stores it.
#[derive(Debug, Deserialize)]
pub(super) struct KarrioShipment {
    pub id: String,
    #[serde(default)]
    status: Text,
    #[serde(default)]
    pub reference: Text,
    #[serde(default)]
    pub rates: Vec<Rate>,
    #[serde(default)]
    tracking_number: Text,
}

impl KarrioShipment {
    /// True if this is the AWB of the shipment.
    pub fn has(&self, awb: &str) -> bool {
        self.tracking_number.as_str().eq_ignore_ascii_case(awb)
    }

    /// Returns the AWB in the carrier's own spelling.
    pub fn number(&self) -> &str {
        self.tracking_number.as_str()
    }

    /// Returns the state of the shipment. One that is neither draft nor cancelled was bought.
    pub fn standing(&self) -> CourierResult<Standing> {
        let strange = || CourierError::Unknown("a shipment without a tracking number".to_owned());
        match self.status.as_str() {
            "cancelled" => Ok(Standing::Cancelled),
            "draft" => Ok(Standing::Begun),
            _ => Ok(Standing::Booked(self.booked()?.ok_or_else(strange)?)),
        }
    }

    /// Returns the booking if the shipment was bought: then it has a tracking number.
    pub fn booked(&self) -> CourierResult<Option<Booked>> {
        let booked = |awb| Booked { awb, pickup_id: String::new() };
        Ok(awb_of(&self.tracking_number)?.map(booked))
    }
}

/// `GET /v1/shipments` or `GET /v1/pickups`.
#[derive(Debug, Deserialize)]
pub(super) struct KarrioList<T> {
    pub results: Vec<T>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Rate {
    pub id: String,
    pub carrier_name: String,
    pub carrier_id: String,
    pub service: String,
    pub total_charge: Text,
    pub currency: String,
    pub transit_days: Text,
    pub meta: Meta,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Meta {
    pub service_name: Text,
}

/// The service's key in a [`Fare`](crate::model::courier::fares::Fare): the carrier, the operator's
/// account with it, and the carrier's own name of the service.
pub(super) fn service_key(rate: &Rate) -> String {
    let Rate { carrier_name, carrier_id, service, .. } = rate;
    format!("{carrier_name}/{carrier_id}/{service}")
}

pub(super) fn service_parts(key: &str) -> Option<(&str, &str, &str)> {
    let (carrier_name, rest) = key.split_once('/')?;
    let (carrier_id, service) = rest.split_once('/')?;
    Some((carrier_name, carrier_id, service))
}

/// Returns the limits of a carrier for addresses. Karrio passes on two lines. An unknown carrier
/// counts as one of the strictest.
pub(super) fn addresses(service: &str) -> ServiceAddresses {
    let carrier = service_parts(service).map_or("", |(carrier_name, ..)| carrier_name);
    let line = match carrier {
        "mydhl" | "dhl_express" => 45,
        _ => 35,
    };
    let limits = AddressLimits::of_lines(line);
    ServiceAddresses { sender: limits, receiver: limits, sender_number: false }
}

/// A brand as we and customers write it.
pub(super) struct Brand {
    pub vendor: String,
    pub name: String,
}

pub(super) fn brand(carrier_name: &str) -> Brand {
    const KNOWN: &[(&str, &str, &str)] = &[
        ("mydhl", "dhl", "DHL"),
        ("dhl_express", "dhl", "DHL"),
        ("fedex", "fedex", "FedEx"),
        ("ups", "ups", "UPS"),
        ("aramex", "aramex", "Aramex"),
        ("tnt", "tnt", "TNT"),
    ];
    let entry = KNOWN.iter().find(|(carrier, ..)| *carrier == carrier_name);
    match entry {
        Some((_, vendor, name)) => Brand { vendor: (*vendor).to_owned(), name: (*name).to_owned() },
        None => Brand { vendor: plain(carrier_name), name: capitalised(carrier_name) },
    }
}

/// Returns `DHL Express Worldwide`: the brand, then the service without repeating the brand.
pub(super) fn service_name(brand: &Brand, rate: &Rate) -> String {
    let words = capitalised(rate.meta.service_name.or(&rate.service));
    let is_brand = |word: &&str| {
        let word = word.to_lowercase();
        word == brand.vendor || word == rate.carrier_name
    };
    let rest: Vec<&str> = words.split(' ').skip_while(is_brand).collect();
    plain(&format!("{} {}", brand.name, rest.join(" ")))
}

/// Converts `fedex_international_priority` and `FEDEX INTERNATIONAL PRIORITY` to mixed case.
fn capitalised(name: &str) -> String {
    let words = name.split(['_', ' ']).filter(|word| !word.is_empty());
    let word = |word: &str| {
        let mut letters = word.chars();
        let first = letters.next().map(|c| c.to_uppercase().to_string());
        first.unwrap_or_default() + &letters.as_str().to_lowercase()
    };
    plain(&words.map(word).collect::<Vec<_>>().join(" "))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn lines_for_customs_add_up_to_the_value_and_none_is_zero(
            (pieces, value) in (1i64..=999).prop_flat_map(|it| (Just(it), it..=99_999_999_999)),
        ) {
            let lines = piece_values(value, pieces);
            prop_assert!(lines.iter().all(|&(quantity, each)| quantity > 0 && each > 0));
            prop_assert_eq!(lines.iter().map(|(quantity, _)| quantity).sum::<i64>(), pieces);
            let sum: i64 = lines.iter().map(|(quantity, each)| quantity * each).sum();
            prop_assert_eq!(sum, value);
        }
    }

    #[test]
    fn a_service_is_named_after_its_brand_once() {
        for (carrier, service, partner_name, name) in [
            ("mydhl", "mydhl_express_worldwide", "", "DHL Express Worldwide"),
            (
                "fedex",
                "fedex_international_priority",
                "FEDEX INTERNATIONAL PRIORITY",
                "FedEx International Priority",
            ),
            ("ups", "ups_express_saver", "UPS Express Saver", "UPS Express Saver"),
            ("sendle", "parcel", "", "Sendle Parcel"),
        ] {
            let rate = Rate {
                carrier_name: carrier.to_owned(),
                service: service.to_owned(),
                meta: Meta { service_name: partner_name.into() },
                ..Rate::default()
            };
            assert_eq!(service_name(&brand(carrier), &rate), name);
        }
    }

    #[test]
    fn unknown_fields_are_ignored_and_numbers_may_come_as_texts() {
        let json = r#"{"messages": [{"carrier_name": "ups", "details": {}}], "x": 1, "rates": [
            {"carrier_name": "mydhl", "carrier_id": "d", "service": "s", "total_charge": "12.50",
             "currency": "INR", "transit_days": null, "meta": {"ext": 1}}]}"#;
        let rates: Rates = serde_json::from_str(json).unwrap();
        assert_eq!(rates.rates[0].total_charge.as_str(), "12.50");
        assert_eq!(rates.messages[0].carrier_name, "ups");
    }
}
