//! What is kept, sent and tried about who a customer is.

use super::DAY_MS;

/// How long is kept what happened to accounts: a year, as rule 6(1)(e) of the Digital Personal Data
/// Protection Rules, 2025 asks for (milliseconds).
pub const SECURITY_EVENT_MS_MAX: i64 = 365 * DAY_MS;
/// Of that, what a customer is shown (count).
pub const ACTIVITY_SHOWN: i64 = 20;
/// Logins with names that nobody has, written down for one client within an hour (count).
pub const UNKNOWN_NAMES_AN_HOUR_MAX: i64 = 20;
