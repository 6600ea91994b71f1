//! All rate cards in memory, and what they offer for a shipment on a day.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, Instant};

use time::Date;

use super::place::{self, Pin};
use super::rate::{Card, Price, Product, Supply, price};
use super::rate_zone::{Ends, Zoning};
use super::shipment::Shipment;
use crate::clock::month;
use crate::error::Result;
use crate::limits;
use crate::store::{self, Store};

/// Every product with its cards, and the zones they speak of.
#[derive(Clone, Debug, Default)]
pub struct RateBook {
    pub entries: Vec<Entry>,
    pub zonings: HashMap<String, Zoning>,
}

/// A product with its cards and fuel surcharges, the newest first.
#[derive(Clone, Debug)]
pub struct Entry {
    pub product: Product,
    pub cards: Vec<Card>,
    /// From a month (`2026-11`) on, in basis points.
    pub fuel: Vec<(String, i64)>,
}

/// A product that takes a shipment, with its price.
#[derive(Clone, Debug)]
pub struct Offer<'a> {
    pub product: &'a Product,
    pub tat_days: i64,
    pub price: Price,
}

impl RateBook {
    pub fn product(&self, product_id: i64) -> Option<&Product> {
        let mut products = self.entries.iter().map(|entry| &entry.product);
        products.find(|product| product.product_id == product_id)
    }

    /// The product under which a courier's service is known here.
    pub fn service(&self, courier: &str, service: &str) -> Option<&Product> {
        let mut products = self.entries.iter().map(|entry| &entry.product);
        products.find(|product| product.courier == courier && product.service == service)
    }

    /// What each product on sale that takes the shipment asks for it, cheapest first.
    pub fn offers(&self, shipment: &Shipment, day: Date, supply: Supply) -> Vec<Offer<'_>> {
        let Some(ends) = Ends::of(shipment) else {
            return Vec::new();
        };
        let on_sale = self.entries.iter().filter(|entry| {
            entry.product.active && entry.product.international == shipment.is_international()
        });
        let mut offers: Vec<Offer<'_>> = on_sale
            .filter_map(|entry| self.offer(entry, shipment, ends, day, supply))
            .collect();
        offers.sort_by_key(|offer| (offer.price.total, offer.product.product_id));
        offers
    }

    fn offer<'a>(
        &'a self,
        entry: &'a Entry,
        shipment: &Shipment,
        ends: Ends<'_>,
        day: Date,
        supply: Supply,
    ) -> Option<Offer<'a>> {
        let (product, card) = (&entry.product, entry.card(day)?);
        let lane = self.zonings.get(&product.zoning)?.lane(ends)?;
        let price = price((product, card), shipment, &lane, entry.fuel_bp(day), supply)?;
        let tat_days = card.zones.get(lane.zone)?.tat_days;
        Some(Offer {
            product,
            tat_days,
            price,
        })
    }
}

impl Entry {
    /// The newest card that has begun and not ended: one with a last day may stand in for an
    /// older one for a while.
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

/// The book as it was last read. Clones share it.
#[derive(Clone, Debug, Default)]
pub struct Rates(Arc<RwLock<Option<Read>>>);

#[derive(Clone, Debug)]
struct Read {
    book: Arc<RateBook>,
    version: i64,
    checked: Instant,
}

impl Rates {
    /// The book of the day: at most [`limits::RATES_STALE_MS_MAX`] behind the data base.
    pub async fn book(&self, store: &Store) -> Result<Arc<RateBook>> {
        let last = self.last();
        let fresh = Duration::from_millis(limits::RATES_STALE_MS_MAX);
        if let Some(last) = last.as_ref().filter(|last| last.checked.elapsed() < fresh) {
            return Ok(last.book.clone());
        }
        let checked = Instant::now();
        let mut conn = store.read().await?;
        // Read first: a change that comes in between is then noticed the next time.
        let version = store::rates::version(&mut conn).await?;
        let book = match last.filter(|last| last.version == version) {
            Some(last) => last.book,
            None => {
                place::add(store::rates::pins(&mut conn).await?);
                Arc::new(store::rates::book(&mut conn).await?)
            }
        };
        let read = Read {
            book: book.clone(),
            version,
            checked,
        };
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = Some(read);
        Ok(book)
    }

    /// Looks at the data base the next time, however fresh the book is.
    pub fn forget(&self) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = None;
    }

    fn last(&self) -> Option<Read> {
        self.0
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }
}

/// Adds a PIN code to the data base; servers know it soon.
pub async fn add_pin(store: &Store, pin: Pin) -> Result<()> {
    store
        .write(move |conn| {
            Box::pin(async move {
                store::rates::put_pin(conn, &pin).await?;
                store::rates::count_up(conn).await
            })
        })
        .await
}
