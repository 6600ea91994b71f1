//! Bookings: confirmation, courier orders, tracking, cancellation, documents.

mod batch;
mod booking_queue;
pub mod bulk;
pub mod cancel;
mod charge;
pub mod confirm;
pub mod courier_form;
mod courier_labels;
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
pub mod search;
pub mod search_index;
pub mod settle;
pub mod tracking;
mod unindexed_customers;
pub mod unresolved;
pub mod view;

use std::sync::Arc;

use self::booking_queue::BookingQueue;
use self::courier_labels::CourierLabels;
use self::unindexed_customers::UnindexedCustomers;
use super::accounts::rate_limits::RateLimit;
use super::booking_otp::Consents;
use super::core::Core;
use super::pricing::Pricing;
use super::pricing::couriers::Couriers;
use crate::limits;
use crate::providers::vault::Vault;

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
    unknown_awbs: Arc<RateLimit>,
    /// Requests of one client for calls.
    calls: Arc<RateLimit>,
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
        sandbox: bool,
    ) -> Bookings {
        let limited = core.budgets.is_limited();
        let limit = |kind, allowed| Arc::new(RateLimit::new(kind, limited.then_some(allowed)));
        Bookings {
            unknown_awbs: limit("client_unknown_awbs", limits::CLIENT_UNKNOWN_AWBS),
            calls: limit("client_calls", limits::CLIENT_CALLS),
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
