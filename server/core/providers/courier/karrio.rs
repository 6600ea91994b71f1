//! Karrio, a shipping server that the operator runs: DHL, FedEx, UPS and others on the operator's
//! own accounts. The calls are those of its OpenAPI description (github.com/karrioapi/karrio,
//! `schemas/openapi.yml`); statuses that it does not name were seen on a running server.

mod pickup;
mod tracking;
mod wire;

use std::time::Duration;

use async_trait::async_trait;
use serde_json::json;
use tokio::time::Instant;

use super::error::{CourierError, CourierResult};
use super::{
    Courier, PartnerApi, check_accepted, deadline, endless_list, listed_order, most_alive, pdf,
    read, read_error, rupees, status_error,
};
use crate::limits;
use crate::model::calendar::moment_as_iso;
use crate::model::courier::KARRIO;
use crate::model::courier::address::ServiceAddresses;
use crate::model::courier::fares::{Cost, Fare, FareAmount, Fares, RateAsk};
use crate::model::courier::order::{
    Begun, Booked, ListedOrder, OrderNumbers, Scan, ShipmentOrder, Standing,
};
use crate::model::settings::KarrioConfig;
use crate::model::settings::secret::Secret;
use crate::providers::api_client::{ApiClient, Authorization};
use crate::providers::calls::CallKind;
use crate::providers::http::{CONNECT, Client, ClientError, Reply};

#[derive(Debug)]
pub struct Karrio {
    api: PartnerApi,
    within_india: bool,
}

impl Karrio {
    pub fn new(config: KarrioConfig) -> Result<Karrio, ClientError> {
        let http = Client::new(KARRIO, &[&config.base], CONNECT)?;
        let token = Secret::new(format!("Token {}", config.token.expose()));
        let authorization = Authorization::Fixed(token);
        let api = PartnerApi(ApiClient::new(http, config.base, authorization));
        Ok(Karrio { api, within_india: config.within_india })
    }
}

#[async_trait]
impl Courier for Karrio {
    fn code(&self) -> &'static str {
        KARRIO
    }

    fn name_in_messages(&self) -> &'static str {
        "our international partners"
    }

    fn addresses(&self, service: &str) -> Option<ServiceAddresses> {
        Some(wire::addresses(service))
    }

    /// Quotes shipments abroad.
    /// Within India it is asked where some of its carriers go there; the others are not named.
    async fn rates(&self, ask: &RateAsk) -> CourierResult<Fares> {
        let shipment = &ask.shipment;
        let is_abroad = shipment.is_international();
        let is_served = is_abroad || self.within_india;
        if !is_served || shipment.pieces > limits::PARTNER_PIECES_MAX {
            return Ok(Fares::default());
        }
        let body = wire::rate_ask(shipment);
        let time = Duration::from_millis(limits::RATES_MS_MAX);
        let deadline = Instant::now() + time;
        let posted = self.api.0.post(CallKind::Rates, "/v1/proxy/rates", &body, deadline, time);
        let reply = posted.await?;
        match reply.status {
            // 207: some carriers failed. 424: all of them did.
            200 | 207 | 424 => {
                let Fares { fares, silent } = rates(&reply)?;
                Ok(Fares { fares, silent: if is_abroad { silent } else { Vec::new() } })
            }
            _ => Err(status_error(&reply)),
        }
    }

    /// Creates a draft, and compares its prices with the quoted one.
    async fn begin(&self, order: &ShipmentOrder, deadline: Instant) -> CourierResult<Begun> {
        let (_, carrier_id, service) = wire::service_parts(&order.service)
            .ok_or_else(|| CourierError::Refused("no such service".to_owned()))?;
        let body = wire::shipment_ask(order, carrier_id);
        let reply = self.api.post(CallKind::Begin, "/v1/shipments", &body, deadline).await?;
        let draft: wire::KarrioShipment = read(&reply)?;
        let offered = draft
            .rates
            .iter()
            .find(|rate| rate.carrier_id == carrier_id && rate.service == service);
        let choice = match offered {
            None => Err("the service is not offered any more".to_owned()),
            Some(rate) => {
                let price = rupees(&rate.total_charge).filter(|_| rate.currency == "INR");
                let is_good = price.is_some_and(|price| price <= order.cost_max);
                let rose = || "the courier's price rose".to_owned();
                is_good.then(|| rate.id.clone()).ok_or_else(rose)
            }
        };
        Ok(Begun { courier_id: draft.id, choice })
    }

    async fn buy(
        &self,
        _: &ShipmentOrder,
        begun_order: &Begun,
        deadline: Instant,
    ) -> CourierResult<Booked> {
        let rate = begun_order.choice.as_ref();
        let purchase = json!({
            "selected_rate_id": rate.map_err(|why| CourierError::Refused(why.clone()))?,
            "label_type": "PDF", "payment": {"paid_by": "sender"},
        });
        let path = format!("/v1/shipments/{}/purchase", begun_order.courier_id);
        let reply = self.api.post(CallKind::Buy, &path, &purchase, deadline).await?;
        let bought: wire::KarrioShipment = read(&reply)?;
        bought
            .booked()?
            .ok_or_else(|| CourierError::Unknown("a purchase without a tracking number".to_owned()))
    }

    async fn look_up(&self, order: &OrderNumbers) -> CourierResult<Standing> {
        let listed = self.shipments(order, deadline()).await?;
        let standings = listed.iter().map(wire::KarrioShipment::standing);
        Ok(most_alive(standings.collect::<Result<Vec<_>, _>>()?))
    }

    async fn orders_since(&self, since_ms: i64) -> CourierResult<Vec<ListedOrder>> {
        let since = moment_as_iso(since_ms).replace('+', "%2B");
        let (at_once, mut orders) = (limits::ORDERS_LISTED_AT_ONCE, Vec::new());
        for _ in 0..limits::ORDER_PAGES_MAX {
            let offset = orders.len();
            let path =
                format!("/v1/shipments?created_after={since}&limit={at_once}&offset={offset}");
            let reply = self.api.get(CallKind::LookUp, &path, deadline()).await?;
            let list: wire::KarrioList<wire::KarrioShipment> = read(&reply).map_err(read_error)?;
            if list.results.is_empty() {
                return Ok(orders);
            }
            let listed = list.results.iter();
            orders.extend(listed.map(|it| listed_order(it.reference.as_str(), it.standing())));
        }
        Err(endless_list())
    }

    /// Reads the tracker that the purchase created, or creates one if there is none.
    async fn track(&self, service: &str, awb: &str) -> CourierResult<Vec<Scan>> {
        let deadline = deadline();
        let path = format!("/v1/trackers/{awb}");
        let reply = self.api.get(CallKind::Track, &path, deadline).await?;
        if reply.status != 404 {
            return tracking::scans(&reply);
        }
        let carrier_name = wire::service_parts(service).map_or("", |parts| parts.0);
        let tracker = json!({"tracking_number": awb, "carrier_name": carrier_name});
        let reply = self.api.post(CallKind::Track, "/v1/trackers", &tracker, deadline).await?;
        match reply.status {
            // The carrier does not know the shipment yet, or is not available.
            404 | 424 => Ok(Vec::new()),
            _ => tracking::scans(&reply),
        }
    }

    /// The carrier's own label. Karrio returns it only with our API key.
    async fn label(&self, order: &OrderNumbers) -> CourierResult<Option<Vec<u8>>> {
        let deadline = deadline();
        let shipments = self.shipments(order, deadline).await?;
        let shipment = shipments.iter().find(|shipment| shipment.has(&order.awb));
        let shipment =
            shipment.ok_or_else(|| CourierError::Refused("no such shipment".to_owned()))?;
        let path = format!("/v1/shipments/{}/label.pdf", shipment.id);
        pdf(self.api.get(CallKind::Label, &path, deadline).await?)
    }

    /// Karrio answers 200 the first time, and 202 if the shipment was cancelled before.
    async fn ask_to_cancel(&self, order: &OrderNumbers) -> CourierResult<()> {
        let deadline = deadline();
        let listed = match order.courier_id.as_str() {
            "" => self.shipments(order, deadline).await?,
            _ => Vec::new(),
        };
        let ids = listed.iter().map(|shipment| shipment.id.as_str());
        let stored_id = Some(order.courier_id.as_str()).filter(|id| !id.is_empty());
        let ids: Vec<&str> = ids.chain(stored_id).collect();
        if ids.is_empty() {
            return Err(CourierError::Unknown("it lists no such order".to_owned()));
        }
        for id in ids {
            let path = format!("/v1/shipments/{id}/cancel");
            let reply = self.api.post(CallKind::Cancel, &path, &json!({}), deadline).await?;
            check_accepted(&reply)?;
        }
        Ok(())
    }
}

