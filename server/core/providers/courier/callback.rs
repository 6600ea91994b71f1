//! Callbacks (webhooks) of partners. Their only proof is a fixed secret in a header, and the body
//! is not signed. So a callback is never trusted: it only makes us request the tracking status.

use serde::Deserialize;

use crate::model::openapi_schema::Text;

/// The fields of a callback that we read.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct CourierCallback {
    /// Shiprocket's field of the AWB.
    awb: Text,
    /// Karrio's object with its field of the AWB.
    data: TrackerData,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct TrackerData {
    tracking_number: Text,
}

/// Reads the AWB of a callback. Empty if the callback is about something else; `None` for a body
/// that is not a JSON object.
pub fn awb_of(body: &[u8]) -> Option<String> {
    // serde would read an array as the fields in order.
    let is_object = body.trim_ascii_start().first() == Some(&b'{');
    let callback: CourierCallback = serde_json::from_slice(body).ok().filter(|_| is_object)?;
    let awb = callback.awb.or(callback.data.tracking_number.as_str());
    Some(awb.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_awb_is_taken_from_a_callback() {
        for (body, awb) in [
            (r#"{"awb": 19041424751540, "current_status": "DELIVERED"}"#, "19041424751540"),
            (r#"{"awb": "X1", "scans": [{"date": 1}], "etd": null}"#, "X1"),
            (r#"{"event": "tracker_updated", "data": {"tracking_number": "4271"}}"#, "4271"),
            (r#"{"event": "order_created", "data": {"id": "ord_1"}}"#, ""),
            ("{}", ""),
        ] {
            assert_eq!(awb_of(body.as_bytes()).as_deref(), Some(awb), "{body}");
        }
        for body in ["", "[]", "\"DK1\"", "{", "[[\"DK1\"]]", r#"{"awb": {"a": 1}}"#, "\u{0}"] {
            assert_eq!(awb_of(body.as_bytes()), None, "{body}");
        }
    }
}
