//! Karrio, a shipping server the operator runs: DHL, FedEx, UPS and others on the operator's own
//! accounts (carriers.md section 6).

mod booking;
mod tracking;
mod wire;

use std::time::Duration;

use tokio::time::Instant;

use super::order::{Booked, Order, Scan};
use super::{Amount, Cost, Courier, CourierError, Fare, RateAsk, Rates, refused};
use crate::limits;
use crate::model::shipping::shipment::Shipment;
use crate::providers::Later;
use crate::providers::http::{Client, ClientError, ClientLimits, Reply};
use crate::providers::link::{Link, Login};
use crate::providers::secret::Secret;

/// The word for it.
pub const KARRIO: &str = "karrio";

/// How to reach the server, and who we are there.
#[derive(Clone, Debug)]
pub struct KarrioConfig {
    /// Base of `/v1/…`, without a trailing slash.
    pub base: String,
    pub token: Secret,
}

/// The Karrio adapter.
#[derive(Debug)]
pub struct Karrio {
    link: Link,
}

impl Karrio {
    pub fn new(config: KarrioConfig) -> Result<Karrio, ClientError> {
        let http = Client::new(&[&config.base], ClientLimits::default())?;
        let login = Login::Fixed(Secret::new(format!("Token {}", config.token.expose())));
        Ok(Karrio {
            link: Link::new(http, config.base, login),
        })
    }

    async fn ask_rates(&self, shipment: &Shipment) -> Result<Rates, CourierError> {
        if !shipment.is_international() || shipment.pieces > limits::PARTNER_PIECES_MAX {
            return Ok(Rates::default());
        }
        let ask = wire::rate_ask(shipment);
        let time = Duration::from_millis(limits::RATES_MS_MAX);
        let deadline = Instant::now() + time;
        let reply = self
            .link
            .call("/v1/proxy/rates", Some(&ask), deadline, time)
            .await?;
        match reply.status {
            // 207: some carriers failed. 424: all of them did.
            200 | 207 | 424 => rates(&reply),
            status => Err(refused(status, &reply)),
        }
    }
}

impl Courier for Karrio {
    fn code(&self) -> &'static str {
        KARRIO
    }

    fn called(&self) -> &'static str {
        "our international partners"
    }

    fn rates<'a>(&'a self, ask: &'a RateAsk) -> Later<'a, Result<Rates, CourierError>> {
        Box::pin(self.ask_rates(&ask.shipment))
    }

    fn book<'a>(
        &'a self,
        order: &'a Order,
        deadline: Instant,
    ) -> Later<'a, Result<Booked, CourierError>> {
        Box::pin(self.buy(order, deadline))
    }

    fn find<'a>(&'a self, order: &'a Order) -> Later<'a, Result<Option<Booked>, CourierError>> {
        Box::pin(self.look_up(&order.reference))
    }

    fn track<'a>(
        &'a self,
        service: &'a str,
        awb: &'a str,
    ) -> Later<'a, Result<Vec<Scan>, CourierError>> {
        Box::pin(self.ask_track(service, awb))
    }

    fn label<'a>(
        &'a self,
        reference: &'a str,
        awb: &'a str,
    ) -> Later<'a, Result<Option<Vec<u8>>, CourierError>> {
        Box::pin(self.fetch_label(reference, awb))
    }

    fn cancel<'a>(&'a self, reference: &'a str) -> Later<'a, Result<(), CourierError>> {
        Box::pin(self.call_off(reference))
    }
}

fn rates(reply: &Reply) -> Result<Rates, CourierError> {
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
    Ok(Rates { fares, silent })
}

/// A rate in rupees; others cannot be sold here.
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
        amount: Amount::Cost(Cost {
            amount,
            zone: None,
            chargeable: None,
        }),
    })
}
