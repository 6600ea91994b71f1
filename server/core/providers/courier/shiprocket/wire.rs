//! Shiprocket's JSON: requests, and the fields that we read of its responses.

use std::fmt::Write as _;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::super::awb_of;
use super::super::error::{CourierError, CourierResult};
use super::super::text::{beginning, plain, redacted};
use crate::limits;
use crate::model::courier::address::{AddressLimits, ServiceAddresses};
use crate::model::courier::order::{Booked, ShipmentOrder, Standing};
use crate::model::digest::sha256_hex;
use crate::model::openapi_schema::{Text, decimal, thousandths};
use crate::model::settings::secret::Secret;
use crate::model::shipping::grams::Grams;
use crate::model::shipping::shipment::Shipment;

pub(super) const PICKUP_PATH: &str = "/courier/generate/pickup";

pub(super) fn token(body: &[u8]) -> Option<Secret> {
    #[derive(Deserialize)]
    struct Granted {
        token: Secret,
    }
    let granted: Granted = serde_json::from_slice(body).ok()?;
    Some(granted.token).filter(|token| !token.is_empty())
}

/// Builds the path of a price request. All values are numbers, so nothing needs escaping.
pub(super) fn serviceability(shipment: &Shipment) -> String {
    let mut path = format!(
        "/courier/serviceability/?pickup_postcode={}&delivery_postcode={}&cod=0&weight={}",
        shipment.origin_pincode,
        shipment.destination_code,
        shipment.piece_weight.kilograms(),
    );
    for (name, mm) in [
        ("length", shipment.length_mm),
        ("breadth", shipment.width_mm),
        ("height", shipment.height_mm),
    ] {
        if mm > 0 {
            let _ = write!(path, "&{name}={}", decimal(mm, 1));
        }
    }
    path
}

/// `POST /settings/company/addpickup`: the pickup address of this customer's parcel. Our name of it
/// is derived from it: equal addresses have equal names.
pub(super) fn pickup_address(order: &ShipmentOrder) -> Value {
    let from = &order.shipper;
    let whole = [&from.name, &from.phone, &from.address_1, &from.address_2, &from.postal_code];
    let name = sha256_hex(whole.map(String::as_str).join("\n").as_bytes());
    json!({
        "pickup_location": format!("DK{}", &name[..24]),
        "name": from.name, "email": from.email, "phone": from.phone,
        "address": from.address_1, "address_2": from.address_2,
        "city": from.city, "state": from.state, "country": from.country,
        "pin_code": from.postal_code,
    })
}

/// `POST /orders/create/adhoc`.
#[derive(Serialize)]
pub(super) struct OrderAsk<'a> {
    order_id: &'a str,
    order_date: &'a str,
    pickup_location: &'a Value,
    billing_customer_name: &'a str,
    billing_last_name: &'static str,
    billing_address: &'a str,
    billing_address_2: &'a str,
    billing_city: &'a str,
    billing_pincode: &'a str,
    billing_state: &'a str,
    billing_country: &'a str,
    billing_email: &'a str,
    billing_phone: &'a str,
    shipping_is_billing: bool,
    order_items: [Item<'a>; 1],
    #[serde(skip_serializing_if = "str::is_empty")]
    ewaybill_no: &'a str,
    payment_method: &'static str,
    sub_total: Box<RawValue>,
    length: Box<RawValue>,
    breadth: Box<RawValue>,
    height: Box<RawValue>,
    weight: Box<RawValue>,
}

#[derive(Serialize)]
struct Item<'a> {
    name: &'a str,
    sku: &'a str,
    units: i64,
    selling_price: Box<RawValue>,
    #[serde(skip_serializing_if = "str::is_empty")]
    hsn: &'a str,
}

/// The longest city name that Shiprocket accepts (apidocs.shiprocket.in, "Create Custom Order").
const CITY_CHARS_MAX: usize = 30;
/// The shortest side that Shiprocket accepts (millimetres): more than half a centimetre.
const SIDE_MM_MIN: i64 = 6;

