//! Quotes: prices promised to one user for exactly one shipment, for half an hour.

use super::Pricing;
use super::couriers::Offers;
use crate::error::{Error, Result};
use crate::model::account::session::CurrentUser;
use crate::model::calendar::date_in_india;
use crate::model::courier::fares::RateAsk;
use crate::model::rates::price::Product;
use crate::model::rates::quote::{
    Calculation, CourierDetail, Offer, Quoted, RateOption, note, quote_id, supply,
};
use crate::model::shipping::shipment::Shipment;
use crate::random::row_id;
use crate::services::budgets::Budget;
use crate::store;

/// Prices for a shipment whose quotes are not kept yet.
#[derive(Clone, Debug)]
pub struct Unkept {
    pub quoted: Quoted,
    pub calculation: Calculation,
}

impl Pricing {
    /// Prices a shipment with every courier that takes it, cheapest first, and keeps the quotes.
    /// The GSTIN is that of whoever the tax invoice will be for.
    pub async fn calculate(
        &self,
        user: &CurrentUser,
        gstin: &str,
        shipment: &Shipment,
    ) -> Result<Quoted> {
        let now_ms = self.core.clock.now_ms();
        self.core.budgets.take(Budget::Quotes, user.id(), now_ms)?;
        let asked = self.rate_request(gstin, shipment).await?;
        let offers = self.offers(asked, None).await?;
        self.keep(user, self.unkept(gstin, shipment, offers)).await
    }

    /// The same for one product only: the price of the moment, where a booking's quote does not
    /// hold or there is none.
    pub async fn calculate_one(
        &self,
        gstin: &str,
        shipment: &Shipment,
        product_id: i64,
    ) -> Result<Unkept> {
        let Ok(product) = self.product(product_id).await else {
            return Ok(self.unkept(gstin, shipment, Offers::default()));
        };
        let asked = self.rate_request(gstin, shipment).await?;
        let mut offers = self.offers(asked, Some(&product.courier)).await?;
        let is_it = |offer: &Offer| offer.product.product_id == product_id;
        offers.offers.retain(is_it);
        Ok(self.unkept(gstin, shipment, offers))
    }

    /// Keeps quotes, so that they can be booked.
    pub async fn keep(&self, user: &CurrentUser, unkept: Unkept) -> Result<Quoted> {
        let Unkept {
            quoted,
            calculation,
        } = unkept;
        if quoted.rates.is_empty() {
            return Ok(quoted);
        }
        let user_id = user.id().to_owned();
        self.core
            .store
            .write(move |conn| {
                Box::pin(async move { store::quotes::keep(conn, &user_id, &calculation).await })
            })
            .await?;
        Ok(quoted)
    }

    fn unkept(&self, gstin: &str, shipment: &Shipment, offers: Offers) -> Unkept {
        let now_ms = self.core.clock.now_ms();
        let id = row_id(now_ms);
        let calculation = Calculation::of(id, shipment, gstin, &offers.offers, now_ms);
        let named = |offer: Offer| {
            let name = quote_id(&calculation.calculation_id, offer.product.product_id);
            RateOption::of(offer, name)
        };
        Unkept {
            quoted: Quoted {
                rates: offers.offers.into_iter().map(named).collect(),
                notes: note(&offers.missing).into_iter().collect(),
            },
            calculation,
        }
    }

    /// A product on sale. One that another server has learnt of just now is looked for again.
    pub async fn product(&self, product_id: i64) -> Result<Product> {
        let on_sale = async || -> Result<Option<Product>> {
            let book = self.rates.book(&self.core.store).await?;
            let product = book.product(product_id).filter(|product| product.active);
            Ok(product.cloned())
        };
        if let Some(product) = on_sale().await? {
            return Ok(product);
        }
        self.forget_rates();
        on_sale().await?.ok_or_else(off_sale)
    }

    /// The product on sale of this name, whatever the case and the spaces.
    pub async fn product_named(&self, name: &str) -> Result<Option<Product>> {
        let book = self.rates.book(&self.core.store).await?;
        let mut on_sale = book.entries.iter().map(|entry| &entry.product);
        let found = on_sale.find(|product| product.active && product.is_called(name));
        Ok(found.cloned())
    }

    /// The services on sale.
    pub async fn services_on_sale(&self) -> Result<Vec<CourierDetail>> {
        let book = self.rates.book(&self.core.store).await?;
        let on_sale = book.entries.iter().map(|entry| &entry.product);
        let detail = |product: &crate::model::rates::price::Product| CourierDetail {
            product_name: product.product_name.clone(),
            product_id: product.product_id,
        };
        Ok(on_sale
            .filter(|product| product.active)
            .map(detail)
            .collect())
    }

    async fn rate_request(&self, gstin: &str, shipment: &Shipment) -> Result<RateAsk> {
        let ours = self.core.company.gst_state_code();
        Ok(RateAsk {
            shipment: shipment.clone(),
            day: date_in_india(self.core.clock.now_ms()),
            supply: supply(ours, gstin, &shipment.origin_pincode),
            book: self.rates.book(&self.core.store).await?,
        })
    }
}

/// What is said of a service that was taken off sale.
pub fn off_sale() -> Error {
    Error::NotFound("This service is not on sale any more.".into())
}
