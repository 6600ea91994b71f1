//! Rates, shipments (draft, bought, cancelled) and trackers of the pretend Karrio.

use axum::extract::{Path, Query, RawQuery, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use serde::Deserialize;
use serde_json::{Value, json};

use super::super::super::wire::{Answer, Fields, Refusal, host};
use super::super::json::text;
use super::super::label;
use super::super::partner::Partner;
use super::super::records::{PartnerOffer, PartnerRecords, PartnerSettings, PartnerShipment};
use super::errors::{
    failure, no_account, no_such_service, not_found, refuse, required, state_error,
};
use super::{addresses, answers, customs, key, tariff};
use crate::model::calendar::moment_of;

/// The default page size (shipments).
const PAGE: usize = 20;

/// Returns the prices of all accounts that respond, cheapest first.
pub(super) async fn rates(State(partner): State<Partner>, Fields(body): Fields) -> Answer {
    let request = tariff::read(&body)?;
    let settings = partner.records().settings.clone();
    let (offers, messages) = tariff::offers(&settings, &request)?;
    let status = match (offers.is_empty(), messages.is_empty()) {
        (false, false) => StatusCode::MULTI_STATUS,
        (true, false) => return Err(failure(&messages)),
        _ => StatusCode::OK,
    };
    let rates = answers::rates(&partner, partner.now_ms().unsigned_abs(), &offers);
    Ok(partner.reply(status, json!({"messages": messages, "rates": rates})))
}

/// Creates a draft with its rates; buys it at once if the request names the service.
pub(super) async fn create(State(partner): State<Partner>, Fields(body): Fields) -> Answer {
    let request = tariff::read(&body)?;
    customs::check(&body)?;
    let now_ms = partner.now_ms();
    let shipment = {
        let mut records = partner.records();
        let (offers, messages) = tariff::offers(&records.settings, &request)?;
        if offers.is_empty() && !messages.is_empty() {
            return Err(failure(&messages));
        }
        let at_once = match text(&body, "service") {
            Some(_) => Some(offers.first().cloned().ok_or_else(no_such_service)?),
            None => None,
        };
        let draft = records.create(PartnerShipment {
            reference: text(&body, "reference").unwrap_or_default().to_owned(),
            asked: body,
            offers,
            messages,
            created_ms: now_ms,
            ..PartnerShipment::default()
        });
        match at_once {
            Some(offer) => buy(&mut records, draft, offer, now_ms),
            None => draft,
        }
    };
    Ok(shipment_reply(&partner, StatusCode::CREATED, &shipment))
}

fn buy(
    records: &mut PartnerRecords,
    shipment: PartnerShipment,
    offer: PartnerOffer,
    at_ms: i64,
) -> PartnerShipment {
    let service = tariff::by_name(&offer.service);
    let awb = service.map_or_else(String::new, |service| service.awb(shipment.number));
    records.buy(shipment, awb, offer, at_ms)
}

fn shipment_reply(partner: &Partner, status: StatusCode, shipment: &PartnerShipment) -> Response {
    partner.reply(status, answers::shipment(partner, shipment))
}

fn find_one(records: &PartnerRecords, id: &str) -> Result<PartnerShipment, Refusal> {
    let shipment = answers::number_in("shp", id).and_then(|number| records.shipment(number));
    shipment.cloned().ok_or_else(not_found)
}

pub(super) async fn read(State(partner): State<Partner>, Path(id): Path<String>) -> Answer {
    let shipment = find_one(&partner.records(), &id)?;
    Ok(shipment_reply(&partner, StatusCode::OK, &shipment))
}

#[derive(Deserialize)]
pub(super) struct ShipmentFilter {
    reference: Option<String>,
    metadata_key: Option<String>,
    metadata_value: Option<String>,
    tracking_number: Option<String>,
    status: Option<String>,
    created_after: Option<String>,
    #[serde(default)]
    offset: usize,
    limit: Option<usize>,
}

impl ShipmentFilter {
    fn takes(&self, shipment: &PartnerShipment) -> bool {
        let metadata = &shipment.asked["metadata"];
        let is = |filter: &Option<String>, value: Option<&str>| {
            filter.as_deref().is_none_or(|filter| value == Some(filter))
        };
        let has_key = |key: &String| metadata.get(key).is_some();
        // As in Karrio, the value of any key matches.
        let has_value = |value: &String| {
            let mut values = metadata.as_object().into_iter().flatten();
            values.any(|(_, it)| it == value)
        };
        let after = self.created_after.as_deref().and_then(|it| moment_of(it, 0));
        after.is_none_or(|after| shipment.created_ms >= after)
            && is(&self.reference, Some(&shipment.reference))
            && is(&self.tracking_number, shipment.awb())
            && is(&self.status, Some(answers::status(shipment)))
            && self.metadata_key.as_ref().is_none_or(has_key)
            && self.metadata_value.as_ref().is_none_or(has_value)
    }
}

/// Returns a page of shipments, newest first.
pub(super) async fn find(
    State(partner): State<Partner>,
    Query(filter): Query<ShipmentFilter>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Response {
    let shipments: Vec<PartnerShipment> = {
        let records = partner.records();
        let shipments = records.search(partner.now_ms(), |it| filter.takes(it));
        shipments.cloned().collect()
    };
    let limit = filter.limit.unwrap_or(PAGE);
    let page = shipments.iter().skip(filter.offset).take(limit);
    let results: Vec<Value> = page.map(|it| answers::shipment(&partner, it)).collect();
    let link = |offset: usize| {
        let query = query.as_deref().unwrap_or_default().split('&');
        let parts = query.filter(|part| !part.starts_with("offset=") && !part.is_empty());
        let offset = format!("offset={offset}");
        let query: Vec<&str> = parts.chain([offset.as_str()]).collect();
        let base = format!("http://{}{}", host(&headers), partner.path());
        format!("{base}/v1/shipments?{}", query.join("&"))
    };
    let end = filter.offset + results.len();
    let next = (end < shipments.len()).then(|| link(end));
    let previous = (filter.offset > 0).then(|| link(filter.offset.saturating_sub(limit)));
    partner.ok(answers::page(shipments.len(), [next, previous], results))
}

/// Buys a draft at its present price, only once.
pub(super) async fn purchase(
    State(partner): State<Partner>,
    Path(id): Path<String>,
    Fields(body): Fields,
) -> Answer {
    let at_ms = partner.now_ms();
    let shipment = {
        let mut records = partner.records();
        let shipment = find_one(&records, &id)?;
        let offer = chosen_offer(&records.settings, &shipment, &body)?;
        buy(&mut records, shipment, offer, at_ms)
    };
    Ok(shipment_reply(&partner, StatusCode::OK, &shipment))
}

/// Returns the chosen service with its present price; fails if it cannot be bought.
fn chosen_offer(
    settings: &PartnerSettings,
    shipment: &PartnerShipment,
    body: &Value,
) -> Result<PartnerOffer, Refusal> {
    let status = answers::status(shipment);
    if shipment.is_carried() {
        let message = format!("The shipment is '{status}' and cannot be purchased again");
        return Err(state_error(&message));
    }
    if status != "draft" && !settings.buys_cancelled {
        let message = format!("Shipment is {status} and cannot be updated anymore...");
        return Err(state_error(&message));
    }
    let (rate, service) = (text(body, "selected_rate_id"), text(body, "service"));
    if rate.is_none() && service.is_none() {
        let message = "Either 'selected_rate_id' or 'service' must be provided.";
        return Err(refuse(400, "validation", message));
    }
    let mut offered = shipment.offers.iter().enumerate();
    let offered = offered.find(|(index, offer)| {
        rate.is_some_and(|rate| rate == answers::rate_id(shipment.number, *index))
            || service == Some(&offer.service)
    });
    let service = offered.and_then(|(_, offer)| tariff::by_name(&offer.service));
    let service = service.ok_or_else(no_such_service)?;
    if settings.is_silent(service.carrier_id) {
        return Err(failure(&[tariff::silence(service.account())]));
    }
    addresses::check(&shipment.asked, service)?;
    let request = tariff::read(&shipment.asked).map_err(|_| no_such_service())?;
    Ok(service.offer(settings, &request))
}

/// Cancels a shipment: returns 200 the first time, 202 every further time.
pub(super) async fn cancel(State(partner): State<Partner>, Path(id): Path<String>) -> Answer {
    let mut records = partner.records();
    let mut shipment = find_one(&records, &id)?;
    let code = match answers::status(&shipment) {
        "cancelled" => StatusCode::ACCEPTED,
        "draft" | "created" => {
            partner.cancel(&mut records, &mut shipment);
            StatusCode::OK
        }
        status => {
            let message = format!("The shipment is '{status}' and can not be cancelled anymore...");
            return Err(state_error(&message));
        }
    };
    drop(records);
    Ok(shipment_reply(&partner, code, &shipment))
}

/// Returns the label. Without the API key Karrio returns 403, not 401.
pub(super) async fn label(
    State(partner): State<Partner>,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Answer {
    if !key::is_shown(&partner, &headers) {
        return Err(refuse(403, "permission_denied", "You cannot see this document."));
    }
    let (shipment, prefix) = {
        let records = partner.records();
        (find_one(&records, &id)?, records.settings.label_prefix.clone())
    };
    let bought = shipment.bought.as_ref().ok_or_else(not_found)?;
    let to = &shipment.asked["recipient"];
    let line = |field: &str| to[field].as_str().unwrap_or_default().to_owned();
    let lines = [
        bought.offer.service.clone(),
        format!("AWB {}", bought.awb),
        shipment.reference.clone(),
        line("person_name"),
        line("address_line1"),
        format!("{} {}", line("city"), line("postal_code")),
        line("country_code"),
    ];
    Ok(label::label(&prefix, &lines))
}

/// Creates a tracker; 404 with the carrier's message if it does not know the number or does not
/// respond.
pub(super) async fn add_tracker(State(partner): State<Partner>, Fields(body): Fields) -> Answer {
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
    let hides_events = partner.records().settings.hides_events;
    match shipment.filter(|it| it.is_tracked() && of_carrier(it)) {
        Some(shipment) => Ok(partner.ok(answers::tracker(&shipment, hides_events))),
        None => {
            let words = ["404", "No information about this number."];
            Err(unknown(tariff::message(account, words)))
        }
    }
}

/// Returns a tracker, by its tracking number or its id.
pub(super) async fn track(State(partner): State<Partner>, Path(number): Path<String>) -> Answer {
    let shipment = {
        let records = partner.records();
        let by_id = |it: &&PartnerShipment| answers::tracker_id(it.number) == number;
        let shipment = records.by_awb(&number);
        shipment.or_else(|| records.shipments().find(by_id)).cloned()
    };
    let shipment = shipment.filter(PartnerShipment::is_tracked);
    let hides_events = partner.records().settings.hides_events;
    Ok(partner.ok(answers::tracker(&shipment.ok_or_else(not_found)?, hides_events)))
}
