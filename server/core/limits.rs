//! Every limit of the product, by subject: bytes, milliseconds, counts.

mod accounts;
mod bookings;
mod couriers;
mod kyc;
mod messages;
mod pages;
mod payments;
mod providers;
mod rates;
mod server;
mod tasks;

pub use accounts::*;
pub use bookings::*;
pub use couriers::*;
pub use kyc::*;
pub use messages::*;
pub use pages::*;
pub use payments::*;
pub use providers::*;
pub use rates::*;
pub use server::*;
pub use tasks::*;

/// Rate limit: `at_once` uses at first, then one more after every pause.
#[derive(Clone, Copy, Debug)]
pub struct Allowed {
    pub at_once: i64,
    pub pause_ms: i64,
}

/// Rules for background tasks of one kind.
#[derive(Clone, Copy, Debug)]
pub struct TaskRules {
    /// Tasks that one process runs at a time (count).
    pub at_once: usize,
    /// Interval between two polls for due tasks (milliseconds).
    pub every_ms: u64,
    /// Timeout of one attempt; afterwards another worker may claim the task (milliseconds).
    pub lease_ms: i64,
    /// Pauses between failed attempts; the last is repeated (milliseconds).
    pub pauses_ms: &'static [i64],
    /// Failed attempts in a row, after which an operator must act (count).
    pub tries_max: i64,
    /// Longest time until the next attempt of a task (milliseconds).
    pub ahead_ms_max: i64,
}

/// A day (milliseconds).
pub const DAY_MS: i64 = 24 * 60 * 60 * 1_000;

/// An hour (milliseconds).
pub const HOUR_MS: i64 = 60 * 60 * 1_000;
