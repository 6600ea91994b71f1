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

/// So many at once, and one more after every pause.
#[derive(Clone, Copy, Debug)]
pub struct Allowed {
    pub at_once: i64,
    pub pause_ms: i64,
}

/// How background work of one kind is done.
#[derive(Clone, Copy, Debug)]
pub struct TaskRules {
    /// So many by one process at a time (count).
    pub at_once: usize,
    /// Between two looks for what is due (milliseconds).
    pub every_ms: u64,
    /// After this a try is cut off, and another may take it up (milliseconds).
    pub lease_ms: i64,
    /// Between two tries that meet errors; the last stays (milliseconds).
    pub pauses_ms: &'static [i64],
    /// Tries in a row that meet errors, after which an operator must look (count).
    pub tries_max: i64,
    /// The furthest that one is put off (milliseconds).
    pub ahead_ms_max: i64,
}

/// One rendering by a JavaScript engine, after which it is terminated, where `DAKIYA_SSR_MS` does
/// not say otherwise (milliseconds).
pub const RENDER_MS: u64 = 200;
/// The JSON value given to one rendering (bytes).
pub const RENDER_PROPS_BYTES_MAX: usize = 256 * 1024;
/// Renderings waiting for an engine; one more is refused and the client renders (count).
pub const RENDER_QUEUE_MAX: usize = 64;
/// Private pages kept as they went out, with their keys (bytes).
pub const DRAWN_PAGES_BYTES_MAX: u64 = 32 << 20;
/// After that a kept page is drawn anew: what it says of a customer does not stay in memory
/// (milliseconds).
pub const DRAWN_PAGE_MS_MAX: u64 = 10 * 60_000;
/// The heap of one engine (mebibytes).
pub const ENGINE_HEAP_MIB_MAX: usize = 64;
/// What an engine may have on its heap besides what lived when its garbage was last collected, the
/// young included (mebibytes).
pub const ENGINE_GARBAGE_MIB_MAX: usize = 5;
/// Loading the bundle into a new engine, after which it counts as broken (milliseconds).
pub const ENGINE_LOAD_MS_MAX: u64 = 10_000;
/// An engine that was told to stop and has not, after which its thread is given up (milliseconds).
pub const ENGINE_STOP_MS_MAX: u64 = 1_000;
/// Threads given up at one time; beyond it they are not replaced (count).
pub const ENGINES_LOST_MAX: usize = 4;
/// The longest pause before an engine that keeps failing is built again (milliseconds).
pub const ENGINE_REBUILD_PAUSE_MS_MAX: u64 = 5_000;
/// The share of its heap an engine may fill before it is replaced between two pages (percent).
pub const ENGINE_HEAP_PERCENT_MAX: usize = 75;
/// What is kept of an error that JavaScript threw, for the log (characters).
pub const RENDER_FAULT_CHARS_MAX: usize = 400;

/// A JSON or form body (bytes).
pub const BODY_BYTES_MAX: usize = 64 * 1024;
/// A body that is read to its end although its request was answered before (bytes).
pub const BODY_UNREAD_BYTES_MAX: u64 = KYC_BODY_BYTES_MAX as u64;
/// How long it may take (milliseconds).
pub const BODY_UNREAD_MS_MAX: u64 = KYC_UPLOAD_MS_MAX;
/// A request's path and query (bytes).
pub const URL_BYTES_MAX: usize = 8 * 1024;
/// An address of ours that a visitor is sent back to (bytes).
pub const LOCAL_PATH_BYTES_MAX: usize = 500;
/// A request's head (bytes).
pub const HEAD_BYTES_MAX: usize = 32 * 1024;
/// From the connection to the end of the head (milliseconds).
pub const HEAD_MS_MAX: u64 = 10_000;
/// A request from its head to its answer's head (milliseconds).
pub const REQUEST_MS_MAX: u64 = 30_000;
/// Open connections (count).
pub const CONNECTIONS_MAX: usize = 4_096;
/// How long we listen on after a stop was asked for, so that whoever is connected gets an answer
/// that ends the connection (milliseconds).
pub const STOP_LISTEN_MS_MAX: u64 = 1_000;
/// From connecting to the first byte of a request, for whoever comes in the last moment
/// (milliseconds).
pub const STOP_HEAD_MS: u64 = 50;
/// How long requests may finish after a stop was asked for (milliseconds).
pub const DRAIN_MS_MAX: u64 = 10_000;

