//! Quotes: prices promised to one user for exactly one shipment, for half an hour.

use super::Pricing;
use super::couriers::Offers;
use crate::error::{Error, Result};
use crate::model::account::session::CurrentUser;
use crate::model::calendar::date_in_india;
use crate::model::courier::fares::RateAsk;
use crate::model::rates::price::Product;
use crate::model::rates::quote::{
    CourierDetail, Offer, Quoted, RateOption, StoredQuote, note, supply,
};
use crate::model::shipping::shipment::Shipment;
use crate::random::random_id;
use crate::{limits, store};

impl Pricing {
    /// Prices a shipment with every courier that takes it, cheapest first, and keeps the quotes.
    /// The GSTIN is that of whoever the tax invoice will be for.
    pub async fn calculate(
        &self,
        user: &CurrentUser,
        gstin: &str,
        shipment: &Shipment,
    ) -> Result<Quoted> {
        let asked = self.rate_request(gstin, shipment).await?;
        let offers = self.offers(asked, None).await?;
        self.quoted(user, gstin, shipment, offers).await
    }

    /// The same for one product only: the price of the moment, where a booking's quote does not
    /// hold or there is none.
    pub async fn calculate_one(
        &self,
        user: &CurrentUser,
        gstin: &str,
        shipment: &Shipment,
        product_id: i64,
    ) -> Result<Quoted> {
        let Ok(product) = self.product(product_id).await else {
            return Ok(Quoted::default());
        };
        let asked = self.rate_request(gstin, shipment).await?;
        let mut offers = self.offers(asked, Some(&product.courier)).await?;
        let is_it = |offer: &Offer| offer.product.product_id == product_id;
        offers.offers.retain(is_it);
        self.quoted(user, gstin, shipment, offers).await
    }

    /// Offers as quotes, which are kept.
    async fn quoted(
        &self,
        user: &CurrentUser,
        gstin: &str,
        shipment: &Shipment,
        offers: Offers,
    ) -> Result<Quoted> {
        let numbered = |offer| RateOption::of(offer, random_id());
        let rates: Vec<RateOption> = offers.offers.into_iter().map(numbered).collect();
        self.keep_quotes(user, gstin, shipment, &rates).await?;
        Ok(Quoted {
            rates,
            notes: note(&offers.missing).into_iter().collect(),
        })
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

    async fn keep_quotes(
        &self,
        user: &CurrentUser,
        gstin: &str,
        shipment: &Shipment,
        options: &[RateOption],
    ) -> Result<()> {
        let created_ms = self.core.clock.now_ms();
        let (shipment_hash, json) = (shipment.fingerprint(), shipment.to_json());
        let quote = |option: &RateOption| StoredQuote {
            quote_id: option.quote_id.clone(),
            product_id: option.product_id,
            shipment_hash: shipment_hash.clone(),
            shipment: json.clone(),
            price: serde_json::to_string(&option.breakdown).expect("a price is plain data"),
            total: option.grand_total_with_gst,
            courier: option.courier,
            gstin: gstin.to_owned(),
            tat_days: option.tat_days,
            created_ms,
            expires_ms: created_ms + limits::QUOTE_MS_MAX,
        };
        let quotes: Vec<StoredQuote> = options.iter().map(quote).collect();
        let user_id = user.id().to_owned();
        self.core
            .store
            .write(move |conn| {
                Box::pin(async move { store::quotes::add(conn, &user_id, &quotes).await })
            })
            .await
    }
}

/// What is said of a service that was taken off sale.
pub fn off_sale() -> Error {
    Error::NotFound("This service is not on sale any more.".into())
}
