//! A payment that does not fit its order.

use crate::model::money::paise::Paise;

/// What the gateway confirmed, and why that is not what was ordered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dispute {
    /// For operators.
    pub reason: String,
    /// `None` for one of before this was kept.
    pub paid: Option<Paise>,
    /// The gateway's number of the payment.
    pub transaction_id: String,
    pub method: String,
}
