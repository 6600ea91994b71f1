//! The rate cards in memory, refreshed from the database.

use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, Instant};

use crate::error::Result;
use crate::limits;
use crate::model::rates::book::RateBook;
use crate::model::shipping::place;
use crate::store::{self, Store};

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

    /// Makes the next call check the database, however fresh the book is.
    pub fn forget(&self) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = None;
    }
}
