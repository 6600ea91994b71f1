//! Shiprocket: many Indian couriers behind one account (apidocs.shiprocket.in). One box at a time,
//! within India.

mod tracking;
mod wire;

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use tokio::time::Instant;

use super::error_text::redacted;
use super::{Courier, CourierError, PartnerApi, deadline, pdf, read, refused, rupees, try_max};
use crate::limits;
use crate::model::courier::SHIPROCKET;
use crate::model::courier::fares::{Cost, Fare, FareAmount, Fares, RateAsk};
use crate::model::courier::order::{Booked, Scan, ShipmentOrder};
use crate::model::settings::couriers::ShiprocketConfig;
use crate::model::settings::secret::Secret;
use crate::model::shipping::shipment::ShipmentKind;
use crate::providers::api_client::{ApiClient, Authorization};
use crate::providers::http::{Body, Client, ClientError, ClientLimits, Reply, Request};
use crate::providers::token::{Grant, TokenSource, Tokens};

/// The Shiprocket adapter.
#[derive(Debug)]
pub struct Shiprocket {
    api: PartnerApi,
}

impl Shiprocket {
    pub fn new(config: ShiprocketConfig) -> Result<Shiprocket, ClientError> {
        let http = Client::new(&[&config.base], ClientLimits::default())?;
        let try_max = Duration::from_millis(limits::PROVIDER_READ_MS_MAX);
        let base = config.base.clone();
        let tokens = Tokens::new(http.clone(), Box::new(Login(config)), try_max);
        let authorization = Authorization::Tokens(Arc::new(tokens));
        Ok(Shiprocket {
            api: PartnerApi(ApiClient::new(http, base, authorization)),
        })
    }
}

#[async_trait]
impl Courier for Shiprocket {
    fn code(&self) -> &'static str {
        SHIPROCKET
    }

    fn called(&self) -> &'static str {
        "our domestic partners"
    }

    /// Parcels of one piece within India.
    async fn rates(&self, ask: &RateAsk) -> Result<Fares, CourierError> {
        let shipment = &ask.shipment;
        let takes = !shipment.is_international()
            && shipment.kind == ShipmentKind::Parcel
            && shipment.pieces == 1;
        if !takes {
            return Ok(Fares::default());
        }
        let path = wire::serviceability(shipment);
        let time = Duration::from_millis(limits::RATES_MS_MAX);
        let reply = self.api.0.get(&path, Instant::now() + time, time).await?;
        match reply.status {
            200 => rates(&reply),
            // No courier serves this lane.
            404 => Ok(Fares::default()),
            status => Err(refused(status, &reply)),
        }
    }

    /// In steps: the price again, the pickup address, the order, its AWB, the pickup. Only the AWB
    /// costs money.
    async fn book(&self, order: &ShipmentOrder, deadline: Instant) -> Result<Booked, CourierError> {
        self.check_price(order, deadline).await?;
        let place = wire::pickup_address(order);
        let path = "/settings/company/addpickup";
        let added = self.api.post(path, &place, deadline).await;
        if let Err(error @ (CourierError::NotDone(_) | CourierError::Unknown(_))) = added {
            return Err(CourierError::NotDone(error.to_string()));
        }
        // Any reply will do: Shiprocket refuses an address that it has already.
        let body = wire::order_ask(order, &place);
        let path = "/orders/create/adhoc";
        let created: wire::Created = read(&self.api.post(path, &body, deadline).await?)?;
        let (Some(order_id), Some(shipment_id)) = (created.order_id, created.shipment_id) else {
            return Err(CourierError::Refused(redacted(created.message.as_str())));
        };
        let assign = wire::Assign {
            shipment_id,
            courier_id: &order.service,
        };
        let path = "/courier/assign/awb";
        let assigned: wire::Assigned = read(&self.api.post(path, &assign, deadline).await?)?;
        let Some(awb) = assigned.awb()? else {
            // Our Shiprocket wallet is empty, or the courier refuses: nothing was assigned.
            self.drop_order(order_id, deadline).await;
            return Err(CourierError::Refused(assigned.error_text()));
        };
        let pickup_id = self.order_pickup(shipment_id, deadline).await;
        Ok(Booked { awb, pickup_id })
    }

    async fn find(&self, order: &ShipmentOrder) -> Result<Option<Booked>, CourierError> {
        let deadline = deadline();
        let mut booked = None;
        for order in self.orders(&order.reference, deadline).await? {
            if order.is_cancelled() {
                continue;
            }
            match order.awb()? {
                Some(awb) => {
                    let pickup_id = String::new();
                    booked = Some(Booked { awb, pickup_id });
                }
                None => self.cancel_order(order.id, deadline).await?,
            }
        }
        Ok(booked)
    }

    /// For an AWB that Shiprocket does not know it answers 200 without activities.
    async fn track(&self, _: &str, awb: &str) -> Result<Vec<Scan>, CourierError> {
        let path = format!("/courier/track/awb/{awb}");
        tracking::scans(&self.api.get(&path, deadline()).await?)
    }

    /// The courier's own label, fetched from the address that Shiprocket names.
    async fn label(&self, reference: &str, awb: &str) -> Result<Option<Vec<u8>>, CourierError> {
        let deadline = deadline();
        let orders = self.orders(reference, deadline).await?;
        let shipment_id = orders.iter().find_map(|order| order.shipment_of(awb));
        let shipment_id =
            shipment_id.ok_or_else(|| CourierError::Refused("no such shipment".to_owned()))?;
        let body = wire::Shipments {
            shipment_id: [shipment_id],
        };
        let path = "/courier/generate/label";
        let made: wire::Label = read(&self.api.post(path, &body, deadline).await?)?;
        let url = made.label_url.as_str();
        if !self.api.0.may_fetch(url) {
            return Err(CourierError::NotDone(
                "the label's address is strange".to_owned(),
            ));
        }
        pdf(self.api.0.fetch(url, deadline, try_max()).await?)
    }

    async fn cancel(&self, reference: &str) -> Result<(), CourierError> {
        let deadline = deadline();
        for order in self.orders(reference, deadline).await? {
            if !order.is_cancelled() {
                self.cancel_order(order.id, deadline).await?;
            }
        }
        Ok(())
    }
}

