//! Partners' services, which become products when they are first seen.

use std::sync::Arc;

use super::Pricing;
use crate::error::Result;
use crate::model::courier::fares::{Fare, RateAsk};
use crate::model::rates::book::RateBook;
use crate::model::rates::margin::{Terms, USUAL_DIVISOR};
use crate::model::rates::price::Product;
use crate::model::shipping::grams::Grams;
use crate::{limits, store};

impl Pricing {
    /// Returns a rate book with every service of these fares: new ones are added.
    pub async fn learn_services(
        &self,
        ask: &RateAsk,
        fares: &[(&'static str, Option<Terms>, Fare)],
    ) -> Result<Arc<RateBook>> {
        let (book, international) = (&ask.book, ask.shipment.is_international());
        let is_new = |(code, _, fare): &&(&'static str, Option<Terms>, Fare)| {
            book.service(code, &fare.service).is_none()
        };
        let new: Vec<Product> = fares
            .iter()
            .filter(is_new)
            .map(|(code, _, fare)| product(code, fare, international))
            .collect();
        if new.is_empty() {
            return Ok(book.clone());
        }
        self.core
            .store
            .write(move |conn| {
                Box::pin(async move {
                    for product in &new {
                        store::rates::add_service(conn, product).await?;
                    }
                    store::rates::count_up(conn).await
                })
            })
            .await?;
        self.forget_rates();
        self.rates.book(&self.core.store).await
    }
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
