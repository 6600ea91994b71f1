//! One-time passwords: some couriers want the consignor's word before they take a shipment.

/// A code as it is kept.
#[derive(Clone, Debug)]
pub struct Otp {
    pub otp_id: String,
    pub quote_id: String,
    pub seal: String,
    pub created_ms: i64,
    pub expires_ms: i64,
}