impl Shiprocket {
    /// All orders with this reference of ours.
    async fn orders(
        &self,
        reference: &str,
        deadline: Instant,
    ) -> Result<Vec<wire::KnownOrder>, CourierError> {
        let path = format!("/orders?search={reference}");
        let orders: wire::Orders = read(&self.api.get(&path, deadline).await?)?;
        // The search finds every order that contains the text.
        let ours = |order: &wire::KnownOrder| order.channel_order_id.as_str() == reference;
        Ok(orders.data.into_iter().filter(ours).collect())
    }

    async fn cancel_order(&self, id: i64, deadline: Instant) -> Result<(), CourierError> {
        let cancel = wire::Cancel { ids: [id] };
        self.api.cancel("/orders/cancel", &cancel, deadline).await
    }

    /// Checks that the courier still serves the lane and charges no more than was quoted.
    async fn check_price(
        &self,
        order: &ShipmentOrder,
        deadline: Instant,
    ) -> Result<(), CourierError> {
        let path = wire::serviceability(&order.shipment);
        let reply = self.api.get(&path, deadline).await;
        let answer = reply.and_then(|reply| read::<wire::Serviceability>(&reply));
        // Nothing was ordered yet, so nothing can have been done.
        let answer = answer.map_err(|error| match error {
            CourierError::Unknown(reason) => CourierError::NotDone(reason),
            clear => clear,
        })?;
        let companies = answer.data.map(|data| data.available_courier_companies);
        let companies = companies.unwrap_or_default();
        let ours = companies
            .iter()
            .find(|company| company.courier_company_id.as_str() == order.service);
        let price = ours.and_then(|company| rupees(&company.rate));
        match price {
            Some(price) if price <= order.cost_max => Ok(()),
            Some(_) => Err(CourierError::Refused("the courier's price rose".to_owned())),
            None => Err(CourierError::Refused(
                "the courier does not serve this lane any more".to_owned(),
            )),
        }
    }

    /// Orders the pickup and answers its number. If that fails the shipment is booked all the same.
    async fn order_pickup(&self, shipment_id: i64, deadline: Instant) -> String {
        let body = wire::Shipments {
            shipment_id: [shipment_id],
        };
        let asked = self
            .api
            .post("/courier/generate/pickup", &body, deadline)
            .await;
        let pickup = asked.and_then(|reply| read::<wire::Pickup>(&reply));
        match pickup {
            Ok(pickup) => pickup.token(),
            Err(error) => {
                tracing::warn!("no pickup was arranged at Shiprocket: {error}");
                String::new()
            }
        }
    }

    /// Cancels an order without an AWB. It costs nothing if that fails, so it is only logged.
    async fn drop_order(&self, id: i64, deadline: Instant) {
        if let Err(error) = self.cancel_order(id, deadline).await {
            tracing::warn!("an order without an AWB stays at Shiprocket: {error}");
        }
    }
}

/// Logs in for a token, which lives ten days.
#[derive(Debug)]
struct Login(ShiprocketConfig);

#[async_trait]
impl TokenSource for Login {
    async fn fetch(&self, http: &Client, timeout: Duration) -> Result<Grant, String> {
        let Login(config) = self;
        let login = wire::Login {
            email: &config.email,
            password: config.password.expose(),
        };
        let body = serde_json::to_vec(&login).expect("a login is plain data");
        let url = format!("{}/auth/login", config.base);
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
    }
}

fn rates(reply: &Reply) -> Result<Fares, CourierError> {
    let answer: wire::Serviceability = serde_json::from_slice(&reply.body)
        .map_err(|_| CourierError::NotDone("the rates cannot be read".to_owned()))?;
    if answer.status.as_str() == "404" {
        return Ok(Fares::default());
    }
    let Some(data) = answer.data else {
        return Err(CourierError::NotDone("an answer without rates".to_owned()));
    };
    Ok(Fares {
        fares: data
            .available_courier_companies
            .iter()
            .filter_map(fare)
            .collect(),
        silent: Vec::new(),
    })
}

fn fare(company: &wire::CourierCompany) -> Option<Fare> {
    let amount = rupees(&company.rate)?;
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
        amount: FareAmount::Cost(Cost {
            amount,
            zone: company.zone_name(),
            chargeable: company.chargeable(),
        }),
    })
}
