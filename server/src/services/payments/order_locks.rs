//! Locks of payment orders: one request to the gateway at a time about each.

use std::collections::HashMap;
use std::sync::{Arc, Weak};

use tokio::sync::{Mutex, OwnedMutexGuard};

/// The locks of orders that are being checked.
#[derive(Debug, Default)]
pub(super) struct OrderLocks {
    locks: std::sync::Mutex<HashMap<String, Weak<Mutex<()>>>>,
}

/// Held while the gateway is called about an order.
pub(super) type OrderLock = OwnedMutexGuard<()>;

impl OrderLocks {
    pub fn lock(&self, id: &str) -> Arc<Mutex<()>> {
        let mut locks = self.locks.lock().expect("no code panics while holding it");
        locks.retain(|_, lock| lock.strong_count() > 0);
        if let Some(lock) = locks.get(id).and_then(Weak::upgrade) {
            return lock;
        }
        let lock = Arc::default();
        locks.insert(id.to_owned(), Arc::downgrade(&lock));
        lock
    }
}
