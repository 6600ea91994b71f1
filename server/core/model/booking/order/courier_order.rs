//! An order to a courier for one booking, and its state.

use serde::Serialize;

use crate::model::courier::order::OrderNumbers;

#[derive(Clone, Debug, Default)]
pub struct CourierOrder {
    pub booking_id: String,
    pub user_id: String,
    pub courier: String,
    pub service: String,
    pub reference: String,
    pub idempotency_key: String,
    pub request_hash: String,
    pub state: CourierOrderState,
    /// Number of status requests to the courier without a result.
    pub looked_up: i64,
    pub called_ms: i64,
    pub created_ms: i64,
    /// The courier's id of the order, once it was begun there.
    pub courier_id: String,
    /// The courier's AWB, once it has booked.
    pub awb: String,
    /// The order is cancelled as soon as it is booked.
    pub cancel_wanted: bool,
    /// Time since which the courier must have no order left; 0: it may have one.
    pub abandoned_ms: i64,
}

impl CourierOrder {
    /// Returns the numbers that identify the order in requests to its courier.
    pub fn numbers(&self) -> OrderNumbers {
        OrderNumbers {
            service: self.service.clone(),
            reference: self.reference.clone(),
            courier_id: self.courier_id.clone(),
            awb: self.awb.clone(),
        }
    }
}

/// An order for operators, without personal data.
#[derive(Clone, Debug, Serialize)]
pub struct StuckOrder {
    pub booking_id: String,
    pub courier: String,
    pub service: String,
    /// Our reference, sent to the courier.
    pub reference: String,
    /// The order's state at the courier.
    pub state: String,
    /// The booking's status in our database.
    pub status: String,
    /// The courier's latest reason.
    pub reason: String,
    pub looked_up: i64,
    /// Time of the request to the courier; 0: never.
    pub called_ms: i64,
    pub created_ms: i64,
    pub awb: String,
    pub cancel_wanted: bool,
    /// The task that waits for the order; empty: none.
    pub task: String,
    /// The kind of the task's last error.
    pub last_error: String,
    /// Time at which the order was left to an operator; 0: it was not.
    pub quarantined_ms: i64,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CourierOrderState {
    /// Stored; not sent to the courier yet.
    #[default]
    Held,
    /// The request to the courier is running, or was when the process died.
    Calling,
    /// Sent, and the result is not known.
    Unknown,
    Booked,
    Rejected,
}

impl CourierOrderState {
    const ALL: [CourierOrderState; 5] = [
        CourierOrderState::Held,
        CourierOrderState::Calling,
        CourierOrderState::Unknown,
        CourierOrderState::Booked,
        CourierOrderState::Rejected,
    ];

    /// The state's name in the database.
    pub fn word(self) -> &'static str {
        match self {
            CourierOrderState::Held => "held",
            CourierOrderState::Calling => "calling",
            CourierOrderState::Unknown => "unknown",
            CourierOrderState::Booked => "booked",
            CourierOrderState::Rejected => "rejected",
        }
    }

    /// True while it is not known if the courier has the order.
    pub fn is_open(self) -> bool {
        use CourierOrderState::{Calling, Held, Unknown};
        matches!(self, Held | Calling | Unknown)
    }

    pub fn parse(word: &str) -> Option<CourierOrderState> {
        CourierOrderState::ALL.into_iter().find(|state| state.word() == word)
    }
}
