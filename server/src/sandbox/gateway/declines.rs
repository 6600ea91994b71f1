//! The reasons of failed payments: part of PhonePe's table (developer.phonepe.com, "Error codes").

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

pub(super) const DECLINES: &[Decline] = &[
    Decline {
        detailed_code: "Z9",
        error_code: "INSUFFICIENT_BALANCE",
        stage: "AUTHORIZATION",
        source: "CUSTOMER",
        description: "There is not enough money in the bank account.",
    },
    Decline {
        detailed_code: "ZM",
        error_code: "INVALID_MPIN",
        stage: "AUTHENTICATION",
        source: "CUSTOMER",
        description: "The UPI PIN entered was wrong.",
    },
    Decline {
        detailed_code: "U90",
        error_code: "BANK_TECHNICAL_ISSUE",
        stage: "AUTHORIZATION",
        source: "ISSUING_BANK",
        description: "The bank has a technical problem.",
    },
    Decline {
        detailed_code: "AUTHENTICATION_FAILED",
        error_code: "AUTHENTICATION_FAILED",
        stage: "AUTHENTICATION",
        source: "CUSTOMER",
        description: "The bank could not verify the card holder.",
    },
    Decline {
        detailed_code: "AUTHORIZATION_ERROR",
        error_code: "AUTHORIZATION_ERROR",
        stage: "AUTHORIZATION",
        source: "ISSUING_BANK",
        description: "The bank did not approve the payment.",
    },
    Decline {
        detailed_code: "TRANSACTION_TIMEOUT",
        error_code: "TRANSACTION_TIMEOUT",
        stage: "AUTHORIZATION",
        source: "GATEWAY",
        description: "The bank did not answer in time.",
    },
    Decline {
        detailed_code: NOT_COMPLETED,
        error_code: "TXN_NOT_COMPLETED",
        stage: "PRE_AUTHENTICATION",
        source: "CUSTOMER",
        description: "The payment was not completed.",
    },
];

/// Returns the line of this `detailedErrorCode`.
pub(super) fn decline(detailed_code: &str) -> Option<&'static Decline> {
    DECLINES
        .iter()
        .find(|decline| decline.detailed_code == detailed_code)
}
