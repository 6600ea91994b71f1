//! Limits of the providers and their sandbox, until they join `limits.rs`.

/// Connecting to another company's server (milliseconds; reliability.md H5).
pub const PROVIDER_CONNECT_MS_MAX: u64 = 5_000;
/// One operation with another company's server, tries and pauses included: below the 30 s
/// a browser waits for us (milliseconds; reliability.md H5).
pub const PROVIDER_TOTAL_MS_MAX: u64 = 25_000;
/// One try of a question that may be asked again (milliseconds).
pub const PROVIDER_READ_MS_MAX: u64 = 8_000;
/// One try of an order that must not be sent twice; the rest of the total is left for asking
/// what became of it (milliseconds).
pub const PROVIDER_WRITE_MS_MAX: u64 = 15_000;
/// Tries of a question that may be asked again (count).
pub const PROVIDER_READ_TRIES_MAX: u32 = 3;
/// The pause before the second try; it doubles before every further one (milliseconds).
pub const PROVIDER_RETRY_MS: u64 = 250;
/// One reply of another company's server (bytes; reliability.md H5).
pub const PROVIDER_REPLY_BYTES_MAX: usize = 1024 * 1024;
/// The pause after a token could not be renewed while the old one still serves (milliseconds).
pub const GATEWAY_TOKEN_RETRY_MS: u64 = 5_000;
/// A merchant order id (bytes; payments.md 1.3).
pub const MERCHANT_ORDER_ID_BYTES_MAX: usize = 63;
/// How often the sandbox looks whether something is due (milliseconds).
pub const SANDBOX_TICK_MS: u64 = 250;
/// How long a stopping sandbox lets requests finish (milliseconds).
pub const SANDBOX_SHUTDOWN_MS_MAX: u64 = 1_000;
/// Requests and callbacks the sandbox remembers, each; the oldest are forgotten (count).
pub const SANDBOX_LOG_ENTRIES_MAX: usize = 20_000;
/// The body of one request to the sandbox (bytes).
pub const SANDBOX_BODY_BYTES_MAX: usize = 64 * 1024;
/// How long the sandbox waits for the merchant to take a callback: PhonePe's 3-5 s
/// (milliseconds; payments.md 1.7).
pub const SANDBOX_CALLBACK_MS_MAX: u64 = 5_000;
/// The pause between sending the browser back and the callback (milliseconds).
pub const SANDBOX_CALLBACK_PAUSE_MS: u64 = 300;
