//! Transactions of money between accounts: double entry, summing to zero.

use crate::failpoints;
use crate::model::money::charge::{Charge, ChargeParts};
use crate::model::money::ledger_account::LedgerAccount;
use crate::model::money::movement::{Movement, MovementKind};
use crate::model::money::paise::Paise;

/// The author of movements that no person makes.
const BOOKS: &str = "dakiya";

/// A transaction of money. Its entries sum to zero; only the first one may take from a wallet.
#[derive(Clone, Debug)]
pub struct LedgerTransaction {
    pub kind: &'static str,
    pub idempotency_key: String,
    pub reference: String,
    pub description: String,
    pub created_ms: i64,
    entries: Vec<(LedgerAccount, Paise)>,
}

impl LedgerTransaction {
    pub fn recharge(
        user_id: &str,
        order_id: &str,
        amount: Paise,
        now_ms: i64,
    ) -> LedgerTransaction {
        LedgerTransaction {
            kind: "recharge",
            idempotency_key: format!("recharge:{order_id}"),
            reference: order_id.to_owned(),
            description: "Wallet recharge".to_owned(),
            created_ms: now_ms,
            entries: vec![
                (LedgerAccount::GatewayClearing, amount.negated()),
                (LedgerAccount::Available(user_id.to_owned()), amount),
            ],
        }
        .checked()
    }

    /// Holds the money for a charge. The customer sees it as spent.
    pub fn hold(charge: &Charge) -> LedgerTransaction {
        let (user_id, total) = (&charge.user_id, charge.parts.total());
        let entries = vec![
            (LedgerAccount::Available(user_id.clone()), total.negated()),
            (LedgerAccount::Held(user_id.clone()), total),
        ];
        LedgerTransaction::of_charge("hold", charge, charge.created_ms, entries)
    }

    /// Captures the held money: splits it into the courier's part, GST and our earnings.
    pub fn capture(charge: &Charge, now_ms: i64) -> LedgerTransaction {
        let ChargeParts { taxable, gst, courier } = charge.parts;
        let earned = taxable.minus(courier);
        let total = charge.parts.total();
        let entries = vec![
            (LedgerAccount::Held(charge.user_id.clone()), total.negated()),
            (LedgerAccount::Revenue, earned),
            (LedgerAccount::CourierPayable, courier),
            (LedgerAccount::GstPayable, gst),
        ];
        LedgerTransaction::of_charge("capture", charge, now_ms, entries)
    }

    /// Releases the held money to the customer when nothing was booked.
    pub fn release(charge: &Charge, now_ms: i64) -> LedgerTransaction {
        let (user_id, total) = (&charge.user_id, charge.parts.total());
        let entries = vec![
            (LedgerAccount::Held(user_id.clone()), total.negated()),
            (LedgerAccount::Available(user_id.clone()), total),
        ];
        LedgerTransaction::of_charge("release", charge, now_ms, entries)
    }

    /// Refunds a part, after the part `before`. `courier` is what the courier will not bill.
    pub fn refund(
        charge: &Charge,
        refund_id: &str,
        before: Paise,
        amount: Paise,
        courier: Paise,
        now_ms: i64,
    ) -> LedgerTransaction {
        let after = [before, amount].into_iter().sum();
        let gst = charge.parts.gst_of_refund(before, after);
        let courier = match failpoints::on("courier-still-owed") {
            true => Paise::ZERO,
            false => courier,
        };
        let lost = amount.minus(gst).minus(courier);
        let entries = vec![
            (LedgerAccount::Revenue, lost.negated()),
            (LedgerAccount::CourierPayable, courier.negated()),
            (LedgerAccount::GstPayable, gst.negated()),
            (LedgerAccount::Available(charge.user_id.clone()), amount),
        ];
        let transaction = LedgerTransaction::of_charge("refund", charge, now_ms, entries);
        LedgerTransaction {
            idempotency_key: format!("refund:{}:{refund_id}", charge.charge_id),
            ..transaction
        }
    }

    pub fn movement(movement: &Movement) -> LedgerTransaction {
        let moves = movement.entries().into_iter();
        LedgerTransaction {
            kind: movement.kind.word(),
            idempotency_key: format!("{}:{}", movement.kind.word(), movement.movement_id),
            reference: movement.reference.clone(),
            description: movement.description(),
            created_ms: movement.created_ms,
            entries: moves.filter(|(_, by)| *by != Paise::ZERO).collect(),
        }
        .checked()
    }

    /// Returns the movement by which this credit pays a debt of its user.
    pub fn repayment(&self, user_id: &str, amount: Paise) -> Movement {
        let kind = MovementKind::DebtRepaid;
        Movement {
            movement_id: kind.id_of(&self.idempotency_key),
            kind,
            user_id: user_id.to_owned(),
            reference: self.reference.clone(),
            amount,
            part: Paise::ZERO,
            actor: BOOKS.to_owned(),
            note: String::new(),
            created_ms: self.created_ms,
        }
    }

