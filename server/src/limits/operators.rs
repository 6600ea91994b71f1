//! Limits of the commands of operators.

/// An operator's name (characters).
pub const OPERATOR_CHARS_MAX: usize = 60;

/// An operator's reason for an action (characters).
pub const REASON_CHARS_MAX: usize = 300;

/// The number of a bill, a payout or a claim, as its issuer gave it (characters).
pub const FOREIGN_NUMBER_CHARS_MAX: usize = 60;

/// Rows of an operator's list (count).
pub const OPERATOR_LINES_MAX: i64 = 1_000;

/// Receivers waiting for a call, shown to an operator (count).
pub const CALLS_SHOWN_MAX: i64 = 1_000;

/// Pickups of one day shown to an operator (count).
pub const PICKUPS_SHOWN_MAX: i64 = 1_000;
