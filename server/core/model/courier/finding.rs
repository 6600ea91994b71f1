//! Reports of couriers about shipments that an operator must look at.

use serde::Serialize;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FindingKind {
    /// Lost, damaged or destroyed. Nothing is paid back before an operator decides.
    Exception,
    /// The courier took back its word that the shipment has arrived.
    DeliveryWithdrawn,
    /// Its courier cancelled a shipment that had moved: nothing was paid back.
    CancelledLate,
    /// It was cancelled and paid back, and its courier carries it.
    MovedCancelled,
    /// It had not arrived when its tracking ended.
    NotArrived,
    /// It is in its courier's list and has no booking here: data was lost.
    NoBooking,
    /// A courier's word without a status of ours.
    UnknownWord,
}

impl FindingKind {
    pub const ALL: [FindingKind; 7] = [
        FindingKind::Exception,
        FindingKind::DeliveryWithdrawn,
        FindingKind::CancelledLate,
        FindingKind::MovedCancelled,
        FindingKind::NotArrived,
        FindingKind::NoBooking,
        FindingKind::UnknownWord,
    ];

    /// The word in the database.
    pub fn word(self) -> &'static str {
        match self {
            FindingKind::Exception => "exception",
            FindingKind::DeliveryWithdrawn => "delivery_withdrawn",
            FindingKind::CancelledLate => "cancelled_late",
            FindingKind::MovedCancelled => "moved_cancelled",
            FindingKind::NotArrived => "not_arrived",
            FindingKind::NoBooking => "no_booking",
            FindingKind::UnknownWord => "unknown_word",
        }
    }
}

/// A finding, as it is reported.
#[derive(Clone, Debug)]
pub struct NewFinding<'f> {
    pub kind: FindingKind,
    /// The booking's id; without a booking the courier and the order's reference; of an unknown
    /// word its courier and itself.
    pub subject: &'f str,
    pub awb: &'f str,
    pub courier: &'f str,
    pub detail: &'f str,
}

/// A finding in the operators' list. It contains nothing personal.
#[derive(Clone, Debug, Serialize)]
pub struct TrackingFinding {
    pub finding: String,
    /// The kind's word, which may be one of a newer version.
    pub kind: String,
    pub awb: String,
    pub courier: String,
    /// The kind of loss, the status that was reported, the order's reference, or the unknown word.
    pub detail: String,
    /// The number of its reports.
    pub reports: i64,
    pub first_at: i64,
    pub last_at: i64,
}
