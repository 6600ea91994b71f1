//! Limits of pickups.

use super::{Allowed, HOUR_MS};

/// Working days that a customer may choose among (count).
pub const PICKUP_DAYS: usize = 5;
/// After the hours of a pickup a parcel that nobody fetched was missed. Couriers report late
/// (milliseconds).
pub const PICKUP_LATE_MS: i64 = 3 * HOUR_MS;
/// Why a courier did not agree, as it is kept (characters).
pub const PICKUP_REASON_CHARS_MAX: usize = 160;
/// Pickups that one customer asks for, moves or calls off.
pub const CUSTOMER_PICKUPS: Allowed = Allowed {
    at_once: 60,
    pause_ms: 10_000,
};
/// Pickups of a partner that are looked through for ours, newest first (count).
pub const PICKUPS_LISTED: usize = 100;
/// Receivers who wait for a call that an operator is shown (count).
pub const CALLS_SHOWN_MAX: i64 = 1_000;
/// Pickups that an operator is shown of one day (count).
pub const PICKUPS_SHOWN_MAX: i64 = 1_000;
