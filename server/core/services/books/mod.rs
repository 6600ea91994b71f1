//! Operators' bookkeeping: movements of money, couriers' claims, and the gateway's report.

mod audits;
pub(crate) mod carried;
pub mod daily_reports;
mod logged_heads;
pub mod movements;
pub mod reconciliation;
pub(crate) mod sealing;
pub mod weight_claims;

use std::sync::Arc;

use super::core::Core;
use logged_heads::LoggedHeads;

/// The customers' side of the books: answers to weight claims. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Books {
    core: Core,
    heads: Arc<LoggedHeads>,
}

/// An instruction to move money: its operator, reason and idempotency key.
#[derive(Clone, Debug)]
pub struct Instruction {
    /// The idempotency key: the same instruction repeated changes nothing.
    pub id: String,
    pub actor: String,
    /// The reason, for operators.
    pub note: String,
    pub now_ms: i64,
}

impl Books {
    pub fn new(core: Core) -> Books {
        Books { core, heads: Arc::default() }
    }
}