/// Shiprocket's limits for a pickup address (apidocs.shiprocket.in, "Add a New Pickup Location"),
/// and for the receiver's two lines together.
pub(super) const ADDRESSES: ServiceAddresses = ServiceAddresses {
    sender: AddressLimits::of_lines(80),
    receiver: AddressLimits { line: 190, both: 190 },
    sender_number: true,
};

pub(super) fn order_ask<'a>(order: &'a ShipmentOrder, place: &'a Value) -> OrderAsk<'a> {
    let (to, contents, shipment) = (&order.receiver, &order.contents, &order.shipment);
    let side = |mm: i64| decimal(mm.max(SIDE_MM_MIN), 1);
    OrderAsk {
        order_id: &order.reference,
        order_date: order.date.get(..16).unwrap_or(&order.date),
        pickup_location: &place["pickup_location"],
        billing_customer_name: &to.name,
        billing_last_name: "",
        billing_address: &to.address_1,
        billing_address_2: &to.address_2,
        billing_city: beginning(&to.city, CITY_CHARS_MAX),
        billing_pincode: &to.postal_code,
        billing_state: &to.state,
        billing_country: &to.country,
        billing_email: &to.email,
        billing_phone: &to.phone,
        shipping_is_billing: true,
        order_items: [Item {
            name: &contents.description,
            sku: &order.reference,
            units: 1,
            selling_price: decimal(contents.value.get(), 2),
            hsn: &contents.hs_code,
        }],
        ewaybill_no: &contents.eway_bill,
        payment_method: "Prepaid",
        sub_total: decimal(contents.value.get(), 2),
        length: side(shipment.length_mm),
        breadth: side(shipment.width_mm),
        height: side(shipment.height_mm),
        weight: shipment.piece_weight.kilograms(),
    }
}

/// The response to an [`OrderAsk`]. A refusal may come with HTTP 200 too; then it has no ids.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Created {
    pub order_id: Option<i64>,
    pub shipment_id: Option<i64>,
    pub message: Text,
}

/// The response of `POST /courier/assign/awb`.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Assigned {
    awb_assign_status: Text,
    message: Text,
    response: AssignedResponse,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct AssignedResponse {
    data: AssignedData,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct AssignedData {
    awb_code: Text,
    awb_assign_error: Text,
}

impl Assigned {
    pub fn awb(&self) -> CourierResult<Option<String>> {
        match self.awb_assign_status.as_str() {
            "1" => awb_of(&self.response.data.awb_code),
            _ => Ok(None),
        }
    }

    /// The reason why there is no AWB. Without a failure status or a reason the outcome is unknown.
    pub fn refusal(&self) -> CourierError {
        let why = self.response.data.awb_assign_error.or(self.message.as_str());
        match (self.awb_assign_status.as_str(), why) {
            ("" | "1", "") => CourierError::Unknown("an answer without an AWB".to_owned()),
            (_, why) => CourierError::Refused(redacted(why)),
        }
    }
}

/// The response of `POST /courier/generate/pickup`.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct PickupReply {
    pickup_status: Text,
    message: Text,
    response: PickupResponse,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct PickupResponse {
    pickup_token_number: Text,
}

impl PickupReply {
    /// The bare number. Shiprocket writes `Reference No: 690000001`.
    pub fn token(&self) -> String {
        let text = self.response.pickup_token_number.as_str();
        plain(text.rsplit(':').next().unwrap_or(text))
    }

    /// The reason why there is no pickup, if a response with a 2xx gives one.
    pub fn refusal(&self) -> Option<&str> {
        (self.pickup_status.as_str() == "0").then(|| self.message.or("no pickup"))
    }
}

/// The orders of `GET /orders?search=…`, or the one of `GET /orders/show/{id}`.
#[derive(Debug, Deserialize)]
pub(super) struct OrderReply<T> {
    pub data: T,
}

#[derive(Debug, Deserialize)]
pub(super) struct KnownOrder {
    pub id: i64,
    /// Our reference of the order.
    #[serde(default)]
    pub channel_order_id: Text,
    #[serde(default)]
    status: Text,
    #[serde(default)]
    shipments: KnownShipments,
}

/// A list in the list of orders; a single object in the response for one order.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum KnownShipments {
    Several(Vec<KnownShipment>),
    One(KnownShipment),
}

