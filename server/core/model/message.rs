//! Kinds of messages to people, each with its own budget.

use crate::limits::{self, MessageBudget};

/// A kind of message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MessageKind {
    AccountOtp,
    BookingOtpSms,
    BookingOtpLetter,
    /// An SMS to a receiver about a new booking.
    ReceiverBooked,
    /// An SMS to a receiver about a parcel that is out for delivery.
    ReceiverArriving,
    /// A letter to an address that is not confirmed to be the account's.
    ConfirmLetter,
    /// One more for a customer who is logged in, when too many were sent there already.
    ConfirmAgainLetter,
    ResetLetter,
    /// A letter about an account and its security.
    AccountLetter,
    BookingLetter,
    WalletLetter,
    /// A call to a receiver, requested on the tracking page.
    ReceiverCall,
}

impl MessageKind {
    pub const ALL: [MessageKind; 12] = [
        MessageKind::AccountOtp,
        MessageKind::BookingOtpSms,
        MessageKind::BookingOtpLetter,
        MessageKind::ReceiverBooked,
        MessageKind::ReceiverArriving,
        MessageKind::ConfirmLetter,
        MessageKind::ConfirmAgainLetter,
        MessageKind::ResetLetter,
        MessageKind::AccountLetter,
        MessageKind::BookingLetter,
        MessageKind::WalletLetter,
        MessageKind::ReceiverCall,
    ];

    /// The word in the database and in metrics.
    pub fn word(self) -> &'static str {
        match self {
            MessageKind::AccountOtp => "account_otp",
            MessageKind::BookingOtpSms => "booking_otp_sms",
            MessageKind::BookingOtpLetter => "booking_otp_letter",
            MessageKind::ReceiverBooked => "receiver_booked",
            MessageKind::ReceiverArriving => "receiver_arriving",
            MessageKind::ConfirmLetter => "confirm_letter",
            MessageKind::ConfirmAgainLetter => "confirm_again_letter",
            MessageKind::ResetLetter => "reset_letter",
            MessageKind::AccountLetter => "account_letter",
            MessageKind::BookingLetter => "booking_letter",
            MessageKind::WalletLetter => "wallet_letter",
            MessageKind::ReceiverCall => "receiver_call",
        }
    }

    pub fn is_sms(self) -> bool {
        matches!(
            self,
            MessageKind::AccountOtp
                | MessageKind::BookingOtpSms
                | MessageKind::ReceiverBooked
                | MessageKind::ReceiverArriving
        )
    }

    pub fn budget(self) -> MessageBudget {
        match self {
            MessageKind::AccountOtp => limits::ACCOUNT_OTPS,
            MessageKind::BookingOtpSms => limits::BOOKING_OTP_SMS,
            MessageKind::BookingOtpLetter => limits::BOOKING_OTP_LETTERS,
            MessageKind::ReceiverBooked => limits::RECEIVER_BOOKED_SMS,
            MessageKind::ReceiverArriving => limits::RECEIVER_ARRIVING_SMS,
            MessageKind::ConfirmLetter => limits::CONFIRM_LETTERS,
            MessageKind::ConfirmAgainLetter => limits::CONFIRM_AGAIN_LETTERS,
            MessageKind::ResetLetter => limits::RESET_LETTERS,
            MessageKind::AccountLetter => limits::ACCOUNT_LETTERS,
            MessageKind::BookingLetter => limits::BOOKING_LETTERS,
            MessageKind::WalletLetter => limits::WALLET_LETTERS,
            MessageKind::ReceiverCall => limits::RECEIVER_CALLS,
        }
    }
}

/// The part of a budget that counts a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BudgetScope {
    Total,
    /// All new accounts.
    NewAccounts,
    Account,
    Parcel,
    Receiver,
}

impl BudgetScope {
    /// The word in the database and in metrics.
    pub fn word(self) -> &'static str {
        match self {
            BudgetScope::Total => "total",
            BudgetScope::NewAccounts => "new_accounts",
            BudgetScope::Account => "account",
            BudgetScope::Parcel => "parcel",
            BudgetScope::Receiver => "receiver",
        }
    }
}

/// A counter of messages.
#[derive(Clone, Debug)]
pub struct MessageCounter {
    pub kind: MessageKind,
    pub scope: BudgetScope,
    /// Keyed hash of the receiver, the account or the parcel; empty for a total.
    pub print: String,
}

/// The limits of a counter.
#[derive(Clone, Copy, Debug)]
pub struct CounterRule {
    /// Messages within a day (count).
    pub most: i64,
    /// Pause between two messages (milliseconds).
    pub pause_ms: i64,
}
