//! Every limit of the product in one place: bytes, milliseconds, counts.

mod bookings;
mod fairness;
mod identity;
mod kyc;
mod pickups;
mod tasks;

use std::ops::RangeInclusive;

pub use bookings::*;
pub use fairness::*;
pub use identity::*;
pub use kyc::*;
pub use pickups::*;
pub use tasks::{
    AUDIT_TASKS, CALL_OFF_TASKS, CANCELLATION_TASKS, COURIER_ORDER_TASKS, GATEWAY_REFUND_TASKS,
    NOTICES_TASKS, PAYMENT_TASKS, PICKUP_TASKS, RECONCILIATION_TASKS, TASK_PASSED_OVER_MS,
    TRACKING_TASKS, UPKEEP_TASKS,
};

/// Rate limit: `at_once` uses at first, then one more after every pause.
#[derive(Clone, Copy, Debug)]
pub struct Allowed {
    pub at_once: i64,
    pub pause_ms: i64,
}

/// Rules for background tasks of one kind.
#[derive(Clone, Copy, Debug)]
pub struct TaskRules {
    /// Tasks that one process runs at a time (count).
    pub at_once: usize,
    /// Interval between two polls for due tasks (milliseconds).
    pub every_ms: u64,
    /// Timeout of one attempt; afterwards another worker may claim the task (milliseconds).
    pub lease_ms: i64,
    /// Pauses between failed attempts; the last is repeated (milliseconds).
    pub pauses_ms: &'static [i64],
    /// Failed attempts in a row, after which an operator must act (count).
    pub tries_max: i64,
    /// Longest time until the next attempt of a task (milliseconds).
    pub ahead_ms_max: i64,
}

/// Default timeout of one rendering by a JavaScript engine, unless `DAKIYA_SSR_MS` is set
/// (milliseconds).
pub const RENDER_MS: u64 = 200;
/// The JSON value given to one rendering (bytes).
pub const RENDER_PROPS_BYTES_MAX: usize = 256 * 1024;
/// Renderings waiting for an engine; one more is refused and the client renders (count).
pub const RENDER_QUEUE_MAX: usize = 64;
/// Size of the cache of private pages, keys included (bytes).
pub const DRAWN_PAGES_BYTES_MAX: u64 = 32 << 20;
/// Lifetime of a cached private page: a customer's data does not stay in memory longer
/// (milliseconds).
pub const DRAWN_PAGE_MS_MAX: u64 = 10 * 60_000;
/// The heap of one engine (mebibytes).
pub const ENGINE_HEAP_MIB_MAX: usize = 64;
/// Heap growth, young generation included, after which an engine's garbage is collected again
/// (mebibytes).
pub const ENGINE_GARBAGE_MIB_MAX: usize = 5;
/// Timeout for loading the bundle into a new engine (milliseconds).
pub const ENGINE_LOAD_MS_MAX: u64 = 10_000;
/// Time an interrupted engine has to stop before its thread is abandoned (milliseconds).
pub const ENGINE_STOP_MS_MAX: u64 = 1_000;
/// Abandoned threads at one time; further ones are not replaced (count).
pub const ENGINES_LOST_MAX: usize = 4;
/// The longest pause before an engine that keeps failing is built again (milliseconds).
pub const ENGINE_REBUILD_PAUSE_MS_MAX: u64 = 5_000;
/// Heap use above which an engine is replaced between two pages (percent).
pub const ENGINE_HEAP_PERCENT_MAX: usize = 75;
/// Length of a JavaScript error message in the log (characters).
pub const RENDER_FAULT_CHARS_MAX: usize = 400;

/// A JSON or form body (bytes).
pub const BODY_BYTES_MAX: usize = 64 * 1024;
/// Unread rest of a request body that is drained after an early response (bytes).
pub const BODY_UNREAD_BYTES_MAX: u64 = KYC_BODY_BYTES_MAX as u64;
/// Timeout for draining the unread rest of a request body (milliseconds).
pub const BODY_UNREAD_MS_MAX: u64 = KYC_UPLOAD_MS_MAX;
/// A request's path and query (bytes).
pub const URL_BYTES_MAX: usize = 8 * 1024;
/// A path on this site that a visitor is redirected to (bytes).
pub const LOCAL_PATH_BYTES_MAX: usize = 500;
/// A request's head (bytes).
pub const HEAD_BYTES_MAX: usize = 32 * 1024;
/// Time from the connection to the end of the request's head (milliseconds).
pub const HEAD_MS_MAX: u64 = 10_000;
/// Time from a request's head to its response's head (milliseconds).
pub const REQUEST_MS_MAX: u64 = 30_000;
/// Open connections (count).
pub const CONNECTIONS_MAX: usize = 4_096;
/// Time the server still accepts connections after a stop signal, so that connected clients get a
/// response that closes the connection (milliseconds).
pub const STOP_LISTEN_MS_MAX: u64 = 1_000;
/// Time for the first byte of a request on a connection accepted at the last moment (milliseconds).
pub const STOP_HEAD_MS: u64 = 50;
/// Time for open requests to finish after a stop signal (milliseconds).
pub const DRAIN_MS_MAX: u64 = 10_000;

