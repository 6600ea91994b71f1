//! Money: amounts, the transactions of the ledger and the chain that seals them.

pub mod amount_in_words;
pub mod charge;
pub mod hash_chain;
pub mod ledger_account;
pub mod ledger_transaction;
pub mod movement;
pub mod paise;
