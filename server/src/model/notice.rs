//! Something a customer is to be told about a booking.

use crate::model::account::user::LetterRecipient;
use crate::model::booking::status::BookingStatus;
use crate::model::shipping::status::ShipmentStatus;

/// What there is to tell of a booking, each once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BookingEvent {
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

impl BookingEvent {
    /// The word in the database.
    pub fn word(self) -> &'static str {
        match self {
            BookingEvent::Status(status) => status.word(),
            BookingEvent::CancelRefused => "cancel_refused",
            BookingEvent::Receiver(ReceiverNews::Booked) => "receiver_booked",
            BookingEvent::Receiver(ReceiverNews::OutForDelivery) => "receiver_out_for_delivery",
        }
    }

    pub fn parse(word: &str) -> Option<BookingEvent> {
        match word {
            "cancel_refused" => Some(BookingEvent::CancelRefused),
            "receiver_booked" => Some(BookingEvent::Receiver(ReceiverNews::Booked)),
            "receiver_out_for_delivery" => {
                Some(BookingEvent::Receiver(ReceiverNews::OutForDelivery))
            }
            _ => BookingStatus::parse(word).map(BookingEvent::Status),
        }
    }
}

/// Something a customer is to be told.
#[derive(Clone, Debug)]
pub struct Notice {
    pub booking_id: String,
    pub news: BookingEvent,
    /// The customer, and whether the address is known to be theirs.
    pub reader: LetterRecipient,
    pub is_confirmed: bool,
}
