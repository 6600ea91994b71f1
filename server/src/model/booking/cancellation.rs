//! Messages about a cancellation.

/// The customer's message after the cancellation.
pub const CANCELLED: &str = "The booking was cancelled. The money is back in your wallet.";

/// The customer's message while the courier has not answered.
pub const ASKED: &str = "The courier has not answered yet. We keep asking, and your money comes \
                         back as soon as it agrees.";

/// The reason against a cancellation: the booking is with the courier, or too old.
pub const TOO_LATE: &str = "This booking cannot be cancelled any more: it is with the courier, or \
                            older than 15 days.";

/// The remark in the shipment's events when its courier refuses the cancellation.
pub const REFUSED: &str = "The courier did not agree to cancel it";
