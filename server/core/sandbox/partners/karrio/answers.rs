//! Rates, shipments and trackers in Karrio's JSON.

use serde_json::{Value, json};
use time::macros::format_description;

use super::super::json::rupees;
use super::super::partner::{Partner, moment};
use super::super::records::{PartnerOffer, PartnerScan, PartnerShipment, ScanTold};
use super::tariff::{CarrierService, by_name};

/// Returns the id of an object: the letters of its kind and its number.
pub(super) fn object_id(kind: &str, number: u64) -> String {
    format!("{kind}_{number:032x}")
}

/// Returns the number in the id of an object of this kind.
pub(super) fn number_in(kind: &str, id: &str) -> Option<u64> {
    let hex = id.strip_prefix(kind)?.strip_prefix('_')?;
    u64::from_str_radix(hex, 16).ok().filter(|_| hex.len() == 32)
}

/// Returns the id of a rate: the number of its reply, and its index in it.
pub(super) fn rate_id(answer: u64, index: usize) -> String {
    format!("rat_{answer:016x}{index:016x}")
}

pub(super) fn tracker_id(number: u64) -> String {
    object_id("trk", number)
}

pub(super) fn page(count: usize, links: [Option<String>; 2], results: Vec<Value>) -> Value {
    let [next, previous] = links;
    json!({"count": count, "next": next, "previous": previous, "results": results})
}

pub(super) fn rates(partner: &Partner, answer: u64, offers: &[PartnerOffer]) -> Vec<Value> {
    let numbered = offers.iter().enumerate();
    numbered.map(|(index, offer)| rate(partner, &rate_id(answer, index), offer)).collect()
}

fn rate(partner: &Partner, id: &str, offer: &PartnerOffer) -> Value {
    let Some(service) = by_name(&offer.service) else {
        return Value::Null;
    };
    let [carrier_id, carrier_name] = service.account();
    let fuel = offer.paise * 15 / 115;
    json!({
        "id": id,
        "object_type": "rate",
        "carrier_name": carrier_name, "carrier_id": carrier_id, "service": service.service,
        "total_charge": rupees(offer.paise), "currency": "INR",
        "transit_days": service.days,
        "estimated_delivery": service.days.map(|days| partner.day_in(days).to_string()),
        "extra_charges": [
            {"name": "Base charge", "amount": rupees(offer.paise - fuel), "currency": "INR"},
            {"name": "Fuel surcharge", "amount": rupees(fuel), "currency": "INR"},
        ],
        "meta": {
            "ext": carrier_name, "carrier": carrier_name, "rate_provider": carrier_name,
            "service_name": service.name(),
            "carrier_connection_id": format!("car_{}", carrier_id.replace('-', "")),
        },
        "test_mode": true,
    })
}

/// Returns the status of a shipment in Karrio's words.
pub(super) fn status(shipment: &PartnerShipment) -> &str {
    match shipment.last_status() {
        _ if shipment.cancelled => "cancelled",
        _ if shipment.bought.is_none() => "draft",
        None | Some("pending" | "unknown") => "created",
        Some("picked_up") => "shipped",
        Some("delivered") => "delivered",
        Some("out_for_delivery") => "out_for_delivery",
        Some("delivery_failed") => "delivery_failed",
        Some("on_hold" | "delivery_delayed" | "return_to_sender") => "needs_attention",
        Some(_) => "in_transit",
    }
}

pub(super) fn service(shipment: &PartnerShipment) -> Option<&'static CarrierService> {
    by_name(&shipment.bought.as_ref()?.offer.service)
}

pub(super) fn carrier(shipment: &PartnerShipment) -> Option<&'static str> {
    service(shipment).map(|service| service.carrier_name)
}