/// Niceness of background threads.
pub const BACKGROUND_NICE: i32 = 10;
/// Pieces on one label, above which drawing it is expensive (count).
pub const QUICK_LABEL_PIECES_MAX: i64 = 10;

/// Reading connections to SQLite (count). Each caches some MB, and a statement takes microseconds.
pub const DATABASE_READERS: usize = 4;
/// Prepared statements cached per connection to SQLite (count): all of ours.
pub const DATABASE_STATEMENTS_KEPT: usize = 1_000;
/// Connections to Postgres (count).
pub const DATABASE_POSTGRES_CONNECTIONS: usize = 16;
/// Time after its last use in which a connection to Postgres is trusted without a check
/// (milliseconds).
pub const DATABASE_TRUSTED_MS_MAX: u64 = 1_000;
/// Lifetime of a connection to Postgres (seconds).
pub const DATABASE_CONNECTION_AGE_S_MAX: u64 = 1_800;
/// Timeout of one statement, and of an idle transaction, on Postgres: longer than any request waits
/// (milliseconds).
pub const DATABASE_STATEMENT_MS_MAX: u64 = 60_000;
/// Timeout for getting a connection (milliseconds).
pub const DATABASE_WAIT_MS_MAX: u64 = 10_000;
/// Time at shutdown to wait for connections in use (milliseconds).
pub const DATABASE_CLOSE_MS_MAX: u64 = 2_000;
/// Writes that wait for SQLite's one writing connection (count).
pub const WRITES_WAITING_MAX: usize = CONNECTIONS_MAX;
/// Writes that share one commit (count).
pub const WRITES_TOGETHER_MAX: usize = 128;
/// Age of a commit batch, after which no more writes join it (milliseconds).
pub const WRITES_TOGETHER_MS_MAX: u64 = 50;

/// `Retry-After` when the disk or the connection to the database failed (seconds).
pub const STORAGE_RETRY_S: u64 = 10;
/// Pause between two test writes while the writer is unhealthy (milliseconds).
pub const WRITER_TRY_MS_MIN: u64 = 1_000;
/// Time a health check waits for a test write (milliseconds).
pub const WRITER_TRY_MS_MAX: u64 = 2_000;

/// The shortest password (characters): short, so common ones are refused as well.
pub const PASSWORD_CHARS_MIN: usize = 6;
/// The longest password (bytes).
pub const PASSWORD_BYTES_MAX: usize = 128;
/// Memory for hashing one password (KiB): with two passes the minimum of OWASP's Password Storage
/// Cheat Sheet. `DAKIYA_PASSWORD_KIB` raises it, and outside of production may lower it.
pub const PASSWORD_KIB_MIN: u32 = 19_456;
/// Passwords hashed or checked at one time, at most one per core: each has its memory reserved
/// (count).
pub const PASSWORD_PLACES_MAX: usize = 8;
/// Requests waiting for a password to be hashed or checked (count).
pub const PASSWORD_QUEUE_MAX: usize = 50;
/// The longest login name: a username of 64 letters of any script, or an e-mail address (bytes).
pub const LOGIN_NAME_BYTES_MAX: usize = 256;

/// Lifetime of a password reset link (milliseconds).
pub const RESET_MS_MAX: i64 = 30 * 60 * 1_000;
/// Password reset links sent to one account within an hour (count).
pub const RESETS_AN_HOUR_MAX: i64 = 5;
/// Password reset links being sent at one time (count).
pub const RESETS_AT_ONCE_MAX: usize = 64;

/// Size of the cache of couriers' labels (bytes).
pub const LABELS_BYTES_MAX: u64 = 32 << 20;
/// Lifetime of a cached label: a shop prints it a few times on one day (milliseconds).
pub const LABEL_KEPT_MS: u64 = 12 * 60 * 60 * 1_000;

