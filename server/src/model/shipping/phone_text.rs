//! Phone numbers as people read them.

/// Returns an Indian mobile number in two groups: `98765 43210`, `+91 98765 43210`. Other numbers
/// stay as they are: their groups depend on the area.
pub fn grouped_phone(phone: &str) -> String {
    let (country, national) = match phone {
        _ if phone.starts_with("+91") => ("+91 ", &phone[3..]),
        _ if phone.len() == 12 && phone.starts_with("91") => ("+91 ", &phone[2..]),
        _ if phone.len() == 11 && phone.starts_with('0') => ("", &phone[1..]),
        _ => ("", phone),
    };
    let is_mobile = national.len() == 10
        && national.bytes().all(|byte| byte.is_ascii_digit())
        && national.as_bytes()[0] >= b'6';
    match is_mobile {
        true => format!("{country}{} {}", &national[..5], &national[5..]),
        false => phone.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mobile_numbers_have_two_groups_and_others_stay() {
        for (phone, read) in [
            ("9876543210", "98765 43210"),
            ("09845012345", "98450 12345"),
            ("+919876543210", "+91 98765 43210"),
            ("919876543210", "+91 98765 43210"),
            ("01123456789", "01123456789"),
            ("+12125550100", "+12125550100"),
            ("+91", "+91"),
            ("call me", "call me"),
            ("", ""),
        ] {
            assert_eq!(grouped_phone(phone), read);
        }
        assert_eq!(grouped_phone("९८७६५४३२१०"), "९८७६५४३२१०");
    }
}
