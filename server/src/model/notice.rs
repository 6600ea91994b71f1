//! Something a customer is to be told about a booking.

use crate::model::booking::status::BookingStatus;

/// What there is to tell of a booking, each once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum News {
    /// It came to this status.
    Status(BookingStatus),
    /// Its courier did not agree to cancel it.
    CancelRefused,
}

impl News {
    /// The word in the database.
    pub fn word(self) -> &'static str {
        match self {
            News::Status(status) => status.word(),
            News::CancelRefused => "cancel_refused",
        }
    }

    pub fn parse(word: &str) -> Option<News> {
        match word {
            "cancel_refused" => Some(News::CancelRefused),
            _ => BookingStatus::parse(word).map(News::Status),
        }
    }
}

/// Something a customer is to be told.
#[derive(Clone, Debug)]
pub struct Notice {
    pub booking_id: String,
    pub news: News,
    pub awb: String,
    /// The customer's own address.
    pub email: String,
}