impl Karrio {
    /// Returns the shipment with the stored id; without an id, all that the search lists for the
    /// order.
    async fn shipments(
        &self,
        order: &OrderNumbers,
        deadline: Instant,
    ) -> CourierResult<Vec<wire::KarrioShipment>> {
        if !order.courier_id.is_empty() {
            let path = format!("/v1/shipments/{}", order.courier_id);
            let reply = self.api.get(CallKind::LookUp, &path, deadline).await?;
            return Ok(vec![read(&reply).map_err(read_error)?]);
        }
        let reference = &order.reference;
        let path = format!("/v1/shipments?reference={reference}");
        let reply = self.api.get(CallKind::LookUp, &path, deadline).await?;
        let list: wire::KarrioList<wire::KarrioShipment> = read(&reply).map_err(read_error)?;
        let ours = |shipment: &wire::KarrioShipment| shipment.reference.as_str() == reference;
        Ok(list.results.into_iter().filter(ours).collect())
    }
}

fn rates(reply: &Reply) -> CourierResult<Fares> {
    let answer: wire::Rates = serde_json::from_slice(&reply.body)
        .map_err(|_| CourierError::NotDone("the rates cannot be read".to_owned()))?;
    let fares: Vec<Fare> = answer.rates.iter().filter_map(fare).collect();
    let mut silent: Vec<String> = Vec::new();
    for message in &answer.messages {
        let brand = wire::brand(&message.carrier_name);
        let answered = |fare: &Fare| fare.vendor == brand.vendor;
        if !fares.iter().any(answered) && !silent.contains(&brand.name) {
            silent.push(brand.name);
        }
    }
    Ok(Fares { fares, silent })
}

/// Converts a rate in rupees. Prices in other currencies are not shown to customers.
fn fare(rate: &wire::Rate) -> Option<Fare> {
    let amount = super::rupees(&rate.total_charge)?;
    if rate.currency != "INR" {
        return None;
    }
    let brand = wire::brand(&rate.carrier_name);
    Some(Fare {
        service: wire::service_key(rate),
        name: wire::service_name(&brand, rate),
        vendor: brand.vendor,
        tat_days: super::days(&rate.transit_days),
        amount: FareAmount::Cost(Cost { amount, zone: None, chargeable: None }),
    })
}
