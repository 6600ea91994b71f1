//! Bulk actions on bookings chosen in the list, with a result for each.

use serde::Serialize;
use utoipa::ToSchema;

use crate::model::booking::order::cancellation::{Cancellable, cancellable};
use crate::model::booking::order::history::HistoryRow;
use crate::model::booking::order::status::BookingStatus;
use crate::model::money::paise::Paise;

/// The action requested for the bookings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ChosenFor {
    /// To cancel them, once the customer has confirmed it.
    Cancel,
    /// They were to be cancelled.
    Cancelled,
    /// To print their labels.
    Labels,
}

/// The result for one booking.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ChosenEnd {
    Cancelled,
    /// Its courier has not answered yet, and is asked until it does.
    Asked,
    /// Our own driver may have fetched it: an operator looks.
    Requested,
    TooLate,
    /// Nothing was done now: to be tried again.
    Later,
    /// Its label is its courier's own file.
    CouriersLabel,
    /// Its courier has not confirmed it.
    NotYet,
    /// It is cancelled.
    NoLabel,
}

#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ChosenBooking {
    pub booking: HistoryRow,
    /// None for one with which nothing has been done, or whose label is in the file.
    #[schema(required)]
    pub end: Option<ChosenEnd>,
    /// True if our own driver may have fetched it: an operator decides about a cancellation.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub by_request: bool,
    /// The part of the returned money that paid a debt; absent if none did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub debt_paid: Option<Paise>,
}

#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ChosenBookings {
    pub wanted: ChosenFor,
    pub bookings: Vec<ChosenBooking>,
}

impl ChosenBookings {
    /// Lists bookings to confirm their cancellation. Marks those that are too late now.
    pub fn to_cancel(mut bookings: Vec<ChosenBooking>, now_ms: i64) -> ChosenBookings {
        for one in &mut bookings {
            let row = &one.booking;
            if cancellable(row.status, row.created_at, now_ms) == Cancellable::No {
                one.end = Some(match row.status {
                    BookingStatus::CANCELLED => ChosenEnd::Cancelled,
                    _ => ChosenEnd::TooLate,
                });
            }
        }
        ChosenBookings { wanted: ChosenFor::Cancel, bookings }
    }

    /// True if no booking needs a remark.
    pub fn is_plain(&self) -> bool {
        self.bookings.iter().all(|one| one.end.is_none())
    }
}