/// The name of a customer's company (characters).
pub const COMPANY_CHARS_MAX: usize = 100;

/// Lifetime of a session, active or not (milliseconds).
pub const SESSION_MS_MAX: i64 = 12 * 60 * 60 * 1_000;
/// Lifetime of a session without requests (milliseconds).
pub const SESSION_IDLE_MS_MAX: i64 = 30 * 60 * 1_000;
/// Staleness of a session's last use in the database (milliseconds).
pub const SESSION_TOUCH_MS: i64 = 60_000;

/// Interval at which the last uses of all sessions are written (milliseconds).
pub const SESSIONS_WRITTEN_EVERY_MS: u64 = 5_000;
/// Sessions whose last use one statement writes (count).
pub const SESSIONS_WRITTEN_AT_ONCE: usize = 500;
/// Sessions whose last use is not yet written, for example when the disk is full (count).
pub const SESSIONS_NOTED_MAX: usize = 100_000;

/// Rows of one page of a list (count).
pub const PAGE_ROWS_MAX: i64 = 100;
/// The highest page number (count).
pub const PAGE_NUMBER_MAX: i64 = 1_000_000;
/// Default number of rows of a list (count).
pub const PAGE_ROWS: i64 = 20;
/// Rows of the dashboard's lists (count).
pub const DASHBOARD_ROWS: i64 = 5;

/// Months of bookings in the dashboard's chart, the present one included (count).
pub const CHART_MONTHS: usize = 6;
/// Lines of one downloaded statement: a busy customer's year, and a PDF of 400 pages (count).
pub const STATEMENT_LINES_MAX: i64 = 10_000;

/// Value from which an invoice states the address of a buyer without GSTIN: rule 46(e) of the CGST
/// Rules (paise).
pub const INVOICE_ADDRESS_FROM_PAISE: i64 = 5_000_000;
/// A text of the booking form as printed on a document (characters).
pub const DOCUMENT_TEXT_CHARS_MAX: usize = 200;

