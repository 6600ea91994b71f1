//! A customer's payment for a booking: held, then captured or released, and refunded in parts.

use crate::model::money::paise::Paise;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChargeParts {
    pub taxable: Paise,
    pub gst: Paise,
    /// The part of the taxable value that the courier will bill us.
    pub courier: Paise,
}

impl ChargeParts {
    pub fn total(self) -> Paise {
        [self.taxable, self.gst].into_iter().sum()
    }

    /// Returns the share of GST in the next refund, which raises the refunded total from `before`
    /// to `after`. The shares of all refunds up to the total add up to the GST, to the paisa. GST
    /// that has two equal halves is shared in steps of two paise, so each share has them too.
    pub fn gst_of_refund(self, before: Paise, after: Paise) -> Paise {
        let step = if self.gst.get() % 2 == 0 { 2 } else { 1 };
        let steps = Paise::new(self.gst.get() / step);
        let share = |refunded: Paise| steps.fraction(refunded, self.total()).get() * step;
        Paise::new(share(after) - share(before))
    }
}

#[derive(Clone, Debug)]
pub struct Charge {
    pub charge_id: String,
    pub user_id: String,
    /// The text on the user's statement.
    pub description: String,
    pub parts: ChargeParts,
    pub created_ms: i64,
}

impl Charge {
    /// Returns the id of the charge of a booking that was carried after its cancellation.
    pub fn again_id(booking_id: &str) -> String {
        format!("carried:{booking_id}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_gst_of_all_refunds_is_the_gst_charged(
            taxable in 1i64..10_000_000,
            rate in 0i64..2_800,
            cuts in proptest::collection::vec(limits::REFUND_PAISE_MIN..2_000_000, 0..8),
        ) {
            let taxable = Paise::new(taxable);
            let parts = ChargeParts { taxable, gst: taxable.share_bp(rate), courier: Paise::ZERO };
            let mut before = Paise::ZERO;
            let mut returned = Paise::ZERO;
            for cut in cuts.into_iter().chain([i64::from(i32::MAX)]) {
                let rest = parts.total().checked_sub(before).unwrap();
                let refund = Paise::new(cut).min(rest);
                let after = before.checked_add(refund).unwrap();
                let gst = parts.gst_of_refund(before, after);
                prop_assert!(!gst.is_negative() && gst <= refund);
                prop_assert!(parts.gst.get() % 2 == 1 || gst.get() % 2 == 0, "two equal halves");
                returned = returned.checked_add(gst).unwrap();
                before = after;
            }
            prop_assert_eq!(returned, parts.gst);
        }
    }
}
