//! Limits of letters and text messages to customers.

use super::{DAY_MS, HOUR_MS};

/// Pauses between attempts to send an e-mail about a booking, before it is given up (milliseconds).
pub const NOTICE_WAITS_MS: [i64; 8] =
    [30_000, 60_000, 5 * 60_000, 15 * 60_000, HOUR_MS, 2 * HOUR_MS, 4 * HOUR_MS, 8 * HOUR_MS];

/// Age above which no e-mail is sent about an event (milliseconds).
pub const NOTICE_MS_MAX: i64 = DAY_MS;

/// The highest threshold of a low-balance e-mail (rupees).
pub const LOW_BALANCE_RUPEES_MAX: i64 = 100_000;
