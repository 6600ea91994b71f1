//! PhonePe's callbacks (developer.phonepe.com, Standard Checkout, "Webhook"). Their header is a
//! hash of the user name and password from the merchant dashboard. It is always the same, and the
//! body is not signed. So a callback is never trusted: it only makes us request the status.

use serde::Deserialize;

use crate::model::digest::sha256_hex;
use crate::model::payment::is_merchant_order_id;
use crate::model::settings::secret::Secret;

/// The `Authorization` header of a genuine callback.
#[derive(Debug)]
pub(super) struct Expected(Secret);

impl Expected {
    /// Lower-case hex SHA-256 of `username:password`.
    pub fn new(username: &str, password: &Secret) -> Expected {
        let credentials = format!("{username}:{}", password.expose());
        Expected(Secret::new(sha256_hex(credentials.as_bytes())))
    }

    /// Compares in constant time. Upper case and the scheme word `SHA256` are allowed, because
    /// PhonePe's documents write both.
    pub fn matches(&self, authorization: &str) -> bool {
        let value = authorization.trim().to_ascii_lowercase();
        let hash = value.strip_prefix("sha256 ");
        self.0.is(hash.map_or(value.as_str(), str::trim).as_bytes())
    }
}

/// Reads the order id of a callback; for a refund, the id of the refunded order. Everything else in
/// the body is ignored, because it proves nothing. `None` if there is no usable id.
pub fn parse_callback(body: &[u8]) -> Option<String> {
    #[derive(Deserialize)]
    struct PhonePeCallback {
        payload: Payload,
    }
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Payload {
        merchant_order_id: Option<String>,
        original_merchant_order_id: Option<String>,
    }
    let callback: PhonePeCallback = serde_json::from_slice(body).ok()?;
    let payload = callback.payload;
    let id = payload.merchant_order_id.or(payload.original_merchant_order_id)?;
    is_merchant_order_id(&id).then_some(id)
}

#[cfg(test)]
mod tests {
    use super::*;

    const HASH: &str = "bc842c31a9e54efe320d30d948be61291f3ceee4766e36ab25fa65243cd76e0e";

    #[test]
    fn the_published_hash_is_genuine_with_and_without_its_scheme_word() {
        let expected = Expected::new("username", &Secret::new("password"));
        let upper = HASH.to_uppercase();
        for value in [HASH, &upper, &format!("SHA256 {HASH}"), &format!("sha256 {upper}")] {
            assert!(expected.matches(value), "{value}");
        }
    }

    #[test]
    fn any_other_header_is_not_genuine() {
        let expected = Expected::new("username", &Secret::new("password"));
        let almost = format!("{}f", &HASH[..63]);
        for value in ["", "SHA256 ", &HASH[..63], &format!("{HASH}0"), &almost, "Bearer x", "é"] {
            assert!(!expected.matches(value), "{value:?}");
        }
    }

    #[test]
    fn only_the_order_id_is_taken_from_a_callback() {
        let order = br#"{"event":"checkout.order.completed","payload":{"merchantOrderId":"A-1",
            "state":"COMPLETED","amount":1,"new":[{}]},"type":"x"}"#;
        assert_eq!(parse_callback(order).as_deref(), Some("A-1"));
        let refund = br#"{"payload":{"merchantRefundId":"R","originalMerchantOrderId":"A-2"}}"#;
        assert_eq!(parse_callback(refund).as_deref(), Some("A-2"));
        for body in [&b""[..], b"[]", b"{}", br#"{"payload":{"merchantOrderId":"../x"}}"#] {
            assert_eq!(parse_callback(body), None);
        }
    }
}
