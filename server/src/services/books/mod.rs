//! The books as operators keep them: what they move, what couriers claim, and what the gateway's
//! report says.

pub mod daily_reports;
pub mod movements;
pub mod reconciliation;
pub mod weight_claims;

use super::core::Core;

/// What customers answer about their books. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Books {
    core: Core,
}

/// Who moves money, why, and what makes it happen once.
#[derive(Clone, Debug)]
pub struct Instruction {
    /// The same instruction carried out again changes nothing.
    pub id: String,
    /// The operator.
    pub actor: String,
    /// Why, for operators.
    pub note: String,
    pub now_ms: i64,
}

impl Books {
    pub fn new(core: Core) -> Books {
        Books { core }
    }
}
