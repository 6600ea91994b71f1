//! The address of the login page that leads back to where a visitor was.

use axum::http::Uri;

/// Returns the address of the login that leads back here; `expired` if the session has just ended.
pub fn login_address(uri: &Uri, expired: bool) -> String {
    let wanted = uri
        .path_and_query()
        .map_or("/dashboard", |path| path.as_str());
    let expired = if expired { "&expired=1" } else { "" };
    format!("/login?next={}{expired}", encode(wanted))
}

/// Percent-encodes a text for use in a query value.
pub fn encode(path: &str) -> String {
    use std::fmt::Write;
    path.bytes()
        .fold(String::with_capacity(path.len()), |mut text, byte| {
            match byte {
                b'/' | b'-' | b'_' | b'.' => text.push(char::from(byte)),
                byte if byte.is_ascii_alphanumeric() => text.push(char::from(byte)),
                byte => {
                    let _ = write!(text, "%{byte:02X}");
                }
            }
            text
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_safe_inside_a_query() {
        assert_eq!(
            encode("/dashboard?tab=bookings&page=2"),
            "/dashboard%3Ftab%3Dbookings%26page%3D2"
        );
    }
}
