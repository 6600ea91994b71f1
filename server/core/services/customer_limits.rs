//! Rate limits per customer: enough for a busy shop, too little to harm others.

use crate::error::Result;
use crate::limits::{self, Allowed};
use crate::services::rate_limiter::Pace;

const MANY_CHANGES: &str = "Too many changes of your account. Try again in {wait}.";

/// A kind of request that is limited per customer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Budget {
    Bookings,
    Cancellations,
    /// Passwords and passkeys that confirm a customer's identity, right ones included.
    Confirmations,
    Exports,
    Letters,
    Logins,
    Papers,
    PaymentOrders,
    Pickups,
    Quotes,
    /// Identity documents, refused ones included.
    Uploads,
}

impl Budget {
    pub const ALL: [Budget; 11] = [
        Budget::Bookings,
        Budget::Cancellations,
        Budget::Confirmations,
        Budget::Exports,
        Budget::Letters,
        Budget::Logins,
        Budget::Papers,
        Budget::PaymentOrders,
        Budget::Pickups,
        Budget::Quotes,
        Budget::Uploads,
    ];

    fn kind(self) -> &'static str {
        match self {
            Budget::Bookings => "bookings",
            Budget::Cancellations => "cancellations",
            Budget::Confirmations => "confirmations",
            Budget::Exports => "exports",
            Budget::Letters => "letters",
            Budget::Logins => "logins",
            Budget::Papers => "papers",
            Budget::PaymentOrders => "payment_orders",
            Budget::Pickups => "pickups",
            Budget::Quotes => "quotes",
            Budget::Uploads => "uploads",
        }
    }

    /// Returns the limit and the message of a refusal.
    fn rule(self) -> (Allowed, &'static str) {
        match self {
            Budget::Bookings => {
                (limits::CUSTOMER_BOOKINGS, "Too many bookings. Try again in {wait}.")
            }
            Budget::Cancellations => {
                (limits::CUSTOMER_CANCELLATIONS, "Too many cancellations. Try again in {wait}.")
            }
            Budget::Confirmations => (limits::CUSTOMER_CONFIRMATIONS, MANY_CHANGES),
            Budget::Exports => {
                (limits::CUSTOMER_EXPORTS, "Too many downloads of your data. Try again in {wait}.")
            }
            Budget::Letters => (limits::CUSTOMER_LETTERS, MANY_CHANGES),
            Budget::Logins => (limits::CUSTOMER_LOGINS, "Too many logins. Try again in {wait}."),
            Budget::Papers => (limits::CUSTOMER_PAPERS, "Too many downloads. Try again in {wait}."),
            Budget::PaymentOrders => {
                (limits::CUSTOMER_PAYMENT_ORDERS, "Too many recharges. Try again in {wait}.")
            }
            Budget::Pickups => (limits::CUSTOMER_PICKUPS, "Too many pickups. Try again in {wait}."),
            Budget::Quotes => {
                (limits::CUSTOMER_QUOTES, "Too many price requests. Try again in {wait}.")
            }
            Budget::Uploads => (limits::CUSTOMER_UPLOADS, "Too many uploads. Try again in {wait}."),
        }
    }
}

/// The limits of all customers.
#[derive(Debug)]
pub struct Budgets {
    paces: [Pace<String>; Budget::ALL.len()],
    limited: bool,
}

impl Budgets {
    /// With `limited` false there is no limit.
    pub fn new(limited: bool) -> Budgets {
        let pace = |budget: Budget| {
            let (allowed, refusal) = budget.rule();
            Pace::new(budget.kind(), refusal, limited.then_some(allowed))
        };
        Budgets { paces: Budget::ALL.map(pace), limited }
    }

    /// Returns true if customers are limited at all.
    pub fn is_limited(&self) -> bool {
        self.limited
    }

    /// Counts one request of this customer.
    ///
    /// # Errors
    /// `TooMany` when it exceeds the limit.
    pub fn take(&self, budget: Budget, user_id: &str, now_ms: i64) -> Result<()> {
        self.paces[budget as usize].take(user_id.to_owned(), now_ms)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_customer_has_a_budget_of_each_kind() {
        let budgets = Budgets::new(true);
        for budget in Budget::ALL {
            let (allowed, _) = budget.rule();
            for _ in 0..allowed.at_once {
                budgets.take(budget, "asha", 0).unwrap();
            }
            let refused = budgets.take(budget, "asha", 0).unwrap_err();
            assert_eq!(refused.status(), 429, "{budget:?}");
            budgets.take(budget, "ravi", 0).unwrap();
            budgets.take(budget, "asha", allowed.pause_ms).unwrap();
        }
    }

    #[test]
    fn a_shop_that_books_hundreds_of_parcels_a_day_is_never_refused() {
        let budgets = Budgets::new(true);
        // A thousand in eight hours, in bursts of fifty, with three prices and two papers each.
        for burst in 0..20 {
            let now_ms = burst * 8 * limits::HOUR_MS / 20;
            for _ in 0..50 {
                budgets.take(Budget::Bookings, "shop", now_ms).unwrap();
                for _ in 0..3 {
                    budgets.take(Budget::Quotes, "shop", now_ms).unwrap();
                }
                for _ in 0..2 {
                    budgets.take(Budget::Papers, "shop", now_ms).unwrap();
                }
            }
        }
    }
}