impl Default for KnownShipments {
    fn default() -> KnownShipments {
        KnownShipments::Several(Vec::new())
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct KnownShipment {
    id: Option<i64>,
    awb: Text,
}

/// The response of `POST /courier/generate/label`.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct LabelReply {
    pub label_url: Text,
}

impl KnownOrder {
    /// Returns the state. An order that waits for its cancellation may still be picked up.
    pub fn standing(&self) -> CourierResult<Standing> {
        let status = self.status.as_str().to_uppercase();
        if status.starts_with("CANCELED") || status.starts_with("CANCELLED") {
            return Ok(Standing::Cancelled);
        }
        if status.starts_with("CANCEL") {
            return Ok(Standing::Cancelling);
        }
        let assigned = self.shipments().iter().find(|it| !it.awb.is_empty());
        let awb = assigned.map_or(Ok(None), |it| awb_of(&it.awb))?;
        let pickup_id = String::new();
        Ok(awb.map_or(Standing::Begun, |awb| Standing::Booked(Booked { awb, pickup_id })))
    }

    fn shipments(&self) -> &[KnownShipment] {
        match &self.shipments {
            KnownShipments::Several(all) => all,
            KnownShipments::One(one) => std::slice::from_ref(one),
        }
    }

    pub fn shipment_of(&self, awb: &str) -> Option<i64> {
        let mut all = self.shipments().iter();
        all.find(|it| it.awb.as_str().eq_ignore_ascii_case(awb))?.id
    }
}

#[derive(Debug, Deserialize)]
pub(super) struct Serviceability {
    #[serde(default)]
    pub status: Text,
    pub data: Option<Available>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Available {
    #[serde(default)]
    pub available_courier_companies: Vec<CourierCompany>,
}

/// One courier with its price.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct CourierCompany {
    pub courier_company_id: Text,
    pub courier_name: String,
    pub rate: Text,
    /// Sent as a text.
    pub estimated_delivery_days: Text,
    charge_weight: Text,
    zone: Text,
    blocked: Text,
}

impl CourierCompany {
    /// True if this account may not use the courier at the moment.
    pub fn is_blocked(&self) -> bool {
        !matches!(self.blocked.as_str(), "" | "0" | "false")
    }

    pub fn chargeable(&self) -> Option<Grams> {
        let grams = thousandths(self.charge_weight.as_str())?;
        (1..=limits::RATE_GRAMS_MAX).contains(&grams).then_some(Grams(grams))
    }

    /// Returns the zone; `z_d` is zone D.
    pub fn zone_name(&self) -> Option<String> {
        let zone = self.zone.as_str().trim_start_matches("z_");
        (!zone.is_empty()).then(|| format!("Zone {}", plain(zone).to_uppercase()))
    }
}

/// Returns the brand, the words before the mode: `blue dart` of `Blue Dart Air`.
pub(super) fn vendor(name: &str) -> String {
    const MODES: &[&str] = &["surface", "air", "express", "standard", "heavy", "cargo"];
    let lower = name.to_lowercase();
    let brand =
        lower.split(' ').take_while(|word| !MODES.contains(word)).collect::<Vec<_>>().join(" ");
    if brand.is_empty() { lower } else { brand }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_brand_is_what_comes_before_the_mode() {
        for (name, brand) in [
            ("Blue Dart Air", "blue dart"),
            ("Delhivery Surface 2kg", "delhivery"),
            ("Ekart", "ekart"),
            ("Air", "air"),
        ] {
            assert_eq!(vendor(name), brand);
        }
    }

    #[test]
    fn a_company_is_read_with_its_numbers_as_numbers_or_as_texts() {
        let json = r#"{"courier_company_id": 10, "courier_name": "X", "rate": 81.5,
            "estimated_delivery_days": "4", "charge_weight": 0.5, "zone": "z_d", "blocked": 0}"#;
        let company: CourierCompany = serde_json::from_str(json).unwrap();
        assert_eq!(company.chargeable(), Some(Grams(500)));
        assert_eq!(company.zone_name().as_deref(), Some("Zone D"));
        assert!(!company.is_blocked());
    }
}
