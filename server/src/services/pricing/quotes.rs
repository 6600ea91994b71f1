//! Quotes: prices promised to one user for exactly one shipment, for half an hour.

use super::Pricing;
use crate::error::{Error, Result};
use crate::model::account::session::CurrentUser;
use crate::model::account::user::User;
use crate::model::calendar::date_in_india;
use crate::model::courier::fares::RateAsk;
use crate::model::rates::price::Product;
use crate::model::rates::quote::{CourierDetail, Quoted, RateOption, StoredQuote, note, supply};
use crate::model::shipping::shipment::Shipment;
use crate::random::random_id;
use crate::{limits, store};

impl Pricing {
    /// Prices a shipment with every courier that takes it, cheapest first, and keeps the quotes.
    pub async fn calculate(&self, user: &CurrentUser, shipment: &Shipment) -> Result<Quoted> {
        let asked = self.rate_request(&user.user, shipment).await?;
        let offers = self.offers(asked, None).await?;
        let rates: Vec<RateOption> = offers
            .offers
            .into_iter()
            .map(|offer| RateOption::of(offer, random_id()))
            .collect();
        self.keep_quotes(user, shipment, &rates).await?;
        Ok(Quoted {
            rates,
            notes: note(&offers.missing).into_iter().collect(),
        })
    }

    /// The same for one product only: the fresh price when a booking's quote no longer holds.
    pub async fn calculate_one(
        &self,
        user: &CurrentUser,
        shipment: &Shipment,
        product_id: i64,
    ) -> Result<Vec<RateOption>> {
        let Ok(product) = self.product(product_id).await else {
            return Ok(Vec::new());
        };
        let asked = self.rate_request(&user.user, shipment).await?;
        let offers = self.offers(asked, Some(&product.courier)).await?;
        let mut rates: Vec<RateOption> = offers
            .offers
            .into_iter()
            .map(|offer| RateOption::of(offer, random_id()))
            .collect();
        rates.retain(|option| option.product_id == product_id);
        self.keep_quotes(user, shipment, &rates).await?;
        Ok(rates)
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
        let gone = || Error::NotFound("This service is not on sale any more.".into());
        on_sale().await?.ok_or_else(gone)
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

    async fn rate_request(&self, user: &User, shipment: &Shipment) -> Result<RateAsk> {
        let ours = self.core.company.gst_state_code();
        Ok(RateAsk {
            shipment: shipment.clone(),
            day: date_in_india(self.core.clock.now_ms()),
            supply: supply(ours, &user.gstin, &shipment.origin_pincode),
            book: self.rates.book(&self.core.store).await?,
        })
    }

    async fn keep_quotes(
        &self,
        user: &CurrentUser,
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
            gstin: user.user.gstin.clone(),
            tat_days: option.tat_days,
            created_ms,
            expires_ms: created_ms + limits::QUOTE_MS_MAX,
        };
        let quotes: Vec<StoredQuote> = options.iter().map(quote).collect();
        let user_id = user.id().to_owned();
        self.core
            .store
            .write(move |conn| {
                Box::pin(async move {
                    for quote in &quotes {
                        store::quotes::add(conn, &user_id, quote).await?;
                    }
                    Ok(())
                })
            })
            .await
    }
}