/// How far dear work stands behind all other (the system's nice value).
pub const ASIDE_NICE: i32 = 10;
/// Pieces on one label, above which drawing it is dear (count).
pub const QUICK_LABEL_PIECES_MAX: i64 = 10;

/// Reading connections to SQLite (count). Each remembers some MB of what it read, and a statement
/// is a matter of microseconds.
pub const DATABASE_READERS: usize = 4;
/// Statements that a connection to SQLite keeps ready (count): all of ours.
pub const DATABASE_STATEMENTS_KEPT: usize = 1_000;
/// Connections to Postgres (count).
pub const DATABASE_POSTGRES_CONNECTIONS: usize = 16;
/// For so long after it was taken, a connection to Postgres counts as alive (milliseconds).
pub const DATABASE_TRUSTED_MS_MAX: u64 = 1_000;
/// A connection to Postgres, after which it is opened anew (seconds).
pub const DATABASE_CONNECTION_AGE_S_MAX: u64 = 1_800;
/// One statement on Postgres, and a transaction there in which nothing happens: longer than anybody
/// waits for an answer (milliseconds).
pub const DATABASE_STATEMENT_MS_MAX: u64 = 60_000;
/// Waiting for a connection (milliseconds).
pub const DATABASE_WAIT_MS_MAX: u64 = 10_000;
/// Waiting at the end for connections that are in use (milliseconds).
pub const DATABASE_CLOSE_MS_MAX: u64 = 2_000;
/// Writes that wait for SQLite's one writing connection (count).
pub const WRITES_WAITING_MAX: usize = CONNECTIONS_MAX;
/// Writes that share one commit (count).
pub const WRITES_TOGETHER_MAX: usize = 128;
/// After this a commit takes along nobody else (milliseconds).
pub const WRITES_TOGETHER_MS_MAX: u64 = 50;

/// After the disk or the way to the database failed (seconds).
pub const STORAGE_RETRY_S: u64 = 10;
/// Between two tries whether a writer that was ill is well again (milliseconds).
pub const WRITER_TRY_MS_MIN: u64 = 1_000;
/// How long whoever asks for our health waits for such a try (milliseconds).
pub const WRITER_TRY_MS_MAX: u64 = 2_000;

/// The shortest password (characters): short, so common ones are refused as well.
pub const PASSWORD_CHARS_MIN: usize = 6;
/// The longest password (bytes).
pub const PASSWORD_BYTES_MAX: usize = 128;
/// What hashing one takes (KiB): with two passes what OWASP's Password Storage Cheat Sheet asks for
/// at least. `DAKIYA_PASSWORD_KIB` asks for more, outside of production also for less.
pub const PASSWORD_KIB_MIN: u32 = 19_456;
/// Passwords that are hashed or checked at one time, one a core at most: each has its memory for
/// good (count).
pub const PASSWORD_PLACES_MAX: usize = 8;
/// People waiting for a password to be hashed or checked (count).
pub const PASSWORD_QUEUE_MAX: usize = 50;
/// The longest name that somebody can log in by: a username of 64 letters of any script, or an
/// e-mail address (bytes).
pub const LOGIN_NAME_BYTES_MAX: usize = 256;

/// How long a link for a new password is good (milliseconds).
pub const RESET_MS_MAX: i64 = 30 * 60 * 1_000;
/// Such links sent to one account within an hour (count).
pub const RESETS_AN_HOUR_MAX: i64 = 5;
/// Such links on their way at one time (count).
pub const RESETS_AT_ONCE_MAX: usize = 64;

/// Couriers' labels that are kept (bytes).
pub const LABELS_BYTES_MAX: u64 = 32 << 20;
/// How long one is kept: a shop prints it a few times on one day (milliseconds).
pub const LABEL_KEPT_MS: u64 = 12 * 60 * 60 * 1_000;

/// A customer's company (characters).
pub const COMPANY_CHARS_MAX: usize = 100;

