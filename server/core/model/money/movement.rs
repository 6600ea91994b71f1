//! Movements of money by operators: settlements, goodwill, corrections and chargebacks.

use crate::model::money::ledger_account::LedgerAccount;
use crate::model::money::paise::Paise;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MovementKind {
    /// A gift of money to a customer, not a refund of a sale.
    Goodwill,
    /// A correction of a customer's balance; an amount below zero takes money.
    Adjustment,
    /// A payment of a courier's bill.
    CourierSettlement,
    /// A courier's bill above our estimate, or below it with an amount below zero.
    CourierDifference,
    /// A payout of customers' payments by the gateway, less its fee.
    GatewaySettlement,
    /// A payment that the gateway took back because the customer's bank requested it.
    Chargeback,
    /// A chargeback decided in our favour.
    ChargebackReversal,
    /// A refund of all or part of a payment, requested of the gateway by an operator.
    GatewayRefund,
    /// A refund that the gateway could not make.
    GatewayRefundFailed,
    /// The part of a charge that the wallet does not cover: the customer owes it.
    Debt,
    /// A credit that pays what the customer owes, posted by the books themselves.
    DebtRepaid,
}

impl MovementKind {
    pub const ALL: [MovementKind; 11] = [
        MovementKind::Goodwill,
        MovementKind::Adjustment,
        MovementKind::CourierSettlement,
        MovementKind::CourierDifference,
        MovementKind::GatewaySettlement,
        MovementKind::Chargeback,
        MovementKind::ChargebackReversal,
        MovementKind::GatewayRefund,
        MovementKind::GatewayRefundFailed,
        MovementKind::Debt,
        MovementKind::DebtRepaid,
    ];

