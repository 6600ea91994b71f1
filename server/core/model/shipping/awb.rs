//! Our own air waybill numbers: `DK`, 15 random digits, and a check digit.
//!
//! They cannot be guessed, and suffice for 100,000 bookings a second for centuries. Older ones have
//! 14 digits that begin with the second of booking, and remain valid.

use crate::model::check_digit;
use crate::model::input::characters::{code, is_digits};

const PREFIX: &str = "DK";
const DIGITS: usize = 16;
/// Possible values of the random digits (count).
const NUMBERS: u64 = 1_000_000_000_000_000;

/// Returns the AWB for 64 random bits. It is unlikely to repeat; the database checks it.
pub fn number(random: u64) -> String {
    let digits = format!("{:015}", random % NUMBERS);
    format!("{PREFIX}{}", check_digit::with_check_digit(&digits))
}

/// Normalises a typed AWB: no spaces or dashes, capital letters. `None` if it cannot be an AWB of
/// any courier.
pub fn normalise(text: &str) -> Option<String> {
    let awb = code(text);
    let plausible = (4..=40).contains(&awb.len()) && awb.chars().all(|c| c.is_ascii_alphanumeric());
    plausible.then_some(awb)
}

/// True if it resembles an AWB of ours and is invalid: a digit is wrong, missing or too many.
pub fn is_mistyped(awb: &str) -> bool {
    let digits = awb.strip_prefix(PREFIX).unwrap_or("");
    let is_near = digits.len().abs_diff(DIGITS) <= 1 && is_digits(digits);
    is_near && (digits.len() != DIGITS || !check_digit::is_right(digits))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn numbers_differ_as_their_bits_do_and_notice_what_people_mistype() {
        let bits = |n: u64| n.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let all: HashSet<String> = (0..10_000).map(|n| number(bits(n))).collect();
        assert_eq!(all.len(), 10_000);
        for awb in all.iter().take(200) {
            assert!(awb.starts_with("DK") && awb.len() == 18, "{awb}");
            assert!(!is_mistyped(awb), "{awb}");
            let digits = awb.as_bytes();
            for at in 2..digits.len() {
                let mut wrong = digits.to_vec();
                wrong[at] = b'0' + (wrong[at] - b'0' + 1) % 10;
                assert!(is_mistyped(std::str::from_utf8(&wrong).unwrap()), "{awb}");
                let mut swapped = digits.to_vec();
                swapped.swap(at, (at + 1).min(digits.len() - 1));
                let swapped = String::from_utf8(swapped).unwrap();
                assert_eq!(is_mistyped(&swapped), swapped != *awb, "{awb}");
            }
            assert!(is_mistyped(&awb[..17]) && is_mistyped(&format!("{awb}0")));
        }
    }

    #[test]
    fn numbers_of_others_and_our_older_ones_are_not_called_mistyped() {
        for awb in ["DK17950000000078", "DK1719216000123", "26805710004126", "DKABCDEF12345678"] {
            assert!(!is_mistyped(awb), "{awb}");
        }
    }

    #[test]
    fn typed_numbers_are_read_generously() {
        assert_eq!(normalise(" dk1795-0000 0012 ").as_deref(), Some("DK179500000012"));
        assert_eq!(
            normalise("\u{feff}DK‑1795 ००००\u{200b}0012").as_deref(),
            Some("DK179500000012")
        );
        assert_eq!(normalise("<script>"), None);
        assert_eq!(normalise(""), None);
    }
}