/// A session, however busy (milliseconds).
pub const SESSION_MS_MAX: i64 = 12 * 60 * 60 * 1_000;
/// A session without a request (milliseconds).
pub const SESSION_IDLE_MS_MAX: i64 = 30 * 60 * 1_000;
/// How stale the time of the last request may be in the database (milliseconds).
pub const SESSION_TOUCH_MS: i64 = 60_000;

/// Between two times that this is written down for all sessions together (milliseconds).
pub const SESSIONS_WRITTEN_EVERY_MS: u64 = 5_000;
/// Sessions whose last use is written by one statement (count).
pub const SESSIONS_WRITTEN_AT_ONCE: usize = 500;
/// Sessions whose last use waits to be written, as when a disk is full (count).
pub const SESSIONS_NOTED_MAX: usize = 100_000;

/// Rows of one page of a list (count).
pub const PAGE_ROWS_MAX: i64 = 100;
/// The highest page number (count).
pub const PAGE_NUMBER_MAX: i64 = 1_000_000;
/// Rows of a list unless asked otherwise (count).
pub const PAGE_ROWS: i64 = 20;
/// Rows of the dashboard's lists (count).
pub const DASHBOARD_ROWS: i64 = 5;

/// Months of bookings that the dashboard draws, the present one included (count).
pub const CHART_MONTHS: usize = 6;
/// Lines of one downloaded statement: a busy customer's year, and a PDF of 400 pages (count).
pub const STATEMENT_LINES_MAX: i64 = 10_000;

/// A value from which an invoice names the address of a buyer without GSTIN: rule 46(e) of the
/// CGST Rules (paise).
pub const INVOICE_ADDRESS_FROM_PAISE: i64 = 5_000_000;
/// One text of a booking's form on a document (characters).
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
/// How far the rate cards in memory may be behind the database (milliseconds).
pub const RATES_STALE_MS_MAX: u64 = 2_000;
/// A file of rate cards (bytes).
pub const RATE_FILE_BYTES_MAX: usize = 8 * 1024 * 1024;
/// A name in a file of rate cards (characters).
pub const RATE_TEXT_CHARS_MAX: usize = 400;
/// The highest product id (number).
pub const PRODUCT_ID_MAX: i64 = 999_999;
/// A single price on a rate card (paise).
pub const RATE_PRICE_MAX_PAISE: i64 = 100_000_000;
/// A percentage on a rate card: fuel surcharge or margin (percent).
pub const RATE_PERCENT_MAX: i64 = 200;
/// What an oversize piece may count as (percent of its weight).
pub const RATE_WEIGHT_PERCENTS: RangeInclusive<i64> = 101..=1_000;
/// A weight on a rate card (grams).
pub const RATE_GRAMS_MAX: i64 = 10_000_000;
/// Volumetric divisors; Indian couriers use 4,000 to 6,000 (cubic centimetres for each kilogram).
pub const RATE_DIVISORS: RangeInclusive<i64> = 1_000..=20_000;
/// Transit time on a rate card (days).
pub const TAT_DAYS_MAX: i64 = 90;
/// All prices of a shipment, however slow a partner is: half a second is left of the 5 s for
/// everything else (milliseconds).
pub const RATES_MS_MAX: u64 = 4_500;
/// A partner's prices are asked for again after this: partners limit questions (seconds).
pub const PARTNER_RATES_S: u64 = 60;
/// Shipments whose partner prices are remembered (count).
pub const PARTNER_RATES_KEPT: u64 = 2_000;
/// Pieces of a shipment that partners are asked about (count).
pub const PARTNER_PIECES_MAX: i64 = 50;
/// A foreign text: a service's name, a complaint in the log (characters).
pub const PARTNER_TEXT_CHARS_MAX: usize = 100;
/// Money that is held and whose courier was never asked: after this it is free again
/// (milliseconds).
pub const HELD_MS_MAX: i64 = 15 * 60_000;
/// Before the fate of an order is first asked for after its answer was lost (milliseconds).
pub const COURIER_LOOK_UP_SOON_MS: u64 = 1_000;
/// Between two further questions about its fate (milliseconds).
pub const COURIER_LOOK_UP_MS: [i64; 4] = [30_000, 30_000, 60_000, 300_000];
/// After this an order the courier does not know was never made (milliseconds).
pub const COURIER_SETTLED_MS: i64 = 90_000;
/// After this an order of unknown fate needs a person (milliseconds).
pub const COURIER_UNKNOWN_MS_MAX: i64 = 15 * 60_000;
/// How long a confirmation waits for its courier, below the 30 s a browser waits for us
/// (milliseconds).
pub const CONFIRM_MS_MAX: u64 = 22_000;
/// Bookings with our own courier that are made in one transaction (count).
pub const BOOKINGS_TOGETHER_MAX: usize = 64;
/// Between two looks for the answer of a confirmation under way (milliseconds).
pub const CONFIRM_LOOK_MS: u64 = 50;
/// Between two questions to a courier where a shipment is (milliseconds).
pub const TRACK_EVERY_MS: i64 = 30 * 60_000;
/// A shipment that is still under way after this is not asked about any more (milliseconds).
pub const TRACK_MS_MAX: i64 = 90 * DAY_MS;
/// The shortest secret of a partner's callbacks (bytes).
pub const CALLBACK_SECRET_BYTES_MIN: usize = 16;
/// Events of one shipment that are kept (count).
pub const TRACK_EVENTS_MAX: usize = 200;
/// Between two tries of one e-mail about a booking, after which it is given up (milliseconds).
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
/// What happened longer ago is no news (milliseconds).
pub const NOTICE_MS_MAX: i64 = DAY_MS;
/// The highest balance that a customer can be told of falling below (rupees).
pub const LOW_BALANCE_RUPEES_MAX: i64 = 100_000;
/// How long after it was made a booking can be cancelled, as the policy says (milliseconds).
pub const CANCEL_MS_MAX: i64 = 15 * DAY_MS;
/// How long after an order ended without a shipment it is looked up at its courier (milliseconds).
pub const CALL_OFF_MS: [i64; 7] = [
    30_000,
    3 * 60_000,
    15 * 60_000,
    HOUR_MS,
    6 * HOUR_MS,
    DAY_MS,
    3 * DAY_MS,
];
/// Between the first times that a courier is told of a cancellation (milliseconds).
pub const CANCEL_AGAIN_MS: i64 = 2 * 60_000;
/// A text on the command line that customers will read (characters).
pub const SCAN_TEXT_CHARS_MAX: usize = 200;
/// A Shiprocket token lives 240 hours (seconds; server/docs/couriers.md).
pub const SHIPROCKET_TOKEN_S: u64 = 240 * 60 * 60;
/// How long a quoted price holds (milliseconds).
pub const QUOTE_MS_MAX: i64 = 30 * 60 * 1_000;
/// How long the same body of a booking without a key is the same booking (milliseconds).
pub const BODY_KEY_MS: i64 = 2 * 60 * 1_000;