/// One piece (grams).
pub const WEIGHT_GRAMS_MAX: i64 = 1_000_000;
/// One side of a piece (millimetres).
pub const SIDE_MM_MAX: i64 = 10_000;
/// Pieces of one shipment (count).
pub const PIECES_MAX: i64 = 999;
/// A postal code of any country (bytes).
pub const POSTAL_CODE_BYTES_MAX: usize = 20;
/// The name of a city (characters).
pub const CITY_CHARS_MAX: usize = 60;
/// Staleness of the rate cards in memory (milliseconds).
pub const RATES_STALE_MS_MAX: u64 = 2_000;
/// A file of rate cards (bytes).
pub const RATE_FILE_BYTES_MAX: usize = 8 * 1024 * 1024;
/// A name in a file of rate cards (characters).
pub const RATE_TEXT_CHARS_MAX: usize = 400;
/// The highest product id.
pub const PRODUCT_ID_MAX: i64 = 999_999;
/// A single price on a rate card (paise).
pub const RATE_PRICE_MAX_PAISE: i64 = 100_000_000;
/// A percentage on a rate card: fuel surcharge or margin (percent).
pub const RATE_PERCENT_MAX: i64 = 200;
/// Chargeable weight of an oversize piece (percent of its weight).
pub const RATE_WEIGHT_PERCENTS: RangeInclusive<i64> = 101..=1_000;
/// A weight on a rate card (grams).
pub const RATE_GRAMS_MAX: i64 = 10_000_000;
/// Volumetric divisors; Indian couriers use 4,000 to 6,000 (cubic centimetres for each kilogram).
pub const RATE_DIVISORS: RangeInclusive<i64> = 1_000..=20_000;
/// Transit time on a rate card (days).
pub const TAT_DAYS_MAX: i64 = 90;
/// Timeout for all prices of a shipment: half a second of the 5 s is left for everything else
/// (milliseconds).
pub const RATES_MS_MAX: u64 = 4_500;
/// Lifetime of a partner's cached prices: partners limit requests (seconds).
pub const PARTNER_RATES_S: u64 = 60;
/// Shipments whose partner prices are cached (count).
pub const PARTNER_RATES_KEPT: u64 = 2_000;
/// Pieces of a shipment up to which partners are asked for prices (count).
pub const PARTNER_PIECES_MAX: i64 = 50;
/// A partner's text, such as a service's name or an error in the log (characters).
pub const PARTNER_TEXT_CHARS_MAX: usize = 100;
/// Time after which a hold is released if the order was not sent to the courier (milliseconds).
pub const HELD_MS_MAX: i64 = 15 * 60_000;
/// Pause before an order is first looked up after its response was lost (milliseconds).
pub const COURIER_LOOK_UP_SOON_MS: u64 = 1_000;
/// Pauses between further lookups of an order whose response was lost (milliseconds).
pub const COURIER_LOOK_UP_MS: [i64; 4] = [30_000, 30_000, 60_000, 300_000];
/// Time after which an order that the courier does not know was never placed (milliseconds).
pub const COURIER_SETTLED_MS: i64 = 90_000;
/// Time after which an order in an unknown state needs an operator (milliseconds).
pub const COURIER_UNKNOWN_MS_MAX: i64 = 15 * 60_000;
/// Time a confirmation waits for its courier, below the browser's timeout of 30 s (milliseconds).
pub const CONFIRM_MS_MAX: u64 = 22_000;
/// Bookings with our own courier that one transaction makes (count).
pub const BOOKINGS_TOGETHER_MAX: usize = 64;
/// Interval between two polls for the result of a confirmation in progress (milliseconds).
pub const CONFIRM_LOOK_MS: u64 = 50;
/// Interval between two tracking requests for a shipment (milliseconds).
pub const TRACK_EVERY_MS: i64 = 30 * 60_000;
/// Time after which a shipment still in transit is no longer tracked (milliseconds).
pub const TRACK_MS_MAX: i64 = 90 * DAY_MS;
/// The shortest secret of a partner's callbacks (bytes).
pub const CALLBACK_SECRET_BYTES_MIN: usize = 16;
/// Tracking events stored per shipment (count).
pub const TRACK_EVENTS_MAX: usize = 200;
/// Pauses between attempts to send an e-mail about a booking, before it is given up (milliseconds).
pub const NOTICE_WAITS_MS: [i64; 8] = [
    30_000,
    60_000,
    5 * 60_000,
    15 * 60_000,
    HOUR_MS,
    2 * HOUR_MS,
    4 * HOUR_MS,
    8 * HOUR_MS,
];
/// Age above which no e-mail is sent about an event (milliseconds).
pub const NOTICE_MS_MAX: i64 = DAY_MS;
/// The highest threshold of a low-balance e-mail (rupees).
pub const LOW_BALANCE_RUPEES_MAX: i64 = 100_000;
/// Time after a booking was made in which it can be cancelled, as the policy says (milliseconds).
pub const CANCEL_MS_MAX: i64 = 15 * DAY_MS;
/// Times after an order failed at which it is looked up at its courier (milliseconds).
pub const CALL_OFF_MS: [i64; 7] = [
    30_000,
    3 * 60_000,
    15 * 60_000,
    HOUR_MS,
    6 * HOUR_MS,
    DAY_MS,
    3 * DAY_MS,
];
/// Pause between the first attempts to cancel at a courier (milliseconds).
pub const CANCEL_AGAIN_MS: i64 = 2 * 60_000;
/// A text given on the command line that customers will read (characters).
pub const SCAN_TEXT_CHARS_MAX: usize = 200;
/// Lifetime of a Shiprocket token: 240 hours (seconds; server/docs/couriers.md).
pub const SHIPROCKET_TOKEN_S: u64 = 240 * 60 * 60;
/// Validity of a quoted price (milliseconds).
pub const QUOTE_MS_MAX: i64 = 30 * 60 * 1_000;
/// Time in which an identical booking request without an idempotency key counts as the same booking
/// (milliseconds).
pub const BODY_KEY_MS: i64 = 2 * 60 * 1_000;

/// A day (milliseconds).
pub const DAY_MS: i64 = 24 * 60 * 60 * 1_000;

/// The stored draft of a booking (bytes).
pub const DRAFT_BYTES_MAX: usize = 16 * 1024;
/// Attempts to change a draft by a plain form while others change it too (count).
pub const DRAFT_TRIES_MAX: usize = 5;
/// Lifetime of a draft after its last change (milliseconds).
pub const DRAFT_MS_MAX: i64 = 30 * DAY_MS;

/// Saved addresses of one kind, or saved packages, per customer: few enough to choose from (count).
pub const PRESETS_MAX: i64 = 50;
/// One text of a saved address or package (characters).
pub const PRESET_TEXT_CHARS_MAX: usize = 200;

