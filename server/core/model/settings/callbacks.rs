//! The addresses of providers' callbacks (webhooks), for the routes, the checks and the sandbox.

use crate::model::courier;

/// The base path of the API; the paths below are relative to it.
pub const API: &str = "/api/v1";

/// PhonePe's callback about a changed order or refund.
pub const PHONEPE: &str = "/payment/phonepe/callback";

/// A partner's callback: its path, and the header with the secret that the operator entered there.
#[derive(Debug)]
pub struct CourierCallback {
    pub courier: &'static str,
    pub path: &'static str,
    pub header: &'static str,
}

/// Karrio sends the webhook's secret as `X-Event-Id`.
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

/// The paths that are authenticated by a header of their own.
pub const ALL: [&str; 3] = [PHONEPE, KARRIO.path, SHIPROCKET.path];

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
