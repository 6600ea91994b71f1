//! The couriers of this installation, each with our terms, its recent prices and its limits.

use std::iter;
use std::sync::Arc;
use std::time::Duration;

use moka::future::Cache;
use tokio::time::timeout;

use crate::error::{Error, Result};
use crate::limits;
use crate::model::courier::fares::{Fares, RateAsk};
use crate::model::rates::margin::Terms;
use crate::model::settings::secret::Secret;
use crate::providers::courier::Courier;
use crate::providers::courier::error::CourierError;
use crate::providers::courier::house::House;

#[derive(Debug)]
pub struct Couriers {
    pub(super) desks: Vec<Arc<CourierDesk>>,
}

/// One courier with our pricing terms.
#[derive(Debug)]
pub struct CourierDesk {
    pub(super) courier: Arc<dyn Courier>,
    /// True if new shipments are booked with it. A partner that is no longer offered is still
    /// called about its existing shipments.
    pub(super) is_offered: bool,
    /// For partners only; our own couriers return customers' prices.
    pub(super) terms: Option<Terms>,
    /// The secret of its callbacks; without it they are refused.
    callback_secret: Option<Secret>,
    /// A partner's recent prices, by shipment, because its rate limit and quota are low.
    recent: Cache<String, Arc<Fares>>,
}

impl Couriers {
    /// Returns our own couriers and these partners.
    pub fn new(partners: Vec<CourierDesk>) -> Couriers {
        let house = CourierDesk::new(Arc::new(House), true, None, None);
        let desks = iter::once(house).chain(partners);
        Couriers { desks: desks.map(Arc::new).collect() }
    }

    /// Returns the courier of this code.
    ///
    /// # Errors
    /// `NeedsOperator` when it is no longer configured here, though a booking uses it.
    pub fn of(&self, code: &str) -> Result<Arc<dyn Courier>> {
        self.desk(code).map(|desk| desk.courier.clone()).ok_or_else(|| Error::NeedsOperator {
            code: "courier_gone",
            message: "We cannot reach this courier any more. Please write to us.".into(),
        })
    }

    /// Returns the couriers that new shipments are booked with.
    pub fn offered(&self) -> impl Iterator<Item = &Arc<dyn Courier>> {
        self.desks.iter().filter(|desk| desk.is_offered).map(|desk| &desk.courier)
    }

    /// Returns all partners, offered or not.
    pub fn partners(&self) -> impl Iterator<Item = &Arc<dyn Courier>> {
        self.desks.iter().filter(|desk| desk.terms.is_some()).map(|desk| &desk.courier)
    }

    pub fn is_offered(&self, code: &str) -> bool {
        self.desk(code).is_some_and(|desk| desk.is_offered)
    }

    pub fn terms(&self, code: &str) -> Option<Terms> {
        self.desk(code)?.terms
    }

    pub fn callback_secret(&self, code: &str) -> Option<&Secret> {
        self.desk(code)?.callback_secret.as_ref()
    }

    fn desk(&self, code: &str) -> Option<&Arc<CourierDesk>> {
        self.desks.iter().find(|desk| desk.courier.code() == code)
    }
}

impl CourierDesk {
    pub fn new(
        courier: Arc<dyn Courier>,
        is_offered: bool,
        terms: Option<Terms>,
        callback_secret: Option<Secret>,
    ) -> CourierDesk {
        let recent = Cache::builder()
            .max_capacity(limits::PARTNER_RATES_KEPT)
            .time_to_live(Duration::from_secs(limits::PARTNER_RATES_S));
        CourierDesk { courier, is_offered, terms, callback_secret, recent: recent.build() }
    }

    /// Returns the courier's prices. Concurrent requests for the same shipment share one call.
    pub async fn rates(&self, ask: &RateAsk) -> std::result::Result<Arc<Fares>, Arc<CourierError>> {
        if self.terms.is_none() {
            return self.courier.rates(ask).await.map(Arc::new).map_err(Arc::new);
        }
        let shipment = ask.shipment.fingerprint();
        let call = async { self.courier.rates(ask).await.map(Arc::new) };
        let answered = self.recent.try_get_with(shipment, call);
        let late = |_| Err(Arc::new(CourierError::NotDone("no answer in time".into())));
        timeout(Duration::from_millis(limits::RATES_MS_MAX), answered).await.unwrap_or_else(late)
    }
}
