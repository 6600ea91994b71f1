//! Shipments of the pretend Karrio: draft, bought, cancelled.

use axum::extract::{Path, Query, RawQuery, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::Response;
use serde::Deserialize;
use serde_json::{Value, json};

use super::super::json::{JsonBody, fields_of, reply, text};
use super::super::records::{
    Bought, PartnerOffer, PartnerRecords, PartnerSettings, PartnerShipment,
};
use super::super::{KARRIO, label};
use super::tariff::{self, CarrierService};
use super::{
    ErrorReply, Karrio, answers, failure, invalid, no_account, not_found, rate_request, refusal,
    refuse, written,
};

/// The default page size (shipments).
const PAGE: usize = 20;

/// Creates a draft with its rates; buys it at once if the request names the service.
pub(super) async fn create(State(karrio): State<Karrio>, body: JsonBody) -> Response {
    let asked = fields_of(body);
    let request = match rate_request::read(&asked) {
        Ok(request) => request,
        Err(details) => return invalid(&details),
    };
    let now_ms = karrio.server.now_ms();
    let shipment = {
        let mut records = karrio.server.records();
        let Some((offers, messages)) = tariff::offers(&records.settings, &request) else {
            return no_account();
        };
        if offers.is_empty() && !messages.is_empty() {
            return written(failure(&messages));
        }
        let at_once = text(&asked, "service").map(|_| offers.first().cloned());
        let reference = text(&asked, "reference").unwrap_or_default().to_owned();
        match at_once {
            Some(None) => return written(no_such_service()),
            Some(Some(offer)) => {
                let draft = records.create(reference, asked, offers, messages, now_ms);
                let shipment = bought(&records.settings, draft, offer, now_ms);
                records.save(shipment.clone());
                shipment
            }
            None => records.create(reference, asked, offers, messages, now_ms),
        }
    };
    shown(&karrio, StatusCode::CREATED, &shipment)
}

fn no_such_service() -> ErrorReply {
    let message = "The service you selected is not available for this shipment.";
    refusal(400, "service_unavailable", message)
}

fn bought(
    settings: &PartnerSettings,
    mut shipment: PartnerShipment,
    offer: PartnerOffer,
    at_ms: i64,
) -> PartnerShipment {
    if let Some(service) = tariff::by_name(&offer.service) {
        let awb = tariff::awb(service, shipment.number) + &settings.awb_suffix;
        shipment.bought = Some(Bought { awb, offer, at_ms });
        shipment.cancelled = false;
    }
    shipment
}

fn shown(karrio: &Karrio, status: StatusCode, shipment: &PartnerShipment) -> Response {
    let answer = answers::shipment(&karrio.server, shipment);
    reply(&karrio.server, status, answer)
}

fn find_one(karrio: &Karrio, id: &str) -> Option<PartnerShipment> {
    let number = answers::shipment_number(id)?;
    karrio.server.records().shipment(number).cloned()
}

pub(super) async fn read(State(karrio): State<Karrio>, Path(id): Path<String>) -> Response {
    match find_one(&karrio, &id) {
        Some(shipment) => shown(&karrio, StatusCode::OK, &shipment),
        None => not_found(),
    }
}

#[derive(Deserialize)]
pub(super) struct ShipmentFilter {
    reference: Option<String>,
    metadata_key: Option<String>,
    metadata_value: Option<String>,
    tracking_number: Option<String>,
    status: Option<String>,
    #[serde(default)]
    offset: usize,
    limit: Option<usize>,
}

impl ShipmentFilter {
    fn takes(&self, shipment: &PartnerShipment) -> bool {
        let metadata = &shipment.asked["metadata"];
        let is = |wanted: &Option<String>, value: Option<&str>| {
            wanted.as_deref().is_none_or(|wanted| value == Some(wanted))
        };
        let has_key = |key: &String| metadata.get(key).is_some();
        // As in Karrio, the value of any key matches.
        let has_value = |value: &String| {
            let mut values = metadata.as_object().into_iter().flatten();
            values.any(|(_, it)| it == value)
        };
        is(&self.reference, Some(&shipment.reference))
            && is(&self.tracking_number, shipment.awb())
            && is(&self.status, Some(answers::status(shipment)))
            && self.metadata_key.as_ref().is_none_or(has_key)
            && self.metadata_value.as_ref().is_none_or(has_value)
    }
}

/// Returns a page of shipments, newest first.
pub(super) async fn find(
    State(karrio): State<Karrio>,
    Query(filter): Query<ShipmentFilter>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Response {
    let found: Vec<PartnerShipment> = {
        let records = karrio.server.records();
        let now_ms = karrio.server.now_ms();
        let listed = records
            .shipments()
            .rev()
            .filter(|it| records.lists(it, now_ms));
        let found = listed.filter(|it| filter.takes(it));
        found.cloned().collect()
    };
    let limit = filter.limit.unwrap_or(PAGE);
    let page = found.iter().skip(filter.offset).take(limit);
    let results = page.map(|shipment| answers::shipment(&karrio.server, shipment));
    let results: Vec<Value> = results.collect();
    let link = |offset: usize| {
        let host = headers.get(header::HOST).and_then(|it| it.to_str().ok());
        let query = query.as_deref().unwrap_or_default().split('&');
        let kept = query.filter(|part| !part.starts_with("offset=") && !part.is_empty());
        let offset = format!("offset={offset}");
        let query: Vec<&str> = kept.chain([offset.as_str()]).collect();
        let host = host.unwrap_or("localhost");
        format!("http://{host}{KARRIO}/v1/shipments?{}", query.join("&"))
    };
    let end = filter.offset + results.len();
    let answer = json!({
        "count": found.len(),
        "next": (end < found.len()).then(|| link(end)),
        "previous": (filter.offset > 0).then(|| link(filter.offset.saturating_sub(limit))),
        "results": results,
    });
    reply(&karrio.server, StatusCode::OK, answer)
}

/// Buys a draft at its present price, only once.
pub(super) async fn purchase(
    State(karrio): State<Karrio>,
    Path(id): Path<String>,
    body: JsonBody,
) -> Response {
    let asked = fields_of(body);
    let at_ms = karrio.server.now_ms();
    let shipment = {
        let mut records = karrio.server.records();
        let shipment = answers::shipment_number(&id).and_then(|number| records.shipment(number));
        let Some(shipment) = shipment.cloned() else {
            return not_found();
        };
        let offer = match chosen(&records.settings, &shipment, &asked) {
            Ok(offer) => offer,
            Err(refusal) => return written(refusal),
        };
        let shipment = bought(&records.settings, shipment, offer, at_ms);
        records.save(shipment.clone());
        shipment
    };
    shown(&karrio, StatusCode::OK, &shipment)
}

/// Returns the chosen service with its present price, or the reason why it cannot be bought.
fn chosen(
    settings: &PartnerSettings,
    shipment: &PartnerShipment,
    asked: &Value,
) -> Result<PartnerOffer, ErrorReply> {
    let status = answers::status(shipment);
    if shipment.is_carried() {
        let message = format!("The shipment is '{status}' and cannot be purchased again");
        return Err(refusal(409, "state_error", &message));
    }
    if status != "draft" && !settings.buys_cancelled {
        let message = format!("Shipment is {status} and cannot be updated anymore...");
        return Err(refusal(409, "state_error", &message));
    }
    let rate = text(asked, "selected_rate_id");
    let service = text(asked, "service");
    if rate.is_none() && service.is_none() {
        let message = "Either 'selected_rate_id' or 'service' must be provided.";
        return Err(refusal(400, "validation", message));
    }
    let offered = shipment.offers.iter().enumerate().find(|(index, offer)| {
        rate.is_some_and(|rate| rate == answers::rate_id(shipment.number, *index))
            || service == Some(&offer.service)
    });
    let service = offered.and_then(|(_, offer)| tariff::by_name(&offer.service));
    let service: &CarrierService = service.ok_or_else(no_such_service)?;
    if settings.is_silent(service.carrier_id) {
        return Err(failure(&[tariff::silence(service)]));
    }
    let request = rate_request::read(&shipment.asked).map_err(|_| no_such_service())?;
    Ok(PartnerOffer {
        service: service.service.to_owned(),
        paise: tariff::paise(settings, &request, service),
    })
}

pub(super) fn make_cancelled(_: &mut PartnerRecords, shipment: &mut PartnerShipment, _: i64) {
    shipment.cancelled = true;
    shipment.cancel_asked_ms = None;
}

/// Cancels a shipment: returns 200 the first time, 202 every further time.
pub(super) async fn cancel(State(karrio): State<Karrio>, Path(id): Path<String>) -> Response {
    let (status, shipment) = {
        let mut records = karrio.server.records();
        let shipment = answers::shipment_number(&id).and_then(|number| records.shipment(number));
        let Some(mut shipment) = shipment.cloned() else {
            return not_found();
        };
        match answers::status(&shipment) {
            "cancelled" => (StatusCode::ACCEPTED, shipment),
            "draft" | "created" => {
                karrio.server.cancel(&mut records, &mut shipment);
                (StatusCode::OK, shipment)
            }
            status => {
                let message =
                    format!("The shipment is '{status}' and can not be cancelled anymore...");
                return refuse(409, "state_error", &message);
            }
        }
    };
    shown(&karrio, status, &shipment)
}

/// Returns the label. Without the API key Karrio returns 403, not 401.
pub(super) async fn label(
    State(karrio): State<Karrio>,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Response {
    if !karrio.knows(&headers) {
        return refuse(403, "permission_denied", "You cannot see this document.");
    }
    let shipment = find_one(&karrio, &id);
    let Some((shipment, bought)) = shipment.and_then(|it| it.bought.clone().map(|b| (it, b)))
    else {
        return not_found();
    };
    let to = &shipment.asked["recipient"];
    let line = |field: &str| to[field].as_str().unwrap_or_default().to_owned();
    label::label(&[
        bought.offer.service.clone(),
        format!("AWB {}", bought.awb),
        shipment.reference.clone(),
        line("person_name"),
        line("address_line1"),
        format!("{} {}", line("city"), line("postal_code")),
        line("country_code"),
    ])
}
