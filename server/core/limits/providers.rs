//! Limits of calls to outside services, and of the sandbox, which plays them in tests.

/// Timeout for connecting to another company's server (milliseconds).
pub const PROVIDER_CONNECT_MS_MAX: u64 = 5_000;

/// Timeout of one operation with its retries and pauses, below the browser's 30 s (milliseconds).
pub const PROVIDER_TOTAL_MS_MAX: u64 = 25_000;

/// Timeout of one attempt of a request that may be repeated (milliseconds).
pub const PROVIDER_READ_MS_MAX: u64 = 8_000;

/// Timeout of one attempt of an order; in the rest of the total it is looked up (milliseconds).
pub const PROVIDER_WRITE_MS_MAX: u64 = 15_000;

/// Attempts of a request that may be repeated (count).
pub const PROVIDER_READ_TRIES_MAX: u32 = 3;

/// Pause before the second attempt; it doubles before every further one (milliseconds).
pub const PROVIDER_RETRY_MS: u64 = 250;

/// Failures in a row after which requests to another company's server are suspended (count).
pub const PROVIDER_FAILURES_MAX: u32 = 8;

/// Time for which requests to such a server are suspended, below the 30 s in which it must be
/// usable again (milliseconds; server/docs/design-decisions.md, "Timeouts and circuit breaker").
pub const PROVIDER_REST_MS: u64 = 5_000;

/// One reply of another company's server (bytes).
pub const PROVIDER_REPLY_BYTES_MAX: usize = 1024 * 1024;

/// Timeout of sending one email or SMS, connecting included (milliseconds).
pub const NOTIFY_MS_MAX: u64 = 10_000;

/// Messages the sandbox's inbox keeps (count).
pub const INBOX_MESSAGES_MAX: usize = 200;

/// Pause after a token was not renewed while the old one is still valid (milliseconds).
pub const PROVIDER_TOKEN_RETRY_MS: u64 = 5_000;

/// Timeout of sending a batch of spans to the collector of traces (milliseconds).
pub const SPANS_SENDING_MS_MAX: u64 = 5_000;

/// Time in which a process that ends sends its last spans (milliseconds).
pub const SPANS_LEFT_MS_MAX: u64 = 1_500;

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

/// Timeout of a sandbox callback: PhonePe's 3-5 s, server/docs/payments.md (milliseconds).
pub const SANDBOX_CALLBACK_MS_MAX: u64 = 5_000;

/// Pause between redirecting the browser and the callback (milliseconds).
pub const SANDBOX_CALLBACK_PAUSE_MS: u64 = 300;
