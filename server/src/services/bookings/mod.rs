//! Bookings: confirmed once, taken by one courier or by none, followed, cancelled, documented.

pub mod call_offs;
pub mod cancel;
pub mod confirm;
pub mod courier_form;
pub mod courier_orders;
pub mod history;
pub mod invoices;
pub mod labels;
pub mod order_end;
pub mod price;
pub mod tracking;

use std::sync::Arc;

use tokio::sync::Notify;

use super::consents::Consents;
use super::core::Core;
use super::pricing::Pricing;
use super::pricing::couriers::Couriers;

/// Books couriers and follows their shipments. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Bookings {
    core: Core,
    pricing: Pricing,
    consents: Consents,
    couriers: Arc<Couriers>,
    /// Wakes the tracking round when a partner says that a shipment moved.
    moved: Arc<Notify>,
    /// Whether shipments are pretended, which labels say.
    sandbox: bool,
}

impl Bookings {
    pub fn new(
        core: Core,
        pricing: Pricing,
        consents: Consents,
        couriers: Arc<Couriers>,
        sandbox: bool,
    ) -> Bookings {
        Bookings {
            core,
            pricing,
            consents,
            couriers,
            moved: Arc::default(),
            sandbox,
        }
    }

    /// Returns when a partner said that a shipment moved.
    pub async fn shipment_moved(&self) {
        self.moved.notified().await;
    }
}
