//! The result of a confirmation, equal for all requests with its idempotency key.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::model::booking::Booking;
use crate::model::digest::sha256_hex;
use crate::model::money::paise::Paise;

/// The customer's message when the courier accepted the booking.
pub const BOOKED: &str = "Booking created successfully!";
/// The customer's message when the same body came less than two minutes before.
pub const REPEATED: &str = "This was booked a moment ago. It was not booked or charged again.";
/// The customer's message when the courier refused the booking.
pub const REFUSED: &str = "The courier did not take this booking, and nothing was charged. Please \
                           try again or choose another service.";

/// The user and idempotency key of a confirmation.
#[derive(Clone, Debug)]
pub struct Claim {
    pub user_id: String,
    pub idempotency_key: String,
    pub request_hash: String,
    /// The key was made from the body.
    pub is_body: bool,
}

impl Claim {
    /// Without a key, the body is used as one for a while. No client's key has a colon.
    pub fn of(user_id: &str, key: Option<&str>, body: &str) -> Claim {
        let request_hash = sha256_hex(body.as_bytes());
        let of_body = || format!("body:{request_hash}");
        Claim {
            user_id: user_id.to_owned(),
            idempotency_key: key.map_or_else(of_body, str::to_owned),
            request_hash,
            is_body: key.is_none(),
        }
    }
}

/// The end of a confirmation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Confirmation {
    /// The courier accepted it, and it was charged.
    Booked(BookedShipment),
    /// The courier refused it, and nothing was charged.
    Refused,
}

/// The end of a confirmation for one request.
#[derive(Clone, Debug)]
pub struct Confirmed {
    pub outcome: Confirmation,
    /// True if an equal body came before, without a key: nothing was booked this time.
    pub repeated: bool,
}

/// The stored state of a confirmation's key.
#[derive(Clone, Debug)]
pub struct KnownConfirmation {
    pub claimed_ms: i64,
    /// Hash of the first request with this key.
    pub request_hash: String,
    /// `None` while the courier has not answered.
    pub outcome: Option<Confirmation>,
}

/// A booked shipment as its confirmation answers it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct BookedShipment {
    pub airwaybilno: String,
    pub booking_id: String,
    /// The courier's number of the pickup, or ours; empty if the parcel is handed in.
    pub pickup_id: String,
    /// A sentence about the pickup or drop-off of the parcel.
    #[serde(default)]
    #[schema(required)]
    pub handover: String,
    /// The label.
    pub dispatch_url: String,
    pub invoice_url: String,
    pub amount: Paise,
    /// The balance afterwards.
    pub balance: Paise,
    /// A warning for before the parcel leaves; absent if there is none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub warning: String,
}

/// The warning about goods that probably need an e-way bill.
const NO_EWAY_BILL: &str = "Goods above ₹50,000 need an e-way bill before they move between \
                            states, and this booking has none.";

impl BookedShipment {
    pub fn of(
        booking: &Booking,
        pickup_id: String,
        handover: String,
        balance: Paise,
    ) -> BookedShipment {
        let warning = match booking.form.read().lacks_eway_bill() {
            true => NO_EWAY_BILL,
            false => "",
        };
        BookedShipment {
            airwaybilno: booking.awb.clone(),
            booking_id: booking.booking_id.clone(),
            pickup_id,
            handover,
            dispatch_url: format!("/bookings/{}/label.pdf", booking.booking_id),
            invoice_url: format!("/bookings/{}/invoice.pdf", booking.booking_id),
            amount: booking.amount,
            balance,
            warning: warning.to_owned(),
        }
    }
}
