//! The reasons of failed payments: part of PhonePe's table (developer.phonepe.com, "Error codes").

use super::super::table::table;

/// One line of the table. The descriptions are ours.
#[derive(Debug)]
pub(super) struct Decline {
    /// `detailedErrorCode`, the key of the table.
    pub detailed_code: &'static str,
    pub error_code: &'static str,
    pub stage: &'static str,
    pub source: &'static str,
    pub description: &'static str,
}

/// The customer left, or the order expired without an attempt.
pub(super) const NOT_COMPLETED: &str = "TXN_AUTO_FAILED";

pub(super) const DECLINES: &[Decline] = table! {
    Decline (detailed_code, error_code, stage, source, description):
    ("Z9", "INSUFFICIENT_BALANCE", "AUTHORIZATION", "CUSTOMER",
     "There is not enough money in the bank account.")
    ("ZM", "INVALID_MPIN", "AUTHENTICATION", "CUSTOMER", "The UPI PIN entered was wrong.")
    ("U90", "BANK_TECHNICAL_ISSUE", "AUTHORIZATION", "ISSUING_BANK",
     "The bank has a technical problem.")
    ("AUTHENTICATION_FAILED", "AUTHENTICATION_FAILED", "AUTHENTICATION", "CUSTOMER",
     "The bank could not verify the card holder.")
    ("AUTHORIZATION_ERROR", "AUTHORIZATION_ERROR", "AUTHORIZATION", "ISSUING_BANK",
     "The bank did not approve the payment.")
    ("TRANSACTION_TIMEOUT", "TRANSACTION_TIMEOUT", "AUTHORIZATION", "GATEWAY",
     "The bank did not answer in time.")
    (NOT_COMPLETED, "TXN_NOT_COMPLETED", "PRE_AUTHENTICATION", "CUSTOMER",
     "The payment was not completed.")
};

pub(super) fn decline(detailed_code: &str) -> Option<&'static Decline> {
    DECLINES.iter().find(|decline| decline.detailed_code == detailed_code)
}