/// A day (milliseconds).
pub const DAY_MS: i64 = 24 * 60 * 60 * 1_000;

/// What is kept of a booking on its way (bytes).
pub const DRAFT_BYTES_MAX: usize = 16 * 1024;
/// How often a plain form's change of it is tried while others change it too (count).
pub const DRAFT_TRIES_MAX: usize = 5;
/// How long a booking on its way is kept after its last change (milliseconds).
pub const DRAFT_MS_MAX: i64 = 30 * DAY_MS;

/// Saved addresses of one kind, or packages, of one customer: few enough to choose from (count).
pub const PRESETS_MAX: i64 = 50;
/// One text of a saved address or package (characters).
pub const PRESET_TEXT_CHARS_MAX: usize = 200;

/// How long an OTP is good (milliseconds).
pub const OTP_MS_MAX: i64 = 10 * 60 * 1_000;
/// Wrong OTPs before another must be sent: six of a million codes (count).
pub const OTP_TRIES_MAX: i64 = 6;
/// Between two OTPs sent for one customer (milliseconds).
pub const OTP_PAUSE_MS_MIN: i64 = 30_000;
/// OTPs sent for one customer within an hour, so that no phone is flooded (count).
pub const OTPS_AN_HOUR_MAX: usize = 5;
/// OTPs sent for the number of one account within a day (count).
pub const OTPS_A_DAY_MAX: usize = 10;
/// OTPs sent to one number within a day, whichever accounts say that it is theirs (count).
pub const NUMBER_OTPS_A_DAY_MAX: i64 = 10;
/// OTPs sent for the numbers of all accounts within a day: each costs money, and strangers open
/// accounts (count).
pub const ALL_OTPS_A_DAY_MAX: i64 = 5_000;
/// An hour (milliseconds).
pub const HOUR_MS: i64 = 60 * 60 * 1_000;

