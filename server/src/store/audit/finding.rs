//! Lines of the result of an audit.

use crate::model::money::paise::Paise;

/// An error in the books.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditFinding {
    /// The number of the first wrong transaction, if the error is in one.
    pub seq: Option<i64>,
    /// The error in words, for operators. Names ids, never people.
    pub text: String,
}

/// One kind of account in the trial balance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrialLine {
    pub account: String,
    /// The number of accounts; more than one for wallets.
    pub accounts: i64,
    /// The sum of their balances. Positive means that we owe it.
    pub balance: Paise,
}
