//! The payment gateway's ids and names.

use crate::limits::MERCHANT_ORDER_ID_BYTES_MAX;

/// True if PhonePe accepts this as `merchantOrderId` or `merchantRefundId`: 1 to 63 of
/// `A-Z a-z 0-9 _ -` (developer.phonepe.com, Standard Checkout, "Initiate payment").
pub fn is_merchant_order_id(id: &str) -> bool {
    (1..=MERCHANT_ORDER_ID_BYTES_MAX).contains(&id.len())
        && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-')
}

/// The name of PhonePe's `paymentMode`, such as `UPI_INTENT`, as customers know it.
pub fn method_name(method: &str) -> &'static str {
    match method {
        "UPI_INTENT" | "PPE_INTENT" | "UPI_COLLECT" | "UPI_QR" => "UPI",
        "CARD" | "TOKEN" => "Card",
        "NET_BANKING" => "Net banking",
        _ => "PhonePe",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_order_id_is_short_and_plain() {
        for id in ["A", "TOPUP-01J0_abc", &"x".repeat(63)] {
            assert!(is_merchant_order_id(id), "{id}");
        }
        for id in ["", "a b", "a/b", "a?b", "é", "a.b", &"x".repeat(64)] {
            assert!(!is_merchant_order_id(id), "{id}");
        }
    }
}