/// Lifetime of an OTP (milliseconds).
pub const OTP_MS_MAX: i64 = 10 * 60 * 1_000;
/// Wrong attempts per OTP: six of a million codes (count).
pub const OTP_TRIES_MAX: i64 = 6;
/// Pause between two OTPs for one customer (milliseconds).
pub const OTP_PAUSE_MS_MIN: i64 = 30_000;
/// OTPs sent for one customer within an hour, so that no phone is flooded (count).
pub const OTPS_AN_HOUR_MAX: usize = 5;
/// OTPs sent for one account's number within a day (count).
pub const OTPS_A_DAY_MAX: usize = 10;
/// OTPs sent to one number within a day, for all accounts that claim it (count).
pub const NUMBER_OTPS_A_DAY_MAX: i64 = 10;
/// OTPs sent for the numbers of all accounts within a day: each costs money, and anyone can open an
/// account (count).
pub const ALL_OTPS_A_DAY_MAX: i64 = 5_000;
/// An hour (milliseconds).
pub const HOUR_MS: i64 = 60 * 60 * 1_000;

/// AWBs drawn for one booking before the request fails as busy (count).
pub const AWB_DRAWS_MAX: usize = 5;

/// The smallest recharge (paise).
pub const RECHARGE_MIN_PAISE: i64 = 1_000;
/// Time to pay a recharge (milliseconds).
pub const PAYMENT_MS_MAX: i64 = 15 * 60 * 1_000;
/// Pause between two status requests to the gateway about one order (milliseconds).
pub const PAYMENT_CHECK_MS_MIN: i64 = 3_000;
/// Age of an order at the sweep's first status request, as PhonePe advises (milliseconds).
pub const SWEEP_FIRST_MS: i64 = 25_000;
/// Pairs of an order's age and the pause between status requests up to that age, as
/// server/docs/payments.md explains (both milliseconds).
pub const SWEEP_WAITS: [(i64, i64); 5] = [
    (55_000, 3_000),
    (115_000, 6_000),
    (175_000, 10_000),
    (235_000, 30_000),
    (21 * 60_000, 60_000),
];
/// Pause between status requests about an older order (milliseconds).
pub const SWEEP_SELDOM_MS: i64 = 60 * 60 * 1_000;
/// Time after which the sweep gives up an order (milliseconds).
pub const SWEEP_MS_MAX: i64 = 72 * 60 * 60 * 1_000;
/// Status requests the sweep makes at least, even if a wrong clock says it is late (count).
pub const SWEEP_CHECKS_MIN: i64 = 100;
/// Pending recharges shown (count).
pub const PENDING_SHOWN: i64 = 10;
/// Time the return page waits for the gateway before it shows "processing" (milliseconds).
pub const CALLBACK_PAGE_MS_MAX: u64 = 4_000;
/// Transactions an audit reads at a time (count).
pub const AUDIT_BATCH: i64 = 1_000;
/// Interval between two audits (milliseconds).
pub const AUDIT_EVERY_MS: i64 = 60 * 60 * 1_000;
/// Interval between two searches for the gateway's daily reports (milliseconds).
pub const RECONCILE_EVERY_MS: i64 = HOUR_MS;
/// Days for which a missing report is looked for (days).
pub const GATEWAY_REPORT_DAYS: i64 = 7;
/// Time after the end of a report's day at which it is late (milliseconds): noon in India.
pub const GATEWAY_REPORT_LATE_MS: i64 = 12 * HOUR_MS;
/// Refresh interval of the return page without scripts, the same as its script's (seconds).
pub const CALLBACK_RECHECK_S: u32 = 5;
/// Delay before the return page redirects after a payment, the same as its script's (seconds).
pub const CALLBACK_LEAVE_S: u32 = 3;
/// Refresh interval of the wizard without scripts while the courier has not accepted (seconds).
pub const CONFIRM_RECHECK_S: u32 = 3;
/// Interval between two upkeep runs (milliseconds).
pub const TIDY_EVERY_MS: i64 = 10 * 60 * 1_000;
/// Interval at which metrics' samples are aggregated (milliseconds).
pub const METRICS_EVERY_MS: u64 = 5_000;
/// Time an idempotency key's response is kept: a client that repeats the key later is told that the
/// quote was booked (milliseconds).
pub const IDEMPOTENCY_KEPT_MS: i64 = 7 * DAY_MS;
/// Timeout for connecting to another company's server (milliseconds).
pub const PROVIDER_CONNECT_MS_MAX: u64 = 5_000;
/// Timeout of one operation with another company's server, retries and pauses included: below the
/// browser's timeout of 30 s (milliseconds).
pub const PROVIDER_TOTAL_MS_MAX: u64 = 25_000;
/// Timeout of one attempt of a request that may be repeated (milliseconds).
pub const PROVIDER_READ_MS_MAX: u64 = 8_000;
/// Timeout of one attempt of an order that must not be sent twice; the rest of the total is left
/// for looking up its outcome (milliseconds).
pub const PROVIDER_WRITE_MS_MAX: u64 = 15_000;
/// Attempts of a request that may be repeated (count).
pub const PROVIDER_READ_TRIES_MAX: u32 = 3;
/// Pause before the second attempt; it doubles before every further one (milliseconds).
pub const PROVIDER_RETRY_MS: u64 = 250;
/// Failures in a row after which requests to another company's server are suspended (count).
pub const PROVIDER_FAILURES_MAX: u32 = 8;
/// Time for which requests to such a server are suspended, below the 30 s in which it must be
/// usable again (milliseconds; server/docs/design-decisions.md, "Time limits of another company's
/// server").
pub const PROVIDER_REST_MS: u64 = 5_000;
/// One reply of another company's server (bytes).
pub const PROVIDER_REPLY_BYTES_MAX: usize = 1024 * 1024;
/// Timeout of sending one e-mail or SMS, connecting included (milliseconds).
pub const NOTIFY_MS_MAX: u64 = 10_000;
/// Messages the sandbox's inbox keeps (count).
pub const INBOX_MESSAGES_MAX: usize = 200;
/// Pause after a token was not renewed while the old one is still valid (milliseconds).
pub const PROVIDER_TOKEN_RETRY_MS: u64 = 5_000;
/// A merchant order id, as PhonePe accepts it (bytes).
pub const MERCHANT_ORDER_ID_BYTES_MAX: usize = 63;
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
/// An operator's name (characters).
pub const OPERATOR_CHARS_MAX: usize = 60;
/// An operator's reason for an action (characters).
pub const REASON_CHARS_MAX: usize = 300;
/// The number of a bill, a payout or a claim, as its issuer gave it (characters).
pub const FOREIGN_NUMBER_CHARS_MAX: usize = 60;
/// Rows of an operator's list (count).
pub const OPERATOR_LINES_MAX: i64 = 1_000;

