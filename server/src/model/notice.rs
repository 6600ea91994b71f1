//! Something a customer is to be told about a booking.

use crate::model::booking::status::BookingStatus;

/// Something a customer is to be told.
#[derive(Clone, Debug)]
pub struct Notice {
    pub booking_id: String,
    /// What the booking came to.
    pub status: BookingStatus,
    pub awb: String,
    /// The customer's own address.
    pub email: String,
}
