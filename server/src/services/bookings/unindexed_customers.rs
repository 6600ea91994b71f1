//! Customers whose bookings the search index may lack.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

use crate::limits;
use crate::random::random_bytes;

/// Customers who may have many bookings without index. Later bookings add lost entries again.
#[derive(Clone, Debug, Default)]
pub(super) struct UnindexedCustomers(Arc<Mutex<BTreeSet<String>>>);

impl UnindexedCustomers {
    /// Checks the customer of one booking in 256.
    pub fn booked(&self, user_id: &str) {
        if random_bytes() == [0] {
            self.note(user_id);
        }
    }

    pub fn note(&self, user_id: &str) {
        let mut noted = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if noted.len() < limits::CUSTOMERS_UNINDEXED_MAX {
            noted.insert(user_id.to_owned());
        }
    }

    pub fn take(&self) -> BTreeSet<String> {
        std::mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
