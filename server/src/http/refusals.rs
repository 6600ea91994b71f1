//! The statuses by which each call of the API refuses, for its description.

use std::collections::BTreeSet;

/// The shape of a call, from which some of its refusals follow.
#[derive(Clone, Copy, Debug)]
pub struct CallShape {
    pub is_private: bool,
    pub has_body: bool,
    pub has_parameters: bool,
}

/// Refusals of single calls, beside those that follow from a call's shape.
const OWN: &[(&str, &[u16])] = &[
    ("post /auth/login", &[401, 429]),
    ("post /auth/login/code", &[401, 429]),
    ("post /auth/register", &[429]),
    ("post /auth/forgot-password", &[429, 502]),
    ("post /auth/reset-password", &[429]),
    ("post /auth/profile", &[409, 429]),
    ("post /auth/change-password", &[429]),
    ("post /auth/sessions/{id}/end", &[429]),
    ("post /auth/sessions/end-others", &[429]),
    ("post /auth/passkeys/begin", &[409, 429]),
    ("post /auth/passkeys", &[409, 429]),
    ("post /auth/passkeys/{id}/remove", &[409, 429]),
    ("post /auth/passkeys/confirm", &[409, 429]),
    ("post /auth/passkeys/login/begin", &[409, 429]),
    ("post /auth/passkeys/login", &[401, 409, 429]),
    ("post /shipping/calculate-rate", &[429]),
    ("post /shipping/create-booking", &[402, 404, 409, 422, 429, 502]),
    ("post /shipping/booking/{id}/cancel", &[409, 429]),
    ("post /shipping/booking/{id}/pickup", &[409, 429]),
    ("post /shipping/booking/{id}/pickup/cancel", &[409, 429]),
    ("post /shipping/pickups", &[404, 409, 429]),
    ("get /shipping/track/{awb}", &[429]),
    ("get /booking/draft", &[404]),
    ("put /booking/draft", &[409, 429]),
    ("delete /booking/draft", &[409, 429]),
    ("post /booking/kyc-upload", &[429]),
    ("post /booking/presets", &[409]),
    ("put /booking/presets/{id}", &[409]),
    ("delete /booking/presets/{id}", &[409]),
    ("post /payment/phonepe/create", &[409, 429, 502]),
    ("post /payment/phonepe/verify", &[404, 429]),
    ("post /payment/phonepe/dismiss", &[404]),
    ("post /payment/phonepe/callback", &[401]),
    ("post /couriers/karrio/callback", &[401, 404]),
    ("post /couriers/domestic/callback", &[401, 404]),
    ("post /wallet/weight-differences/{id}/accept", &[402, 409]),
    ("post /wallet/weight-differences/{id}/dispute", &[409]),
];

/// Returns the statuses of a call, named as `get /wallet/balance`.
pub fn of(call: &str, shape: CallShape) -> BTreeSet<u16> {
    let CallShape { is_private, has_body, has_parameters } = shape;
    let is_change = !call.starts_with("get ");
    let own = OWN.iter().find(|(name, _)| *name == call).map_or(&[] as &[u16], |(_, own)| *own);
    let by_shape = [
        (401, is_private),
        (403, is_change && !call.ends_with("/callback")),
        (404, call.contains('{')),
        (400, has_body || has_parameters),
        (408, has_body),
        // An address may be too long as well.
        (413, has_body || has_parameters),
        (503, true),
    ];
    let by_shape = by_shape.into_iter().filter(|(_, is_so)| *is_so).map(|(status, _)| status);
    own.iter().copied().chain(by_shape).collect()
}

/// Describes a refusal of this status.
pub fn meaning(status: u16) -> &'static str {
    match status {
        400 => "A field is wrong or missing; `errors` names each of them.",
        401 => "No valid session, or a wrong credential.",
        402 => "The wallet does not cover it.",
        403 => "A browser sent it from another site.",
        404 => "There is no such thing, or it belongs to someone else.",
        408 => "The body came too slowly.",
        409 => "In conflict with the present state; `code` tells the reason.",
        413 => "The body is too large.",
        422 => "The Idempotency-Key was used for another body.",
        429 => "Too many requests; `retry_after_s` tells when to ask again.",
        502 => "A provider failed, and nothing was done.",
        503 => "Too busy at present, or our storage fails; nothing was done.",
        _ => "Why it was not done.",
    }
}

/// Describes an answer of this status, where a call says nothing of its own.
pub fn answer_meaning(status: &str) -> &'static str {
    match status {
        "201" => "It was created.",
        "202" => "It was accepted, and the answer tells what comes next.",
        _ => "What was asked for, or what was done.",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_refuses_by_its_shape_and_by_its_own_rules() {
        let shape = CallShape { is_private: true, has_body: true, has_parameters: true };
        let statuses: Vec<u16> = of("post /shipping/create-booking", shape).into_iter().collect();
        let all = [400, 401, 402, 403, 404, 408, 409, 413, 422, 429, 502, 503];
        assert_eq!(statuses, all);
        let shape = CallShape { has_body: false, has_parameters: false, ..shape };
        let statuses: Vec<u16> = of("get /wallet/balance", shape).into_iter().collect();
        assert_eq!(statuses, [401, 503]);
    }
}
