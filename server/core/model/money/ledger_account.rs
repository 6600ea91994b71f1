//! Accounts of the ledger.

/// An account of the ledger. Positive amounts are what we owe to that account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LedgerAccount {
    /// A user's balance that can be spent.
    Available(String),
    /// A user's money on hold: reserved for a booking, not yet spent.
    Held(String),
    /// Money that a user owes us (negative: owed).
    Receivable(String),
    /// Money at the payment gateway, on its way to us (negative: they owe us).
    GatewayClearing,
    /// Our earnings, without GST and without the couriers' bills.
    Revenue,
    /// GST collected for the government.
    GstPayable,
    /// Money that courier partners will bill us.
    CourierPayable,
    /// Money given or taken outside of a sale: goodwill and corrections.
    Adjustments,
    /// Our bank account (negative: money that we have).
    Bank,
    /// The gateway's fees, kept from its payouts (negative: spent).
    GatewayFees,
}

impl LedgerAccount {
    pub fn id(&self) -> String {
        match self {
            LedgerAccount::Available(user_id)
            | LedgerAccount::Held(user_id)
            | LedgerAccount::Receivable(user_id) => {
                format!("{}:{user_id}", self.kind())
            }
            _ => self.kind().to_owned(),
        }
    }

    pub fn kind(&self) -> &'static str {
        match self {
            LedgerAccount::Available(_) => "available",
            LedgerAccount::Held(_) => "held",
            LedgerAccount::Receivable(_) => "receivable",
            LedgerAccount::GatewayClearing => "gateway_clearing",
            LedgerAccount::Revenue => "revenue",
            LedgerAccount::GstPayable => "gst_payable",
            LedgerAccount::CourierPayable => "courier_payable",
            LedgerAccount::Adjustments => "adjustments",
            LedgerAccount::Bank => "bank",
            LedgerAccount::GatewayFees => "gateway_fees",
        }
    }

    /// True for an account of the house, whose balance is not told after each entry.
    pub fn is_of_house(&self) -> bool {
        let is_customers = self.is_wallet() || matches!(self, LedgerAccount::Receivable(_));
        !is_customers
    }

    /// True for a customer's account, which may never be below zero.
    pub fn is_wallet(&self) -> bool {
        matches!(self, LedgerAccount::Available(_) | LedgerAccount::Held(_))
    }
}
