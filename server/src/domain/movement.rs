//! Movements of money between accounts: double entry, summing to zero.

use super::money::Paise;

/// Where money can be. Positive amounts are what we owe to that account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Account {
    /// What a user can spend.
    Available(String),
    /// What is promised to a courier but not yet spent.
    Held(String),
    /// Money at the payment gateway, on its way to us (negative: they owe us).
    GatewayClearing,
    /// Our earnings, without GST.
    Revenue,
    /// GST collected for the government.
    GstPayable,
}

impl Account {
    /// The account's name in the books.
    pub fn id(&self) -> String {
        match self {
            Account::Available(user_id) | Account::Held(user_id) => {
                format!("{}:{user_id}", self.kind())
            }
            _ => self.kind().to_owned(),
        }
    }

    pub fn kind(&self) -> &'static str {
        match self {
            Account::Available(_) => "available",
            Account::Held(_) => "held",
            Account::GatewayClearing => "gateway_clearing",
            Account::Revenue => "revenue",
            Account::GstPayable => "gst_payable",
        }
    }
}

/// A movement of money between accounts. Its entries sum to zero.
#[derive(Clone, Debug)]
pub struct Movement {
    kind: &'static str,
    once_key: String,
    reference: String,
    description: String,
    created_ms: i64,
    entries: Vec<(Account, Paise)>,
}

impl Movement {
    /// A recharge that the gateway confirmed.
    pub fn recharge(user_id: &str, order_id: &str, amount: Paise, now_ms: i64) -> Movement {
        Movement {
            kind: "recharge",
            once_key: format!("recharge:{order_id}"),
            reference: order_id.to_owned(),
            description: "Wallet recharge".to_owned(),
            created_ms: now_ms,
            entries: vec![
                (Account::GatewayClearing, amount.negated()),
                (Account::Available(user_id.to_owned()), amount),
            ],
        }
        .checked()
    }

    /// The charge for a booking: the customer pays the price and the GST on it.
    pub fn charge(
        user_id: &str,
        booking_id: &str,
        awb: &str,
        (taxable, gst): (Paise, Paise),
        now_ms: i64,
    ) -> Movement {
        let total = [taxable, gst].into_iter().sum::<Paise>();
        let mut entries = vec![
            (Account::Available(user_id.to_owned()), total.negated()),
            (Account::Revenue, taxable),
        ];
        if gst != Paise::ZERO {
            entries.push((Account::GstPayable, gst));
        }
        Movement {
            kind: "booking",
            once_key: format!("booking:{booking_id}"),
            reference: booking_id.to_owned(),
            description: format!("Courier booking {awb}"),
            created_ms: now_ms,
            entries,
        }
        .checked()
    }

    /// Whatever the caller computed, money is neither made nor lost.
    fn checked(self) -> Movement {
        let sum: Paise = self.entries.iter().map(|(_, amount)| *amount).sum();
        assert!(
            sum == Paise::ZERO,
            "the entries of a movement must sum to zero"
        );
        assert!(
            self.entries
                .iter()
                .all(|(_, amount)| *amount != Paise::ZERO)
        );
        self
    }

    pub fn kind(&self) -> &'static str {
        self.kind
    }

    pub fn once_key(&self) -> &str {
        &self.once_key
    }

    pub fn reference(&self) -> &str {
        &self.reference
    }

    pub fn description(&self) -> &str {
        &self.description
    }

    pub fn created_ms(&self) -> i64 {
        self.created_ms
    }

    pub fn entries(&self) -> &[(Account, Paise)] {
        &self.entries
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_charge_splits_into_revenue_and_gst_and_sums_to_zero() {
        let parts = (Paise::new(10_000), Paise::new(1_800));
        let charge = Movement::charge("u", "b", "DK1", parts, 0);
        let amounts: Vec<i64> = charge
            .entries()
            .iter()
            .map(|(_, amount)| amount.get())
            .collect();
        assert_eq!(amounts, [-11_800, 10_000, 1_800]);
    }

    #[test]
    #[should_panic(expected = "sum to zero")]
    fn a_movement_that_makes_money_is_refused() {
        let entries = vec![
            (Account::Revenue, Paise::new(1)),
            (Account::GstPayable, Paise::new(1)),
        ];
        Movement {
            kind: "booking",
            once_key: String::new(),
            reference: String::new(),
            description: String::new(),
            created_ms: 0,
            entries,
        }
        .checked();
    }
}
