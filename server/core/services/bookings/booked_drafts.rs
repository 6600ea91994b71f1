//! Drafts that are confirmed once more, from another window or device.

use serde_json::value::to_raw_value;

use crate::error::{Error, Result};
use crate::model::booking::Booking;
use crate::model::booking::form::draft::BookedDraft;
use crate::model::booking::order::status::BookingStatus;
use crate::store::{self, Conn};

/// # Errors
/// `DraftBooked` if the draft was booked before, `Conflict` with `in_flight` while its courier has
/// not answered.
pub(super) async fn refuse_booked_draft(
    conn: &mut Conn,
    user_id: &str,
    draft_id: &str,
) -> Result<()> {
    let Some(booking) = store::bookings::of_draft(conn, user_id, draft_id).await? else {
        return Ok(());
    };
    if booking.status == BookingStatus::Pending {
        return Err(in_flight());
    }
    let Booking { booking_id, awb, .. } = booking;
    let message = format!("This draft is booked already as {awb}. It was not charged again.");
    let data = to_raw_value(&BookedDraft { booking_id, awb }).map_err(Error::internal)?;
    Err(Error::DraftBooked { message: message.into(), data })
}

pub(super) fn in_flight() -> Error {
    let message = "We are confirming this with the courier. Your money is set aside and not spent.";
    Error::Conflict { code: "in_flight", message: message.into() }
}
