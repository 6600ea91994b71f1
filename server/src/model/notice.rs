//! What customers are told of their bookings by e-mail: that a courier took them, and every change
//! until they have arrived.
//!
//! A notice is written down with the change it tells of and sent after it, so that a mail server
//! that is slow or gone holds up nobody. It leaves at most once: what may have left is not sent
//! again.

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
