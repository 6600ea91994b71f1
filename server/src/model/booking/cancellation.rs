//! What is said about a cancellation.

/// What the customer reads afterwards.
pub const CANCELLED: &str = "The booking was cancelled. The money is back in your wallet.";

/// What the customer reads while the courier is silent.
pub const ASKED: &str = "The courier has not answered yet. We keep asking, and your money comes \
                         back as soon as it agrees.";

/// Why a booking is not cancelled: it is on its way, or too old.
pub const TOO_LATE: &str = "This booking cannot be cancelled any more: it is with the courier, or \
                            older than 15 days.";

/// What is listed with the shipment when its courier does not let go of it.
pub const REFUSED: &str = "The courier did not agree to cancel it";
