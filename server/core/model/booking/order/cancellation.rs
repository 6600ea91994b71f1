//! The rule of cancellation, and its messages.

use std::sync::LazyLock;

use crate::limits::{CANCEL_DAYS_MAX, DAY_MS};
use crate::model::booking::order::status::BookingStatus;

/// The customer's message after the cancellation.
pub const CANCELLED: &str = "The booking was cancelled. The money is back in your wallet.";

/// The customer's message after a cancellation whose money paid a debt.
pub const PAID_DEBT: &str = "The booking was cancelled. The money is back, less what you owed us.";

/// The customer's message while the courier has not answered.
pub const ASKED: &str = "The courier has not answered yet. We keep asking, and your money comes \
                         back as soon as it agrees.";

/// The customer's message after a request: an operator looks if our driver has fetched it.
pub const REQUESTED: &str = "Your cancellation is a request: our driver may have fetched the \
                             parcel already. We look, and your money comes back if it is still \
                             with you.";

/// The reason against a cancellation: the booking is with the courier, or too old.
pub static TOO_LATE: LazyLock<String> = LazyLock::new(|| {
    format!(
        "This booking cannot be cancelled any more: it is with the courier, or older than \
         {CANCEL_DAYS_MAX} days."
    )
});

/// The remark in the shipment's events when its courier refuses the cancellation.
pub const REFUSED: &str = "The courier did not agree to cancel it";

/// The answer to a customer who wants to cancel a booking.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cancellable {
    Yes,
    /// It was requested before. It is completed, however long the courier takes.
    Requested,
    /// The booking is with the courier, too old, or over.
    No,
}

/// Decides whether a booking of this status and time may be cancelled now.
pub fn cancellable(status: BookingStatus, created_ms: i64, now_ms: i64) -> Cancellable {
    let is_late = now_ms - created_ms > CANCEL_DAYS_MAX * DAY_MS;
    match status {
        BookingStatus::Cancelling => Cancellable::Requested,
        BookingStatus::Pending | BookingStatus::BOOKED if !is_late => Cancellable::Yes,
        _ => Cancellable::No,
    }
}
