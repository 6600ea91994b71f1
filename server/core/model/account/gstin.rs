//! GSTINs: numbers of taxpayers registered for GST.

use crate::model::shipping::place;

pub const WRONG: &str = "Check the GSTIN: 15 characters, like 07AAACD1234E1ZB.";

/// True if a text is the GSTIN of a regular taxpayer: state, PAN, count, `Z` and the check
/// character (GSTN, "Know your GSTIN"; the present state codes, without 25 and 28).
pub fn is_gstin(text: &str) -> bool {
    let shape = text.len() == 15
        && text.bytes().enumerate().all(|(at, byte)| match at {
            0 | 1 | 7..=10 => byte.is_ascii_digit(),
            2..=6 | 11 => byte.is_ascii_uppercase(),
            12 => byte != b'0' && value(byte).is_some(),
            13 => byte == b'Z',
            _ => value(byte).is_some(),
        });
    shape && place::state_of_gst(&text[..2]).is_some() && checks(text)
}

/// True if the last of 15 characters is the right check character.
pub fn checks(text: &str) -> bool {
    let others = text.get(..14).filter(|_| text.len() == 15);
    others.is_some_and(|others| check(others) == text.bytes().last())
}

/// The check character of the 14 before it: Luhn's algorithm in base 36.
fn check(text: &str) -> Option<u8> {
    let mut sum = 0;
    for (at, byte) in text.bytes().enumerate() {
        let weighted = value(byte)? * if at % 2 == 0 { 1 } else { 2 };
        sum += weighted / 36 + weighted % 36;
    }
    SYMBOLS.get((36 - sum % 36) % 36).copied()
}

const SYMBOLS: &[u8; 36] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";

fn value(byte: u8) -> Option<usize> {
    SYMBOLS.iter().position(|symbol| *symbol == byte)
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = "27AAPFU0939F1ZV";

    #[test]
    fn a_gstin_is_known_by_its_state_its_shape_and_its_check_character() {
        for good in [GOOD, "07AAACD1234E1ZB", "29AAACR5055K1Z3"] {
            assert!(is_gstin(good), "{good}");
        }
        for bad in [
            "",
            "27AAPFU0939F1Z",
            "27AAPFU0939F1ZVV",
            "27aapfu0939f1zv",
            "27AAPFU0939F0ZV",
            "27AAPFU0939F1YV",
            "2 AAPFU0939F1ZV",
            "27AAPFU0939F1Z।",
        ] {
            assert!(!is_gstin(bad), "{bad}");
        }
        // Code 25 was a state until 2020, and 00 never was one. Their check characters are right.
        for state in ["00", "25", "99"] {
            let text = format!("{state}{}", &GOOD[2..14]);
            let checked = format!("{text}{}", char::from(check(&text).unwrap()));
            assert!(!is_gstin(&checked), "{checked}");
        }
    }

    #[test]
    fn one_wrong_character_is_always_noticed() {
        for at in 0..15 {
            for symbol in SYMBOLS {
                let mut gstin = GOOD.as_bytes().to_vec();
                gstin[at] = *symbol;
                let gstin = String::from_utf8(gstin).unwrap();
                assert_eq!(is_gstin(&gstin), gstin == GOOD, "{gstin}");
            }
        }
    }
}
