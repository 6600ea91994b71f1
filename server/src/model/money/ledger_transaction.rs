//! Movements of money between accounts: double entry, summing to zero.

use crate::model::money::charge::{Charge, Parts};
use crate::model::money::paise::Paise;

/// Where money can be. Positive amounts are what we owe to that account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Account {
    /// What a user can spend.
    Available(String),
    /// What is promised to a courier but not yet spent.
    Held(String),
    /// Money at the payment gateway, on its way to us (negative: they owe us).
    GatewayClearing,
    /// Our earnings, without GST and without what couriers bill us.
    Revenue,
    /// GST collected for the government.
    GstPayable,
    /// What partner couriers will bill us.
    CourierPayable,
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
            Account::CourierPayable => "courier_payable",
        }
    }

    fn is_wallet(&self) -> bool {
        matches!(self, Account::Available(_) | Account::Held(_))
    }
}

/// A movement of money between accounts. Its entries sum to zero, and only the first may take
/// from a wallet.
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

    /// Sets the money for a charge aside: the customer sees it as spent.
    pub fn hold(charge: &Charge) -> Movement {
        let (user_id, total) = (&charge.user_id, charge.parts.total());
        let entries = vec![
            (Account::Available(user_id.clone()), total.negated()),
            (Account::Held(user_id.clone()), total),
        ];
        Movement::of_charge("hold", charge, charge.created_ms, entries)
    }

    /// Spends what was held: the price, the courier's part of it and the GST.
    pub fn capture(charge: &Charge, now_ms: i64) -> Movement {
        let Parts {
            taxable,
            gst,
            courier,
        } = charge.parts;
        let earned = [taxable, courier.negated()].into_iter().sum();
        let total = charge.parts.total();
        let entries = vec![
            (Account::Held(charge.user_id.clone()), total.negated()),
            (Account::Revenue, earned),
            (Account::CourierPayable, courier),
            (Account::GstPayable, gst),
        ];
        Movement::of_charge("capture", charge, now_ms, entries)
    }

    /// Gives back what was held: nothing was booked.
    pub fn release(charge: &Charge, now_ms: i64) -> Movement {
        let (user_id, total) = (&charge.user_id, charge.parts.total());
        let entries = vec![
            (Account::Held(user_id.clone()), total.negated()),
            (Account::Available(user_id.clone()), total),
        ];
        Movement::of_charge("release", charge, now_ms, entries)
    }

    /// Gives back a part of what was captured; `before` was refunded already.
    pub fn refund(
        charge: &Charge,
        refund_id: &str,
        before: Paise,
        amount: Paise,
        now_ms: i64,
    ) -> Movement {
        let after = [before, amount].into_iter().sum();
        let gst = charge.parts.gst_of_refund(before, after);
        let price = [amount, gst.negated()].into_iter().sum::<Paise>();
        let entries = vec![
            (Account::Revenue, price.negated()),
            (Account::GstPayable, gst.negated()),
            (Account::Available(charge.user_id.clone()), amount),
        ];
        let movement = Movement::of_charge("refund", charge, now_ms, entries);
        Movement {
            once_key: format!("refund:{}:{refund_id}", charge.charge_id),
            ..movement
        }
    }

    fn of_charge(
        kind: &'static str,
        charge: &Charge,
        now_ms: i64,
        entries: Vec<(Account, Paise)>,
    ) -> Movement {
        let description = match kind {
            "release" => format!("{}: not booked, money returned", charge.description),
            "refund" => format!("{}: refund", charge.description),
            _ => charge.description.clone(),
        };
        let moves = entries
            .into_iter()
            .filter(|(_, amount)| *amount != Paise::ZERO);
        Movement {
            kind,
            once_key: format!("{kind}:{}", charge.charge_id),
            reference: charge.charge_id.clone(),
            description,
            created_ms: now_ms,
            entries: moves.collect(),
        }
        .checked()
    }

    /// Whatever the caller computed, money is neither made nor lost.
    fn checked(self) -> Movement {
        let sum: Paise = self.entries.iter().map(|(_, amount)| *amount).sum();
        let nothing = self.entries.iter().any(|(_, by)| *by == Paise::ZERO);
        let rest = self.entries.iter().skip(1);
        let taken = |(account, by): &(Account, Paise)| account.is_wallet() && by.is_negative();
        assert!(sum == Paise::ZERO, "entries of a movement sum to zero");
        assert!(!nothing, "every entry of a movement moves something");
        assert!(
            !rest.clone().any(taken),
            "only a first entry takes from a wallet"
        );
        self
    }

    pub fn kind(&self) -> &'static str {
        self.kind
    }

    /// What makes this movement happen once.
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

    fn charge(taxable: i64, gst: i64, courier: i64) -> Charge {
        Charge {
            charge_id: "b".into(),
            user_id: "u".into(),
            description: "Courier booking DK1".into(),
            parts: Parts {
                taxable: Paise::new(taxable),
                gst: Paise::new(gst),
                courier: Paise::new(courier),
            },
            created_ms: 0,
        }
    }

    fn amounts(movement: &Movement) -> Vec<(&'static str, i64)> {
        let entries = movement.entries().iter();
        entries.map(|(to, by)| (to.kind(), by.get())).collect()
    }

    #[test]
    fn a_charge_is_held_then_split_into_earnings_courier_and_gst() {
        let charge = charge(10_000, 1_800, 7_000);
        assert_eq!(
            amounts(&Movement::hold(&charge)),
            [("available", -11_800), ("held", 11_800)]
        );
        assert_eq!(
            amounts(&Movement::capture(&charge, 1)),
            [
                ("held", -11_800),
                ("revenue", 3_000),
                ("courier_payable", 7_000),
                ("gst_payable", 1_800)
            ]
        );
    }

    #[test]
    fn a_refund_returns_the_price_and_its_gst() {
        let half = Movement::refund(
            &charge(10_000, 1_800, 0),
            "r",
            Paise::ZERO,
            Paise::new(5_900),
            1,
        );
        assert_eq!(
            amounts(&half),
            [
                ("revenue", -5_000),
                ("gst_payable", -900),
                ("available", 5_900)
            ]
        );
        assert_eq!(half.once_key(), "refund:b:r");
    }

    #[test]
    fn entries_that_move_nothing_are_left_out() {
        assert_eq!(
            amounts(&Movement::capture(&charge(500, 0, 0), 1)),
            [("held", -500), ("revenue", 500)]
        );
    }

    #[test]
    #[should_panic(expected = "sum to zero")]
    fn a_movement_that_makes_money_is_refused() {
        let entries = vec![
            (Account::Revenue, Paise::new(1)),
            (Account::GstPayable, Paise::new(1)),
        ];
        Movement::of_charge("capture", &charge(1, 1, 0), 0, entries);
    }

    #[test]
    #[should_panic(expected = "first entry")]
    fn a_movement_that_takes_from_a_wallet_in_passing_is_refused() {
        let entries = vec![
            (Account::Revenue, Paise::new(1)),
            (Account::Available("u".into()), Paise::new(-1)),
        ];
        Movement::of_charge("capture", &charge(1, 1, 0), 0, entries);
    }
}
