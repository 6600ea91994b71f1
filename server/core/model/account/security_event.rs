//! Security events of an account, for its owner and after a theft: no secrets, names or numbers.

use serde::Serialize;
use utoipa::ToSchema;

use crate::model::account::device::Device;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// The client's address; for IPv6 its network.
    pub address: String,
    pub device: Device,
}

impl Origin {
    /// The origin of our own actions, which no client requested.
    pub fn internal() -> Origin {
        Origin { address: String::new(), device: Device::from_stored(String::new()) }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SecurityAct {
    Registered,
    LoggedIn,
    /// An email about a login with a new browser was sent.
    NewDeviceTold,
    LoggedOut,
    SessionEnded,
    OtherSessionsEnded,
    PasswordChanged,
    ResetAsked,
    PasswordReset,
    EmailConfirmed,
    EmailChangeAsked,
    EmailChanged,
    EmailChangeUndone,
    /// Another account took its earlier address back.
    EmailWithdrawn,
    PhoneChanged,
    KycUploaded,
    KycRead,
    CancellationAsked,
    KycReviewed,
    KycDeleted,
    DataExported,
    AccountClosed,
    TwoStepOn,
    TwoStepOff,
    RecoveryCodesMade,
    RecoveryCodeUsed,
    /// A wrong code after a right password.
    LoginCode,
    /// An email about several wrong codes was sent.
    WrongCodesTold,
    /// A wrong code before a change that requires one.
    ConfirmingCode,
    PhoneCodeSent,
    PhoneConfirmed,
    PasskeyAdded,
    PasskeyRemoved,
    /// A passkey instead of password and code, at a login.
    PasskeyLogin,
    /// A passkey instead of password and code, before a change.
    PasskeyConfirming,
    /// A passkey's counter decreased: there may be a copy of it.
    PasskeyCopied,
    /// An act of a newer version.
    Unknown,
}

/// The acts, in the order of the enum, with their words in the database.
const WORDS: [(SecurityAct, &str); 37] = [
    (SecurityAct::Registered, "registered"),
    (SecurityAct::LoggedIn, "logged_in"),
    (SecurityAct::NewDeviceTold, "new_device_told"),
    (SecurityAct::LoggedOut, "logged_out"),
    (SecurityAct::SessionEnded, "session_ended"),
    (SecurityAct::OtherSessionsEnded, "other_sessions_ended"),
    (SecurityAct::PasswordChanged, "password_changed"),
    (SecurityAct::ResetAsked, "reset_asked"),
    (SecurityAct::PasswordReset, "password_reset"),
    (SecurityAct::EmailConfirmed, "email_confirmed"),
    (SecurityAct::EmailChangeAsked, "email_change_asked"),
    (SecurityAct::EmailChanged, "email_changed"),
    (SecurityAct::EmailChangeUndone, "email_change_undone"),
    (SecurityAct::EmailWithdrawn, "email_withdrawn"),
    (SecurityAct::PhoneChanged, "phone_changed"),
    (SecurityAct::KycUploaded, "kyc_uploaded"),
    (SecurityAct::KycRead, "kyc_read"),
    (SecurityAct::CancellationAsked, "cancellation_asked"),
    (SecurityAct::KycReviewed, "kyc_reviewed"),
    (SecurityAct::KycDeleted, "kyc_deleted"),
    (SecurityAct::DataExported, "data_exported"),
    (SecurityAct::AccountClosed, "account_closed"),
    (SecurityAct::TwoStepOn, "two_step_on"),
    (SecurityAct::TwoStepOff, "two_step_off"),
    (SecurityAct::RecoveryCodesMade, "recovery_codes_made"),
    (SecurityAct::RecoveryCodeUsed, "recovery_code_used"),
    (SecurityAct::LoginCode, "login_code"),
    (SecurityAct::WrongCodesTold, "wrong_codes_told"),
    (SecurityAct::ConfirmingCode, "confirming_code"),
    (SecurityAct::PhoneCodeSent, "phone_code_sent"),
    (SecurityAct::PhoneConfirmed, "phone_confirmed"),
    (SecurityAct::PasskeyAdded, "passkey_added"),
    (SecurityAct::PasskeyRemoved, "passkey_removed"),
    (SecurityAct::PasskeyLogin, "passkey_login"),
    (SecurityAct::PasskeyConfirming, "passkey_confirming"),
    (SecurityAct::PasskeyCopied, "passkey_copied"),
    (SecurityAct::Unknown, "unknown"),
];

impl SecurityAct {
    pub fn word(self) -> &'static str {
        WORDS[self as usize].1
    }

    /// Reads a stored word.
    pub fn stored(word: &str) -> SecurityAct {
        let known = WORDS.into_iter().find(|(_, its)| *its == word);
        known.map_or(SecurityAct::Unknown, |(act, _)| act)
    }

    pub fn sentence(self, succeeded: bool) -> &'static str {
        use SecurityAct as Act;
        match (self, succeeded) {
            (Act::Registered, _) => "Account created.",
            (Act::LoggedIn, true) => "You logged in.",
            (Act::LoggedIn, false) => "A login was refused: the password was wrong.",
            (Act::NewDeviceTold, _) => "We told you by email of a login with a new browser.",
            (Act::LoggedOut, _) => "You logged out.",
            (Act::SessionEnded, true) => "You were logged out at another place.",
            (Act::OtherSessionsEnded, true) => "You were logged out at all other places.",
            (Act::SessionEnded | Act::OtherSessionsEnded, false) => {
                "You were not logged out at other places: the password was wrong."
            }
            (Act::PasswordChanged, true) => "Your password was changed.",
            (Act::PasswordChanged, false) => {
                "Your password was not changed: the current one was wrong."
            }
            (Act::ResetAsked, _) => "A link to choose a new password was asked for.",
            (Act::PasswordReset, _) => "A new password was chosen through a link.",
            (Act::EmailConfirmed, _) => "Your email address was confirmed.",
            (Act::EmailChangeAsked, true) => "Another email address was asked for.",
            (Act::EmailChanged, _) => "Your email address was changed.",
            (Act::EmailChangeUndone, _) => "The change of your email address was undone.",
            (Act::EmailWithdrawn, _) => {
                "Your email address went back to the account that had it before."
            }
            (Act::EmailChangeAsked, false) => {
                "Your email address was not changed: the password was wrong."
            }
            (Act::PhoneChanged, true) => "Your phone number was changed.",
            (Act::PhoneChanged, false) => {
                "Your phone number was not changed: the password was wrong."
            }
            (Act::PhoneCodeSent, _) => "An OTP was sent to confirm your phone number.",
            (Act::PhoneConfirmed, true) => "Your phone number was confirmed.",
            (Act::PhoneConfirmed, false) => {
                "Your phone number was not confirmed: the OTP was wrong."
            }
            (Act::PasskeyAdded, true) => "A passkey was added.",
            (Act::PasskeyAdded, false) => "A passkey was not added.",
            (Act::PasskeyRemoved, true) => "A passkey was removed.",
            (Act::PasskeyRemoved, false) => "A passkey was not removed: the password was wrong.",
            (Act::PasskeyLogin, true) => "The login was with a passkey.",
            (Act::PasskeyLogin, false) => "A login with a passkey was refused.",
            (Act::PasskeyConfirming, _) => {
                "A change of your account was refused: the passkey was not right."
            }
            (Act::PasskeyCopied, _) => {
                "A passkey was refused: there may be a copy of it. Remove it."
            }
            (Act::KycUploaded, true) => "Identity documents were uploaded.",
            (Act::KycUploaded, false) => "Identity documents were refused.",
            (Act::KycRead, _) => "An identity document was downloaded.",
            (Act::CancellationAsked, _) => "Cancellation requested.",
            (Act::KycReviewed, _) => "Dakiya looked at one of your identity documents.",
            (Act::KycDeleted, _) => "Identity documents were deleted: nothing needs them any more.",
            (Act::DataExported, true) => "All your data was downloaded.",
            (Act::DataExported, false) => "Your data was not downloaded: the password was wrong.",
            (Act::AccountClosed, true) => "Your account was closed.",
            (Act::AccountClosed, false) => "Your account was not closed: the password was wrong.",
            (Act::TwoStepOn, true) => "Two-step login was switched on.",
            (Act::TwoStepOn, false) => "Two-step login was not set up: the password was wrong.",
            (Act::TwoStepOff, true) => "Two-step login was switched off.",
            (Act::TwoStepOff, false) => {
                "Two-step login was not switched off: the password was wrong."
            }
            (Act::RecoveryCodesMade, true) => "New recovery codes were made.",
            (Act::RecoveryCodesMade, false) => {
                "No recovery codes were made: the password was wrong."
            }
            (Act::RecoveryCodeUsed, _) => "A recovery code was used.",
            (Act::LoginCode, _) => {
                "A login was refused: the password was right, and the code was wrong."
            }
            (Act::WrongCodesTold, _) => {
                "We told you by email of a right password with wrong codes."
            }
            (Act::ConfirmingCode, _) => "A change of your account was refused: the code was wrong.",
            (Act::Unknown, true) => "Something was done in your account.",
            (Act::Unknown, false) => "Something was refused in your account.",
        }
    }
}

