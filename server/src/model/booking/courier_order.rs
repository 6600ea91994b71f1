//! Asking a courier, so that every booking ends as exactly one of: charged with one AWB, or not
//! charged with none (reliability.md M8, M9).
//!
//! The money is held and the order written down before the courier is asked. It is asked at most
//! once. When its answer is lost, the order is looked up under our reference until its fate is
//! known; in between the money is neither spent nor free.

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
    pub state: State,
    /// How often its fate was asked for in vain.
    pub looked_up: i64,
    pub due_ms: i64,
    pub called_ms: i64,
    pub created_ms: i64,
    /// The courier's number, once it has booked.
    pub awb: String,
    /// It is cancelled as soon as it is booked.
    pub cancel_wanted: bool,
}

/// Where an order stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// Written down; the courier has not been asked.
    Held,
    /// The courier is being asked, or was when the process died.
    Calling,
    /// Asked, and the answer is not known.
    Unknown,
    Booked,
    Rejected,
}

impl State {
    const ALL: [State; 5] = [
        State::Held,
        State::Calling,
        State::Unknown,
        State::Booked,
        State::Rejected,
    ];

    /// The word in the data base.
    pub fn word(self) -> &'static str {
        match self {
            State::Held => "held",
            State::Calling => "calling",
            State::Unknown => "unknown",
            State::Booked => "booked",
            State::Rejected => "rejected",
        }
    }

    pub fn parse(word: &str) -> Option<State> {
        State::ALL.into_iter().find(|state| state.word() == word)
    }
}
