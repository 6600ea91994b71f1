//! Comparison of ETags.

use axum::http::{HeaderMap, header};

/// Returns true if the request names this ETag (RFC 9110 section 13.1.2; weak comparison).
pub fn has_current(request: &HeaderMap, etag: &str) -> bool {
    let tags = request.get(header::IF_NONE_MATCH).and_then(|value| value.to_str().ok());
    tags.is_some_and(|tags| {
        tags.split(',').map(|tag| tag.trim().trim_start_matches("W/")).any(|tag| tag == etag)
    })
}
