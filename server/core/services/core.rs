//! State shared by all services.

use std::sync::Arc;

use super::customer_limits::Budgets;
use crate::clock::Clock;
use crate::error::Result;
use crate::model::account::security_event::SecurityEvent;
use crate::model::settings::company::Company;
use crate::store::{self, Store};

/// One per process: every service has a clone.
pub type Core = Arc<CoreParts>;

/// The database, the clock, and our company.
#[derive(Debug)]
pub struct CoreParts {
    pub store: Store,
    pub clock: Clock,
    /// The seller on documents and in letters.
    pub company: Arc<Company>,
    /// Documents of registered buyers are registered at the portal for e-invoices.
    pub e_invoice: bool,
    /// The public URL: scheme and host, without a trailing slash.
    pub public_url: Arc<str>,
    /// The name of this process in leases of tasks and in the log.
    pub node: Arc<str>,
    pub budgets: Budgets,
}

impl CoreParts {
    /// Records an event that has no other change in its transaction.
    pub(super) async fn note(&self, event: SecurityEvent) -> Result<()> {
        let note = self.store.write(move |conn| {
            Box::pin(async move { store::security_events::add(conn, &event).await })
        });
        note.await
    }
}
