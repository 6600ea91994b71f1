//! Booking through Shiprocket in steps: the price again, the pickup address, the order, its AWB,
//! the pickup. Only the AWB costs anything.

use serde::Serialize;
use tokio::time::Instant;

use super::super::complaint::shape;
use super::super::order::{Booked, Order};
use super::super::{CourierError, deadline, pdf, read, refused, rupees, try_max};
use super::Shiprocket;
use super::wire::{self, Assigned, Created, Orders, Pickup};
use crate::providers::http::Reply;

impl Shiprocket {
    pub(super) async fn buy(
        &self,
        order: &Order,
        deadline: Instant,
    ) -> Result<Booked, CourierError> {
        self.check_price(order, deadline).await?;
        let place = wire::pickup_address(order);
        let added = self
            .post("/settings/company/addpickup", &place, deadline)
            .await;
        // An address that is known already is refused, which is as good.
        if let Err(error @ (CourierError::NotDone(_) | CourierError::Unknown(_))) = added {
            return Err(CourierError::NotDone(error.to_string()));
        }
        let ask = wire::order_ask(order, &place);
        let created: Created = read(&self.post("/orders/create/adhoc", &ask, deadline).await?)?;
        let (Some(order_id), Some(shipment_id)) = (created.order_id, created.shipment_id) else {
            return Err(CourierError::Refused(shape(created.message.as_str())));
        };
        let assign = wire::Assign {
            shipment_id,
            courier_id: &order.service,
        };
        let assigned: Assigned = read(&self.post("/courier/assign/awb", &assign, deadline).await?)?;
        let Some(awb) = assigned.awb()? else {
            // The account has no money, or the courier wants none of it: nothing was assigned.
            self.give_up(order_id, deadline).await;
            return Err(CourierError::Refused(assigned.complaint()));
        };
        let pickup_id = self.ask_pickup(shipment_id, deadline).await;
        Ok(Booked { awb, pickup_id })
    }

    /// What the courier asks now, which must not be more than it asked before.
    async fn check_price(&self, order: &Order, deadline: Instant) -> Result<(), CourierError> {
        let path = wire::serviceability(&order.shipment);
        let reply = self
            .link
            .call(&path, None::<&()>, deadline, try_max())
            .await
            .map_err(|error| CourierError::NotDone(error.to_string()))?;
        // Nothing was asked for yet, so nothing can have been done.
        let answer: wire::Serviceability = read(&reply).map_err(|error| match error {
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

    /// The pickup's number; without one the shipment is booked all the same.
    async fn ask_pickup(&self, shipment_id: i64, deadline: Instant) -> String {
        let ask = wire::Shipments {
            shipment_id: [shipment_id],
        };
        let asked = self.post("/courier/generate/pickup", &ask, deadline).await;
        let pickup = asked.and_then(|reply| read::<Pickup>(&reply));
        match pickup {
            Ok(pickup) => pickup.token(),
            Err(error) => {
                tracing::warn!("no pickup was arranged at Shiprocket: {error}");
                String::new()
            }
        }
    }

    /// The order of our reference, if it has an AWB. One without is given up.
    pub(super) async fn look_up(&self, reference: &str) -> Result<Option<Booked>, CourierError> {
        let deadline = deadline();
        let mut booked = None;
        for order in self.all_of(reference, deadline).await? {
            if order.is_cancelled() {
                continue;
            }
            match order.awb()? {
                Some(awb) => {
                    let pickup_id = String::new();
                    booked = Some(Booked { awb, pickup_id });
                }
                None => self.cancel_one(order.id, deadline).await?,
            }
        }
        Ok(booked)
    }

    /// The courier's own label, which lies at an address that Shiprocket names.
    pub(super) async fn fetch_label(
        &self,
        reference: &str,
        awb: &str,
    ) -> Result<Option<Vec<u8>>, CourierError> {
        let deadline = deadline();
        let all = self.all_of(reference, deadline).await?;
        let shipment_id = all.iter().find_map(|order| order.shipment_of(awb));
        let shipment_id =
            shipment_id.ok_or_else(|| CourierError::Refused("no such shipment".to_owned()))?;
        let ask = wire::Shipments {
            shipment_id: [shipment_id],
        };
        let reply = self.post("/courier/generate/label", &ask, deadline).await?;
        let made: wire::Label = read(&reply)?;
        let url = made.label_url.as_str();
        if !self.link.may_fetch(url) {
            return Err(CourierError::NotDone(
                "the label's address is strange".to_owned(),
            ));
        }
        pdf(self.link.fetch(url, deadline, try_max()).await?)
    }

    pub(super) async fn call_off(&self, reference: &str) -> Result<(), CourierError> {
        let deadline = deadline();
        for order in self.all_of(reference, deadline).await? {
            if !order.is_cancelled() {
                self.cancel_one(order.id, deadline).await?;
            }
        }
        Ok(())
    }

    async fn all_of(
        &self,
        reference: &str,
        deadline: Instant,
    ) -> Result<Vec<wire::KnownOrder>, CourierError> {
        let path = format!("/orders?search={reference}");
        let reply = self
            .link
            .call(&path, None::<&()>, deadline, try_max())
            .await?;
        let orders: Orders = read(&reply)?;
        let ours = |order: &wire::KnownOrder| order.channel_order_id.as_str() == reference;
        Ok(orders.data.into_iter().filter(ours).collect())
    }

    async fn cancel_one(&self, id: i64, deadline: Instant) -> Result<(), CourierError> {
        let cancel = wire::Cancel { ids: [id] };
        let reply = self.post("/orders/cancel", &cancel, deadline).await?;
        match reply.status {
            200..=299 => Ok(()),
            status => Err(refused(status, &reply)),
        }
    }

    /// An order without an AWB costs nothing; that it stays is worth no more than a line.
    async fn give_up(&self, id: i64, deadline: Instant) {
        if let Err(error) = self.cancel_one(id, deadline).await {
            tracing::warn!("an order without an AWB stays at Shiprocket: {error}");
        }
    }

    async fn post<B: Serialize>(
        &self,
        path: &str,
        body: &B,
        deadline: Instant,
    ) -> Result<Reply, CourierError> {
        Ok(self
            .link
            .call(path, Some(body), deadline, try_max())
            .await?)
    }
}
