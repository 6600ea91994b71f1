//! One-time passwords: some couriers want the consignor's word before they take a shipment, and an
//! account's phone number is its owner's once a code came back from there.

/// What a code is about that confirms the number of its account.
pub const PHONE: &str = "phone";

/// A code as it is kept.
#[derive(Clone, Debug)]
pub struct Otp {
    pub otp_id: String,
    /// The quote of the booking that it confirms, or [`PHONE`].
    pub about: String,
    /// By what the number is counted that it went to; `None` for a booking's.
    pub receiver: Option<String>,
    pub seal: String,
    pub created_ms: i64,
    pub expires_ms: i64,
}

/// The sentence for what is no code.
pub const NO_CODE: &str = "Please enter the 6 digits of the OTP.";
