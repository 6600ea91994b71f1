//! Shiprocket: many Indian couriers behind one account (apidocs.shiprocket.in). One box at a time,
//! within India.

mod pickup;
mod tracking;
mod wire;

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use serde_json::{Value, json};
use tokio::time::Instant;

use super::error::{CourierError, CourierResult};
use super::text::{plain, redacted};
use super::{
    Courier, PartnerApi, check_accepted, deadline, endless_list, listed_order, most_alive, pdf,
    read, read_error, rupees, status_error, try_max,
};
use crate::limits;
use crate::model::booking::pickup::PickupTime;
use crate::model::calendar::date_in_india;
use crate::model::courier::SHIPROCKET;
use crate::model::courier::address::ServiceAddresses;
use crate::model::courier::fares::{Cost, Fare, FareAmount, Fares, RateAsk};
use crate::model::courier::order::{
    Begun, Booked, ListedOrder, OrderNumbers, Scan, ShipmentOrder, Standing,
};
use crate::model::settings::ShiprocketConfig;
use crate::model::settings::secret::Secret;
use crate::model::shipping::shipment::ShipmentKind;
use crate::model::shipping::status::ShipmentStatus;
use crate::providers::api_client::{ApiClient, Authorization};
use crate::providers::calls::CallKind;
use crate::providers::http::{Body, CONNECT, Client, ClientError, Reply, Request};
use crate::providers::returned_files::ReturnedFiles;
use crate::providers::token::{Grant, TokenSource, Tokens};

#[derive(Debug)]
pub struct Shiprocket {
    api: PartnerApi,
    /// Couriers store their labels at addresses of their own.
    labels: ReturnedFiles,
}

impl Shiprocket {
    pub fn new(config: ShiprocketConfig) -> Result<Shiprocket, ClientError> {
        let http = Client::new(SHIPROCKET, &[&config.base], CONNECT)?;
        let try_max = Duration::from_millis(limits::PROVIDER_READ_MS_MAX);
        let base = config.base.clone();
        let labels = ReturnedFiles::new(SHIPROCKET, &base, CONNECT)?;
        let tokens = Tokens::new(http.clone(), Box::new(Login(config)), try_max);
        let authorization = Authorization::Tokens(Arc::new(tokens));
        Ok(Shiprocket { api: PartnerApi(ApiClient::new(http, base, authorization)), labels })
    }
}

