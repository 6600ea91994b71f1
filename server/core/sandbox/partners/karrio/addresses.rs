//! The carriers' checks of addresses and other texts.

use serde_json::Value;

use super::super::super::wire::Refusal;
use super::super::json::text;
use super::errors::failure;
use super::tariff::{CarrierService, message};

/// Refuses a shipment with an address line that is longer than its carrier takes, or with a sign
/// that spoils the XML of its label.
pub(super) fn check(body: &Value, service: &CarrierService) -> Result<(), Refusal> {
    if body.to_string().contains(['&', '<']) {
        let words = ["68", "xmlParseEntityRef: no name"];
        return Err(failure(&[message(service.account(), words)]));
    }
    let most = match service.carrier_name {
        "mydhl" => 45,
        _ => 35,
    };
    let lines = ["shipper", "recipient"].into_iter().flat_map(|party| {
        let line = |name: &str| text(&body[party], name);
        [line("address_line1"), line("address_line2")]
    });
    match lines.flatten().all(|line| line.chars().count() <= most) {
        true => Ok(()),
        false => {
            let words = ["1510", "The address line exceeds the maximum length."];
            Err(failure(&[message(service.account(), words)]))
        }
    }
}