/// AWBs drawn for one booking before we call ourselves busy (count).
pub const AWB_DRAWS_MAX: usize = 5;

/// The smallest recharge (paise).
pub const RECHARGE_MIN_PAISE: i64 = 1_000;
/// How long a recharge can be paid (milliseconds).
pub const PAYMENT_MS_MAX: i64 = 15 * 60 * 1_000;
/// Between two questions to the gateway about one order (milliseconds).
pub const PAYMENT_CHECK_MS_MIN: i64 = 3_000;
/// Before the sweep first asks about an order, as PhonePe advises (milliseconds).
pub const SWEEP_FIRST_MS: i64 = 25_000;
/// Until an order has this age, the sweep waits this long between two questions about it,
/// as server/docs/payments.md explains (both milliseconds).
pub const SWEEP_WAITS: [(i64, i64); 5] = [
    (55_000, 3_000),
    (115_000, 6_000),
    (175_000, 10_000),
    (235_000, 30_000),
    (21 * 60_000, 60_000),
];
/// Between two questions about an older order (milliseconds).
pub const SWEEP_SELDOM_MS: i64 = 60 * 60 * 1_000;
/// How long the sweep keeps asking about an order (milliseconds).
pub const SWEEP_MS_MAX: i64 = 72 * 60 * 60 * 1_000;
/// How often it asks at least, however late a wrong clock may say it is (count).
pub const SWEEP_CHECKS_MIN: i64 = 100;
/// Pending recharges shown (count).
pub const PENDING_SHOWN: i64 = 10;
/// How long the return page waits for the gateway before it shows "processing" (milliseconds).
pub const CALLBACK_PAGE_MS_MAX: u64 = 4_000;
/// Transactions an audit reads at a time (count).
pub const AUDIT_BATCH: i64 = 1_000;
/// Between two audits of a running product (milliseconds).
pub const AUDIT_EVERY_MS: i64 = 60 * 60 * 1_000;
/// Between two looks for the gateway's daily reports (milliseconds).
pub const RECONCILE_EVERY_MS: i64 = HOUR_MS;
/// How far back they are looked for (days).
pub const GATEWAY_REPORT_DAYS: i64 = 7;
/// After its day, when a report is late (milliseconds): at noon in India.
pub const GATEWAY_REPORT_LATE_MS: i64 = 12 * HOUR_MS;
/// Before a return page without scripts asks again, as often as its script would (seconds).
pub const CALLBACK_RECHECK_S: u32 = 5;
/// Before it leads on after a payment, as its script would (seconds).
pub const CALLBACK_LEAVE_S: u32 = 3;
/// Before a wizard without scripts asks again whether the courier took a booking (seconds).
pub const CONFIRM_RECHECK_S: u32 = 3;
/// Between two rounds of tidying (milliseconds).
pub const TIDY_EVERY_MS: i64 = 10 * 60 * 1_000;
/// Between two times that samples of metrics are folded together (milliseconds).
pub const METRICS_EVERY_MS: u64 = 5_000;
/// How long the answer to a booking's key is kept: a client that repeats it later is told that the
/// quote was booked (milliseconds).
pub const IDEMPOTENCY_KEPT_MS: i64 = 7 * DAY_MS;
/// Connecting to another company's server (milliseconds).
pub const PROVIDER_CONNECT_MS_MAX: u64 = 5_000;
/// One operation with another company's server, tries and pauses included: below the 30 s
/// a browser waits for us (milliseconds).
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
/// Failures in a row after which another company's server is left alone (count).
pub const PROVIDER_FAILURES_MAX: u32 = 8;
/// How long it is left alone, below the 30 s in which it must be of use again (milliseconds;
/// server/docs/design-decisions.md, "Time limits of another company's server").
pub const PROVIDER_REST_MS: u64 = 5_000;
/// One reply of another company's server (bytes).
pub const PROVIDER_REPLY_BYTES_MAX: usize = 1024 * 1024;
/// One e-mail or SMS, from connecting to its answer (milliseconds).
pub const NOTIFY_MS_MAX: u64 = 10_000;
/// Messages the sandbox's inbox keeps (count).
pub const INBOX_MESSAGES_MAX: usize = 200;
/// The pause after a token could not be renewed while the old one still serves (milliseconds).
pub const PROVIDER_TOKEN_RETRY_MS: u64 = 5_000;
/// A merchant order id, as PhonePe takes it (bytes).
pub const MERCHANT_ORDER_ID_BYTES_MAX: usize = 63;
/// How often the sandbox looks whether something is due (milliseconds).
pub const SANDBOX_TICK_MS: u64 = 250;
/// Between two bytes of a reply that the sandbox lets drip (milliseconds).
pub const SANDBOX_DRIP_MS: u64 = 1_000;
/// Before the sandbox cuts a reply in two, so that its first half has left (milliseconds).
pub const SANDBOX_CUT_MS: u64 = 50;
/// How long a stopping sandbox lets requests finish (milliseconds).
pub const SANDBOX_SHUTDOWN_MS_MAX: u64 = 1_000;
/// Requests and callbacks the sandbox remembers, each; the oldest are forgotten (count).
pub const SANDBOX_LOG_ENTRIES_MAX: usize = 20_000;
/// The body of one request to the sandbox (bytes).
pub const SANDBOX_BODY_BYTES_MAX: usize = 64 * 1024;
/// How long the sandbox waits for the merchant to take a callback: PhonePe's 3-5 s
/// (milliseconds; server/docs/payments.md).
pub const SANDBOX_CALLBACK_MS_MAX: u64 = 5_000;
/// The pause between sending the browser back and the callback (milliseconds).
pub const SANDBOX_CALLBACK_PAUSE_MS: u64 = 300;
/// An operator's name (characters).
pub const OPERATOR_CHARS_MAX: usize = 60;
/// Why an operator did something (characters).
pub const REASON_CHARS_MAX: usize = 300;
/// The number of a bill, a payout or a claim, as somebody else gave it (characters).
pub const FOREIGN_NUMBER_CHARS_MAX: usize = 60;
/// Lines that an operator's list has at most (count).
pub const OPERATOR_LINES_MAX: i64 = 1_000;

