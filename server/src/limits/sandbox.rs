//! Limits of the sandbox, the pretend partners of tests and development.

/// Interval at which the sandbox checks for due work (milliseconds).
pub const SANDBOX_TICK_MS: u64 = 250;

/// Pause between two bytes of a reply that the sandbox sends slowly (milliseconds).
pub const SANDBOX_DRIP_MS: u64 = 1_000;

/// Pause before the sandbox cuts a reply in two, so that its first half is sent (milliseconds).
pub const SANDBOX_CUT_MS: u64 = 50;

/// Time for open requests to finish when the sandbox stops (milliseconds).
pub const SANDBOX_SHUTDOWN_MS_MAX: u64 = 1_000;

/// Requests and callbacks the sandbox's log keeps, each; the oldest are dropped (count).
pub const SANDBOX_LOG_ENTRIES_MAX: usize = 20_000;

/// The body of one request to the sandbox (bytes).
pub const SANDBOX_BODY_BYTES_MAX: usize = 64 * 1024;

/// Timeout for the merchant to accept a sandbox callback: PhonePe's 3-5 s (milliseconds;
/// server/docs/payments.md).
pub const SANDBOX_CALLBACK_MS_MAX: u64 = 5_000;

/// Pause between redirecting the browser and the callback (milliseconds).
pub const SANDBOX_CALLBACK_PAUSE_MS: u64 = 300;
