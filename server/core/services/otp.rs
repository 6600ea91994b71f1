//! Six-digit codes sent to a phone: how they are created, sealed, rate-limited and checked, for
//! every use.

use std::borrow::Cow;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

use crate::error::{Error, Result};
use crate::limits;
use crate::model::booking::otp::Otp;
use crate::model::input::characters::is_digits;
use crate::model::message::BudgetScope;
use crate::providers::vault::Signer;
use crate::random::{random_bytes, random_id};
use crate::services::message_budgets::SpentBudget;
use crate::store::{self, Conn};

pub(super) const USED: &str = "This OTP was used already. Please request another.";

/// Seals codes and numbers. Its keys cannot be read in the database: all million codes could be
/// tried quickly.
#[derive(Clone, Debug)]
pub struct OtpSealer {
    codes: Signer,
    numbers: Signer,
}

impl OtpSealer {
    /// The signer of numbers must outlive a change of keys, or a code that was sent is forgotten.
    pub fn new(codes: Signer, numbers: Signer) -> OtpSealer {
        OtpSealer { codes, numbers }
    }

    /// Returns a new code, and the row to store for it.
    pub(super) fn fresh(
        &self,
        subject: &str,
        receiver: Option<String>,
        sealed: &[&str],
        now_ms: i64,
    ) -> (String, Otp) {
        let (code, otp_id) = (fresh_code(), random_id());
        let otp = Otp {
            seal: self.seal(&otp_id, sealed, &code),
            otp_id,
            subject: subject.to_owned(),
            receiver,
            created_ms: now_ms,
            expires_ms: now_ms + limits::OTP_MS_MAX,
        };
        (code, otp)
    }

    /// Returns the seal of a code and of the values it is bound to.
    pub(super) fn seal(&self, otp_id: &str, sealed: &[&str], code: &str) -> String {
        base64_of(&self.codes, &text(otp_id, sealed, code))
    }

    /// Compares in constant time.
    pub(super) fn is_right(&self, otp: &Otp, sealed: &[&str], code: &str) -> bool {
        let text = text(&otp.otp_id, sealed, code);
        URL_SAFE_NO_PAD.decode(&otp.seal).is_ok_and(|seal| self.codes.verify(&text, &seal))
    }

    /// Returns the fingerprint by which a code's number is known without storing it.
    pub(super) fn print(&self, number: &str) -> String {
        base64_of(&self.numbers, number)
    }
}

fn base64_of(signer: &Signer, text: &str) -> String {
    URL_SAFE_NO_PAD.encode(signer.sign(text))
}

fn text(otp_id: &str, sealed: &[&str], code: &str) -> String {
    let parts = [&[otp_id], sealed, &[code]].concat();
    parts.join("\n")
}

pub(super) fn otp_error(message: impl Into<Cow<'static, str>>) -> Error {
    Error::field("otp", message)
}

pub(super) fn is_code(text: &str) -> bool {
    text.len() == 6 && is_digits(text)
}

/// Returns six digits, each code equally likely.
fn fresh_code() -> String {
    const CODES: u32 = 1_000_000;
    loop {
        let number = u32::from_be_bytes(random_bytes());
        // The numbers above the last whole million would favour the low codes.
        if number < u32::MAX / CODES * CODES {
            return format!("{:06}", number % CODES);
        }
    }
}

/// Allows one in half a minute and five in an hour; `made` has the newest first.
///
/// # Errors
/// `TooMany` when it is too early for another.
pub(super) fn may_send(made: &[i64], now_ms: i64) -> Result<()> {
    let wait_s = |count: usize, pause_ms: i64| {
        // A code sent while this request waited for the lock is later than `now_ms`.
        let last_ms = made.get(count - 1);
        let wait_ms = last_ms.map_or(0, |last_ms| (last_ms + pause_ms - now_ms).clamp(0, pause_ms));
        wait_ms.unsigned_abs().div_ceil(1_000)
    };
    let soon = wait_s(1, limits::OTP_PAUSE_MS_MIN);
    let often = wait_s(limits::OTPS_AN_HOUR_MAX, limits::HOUR_MS);
    let message = match (soon, often) {
        (0, 0) => return Ok(()),
        (_, 0) => {
            format!("You asked for an OTP a moment ago. Please wait {soon} s for another.")
        }
        _ => {
            let (count, minutes) = (limits::OTPS_AN_HOUR_MAX, often.div_ceil(60));
            format!("You asked for {count} OTPs within an hour. Please wait {minutes} min.")
        }
    };
    Err(Error::TooMany { message: message.into(), retry_after_s: soon.max(often) })
}