/// How long a process that says nothing counts as alive (milliseconds).
pub const NODE_MS_MAX: i64 = 6_000;
/// Between two times that it says so (milliseconds).
pub const NODE_EVERY_MS: u64 = 2_000;
/// Between two looks how old the oldest tasks are (milliseconds).
pub const TASK_FIGURES_EVERY_MS: u64 = 15_000;
/// Before a loop that died is begun again (milliseconds).
pub const LOOP_AGAIN_MS: u64 = 1_000;
/// Tasks and orders that an operator is shown (count).
pub const TASKS_SHOWN_MAX: i64 = 500;

/// The least that the gateway sends back (paise).
pub const GATEWAY_REFUND_MIN_PAISE: i64 = 100;
/// How old a refund is until the gateway is asked less often (milliseconds).
pub const REFUND_YOUNG_MS: i64 = HOUR_MS;
/// Between two questions about a young refund (milliseconds).
pub const REFUND_ASK_MS: i64 = 60_000;
/// Between two questions about an older one (milliseconds).
pub const REFUND_ASK_SELDOM_MS: i64 = 3 * HOUR_MS;
/// After it was sent, a refund that the gateway does not know is not on its way any more
/// (milliseconds): no request lives so long.
pub const REFUND_LOST_MS: i64 = 15 * 60_000;
/// Weight differences that a customer sees: those that wait for an answer, then the newest (count).
pub const WEIGHT_CLAIMS_SHOWN: i64 = 100;
/// Where a courier's photograph or report is kept: an address (characters).
pub const PROOF_CHARS_MAX: usize = 500;
/// Why a customer disputes a weight difference (characters).
pub const WEIGHT_DISPUTE_CHARS_MAX: usize = 500;
/// A report of the payment gateway (bytes).
pub const GATEWAY_REPORT_BYTES_MAX: usize = 64 * 1024 * 1024;
/// Corrections of old refunds in one transaction (count).
pub const CORRECTIONS_BATCH: i64 = 200;
