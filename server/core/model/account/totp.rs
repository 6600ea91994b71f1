//! Codes of authenticator apps: six digits, SHA-1, steps of 30 s (RFC 6238), as all apps support.

use data_encoding::BASE32_NOPAD;
use totp_rs::{Builder, Totp};

/// Length of a secret: that of SHA-1, as RFC 4226 recommends (bytes).
pub const SECRET_BYTES: usize = 20;

/// A secret that the app and the server share.
pub type TotpSecret = [u8; SECRET_BYTES];

/// Length of a time step (seconds).
const STEP_S: u64 = 30;

pub const DIGITS: usize = 6;

/// Returns the time step of a code: the present one, or the one before or after it, as clocks
/// differ and typing takes a while. All three are compared, each in constant time, and the last one
/// counts, so that a code which two of them share is used up for both.
pub fn step_of(secret: &TotpSecret, code: &str, now_ms: i64) -> Option<i64> {
    let (app, now) = (app(secret), seconds(now_ms) / STEP_S);
    let steps = now.saturating_sub(1)..=now + 1;
    let newest_step = steps.filter_map(|step| app.check(code, step * STEP_S)).max();
    newest_step.map(u64::cast_signed)
}

pub fn code_at(secret: &TotpSecret, now_ms: i64) -> String {
    app(secret).generate(seconds(now_ms)).to_string()
}

/// The builder's defaults are those of all apps; without a skew it checks one step at a time.
fn app(secret: &TotpSecret) -> Totp {
    Builder::new().with_secret(*secret).with_skew(0).build_noncompliant()
}

fn seconds(now_ms: i64) -> u64 {
    u64::try_from(now_ms / 1_000).unwrap_or(0)
}

/// The secret for typing into an app: base32 (RFC 4648).
pub fn in_base32(secret: &[u8]) -> String {
    BASE32_NOPAD.encode(secret)
}

pub fn from_base32(text: &str) -> Option<TotpSecret> {
    BASE32_NOPAD.decode(text.as_bytes()).ok()?.try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECRET: &TotpSecret = b"12345678901234567890";

    #[test]
    fn codes_are_those_of_rfc_6238() {
        // Appendix B, for SHA-1; an app shows the last six of the eight digits.
        for (seconds, code) in [
            (59, "94287082"),
            (1_111_111_109, "07081804"),
            (1_111_111_111, "14050471"),
            (1_234_567_890, "89005924"),
            (2_000_000_000, "69279037"),
            (20_000_000_000, "65353130"),
        ] {
            assert_eq!(code_at(SECRET, seconds * 1_000), code[2..], "{seconds}");
        }
    }

    #[test]
    fn a_code_is_good_one_step_before_and_after_its_own() {
        let now_ms = 1_111_111_111_000;
        let (step_ms, now) = (30_000, now_ms / 30_000);
        for (steps, good) in [(-2, false), (-1, true), (0, true), (1, true), (2, false)] {
            let code = code_at(SECRET, now_ms + steps * step_ms);
            let step = step_of(SECRET, &code, now_ms);
            assert_eq!(step, good.then_some(now + steps), "{steps}");
        }
        for wrong in ["", "05047", "0050471", "14050471"] {
            assert_eq!(step_of(SECRET, wrong, now_ms), None, "{wrong}");
        }
    }

    #[test]
    fn a_secret_is_written_as_apps_read_it() {
        let text = in_base32(SECRET);
        assert_eq!(text, "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ");
        assert_eq!(from_base32(&text).as_ref(), Some(SECRET));
        assert_eq!(from_base32("not base32"), None);
        assert_eq!(from_base32(&text[..8]), None);
    }
}
