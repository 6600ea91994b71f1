//! Prices of shipments: rate cards, couriers' offers, and quotes that are valid for half an hour.

pub mod couriers;
pub mod import;
mod offers;
pub mod quote_tokens;
pub mod quotes;

use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, Instant};

use super::core::Core;
use crate::error::Result;
use crate::limits;
use crate::model::rates::book::RateBook;
use crate::model::shipping::place;
use crate::store::{self, Store};
use couriers::Couriers;
use quote_tokens::QuoteTokens;

/// Prices shipments. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Pricing {
    core: Core,
    rates: LoadedRates,
    couriers: Arc<Couriers>,
    tokens: QuoteTokens,
}

impl Pricing {
    pub fn new(core: Core, couriers: Arc<Couriers>, tokens: QuoteTokens) -> Pricing {
        Pricing { core, rates: LoadedRates::default(), couriers, tokens }
    }

    /// Loads the rate cards before the first request.
    pub async fn warm_up(&self) -> Result<()> {
        self.rates.book(&self.core.store).await.map(drop)
    }

    /// Discards the loaded rate cards, so that the next request checks the database.
    pub fn forget_rates(&self) {
        *self.rates.0.write().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

/// The last rate book read. Clones share it.
#[derive(Clone, Debug, Default)]
pub struct LoadedRates(Arc<RwLock<Option<LoadedBook>>>);

#[derive(Clone, Debug)]
struct LoadedBook {
    book: Arc<RateBook>,
    version: i64,
    checked: Instant,
}

impl LoadedRates {
    /// Returns the rate book, at most [`limits::RATES_STALE_MS_MAX`] behind the database.
    pub async fn book(&self, store: &Store) -> Result<Arc<RateBook>> {
        let last = self.0.read().unwrap_or_else(PoisonError::into_inner).clone();
        let fresh = Duration::from_millis(limits::RATES_STALE_MS_MAX);
        if let Some(last) = last.as_ref().filter(|last| last.checked.elapsed() < fresh) {
            return Ok(last.book.clone());
        }
        let checked = Instant::now();
        let mut conn = store.read().await?;
        // Read first, so that a change made meanwhile is noticed at the next check.
        let version = store::rates::version(&mut conn).await?;
        let book = match last.filter(|last| last.version == version) {
            Some(last) => last.book,
            None => {
                place::add(store::rates::pins(&mut conn).await?);
                Arc::new(store::rates::book(&mut conn).await?)
            }
        };
        *self.0.write().unwrap_or_else(PoisonError::into_inner) =
            Some(LoadedBook { book: book.clone(), version, checked });
        Ok(book)
    }
}
