//! Shiprocket: many Indian couriers behind one account (carriers.md section 5). One box at a
//! time, within India.

mod booking;
mod tracking;
mod wire;

use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;

use super::order::{Booked, Order, Scan};
use super::{Amount, Cost, Courier, CourierError, Fare, RateAsk, Rates, refused};
use crate::limits;
use crate::model::shipping::shipment::{Shipment, ShipmentKind};
use crate::providers::Later;
use crate::providers::http::{Body, Client, ClientError, ClientLimits, Reply, Request};
use crate::providers::link::{Link, Login};
use crate::providers::secret::Secret;
use crate::providers::token::{Fetched, Grant, Source, Tokens};

/// The word for it.
pub const SHIPROCKET: &str = "shiprocket";

/// How to reach Shiprocket, and who we are there.
#[derive(Clone, Debug)]
pub struct ShiprocketConfig {
    /// Base of `/auth/login`, `/courier/…` and `/orders/…`, without a trailing slash.
    pub base: String,
    /// The API user of the account.
    pub email: String,
    pub password: Secret,
}

/// The Shiprocket adapter.
#[derive(Debug)]
pub struct Shiprocket {
    link: Link,
}

impl Shiprocket {
    pub fn new(config: ShiprocketConfig) -> Result<Shiprocket, ClientError> {
        let http = Client::new(&[&config.base], ClientLimits::default())?;
        let try_max = Duration::from_millis(limits::PROVIDER_READ_MS_MAX);
        let base = config.base.clone();
        let tokens = Tokens::new(http.clone(), Box::new(config), try_max);
        Ok(Shiprocket {
            link: Link::new(http, base, Login::Tokens(Arc::new(tokens))),
        })
    }

    async fn ask_rates(&self, shipment: &Shipment) -> Result<Rates, CourierError> {
        let takes = !shipment.is_international()
            && shipment.kind == ShipmentKind::Parcel
            && shipment.pieces == 1;
        if !takes {
            return Ok(Rates::default());
        }
        let path = wire::serviceability(shipment);
        let time = Duration::from_millis(limits::RATES_MS_MAX);
        let deadline = Instant::now() + time;
        let reply = self.link.call(&path, None::<&()>, deadline, time).await?;
        match reply.status {
            200 => rates(&reply),
            // No courier serves this lane.
            404 => Ok(Rates::default()),
            status => Err(refused(status, &reply)),
        }
    }
}

impl Courier for Shiprocket {
    fn code(&self) -> &'static str {
        SHIPROCKET
    }

    fn called(&self) -> &'static str {
        "our domestic partners"
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

impl Source for ShiprocketConfig {
    /// Logs in: the token lives ten days.
    fn fetch<'a>(&'a self, http: &'a Client, timeout: Duration) -> Fetched<'a> {
        Box::pin(async move {
            let login = wire::Login {
                email: &self.email,
                password: self.password.expose(),
            };
            let body = serde_json::to_vec(&login).expect("a login is plain data");
            let url = format!("{}/auth/login", self.base);
            let request = Request {
                url: &url,
                authorization: None,
                body: Body::Json(body),
                timeout,
            };
            let reply = http
                .send(request)
                .await
                .map_err(|error| format!("login: {error}"))?;
            let token = wire::token(&reply.body).filter(|_| reply.status == 200);
            let token = token.ok_or_else(|| format!("login refused (HTTP {})", reply.status))?;
            Ok(Grant {
                authorization: Secret::new(format!("Bearer {}", token.expose())),
                life: Duration::from_secs(limits::SHIPROCKET_TOKEN_S),
            })
        })
    }
}

fn rates(reply: &Reply) -> Result<Rates, CourierError> {
    let answer: wire::Serviceability = serde_json::from_slice(&reply.body)
        .map_err(|_| CourierError::NotDone("the rates cannot be read".to_owned()))?;
    if answer.status.as_str() == "404" {
        return Ok(Rates::default());
    }
    let Some(data) = answer.data else {
        return Err(CourierError::NotDone("an answer without rates".to_owned()));
    };
    Ok(Rates {
        fares: data
            .available_courier_companies
            .iter()
            .filter_map(fare)
            .collect(),
        silent: Vec::new(),
    })
}

fn fare(company: &wire::Company) -> Option<Fare> {
    let amount = super::rupees(&company.rate)?;
    let name = super::plain(&company.courier_name);
    let id = company.courier_company_id.as_str();
    if name.is_empty() || id.is_empty() || company.is_blocked() {
        return None;
    }
    Some(Fare {
        service: super::plain(id),
        vendor: wire::vendor(&name),
        name,
        tat_days: super::days(&company.estimated_delivery_days),
        amount: Amount::Cost(Cost {
            amount,
            zone: company.zone_name(),
            chargeable: company.chargeable(),
        }),
    })
}