/// Time after its last heartbeat in which a process counts as alive (milliseconds).
pub const NODE_MS_MAX: i64 = 6_000;
/// Interval between two heartbeats (milliseconds).
pub const NODE_EVERY_MS: u64 = 2_000;
/// Interval at which the age of the oldest tasks is measured (milliseconds).
pub const TASK_FIGURES_EVERY_MS: u64 = 15_000;
/// Pause before a loop that panicked is restarted (milliseconds).
pub const LOOP_AGAIN_MS: u64 = 1_000;
/// Tasks and orders that an operator is shown (count).
pub const TASKS_SHOWN_MAX: i64 = 500;

/// The smallest refund the gateway makes (paise).
pub const GATEWAY_REFUND_MIN_PAISE: i64 = 100;
/// Age of a refund above which the gateway is asked less often (milliseconds).
pub const REFUND_YOUNG_MS: i64 = HOUR_MS;
/// Interval between two status requests about a young refund (milliseconds).
pub const REFUND_ASK_MS: i64 = 60_000;
/// Interval between two status requests about an older refund (milliseconds).
pub const REFUND_ASK_SELDOM_MS: i64 = 3 * HOUR_MS;
/// Time after sending at which a refund unknown to the gateway is lost (milliseconds): no request
/// takes so long.
pub const REFUND_LOST_MS: i64 = 15 * 60_000;
/// Weight differences shown to a customer: unanswered ones first, then the newest (count).
pub const WEIGHT_CLAIMS_SHOWN: i64 = 100;
/// The URL of a courier's photograph or report (characters).
pub const PROOF_CHARS_MAX: usize = 500;
/// A customer's reason for disputing a weight difference (characters).
pub const WEIGHT_DISPUTE_CHARS_MAX: usize = 500;
/// A report of the payment gateway (bytes).
pub const GATEWAY_REPORT_BYTES_MAX: usize = 64 * 1024 * 1024;
/// Corrections of old refunds in one transaction (count).
pub const CORRECTIONS_BATCH: i64 = 200;