#[async_trait]
impl Courier for Shiprocket {
    fn code(&self) -> &'static str {
        SHIPROCKET
    }

    fn name_in_messages(&self) -> &'static str {
        "our domestic partners"
    }

    fn addresses(&self, _: &str) -> Option<ServiceAddresses> {
        Some(wire::ADDRESSES)
    }

    /// Quotes parcels of one piece within India.
    async fn rates(&self, ask: &RateAsk) -> CourierResult<Fares> {
        let shipment = &ask.shipment;
        let takes = !shipment.is_international()
            && shipment.kind == ShipmentKind::Parcel
            && shipment.pieces == 1;
        if !takes {
            return Ok(Fares::default());
        }
        let path = wire::serviceability(shipment);
        let time = Duration::from_millis(limits::RATES_MS_MAX);
        let deadline = Instant::now() + time;
        let reply = self.api.0.get(CallKind::Rates, &path, deadline, time).await?;
        match reply.status {
            200 => rates(&reply),
            // No courier serves this route.
            404 => Ok(Fares::default()),
            _ => Err(status_error(&reply)),
        }
    }

    /// Checks the price, adds the pickup address, creates the order. Only its AWB costs money.
    async fn begin(&self, order: &ShipmentOrder, deadline: Instant) -> CourierResult<Begun> {
        self.check_price(order, deadline).await?;
        let place = wire::pickup_address(order);
        let path = "/settings/company/addpickup";
        check_place(&self.api.post(CallKind::Place, path, &place, deadline).await?)?;
        let body = wire::order_ask(order, &place);
        let path = "/orders/create/adhoc";
        let reply = self.api.post(CallKind::Begin, path, &body, deadline).await?;
        let created: wire::Created = read(&reply)?;
        let (Some(order_id), Some(shipment_id)) = (created.order_id, created.shipment_id) else {
            return Err(CourierError::Refused(redacted(created.message.as_str())));
        };
        Ok(Begun { courier_id: order_id.to_string(), choice: Ok(shipment_id.to_string()) })
    }

    /// Assigns the AWB, then schedules the pickup if one is wanted.
    async fn buy(
        &self,
        order: &ShipmentOrder,
        begun_order: &Begun,
        deadline: Instant,
    ) -> CourierResult<Booked> {
        let choice = begun_order.choice.as_ref().ok();
        let shipment_id = choice.and_then(|id| id.parse().ok());
        let nothing = || CourierError::Refused("there is nothing to buy".to_owned());
        let shipment_id: i64 = shipment_id.ok_or_else(nothing)?;
        let assign = json!({"shipment_id": shipment_id, "courier_id": order.service});
        let path = "/courier/assign/awb";
        let reply = self.api.post(CallKind::Buy, path, &assign, deadline).await?;
        let assigned: wire::Assigned = read(&reply)?;
        let Some(awb) = assigned.awb()? else {
            // Our Shiprocket wallet is empty, or the courier refuses. No AWB was assigned.
            return Err(assigned.refusal());
        };
        let pickup_id = match &order.pickup_time {
            Some(time) => self.order_pickup(shipment_id, time, deadline).await,
            None => String::new(),
        };
        Ok(Booked { awb, pickup_id })
    }

    /// An order of which we know only the AWB may be missing in the list. Then the tracking shows
    /// whether it is cancelled.
    async fn look_up(&self, order: &OrderNumbers) -> CourierResult<Standing> {
        let listed = self.orders(order, deadline()).await?;
        let standings = listed.iter().map(wire::KnownOrder::standing);
        let standing = most_alive(standings.collect::<Result<Vec<_>, _>>()?);
        if standing != Standing::Unlisted || order.awb.is_empty() {
            return Ok(standing);
        }
        let scans = self.track(&order.service, &order.awb).await?;
        let newest = scans.iter().max_by_key(|scan| scan.happened_ms);
        let is_cancelled = newest.is_some_and(|it| it.stage == Some(ShipmentStatus::Cancelled));
        match is_cancelled {
            true => Ok(Standing::Cancelled),
            false => Ok(Standing::Unlisted),
        }
    }

    /// Its list knows days only, and the last one is in it.
    async fn orders_since(&self, since_ms: i64) -> CourierResult<Vec<ListedOrder>> {
        let from = date_in_india(since_ms);
        let (at_once, mut orders) = (limits::ORDERS_LISTED_AT_ONCE, Vec::new());
        for page in 1..=limits::ORDER_PAGES_MAX {
            let path = format!("/orders?from={from}&per_page={at_once}&page={page}");
            let reply = self.api.get(CallKind::LookUp, &path, deadline()).await?;
            let list: wire::OrderReply<Vec<wire::KnownOrder>> = read(&reply).map_err(read_error)?;
            if list.data.is_empty() {
                return Ok(orders);
            }
            let listed = list.data.iter();
            orders
                .extend(listed.map(|it| listed_order(it.channel_order_id.as_str(), it.standing())));
        }
        Err(endless_list())
    }

    /// Shiprocket answers 200 without activities for an AWB that it does not know.
    async fn track(&self, _: &str, awb: &str) -> CourierResult<Vec<Scan>> {
        let path = format!("/courier/track/awb/{awb}");
        tracking::scans(&self.api.get(CallKind::Track, &path, deadline()).await?)
    }

    /// The courier's own label, fetched from the address that Shiprocket returns.
    async fn label(&self, order: &OrderNumbers) -> CourierResult<Option<Vec<u8>>> {
        let deadline = deadline();
        let orders = self.orders(order, deadline).await?;
        let shipment_id = orders.iter().find_map(|it| it.shipment_of(&order.awb));
        let shipment_id =
            shipment_id.ok_or_else(|| CourierError::Refused("no such shipment".to_owned()))?;
        let body = json!({"shipment_id": [shipment_id]});
        let path = "/courier/generate/label";
        let reply = self.api.post(CallKind::Label, path, &body, deadline).await?;
        let reply: wire::LabelReply = read(&reply)?;
        pdf(self.labels.fetch(reply.label_url.as_str(), deadline, try_max()).await?)
    }

    /// Cancels by the order id, else by the orders that the search lists, else by the AWB.
    async fn ask_to_cancel(&self, order: &OrderNumbers) -> CourierResult<()> {
        let deadline = deadline();
        let ids: Vec<i64> = match order.courier_id.parse() {
            Ok(id) => vec![id],
            Err(_) => {
                let listed = self.orders(order, deadline).await?;
                listed.iter().map(|order| order.id).collect()
            }
        };
        let reply = match (&ids[..], order.awb.as_str()) {
            ([], "") => return Err(CourierError::Unknown("it lists no such order".to_owned())),
            ([], awb) => {
                let path = "/orders/cancel/shipment/awbs";
                self.api.post(CallKind::Cancel, path, &json!({"awbs": [awb]}), deadline).await?
            }
            (ids, _) => {
                let body = json!({"ids": ids});
                self.api.post(CallKind::Cancel, "/orders/cancel", &body, deadline).await?
            }
        };
        check_accepted(&reply)
    }
}

