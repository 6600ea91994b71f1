//! What every service needs, and nothing that only one of them does.

use std::sync::Arc;

use crate::clock::Clock;
use crate::config::Company;
use crate::store::Store;

/// The database, the time, and who we are. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Core {
    pub store: Store,
    pub clock: Clock,
    /// The operator, on documents and in letters.
    pub company: Arc<Company>,
    /// How customers reach us: scheme and host, without a slash at the end.
    pub public_url: Arc<str>,
}
