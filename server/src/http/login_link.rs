//! The address of the login page that leads back to where a visitor was.

use axum::http::Uri;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, PercentEncode, utf8_percent_encode};

/// Returns the address of the login that leads back here; `expired` if the session has just ended.
pub fn login_address(uri: &Uri, expired: bool) -> String {
    let page = uri.path_and_query().map_or("/dashboard", |path| path.as_str());
    let expired = if expired { "&expired=1" } else { "" };
    format!("/login?next={}{expired}", encode(page))
}

/// The ASCII characters that are encoded in a query value.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'/').remove(b'-').remove(b'_').remove(b'.');

/// Percent-encodes a text for use in a query value.
pub fn encode(text: &str) -> PercentEncode<'_> {
    utf8_percent_encode(text, ENCODED)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_safe_inside_a_query() {
        assert_eq!(
            encode("/dashboard?tab=bookings&page=2").to_string(),
            "/dashboard%3Ftab%3Dbookings%26page%3D2"
        );
    }
}
