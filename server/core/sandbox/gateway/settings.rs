//! The settings that a developer or a test may change while the sandbox runs.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};

/// The sandbox's behaviour; `PATCH /__sim/settings` takes any of these fields.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct GatewaySettings {
    /// The address of callbacks; without it none are sent.
    pub callback_url: Option<String>,
    pub callbacks: CallbackMode,
    /// The delay of `delayed`, and between the two callbacks of `twice` (milliseconds).
    pub callback_delay_ms: u64,
    /// Set to write `SHA256 ` before the hash, as some of PhonePe's documents do and its SDKs do
    /// not.
    pub callback_scheme: bool,
    /// The status for a repeated merchant id, 400 or 417; PhonePe's own documents disagree.
    #[serde(deserialize_with = "duplicate_status")]
    pub duplicate_status: u16,
    /// The lifetime of a token (seconds).
    pub token_life_s: i64,
    /// The start of the `Referer` that the pay page requires: PhonePe's newer guide says that its
    /// page checks the merchant's domain.
    pub referrer: Option<String>,
    /// Set to add undocumented fields to every second reply.
    pub unknown_fields: bool,
    /// The time from PENDING to CONFIRMED, and from there to the end (milliseconds).
    pub refund_step_ms: i64,
    /// Set to end new refunds as FAILED instead of COMPLETED.
    pub refunds_fail: bool,
}

impl Default for GatewaySettings {
    fn default() -> GatewaySettings {
        GatewaySettings {
            callback_url: None,
            callbacks: CallbackMode::AfterRedirect,
            callback_delay_ms: 2_000,
            callback_scheme: false,
            duplicate_status: 417,
            token_life_s: 3_600,
            referrer: None,
            unknown_fields: true,
            refund_step_ms: 1_000,
            refunds_fail: false,
        }
    }
}

/// The time and the error of callbacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum CallbackMode {
    Never,
    /// Before the browser is redirected, which waits for the merchant's response.
    BeforeRedirect,
    /// Shortly after the browser was redirected.
    AfterRedirect,
    /// `callback_delay_ms` later.
    Delayed,
    Twice,
    WrongHash,
    UnknownEvent,
    /// With another amount than the order's.
    WrongAmount,
}

fn duplicate_status<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u16, D::Error> {
    match u16::deserialize(deserializer)? {
        status @ (400 | 417) => Ok(status),
        _ => Err(D::Error::custom("duplicate_status is 400 or 417")),
    }
}
