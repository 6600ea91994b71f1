//! What is asked of a courier for one booking, and where that stands.

use serde::Serialize;

use crate::model::courier::order::OrderNumbers;

/// What is asked of a courier for one booking.
#[derive(Clone, Debug)]
pub struct CourierOrder {
    pub booking_id: String,
    pub user_id: String,
    pub courier: String,
    pub service: String,
    pub reference: String,
    pub idempotency_key: String,
    pub request_hash: String,
    pub state: CourierOrderState,
    /// How often its fate was asked for in vain.
    pub looked_up: i64,
    pub called_ms: i64,
    pub created_ms: i64,
    /// The courier's id of it, once it was begun there.
    pub courier_id: String,
    /// The courier's number, once it has booked.
    pub awb: String,
    /// It is cancelled as soon as it is booked.
    pub cancel_wanted: bool,
    /// Since when nothing of it must be left at its courier; 0: it may be.
    pub gone_ms: i64,
}

impl CourierOrder {
    /// What its courier is asked about it with.
    pub fn numbers(&self) -> OrderNumbers {
        OrderNumbers {
            service: self.service.clone(),
            reference: self.reference.clone(),
            courier_id: self.courier_id.clone(),
            awb: self.awb.clone(),
        }
    }
}

/// An order as an operator sees it: nothing personal.
#[derive(Clone, Debug, Serialize)]
pub struct StuckOrder {
    pub booking_id: String,
    pub courier: String,
    pub service: String,
    /// Ours, told to the courier.
    pub reference: String,
    /// Where the order stands at the courier.
    pub state: String,
    /// And the booking, here.
    pub status: String,
    /// What the courier said last.
    pub reason: String,
    pub looked_up: i64,
    /// When the courier was asked; 0: never.
    pub called_ms: i64,
    pub created_ms: i64,
    pub awb: String,
    pub cancel_wanted: bool,
    /// Which task waits for it; empty: none.
    pub task: String,
    /// What kind of error that met last.
    pub last_error: String,
    /// When it was left to an operator; 0: it was not.
    pub quarantined_ms: i64,
}

/// Where an order stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CourierOrderState {
    /// Written down; the courier has not been asked.
    Held,
    /// The courier is being asked, or was when the process died.
    Calling,
    /// Asked, and the answer is not known.
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

    /// The word in the database.
    pub fn word(self) -> &'static str {
        match self {
            CourierOrderState::Held => "held",
            CourierOrderState::Calling => "calling",
            CourierOrderState::Unknown => "unknown",
            CourierOrderState::Booked => "booked",
            CourierOrderState::Rejected => "rejected",
        }
    }

    /// Whether it is not known yet if the courier has it.
    pub fn is_open(self) -> bool {
        use CourierOrderState::{Calling, Held, Unknown};
        matches!(self, Held | Calling | Unknown)
    }

    pub fn parse(word: &str) -> Option<CourierOrderState> {
        CourierOrderState::ALL
            .into_iter()
            .find(|state| state.word() == word)
    }
}
