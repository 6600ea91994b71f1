//! Prices of all couriers for a shipment, requested concurrently, each within its limits. A slow or
//! failing courier loses only its own prices.

use std::sync::Arc;
use std::time::Duration;

use moka::future::Cache;
use tokio::task::JoinSet;
use tokio::time::timeout;
use tracing::Instrument as _;

use super::Pricing;
use crate::error::{Error, Result};
use crate::limits;
use crate::model::courier::fares::{Fare, FareAmount, Fares, RateAsk};
use crate::model::money::paise::Paise;
use crate::model::rates::book::RateBook;
use crate::model::rates::margin::Terms;
use crate::model::rates::quote::Offer;
use crate::model::settings::secret::Secret;
use crate::providers::courier::house::House;
use crate::providers::courier::{Courier, CourierError};

/// The message shown for a booking whose courier can no longer be called.
pub const COURIER_GONE: &str = "We cannot reach this courier any more. Please write to us.";

/// Every courier of this installation.
#[derive(Debug)]
pub struct Couriers {
    desks: Vec<Arc<CourierDesk>>,
}

/// A courier partner with our terms.
#[derive(Debug)]
pub struct Partner {
    pub courier: Arc<dyn Courier>,
    /// True if new shipments are booked with it. A partner that is no longer offered is still
    /// called about its existing shipments.
    pub is_offered: bool,
    pub terms: Terms,
    /// The secret of its callbacks; without it they are refused.
    pub callback_secret: Option<Secret>,
}

/// One courier with our pricing terms.
#[derive(Debug)]
struct CourierDesk {
    courier: Arc<dyn Courier>,
    is_offered: bool,
    /// For partners only; our own couriers return customers' prices.
    terms: Option<Terms>,
    callback_secret: Option<Secret>,
    /// A partner's recent prices, by shipment, because its rate limit and quota are low.
    recent: Cache<String, Arc<Fares>>,
}

/// Prices for a customer, cheapest first, and the couriers that returned none.
#[derive(Debug, Default)]
pub struct Offers {
    pub offers: Vec<Offer>,
    /// Names of couriers that should have answered.
    pub missing: Vec<String>,
}

impl Couriers {
    /// Returns our own couriers and these partners.
    pub fn new(partners: Vec<Partner>) -> Couriers {
        let mut desks = vec![CourierDesk::new(Arc::new(House), true, None, None)];
        let desk = |partner: Partner| {
            CourierDesk::new(
                partner.courier,
                partner.is_offered,
                Some(partner.terms),
                partner.callback_secret,
            )
        };
        desks.extend(partners.into_iter().map(desk));
        Couriers {
            desks: desks.into_iter().map(Arc::new).collect(),
        }
    }

    /// Returns the courier of this code.
    ///
    /// # Errors
    /// `NeedsOperator` when it is no longer configured here, though a booking uses it.
    pub fn of(&self, code: &str) -> Result<Arc<dyn Courier>> {
        let courier_gone = || Error::NeedsOperator {
            code: "courier_gone",
            message: COURIER_GONE.into(),
        };
        self.desk(code)
            .map(|desk| desk.courier.clone())
            .ok_or_else(courier_gone)
    }

    /// Returns true if new shipments are booked with it.
    pub fn is_offered(&self, code: &str) -> bool {
        self.desk(code).is_some_and(|desk| desk.is_offered)
    }

    /// Returns our terms for a partner's prices.
    pub fn terms(&self, code: &str) -> Option<Terms> {
        self.desk(code)?.terms
    }

    /// Returns the secret of a partner's callbacks.
    pub fn callback_secret(&self, code: &str) -> Option<&Secret> {
        self.desk(code)?.callback_secret.as_ref()
    }

    fn desk(&self, code: &str) -> Option<&Arc<CourierDesk>> {
        self.desks.iter().find(|desk| desk.courier.code() == code)
    }
}

impl CourierDesk {
    fn new(
        courier: Arc<dyn Courier>,
        is_offered: bool,
        terms: Option<Terms>,
        callback_secret: Option<Secret>,
    ) -> CourierDesk {
        let recent = Cache::builder()
            .max_capacity(limits::PARTNER_RATES_KEPT)
            .time_to_live(Duration::from_secs(limits::PARTNER_RATES_S));
        CourierDesk {
            courier,
            is_offered,
            terms,
            callback_secret,
            recent: recent.build(),
        }
    }

    /// Returns the courier's prices. Concurrent requests for the same shipment share one call.
    async fn rates(&self, ask: &RateAsk) -> std::result::Result<Arc<Fares>, Arc<CourierError>> {
        if self.terms.is_none() {
            return self
                .courier
                .rates(ask)
                .await
                .map(Arc::new)
                .map_err(Arc::new);
        }
        let shipment = ask.shipment.fingerprint();
        let call = async { self.courier.rates(ask).await.map(Arc::new) };
        let answered = self.recent.try_get_with(shipment, call);
        let most = Duration::from_millis(limits::RATES_MS_MAX);
        match timeout(most, answered).await {
            Ok(answered) => answered,
            Err(_) => Err(Arc::new(CourierError::NotDone("no answer in time".into()))),
        }
    }
}

impl Pricing {
    /// Requests prices of all couriers, or only of the one with this code.
    pub async fn offers(&self, ask: RateAsk, only: Option<&str>) -> Result<Offers> {
        let ask = Arc::new(ask);
        let mut answers = JoinSet::new();
        let is_asked = |desk: &&Arc<CourierDesk>| {
            desk.is_offered && only.is_none_or(|code| code == desk.courier.code())
        };
        for desk in self.couriers.desks.iter().filter(is_asked) {
            let (desk, ask) = (desk.clone(), ask.clone());
            let answer = async move { (desk.rates(&ask).await, desk) };
            answers.spawn(answer.in_current_span());
        }
        let mut offers = Offers::default();
        let mut priced = Vec::new();
        for (rates, desk) in answers.join_all().await {
            let code = desk.courier.code();
            match rates {
                Ok(rates) => {
                    offers.missing.extend(rates.silent.iter().cloned());
                    let fares = rates.fares.iter().cloned();
                    priced.extend(fares.map(|fare| (code, desk.terms, fare)));
                }
                Err(error) => {
                    metrics::counter!("dakiya_courier_failures_total", "courier" => code)
                        .increment(1);
                    tracing::warn!(courier = code, "no rates: {error}");
                    offers.missing.push(desk.courier.called().to_owned());
                }
            }
        }
        let book = self.learn_services(&ask, &priced).await?;
        offers.offers = priced
            .into_iter()
            .filter_map(|(code, terms, fare)| offer(&book, &ask, code, terms, fare))
            .collect();
        offers
            .offers
            .sort_by_key(|offer| (offer.price.total, offer.product.product_id));
        offers.missing.sort();
        offers.missing.dedup();
        Ok(offers)
    }
}

/// Returns the customer's offer for a fare, unless its service is off sale.
fn offer(
    book: &RateBook,
    ask: &RateAsk,
    code: &str,
    terms: Option<Terms>,
    fare: Fare,
) -> Option<Offer> {
    let product = book.service(code, &fare.service)?;
    let (price, courier) = match (fare.amount, terms) {
        (FareAmount::Price(price), _) => (price, Paise::ZERO),
        (FareAmount::Cost(cost), Some(terms)) => terms.price(&cost, &ask.shipment, ask.supply),
        (FareAmount::Cost(_), None) => return None,
    };
    Some(Offer {
        product: product.clone(),
        tat_days: fare.tat_days,
        price,
        courier,
    })
    .filter(|offer| offer.product.active)
}
