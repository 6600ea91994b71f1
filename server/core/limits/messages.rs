//! Limits of messages to people: SMS, letters, and calls that we promise. Each kind has a budget.
//! A budget's day begins with the first message that it counts.

use super::{DAY_MS, HOUR_MS, RESETS_AN_HOUR_MAX};

/// Password links for one account within a day, for known browsers and for all others (count).
const RESETS_A_DAY_MAX: i64 = 2 * 24 * RESETS_AN_HOUR_MAX;

/// The budget of one kind of message (counts within a day, unless stated otherwise).
#[derive(Clone, Copy, Debug)]
pub struct MessageBudget {
    /// To one phone number or email address.
    pub receiver: i64,
    /// Pause between two messages to one receiver (milliseconds).
    pub receiver_pause_ms: i64,
    /// For one new account.
    pub new_account: i64,
    /// For one established account.
    pub account: i64,
    /// In total.
    pub total: i64,
}

impl MessageBudget {
    /// In the order of the table in `server/docs/security.md`.
    const fn of(receiver: i64, new_account: i64, account: i64, total: i64) -> MessageBudget {
        MessageBudget { receiver, receiver_pause_ms: 0, new_account, account, total }
    }

    /// In total for new accounts; the rest is reserved for established ones.
    pub const fn new_total(self) -> i64 {
        self.total / 2
    }
}

/// Age from which an account with a confirmed email address is established (milliseconds).
pub const ESTABLISHED_MS: i64 = 7 * DAY_MS;

/// OTPs for the phone number of an account, by SMS.
pub const ACCOUNT_OTPS: MessageBudget = MessageBudget::of(10, 10, 10, 5_000);

/// OTPs for a booking, by SMS. Beyond a number's budget they go to the email address alone.
pub const BOOKING_OTP_SMS: MessageBudget = MessageBudget::of(10, 20, 30, 5_000);

/// OTPs for a booking, by email: a shop confirms all its bookings at one address.
pub const BOOKING_OTP_LETTERS: MessageBudget = MessageBudget::of(30, 20, 30, 5_000);

/// SMS to a receiver about a new booking, which is then cancelled without cost.
pub const RECEIVER_BOOKED_SMS: MessageBudget =
    MessageBudget { receiver_pause_ms: HOUR_MS, ..MessageBudget::of(6, 50, 1_000, 10_000) };

/// SMS to a receiver about a parcel that is out for delivery: only a real parcel causes one.
pub const RECEIVER_ARRIVING_SMS: MessageBudget = MessageBudget::of(10, 50, 1_000, 10_000);

/// Letters to an address that is not confirmed, and perhaps a stranger's.
pub const CONFIRM_LETTERS: MessageBudget = MessageBudget::of(10, 20, 20, 20_000);

/// More of them, to customers who ask for one while the others are used up: for an address and the
/// network of the customer. So strangers elsewhere cannot keep an owner from confirming an address.
pub const CONFIRM_AGAIN_LETTERS: MessageBudget = MessageBudget::of(3, 3, 3, 10_000);

/// Letters with a password link, which anybody may request: as many as the limit of an hour allows,
/// so that a stranger cannot keep the owner out for the rest of the day.
pub const RESET_LETTERS: MessageBudget =
    MessageBudget::of(RESETS_A_DAY_MAX, RESETS_A_DAY_MAX, RESETS_A_DAY_MAX, 20_000);

/// Letters about an account and its security: more than its changes allow, so that a thief in an
/// account cannot use up its owner's letters. Most also go to earlier addresses.
pub const ACCOUNT_LETTERS: MessageBudget = MessageBudget::of(1_000, 3_000, 3_000, 100_000);

/// Letters about bookings: five for each parcel of a shop that sends 2,000 a day.
pub const BOOKING_LETTERS: MessageBudget = MessageBudget::of(10_000, 2_000, 10_000, 200_000);

/// Letters about payments, the balance and weight differences.
pub const WALLET_LETTERS: MessageBudget = MessageBudget::of(1_000, 1_000, 1_000, 100_000);

/// Calls to receivers, requested on the tracking page: an operator makes each.
pub const RECEIVER_CALLS: MessageBudget = MessageBudget::of(4, 10, 50, 300);

/// Calls about one parcel within a day, answered ones included (count).
pub const PARCEL_CALLS_A_DAY_MAX: i64 = 2;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::{
        CUSTOMER_LETTERS, EARLIER_ADDRESSES_TOLD_MAX, NEW_DEVICE_LETTERS_A_DAY_MAX,
    };

    #[test]
    fn changes_of_an_account_cannot_use_up_its_letters() {
        let changes = CUSTOMER_LETTERS.at_once + DAY_MS / CUSTOMER_LETTERS.pause_ms;
        // Each may be taken back, as a passkey is removed that was added.
        let to_one = 2 * (changes + RESET_LETTERS.account) + NEW_DEVICE_LETTERS_A_DAY_MAX;
        assert!(to_one < ACCOUNT_LETTERS.receiver, "{to_one}");
        let to_all = to_one * (1 + EARLIER_ADDRESSES_TOLD_MAX);
        assert!(to_all < ACCOUNT_LETTERS.new_account, "{to_all}");
    }
}
