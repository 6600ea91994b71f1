//! How background work of each kind is done.

use super::{
    AUDIT_EVERY_MS, CANCEL_AGAIN_MS, DAY_MS, HOUR_MS, NOTICE_WAITS_MS, RECONCILE_EVERY_MS,
    REFUND_ASK_SELDOM_MS, SWEEP_SELDOM_MS, TIDY_EVERY_MS, TRACK_EVERY_MS, TaskRules,
};

/// Asking the gateway about payments. When it does not answer, that is no error: the next question
/// is as long away as after any other answer.
pub const PAYMENT_TASKS: TaskRules = TaskRules {
    at_once: 16,
    every_ms: 1_000,
    lease_ms: 60_000,
    pauses_ms: &[3_000, 30_000, 60_000, 5 * 60_000, 15 * 60_000, HOUR_MS],
    tries_max: 80,
    ahead_ms_max: SWEEP_SELDOM_MS,
};
/// Having the gateway send money back. Banks take days; an operator looks at what does not end.
pub const GATEWAY_REFUND_TASKS: TaskRules = TaskRules {
    at_once: 4,
    every_ms: 2_000,
    lease_ms: 60_000,
    pauses_ms: &[30_000, 60_000, 5 * 60_000, 15 * 60_000, HOUR_MS],
    tries_max: 80,
    ahead_ms_max: REFUND_ASK_SELDOM_MS,
};
/// Going on with courier orders. A try asks the courier at most three times, 25 s each at most.
pub const COURIER_ORDER_TASKS: TaskRules = TaskRules {
    at_once: 16,
    every_ms: 1_000,
    lease_ms: 80_000,
    pauses_ms: &[30_000, 60_000, 5 * 60_000, 15 * 60_000],
    tries_max: 20,
    ahead_ms_max: 15 * 60_000,
};
/// Having couriers let go of bookings: two days long.
pub const CANCELLATION_TASKS: TaskRules = TaskRules {
    at_once: 16,
    every_ms: 1_000,
    lease_ms: 60_000,
    pauses_ms: &[
        CANCEL_AGAIN_MS,
        CANCEL_AGAIN_MS,
        5 * 60_000,
        15 * 60_000,
        HOUR_MS,
    ],
    tries_max: 50,
    ahead_ms_max: HOUR_MS,
};
/// Calling off what turns up at couriers late. A try asks the courier three times, 25 s each at
/// most.
pub const CALL_OFF_TASKS: TaskRules = TaskRules {
    at_once: 8,
    every_ms: 2_000,
    lease_ms: 80_000,
    pauses_ms: &[30_000, 2 * 60_000, 5 * 60_000, 15 * 60_000, HOUR_MS],
    tries_max: 50,
    ahead_ms_max: 2 * DAY_MS,
};
/// Asking couriers to fetch parcels. A try looks each parcel up and asks twice: 25 s each at most,
/// three times.
pub const PICKUP_TASKS: TaskRules = TaskRules {
    at_once: 8,
    every_ms: 1_000,
    lease_ms: 80_000,
    pauses_ms: &[30_000, 60_000, 5 * 60_000, 15 * 60_000, HOUR_MS],
    tries_max: 30,
    ahead_ms_max: HOUR_MS,
};
/// Asking partners where shipments are. That ends by itself after 90 days, never by errors.
pub const TRACKING_TASKS: TaskRules = TaskRules {
    at_once: 16,
    every_ms: 2_000,
    lease_ms: 60_000,
    pauses_ms: &[TRACK_EVERY_MS, TRACK_EVERY_MS, HOUR_MS, 3 * HOUR_MS],
    tries_max: i64::MAX,
    ahead_ms_max: 3 * HOUR_MS,
};
/// Telling customers of their bookings.
pub const NOTICES_TASKS: TaskRules = TaskRules {
    at_once: 8,
    every_ms: 2_000,
    lease_ms: 120_000,
    pauses_ms: &NOTICE_WAITS_MS,
    tries_max: 8,
    ahead_ms_max: 8 * HOUR_MS,
};
/// Forgetting what is over.
pub const UPKEEP_TASKS: TaskRules = TaskRules {
    at_once: 1,
    every_ms: 30_000,
    lease_ms: 5 * 60_000,
    pauses_ms: &[60_000, TIDY_EVERY_MS],
    tries_max: i64::MAX,
    ahead_ms_max: TIDY_EVERY_MS,
};
/// Checking the books, which may take long.
pub const AUDIT_TASKS: TaskRules = TaskRules {
    at_once: 1,
    every_ms: 30_000,
    lease_ms: 30 * 60_000,
    pauses_ms: &[60_000, 10 * 60_000, AUDIT_EVERY_MS],
    tries_max: i64::MAX,
    ahead_ms_max: AUDIT_EVERY_MS,
};
/// Reading the gateway's reports of some days.
pub const RECONCILIATION_TASKS: TaskRules = TaskRules {
    at_once: 1,
    every_ms: 30_000,
    lease_ms: 10 * 60_000,
    pauses_ms: &[60_000, RECONCILE_EVERY_MS],
    tries_max: i64::MAX,
    ahead_ms_max: RECONCILE_EVERY_MS,
};
/// Before a task is looked for again that somebody was just writing on (milliseconds).
pub const TASK_PASSED_OVER_MS: u64 = 10;
