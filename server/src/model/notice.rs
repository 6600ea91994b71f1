//! Something a customer is to be told about a booking.

use crate::model::account::user::Reader;
use crate::model::booking::status::BookingStatus;
use crate::model::shipping::status::ShipmentStatus;

/// What there is to tell of a booking, each once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum News {
    /// It came to this status.
    Status(BookingStatus),
    /// Its courier did not agree to cancel it.
    CancelRefused,
    /// Its receiver is told, as its sender wished.
    Receiver(ReceiverNews),
}

/// What a receiver is told by SMS, each once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReceiverNews {
    /// Something is coming, and where to follow it.
    Booked,
    OutForDelivery,
}

impl ReceiverNews {
    /// What there is to tell of this status.
    pub fn of(status: BookingStatus) -> Option<ReceiverNews> {
        match status.shipment() {
            Some(ShipmentStatus::Booked) => Some(ReceiverNews::Booked),
            Some(ShipmentStatus::OutForDelivery) => Some(ReceiverNews::OutForDelivery),
            _ => None,
        }
    }
}

impl News {
    /// The word in the database.
    pub fn word(self) -> &'static str {
        match self {
            News::Status(status) => status.word(),
            News::CancelRefused => "cancel_refused",
            News::Receiver(ReceiverNews::Booked) => "receiver_booked",
            News::Receiver(ReceiverNews::OutForDelivery) => "receiver_out_for_delivery",
        }
    }

    pub fn parse(word: &str) -> Option<News> {
        match word {
            "cancel_refused" => Some(News::CancelRefused),
            "receiver_booked" => Some(News::Receiver(ReceiverNews::Booked)),
            "receiver_out_for_delivery" => Some(News::Receiver(ReceiverNews::OutForDelivery)),
            _ => BookingStatus::parse(word).map(News::Status),
        }
    }
}

/// Something a customer is to be told.
#[derive(Clone, Debug)]
pub struct Notice {
    pub booking_id: String,
    pub news: News,
    /// The customer, and whether the address is known to be theirs.
    pub reader: Reader,
    pub is_confirmed: bool,
}
