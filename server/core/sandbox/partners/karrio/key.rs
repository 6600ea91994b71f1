//! Karrio's API key.

use axum::extract::{Request, State};
use axum::http::{HeaderMap, header};
use axum::middleware::Next;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::super::super::wire::{Answer, ProtocolError, header_text};
use super::super::partner::Partner;
use super::errors::{error_reply, refuse};

/// Returns true if the headers carry the API key, as `Token` or as the user name of `Basic`.
pub(super) fn is_shown(partner: &Partner, headers: &HeaderMap) -> bool {
    let authorization = header_text(headers, header::AUTHORIZATION);
    let key = match authorization.and_then(|value| value.split_once(' ')) {
        Some(("Token", key)) => key.to_owned(),
        Some(("Basic", pair)) => {
            let pair = STANDARD.decode(pair).unwrap_or_default();
            let pair = String::from_utf8(pair).unwrap_or_default();
            pair.split(':').next().unwrap_or_default().to_owned()
        }
        _ => return false,
    };
    partner.user.secret.is(key.as_bytes())
}

pub(super) async fn authorised(
    State(partner): State<Partner>,
    request: Request,
    next: Next,
) -> Answer {
    if is_shown(&partner, request.headers()) {
        Ok(next.run(request).await)
    } else if request.headers().contains_key(header::AUTHORIZATION) {
        Err(error_reply(ProtocolError::Unauthorized))
    } else {
        Err(refuse(401, "not_authenticated", "Authentication credentials were not provided."))
    }
}
