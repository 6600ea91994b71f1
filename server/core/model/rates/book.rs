//! All rate cards, and their offers for a shipment on a day.

use std::collections::HashMap;

use time::Date;

use crate::model::calendar::month;
use crate::model::rates::price::{Card, Price, Product, Supply, price};
use crate::model::rates::zone::{Endpoints, Zoning};
use crate::model::shipping::shipment::Shipment;

/// All products with their cards, and the zonings that they refer to.
#[derive(Clone, Debug, Default)]
pub struct RateBook {
    pub entries: Vec<BookedProduct>,
    pub zonings: HashMap<String, Zoning>,
}

/// A product with its cards and fuel surcharges, the newest first.
#[derive(Clone, Debug)]
pub struct BookedProduct {
    pub product: Product,
    pub cards: Vec<Card>,
    /// Fuel surcharges: the first month (`2026-11`) and the basis points.
    pub fuel: Vec<(String, i64)>,
}

#[derive(Clone, Debug)]
pub struct HouseOffer<'a> {
    pub product: &'a Product,
    pub tat_days: i64,
    pub price: Price,
}

impl RateBook {
    pub fn product(&self, product_id: i64) -> Option<&Product> {
        let mut products = self.entries.iter().map(|entry| &entry.product);
        products.find(|product| product.product_id == product_id)
    }

    pub fn service(&self, courier: &str, service: &str) -> Option<&Product> {
        let mut products = self.entries.iter().map(|entry| &entry.product);
        products.find(|product| product.courier == courier && product.service == service)
    }

    /// Returns the price of each active product that accepts the shipment, cheapest first.
    pub fn offers(&self, shipment: &Shipment, day: Date, supply: Supply) -> Vec<HouseOffer<'_>> {
        let Some(ends) = Endpoints::of(shipment) else {
            return Vec::new();
        };
        let on_sale = self.entries.iter().filter(|entry| {
            entry.product.active && entry.product.international == shipment.is_international()
        });
        let mut offers: Vec<HouseOffer<'_>> =
            on_sale.filter_map(|entry| self.offer(entry, shipment, &ends, day, supply)).collect();
        offers.sort_by_key(|offer| (offer.price.total, offer.product.product_id));
        offers
    }

    fn offer<'a>(
        &'a self,
        entry: &'a BookedProduct,
        shipment: &Shipment,
        ends: &Endpoints<'_>,
        day: Date,
        supply: Supply,
    ) -> Option<HouseOffer<'a>> {
        let (product, card) = (&entry.product, entry.card(day)?);
        let lane = self.zonings.get(&product.zoning)?.lane(ends)?;
        let price = price((product, card), shipment, &lane, entry.fuel_bp(day), supply)?;
        let tat_days = card.zones.get(lane.zone)?.tat_days;
        Some(HouseOffer { product, tat_days, price })
    }
}

impl BookedProduct {
    /// The newest card in force: one with a last day may replace an older one for a while.
    fn card(&self, day: Date) -> Option<&Card> {
        let in_force =
            |card: &&Card| card.from <= day && card.until.is_none_or(|until| day <= until);
        self.cards.iter().find(in_force)
    }

    fn fuel_bp(&self, day: Date) -> i64 {
        let month = month(day);
        let in_force = self.fuel.iter().find(|(from, _)| *from <= month);
        in_force.map_or(0, |(_, bp)| *bp)
    }
}