pub(super) fn shipment(partner: &Partner, shipment: &PartnerShipment) -> Value {
    let (body, number, awb) = (&shipment.asked, shipment.number, shipment.awb());
    let (bought, service) = (shipment.bought.as_ref(), service(shipment));
    let id = object_id("shp", number);
    let label_url = bought.map(|_| format!("/v1/shipments/{id}/label.pdf"));
    let documents =
        label_url.iter().map(|url| json!({"category": "label", "format": "PDF", "url": url}));
    let tracking_url = service
        .zip(awb)
        .map(|(service, awb)| format!("/v1/trackers/{}/{awb}", service.carrier_name));
    // The rate that was paid has an id of its own, and the price at the time of the purchase.
    let paid_rate_id = rate_id(number, usize::MAX);
    json!({
        "id": id,
        "object_type": "shipment",
        "status": status(shipment),
        "carrier_name": service.map(|service| service.carrier_name),
        "carrier_id": service.map(|service| service.carrier_id),
        "service": service.map(|service| service.service),
        "tracking_number": awb, "shipment_identifier": awb, "tracking_url": tracking_url,
        "tracker_id": shipment.is_carried().then(|| tracker_id(number)),
        "label_type": body["label_type"].as_str().unwrap_or("PDF"), "label_url": label_url,
        "invoice_url": null, "shipping_documents": documents.collect::<Vec<Value>>(),
        "shipper": body["shipper"], "recipient": body["recipient"],
        "parcels": body["parcels"], "customs": body["customs"],
        "options": body.get("options").cloned().unwrap_or_else(|| json!({})),
        "reference": body["reference"],
        "metadata": body.get("metadata").cloned().unwrap_or_else(|| json!({})),
        "selected_rate_id": bought.map(|_| &paid_rate_id),
        "selected_rate": bought.map(|bought| rate(partner, &paid_rate_id, &bought.offer)),
        "rates": rates(partner, number, &shipment.offers),
        "messages": shipment.messages,
        "meta": {},
        "created_at": timestamp(shipment.created_ms),
        "test_mode": true,
    })
}

pub(super) fn tracker(shipment: &PartnerShipment, hides_events: bool) -> Value {
    let service = service(shipment);
    let status = shipment.last_status().unwrap_or("pending");
    let events = shipment.history().into_iter().filter(|_| !hides_events).map(event_json);
    let updated_ms = shipment.scans.last().map(|scan| scan.at_ms);
    json!({
        "id": tracker_id(shipment.number),
        "object_type": "tracker",
        "carrier_name": service.map(|service| service.carrier_name),
        "carrier_id": service.map(|service| service.carrier_id),
        "tracking_number": shipment.awb(),
        "status": status, "delivered": status == "delivered", "estimated_delivery": null,
        "events": events.collect::<Vec<Value>>(),
        "updated_at": updated_ms.map(timestamp),
        "info": {"shipment_service": service.map(CarrierService::name)},
        "meta": {}, "metadata": {}, "messages": [], "test_mode": true,
    })
}

/// Returns the body of a webhook about a shipment.
pub(super) fn event(shipment: &PartnerShipment) -> Value {
    let data = shipment.bought.as_ref().map(|_| tracker(shipment, false));
    json!({"event": "tracker_updated", "data": data})
}

fn event_json(scan: &PartnerScan) -> Value {
    let at = moment(scan.at_ms);
    let time = format_description!("[hour repr:12]:[minute] [period]");
    let (day, time) = (at.date().to_string(), at.format(time).unwrap_or_default());
    let here = scan.local.as_deref().map(|local| local.split_once(' ').unwrap_or((local, "")));
    let (day, time, timestamp) = match (here, scan.told) {
        (Some((day, time)), _) => (json!(day), json!(time), Value::Null),
        (None, ScanTold::Moment) => (json!(day), json!(time), json!(timestamp(scan.at_ms))),
        (None, ScanTold::Day) => (json!(day), Value::Null, Value::Null),
        (None, ScanTold::Nothing) => (Value::Null, Value::Null, Value::Null),
    };
    let status = scan.code.is_none().then_some(&scan.status);
    let code = scan.code.clone().unwrap_or_else(|| scan.status.to_uppercase());
    json!({
        "date": day, "time": time, "timestamp": timestamp,
        "code": code, "status": status, "reason": scan.reason,
        "description": scan.remarks, "location": scan.location,
    })
}

/// Formats a time: `2030-01-20T10:00:00.000Z`.
fn timestamp(ms: i64) -> String {
    let format =
        format_description!("[year]-[month]-[day]T[hour]:[minute]:[second].[subsecond digits:3]Z");
    moment(ms).format(format).unwrap_or_default()
}
