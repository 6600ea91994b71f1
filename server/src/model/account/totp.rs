//! Codes of an authenticator app: time-based one-time passwords (RFC 6238) of six digits, with
//! SHA-1 and steps of 30 seconds, which all such apps support.

use data_encoding::BASE32_NOPAD;
use ring::hmac::{HMAC_SHA1_FOR_LEGACY_USE_ONLY, Key, sign};
use subtle::{Choice, ConditionallySelectable, ConstantTimeEq};

/// Length of a secret: that of SHA-1, as RFC 4226 recommends (bytes).
pub const SECRET_BYTES: usize = 20;

/// Length of a time step (milliseconds).
const STEP_MS: i64 = 30_000;

/// The digits of a code (count).
pub const DIGITS: usize = 6;

/// Returns the time step of a code: the present one, or the one before or after it, as clocks
/// differ and typing takes a while. All three are compared, in constant time.
pub fn step_of(secret: &[u8], code: &str, now_ms: i64) -> Option<i64> {
    let now = now_ms.div_euclid(STEP_MS);
    let (mut found, mut step) = (Choice::from(0), 0);
    for tried in now - 1..=now + 1 {
        let is_it = code_of(secret, tried).as_bytes().ct_eq(code.as_bytes());
        step = i64::conditional_select(&step, &tried, is_it);
        found |= is_it;
    }
    bool::from(found).then_some(step)
}

/// The present code.
pub fn code_at(secret: &[u8], now_ms: i64) -> String {
    code_of(secret, now_ms.div_euclid(STEP_MS))
}

/// The code of a time step (RFC 4226, section 5.3).
fn code_of(secret: &[u8], step: i64) -> String {
    let key = Key::new(HMAC_SHA1_FOR_LEGACY_USE_ONLY, secret);
    let hash = sign(&key, &step.to_be_bytes());
    let hash = hash.as_ref();
    let at = usize::from(hash[hash.len() - 1] & 0xf);
    let bytes = [hash[at] & 0x7f, hash[at + 1], hash[at + 2], hash[at + 3]];
    let code = u32::from_be_bytes(bytes) % 10_u32.pow(DIGITS as u32);
    format!("{code:0DIGITS$}")
}

/// The secret for typing into an app: base32 (RFC 4648).
pub fn in_base32(secret: &[u8]) -> String {
    BASE32_NOPAD.encode(secret)
}

/// Decodes a secret from base32.
pub fn from_base32(text: &str) -> Option<Vec<u8>> {
    BASE32_NOPAD.decode(text.as_bytes()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECRET: &[u8] = b"12345678901234567890";

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
        let now = now_ms / STEP_MS;
        for (steps, good) in [(-2, false), (-1, true), (0, true), (1, true), (2, false)] {
            let code = code_at(SECRET, now_ms + steps * STEP_MS);
            let found = step_of(SECRET, &code, now_ms);
            assert_eq!(found, good.then_some(now + steps), "{steps}");
        }
        for wrong in ["", "05047", "0050471", "14050471"] {
            assert_eq!(step_of(SECRET, wrong, now_ms), None, "{wrong}");
        }
    }

    #[test]
    fn a_secret_is_written_as_apps_read_it() {
        let text = in_base32(SECRET);
        assert_eq!(text, "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ");
        assert_eq!(from_base32(&text).as_deref(), Some(SECRET));
        assert_eq!(from_base32("not base32"), None);
    }
}