/// The customer's sentence for an operator's action; `None` if shown elsewhere, such as money.
pub fn operator_sentence(command: &str) -> Option<&'static str> {
    Some(match command {
        "users freeze" => "Dakiya froze your account.",
        "users unfreeze" => "Dakiya ended the freezing of your account.",
        "users two-step-off" => "Dakiya switched off two-step login for your account.",
        "users sez" => "Dakiya confirmed your GSTIN as an SEZ unit’s.",
        "users sez-off" => "Dakiya withdrew the confirmation of your SEZ unit.",
        "users end-sessions" => "Dakiya logged you out everywhere.",
        "users show --full" => "Dakiya looked at your account’s details.",
        "users events" => "Dakiya looked at your account’s activity.",
        _ => return None,
    })
}

#[derive(Clone, Debug)]
pub struct SecurityEvent {
    /// `None` for an unknown username.
    pub user_id: Option<String>,
    pub act: SecurityAct,
    pub succeeded: bool,
    /// The id of the event's object, if that is not the account.
    pub subject_id: String,
    pub origin: Origin,
    pub created_ms: i64,
}

impl SecurityEvent {
    /// An action on an account, which succeeded unless it is marked as `refused`.
    pub fn new(user_id: &str, act: SecurityAct, origin: &Origin, now_ms: i64) -> SecurityEvent {
        SecurityEvent {
            user_id: Some(user_id.to_owned()),
            act,
            succeeded: true,
            subject_id: String::new(),
            origin: origin.clone(),
            created_ms: now_ms,
        }
    }

    /// Sets the booking or document that the event is about.
    pub fn with_subject(self, subject_id: &str) -> SecurityEvent {
        SecurityEvent { subject_id: subject_id.to_owned(), ..self }
    }

    pub fn refused(self) -> SecurityEvent {
        SecurityEvent { succeeded: false, ..self }
    }
}

/// An event as its customer sees it.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Activity {
    pub at: i64,
    /// A sentence about the event.
    pub text: &'static str,
    /// Browser and system, in words; empty for what an operator did.
    pub device: String,
    pub address: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_act_is_found_by_its_word() {
        for (at, (act, word)) in WORDS.into_iter().enumerate() {
            assert_eq!(act as usize, at);
            assert_eq!((act.word(), SecurityAct::stored(word)), (word, act));
        }
        assert_eq!(SecurityAct::stored("laughed"), SecurityAct::Unknown);
    }
}
