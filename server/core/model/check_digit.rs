//! Check digits by Verhoeff's algorithm, which detects every single wrong digit and every swap of
//! two neighbours. UIDAI uses it for Aadhaar numbers, and we for our AWBs.

/// True if the last digit is the right check digit of the others.
pub fn is_right(digits: &str) -> bool {
    const SHUFFLE: [u8; 10] = [1, 5, 7, 6, 2, 8, 3, 0, 9, 4];
    let mut sum = 0;
    for (place, byte) in digits.bytes().rev().enumerate() {
        let mut digit = byte.wrapping_sub(b'0');
        if digit > 9 {
            return false;
        }
        for _ in 0..place % 8 {
            digit = SHUFFLE[usize::from(digit)];
        }
        sum = multiply(sum, digit);
    }
    sum == 0
}

/// Returns the digits with their check digit appended.
pub fn with_check_digit(digits: &str) -> String {
    let with = |last: char| format!("{digits}{last}");
    let mut all = ('0'..='9').map(with);
    all.find(|digits| is_right(digits)).unwrap_or_default()
}

/// The product in the dihedral group D5, numbered: five rotations, five reflections.
fn multiply(one: u8, other: u8) -> u8 {
    match (one < 5, other < 5) {
        (true, true) => (one + other) % 5,
        (true, false) => (one + other - 5) % 5 + 5,
        (false, true) => (one - 5 + 5 - other) % 5 + 5,
        (false, false) => (one + 5 - other) % 5,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_wrong_digit_and_one_swap_of_a_number_are_always_noticed() {
        for good in ["234123412346", &with_check_digit("090909090909090"), &with_check_digit("0")] {
            assert!(is_right(good));
            for at in 0..good.len() {
                for digit in b'0'..=b'9' {
                    let mut number = good.as_bytes().to_vec();
                    number[at] = digit;
                    let number = String::from_utf8(number).unwrap();
                    assert_eq!(is_right(&number), number == good, "{number}");
                }
                let mut swapped = good.as_bytes().to_vec();
                swapped.swap(at, (at + 1).min(good.len() - 1));
                let swapped = String::from_utf8(swapped).unwrap();
                assert_eq!(is_right(&swapped), swapped == good, "{swapped}");
            }
        }
        assert!(!is_right("23412341234x"));
    }
}
