//! Limits of recharges, refunds and the books.

use super::{Allowed, DAY_MS, HOUR_MS};

/// Lines of one downloaded statement: a busy customer's year, and a PDF of 400 pages (count).
pub const STATEMENT_LINES_MAX: i64 = 10_000;

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

/// Time for which the recharge page says that a payment arrived (milliseconds).
pub const ARRIVED_SHOWN_MS: i64 = 10 * 60 * 1_000;

/// Payments that arrived a moment ago, as the recharge page shows them (count).
pub const ARRIVED_SHOWN: i64 = 3;

/// Time the return page waits for the gateway before it shows "processing" (milliseconds).
pub const CALLBACK_PAGE_MS_MAX: u64 = 4_000;

/// Largest movement that an operator records (rupees). Millions of them fit a balance.
pub const MOVEMENT_RUPEES_MAX: i64 = 1_000_000_000;

/// Interval between two sealings of posted transactions (milliseconds).
pub const SEALED_EVERY_MS: u64 = 500;

/// Interval at which a process that seals logs the head of the books (milliseconds).
pub const HEAD_LOGGED_EVERY_MS: i64 = 60_000;

/// Transactions that one transaction of the database seals (count).
pub const SEALED_TOGETHER_MAX: i64 = 2_000;

/// Rows that an audit checks in one transaction of the database (count).
pub const AUDIT_ROWS: usize = 1_000;

/// Lines of customers' statements that it compares in one transaction, except for a customer who
/// has more (count).
pub const AUDIT_LINES: i64 = 20_000;

/// Errors after which an audit ends (count).
pub const AUDIT_FAULTS_MAX: usize = 1_000;

/// Interval between two audits of the newest transactions (milliseconds).
pub const AUDIT_EVERY_MS: i64 = 60 * 60 * 1_000;

/// Interval between two audits of everything (milliseconds).
pub const AUDIT_WHOLE_EVERY_MS: i64 = DAY_MS;

/// Time after which a regular audit leaves the rest to its next attempt (milliseconds).
pub const AUDIT_TURN_MS: u64 = 5 * 60_000;

/// Longest pause of a regular audit between two pieces (milliseconds).
pub const AUDIT_PAUSE_MS_MAX: u64 = 1_000;

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

/// Time an idempotency key's response is kept; later repeats find the quote booked (milliseconds).
pub const IDEMPOTENCY_KEPT_MS: i64 = 7 * DAY_MS;

/// A merchant order id, as PhonePe accepts it (bytes).
pub const MERCHANT_ORDER_ID_BYTES_MAX: usize = 63;

/// The smallest refund the gateway makes (paise).
pub const GATEWAY_REFUND_MIN_PAISE: i64 = 100;

/// Age of a refund above which the gateway is asked less often (milliseconds).
pub const REFUND_YOUNG_MS: i64 = HOUR_MS;

/// Interval between two status requests about a young refund (milliseconds).
pub const REFUND_ASK_MS: i64 = 60_000;

/// Interval between two status requests about an older refund (milliseconds).
pub const REFUND_ASK_SELDOM_MS: i64 = 3 * HOUR_MS;

/// Time after which a refund unknown to the gateway is lost; no request is so slow (milliseconds).
pub const REFUND_LOST_MS: i64 = 15 * 60_000;

/// The URL of a courier's photograph or report (characters).
pub const PROOF_CHARS_MAX: usize = 500;

/// A report of the payment gateway (bytes).
pub const GATEWAY_REPORT_BYTES_MAX: usize = 64 * 1024 * 1024;

/// Recharges that one customer starts.
pub const CUSTOMER_PAYMENT_ORDERS: Allowed = Allowed { at_once: 10, pause_ms: 60_000 };

/// Unpaid recharges of one customer at one time (count).
pub const OPEN_PAYMENT_ORDERS_MAX: i64 = 5;

/// The highest threshold of a low-balance email (rupees).
pub const LOW_BALANCE_RUPEES_MAX: i64 = 100_000;

/// Days after a backup whose reports are read (days).
pub const RECOVERED_DAYS_MAX: i64 = 90;
