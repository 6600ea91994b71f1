//! Where providers call us back (their webhooks). The routes, the checks and the sandbox share
//! these addresses, so that they cannot differ.

use crate::model::courier;

/// Where the API begins; the paths below are relative to it.
pub const API: &str = "/api/v1";

/// Where PhonePe reports that an order or a refund changed.
pub const PHONEPE: &str = "/payment/phonepe/callback";

/// A partner courier's callback: its path below the API, and the header that carries the secret
/// which the operator entered at the partner.
#[derive(Debug)]
pub struct CourierCallback {
    pub courier: &'static str,
    pub path: &'static str,
    pub header: &'static str,
}

/// Karrio writes the hook's secret into `X-Event-Id`.
pub const KARRIO: CourierCallback = CourierCallback {
    courier: courier::KARRIO,
    path: "/couriers/karrio/callback",
    header: "x-event-id",
};

/// Shiprocket refuses an address that contains its own name, "sr" or "kr".
pub const SHIPROCKET: CourierCallback = CourierCallback {
    courier: courier::SHIPROCKET,
    path: "/couriers/domestic/callback",
    header: "x-api-key",
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shiprocket_takes_the_address_of_its_callbacks() {
        let address = format!("{API}{}", SHIPROCKET.path);
        for word in ["shiprocket", "kartrocket", "sr", "kr"] {
            assert!(!address.contains(word), "{word}");
        }
    }
}
