//! A payment that does not match its order.

use crate::model::money::paise::Paise;

/// The payment that the gateway confirmed, and the difference from the order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dispute {
    /// The reason, for operators.
    pub reason: String,
    /// `None` for a dispute older than this column.
    pub paid: Option<Paise>,
    /// The gateway's transaction id of the payment.
    pub transaction_id: String,
    pub method: String,
}