    fn of_charge(
        kind: &'static str,
        charge: &Charge,
        now_ms: i64,
        entries: Vec<(LedgerAccount, Paise)>,
    ) -> LedgerTransaction {
        let description = match kind {
            "release" => format!("{}: not booked, money returned", charge.description),
            "refund" => format!("{}: refund", charge.description),
            _ => charge.description.clone(),
        };
        let moves = entries.into_iter().filter(|(_, amount)| *amount != Paise::ZERO);
        LedgerTransaction {
            kind,
            idempotency_key: format!("{kind}:{}", charge.charge_id),
            reference: charge.charge_id.clone(),
            description,
            created_ms: now_ms,
            entries: moves.collect(),
        }
        .checked()
    }

    /// Panics unless the entries sum to zero, whatever the caller computed.
    fn checked(self) -> LedgerTransaction {
        let sum: Paise = self.entries.iter().map(|(_, amount)| *amount).sum();
        assert!(sum == Paise::ZERO, "entries of a transaction sum to zero");
        for (at, (account, by)) in self.entries.iter().enumerate() {
            // One statement updates all balances but the first.
            let is_twice = self.entries[..at].iter().any(|(before, _)| before == account);
            assert!(!is_twice, "an account stands in a transaction once");
            assert!(*by != Paise::ZERO, "every entry of a transaction moves something");
            let takes_from_wallet = account.is_wallet() && by.is_negative();
            assert!(at == 0 || !takes_from_wallet, "only a first entry takes from a wallet");
        }
        self
    }

    pub fn entries(&self) -> &[(LedgerAccount, Paise)] {
        &self.entries
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    fn charge(taxable: i64, gst: i64, courier: i64) -> Charge {
        let [taxable, gst, courier] = [taxable, gst, courier].map(Paise::new);
        Charge {
            charge_id: "b".into(),
            user_id: "u".into(),
            description: "Courier booking DK1".into(),
            parts: ChargeParts { taxable, gst, courier },
            created_ms: 0,
        }
    }

    /// The entries in one line, as in `held-500 revenue+500`.
    pub fn postings(transaction: &LedgerTransaction) -> String {
        let posting = |(to, by): &(LedgerAccount, Paise)| format!("{}{:+}", to.kind(), by.get());
        transaction.entries().iter().map(posting).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn a_charge_is_held_then_split_into_earnings_courier_and_gst() {
        let charge = charge(10_000, 1_800, 7_000);
        assert_eq!(postings(&LedgerTransaction::hold(&charge)), "available-11800 held+11800");
        assert_eq!(
            postings(&LedgerTransaction::capture(&charge, 1)),
            "held-11800 revenue+3000 courier_payable+7000 gst_payable+1800"
        );
    }

    #[test]
    fn a_refund_returns_the_price_and_its_gst() {
        let (charge, zero) = (charge(10_000, 1_800, 0), Paise::ZERO);
        let half = LedgerTransaction::refund(&charge, "r", zero, Paise::new(5_900), zero, 1);
        assert_eq!(postings(&half), "revenue-5000 gst_payable-900 available+5900");
        assert_eq!(half.idempotency_key, "refund:b:r");
    }

    #[test]
    fn what_was_called_off_undoes_its_capture_line_by_line() {
        let charge = charge(10_000, 1_800, 7_000);
        let (all, courier) = (charge.parts.total(), charge.parts.courier);
        let refund = LedgerTransaction::refund(&charge, "r", Paise::ZERO, all, courier, 1);
        assert_eq!(
            postings(&refund),
            "revenue-3000 courier_payable-7000 gst_payable-1800 available+11800"
        );
    }

    #[test]
    fn entries_that_move_nothing_are_left_out() {
        let capture = LedgerTransaction::capture(&charge(500, 0, 0), 1);
        assert_eq!(postings(&capture), "held-500 revenue+500");
    }

    fn capture_of(entries: &[(LedgerAccount, i64)]) -> LedgerTransaction {
        let entries = entries.iter().map(|(account, by)| (account.clone(), Paise::new(*by)));
        LedgerTransaction::of_charge("capture", &charge(1, 1, 0), 0, entries.collect())
    }

    #[test]
    #[should_panic(expected = "sum to zero")]
    fn a_movement_that_makes_money_is_refused() {
        capture_of(&[(LedgerAccount::Revenue, 1), (LedgerAccount::GstPayable, 1)]);
    }

    #[test]
    #[should_panic(expected = "once")]
    fn a_movement_with_an_account_twice_is_refused() {
        let tax = || (LedgerAccount::GstPayable, 1);
        capture_of(&[(LedgerAccount::Revenue, -2), tax(), tax()]);
    }

    #[test]
    #[should_panic(expected = "first entry")]
    fn a_movement_that_takes_from_a_wallet_in_passing_is_refused() {
        let taken = (LedgerAccount::Available("u".into()), -1);
        capture_of(&[(LedgerAccount::Revenue, 1), taken]);
    }
}
