//! Background tasks: their kinds and states.

use serde::Serialize;

use crate::error::Error;
use crate::limits::{self, TaskRules};

/// A kind of task. Each has its handler in `jobs.rs` and its rules in `limits/tasks.rs`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum TaskKind {
    /// Checks a payment at the gateway; the subject is the payment's order.
    Payment,
    /// Sends a refund through the gateway; the subject is the refund.
    GatewayRefund,
    /// Sends an email with the result of a payment; the subject is the payment or the refund.
    PaymentLetter,
    /// Resumes an unfinished courier order; the subject is its booking.
    CourierOrder,
    /// Cancels a booking at its courier; the subject is the booking.
    Cancellation,
    /// Cancels a failed order found late at a courier; the subject is its booking.
    CallOff,
    /// Requests, moves or cancels a pickup at a courier; the subject is the pickup.
    Pickup,
    /// Tracks a shipment at a partner; the subject is its booking.
    Tracking,
    /// Sends emails about a booking; the subject is the booking.
    Notices,
    /// Sends an email about a courier's weight claim; the subject is the claim.
    WeightLetter,
    /// Sends an email that an account was closed; the subject is the account.
    ClosingLetter,
    /// Sends an email that an operator switched off two-step login; the subject is the account.
    TwoStepLetter,
    /// Sends an email that the wallet is low; the subject is the account.
    LowBalanceLetter,
    /// Deletes expired data. There is only one such task.
    Upkeep,
    /// Audits the books. There is only one such task.
    Audit,
    /// Reads the gateway's daily reports. There is only one such task.
    Reconciliation,
}

impl TaskKind {
    pub const ALL: [TaskKind; 16] = [
        TaskKind::Payment,
        TaskKind::GatewayRefund,
        TaskKind::PaymentLetter,
        TaskKind::CourierOrder,
        TaskKind::Cancellation,
        TaskKind::CallOff,
        TaskKind::Pickup,
        TaskKind::Tracking,
        TaskKind::Notices,
        TaskKind::WeightLetter,
        TaskKind::ClosingLetter,
        TaskKind::TwoStepLetter,
        TaskKind::LowBalanceLetter,
        TaskKind::Upkeep,
        TaskKind::Audit,
        TaskKind::Reconciliation,
    ];

    /// The word in the database, in metrics and on the command line.
    pub fn word(self) -> &'static str {
        self.row().0
    }

    pub fn rules(self) -> &'static TaskRules {
        self.row().1
    }

    fn row(self) -> (&'static str, &'static TaskRules) {
        match self {
            TaskKind::Payment => ("payment", &limits::PAYMENT_TASKS),
            TaskKind::GatewayRefund => ("gateway_refund", &limits::GATEWAY_REFUND_TASKS),
            TaskKind::PaymentLetter => ("payment_letter", &limits::NOTICES_TASKS),
            TaskKind::CourierOrder => ("courier_order", &limits::COURIER_ORDER_TASKS),
            TaskKind::Cancellation => ("cancellation", &limits::CANCELLATION_TASKS),
            TaskKind::CallOff => ("call_off", &limits::CALL_OFF_TASKS),
            TaskKind::Pickup => ("pickup", &limits::PICKUP_TASKS),
            TaskKind::Tracking => ("tracking", &limits::TRACKING_TASKS),
            TaskKind::Notices => ("notices", &limits::NOTICES_TASKS),
            TaskKind::WeightLetter => ("weight_letter", &limits::NOTICES_TASKS),
            TaskKind::ClosingLetter => ("closing_letter", &limits::NOTICES_TASKS),
            TaskKind::TwoStepLetter => ("two_step_letter", &limits::NOTICES_TASKS),
            TaskKind::LowBalanceLetter => ("low_balance_letter", &limits::NOTICES_TASKS),
            TaskKind::Upkeep => ("upkeep", &limits::UPKEEP_TASKS),
            TaskKind::Audit => ("audit", &limits::AUDIT_TASKS),
            TaskKind::Reconciliation => ("reconciliation", &limits::RECONCILIATION_TASKS),
        }
    }

    pub fn parse(word: &str) -> Option<TaskKind> {
        TaskKind::ALL.into_iter().find(|kind| kind.word() == word)
    }

    /// True for a periodic task that always exists; its subject is its own word.
    pub fn is_regular(self) -> bool {
        matches!(self, TaskKind::Upkeep | TaskKind::Audit | TaskKind::Reconciliation)
    }

    /// True for a task that sends an email: if cancelled, it may or may not have been sent.
    pub fn is_letter(self) -> bool {
        matches!(
            self,
            TaskKind::PaymentLetter
                | TaskKind::Notices
                | TaskKind::WeightLetter
                | TaskKind::ClosingLetter
                | TaskKind::TwoStepLetter
                | TaskKind::LowBalanceLetter
        )
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TaskEnd {
    Done,
    /// The task is due again at this time (milliseconds).
    Again(i64),
}

/// The failure of an attempt, with a code for operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TaskError {
    /// The task is tried again after a pause.
    Later(&'static str),
    /// A retry does not help: an operator must act.
    Never(&'static str),
}

impl From<&Error> for TaskError {
    fn from(error: &Error) -> TaskError {
        match error {
            Error::NeedsOperator { code, .. } => TaskError::Never(code),
            other => TaskError::Later(other.code()),
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClaimedTask {
    pub subject: String,
    /// The number of this attempt in a row; the first is 1.
    pub attempts: i64,
    /// The trace that this attempt goes on with; empty for one of its own.
    pub traceparent: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Task {
    /// The kind's word, which may be one of a newer version.
    pub kind: String,
    pub subject: String,
    pub due_ms: i64,
    /// End of the present lease; 0 if there is none.
    pub lease_until_ms: i64,
    /// Failed attempts in a row.
    pub attempts: i64,
    /// The code of the last attempt's error.
    pub last_error: String,
    /// Time at which it was quarantined for an operator; 0 if it was not.
    pub quarantined_ms: i64,
    pub created_ms: i64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct TaskFigures {
    pub kind: TaskKind,
    /// Age of the oldest due task (seconds); 0 if there is none.
    pub oldest_seconds: i64,
    /// Tasks quarantined for an operator (count).
    pub quarantined: i64,
}

/// Pause after a failed attempt (milliseconds): the pauses grow, and the last one is repeated.
pub fn pause_ms(rules: &TaskRules, attempts: i64) -> i64 {
    let tried = usize::try_from(attempts - 1).unwrap_or(0);
    rules.pauses_ms[tried.min(rules.pauses_ms.len() - 1)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_of_one_kind() {
        for kind in TaskKind::ALL {
            assert_eq!(TaskKind::parse(kind.word()), Some(kind));
            assert_eq!(serde_json::to_value(kind).unwrap(), kind.word());
        }
        assert_eq!(TaskKind::parse("tea"), None);
    }

    #[test]
    fn pauses_grow_and_the_last_stays() {
        for kind in TaskKind::ALL {
            let rules = kind.rules();
            assert!(rules.pauses_ms.is_sorted(), "{kind:?}");
            assert_eq!(pause_ms(rules, 1), rules.pauses_ms[0]);
            assert_eq!(pause_ms(rules, i64::MAX), *rules.pauses_ms.last().expect("a pause"));
        }
    }
}
