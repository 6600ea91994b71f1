//! Our own air waybill numbers: `DK`, the second of booking, three random digits, a check digit.

/// The number of a booking made at this time. With a random number it is unlikely to repeat, but
/// the database decides.
pub fn number(now_ms: i64, random: u32) -> String {
    let random = random % 1_000;
    let digits = format!(
        "{:010}{random:03}",
        (now_ms / 1_000).rem_euclid(10_000_000_000)
    );
    let check = check_digit(&digits);
    format!("DK{digits}{check}")
}

/// What a person typed as an AWB, made comparable: no spaces or dashes, capital letters.
/// `None` when it cannot be one of anybody's numbers.
pub fn normalise(typed: &str) -> Option<String> {
    let awb: String = typed
        .chars()
        .filter(|c| !c.is_whitespace() && *c != '-')
        .map(|c| c.to_ascii_uppercase())
        .collect();
    let plausible = (4..=40).contains(&awb.len()) && awb.chars().all(|c| c.is_ascii_alphanumeric());
    plausible.then_some(awb)
}

/// Luhn: catches every single wrong digit and most swaps.
fn check_digit(digits: &str) -> u32 {
    let sum: u32 = digits
        .bytes()
        .rev()
        .enumerate()
        .map(|(place, digit)| {
            let digit = u32::from(digit - b'0');
            match place % 2 {
                0 if digit > 4 => digit * 2 - 9,
                0 => digit * 2,
                _ => digit,
            }
        })
        .sum();
    (10 - sum % 10) % 10
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_has_its_shape_and_check_digit() {
        let awb = number(1_795_000_000_123, 7);
        assert!(awb.starts_with("DK1795000000") && awb.len() == 16, "{awb}");
        assert_eq!(check_digit(&awb[2..15]).to_string(), awb[15..]);
        assert_eq!(check_digit("7992739871"), 3); // the textbook Luhn example
    }

    #[test]
    fn typed_numbers_are_read_generously() {
        assert_eq!(
            normalise(" dk1795-0000 0012 ").as_deref(),
            Some("DK179500000012")
        );
        assert_eq!(normalise("<script>"), None);
        assert_eq!(normalise(""), None);
    }
}