    /// The name in the ledger.
    pub fn word(self) -> &'static str {
        match self {
            MovementKind::Goodwill => "goodwill",
            MovementKind::Adjustment => "adjustment",
            MovementKind::CourierSettlement => "courier_settlement",
            MovementKind::CourierDifference => "courier_difference",
            MovementKind::GatewaySettlement => "gateway_settlement",
            MovementKind::Chargeback => "chargeback",
            MovementKind::ChargebackReversal => "chargeback_reversal",
            MovementKind::GatewayRefund => "gateway_refund",
            MovementKind::GatewayRefundFailed => "gateway_refund_failed",
            MovementKind::Debt => "debt",
            MovementKind::DebtRepaid => "debt_repaid",
        }
    }

    /// The idempotent id of a movement that has a number of the bank, gateway or courier.
    pub fn id_of(self, number: &str) -> String {
        format!("{}:{number}", self.word())
    }

    pub fn parse(word: &str) -> Option<MovementKind> {
        MovementKind::ALL.into_iter().find(|kind| kind.word() == word)
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Movement {
    pub movement_id: String,
    pub kind: MovementKind,
    /// The user whose wallet changes; empty when no wallet changes.
    pub user_id: String,
    /// The AWB, the payment, the courier or the bank's reference; of a debt repaid, the reference
    /// of the credit.
    pub reference: String,
    pub amount: Paise,
    /// The gateway's fee, or the part of a chargeback that the wallet pays; included in the amount.
    pub part: Paise,
    pub actor: String,
    /// The reason, for operators. Customers do not see it.
    pub note: String,
    pub created_ms: i64,
}

impl Movement {
    /// Returns the entries. An entry that takes from a wallet comes first.
    pub fn entries(&self) -> Vec<(LedgerAccount, Paise)> {
        use LedgerAccount::{
            Adjustments, Bank, CourierPayable, GatewayClearing, GatewayFees, Receivable, Revenue,
        };
        let (amount, part) = (self.amount, self.part);
        let rest = amount.minus(part);
        let wallet = LedgerAccount::Available(self.user_id.clone());
        let owed = Receivable(self.user_id.clone());
        match self.kind {
            MovementKind::Goodwill | MovementKind::Adjustment => {
                vec![(wallet, amount), (Adjustments, amount.negated())]
            }
            MovementKind::CourierSettlement => {
                vec![(CourierPayable, amount.negated()), (Bank, amount)]
            }
            MovementKind::CourierDifference => {
                vec![(Revenue, amount.negated()), (CourierPayable, amount)]
            }
            MovementKind::GatewaySettlement => {
                vec![
                    (GatewayClearing, amount),
                    (Bank, rest.negated()),
                    (GatewayFees, part.negated()),
                ]
            }
            MovementKind::Chargeback => {
                vec![(wallet, part.negated()), (owed, rest.negated()), (GatewayClearing, amount)]
            }
            MovementKind::GatewayRefund => {
                vec![(wallet, amount.negated()), (GatewayClearing, amount)]
            }
            MovementKind::ChargebackReversal | MovementKind::GatewayRefundFailed => {
                vec![(GatewayClearing, amount.negated()), (wallet, amount)]
            }
            MovementKind::Debt => vec![(owed, amount.negated()), (wallet, amount)],
            MovementKind::DebtRepaid => vec![(wallet, amount.negated()), (owed, amount)],
        }
    }

    /// The text on the customer's statement, when a wallet changes.
    pub fn description(&self) -> String {
        match self.kind {
            MovementKind::Goodwill if self.reference.is_empty() => "Goodwill credit".to_owned(),
            MovementKind::Goodwill => format!("Goodwill credit for {}", self.reference),
            MovementKind::Adjustment => "Correction of your balance".to_owned(),
            MovementKind::CourierSettlement => format!("Paid to {}", self.reference),
            MovementKind::CourierDifference => format!("Bill of {}", self.reference),
            MovementKind::GatewaySettlement => format!("Payout {}", self.reference),
            MovementKind::Chargeback => "Recharge taken back by your bank".to_owned(),
            MovementKind::ChargebackReversal => "Recharge confirmed by your bank".to_owned(),
            MovementKind::GatewayRefund => "Recharge sent back to you".to_owned(),
            MovementKind::GatewayRefundFailed => "Recharge could not be sent back".to_owned(),
            MovementKind::Debt => format!("Owed to us for {}", self.reference),
            MovementKind::DebtRepaid => "Paid towards what you owed us".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::money::ledger_transaction::LedgerTransaction;
    use crate::model::money::ledger_transaction::tests::postings;

    fn movement(kind: MovementKind, amount: i64, part: i64) -> LedgerTransaction {
        LedgerTransaction::movement(&Movement {
            movement_id: "m".into(),
            kind,
            user_id: "u".into(),
            reference: "a".into(),
            amount: Paise::new(amount),
            part: Paise::new(part),
            actor: "o".into(),
            note: String::new(),
            created_ms: 0,
        })
    }

    #[test]
    fn every_kind_moves_between_its_own_accounts_and_adds_up() {
        for (kind, amount, part, expected) in [
            (MovementKind::Goodwill, 500, 0, "available+500 adjustments-500"),
            (MovementKind::Adjustment, -70, 0, "available-70 adjustments+70"),
            (MovementKind::CourierSettlement, 900, 0, "courier_payable-900 bank+900"),
            (MovementKind::CourierDifference, 40, 0, "revenue-40 courier_payable+40"),
            (MovementKind::CourierDifference, -40, 0, "revenue+40 courier_payable-40"),
            (
                MovementKind::GatewaySettlement,
                10_000,
                236,
                "gateway_clearing+10000 bank-9764 gateway_fees-236",
            ),
            (
                MovementKind::Chargeback,
                800,
                300,
                "available-300 receivable-500 gateway_clearing+800",
            ),
            (MovementKind::Chargeback, 800, 800, "available-800 gateway_clearing+800"),
            (MovementKind::ChargebackReversal, 800, 0, "gateway_clearing-800 available+800"),
            (MovementKind::GatewayRefund, 800, 0, "available-800 gateway_clearing+800"),
            (MovementKind::GatewayRefundFailed, 800, 0, "gateway_clearing-800 available+800"),
            (MovementKind::Debt, 60, 0, "receivable-60 available+60"),
            (MovementKind::DebtRepaid, 60, 0, "available-60 receivable+60"),
        ] {
            let transaction = movement(kind, amount, part);
            assert_eq!(postings(&transaction), expected);
            assert_eq!(transaction.idempotency_key, format!("{}:m", kind.word()));
            assert_eq!(MovementKind::parse(kind.word()), Some(kind));
        }
    }
}
