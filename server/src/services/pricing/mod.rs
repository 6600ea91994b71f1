//! Prices of shipments: rate cards, couriers' offers, and quotes that are valid for half an hour.

pub mod couriers;
pub mod import;
mod offers;
pub mod quote_tokens;
pub mod quotes;
pub mod rate_book;

use std::sync::Arc;

use super::core::Core;
use crate::error::Result;
use couriers::Couriers;
use quote_tokens::QuoteTokens;
use rate_book::LoadedRates;

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
        self.rates.forget();
    }
}
