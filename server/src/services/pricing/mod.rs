//! What a shipment costs: rate cards, couriers' offers, and quotes that hold for half an hour.

pub mod couriers;
pub mod import;
pub mod partners;
pub mod quote_tokens;
pub mod quotes;
pub mod rate_book;
pub mod samples;

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
        Pricing {
            core,
            rates: LoadedRates::default(),
            couriers,
            tokens,
        }
    }

    /// Reads the rate cards ahead of the first customer.
    pub async fn warm_up(&self) -> Result<()> {
        self.rates.book(&self.core.store).await.map(drop)
    }

    /// Reads the rate cards anew the next time, however fresh they are.
    pub fn forget_rates(&self) {
        self.rates.forget();
    }
}
