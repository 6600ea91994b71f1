//! Limits of pickups.

use super::{Allowed, HOUR_MS};

/// Working days offered for a pickup (count).
pub const PICKUP_DAYS: usize = 5;

/// Time after a pickup's hours at which an uncollected parcel counts as missed. Couriers report
/// late (milliseconds).
pub const PICKUP_LATE_MS: i64 = 3 * HOUR_MS;

/// A courier's stored reason for declining a pickup (characters).
pub const PICKUP_REASON_CHARS_MAX: usize = 160;

/// Pickups that one customer requests, moves or cancels.
pub const CUSTOMER_PICKUPS: Allowed = Allowed { at_once: 60, pause_ms: 10_000 };

/// Pickups at a partner searched for ours, newest first (count).
pub const PICKUPS_LISTED: usize = 100;
