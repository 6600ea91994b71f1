//! Quotes: prices promised to one user for exactly one shipment, for half an hour.

use super::Pricing;
use super::offers::Offers;
use crate::error::{Error, Result};
use crate::model::account::session::CurrentUser;
use crate::model::account::user::User;
use crate::model::booking::handover::hand_in_sentence;
use crate::model::booking::order::tracking::courier_name;
use crate::model::booking::pickup::hours_name;
use crate::model::calendar::date_in_india;
use crate::model::courier::fares::RateAsk;
use crate::model::rates::price::{Product, Supply};
use crate::model::rates::quote::{
    CourierDetail, Intake, Offer, PackedQuote, Quoted, RateOption, StoredQuote, note, quote_id,
    supply,
};
use crate::model::shipping::shipment::Shipment;
use crate::providers::courier::pickup::Fetches;
use crate::random::row_id;
use crate::services::customer_limits::Budget;

impl Pricing {
    /// Prices a shipment with every courier that accepts it, cheapest first. The GSTIN is that of
    /// the recipient of the tax invoice.
    pub async fn calculate(
        &self,
        user: &CurrentUser,
        gstin: &str,
        shipment: &Shipment,
    ) -> Result<Quoted> {
        let now_ms = self.core.clock.now_ms();
        self.core.budgets.take(Budget::Quotes, user.id(), now_ms)?;
        let request = self.rate_request(&user.user, gstin, shipment).await?;
        let offers = self.offers(request, None).await?;
        self.quote_offers(user, gstin, shipment, offers)
    }

    /// Prices a shipment with one product: the current price, for a booking without a valid quote.
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
        let request = self.rate_request(&user.user, gstin, shipment).await?;
        let mut offers = self.offers(request, Some(&product.courier)).await?;
        offers.offers.retain(|offer| offer.product.product_id == product_id);
        self.quote_offers(user, gstin, shipment, offers)
    }

    /// Returns the user's own quote, expired or booked or not.
    pub fn quote(&self, user: &CurrentUser, token: &str) -> Option<StoredQuote> {
        self.tokens.open(user.id(), token)
    }

    fn quote_offers(
        &self,
        user: &CurrentUser,
        gstin: &str,
        shipment: &Shipment,
        offers: Offers,
    ) -> Result<Quoted> {
        let now_ms = self.core.clock.now_ms();
        let calculation_id = row_id(now_ms);
        let quoted = |offer: Offer| -> Result<RateOption> {
            let quote_id = quote_id(&calculation_id, offer.product.product_id);
            let quote = PackedQuote::of(&offer, shipment, gstin, now_ms);
            let token = self.tokens.seal(user.id(), &quote_id, &quote)?;
            let intake = self.intake(&offer.product)?;
            Ok(RateOption::of(offer, token, intake))
        };
        Ok(Quoted {
            notes: note(&offers.missing).into_iter().collect(),
            rates: offers.offers.into_iter().map(quoted).collect::<Result<_>>()?,
        })
    }

    fn intake(&self, product: &Product) -> Result<Intake> {
        let courier = self.couriers.of(&product.courier)?;
        let (vendor, drop_off) = (&product.parent_vendor, &self.core.company.drop_off);
        let name = courier_name(&product.product_name, vendor);
        Ok(Intake {
            pickup_hours: hours_name(courier.slots()),
            always_fetched: courier.fetches(vendor) == Fetches::Always,
            hand_in: hand_in_sentence(&name, &product.courier, drop_off),
            addresses: courier.addresses(&product.service),
        })
    }

    /// Returns a product on sale. If it is unknown, the rates are reloaded once, as another server
    /// may just have added it.
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

    /// Returns the product on sale of this name, ignoring case and spaces.
    pub async fn product_named(&self, name: &str) -> Result<Option<Product>> {
        let book = self.rates.book(&self.core.store).await?;
        let mut on_sale = book.entries.iter().map(|entry| &entry.product);
        let product = on_sale.find(|product| product.active && product.is_called(name));
        Ok(product.cloned())
    }

    /// Returns the services on sale.
    pub async fn services_on_sale(&self) -> Result<Vec<CourierDetail>> {
        let book = self.rates.book(&self.core.store).await?;
        let on_sale = book.entries.iter().map(|entry| &entry.product);
        let detail = |product: &Product| CourierDetail {
            product_name: product.product_name.clone(),
            product_id: product.product_id,
        };
        Ok(on_sale.filter(|product| product.active).map(detail).collect())
    }

    async fn rate_request(&self, user: &User, gstin: &str, shipment: &Shipment) -> Result<RateAsk> {
        Ok(RateAsk {
            shipment: shipment.clone(),
            day: date_in_india(self.core.clock.now_ms()),
            supply: self.supply(user, gstin, shipment),
            book: self.rates.book(&self.core.store).await?,
        })
    }

    /// Returns the supply to the recipient with this GSTIN, as it is taxed now.
    pub fn supply(&self, user: &User, gstin: &str, shipment: &Shipment) -> Supply {
        let company = &self.core.company;
        match (user.is_sez(gstin), company.lut.is_empty()) {
            (true, false) => Supply::ZeroRated,
            (true, true) => Supply::BetweenStates,
            (false, _) => supply(company.gst_state_code(), gstin, &shipment.origin_pincode),
        }
    }
}

pub fn off_sale() -> Error {
    Error::NotFound("This service is not on sale any more.".into())
}
