//! What every service needs, and nothing that only one of them does.

use std::ops::Deref;
use std::sync::Arc;

use tokio::sync::Notify;

use super::customer_limits::Budgets;
use crate::clock::Clock;
use crate::model::settings::company::Company;
use crate::model::task::TaskKind;
use crate::store::Store;

/// One for the process: every service has a clone, which is a count.
#[derive(Clone, Debug)]
pub struct Core(Arc<CoreParts>);

impl Core {
    pub fn new(parts: CoreParts) -> Core {
        Core(Arc::new(parts))
    }
}

impl Deref for Core {
    type Target = CoreParts;

    fn deref(&self) -> &CoreParts {
        &self.0
    }
}

/// The database, the time, and who we are.
#[derive(Debug)]
pub struct CoreParts {
    pub store: Store,
    pub clock: Clock,
    /// The operator, on documents and in letters.
    pub company: Arc<Company>,
    /// How customers reach us: scheme and host, without a slash at the end.
    pub public_url: Arc<str>,
    /// This process, on the tasks that it is at.
    pub node: Arc<str>,
    pub wakes: Wakes,
    /// What each customer may do in a short time.
    pub budgets: Budgets,
}

/// Wakes those who work on tasks before they look of themselves.
#[derive(Debug, Default)]
pub struct Wakes([Notify; TaskKind::ALL.len()]);

impl Wakes {
    /// A task of this kind became due just now, and its transaction is over.
    pub fn wake(&self, kind: TaskKind) {
        self.0[kind as usize].notify_one();
    }

    /// Returns when somebody woke this kind.
    pub async fn woken(&self, kind: TaskKind) {
        self.0[kind as usize].notified().await;
    }
}