impl Shiprocket {
    /// Returns the order with the stored id; without an id, all listed under our reference.
    async fn orders(
        &self,
        order: &OrderNumbers,
        deadline: Instant,
    ) -> CourierResult<Vec<wire::KnownOrder>> {
        let (reference, id) = (&order.reference, &order.courier_id);
        let data = if id.is_empty() {
            let path = format!("/orders?search={reference}");
            let reply = self.api.get(CallKind::LookUp, &path, deadline).await?;
            read::<wire::OrderReply<Vec<wire::KnownOrder>>>(&reply).map_err(read_error)?.data
        } else {
            let path = format!("/orders/show/{id}");
            let reply = self.api.get(CallKind::LookUp, &path, deadline).await?;
            vec![read::<wire::OrderReply<wire::KnownOrder>>(&reply).map_err(read_error)?.data]
        };
        // The search finds every order that contains the text.
        let ours = |order: &wire::KnownOrder| order.channel_order_id.as_str() == reference;
        Ok(data.into_iter().filter(ours).collect())
    }

    /// Checks that the courier still serves the route and charges no more than the quote.
    async fn check_price(&self, order: &ShipmentOrder, deadline: Instant) -> CourierResult<()> {
        let path = wire::serviceability(&order.shipment);
        let reply = self.api.get(CallKind::Rates, &path, deadline).await;
        let answer = reply.and_then(|reply| read::<wire::Serviceability>(&reply))?;
        let companies = answer.data.map(|data| data.available_courier_companies);
        let companies = companies.unwrap_or_default();
        let ours =
            companies.iter().find(|company| company.courier_company_id.as_str() == order.service);
        let price = ours.and_then(|company| rupees(&company.rate));
        match price {
            Some(price) if price <= order.cost_max => Ok(()),
            Some(_) => Err(CourierError::Refused("the courier's price rose".to_owned())),
            None => Err(CourierError::Refused(
                "the courier does not serve this lane any more".to_owned(),
            )),
        }
    }

    /// Schedules the pickup and returns its number. After a failure, which does not affect the
    /// booking, it is requested again.
    async fn order_pickup(&self, shipment_id: i64, time: &PickupTime, deadline: Instant) -> String {
        let body = json!({"shipment_id": [shipment_id], "pickup_date": [time.day_text()]});
        let posted = self.api.post(CallKind::Pickup, wire::PICKUP_PATH, &body, deadline);
        let response = posted.await;
        let pickup = response.and_then(|reply| read::<wire::PickupReply>(&reply));
        match pickup {
            Ok(pickup) if pickup.refusal().is_none() => pickup.token(),
            Ok(_) => String::new(),
            Err(error) => {
                tracing::warn!("Shiprocket did not accept a pickup: {error}");
                String::new()
            }
        }
    }
}

/// Logs in for a token, which is valid for ten days.
#[derive(Debug)]
struct Login(ShiprocketConfig);

#[async_trait]
impl TokenSource for Login {
    async fn fetch(&self, http: &Client, timeout: Duration) -> Result<Grant, String> {
        let Login(config) = self;
        let login = json!({"email": config.email, "password": config.password.expose()});
        let body = login.to_string().into_bytes();
        let url = format!("{}/auth/login", config.base);
        let request = Request {
            call: CallKind::Token,
            url: &url,
            authorization: None,
            body: Body::Json(body),
            timeout,
        };
        let reply = http.send(request).await.map_err(|error| format!("login: {error}"))?;
        let token = wire::token(&reply.body).filter(|_| reply.status == 200);
        let token = token.ok_or_else(|| format!("login refused (HTTP {})", reply.status))?;
        Ok(Grant {
            authorization: Secret::new(format!("Bearer {}", token.expose())),
            life: Duration::from_secs(limits::SHIPROCKET_TOKEN_S),
        })
    }
}

/// Shiprocket also refuses an address that it already has. Any other refusal ends the order, which
/// would fail later without its place.
fn check_place(reply: &Reply) -> CourierResult<()> {
    let body: Value = serde_json::from_slice(&reply.body).unwrap_or_default();
    let errors = body["errors"].as_object();
    let is_known = errors.is_some_and(|errors| errors.keys().all(|it| it == "pickup_location"));
    if reply.status != 422 || is_known {
        return Ok(());
    }
    Err(match status_error(reply) {
        CourierError::Refused(reason) => CourierError::AddressRefused(reason),
        other => other,
    })
}

fn rates(reply: &Reply) -> CourierResult<Fares> {
    let answer: wire::Serviceability = serde_json::from_slice(&reply.body)
        .map_err(|_| CourierError::NotDone("the rates cannot be read".to_owned()))?;
    if answer.status.as_str() == "404" {
        return Ok(Fares::default());
    }
    let Some(data) = answer.data else {
        return Err(CourierError::NotDone("an answer without rates".to_owned()));
    };
    Ok(Fares {
        fares: data.available_courier_companies.iter().filter_map(fare).collect(),
        silent: Vec::new(),
    })
}

fn fare(company: &wire::CourierCompany) -> Option<Fare> {
    let amount = rupees(&company.rate)?;
    let name = plain(&company.courier_name);
    let id = company.courier_company_id.as_str();
    if name.is_empty() || id.is_empty() || company.is_blocked() {
        return None;
    }
    Some(Fare {
        service: plain(id),
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
