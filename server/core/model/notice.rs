//! Notifications to customers and receivers about a booking.

use crate::model::account::user::LetterRecipient;
use crate::model::booking::order::status::BookingStatus;
use crate::model::shipping::status::ShipmentStatus;

/// The events of a booking that are notified, each once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BookingEvent {
    Status(BookingStatus),
    /// An operator looks if our driver has it.
    CancelRequested,
    CancelRefused,
    /// The courier took back its word that the shipment was delivered.
    DeliveryWithdrawn,
    /// It was cancelled and carried all the same, and its price was charged again.
    ChargedAgain,
    /// An SMS to the receiver, which the sender requested.
    Receiver(ReceiverNews),
}

/// The kinds of SMS to a receiver, each sent once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReceiverNews {
    /// A shipment is coming, with a tracking link.
    Booked,
    OutForDelivery,
}

impl ReceiverNews {
    /// The SMS to send at this status, if any.
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
            BookingEvent::CancelRequested => "cancel_requested",
            BookingEvent::CancelRefused => "cancel_refused",
            BookingEvent::DeliveryWithdrawn => "delivery_withdrawn",
            BookingEvent::ChargedAgain => "charged_again",
            BookingEvent::Receiver(ReceiverNews::Booked) => "receiver_booked",
            BookingEvent::Receiver(ReceiverNews::OutForDelivery) => "receiver_out_for_delivery",
        }
    }

    pub fn parse(word: &str) -> Option<BookingEvent> {
        let news = [ReceiverNews::Booked, ReceiverNews::OutForDelivery].map(BookingEvent::Receiver);
        let own = [
            BookingEvent::CancelRequested,
            BookingEvent::CancelRefused,
            BookingEvent::DeliveryWithdrawn,
            BookingEvent::ChargedAgain,
        ];
        let mut others = news.into_iter().chain(own);
        let other = others.find(|it| it.word() == word);
        other.or_else(|| BookingStatus::parse(word).map(BookingEvent::Status))
    }
}

#[derive(Clone, Debug)]
pub struct Notice {
    pub booking_id: String,
    pub news: BookingEvent,
    /// The customer. `is_confirmed` is set when the address is confirmed to be theirs.
    pub reader: LetterRecipient,
    pub is_confirmed: bool,
}
