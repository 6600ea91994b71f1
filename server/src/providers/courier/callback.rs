//! Partners' callbacks (webhooks). Their header is a static shared secret and their body is not
//! signed, so a callback is only a hint to ask where a shipment is (carriers.md sections 5 and 6).

use serde::Deserialize;

use crate::model::wire::Text;

/// A callback. Everything else in it is ignored, as it proves nothing.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Callback {
    /// Where Shiprocket names the shipment.
    awb: Text,
    /// Where Karrio does.
    data: Data,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Data {
    tracking_number: Text,
}

/// The AWB a callback speaks of, empty when it speaks of something else. `None` for what is no
/// callback.
pub fn awb_of(body: &[u8]) -> Option<String> {
    // An array would be read as the fields in their order.
    let is_object = body.trim_ascii_start().first() == Some(&b'{');
    let callback: Callback = serde_json::from_slice(body).ok().filter(|_| is_object)?;
    let awb = callback.awb.or(callback.data.tracking_number.as_str());
    Some(awb.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_awb_is_taken_from_a_callback() {
        for (body, awb) in [
            (
                r#"{"awb": 19041424751540, "current_status": "DELIVERED"}"#,
                "19041424751540",
            ),
            (
                r#"{"awb": "X1", "scans": [{"date": 1}], "etd": null}"#,
                "X1",
            ),
            (
                r#"{"event": "tracker_updated", "data": {"tracking_number": "4271"}}"#,
                "4271",
            ),
            (r#"{"event": "order_created", "data": {"id": "ord_1"}}"#, ""),
            ("{}", ""),
        ] {
            assert_eq!(awb_of(body.as_bytes()).as_deref(), Some(awb), "{body}");
        }
        for body in [
            "",
            "[]",
            "\"DK1\"",
            "{",
            "[[\"DK1\"]]",
            r#"{"awb": {"a": 1}}"#,
            "\u{0}",
        ] {
            assert_eq!(awb_of(body.as_bytes()), None, "{body}");
        }
    }
}
