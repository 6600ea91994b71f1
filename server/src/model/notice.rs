//! Something a customer is to be told about a booking.

use crate::model::booking::status::BookingStatus;

/// Something a customer is to be told.
#[derive(Clone, Debug)]
pub struct Notice {
    pub booking_id: String,
    /// What the booking came to.
    pub status: BookingStatus,
    /// How often it was tried before.
    pub tries: i64,
    pub awb: String,
    /// The customer's own address.
    pub email: String,
}
