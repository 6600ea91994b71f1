//! Work that is done later, or again and again: what kinds there are, and where one stands.

use serde::Serialize;

use crate::limits::{self, TaskRules};

/// A kind of work. Each has its handler in `jobs.rs` and its rules in `limits.rs`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TaskKind {
    /// Asking the gateway what became of a payment; by the payment's order.
    Payment,
    /// Having the gateway send money back; by the refund.
    GatewayRefund,
    /// Telling a customer how a payment ended; by the payment or the refund.
    PaymentLetter,
    /// Going on with a courier order without an end; by its booking.
    CourierOrder,
    /// Having a courier let go of a booking; by the booking.
    Cancellation,
    /// Calling off what turns up late of an order that ended without a shipment; by its booking.
    CallOff,
    /// Asking a courier to fetch parcels, at another time, or not; by the pickup.
    Pickup,
    /// Asking a partner where a shipment is; by its booking.
    Tracking,
    /// Telling a customer of a booking; by the booking.
    Notices,
    /// Telling a customer how a courier's claim of more weight stands; by the claim.
    WeightLetter,
    /// Telling somebody that their account is closed; by the account.
    ClosingLetter,
    /// Telling a customer that an operator switched off two-step sign-in; by the account.
    TwoStepLetter,
    /// Telling a customer that the wallet is low; by the account.
    LowBalanceLetter,
    /// Forgetting what is over. There is one.
    Upkeep,
    /// Checking the books. There is one.
    Audit,
    /// Reading the gateway's daily reports. There is one.
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
        match self {
            TaskKind::Payment => "payment",
            TaskKind::GatewayRefund => "gateway_refund",
            TaskKind::PaymentLetter => "payment_letter",
            TaskKind::CourierOrder => "courier_order",
            TaskKind::Cancellation => "cancellation",
            TaskKind::CallOff => "call_off",
            TaskKind::Pickup => "pickup",
            TaskKind::Tracking => "tracking",
            TaskKind::Notices => "notices",
            TaskKind::WeightLetter => "weight_letter",
            TaskKind::ClosingLetter => "closing_letter",
            TaskKind::TwoStepLetter => "two_step_letter",
            TaskKind::LowBalanceLetter => "low_balance_letter",
            TaskKind::Upkeep => "upkeep",
            TaskKind::Audit => "audit",
            TaskKind::Reconciliation => "reconciliation",
        }
    }

    /// The kind with this word.
    pub fn parse(word: &str) -> Option<TaskKind> {
        TaskKind::ALL.into_iter().find(|kind| kind.word() == word)
    }

    /// How work of this kind is done.
    pub fn rules(self) -> &'static TaskRules {
        match self {
            TaskKind::Payment => &limits::PAYMENT_TASKS,
            TaskKind::GatewayRefund => &limits::GATEWAY_REFUND_TASKS,
            TaskKind::CourierOrder => &limits::COURIER_ORDER_TASKS,
            TaskKind::Cancellation => &limits::CANCELLATION_TASKS,
            TaskKind::CallOff => &limits::CALL_OFF_TASKS,
            TaskKind::Pickup => &limits::PICKUP_TASKS,
            TaskKind::Tracking => &limits::TRACKING_TASKS,
            TaskKind::PaymentLetter
            | TaskKind::Notices
            | TaskKind::WeightLetter
            | TaskKind::ClosingLetter
            | TaskKind::TwoStepLetter
            | TaskKind::LowBalanceLetter => &limits::NOTICES_TASKS,
            TaskKind::Upkeep => &limits::UPKEEP_TASKS,
            TaskKind::Audit => &limits::AUDIT_TASKS,
            TaskKind::Reconciliation => &limits::RECONCILIATION_TASKS,
        }
    }

    /// Work that is always there and is done again and again; its subject is its own word.
    pub fn is_regular(self) -> bool {
        matches!(
            self,
            TaskKind::Upkeep | TaskKind::Audit | TaskKind::Reconciliation
        )
    }

    /// Work that sends a letter: cut off, nobody would know whether it left.
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

impl Serialize for TaskKind {
    fn serialize<S: serde::Serializer>(&self, json: S) -> Result<S::Ok, S::Error> {
        json.serialize_str(self.word())
    }
}

/// What a try came to, if it met no error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TaskEnd {
    /// There is nothing left to do.
    Done,
    /// It is looked at again at this time (milliseconds).
    Again(i64),
}

/// A task that somebody was given to work on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClaimedTask {
    pub subject: String,
    /// Which try in a row this is; the first is 1.
    pub attempts: i64,
}

/// A task as an operator sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Task {
    pub kind: TaskKind,
    pub subject: String,
    pub due_ms: i64,
    /// Somebody is at it until then; 0: nobody.
    pub lease_until_ms: i64,
    /// Tries in a row that came to nothing.
    pub attempts: i64,
    /// What kind of error the last try met.
    pub last_error: String,
    /// When it was left to an operator; 0: it was not.
    pub quarantined_ms: i64,
    pub created_ms: i64,
}

/// How the tasks of a kind stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct TaskFigures {
    pub kind: TaskKind,
    /// How long the oldest has been due; 0 when none is.
    pub oldest_seconds: i64,
    /// How many were left to an operator.
    pub quarantined: i64,
}

/// When a try that came to nothing is followed by the next: the pauses grow, the last stays.
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
        }
        assert_eq!(TaskKind::parse("tea"), None);
    }

    #[test]
    fn pauses_grow_and_the_last_stays() {
        for kind in TaskKind::ALL {
            let rules = kind.rules();
            assert!(rules.pauses_ms.is_sorted(), "{kind:?}");
            assert_eq!(pause_ms(rules, 1), rules.pauses_ms[0]);
            assert_eq!(
                pause_ms(rules, i64::MAX),
                *rules.pauses_ms.last().expect("a pause")
            );
        }
    }
}
