//! Pickups at Karrio, each of one carrier's shipments at one address. The calls in its description
//! (`schemas/openapi.yml`): `POST /v1/pickups/{carrier_name}/schedule`, `GET /v1/pickups`,
//! `POST /v1/pickups/{id}` and `POST /v1/pickups/{id}/cancel`. There is no idempotency key: our key
//! is in the metadata, by which a pickup of unknown outcome is found.

use async_trait::async_trait;
use serde::Deserialize;
use serde_json::json;
use tokio::time::Instant;

use super::super::error::{CourierError, CourierResult};
use super::super::pickup::{PickupAsk, PickupTaken, Pickups};
use super::super::text::plain;
use super::super::{check_accepted, deadline, read, read_error};
use super::{Karrio, wire};
use crate::limits;
use crate::model::booking::pickup::PickupSlot;
use crate::model::openapi_schema::Text;
use crate::providers::calls::CallKind;

/// Carriers require some hours between the ready and the closing time.
const HALF_DAYS: &[PickupSlot] = &[PickupSlot::hours(10, 14, 8), PickupSlot::hours(14, 18, 11)];

#[derive(Debug, Deserialize)]
struct Pickup {
    id: String,
    #[serde(default)]
    confirmation_number: Text,
    #[serde(default)]
    status: Text,
    #[serde(default)]
    metadata: PickupMetadata,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct PickupMetadata {
    reference: Text,
}

impl Pickup {
    fn taken(&self) -> PickupTaken {
        PickupTaken {
            courier_id: self.id.clone(),
            confirmation: plain(self.confirmation_number.as_str()),
        }
    }
}

#[async_trait]
impl Pickups for Karrio {
    fn slots(&self) -> &'static [PickupSlot] {
        HALF_DAYS
    }

    /// The operator's account with a carrier, as in `mydhl/mydhl-prod`.
    fn carrier<'a>(&self, service: &'a str) -> &'a str {
        let parts = wire::service_parts(service);
        let end = parts.map_or(0, |(name, account, _)| name.len() + 1 + account.len());
        service.get(..end).unwrap_or("")
    }

    async fn ask(&self, ask: &PickupAsk) -> CourierResult<PickupTaken> {
        let deadline = deadline();
        let numbers = self.numbers(ask, deadline).await?;
        let service = ask.parcels.first().map_or("", |it| it.service.as_str());
        let carrier = wire::service_parts(service).map_or("", |parts| parts.0);
        let (ready_time, closing_time) = ask.time.hours();
        let body = json!({
            "pickup_date": ask.time.day_text(),
            "ready_time": ready_time, "closing_time": closing_time,
            "address": wire::address(&ask.place), "tracking_numbers": numbers,
            "metadata": {"reference": ask.reference},
        });
        let path = format!("/v1/pickups/{carrier}/schedule");
        let reply = self.api.post(CallKind::Pickup, &path, &body, deadline).await?;
        let pickup: Pickup = read(&reply)?;
        Ok(pickup.taken())
    }

    async fn find(&self, reference: &str) -> CourierResult<Option<PickupTaken>> {
        let listed = self.pickups(deadline()).await?;
        let ours = listed.iter().find(|it| {
            it.metadata.reference.as_str() == reference && it.status.as_str() != "cancelled"
        });
        Ok(ours.map(Pickup::taken))
    }

    async fn move_to(&self, ask: &PickupAsk) -> CourierResult<PickupTaken> {
        let (ready_time, closing_time) = ask.time.hours();
        // Karrio requires the confirmation number in addition to the id.
        let body = json!({
            "pickup_date": ask.time.day_text(),
            "ready_time": ready_time, "closing_time": closing_time,
            "confirmation_number": ask.confirmation,
        });
        let path = format!("/v1/pickups/{}", ask.courier_id);
        let reply = self.api.post(CallKind::Pickup, &path, &body, deadline()).await?;
        let pickup: Pickup = read(&reply)?;
        Ok(pickup.taken())
    }

    /// Karrio refuses a pickup that was cancelled before, so the list decides.
    async fn call_off(&self, ask: &PickupAsk) -> CourierResult<()> {
        let path = format!("/v1/pickups/{}/cancel", ask.courier_id);
        let body = json!({"reason": "Not wanted any more"});
        let reply = self.api.post(CallKind::CallOff, &path, &body, deadline()).await?;
        let result = check_accepted(&reply);
        match result {
            Err(error @ (CourierError::Refused(_) | CourierError::NoAccess(_))) => {
                match self.find(&ask.reference).await? {
                    Some(_) => Err(error),
                    None => Ok(()),
                }
            }
            result => result,
        }
    }
}

impl Karrio {
    /// Returns the AWBs of the shipments in the carriers' own spelling.
    async fn numbers(&self, ask: &PickupAsk, deadline: Instant) -> CourierResult<Vec<String>> {
        let mut numbers = Vec::with_capacity(ask.parcels.len());
        for parcel in &ask.parcels {
            let shipments = self.shipments(parcel, deadline).await?;
            let shipment = shipments.iter().find(|it| it.has(&parcel.awb));
            let lost = || CourierError::Unknown("it lists no such shipment".to_owned());
            numbers.push(shipment.ok_or_else(lost)?.number().to_owned());
        }
        Ok(numbers)
    }

    async fn pickups(&self, deadline: Instant) -> CourierResult<Vec<Pickup>> {
        let path = format!("/v1/pickups?limit={}", limits::PICKUPS_LISTED);
        let reply = self.api.get(CallKind::LookUp, &path, deadline).await?;
        let list: wire::KarrioList<Pickup> = read(&reply).map_err(read_error)?;
        Ok(list.results)
    }
}
