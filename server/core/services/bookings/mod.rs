//! Bookings: confirmation, courier orders, tracking, cancellation, documents.

mod addresses;
mod batch;
mod booked_drafts;
mod booking_queue;
pub mod bulk;
pub mod cancel;
mod charge;
pub mod confirm;
pub mod courier_form;
pub mod courier_orders;
pub mod document_numbers;
pub mod history;
pub mod invoices;
pub mod labels;
pub mod late_orders;
pub mod pickup_calls;
pub mod pickups;
mod prepared;
pub mod price;
mod scans;
pub mod search;
pub mod search_index;
pub mod settle;
pub mod tracking;
pub mod unresolved;

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use moka::future::Cache;

use self::booking_queue::BookingQueue;
use super::accounts::rate_limits::{ClientIp, per_client};
use super::booking_otp::Consents;
use super::core::Core;
use super::fair_queue::{FairQueue, MANY_PAPERS, QueueRules};
use super::message_budgets::MessageBudgets;
use super::pricing::Pricing;
use super::pricing::couriers::Couriers;
use super::rate_limiter::Pace;
use crate::limits;
use crate::providers::vault::Vault;
use crate::random::random_bytes;

/// Books couriers and tracks their shipments. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Bookings {
    core: Core,
    pricing: Pricing,
    consents: Consents,
    couriers: Arc<Couriers>,
    /// Encrypts numbers of identity documents.
    vault: Vault,
    labels: CourierLabels,
    unindexed: UnindexedCustomers,
    queue: Arc<BookingQueue>,
    /// Requests of one client for unknown AWB numbers.
    unknown_awbs: Arc<Pace<ClientIp>>,
    /// Requests of one client for calls.
    calls: Arc<Pace<ClientIp>>,
    message_budgets: MessageBudgets,
    /// True if shipments are simulated, which labels state.
    sandbox: bool,
}

impl Bookings {
    pub fn new(
        core: Core,
        pricing: Pricing,
        consents: Consents,
        couriers: Arc<Couriers>,
        vault: Vault,
        message_budgets: MessageBudgets,
        sandbox: bool,
    ) -> Bookings {
        let limited = core.budgets.is_limited();
        let limit = |kind, allowed| Arc::new(per_client(kind, limited.then_some(allowed)));
        Bookings {
            unknown_awbs: limit("client_unknown_awbs", limits::CLIENT_UNKNOWN_AWBS),
            calls: limit("client_calls", limits::CLIENT_CALLS),
            message_budgets,
            core,
            pricing,
            consents,
            couriers,
            vault,
            labels: CourierLabels::default(),
            unindexed: UnindexedCustomers::default(),
            queue: Arc::default(),
            sandbox,
        }
    }
}

/// Couriers' labels: fetched once for concurrent requests, and cached for a while.
#[derive(Clone, Debug)]
struct CourierLabels {
    /// Keyed by booking id.
    cache: Cache<String, Option<Bytes>>,
    /// Limits each customer, so that requests to a slow courier leave room for others.
    lanes: FairQueue,
}

impl Default for CourierLabels {
    fn default() -> CourierLabels {
        let weight = |id: &String, pdf: &Option<Bytes>| {
            let bytes = id.len() + pdf.as_ref().map_or(0, Bytes::len);
            u32::try_from(bytes).unwrap_or(u32::MAX)
        };
        let cache = Cache::builder()
            .weigher(weight)
            .max_capacity(limits::LABELS_BYTES_MAX)
            .time_to_live(Duration::from_millis(limits::LABEL_KEPT_MS));
        CourierLabels {
            cache: cache.build(),
            lanes: FairQueue::new(QueueRules {
                kind: "labels",
                refusal: MANY_PAPERS,
                places: limits::LABELS_FETCHED_AT_ONCE_MAX,
                each: limits::CUSTOMER_LABELS_FETCHED_AT_ONCE_MAX,
                waiting_each: limits::CUSTOMER_PAPERS_WAITING_MAX,
            }),
        }
    }
}

/// Customers who may have many bookings without index. Later bookings add lost entries again.
#[derive(Clone, Debug, Default)]
struct UnindexedCustomers(Arc<Mutex<BTreeSet<String>>>);

impl UnindexedCustomers {
    /// Checks the customer of one booking in 256.
    fn note_sample(&self, user_id: &str) {
        if random_bytes() == [0] {
            self.note(user_id);
        }
    }

    fn note(&self, user_id: &str) {
        let mut noted = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if noted.len() < limits::CUSTOMERS_UNINDEXED_MAX {
            noted.insert(user_id.to_owned());
        }
    }

    fn take(&self) -> BTreeSet<String> {
        std::mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
