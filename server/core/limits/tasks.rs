//! Limits of background work, and the rules of each kind of task.

use super::{
    AUDIT_EVERY_MS, CANCEL_AGAIN_MS, DAY_MS, HOUR_MS, NOTICE_WAITS_MS, RECONCILE_EVERY_MS,
    REFUND_ASK_SELDOM_MS, SWEEP_SELDOM_MS, TRACK_ARRIVED_EVERY_MS, TRACK_EVERY_MS, TaskRules,
};

/// Interval between two upkeep runs (milliseconds).
pub const TIDY_EVERY_MS: i64 = 10 * 60 * 1_000;

/// Old rows that one transaction of the upkeep deletes (count).
pub const SWEPT_ROWS: u64 = 1_000;

/// Transactions of one upkeep run that delete rows of one kind (count).
pub const SWEEPS_MAX: usize = 100;

/// Time after its last heartbeat in which a process counts as alive (milliseconds).
pub const NODE_MS_MAX: i64 = 6_000;

/// Interval between two heartbeats (milliseconds).
pub const NODE_EVERY_MS: u64 = 2_000;

/// Difference between the machine's clock and the database's that is left alone, and the longest
/// time in which the database tells its own (milliseconds).
pub const CLOCK_SKEW_MS_MAX: i64 = 1_000;

/// Interval at which the age of the oldest tasks is measured (milliseconds).
pub const TASK_FIGURES_EVERY_MS: u64 = 15_000;

/// Pause before a loop that panicked is restarted (milliseconds).
pub const LOOP_AGAIN_MS: u64 = 1_000;

/// Time in which the kinds of due tasks are collected that other processes are told (milliseconds).
pub const WAKE_MERGE_MS: u64 = 20;

/// Interval at which a quiet connection that listens is checked (milliseconds).
pub const WAKE_CHECK_EVERY_MS: u64 = 10_000;

/// Pauses before a lost connection that listens is opened again; the last is repeated
/// (milliseconds).
pub const WAKE_AGAIN_MS: [u64; 3] = [1_000, 5_000, 30_000];

/// Tasks and orders that an operator is shown (count).
pub const TASKS_SHOWN_MAX: i64 = 500;

/// Checks payments at the gateway. No response is no error: the pause is that after any response.
pub const PAYMENT_TASKS: TaskRules = TaskRules {
    at_once: 16,
    every_ms: 1_000,
    lease_ms: 60_000,
    pauses_ms: &[3_000, 30_000, 60_000, 5 * 60_000, 15 * 60_000, HOUR_MS],
    tries_max: 80,
    ahead_ms_max: SWEEP_SELDOM_MS,
};

/// Sends refunds through the gateway. Banks take days; an operator handles refunds without an end.
pub const GATEWAY_REFUND_TASKS: TaskRules = TaskRules {
    at_once: 4,
    every_ms: 2_000,
    lease_ms: 60_000,
    pauses_ms: &[30_000, 60_000, 5 * 60_000, 15 * 60_000, HOUR_MS],
    tries_max: 80,
    ahead_ms_max: REFUND_ASK_SELDOM_MS,
};

/// Resumes courier orders. An attempt calls the courier at most three times, 25 s each at most.
pub const COURIER_ORDER_TASKS: TaskRules = TaskRules {
    at_once: 16,
    every_ms: 1_000,
    lease_ms: 80_000,
    pauses_ms: &[30_000, 60_000, 5 * 60_000, 15 * 60_000],
    tries_max: 20,
    ahead_ms_max: 15 * 60_000,
};

/// Cancels bookings at couriers, for two days.
pub const CANCELLATION_TASKS: TaskRules = TaskRules {
    at_once: 16,
    every_ms: 1_000,
    lease_ms: 60_000,
    pauses_ms: &[CANCEL_AGAIN_MS, CANCEL_AGAIN_MS, 5 * 60_000, 15 * 60_000, HOUR_MS],
    tries_max: 50,
    ahead_ms_max: HOUR_MS,
};

/// Cancels orders that appear late. An attempt calls the courier three times, 25 s each at most.
pub const CALL_OFF_TASKS: TaskRules = TaskRules {
    at_once: 8,
    every_ms: 2_000,
    lease_ms: 80_000,
    pauses_ms: &[30_000, 2 * 60_000, 5 * 60_000, 15 * 60_000, HOUR_MS],
    tries_max: 50,
    ahead_ms_max: 2 * DAY_MS,
};

/// Requests pickups from couriers. An attempt is a look-up and two calls, 25 s each at most.
pub const PICKUP_TASKS: TaskRules = TaskRules {
    at_once: 8,
    every_ms: 1_000,
    lease_ms: 80_000,
    pauses_ms: &[30_000, 60_000, 5 * 60_000, 15 * 60_000, HOUR_MS],
    tries_max: 30,
    ahead_ms_max: HOUR_MS,
};

/// Tracks shipments at partners. It ends by itself after 90 days, never by errors.
pub const TRACKING_TASKS: TaskRules = TaskRules {
    at_once: 16,
    every_ms: 2_000,
    lease_ms: 60_000,
    pauses_ms: &[TRACK_EVERY_MS, TRACK_EVERY_MS, HOUR_MS, 3 * HOUR_MS],
    tries_max: i64::MAX,
    ahead_ms_max: TRACK_ARRIVED_EVERY_MS,
};

/// Sends customers emails about their bookings.
pub const NOTICES_TASKS: TaskRules = TaskRules {
    at_once: 8,
    every_ms: 2_000,
    lease_ms: 120_000,
    pauses_ms: &NOTICE_WAITS_MS,
    tries_max: 8,
    ahead_ms_max: 8 * HOUR_MS,
};

/// Deletes expired data.
pub const UPKEEP_TASKS: TaskRules = TaskRules {
    at_once: 1,
    every_ms: 30_000,
    lease_ms: 5 * 60_000,
    pauses_ms: &[60_000, TIDY_EVERY_MS],
    tries_max: i64::MAX,
    ahead_ms_max: TIDY_EVERY_MS,
};

/// Audits the books. An attempt takes a turn and the longest statement at most; it continues where
/// the last one ended. An audit that fails again and again tells an operator soon.
pub const AUDIT_TASKS: TaskRules = TaskRules {
    at_once: 1,
    every_ms: 30_000,
    lease_ms: 10 * 60_000,
    pauses_ms: &[30_000, 60_000, 2 * 60_000],
    tries_max: 3,
    ahead_ms_max: AUDIT_EVERY_MS,
};

/// Reads the gateway's reports of some days.
pub const RECONCILIATION_TASKS: TaskRules = TaskRules {
    at_once: 1,
    every_ms: 30_000,
    lease_ms: 10 * 60_000,
    pauses_ms: &[60_000, RECONCILE_EVERY_MS],
    tries_max: i64::MAX,
    ahead_ms_max: RECONCILE_EVERY_MS,
};

/// Age up to which a task goes on with the trace of the request that queued it: those that repeat
/// for days would make a trace without an end (milliseconds).
pub const TASK_TRACED_MS_MAX: i64 = HOUR_MS;

/// Pause before a task is claimed again that another transaction was writing (milliseconds).
pub const TASK_PASSED_OVER_MS: u64 = 10;

/// The time in which completed tasks wait for others, to be deleted with them.
pub const TASKS_COMPLETED_MERGE_MS: u64 = 10;
