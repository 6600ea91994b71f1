//! Offers for a shipment: all couriers are asked for prices concurrently. A slow or failing courier
//! loses only its own prices. Partners' services become products when they are first seen.

use std::sync::Arc;

use tokio::task::JoinSet;
use tracing::Instrument as _;

use super::Pricing;
use super::couriers::CourierDesk;
use crate::error::Result;
use crate::model::courier::fares::{Fare, FareAmount, RateAsk};
use crate::model::money::paise::Paise;
use crate::model::rates::book::RateBook;
use crate::model::rates::margin::{Terms, USUAL_DIVISOR};
use crate::model::rates::price::Product;
use crate::model::rates::quote::Offer;
use crate::model::shipping::grams::Grams;
use crate::{limits, store};

/// Prices for a customer, cheapest first, and the couriers that returned none.
#[derive(Debug, Default)]
pub struct Offers {
    pub offers: Vec<Offer>,
    /// Names of couriers that should have answered.
    pub missing: Vec<String>,
}

impl Pricing {
    /// Requests prices of all couriers, or only of the one with this code.
    pub(super) async fn offers(&self, ask: RateAsk, only: Option<&str>) -> Result<Offers> {
        let asked = Arc::new(ask);
        let mut answers = JoinSet::new();
        let wanted = |desk: &&Arc<CourierDesk>| {
            desk.is_offered && only.is_none_or(|code| code == desk.courier.code())
        };
        for desk in self.couriers.desks.iter().filter(wanted) {
            let (desk, ask) = (desk.clone(), asked.clone());
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
                    tracing::warn!(courier = code, "rates were not received: {error}");
                    offers.missing.push(desk.courier.name_in_messages().to_owned());
                }
            }
        }
        let book = self.learn_services(&asked, &priced).await?;
        offers.offers = priced
            .into_iter()
            .filter_map(|(code, terms, fare)| offer(&book, &asked, code, terms, fare))
            .collect();
        offers.offers.sort_by_key(|offer| (offer.price.total, offer.product.product_id));
        offers.missing.sort();
        offers.missing.dedup();
        Ok(offers)
    }

    /// Returns a rate book with every service of these fares: new ones are added.
    async fn learn_services(
        &self,
        ask: &RateAsk,
        fares: &[(&'static str, Option<Terms>, Fare)],
    ) -> Result<Arc<RateBook>> {
        let (book, international) = (&ask.book, ask.shipment.is_international());
        let new: Vec<Product> = fares
            .iter()
            .filter(|(code, _, fare)| book.service(code, &fare.service).is_none())
            .map(|(code, _, fare)| product(code, fare, international))
            .collect();
        if new.is_empty() {
            return Ok(book.clone());
        }
        let write = self.core.store.write(move |conn| {
            Box::pin(async move {
                for product in &new {
                    store::rates::add_service(conn, product).await?;
                }
                store::rates::count_up(conn).await
            })
        });
        write.await?;
        self.forget_rates();
        self.rates.book(&self.core.store).await
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
    Some(Offer { product: product.clone(), tat_days: fare.tat_days, price, courier })
        .filter(|offer| offer.product.active)
}

/// Converts a partner's service to a product. Its number is assigned when it is stored.
fn product(courier: &str, fare: &Fare, international: bool) -> Product {
    Product {
        product_id: 0,
        product_name: fare.name.clone(),
        parent_vendor: fare.vendor.clone(),
        courier: courier.to_owned(),
        service: fare.service.clone(),
        international,
        takes_parcels: true,
        takes_documents: true,
        volumetric_divisor: USUAL_DIVISOR,
        minimum: Grams(1),
        maximum: Grams(limits::RATE_GRAMS_MAX),
        needs_kyc: false,
        // A booking with DHL requires the consignor's consent by OTP.
        needs_otp: fare.vendor.contains("dhl"),
        zoning: "india".to_owned(),
        active: true,
    }
}
