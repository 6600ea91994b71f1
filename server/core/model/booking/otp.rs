//! One-time passwords. Some couriers require the consignor's consent to take a shipment. A code
//! also confirms that an account's phone number belongs to its owner.

/// The subject of a code that confirms an account's phone number.
pub const PHONE: &str = "phone";

/// A code as stored.
#[derive(Clone, Debug)]
pub struct Otp {
    pub otp_id: String,
    /// The quote of the booking that it confirms, or [`PHONE`].
    pub subject: String,
    /// Keyed hash of the account's number; `None` for a booking's code.
    pub receiver: Option<String>,
    pub seal: String,
    pub created_ms: i64,
    pub expires_ms: i64,
}

/// The message for an invalid code.
pub const NO_CODE: &str = "Please enter the 6 digits of the OTP.";
