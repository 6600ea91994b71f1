//! Rates, shipments and trackers in Karrio's JSON.

use serde_json::{Value, json};
use time::macros::format_description;

use super::super::json::rupees;
use super::super::records::{Bought, PartnerOffer, PartnerScan, PartnerShipment};
use super::super::server::{PartnerServer, iso_date, moment};
use super::tariff::{CarrierService, by_name};

/// Returns the id of a shipment.
pub(super) fn shipment_id(number: u64) -> String {
    format!("shp_{number:032x}")
}

/// Returns the number in the id of a shipment.
pub(super) fn shipment_number(id: &str) -> Option<u64> {
    let hex = id.strip_prefix("shp_").filter(|hex| hex.len() == 32)?;
    u64::from_str_radix(hex, 16).ok()
}

/// Returns the id of a rate: the number of its reply, and its index in it.
pub(super) fn rate_id(answer: u64, index: usize) -> String {
    format!("rat_{answer:016x}{index:016x}")
}

/// Returns the id of a tracker.
pub(super) fn tracker_id(number: u64) -> String {
    format!("trk_{number:032x}")
}

/// Returns the rates of one reply.
pub(super) fn rates(server: &PartnerServer, answer: u64, offers: &[PartnerOffer]) -> Vec<Value> {
    let numbered = offers.iter().enumerate();
    numbered
        .map(|(index, offer)| rate(server, &rate_id(answer, index), offer))
        .collect()
}

fn rate(server: &PartnerServer, id: &str, offer: &PartnerOffer) -> Value {
    let Some(service) = by_name(&offer.service) else {
        return Value::Null;
    };
    let fuel = offer.paise * 15 / 115;
    json!({
        "id": id,
        "object_type": "rate",
        "carrier_name": service.carrier_name,
        "carrier_id": service.carrier_id,
        "service": service.service,
        "total_charge": rupees(offer.paise),
        "currency": "INR",
        "transit_days": service.days,
        "estimated_delivery": service.days.map(|days| iso_date(server.day_in(days))),
        "extra_charges": [
            {"name": "Base charge", "amount": rupees(offer.paise - fuel), "currency": "INR"},
            {"name": "Fuel surcharge", "amount": rupees(fuel), "currency": "INR"},
        ],
        "meta": {
            "ext": service.carrier_name,
            "carrier": service.carrier_name,
            "service_name": service.name(),
            "rate_provider": service.carrier_name,
            "carrier_connection_id": format!("car_{}", service.carrier_id.replace('-', "")),
        },
        "test_mode": true,
    })
}

/// Returns the status of a shipment in Karrio's words.
pub(super) fn status(shipment: &PartnerShipment) -> &str {
    if shipment.cancelled {
        return "cancelled";
    }
    if shipment.bought.is_none() {
        return "draft";
    }
    match shipment.last_status() {
        None | Some("pending" | "unknown") => "created",
        Some("picked_up") => "shipped",
        Some("delivered") => "delivered",
        Some("out_for_delivery") => "out_for_delivery",
        Some("delivery_failed") => "delivery_failed",
        Some("on_hold" | "delivery_delayed" | "return_to_sender") => "needs_attention",
        Some(_) => "in_transit",
    }
}

pub(super) fn shipment(server: &PartnerServer, shipment: &PartnerShipment) -> Value {
    let asked = &shipment.asked;
    let bought = shipment.bought.as_ref();
    let service = bought.and_then(|bought| by_name(&bought.offer.service));
    let id = shipment_id(shipment.number);
    let label_url = bought.map(|_| format!("/v1/shipments/{id}/label.pdf"));
    let documents = label_url
        .iter()
        .map(|url| json!({"category": "label", "format": "PDF", "url": url}));
    json!({
        "id": id,
        "object_type": "shipment",
        "status": status(shipment),
        "carrier_name": service.map(|service| service.carrier_name),
        "carrier_id": service.map(|service| service.carrier_id),
        "service": service.map(|service| service.service),
        "tracking_number": shipment.awb(),
        "shipment_identifier": shipment.awb(),
        "tracking_url": bought.zip(service).map(|(bought, service)| {
            format!("/v1/trackers/{}/{}", service.carrier_name, bought.awb)
        }),
        "tracker_id": bought.filter(|_| !shipment.cancelled).map(|_| tracker_id(shipment.number)),
        "label_type": asked["label_type"].as_str().unwrap_or("PDF"),
        "label_url": label_url,
        "invoice_url": null,
        "shipping_documents": documents.collect::<Vec<Value>>(),
        "shipper": asked["shipper"],
        "recipient": asked["recipient"],
        "parcels": asked["parcels"],
        "customs": asked["customs"],
        "options": asked.get("options").cloned().unwrap_or_else(|| json!({})),
        "reference": asked["reference"],
        "metadata": asked.get("metadata").cloned().unwrap_or_else(|| json!({})),
        "selected_rate_id": bought.map(|_| rate_id(shipment.number, usize::MAX)),
        "selected_rate": bought.map(|bought| selected(server, shipment.number, bought)),
        "rates": rates(server, shipment.number, &shipment.offers),
        "messages": shipment.messages,
        "meta": {},
        "created_at": timestamp(shipment.created_ms),
        "test_mode": true,
    })
}

/// Returns the rate that was paid. It has an id of its own, and the price at the time of the
/// purchase.
fn selected(server: &PartnerServer, number: u64, bought: &Bought) -> Value {
    rate(server, &rate_id(number, usize::MAX), &bought.offer)
}

pub(super) fn tracker(shipment: &PartnerShipment, bought: &Bought) -> Value {
    let service = by_name(&bought.offer.service);
    let status = shipment.last_status().unwrap_or("pending");
    let events = shipment.history().into_iter().map(tracked);
    json!({
        "id": tracker_id(shipment.number),
        "object_type": "tracker",
        "carrier_name": service.map(|service| service.carrier_name),
        "carrier_id": service.map(|service| service.carrier_id),
        "tracking_number": bought.awb,
        "status": status,
        "delivered": status == "delivered",
        "estimated_delivery": null,
        "events": events.collect::<Vec<Value>>(),
        "info": {"shipment_service": service.map(CarrierService::name)},
        "meta": {},
        "metadata": {},
        "messages": [],
        "test_mode": true,
    })
}

/// Returns the body of a webhook about a shipment.
pub(super) fn event(shipment: &PartnerShipment) -> Value {
    let bought = shipment.bought.as_ref();
    let data = bought.map(|bought| tracker(shipment, bought));
    json!({"event": "tracker_updated", "data": data})
}

fn tracked(scan: &PartnerScan) -> Value {
    let at = moment(scan.at_ms);
    let time = format_description!("[hour repr:12]:[minute] [period]");
    json!({
        "date": iso_date(at.date()),
        "time": at.format(time).unwrap_or_default(),
        "timestamp": timestamp(scan.at_ms),
        "code": scan.status.to_uppercase(),
        "status": scan.status,
        "reason": null,
        "description": scan.remarks,
        "location": scan.location,
    })
}

/// Formats a time: `2030-01-20T10:00:00.000Z`.
fn timestamp(ms: i64) -> String {
    let format =
        format_description!("[year]-[month]-[day]T[hour]:[minute]:[second].[subsecond digits:3]Z");
    moment(ms).format(format).unwrap_or_default()
}
