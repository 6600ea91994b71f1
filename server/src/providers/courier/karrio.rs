//! Karrio, a shipping server that the operator runs: DHL, FedEx, UPS and others on the operator's
//! own accounts. The calls are those of its OpenAPI description (github.com/karrioapi/karrio,
//! `schemas/openapi.yml`); statuses that it does not name were seen on a running server.

mod tracking;
mod wire;

use std::time::Duration;

use async_trait::async_trait;
use tokio::time::Instant;

use super::{Courier, CourierError, PartnerApi, deadline, pdf, read, refused, rupees};
use crate::limits;
use crate::model::courier::KARRIO;
use crate::model::courier::fares::{Cost, Fare, FareAmount, Fares, RateAsk};
use crate::model::courier::order::{Booked, Scan, ShipmentOrder};
use crate::model::settings::couriers::KarrioConfig;
use crate::model::settings::secret::Secret;
use crate::providers::api_client::{ApiClient, Authorization};
use crate::providers::http::{Client, ClientError, ClientLimits, Reply};

/// The Karrio adapter.
#[derive(Debug)]
pub struct Karrio {
    api: PartnerApi,
}

impl Karrio {
    pub fn new(config: KarrioConfig) -> Result<Karrio, ClientError> {
        let http = Client::new(&[&config.base], ClientLimits::default())?;
        let token = Secret::new(format!("Token {}", config.token.expose()));
        let authorization = Authorization::Fixed(token);
        Ok(Karrio {
            api: PartnerApi(ApiClient::new(http, config.base, authorization)),
        })
    }
}

#[async_trait]
impl Courier for Karrio {
    fn code(&self) -> &'static str {
        KARRIO
    }

    fn called(&self) -> &'static str {
        "our international partners"
    }

    /// Shipments abroad.
    async fn rates(&self, ask: &RateAsk) -> Result<Fares, CourierError> {
        let shipment = &ask.shipment;
        if !shipment.is_international() || shipment.pieces > limits::PARTNER_PIECES_MAX {
            return Ok(Fares::default());
        }
        let body = wire::rate_ask(shipment);
        let time = Duration::from_millis(limits::RATES_MS_MAX);
        let deadline = Instant::now() + time;
        let posted = self.api.0.post("/v1/proxy/rates", &body, deadline, time);
        let reply = posted.await?;
        match reply.status {
            // 207: some carriers failed. 424: all of them did.
            200 | 207 | 424 => rates(&reply),
            status => Err(refused(status, &reply)),
        }
    }

    /// In two steps: a draft, whose prices are compared with the quoted one, and its purchase. Only
    /// the purchase costs money.
    async fn book(&self, order: &ShipmentOrder, deadline: Instant) -> Result<Booked, CourierError> {
        let (_, carrier_id, service) = wire::service_parts(&order.service)
            .ok_or_else(|| CourierError::Refused("no such service".to_owned()))?;
        let body = wire::shipment_ask(order, carrier_id);
        let reply = self.api.post("/v1/shipments", &body, deadline).await?;
        let draft: wire::Shipment = read(&reply)?;
        let offered = draft
            .rates
            .iter()
            .find(|rate| rate.carrier_id == carrier_id && rate.service == service);
        let Some(rate) = offered else {
            self.drop_draft(&draft.id, deadline).await;
            return Err(CourierError::Refused(
                "the service is not offered any more".into(),
            ));
        };
        let price = rupees(&rate.total_charge).filter(|_| rate.currency == "INR");
        if price.is_none_or(|price| price > order.cost_max) {
            self.drop_draft(&draft.id, deadline).await;
            return Err(CourierError::Refused("the courier's price rose".into()));
        }
        let purchase = wire::Purchase {
            selected_rate_id: &rate.id,
            label_type: "PDF",
            payment: wire::Payment { paid_by: "sender" },
        };
        let path = format!("/v1/shipments/{}/purchase", draft.id);
        let bought: wire::Shipment = read(&self.api.post(&path, &purchase, deadline).await?)?;
        bought
            .booked()?
            .ok_or_else(|| CourierError::Unknown("a purchase without a tracking number".to_owned()))
    }

    async fn find(&self, order: &ShipmentOrder) -> Result<Option<Booked>, CourierError> {
        let deadline = deadline();
        let mut booked = None;
        for shipment in self.shipments(&order.reference, deadline).await? {
            match shipment.status.as_str() {
                "cancelled" => {}
                "draft" => self.cancel_shipment(&shipment.id, deadline).await?,
                _ => booked = booked.or(shipment.booked()?),
            }
        }
        Ok(booked)
    }

    /// Reads the tracker that the purchase made; makes one where there is none.
    async fn track(&self, service: &str, awb: &str) -> Result<Vec<Scan>, CourierError> {
        let deadline = deadline();
        let path = format!("/v1/trackers/{awb}");
        let reply = self.api.get(&path, deadline).await?;
        if reply.status != 404 {
            return tracking::scans(&reply);
        }
        let carrier_name = wire::service_parts(service).map_or("", |parts| parts.0);
        let tracker = tracking::NewTracker {
            tracking_number: awb,
            carrier_name,
        };
        let reply = self.api.post("/v1/trackers", &tracker, deadline).await?;
        match reply.status {
            // The carrier knows nothing of it yet, or cannot be asked.
            404 | 424 => Ok(Vec::new()),
            _ => tracking::scans(&reply),
        }
    }

    /// The carrier's own label; Karrio gives it out only with our API key.
    async fn label(&self, reference: &str, awb: &str) -> Result<Option<Vec<u8>>, CourierError> {
        let deadline = deadline();
        let shipments = self.shipments(reference, deadline).await?;
        let shipment = shipments.iter().find(|shipment| shipment.has(awb));
        let shipment =
            shipment.ok_or_else(|| CourierError::Refused("no such shipment".to_owned()))?;
        let path = format!("/v1/shipments/{}/label.pdf", shipment.id);
        pdf(self.api.get(&path, deadline).await?)
    }

    async fn cancel(&self, reference: &str) -> Result<(), CourierError> {
        let deadline = deadline();
        for shipment in self.shipments(reference, deadline).await? {
            self.cancel_shipment(&shipment.id, deadline).await?;
        }
        Ok(())
    }
}

impl Karrio {
    /// All shipments with this reference of ours.
    async fn shipments(
        &self,
        reference: &str,
        deadline: Instant,
    ) -> Result<Vec<wire::Shipment>, CourierError> {
        let path = format!("/v1/shipments?reference={reference}");
        let found: wire::Found = read(&self.api.get(&path, deadline).await?)?;
        let ours = |shipment: &wire::Shipment| shipment.reference.as_str() == reference;
        Ok(found.results.into_iter().filter(ours).collect())
    }

    /// Karrio answers 200 the first time, 202 when it was cancelled before.
    async fn cancel_shipment(&self, id: &str, deadline: Instant) -> Result<(), CourierError> {
        let path = format!("/v1/shipments/{id}/cancel");
        let nothing = serde_json::Map::new();
        self.api.cancel(&path, &nothing, deadline).await
    }

    /// Cancels a draft that is not bought. It costs nothing if that fails, so it is only logged.
    async fn drop_draft(&self, id: &str, deadline: Instant) {
        if let Err(error) = self.cancel_shipment(id, deadline).await {
            tracing::warn!("a draft stays at Karrio: {error}");
        }
    }
}

fn rates(reply: &Reply) -> Result<Fares, CourierError> {
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

/// A rate in rupees; prices in other currencies are not shown to customers.
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
        amount: FareAmount::Cost(Cost {
            amount,
            zone: None,
            chargeable: None,
        }),
    })
}