/// Returns the error of a code that a budget of messages refuses.
pub(super) fn over_budget(spent: &SpentBudget) -> Error {
    let SpentBudget { kind, scope, most, retry_after_s } = *spent;
    let message = match scope {
        BudgetScope::Account => {
            let hours = retry_after_s.div_ceil(3_600);
            format!("You asked for {most} OTPs within a day. Please wait {hours} h.")
        }
        BudgetScope::Receiver if kind.is_sms() => {
            "Many OTPs went to this number today. Please try again tomorrow.".to_owned()
        }
        BudgetScope::Receiver => {
            "Many OTPs went to this email address today. Please try again tomorrow.".to_owned()
        }
        BudgetScope::Total | BudgetScope::NewAccounts | BudgetScope::Parcel => {
            "We sent as many OTPs as we may today. Please try again tomorrow.".to_owned()
        }
    };
    Error::TooMany { message: message.into(), retry_after_s }
}

/// Returns enough of the number for the customer to recognise it.
pub(super) fn mobile_in_part(mobile: &str) -> String {
    let end = mobile.len().saturating_sub(4);
    format!("mobile ending {}", mobile.get(end..).unwrap_or(""))
}

/// A typed code, and the values it is bound to.
pub(super) struct Typed<'a> {
    pub user_id: &'a str,
    pub subject: &'a str,
    pub sealed: &'a [&'a str],
    pub code: &'a str,
}

/// Returns the id of the code when it is right, else the message to the customer. A used code is
/// still right: a repeated confirmation must get its response, and any other request fails to use
/// it up.
pub(super) async fn check_code(
    conn: &mut Conn,
    sealer: &OtpSealer,
    typed: &Typed<'_>,
    now_ms: i64,
) -> Result<std::result::Result<String, String>> {
    let user_id = typed.user_id;
    let Some(otp) = store::otp::newest(conn, user_id, typed.subject).await? else {
        return Ok(Err("Please request an OTP first.".to_owned()));
    };
    if otp.expires_ms <= now_ms {
        return Ok(Err("This OTP has expired. Please request another.".to_owned()));
    }
    let Some(tries) = store::otp::count_try(conn, user_id, &otp.otp_id).await? else {
        return Ok(Err("This OTP was tried too often. Please request another.".to_owned()));
    };
    if sealer.is_right(&otp, typed.sealed, typed.code) {
        store::otp::uncount_try(conn, user_id, &otp.otp_id).await?;
        return Ok(Ok(otp.otp_id));
    }
    let left = limits::OTP_TRIES_MAX - tries;
    Ok(Err(match left {
        ..=0 => "This OTP is not right. Please request another.".to_owned(),
        1 => "This OTP is not right. You have 1 try left.".to_owned(),
        _ => format!("This OTP is not right. You have {left} tries left."),
    }))
}

/// Returns the SMS with a code. Its last line lets a browser fill it in, on our own pages only.
pub(super) fn sms_with_code(text: &str, public_url: &str, code: &str) -> String {
    let address = public_url.split_once("://").map_or(public_url, |(_, address)| address);
    let host = address.split([':', '/']).next().unwrap_or(address);
    format!("{text}\n@{host} #{code}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::settings::files_key::{FilesKey, KEY_BYTES};
    use crate::providers::vault::Keyring;

    #[test]
    fn codes_have_six_digits_and_differ() {
        let codes: std::collections::BTreeSet<String> = (0..50).map(|_| fresh_code()).collect();
        assert!(codes.len() > 45, "{codes:?}");
        assert!(codes.iter().all(|code| is_code(code)), "{codes:?}");
    }

    #[test]
    fn a_mobile_is_shown_in_part() {
        assert_eq!(mobile_in_part("+919876543210"), "mobile ending 3210");
    }

    #[test]
    fn a_number_is_known_by_what_does_not_say_it() {
        let key = FilesKey::new([7; KEY_BYTES]);
        let keyring = Keyring::new(key.into());
        let sealer = OtpSealer::new(keyring.signer("otp"), keyring.signer("numbers"));
        let print = sealer.print("+919876543210");
        assert_eq!(print, sealer.print("+919876543210"));
        assert_ne!(print, sealer.print("+919876543211"));
        assert!(!print.contains("9876543210"));
    }

    #[test]
    fn one_in_half_a_minute_and_five_an_hour() {
        let wait = |made: &[i64], now_ms| match may_send(made, now_ms) {
            Ok(()) => 0,
            Err(Error::TooMany { retry_after_s, .. }) => retry_after_s,
            Err(other) => panic!("{other}"),
        };
        assert_eq!(wait(&[], 0), 0);
        assert_eq!(wait(&[1_000], 1_000), 30);
        assert_eq!(wait(&[1_000], 995), 30);
        assert_eq!(wait(&[1_000], 30_999), 1);
        assert_eq!(wait(&[1_000], 31_000), 0);
        let five = [200_000, 150_000, 100_000, 50_000, 0];
        assert_eq!(wait(&five, 240_000), 3_600 - 240);
        assert_eq!(wait(&five, limits::HOUR_MS), 0);
        assert_eq!(wait(&five[..4], 240_000), 0);
    }
}
