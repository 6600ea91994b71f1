//! Trackers of the pretend Karrio.

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::Response;
use serde_json::{Map, Value, json};

use super::super::json::{JsonBody, fields_of, reply, text};
use super::super::records::{Bought, PartnerShipment};
use super::tariff::{self, CarrierService};
use super::{Karrio, answers, invalid, no_account, not_found, written};

/// Creates a tracker; 404 with the carrier's message if it does not know the number or does not
/// respond.
pub(super) async fn add(State(karrio): State<Karrio>, body: JsonBody) -> Response {
    let asked = fields_of(body);
    let fields = [
        text(&asked, "tracking_number"),
        text(&asked, "carrier_name"),
    ];
    let [Some(number), Some(carrier)] = fields else {
        let names = ["tracking_number", "carrier_name"].into_iter().zip(fields);
        let missing = names.filter(|(_, given)| given.is_none());
        let missing =
            missing.map(|(name, _)| (name.to_owned(), json!(["This field is required."])));
        return invalid(&missing.collect::<Map<_, _>>().into());
    };
    let Some(account) = tariff::by_carrier(carrier) else {
        return no_account();
    };
    if karrio
        .server
        .records()
        .settings
        .is_silent(account.carrier_id)
    {
        return unknown(tariff::silence(account));
    }
    let found = karrio.server.records().by_awb(number).and_then(tracked);
    match found.filter(|(_, bought)| carrier_of(bought) == Some(carrier)) {
        Some((shipment, bought)) => shown(&karrio, &shipment, &bought),
        None => {
            let words = ["404", "No information about this number."];
            let carrier = [account.carrier_id, account.carrier_name];
            unknown(tariff::message(carrier, words))
        }
    }
}

fn unknown(message: Value) -> Response {
    written((404, json!({"messages": [message]})))
}

/// Returns a tracker, by its tracking number or its id.
pub(super) async fn read(State(karrio): State<Karrio>, Path(number): Path<String>) -> Response {
    let found = {
        let records = karrio.server.records();
        let by_id = |it: &&PartnerShipment| answers::tracker_id(it.number) == number;
        let found = records
            .by_awb(&number)
            .or_else(|| records.shipments().find(by_id));
        found.and_then(tracked)
    };
    match found {
        Some((shipment, bought)) => shown(&karrio, &shipment, &bought),
        None => not_found(),
    }
}

/// Returns a shipment that has a tracker: it is bought and not cancelled.
fn tracked(shipment: &PartnerShipment) -> Option<(PartnerShipment, Bought)> {
    let bought = shipment.bought.clone().filter(|_| !shipment.cancelled)?;
    Some((shipment.clone(), bought))
}

fn carrier_of(bought: &Bought) -> Option<&'static str> {
    tariff::by_name(&bought.offer.service).map(|service: &CarrierService| service.carrier_name)
}

fn shown(karrio: &Karrio, shipment: &PartnerShipment, bought: &Bought) -> Response {
    reply(
        &karrio.server,
        StatusCode::OK,
        answers::tracker(shipment, bought),
    )
}
