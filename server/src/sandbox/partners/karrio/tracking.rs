//! Trackers of the pretend Karrio.

use axum::extract::{Path, State};
use axum::response::Response;
use serde_json::{Value, json};

use super::super::super::wire::{Answer, Fields, Refusal};
use super::super::json::text;
use super::super::partner::Partner;
use super::super::records::PartnerShipment;
use super::errors::{no_account, not_found, required};
use super::{answers, tariff};

/// Creates a tracker; 404 with the carrier's message if it does not know the number or does not
/// respond.
pub(super) async fn add(State(partner): State<Partner>, Fields(body): Fields) -> Answer {
    let (number, carrier) = (text(&body, "tracking_number"), text(&body, "carrier_name"));
    let (Some(number), Some(carrier)) = (number, carrier) else {
        let mut missing = vec!["tracking_number", "carrier_name"];
        missing.retain(|name| text(&body, name).is_none());
        return Err(required(&missing));
    };
    let account = tariff::by_carrier(carrier).ok_or_else(no_account)?;
    let unknown = |message: Value| Refusal(404, json!({"messages": [message]}));
    if partner.records().settings.is_silent(account[0]) {
        return Err(unknown(tariff::silence(account)));
    }
    let shipment = partner.records().by_awb(number).cloned();
    let of_carrier = |it: &PartnerShipment| answers::carrier(it) == Some(carrier);
    match shipment.filter(|it| it.is_carried() && of_carrier(it)) {
        Some(shipment) => Ok(shown(&partner, &shipment)),
        None => {
            let words = ["404", "No information about this number."];
            Err(unknown(tariff::message(account, words)))
        }
    }
}

/// Returns a tracker, by its tracking number or its id.
pub(super) async fn read(State(partner): State<Partner>, Path(number): Path<String>) -> Answer {
    let shipment = {
        let records = partner.records();
        let by_id = |it: &&PartnerShipment| answers::tracker_id(it.number) == number;
        let shipment = records.by_awb(&number);
        shipment.or_else(|| records.shipments().find(by_id)).cloned()
    };
    let shipment = shipment.filter(PartnerShipment::is_carried);
    Ok(shown(&partner, &shipment.ok_or_else(not_found)?))
}

fn shown(partner: &Partner, shipment: &PartnerShipment) -> Response {
    partner.ok(answers::tracker(shipment))
}
