//! Booking through Karrio in two steps: a draft, whose prices are compared with the one that was
//! quoted, and its purchase. Only the second one costs anything.

use serde::Serialize;
use tokio::time::Instant;

use super::super::order::{Booked, Order};
use super::super::{CourierError, deadline, pdf, read, refused, rupees, try_max};
use super::Karrio;
use super::wire::{self, Found, Purchase, Shipment};
use crate::providers::http::Reply;

impl Karrio {
    pub(super) async fn buy(
        &self,
        order: &Order,
        deadline: Instant,
    ) -> Result<Booked, CourierError> {
        let (_, carrier_id, service) = wire::service_parts(&order.service)
            .ok_or_else(|| CourierError::Refused("no such service".to_owned()))?;
        let ask = wire::shipment_ask(order, carrier_id);
        let reply = self.post("/v1/shipments", &ask, deadline).await?;
        let draft: Shipment = read(&reply)?;
        let offered = draft
            .rates
            .iter()
            .find(|rate| rate.carrier_id == carrier_id && rate.service == service);
        let Some(rate) = offered else {
            self.give_up(&draft.id, deadline).await;
            return Err(CourierError::Refused(
                "the service is not offered any more".into(),
            ));
        };
        let price = rupees(&rate.total_charge).filter(|_| rate.currency == "INR");
        if price.is_none_or(|price| price > order.cost_max) {
            self.give_up(&draft.id, deadline).await;
            return Err(CourierError::Refused("the courier's price rose".into()));
        }
        let purchase = Purchase {
            selected_rate_id: &rate.id,
            label_type: "PDF",
            payment: wire::Payment { paid_by: "sender" },
        };
        let path = format!("/v1/shipments/{}/purchase", draft.id);
        let bought: Shipment = read(&self.post(&path, &purchase, deadline).await?)?;
        bought
            .booked()?
            .ok_or_else(|| CourierError::Unknown("a purchase without a tracking number".to_owned()))
    }

    /// The shipment of our reference, if it was bought. A draft is given up: nobody will buy it.
    pub(super) async fn look_up(&self, reference: &str) -> Result<Option<Booked>, CourierError> {
        let deadline = deadline();
        let mut booked = None;
        for shipment in self.all_of(reference, deadline).await? {
            match shipment.status.as_str() {
                "cancelled" => {}
                "draft" => self.cancel_one(&shipment.id, deadline).await?,
                _ => booked = booked.or(shipment.booked()?),
            }
        }
        Ok(booked)
    }

    /// The carrier's own label, which only we may fetch.
    pub(super) async fn fetch_label(
        &self,
        reference: &str,
        awb: &str,
    ) -> Result<Option<Vec<u8>>, CourierError> {
        let deadline = deadline();
        let all = self.all_of(reference, deadline).await?;
        let ours = |shipment: &&Shipment| shipment.has(awb);
        let shipment = all.iter().find(ours);
        let shipment =
            shipment.ok_or_else(|| CourierError::Refused("no such shipment".to_owned()))?;
        let path = format!("/v1/shipments/{}/label.pdf", shipment.id);
        let reply = self
            .link
            .call(&path, None::<&()>, deadline, try_max())
            .await?;
        pdf(reply)
    }

    pub(super) async fn call_off(&self, reference: &str) -> Result<(), CourierError> {
        let deadline = deadline();
        for shipment in self.all_of(reference, deadline).await? {
            self.cancel_one(&shipment.id, deadline).await?;
        }
        Ok(())
    }

    async fn all_of(
        &self,
        reference: &str,
        deadline: Instant,
    ) -> Result<Vec<Shipment>, CourierError> {
        let path = format!("/v1/shipments?reference={reference}");
        let reply = self
            .link
            .call(&path, None::<&()>, deadline, try_max())
            .await?;
        let found: Found = read(&reply)?;
        let ours = |shipment: &Shipment| shipment.reference.as_str() == reference;
        Ok(found.results.into_iter().filter(ours).collect())
    }

    async fn cancel_one(&self, id: &str, deadline: Instant) -> Result<(), CourierError> {
        let path = format!("/v1/shipments/{id}/cancel");
        let nothing = serde_json::Map::new();
        let reply = self.post(&path, &nothing, deadline).await?;
        // 200 the first time, 202 when it was cancelled before.
        match reply.status {
            200..=299 => Ok(()),
            status => Err(refused(status, &reply)),
        }
    }

    /// A draft that nobody buys costs nothing; that it stays is worth no more than a line.
    async fn give_up(&self, id: &str, deadline: Instant) {
        if let Err(error) = self.cancel_one(id, deadline).await {
            tracing::warn!("a draft stays at Karrio: {error}");
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
